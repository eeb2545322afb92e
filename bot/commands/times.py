"""Spans and times of day as people write them in a command."""

import re
from datetime import UTC, datetime, time, timedelta, tzinfo

MORNING = time(9, 0)
"""What "until tomorrow" comes to."""
LONGEST = timedelta(days=366)
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "a": 1, "an": 1}
_DIGITS |= {word: number for number, word in enumerate(_WORDS, 1)}
_UNITS = {
    "m": "minutes", "min": "minutes", "mins": "minutes", "minute": "minutes", "minutes": "minutes",
    "分钟": "minutes", "分": "minutes",
    "h": "hours", "hr": "hours", "hrs": "hours", "hour": "hours", "hours": "hours",
    "小时": "hours", "钟头": "hours",
    "d": "days", "day": "days", "days": "days", "天": "days", "日": "days",
    "w": "weeks", "week": "weeks", "weeks": "weeks", "周": "weeks", "星期": "weeks",
}  # fmt: skip
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_NUMBER = rf"\d{{1,4}}(?:\.\d)?|an?\b|{'|'.join(_WORDS)}|[一二两三四五六七八九十]"
_PART = re.compile(
    rf"(?P<half>half an?|半)?\s*(?P<n>{_NUMBER})?\s*个?(?P<more>半)?\s*(?P<unit>{_UNIT})(?![a-z])"
)
_CLOCK = re.compile(
    r"(?P<h>\d{1,2})(?:(?::|：|点)(?P<m>\d{2})?(?:分)?)?\s*(?P<half>半)?\s*(?P<ap>am|pm)?"
)
_UNTIL = re.compile(r"(?:until|till|to|到|直到|至)\s*(?P<day>tomorrow|明天)?\s*(?P<clock>.*)")
_RANGE = re.compile(r"\s*(?:-|–|—|~|～|to|到|至)\s*")


def span(text: str) -> timedelta | None:
    """A length of time such as `2h`, `an hour` or `两小时`; None where it is none."""
    rest = re.sub(r"^for\s+", "", text.strip().casefold())
    total, found = timedelta(0), False
    while rest:
        part = _PART.match(rest)
        if part is None or not (part["n"] or part["half"]):
            return None
        total += timedelta(**{_UNITS[part["unit"]]: _count(part)})
        found, rest = True, rest[part.end() :].strip()
    return total if found and timedelta(0) < total <= LONGEST else None


def _count(part: re.Match[str]) -> float:
    if part["half"]:
        return 0.5
    written = part["n"]
    number = float(_DIGITS[written]) if written in _DIGITS else float(written)
    return number + 0.5 if part["more"] else number


def clock(text: str) -> time | None:
    """A time of day such as `18:00`, `6pm` or `18点半`; None where it is none."""
    found = _CLOCK.fullmatch(text.strip().casefold())
    if found is None:
        return None
    hour, minute = int(found["h"]), int(found["m"] or (30 if found["half"] else 0))
    if found["ap"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["ap"] == "pm" else 0)
    return time(hour % 24, minute) if hour <= 24 and minute < 60 else None


def end(text: str, *, now: datetime, zone: tzinfo) -> datetime | None:
    """When a span or an `until …` is over; None where it is neither."""
    if (length := span(text)) is not None:
        return now + length
    until = _UNTIL.fullmatch(text.strip().casefold())
    if until is None or not (until["day"] or until["clock"]):
        return None
    at = clock(until["clock"]) if until["clock"] else MORNING
    if at is None:
        return None
    local = now.astimezone(zone)
    day = local.date() + timedelta(days=1 if until["day"] else 0)
    today, tomorrow = (datetime.combine(one, at, zone) for one in (day, day + timedelta(days=1)))
    # A clock that is set back shows the same time twice: the first that is still to come.
    ends = (one.astimezone(UTC) for one in (today, today.replace(fold=1), tomorrow))
    return next((one.astimezone(now.tzinfo) for one in ends if one > now), None)


def hours(text: str) -> tuple[time, time] | None:
    """From and to, such as `22:00-08:00`; None where it is no such pair."""
    ends = _RANGE.split(text.strip().casefold())
    if len(ends) != 2:
        return None
    start, over = clock(ends[0]), clock(ends[1])
    return (start, over) if start is not None and over is not None and start != over else None
