"""The pieces a written time is put together from, and the days they may mean."""

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from enum import StrEnum

Days = Callable[[date], Iterator[date]]
"""The days that may be meant, nearest first, as seen from a day."""

_TRIES = 14  # months or years looked through for a day that not each of them has


class Part(StrEnum):
    """A part of the day."""

    DAWN = "dawn"
    MORNING = "morning"
    NOON = "noon"
    AFTERNOON = "afternoon"
    CLOSING = "closing"
    """The end of the working day."""
    EVENING = "evening"
    NIGHT = "night"
    MIDNIGHT = "midnight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A time of day as written."""

    hour: int
    minute: int = 0
    sure: bool = False
    """Whether it is of the 24 hours, so that three is not fifteen o'clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What words say about when, piece by piece."""

    span: timedelta | None = None
    months: int | None = None
    days: Days | None = None
    weekdays: tuple[int, ...] | None = None
    """0 is Monday."""
    month_day: int | None = None
    month: int | None = None
    nth: str | None = None
    """A day of the month as of APScheduler: `1st mon`, `last fri`, `last`."""
    clock: Clock | None = None
    part: Part | None = None
    every: tuple[int, str] | None = None
    until: Days | None = None
    lasting: timedelta | None = None
    start: Days | None = None

    def joined(self, other: "Said") -> "Said | None":
        """Both together; None when both say the same kind of thing."""
        given = {
            one.name: value
            for one in fields(other)
            if (value := getattr(other, one.name)) is not None
        }
        if any(getattr(self, name) is not None for name in given):
            return None
        return replace(self, **given)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A way to write a piece."""

    regex: re.Pattern[str]
    read: Callable[[re.Match[str]], Said | None]
    """None where it only looked like one."""


def pattern(regex: str, read: Callable[[re.Match[str]], Said | None]) -> Pattern:
    """A pattern that ignores case."""
    return Pattern(re.compile(regex, re.I), read)


def in_days(count: int) -> Days:
    """So many days on."""
    return lambda today: iter((today + timedelta(days=count),))


def weekday(day: int, *, weeks: int | None = None) -> Days:
    """The next such day, today too; or that of a week counted from this one."""

    def found(today: date) -> Iterator[date]:
        ahead = (day - today.weekday()) % 7
        if weeks is not None:
            ahead = day - today.weekday() + 7 * weeks
            yield today + timedelta(days=ahead)
        else:
            yield from (today + timedelta(days=ahead + 7 * later) for later in range(2))

    return found


def month_day(day: int, *, months: int | None = None) -> Days:
    """A day of this or a coming month; or of just that month, counted from this one."""

    def found(today: date) -> Iterator[date]:
        for ahead in range(_TRIES) if months is None else (months,):
            first = _month(today, ahead)
            if day <= calendar.monthrange(first.year, first.month)[1]:
                yield first.replace(day=day)

    return found


def year_day(month: int, day: int, year: int | None = None) -> Days:
    """A date of this or a coming year, or of just that year."""

    def found(today: date) -> Iterator[date]:
        for one in range(today.year, today.year + _TRIES) if year is None else (year,):
            if 1 <= month <= 12 and 1 <= day <= calendar.monthrange(one, month)[1]:
                yield date(one, month, day)

    return found


def month_end(*, months: int | None = None) -> Days:
    """The last day of this or the next month, or of one counted from this one."""

    def found(today: date) -> Iterator[date]:
        for ahead in (0, 1) if months is None else (months,):
            yield _month(today, ahead + 1) - timedelta(days=1)

    return found


def nth_day(nth: str, *, months: int | None = None) -> Days:
    """Such as the first Monday of this or a coming month."""
    which, _, name = nth.partition(" ")

    def found(today: date) -> Iterator[date]:
        for ahead in range(_TRIES) if months is None else (months,):
            first = _month(today, ahead)
            last = calendar.monthrange(first.year, first.month)[1]
            days = [first.replace(day=one) for one in range(1, last + 1)]
            if name:
                days = [one for one in days if one.weekday() == WEEKDAYS.index(name)]
            index = -1 if which == "last" else int(which[0]) - 1
            if index < len(days):
                yield days[index]

    return found


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def ordinal(number: int) -> str:
    """As APScheduler writes it; 0 is the last."""
    return {0: "last", 1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


def _month(today: date, ahead: int) -> date:
    """The first of a month counted from this one."""
    months = today.year * 12 + today.month - 1 + ahead
    return date(months // 12, months % 12 + 1, 1)
