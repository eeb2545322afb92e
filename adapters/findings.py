"""What a check-up found: how bad it is, what was seen, and what to do about it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

SKEW_S = 60.0  # by which two clocks may differ


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


def of_clocks(area: str, whose: str, theirs: datetime | None, now: datetime) -> Finding:
    """Whether this machine's clock agrees with a platform's, which may not have told the time."""
    if theirs is None:
        return ok(area, f"{whose} did not say what time it is")
    seconds = (now - theirs).total_seconds()
    if abs(seconds) <= SKEW_S:
        return ok(area, f"the clock agrees with {whose}'s")
    way = "ahead of" if seconds > 0 else "behind"
    return warn(
        area,
        f"this machine's clock is {abs(seconds):.0f} s {way} {whose}'s",
        "switch on time synchronisation by NTP, for example 'timedatectl set-ntp true'",
    )
