"""Strikes secrets out of texts: the values that are known, and whatever looks like one."""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, unquote, urlsplit

from pydantic import BaseModel, SecretStr

GONE = "[secret]"
"""What stands in the place of a secret."""
SHORTEST = 6  # signs of a value that is looked for; a shorter one would strike out plain words

_URL = re.compile(r"\b([a-z][a-z0-9+.-]*://[^\s:/@]*):[^\s/@]+@", re.I)
_BEARER = re.compile(r"\b(bearer|basic)(\s+)[\w.~+/=-]{6,}", re.I)
_TOKENS = re.compile(
    r"""\bxox[a-z](?:\.xox[a-z])?-[\w-]{6,}|\bxapp-[\w-]{6,}   # Slack
    |(?<![\d:])\d{6,}:[\w-]{20,}                                # Telegram
    |\bsk-[\w-]{8,}                                             # models
    """,
    re.X,
)
_NAMED = re.compile(
    r"""((?:api[_-]?key|access[_-]?key|secret|password|passwd|token|ticket)
        (?:=|["']\s*[:,=]\s*b?["']))([^\s"'&,;)}]{4,})""",
    re.X | re.I,
)
"""`password=…`, `"token": "…"` and `(b'x-api-key', b'…')`; not the words of a sentence."""
_HINTS = ("://", "xox", "xapp-", "sk-", "earer", "asic ", "EARER", "=", '"', "'", ":")


class Secrets:
    """The secrets of one process. `hide` is cheap enough for every line of a log."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values: tuple[str, ...] = ()
        self.learn(*values)

    def learn(self, *values: str) -> None:
        """Look for these too, as they are and as they stand in an address."""
        written = {
            form for value in values for form in (value, quote(value, safe="")) if _worth(form)
        }
        # the longest first: one may be the beginning of another
        self._values = tuple(sorted(written.union(self._values), key=len, reverse=True))

    def strike(self, text: str) -> str:
        """The text without the known secrets; the same object where it holds none."""
        for value in self._values:
            if value in text:
                text = text.replace(value, GONE)
        return text

    def hide(self, text: str) -> str:
        """The text without the known secrets, and without whatever looks like one."""
        text = self.strike(text)
        if not any(hint in text for hint in _HINTS):
            return text
        text = _URL.sub(rf"\1:{GONE}@", text)
        text = _BEARER.sub(rf"\1\2{GONE}", text)
        text = _TOKENS.sub(GONE, text)
        return _NAMED.sub(rf"\1{GONE}", text)


def of_settings(settings: BaseModel) -> Iterator[str]:
    """Every secret of the settings; of an address only what lets somebody in."""
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            yield from of_settings(value)
        elif isinstance(value, SecretStr):
            yield from _parts(value.get_secret_value())


def _parts(value: str) -> Iterator[str]:
    if "://" not in value:
        yield value
        return
    password = urlsplit(value).password
    if password:
        yield password
        yield unquote(password)


def _worth(value: str) -> bool:
    return len(value) >= SHORTEST
