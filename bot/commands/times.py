"""Spans and times of day as people write them in a command."""

import re
from datetime import UTC, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from agency import whens
from agency.spans import LONGEST, clock, span

MORNING = time(9, 0)
"""What "until tomorrow" comes to."""
_UNTIL = re.compile(r"(?:until|till|to|到|直到|至)\s*(?P<day>tomorrow|明天)?\s*(?P<clock>.*)")
_LEAD = re.compile(r"(?:until|till|to|到|直到|至)\s*", re.I)
_BEFORE = re.compile(r"(?:之前|以前|为止)$")
_ANY = datetime(2000, 1, 1, tzinfo=UTC)
_RANGE = re.compile(r"\s*(?:-|–|—|~|～|to|到|至)\s*")


def end(text: str, *, now: datetime, zone: tzinfo) -> datetime | None:
    """When a span or an `until …` is over; None where it is neither."""
    if (length := span(text)) is not None:
        return now + length
    until = _UNTIL.fullmatch(text.strip().casefold())
    if until is None or not (until["day"] or until["clock"]):
        return None
    at = clock(until["clock"]) if until["clock"] else MORNING
    if at is None:
        return _on_a_day(text, now, zone)
    local = now.astimezone(zone)
    day = local.date() + timedelta(days=1 if until["day"] else 0)
    today, tomorrow = (datetime.combine(one, at, zone) for one in (day, day + timedelta(days=1)))
    # A clock that is set back shows the same time twice: the first that is still to come.
    ends = (one.astimezone(UTC) for one in (today, today.replace(fold=1), tomorrow))
    return next((one.astimezone(now.tzinfo) for one in ends if one > now), None)


def names_end(text: str) -> bool:
    """Whether words are an end, whatever today is."""
    if end(text, now=_ANY, zone=UTC) is not None:
        return True
    if not _LEAD.match(text.strip()):
        return False
    try:
        return not whens.read(_day(text), now=_ANY, zone=ZoneInfo("UTC")).grid.recurs
    except whens.Unclear as unclear:
        return unclear.trouble in (whens.Trouble.FAR, whens.Trouble.PAST, whens.Trouble.HOUR)


def _day(text: str) -> str:
    return _BEFORE.sub("", _LEAD.sub("", text.strip(), count=1))


def _on_a_day(text: str, now: datetime, zone: tzinfo) -> datetime | None:
    """When an `until Monday` or `到12月4日` is over: that morning, or the time it names."""
    if not isinstance(zone, ZoneInfo):
        zone = ZoneInfo("UTC")
    try:
        found = whens.read(_day(text), now=now, zone=zone)
    except whens.Unclear:
        return None
    if found.grid.recurs or not now < found.first <= now + LONGEST:
        return None
    return found.first.astimezone(now.tzinfo)


def hours(text: str) -> tuple[time, time] | None:
    """From and to, such as `22:00-08:00`; None where it is no such pair."""
    ends = _RANGE.split(text.strip().casefold())
    if len(ends) != 2:
        return None
    start, over = clock(ends[0]), clock(ends[1])
    return (start, over) if start is not None and over is not None and start != over else None
