"""The script of a month: who says what on which working day, from `months/<language>.toml`.

matters × their things, chatter, reminders ──► Line … in order of time
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from adapters.web.rooms import Access, PersonSeed, RoomSeed
from bot.plays.stage import DIRECT

FOLDER = Path(__file__).parent / "months"
OPENS, CLOSES = time(9, 0), time(17, 30)
"""The team's working hours, over which chatter is spread."""
_WEEKEND = (5, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something somebody says."""

    at: datetime
    who: str
    room: str
    text: str
    matter: str = ""
    """What it belongs to; empty for chatter."""
    settles: bool = False
    """With it the matter is over: nobody needs to hear of it any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A reminder somebody asked for, and the minute it has to come."""

    who: str
    says: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A whole month."""

    start: datetime
    end: datetime
    zone: ZoneInfo
    quiet_hours: str
    people: tuple[PersonSeed, ...]
    zones: dict[str, ZoneInfo]
    """Where each person lives."""
    rooms: tuple[RoomSeed, ...]
    lines: tuple[Line, ...]
    due: tuple[Due, ...]


def load(language: str, *, days: int) -> Script:
    """The first working days of the month in a language."""
    data = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    calendar = _working_days(data["start"], days)
    zone = ZoneInfo(data["zone"])
    zones = {one["id"]: ZoneInfo(one["zone"]) for one in data["people"]}
    reminders = [one for one in data["reminders"] if one["day"] < days]
    lines = [
        *_wishes(data, calendar[0], zone),
        *_matters(data["matters"], calendar, zone),
        *_chatter(data["chatter"], calendar, zone),
        *(_said(one, calendar[one["day"]], zones[one["who"]]) for one in reminders),
    ]
    return Script(
        start=_at(calendar[0], time(7, 0), zone),
        end=_at(calendar[-1] + timedelta(days=1), time(12, 0), zone),
        zone=zone,
        quiet_hours=data["quiet_hours"],
        people=tuple(PersonSeed(id=one["id"], name=one["name"]) for one in data["people"]),
        zones=zones,
        rooms=tuple(map(_room, data["rooms"])),
        lines=tuple(sorted(lines, key=lambda line: line.at)),
        due=tuple(_due(reminders, calendar, zone, zones)),
    )


def _room(row: dict[str, Any]) -> RoomSeed:
    access = Access.PRIVATE if row.get("private") else Access.OPEN
    return RoomSeed(id=row["id"], title=row["title"], access=access, members=tuple(row["members"]))


def _wishes(data: dict[str, Any], day: date, zone: ZoneInfo) -> Iterator[Line]:
    """On the first morning everybody says where they live."""
    for minute, one in enumerate(data["people"]):
        text = data["zone_wish"].format(zone=one["zone"])
        yield Line(at=_at(day, time(8, minute), zone), who=one["id"], room=DIRECT, text=text)


def _matters(matters: list[dict[str, Any]], calendar: list[date], zone: ZoneInfo) -> Iterator[Line]:
    for matter in matters:
        for number, thing in enumerate(matter["things"]):
            first = matter["first"] + number * matter["every"]
            for step in matter["steps"]:
                if first + step["day"] >= len(calendar):
                    break
                day = calendar[first + step["day"]]
                yield Line(
                    at=_at(day, step["at"], zone),
                    who=step["who"],
                    room=step["room"],
                    text=step["text"].format(thing=thing, n=10 + number),
                    matter=f"{matter['kind']}: {thing}",
                    settles=step.get("settles", False),
                )


def _chatter(chatter: dict[str, Any], calendar: list[date], zone: ZoneInfo) -> Iterator[Line]:
    each, lines, turn = chatter["each_day"], chatter["lines"], count()
    for day in calendar:
        opens, closes = _at(day, OPENS, zone), _at(day, CLOSES, zone)
        for number in range(each):
            one = lines[next(turn) % len(lines)]
            at = opens + (closes - opens) * number / each
            yield Line(at=at, who=one["who"], room=one["room"], text=one["text"])


def _said(reminder: dict[str, Any], day: date, zone: ZoneInfo) -> Line:
    at = _at(day, reminder["at"], zone)
    return Line(at=at, who=reminder["who"], room=DIRECT, text=reminder["text"])


def _due(
    reminders: list[dict[str, Any]],
    calendar: list[date],
    zone: ZoneInfo,
    zones: dict[str, ZoneInfo],
) -> Iterator[Due]:
    for one in reminders:
        for turn in one["due"]:
            if turn["day"] < len(calendar):
                at = _at(calendar[turn["day"]], turn["at"], zones[one["who"]])
                yield Due(who=one["who"], says=one["says"], at=at)


def _working_days(start: date, days: int) -> list[date]:
    found = (start + timedelta(days=number) for number in count())
    working = (day for day in found if day.weekday() not in _WEEKEND)
    return [next(working) for _ in range(days)]


def _at(day: date, at: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, at, zone).astimezone(UTC)
