"""Tells every mistake in the settings in one line: where, key, value, what is wrong, what to do."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic_core import ErrorDetails

PREFIX = "LIMEN_"
Origins = dict[tuple[str, str], str]
"""Which environment variable set a section's key."""

_SECRET_WORDS = re.compile(r"token|secret|key|password|url", re.I)
_SHOWN = 60  # signs of a value that is quoted back
_HINTS = {
    "int": "write a whole number, for example {default}",
    "float": "write a number, for example {default}",
    "bool": "write true or false",
    "string": "write a text in quotes, for example {default!r}",
    "tuple": "write a list of texts, for example ['slack:U024BE7LH']",
    "greater": "write a larger number, for example {default}",
    "less": "write a smaller number, for example {default}",
}


class Report:
    """Turns pydantic's errors into lines, knowing which value came from where."""

    def __init__(self, root: type[BaseModel], file: Path | None, origins: Origins) -> None:
        self._root = root
        self._file = file
        self._origins = origins

    def lines(self, error: ValidationError) -> list[str]:
        """Write one line for each mistake."""
        return [self._line(one) for one in error.errors(include_url=False)]

    def stray(self, name: str) -> str:
        """Refuse a variable that has our prefix and names no key."""
        known = [
            variable(section, key)
            for section in self._root.model_fields
            for key in self._keys(section)
        ]
        near = get_close_matches(name.upper(), known, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"environment: {name}: is no setting; write {PREFIX}<SECTION>__<KEY>{hint}"

    def _line(self, error: ErrorDetails) -> str:
        section, key = self._place(error)
        where = self._where(section, key)
        if error["type"] == "extra_forbidden":
            return f"{where}{self._shown(section, key, error['input'])}: {self._nearest(error)}"
        if not key:
            return f"{where}: must be a table; write [{section}] and its keys below it"
        value = "" if error["type"] == "at_key" else self._shown(section, key, error["input"])
        return f"{where}{value}: {self._what(error, section, key)}"

    def _place(self, error: ErrorDetails) -> tuple[str, str]:
        section, *rest = (str(part) for part in error["loc"])
        key = error.get("ctx", {}).get("key", "") if error["type"] == "at_key" else ""
        return section, key or (rest[0] if rest else "")

    def _where(self, section: str, key: str) -> str:
        """Name the file or the variable that a key is, or belongs, in."""
        name = self._origins.get((section, key))
        if name:
            return f"environment: {name}"
        place = str(self._file) if self._file else "environment"
        if not self._file and key:
            return f"{place}: {variable(section, key)}"
        return f"{place}: [{section}]" + (f" {key}" if key else "")

    def _shown(self, section: str, key: str, value: Any) -> str:
        if isinstance(value, (dict, BaseModel)) or not key:
            return ""
        if self._secret(section, key) or isinstance(value, SecretStr):
            return " = (hidden)"
        text = repr(value)
        return f" = {text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}"

    def _secret(self, section: str, key: str) -> bool:
        """Tell whether a value must not be quoted: a misspelt key may hold a secret as well."""
        near = get_close_matches(key, self._keys(section), n=1) if key else []
        field = self._field(section, key) or self._field(section, near[0] if near else "")
        secret = field is not None and field.annotation is SecretStr
        return secret or bool(_SECRET_WORDS.search(key) and not self._field(section, key))

    def _nearest(self, error: ErrorDetails) -> str:
        """Refuse an unknown section or key with the known one that looks most like it."""
        section, *rest = (str(part) for part in error["loc"])
        known = self._keys(section) if rest else list(self._root.model_fields)
        unknown = rest[0] if rest else section
        near = get_close_matches(unknown.lower(), known, n=1, cutoff=0.5)
        kind = f"no key of [{section}]" if rest else "no known section"
        hint = f"did you mean '{near[0]}'?" if near else "take it out;"
        return f"is {kind}; {hint} Known: {', '.join(known)}"

    def _what(self, error: ErrorDetails, section: str, key: str) -> str:
        kind = error["type"]
        if kind == "value_error":
            return str(error["ctx"]["error"])
        text = re.sub(r"^(Input|String|Value) should ", "must ", error["msg"])
        if kind == "at_key":
            return text
        if kind == "literal_error":
            return text + self._nearest_choice(section, key, error["input"])
        text = text.partition(", unable to ")[0]
        kind = "tuple" if len(error["loc"]) > 2 else kind
        return f"{text}; {self._hint(kind, section, key)}"

    def _nearest_choice(self, section: str, key: str, value: Any) -> str:
        field = self._field(section, key)
        choices = [str(choice) for choice in get_args(field.annotation)] if field else []
        near = get_close_matches(str(value).lower(), choices, n=1, cutoff=0.4)
        return f"; did you mean {near[0]!r}?" if near else f"; the default is {choices[0]!r}"

    def _hint(self, kind: str, section: str, key: str) -> str:
        field = self._field(section, key)
        default = field.default if field else None
        if isinstance(default, SecretStr):
            return "write a text in quotes"
        for start, hint in _HINTS.items():
            if kind.startswith(start):
                return hint.format(default=default)
        return f"the default is {str(default)!r}"

    def _keys(self, section: str) -> Sequence[str]:
        field = self._root.model_fields.get(section)
        return list(field.annotation.model_fields) if field and field.annotation else []

    def _field(self, section: str, key: str) -> Any:
        field = self._root.model_fields.get(section)
        return field.annotation.model_fields.get(key) if field and field.annotation else None


def variable(section: str, key: str) -> str:
    """Name the environment variable of a key."""
    return f"{PREFIX}{section}__{key}".upper()


def unreadable(path: Path, error: Exception) -> str:
    """Say why a settings file cannot be read; for broken TOML, at which line."""
    if isinstance(error, UnicodeDecodeError):
        return f"{path}: is not a text in UTF-8 (byte {error.start}); save it as UTF-8"
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return f"{path}: cannot be read ({reason}); check the path and its permissions"
    found = re.search(r"^(.*?)\s*\(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
    if not found:
        return f"{path}: is no TOML ({error}); compare it with config.example.toml"
    what, line, column = found.groups()
    place = f"line {line}, column {column}" if line else "at its end"
    return f"{path}, {place}: {what}; compare it with config.example.toml"
