"""How people name a question: `a3` for an approval, `c3` for a consent."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_MARK = re.compile(r"(?P<kind>[ac])(?P<id>\d{1,18})(?P<rest>.*)")


@dataclass(frozen=True, slots=True)
class Mark:
    """A question's id, and the words behind it."""

    kind: str
    id: int
    rest: str

    def __str__(self) -> str:
        return f"{self.kind}{self.id}"


def read(argument: str) -> Mark | None:
    """The question that words begin with, or None."""
    found = _MARK.fullmatch(argument.strip().casefold())
    return Mark(found["kind"], int(found["id"]), found["rest"].strip()) if found else None


def names_one(argument: str, *, more: Iterable[str] = ()) -> bool:
    """Whether words are such an id alone, or with one of `more` behind it."""
    mark = read(argument)
    return mark is not None and mark.rest in ("", *more)
