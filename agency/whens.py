"""When something shall be, as people ask for it in English and Chinese, made a grid of turns.

words ─► pieces (`whens_en`, `whens_zh`) ─► joined where they stand together ─► the next fit time

`moments` finds dates in talk, to judge by; this reads an instruction, and says what it cannot read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Literal
from zoneinfo import ZoneInfo

from agency import grid, spans, whens_en, whens_zh
from agency.grid import Grid
from agency.when_parts import WEEKDAYS, Days, Part, Said

LONGEST = 300  # signs that are read; no time is longer
FARTHEST = timedelta(days=5 * 366)
OFTENEST = timedelta(minutes=5)
MORNING = time(9, 0)
"""A day without a time."""
_TODAY = (time(9, 0), time(17, 0))  # "today" without a time: the next of these
_WAKING = (7, 22)
_USUAL = {
    Part.DAWN: time(5, 0), Part.MORNING: MORNING, Part.NOON: time(12, 0),
    Part.AFTERNOON: time(15, 0), Part.CLOSING: time(17, 30), Part.EVENING: time(19, 0),
    Part.NIGHT: time(21, 0),
}  # fmt: skip
_LANGUAGES = (whens_en, whens_zh)


class Trouble(StrEnum):
    """Why words are no time that something can be set for."""

    NOTHING = "nothing"
    """They name no time."""
    UNKNOWN = "unknown"
    """Some of them are not understood."""
    PAST = "past"
    """The time is over."""
    HOUR = "hour"
    """The day is known, and its usual hour is over."""
    NEVER = "never"
    """There is no such day."""
    FAR = "far"
    """It is too long until then."""
    OFTEN = "often"
    """It would be too often."""


class Unclear(ValueError):
    """Words that are no time to set something for."""

    def __init__(self, trouble: Trouble, words: str) -> None:
        super().__init__(_SAYS[trouble].format(words=words))
        self.trouble = trouble
        self.words = words


_SAYS = {
    Trouble.NOTHING: "{words!r} names no time; write it like 'Friday at 15:00' or '周五下午三点'",
    Trouble.UNKNOWN: "{words!r} was not understood as part of a time",
    Trouble.PAST: "{words!r} is over already",
    Trouble.HOUR: "{words!r} needs a time of day; its usual hours are over",
    Trouble.NEVER: "there is no such day as {words!r}",
    Trouble.FAR: "{words!r} is more than five years from now",
    Trouble.OFTEN: "{words!r} is too often; every 5 minutes is the most",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A time that was understood."""

    text: str
    start: int
    end: int
    """Where the words stand in the text that was read."""
    grid: Grid
    first: datetime
    """Its first turn, in UTC."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Pieces that stand together."""

    start: int
    end: int
    said: Said


def read(text: str, *, now: datetime, zone: ZoneInfo) -> When:
    """What words say as a whole; Unclear names what was not understood."""
    words = text.strip()[:LONGEST]
    runs = list(_runs(words)) or list(_bare(words))
    if not runs:
        raise Unclear(Trouble.NOTHING, words)
    best = max(runs, key=lambda run: run.end - run.start)
    rest = _leftover(words[: best.start]) or _leftover(words[best.end :])
    if rest:
        raise Unclear(Trouble.UNKNOWN, rest)
    return _resolve(words, best, now, zone)


def find(text: str, *, now: datetime, zone: ZoneInfo) -> When | None:
    """The time a sentence asks something for; None when it names none. Unclear as `read`."""
    runs = list(_runs(text[:LONGEST]))
    if not runs:
        return None
    best = max(runs, key=lambda run: _weight(text, run))
    return _resolve(text, best, now, zone)


def _weight(text: str, run: _Run) -> tuple[float, int]:
    said = run.said
    clear = said.clock is not None or said.span is not None
    weight = 2.0 * clear + 1.0 * (said.every is not None)
    weight += 1.5 * (not text[run.end :].strip(" .,!?。，！？")) + 4.0 * (run.start < 2)
    return weight, -run.start


def _runs(text: str) -> Iterator[_Run]:
    current: _Run | None = None
    aim, begun, position = "", 0, 0
    while position < len(text):
        recurs = current is not None and current.said.every is not None
        marker, length = _marker(text, position, recurs)
        if length:
            begun = position if not aim else begun
            aim, position = marker, position + length
            continue
        piece = _piece(text, position)
        if piece is None:
            aim, position = "", position + 1
            continue
        said, end = piece
        aimed = _aimed(said, aim)
        start = begun if aimed is not said else _led(text, position)
        said = aimed
        joined = current.said.joined(said) if current else None
        if current and joined and _glued(text[current.end : start]):
            current = _Run(current.start, end, joined)
        else:
            if current:
                yield _closed(text, current)
            current = _Run(start, end, said)
        aim, position = "", end
    if current:
        yield _closed(text, current)


def _marker(text: str, at: int, recurs: bool) -> tuple[Literal["", "until", "start"], int]:
    for language in _LANGUAGES:
        until, start = language.UNTIL.match(text, at), language.START.match(text, at)
        if recurs and until is None:
            until = language.UNTIL_AGAIN.match(text, at)
        if until and _piece(text, until.end()):
            return "until", until.end() - at
        if start and _piece(text, start.end()):
            return "start", start.end() - at
    return "", 0


def _piece(text: str, position: int) -> tuple[Said, int] | None:
    best: tuple[Said, int] | None = None
    for language in _LANGUAGES:
        for one in language.PATTERNS:
            found = one.regex.match(text, position)
            if found is None or (best and found.end() <= best[1]) or not found.group():
                continue
            said = one.read(found)
            if said is not None:
                best = said, found.end()
    return best


def _aimed(said: Said, aim: str) -> Said:
    if aim == "until" and said.days:
        return Said(until=said.days)
    if aim == "start" and said.days:
        return Said(start=said.days)
    return said


def _led(text: str, position: int) -> int:
    """Where the small words before a piece begin."""
    before = text[:position]
    for language in _LANGUAGES:
        found = language.BEFORE.search(before)
        if found:
            start: int = found.start()
            return start
    return position


def _closed(text: str, run: _Run) -> _Run:
    """With the small words behind it that belong to it."""
    after = re.match(r"(?:的时候|为止|开始|起|时)", text[run.end :])
    return _Run(run.start, run.end + len(after.group()), run.said) if after else run


def _glued(between: str) -> bool:
    return len(between) <= 12 and any(one.GLUE.fullmatch(between) for one in _LANGUAGES)


def _bare(words: str) -> Iterator[_Run]:
    for language in _LANGUAGES:
        found = language.NUMBER.fullmatch(_leftover(words))
        said = language.bare_number(found) if found else None
        if said:
            yield _Run(0, len(words), said)
            return
    length = spans.span(words)
    if length:
        yield _Run(0, len(words), Said(span=length))


def _leftover(words: str) -> str:
    rest = words
    for language in _LANGUAGES:
        rest = language.FILLER.sub(" ", rest)
    return " ".join(rest.split())


def _resolve(text: str, run: _Run, now: datetime, zone: ZoneInfo) -> When:
    words = text[run.start : run.end].strip()
    local = now.astimezone(zone)
    said = run.said
    if said.every is not None:
        made = _recurring(said, local, zone, words)
    elif said.until or said.lasting or said.start:
        made = _recurring(_daily(said, words), local, zone, words)
    elif said.span or said.months:
        made = _after(said, now, local, zone)
    else:
        made = _once(said, local, zone, words)
    first = grid.next_turn(made, now)
    if first is None:
        raise Unclear(Trouble.PAST, words)
    if first - now > FARTHEST:
        raise Unclear(Trouble.FAR, words)
    return When(text=words, start=run.start, end=run.end, grid=made, first=first)


def _daily(said: Said, words: str) -> Said:
    """An end or a beginning alone: once on that day, or every day as long as it lasts."""
    if said.until or said.lasting:
        if said.days or said.span:
            raise Unclear(Trouble.UNKNOWN, words)
        return replace(said, every=(1, "days"))
    raise Unclear(Trouble.UNKNOWN, words)


def _after(said: Said, now: datetime, local: datetime, zone: ZoneInfo) -> Grid:
    if said.span and said.span % timedelta(days=1):
        due = (now + said.span).astimezone(UTC).replace(tzinfo=None, microsecond=0)
        return Grid(zone="UTC", start=due)
    wall = local.replace(tzinfo=None, microsecond=0)
    if said.months:
        months = wall.year * 12 + wall.month - 1 + said.months
        day = min(wall.day, 28)
        wall = wall.replace(year=months // 12, month=months % 12 + 1, day=day)
    elif said.span:
        wall += said.span
    if said.clock or said.part:
        at, shift = _times(said)[0]
        wall = datetime.combine(wall.date() + timedelta(days=shift), at)
    return Grid(zone=zone.key, start=wall)


def _once(said: Said, local: datetime, zone: ZoneInfo, words: str) -> Grid:
    today = local.date()
    days = said.days or (lambda day: iter((day, day + timedelta(days=1))))
    over = False
    for day in days(today):
        open_hour = day == today or said.days is None
        for at, shift in _hours(said, open_hour=open_hour, today=day == today):
            wall = datetime.combine(day + timedelta(days=shift), at)
            if grid.instant(wall, zone) > local:
                return Grid(zone=zone.key, start=wall)
        over = True
    if not over:
        raise Unclear(Trouble.NEVER, words)
    bare = said.clock is None and said.part is None
    is_today = next(iter(days(today)), None) == today
    raise Unclear(Trouble.HOUR if bare and is_today else Trouble.PAST, words)


def _hours(said: Said, *, open_hour: bool, today: bool) -> list[tuple[time, int]]:
    if said.clock is None and said.part is None and said.weekdays is None and today:
        return [(at, 0) for at in _TODAY]
    times = _times(said)
    return times if open_hour else times[:1]


def _times(said: Said) -> list[tuple[time, int]]:
    """The times of day that may be meant, each with the days it comes later."""
    clock, part = said.clock, said.part
    if clock is None:
        if part is Part.MIDNIGHT:
            return [(time(0, 0), 1)]
        return [(_USUAL[part] if part else MORNING, 0)]
    hour, minute = clock.hour, clock.minute
    if hour == 24:
        return [(time(0, minute), 1)]
    if clock.sure or hour > 12 or hour == 0:
        return [(time(hour, minute), 0)]
    return [(time(one % 24, minute), one // 24) for one in _meant(hour, part)]


def _meant(hour: int, part: Part | None) -> list[int]:
    """Hours of the 24, those from 24 on being of the next day."""
    match part:
        case Part.DAWN:
            return [hour % 12]
        case Part.MORNING:
            return [hour]
        case Part.NOON:
            return [hour if hour > 10 else hour + 12]
        case Part.AFTERNOON | Part.CLOSING:
            return [hour if hour == 12 else hour + 12]
        case Part.EVENING | Part.NIGHT | Part.MIDNIGHT:
            return [hour + (24 if hour < 5 else 12)]
    if hour == 12:
        return [12]
    if hour < _WAKING[0]:
        return [hour + 12]
    return [hour, hour + 12] if hour + 12 <= _WAKING[1] else [hour]


def _recurring(said: Said, local: datetime, zone: ZoneInfo, words: str) -> Grid:
    count, unit = said.every or (1, "days")
    if unit in ("minutes", "hours"):
        return _steps(count, unit, said, local, zone, words)
    at, _ = _times(said)[0]
    begins = _first_day(said.start, local.date(), words)
    start = datetime.combine(begins, time(0, 0)) if begins else _wall(local)
    until = _ending(said, start, words)
    if unit in ("months", "years"):
        cron = _by_month(said, count, unit, start.date(), words)
    elif unit == "weeks" and count == 1:
        days = said.weekdays or (start.weekday(),)
        cron = {"day_of_week": ",".join(WEEKDAYS[day] for day in days)}
    elif count == 1:
        cron = {"day": "*"}
    else:
        return _apart(said, count, unit, at, start, until, zone)
    cron |= {"hour": str(at.hour), "minute": str(at.minute)}
    return Grid(zone=zone.key, start=start, cron=cron, until=until)


def _apart(
    said: Said, count: int, unit: str, at: time, start: datetime,
    until: datetime | None, zone: ZoneInfo,
) -> Grid:  # fmt: skip
    """Every so many days or weeks, counted from the first such day to come."""
    candidates = said.days(start.date()) if said.days else _from(start.date())
    moments = (datetime.combine(day, at) for day in candidates)
    first = next(moment for moment in moments if moment > start)
    return Grid(zone=zone.key, start=first, every=(count, unit), until=until)


def _from(day: date) -> Iterator[date]:
    while True:
        yield day
        day += timedelta(days=1)


def _steps(
    count: int, unit: str, said: Said, local: datetime, zone: ZoneInfo, words: str
) -> Grid:  # fmt: skip
    step = timedelta(**{unit: count})
    if step < OFTENEST:
        raise Unclear(Trouble.OFTEN, words)
    until = _ending(said, _wall(local), words)
    if until is not None:
        until = grid.instant(until, zone).replace(tzinfo=None)
    first = (local + step).astimezone(UTC).replace(tzinfo=None, microsecond=0)
    return Grid(zone="UTC", start=first, every=(count, unit), until=until)


def _by_month(said: Said, count: int, unit: str, day: date, words: str) -> dict[str, str]:
    if unit == "years":
        month, number = said.month or day.month, said.month_day or day.day
        return {"month": str(month), "day": str(number)}
    which = said.nth or _month_day(said.month_day or day.day)
    if count == 1:
        return {"day": which}
    if count > 12 or 12 % count:
        raise Unclear(Trouble.UNKNOWN, words)
    first = (said.days or _from)(day)
    month = next(iter(first)).month
    months = sorted((month - 1 + step) % 12 + 1 for step in range(0, 12, count))
    return {"month": ",".join(map(str, months)), "day": which}


def _month_day(day: int) -> str:
    """The 31st is the last day: a month without one is not left out."""
    return "last" if day == 31 else str(day)


def _first_day(days: Days | None, today: date, words: str) -> date | None:
    if days is None:
        return None
    found = next((day for day in days(today) if day >= today), None)
    if found is None:
        raise Unclear(Trouble.PAST, words)
    return found


def _ending(said: Said, start: datetime, words: str) -> datetime | None:
    if said.lasting:
        return start + said.lasting
    last = _first_day(said.until, start.date(), words)
    return datetime.combine(last, time(23, 59)) if last else None


def _wall(local: datetime) -> datetime:
    return local.replace(tzinfo=None, microsecond=0)


def hour_of(text: str) -> time | None:
    """The time of day in words that name nothing else, such as "four" or "下午四点"."""
    runs = list(_runs(text)) or list(_bare(text))
    if len(runs) != 1 or runs[0].said.clock is None:
        return None
    said = runs[0].said
    alone = said == Said(clock=said.clock, part=said.part)
    return _times(said)[0][0] if alone else None


def retimed(kept: Grid, at: time, found: When, *, now: datetime, zone: ZoneInfo) -> Grid:
    """A grid at another time of day, its day or rule as it was; `found` if that is over."""
    if kept.cron:
        fields = dict(kept.cron) | {"hour": str(at.hour), "minute": str(at.minute)}
        return replace(kept, cron=fields)
    if kept.every is not None and kept.zone == "UTC":
        return found.grid  # a step of minutes or hours has no time of day
    shown = grid.instant(kept.start, ZoneInfo(kept.zone)).astimezone(zone)
    moved = datetime.combine(shown.date(), at)
    if kept.every is None and grid.instant(moved, zone) <= now:
        return found.grid
    return replace(kept, zone=zone.key, start=moved)
