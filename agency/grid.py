"""The turns of a schedule: when it is next due, and which turns passed meanwhile.

A grid is laid on the wall clock of its zone, so that nine o'clock stays nine o'clock when the
clocks change. What falls into a skipped hour is due at the first moment that exists again; an hour
that comes twice has its turns in the first pass only. Steps of minutes and hours are real time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, Protocol, Self
from zoneinfo import ZoneInfo

MOST_TURNS = 10_000
"""How many missed turns are counted one by one; a bot that was away so long need not know more."""
_LEAP = timedelta(days=2)  # more than any zone ever moved its clocks
_SECOND = timedelta(seconds=1)
_UNITS = {"minutes": 60, "hours": 3600, "days": 86400, "weeks": 604800}
_REAL = frozenset({"minutes", "hours"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """When something is due: once, by the calendar (`cron`), or in equal steps (`every`)."""

    zone: str
    """The IANA name of the zone whose wall clock it follows."""
    start: datetime
    """The first moment that may be a turn, as the wall clock shows it: naive. Steps count from it,
    and something that is due once is due then."""
    cron: Mapping[str, str] = field(default_factory=dict)
    """Fields as of APScheduler's CronTrigger, such as {"day": "1st mon", "hour": "9"}."""
    every: tuple[int, str] | None = None
    """A step, such as (2, "weeks")."""
    until: datetime | None = None
    """The last moment that may be a turn, on the wall clock."""

    def __post_init__(self) -> None:
        if self.start.tzinfo is not None or (self.until and self.until.tzinfo is not None):
            raise ValueError("a grid's start and until are read off the wall clock: naive")
        if self.cron and self.every:
            raise ValueError("a grid has either cron fields or a step")
        if self.every and (self.every[0] < 1 or self.every[1] not in _UNITS):
            raise ValueError(f"a step is a number from 1 and one of {', '.join(_UNITS)}")

    @property
    def recurs(self) -> bool:
        """Whether it may be due more than once."""
        return bool(self.cron) or self.every is not None

    def as_data(self) -> dict[str, Any]:
        """What `from_data` reads: plain values for JSON."""
        return {
            "zone": self.zone,
            "start": self.start.isoformat(),
            "cron": dict(self.cron),
            "every": list(self.every) if self.every else None,
            "until": self.until.isoformat() if self.until else None,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """A stored grid."""
        every = data["every"]
        return cls(
            zone=data["zone"],
            start=datetime.fromisoformat(data["start"]),
            cron=data["cron"],
            every=(int(every[0]), str(every[1])) if every else None,
            until=datetime.fromisoformat(data["until"]) if data["until"] else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """The turns between two moments."""

    count: int
    last: datetime | None
    """The latest of them; None when there is none."""


class _Trigger(Protocol):
    def get_next_fire_time(
        self, previous_fire_time: datetime | None, now: datetime
    ) -> datetime | None: ...


def next_turn(grid: Grid, after: datetime) -> datetime | None:
    """The first turn later than a moment, in UTC; None when there is none any more."""
    return next(turns(grid, after), None)


def missed(grid: Grid, after: datetime, upto: datetime) -> Missed:
    """The turns later than `after` and not later than `upto`."""
    count, last = 0, None
    for turn in turns(grid, after):
        if turn > upto or count >= MOST_TURNS:
            break
        count, last = count + 1, turn
    return Missed(count=count, last=last)


def turns(grid: Grid, after: datetime) -> Iterator[datetime]:
    """Every turn later than a moment, in order and in UTC."""
    zone = ZoneInfo(grid.zone)
    over = instant(grid.until, zone) if grid.until else None
    told = after
    for moment in _moments(grid, zone, after):
        if over is not None and moment > over:
            return
        if moment > told:  # two turns may fall together where the clock was moved
            yield moment
            told = moment


def next_daily(after: datetime, at: time, zone: tzinfo) -> datetime:
    """The first moment later than `after` at which the zone's clock shows `at`, in UTC."""
    day = after.astimezone(zone).date() - timedelta(days=1)
    while True:
        moment = on_day(day, at, zone)
        if moment > after:
            return moment
        day += timedelta(days=1)


def on_day(day: date, at: time, zone: tzinfo) -> datetime:
    """A time of a day in a zone as a moment, in UTC."""
    return instant(datetime.combine(day, at.replace(tzinfo=None, fold=0)), zone)


def instant(wall: datetime, zone: tzinfo) -> datetime:
    """What the wall clock shows as a moment, in UTC; the end of the gap when it is skipped."""
    late = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if late.astimezone(zone).replace(tzinfo=None, fold=0) == wall.replace(fold=0):
        return late
    early, after = wall.replace(tzinfo=zone, fold=1).astimezone(UTC), late.astimezone(zone)
    while late - early > _SECOND:
        middle = early + (late - early) // 2
        moved = middle.astimezone(zone).utcoffset() == after.utcoffset()
        early, late = (early, middle) if moved else (middle, late)
    return late.replace(microsecond=0)


def _moments(grid: Grid, zone: tzinfo, after: datetime) -> Iterator[datetime]:
    first = instant(grid.start, zone)
    if not grid.recurs:
        yield first
    elif grid.every and grid.every[1] in _REAL:
        yield from _fires(_stepping(grid.every, first), after)
    else:
        # The wall clock is given to the trigger as if it were UTC, which knows no changes.
        start = grid.start.replace(tzinfo=UTC)
        trigger = _stepping(grid.every, start) if grid.every else _calendar(grid.cron, start)
        shown = after.astimezone(zone).replace(tzinfo=UTC) - _LEAP
        for wall in _fires(trigger, max(shown, start - _LEAP)):
            yield instant(wall.replace(tzinfo=None), zone)


def _fires(trigger: _Trigger, after: datetime) -> Iterator[datetime]:
    moment = after
    while True:
        found = trigger.get_next_fire_time(None, moment)
        if found is None:
            return
        yield found
        moment = found + _SECOND


def _calendar(fields: Mapping[str, str], start: datetime) -> _Trigger:
    from apscheduler.triggers.cron import CronTrigger

    trigger: _Trigger = CronTrigger(**fields, start_date=start, timezone=UTC)
    return trigger


def _stepping(every: tuple[int, str] | None, start: datetime) -> _Trigger:
    from apscheduler.triggers.interval import IntervalTrigger

    number, unit = every or (1, "days")
    seconds = number * _UNITS[unit]
    trigger: _Trigger = IntervalTrigger(seconds=seconds, start_date=start, timezone=UTC)
    return trigger
