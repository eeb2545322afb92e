"""One table of a story's file, read key by key; every mistake names file, key, value and remedy."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from difflib import get_close_matches
from typing import Any, TypeVar

from bot.errors import StoryError
from bot.setup import durations

T = TypeVar("T")
Table = dict[str, Any]


class Sheet:
    """A table whose keys are taken one by one; `finish` refuses those that nobody took."""

    def __init__(self, file: str, table: Table, path: str = "") -> None:
        self._file = file
        self._table = table
        self._path = path
        self._taken: set[str] = set()
        self._inner: list[Sheet] = []

    def ids(self) -> list[str]:
        """All keys, in the order written."""
        return list(self._table)

    def has(self, key: str) -> bool:
        """Whether a key is there; from now on it is one that may be."""
        self._taken.add(key)
        return key in self._table

    def text(self, key: str, *, default: str | None = None) -> str:
        """A text that is not empty; without a default the key must be there."""
        value = self._take(key, default)
        if not isinstance(value, str) or (not value.strip() and value != default):
            raise self.wrong(key, value, "write a text in quotes")
        return value.strip()

    def texts(self, key: str, *, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """A list of texts."""
        value = self._take(key, default)
        if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
            raise self.wrong(key, value, 'write a list of texts, such as ["lin", "mo"]')
        return tuple(value)

    def pattern(self, key: str) -> str:
        """A regular expression."""
        return self._compiled(key, self.text(key))

    def patterns(self, key: str, *, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """A list of regular expressions."""
        return tuple(self._compiled(key, one) for one in self.texts(key, default=default))

    def flag(self, key: str) -> bool:
        """True or false; false when it is not there."""
        value = self._take(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "write true or false")
        return value

    def number(self, key: str, *, default: int) -> int:
        """A whole number from 1 on."""
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.wrong(key, value, "write a whole number from 1 on")
        return value

    def choice(self, key: str, options: Sequence[str], *, default: str | None = None) -> str:
        """One of a few words."""
        value = self.text(key, default=default)
        if value not in options:
            raise self.wrong(key, value, f"write one of {', '.join(options)}")
        return value

    def duration(self, key: str, *, default: timedelta | None = None) -> timedelta:
        """A span such as `20s`."""
        return self.checked(key, durations.parse_duration, default=default)

    def moment(self, key: str) -> datetime:
        """A local date and time without a zone."""
        value = self._take(key, None)
        if not isinstance(value, datetime) or value.tzinfo is not None:
            raise self.wrong(key, value, "write a local time, such as 2026-11-30T09:00:00")
        return value

    def checked(self, key: str, check: Callable[[Any], T], *, default: T | None = None) -> T:
        """A value that `check` reads; its ValueError is the remedy."""
        value = self._take(key, default)
        try:
            return check(value)
        except ValueError as error:
            raise self.wrong(key, value, str(error)) from error

    def known(self, key: str, value: str, options: Sequence[str], what: str) -> str:
        """The value, which must be one of the options."""
        if value not in options:
            near = get_close_matches(value, options, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(options)}"
            raise self.wrong(key, value, f"there is no such {what}; {hint}")
        return value

    def first(self, keys: Sequence[str]) -> str:
        """The first of the keys that is there: it tells what the table is for."""
        for key in keys:
            if key in self._table:
                return key
        raise self.wrong("", "of no kind", f"give it one of {', '.join(keys)}")

    def table(self, key: str) -> "Sheet":
        """A table inside this one; an absent one is empty."""
        value = self._take(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, value, f"write it as a table: [{self._full(key)}]")
        return self._open(value, self._full(key))

    def tables(self, key: str) -> list["Sheet"]:
        """A list of tables inside this one; an absent one is empty."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.wrong(key, value, f"write each as a table of its own: [[{key}]]")
        return [self._open(one, f"{key}[{n}]") for n, one in enumerate(value, start=1)]

    def finish(self) -> None:
        """Refuse keys that mean nothing, here and in the tables inside."""
        for key in self._table:
            if key not in self._taken:
                near = get_close_matches(key, sorted(self._taken), n=1)
                hint = f"did you mean {near[0]!r}?" if near else "take it out"
                raise self.wrong(key, self._table[key], f"no story has such a key; {hint}")
        for sheet in self._inner:
            sheet.finish()

    def wrong(self, key: str, value: object, remedy: str) -> StoryError:
        """The error to raise for a key."""
        return StoryError(self._file, self._full(key) or "the file", value, remedy)

    def _compiled(self, key: str, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as error:
            raise self.wrong(key, pattern, f"it is no pattern: {error}") from error
        return pattern

    def _open(self, table: Table, path: str) -> "Sheet":
        sheet = Sheet(self._file, table, path)
        self._inner.append(sheet)
        return sheet

    def _full(self, key: str) -> str:
        return ".".join(part for part in (self._path, key) if part)

    def _take(self, key: str, default: Any) -> Any:
        self._taken.add(key)
        value = self._table.get(key, default)
        if value is None:
            raise StoryError(self._file, self._full(key), "missing", "add it")
        return value
