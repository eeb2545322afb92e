"""What a check-up found: how bad it is, what was seen, and what to do about it."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    """As it should be."""
    WARN = "warn"
    """Limen runs, though somebody should look."""
    FAIL = "fail"
    """Limen cannot run like this."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    level: Level
    area: str
    text: str
    remedy: str = ""


def ok(area: str, text: str) -> Finding:
    """All is well."""
    return Finding(Level.OK, area, text)


def warn(area: str, text: str, remedy: str) -> Finding:
    """Worth a look."""
    return Finding(Level.WARN, area, text, remedy)


def fail(area: str, text: str, remedy: str) -> Finding:
    """In the way."""
    return Finding(Level.FAIL, area, text, remedy)
