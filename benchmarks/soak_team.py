"""Forty people in sixty chats and three zones, and what they do on each day of a month.

months/<language>.toml × squads × days, chatter, questions, promises, reminders ──► Deed … in order
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from adapters.chat import Address, Author, EventKind, File, Incoming, Room, RoomKind
from benchmarks.corpus import Corpus
from benchmarks.soak_town import PLATFORM
from bot.plays.month_script import FOLDER
from bot.plays.stage import DIRECT

START = date(2026, 11, 30)
"""A Monday; days are those of UTC, which end when nobody of the team is awake."""
PEOPLE = 40
CHATS = 60
ZONES = ("Asia/Shanghai", "Europe/Berlin", "America/New_York")
SQUADS = (("zh", 0), ("en", 0), ("zh", 1), ("en", 1), ("en", 2), ("en", 2))
"""The language and the zone of each."""
OPENS = 9.0  # o'clock
_WEEKEND = (5, 6)
_ASKED = {
    "en": "@Limen what do we know about the {thing}?",
    "zh": "@Limen {thing}现在是什么情况？",
}
_REMIND = {
    "en": "remind me tomorrow at 15:00 to look at the {thing}",
    "zh": "明天下午三点提醒我看一下{thing}",
}
_THANKS = {"en": "thanks, that helps", "zh": "谢谢，明白了"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """What a squad does on a working day, beside its matters; a weekend has a tenth of the talk."""

    chatter: int = 14
    questions: int = 2
    matters: int = 2
    reminders: int = 1
    files: int = 1
    edits: int = 1
    recalls: int = 1
    threads: int = 2
    hours: float = 8.5
    """Over which talk is spread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something somebody does."""

    at: datetime
    incoming: Incoming

    @property
    def said(self) -> bool:
        """Whether it is a message of its own."""
        return self.incoming.kind is EventKind.NEW


@dataclass(frozen=True, slots=True)
class Squad:
    """People of one language and zone, with five rooms of their own and five wider ones."""

    number: int
    language: str
    zone: ZoneInfo
    people: dict[str, Author]
    """By who they are in the month's script."""
    rooms: tuple[str, ...]


class Team:
    """Draws the days, one after the other; the same seed draws the same ones."""

    def __init__(self, habits: Habits, *, squads: int = len(SQUADS), seed: int = 11) -> None:
        self._habits = habits
        self._random = Random(seed)
        self._ids = count(1)
        self._things = count(1)
        self._talk = Corpus(seed).messages(1_000_000)
        self._months = {name: _month(name) for name, _ in SQUADS}
        self._squads = [self._squad(number) for number in range(squads)]
        self._later: dict[int, list[tuple[Squad, dict[str, Any], str, int]]] = {}
        """By working day: steps of matters that began before."""
        self._worked = 0

    def day(self, number: int) -> list[Deed]:
        """What is done on a day, in order."""
        today = START + timedelta(days=number)
        working = today.weekday() not in _WEEKEND
        deeds: list[Deed] = []
        for squad in self._squads:
            if working:
                deeds += self._working(squad, today)
            else:
                deeds += self._chatter(squad, today, max(1, self._habits.chatter // 10))
        if working:
            for squad, step, thing, serial in self._later.pop(self._worked, []):
                deeds.append(self._step(squad, step, thing, serial, today))
            self._worked += 1
        return sorted(deeds, key=lambda deed: deed.at)

    def _working(self, squad: Squad, today: date) -> Iterator[Deed]:
        habits, language = self._habits, squad.language
        yield from self._chatter(squad, today, habits.chatter)
        for _ in range(habits.matters):
            self._begin(squad)
        for _ in range(habits.questions):
            asked = _ASKED[language].format(thing=self._thing(squad))
            who, at = self._anybody(squad), self._moment(squad, today)
            room = self._random.choice((*squad.rooms, f"dm-{who.id}"))
            question = self._say(squad, who, room, asked, at)
            yield question
            reply = self._say(squad, who, room, _THANKS[language], at + timedelta(minutes=4))
            yield reply
        for _ in range(habits.reminders):
            who = self._anybody(squad)
            text = _REMIND[language].format(thing=self._thing(squad))
            yield self._say(squad, who, f"dm-{who.id}", text, self._moment(squad, today))
        for number in range(habits.files):
            said = self._talked(squad, today)
            file = File(id=f"f{said.incoming.address.message}", name=f"notes-{number}.txt")
            yield self._changed(said, files=(file,))
        yield from self._second_thoughts(squad, today)

    def _second_thoughts(self, squad: Squad, today: date) -> Iterator[Deed]:
        for _ in range(self._habits.threads):
            root = self._talked(squad, today)
            yield root
            answer = self._talked(squad, today, room=root.incoming.address.chat)
            thread = root.incoming.address.message
            at = root.at + timedelta(minutes=9)
            address = _address(root.incoming.address.chat, answer.incoming.address.message, thread)
            yield self._changed(answer, at=at, address=address)
        for _ in range(self._habits.edits):
            said = self._talked(squad, today)
            yield said
            at = said.at + timedelta(minutes=3)
            text = f"{said.incoming.text} ({next(self._things)})"
            yield self._changed(said, at=at, kind=EventKind.EDIT, text=text, version=2)
        for _ in range(self._habits.recalls):
            said = self._talked(squad, today)
            yield said
            at = said.at + timedelta(minutes=2)
            yield self._changed(said, at=at, kind=EventKind.RECALL, text="", version=2)

    def _begin(self, squad: Squad) -> None:
        """Set the steps of a matter on their days."""
        matter = self._random.choice(self._months[squad.language]["matters"])
        thing, serial = self._named(matter), next(self._things)
        for step in matter["steps"]:
            steps = self._later.setdefault(self._worked + step["day"], [])
            steps.append((squad, step, f"{thing} {serial}", serial))

    def _step(
        self, squad: Squad, step: dict[str, Any], thing: str, serial: int, today: date
    ) -> Deed:
        who = squad.people[step["who"]]
        names = dict(zip(_ROOMS, squad.rooms, strict=False))
        room = f"dm-{who.id}" if step["room"] == DIRECT else names[step["room"]]
        at = datetime.combine(today, step["at"], squad.zone).astimezone(UTC)
        jitter = timedelta(seconds=self._random.randrange(600))
        text = step["text"].format(thing=thing, n=1000 + serial)
        return self._say(squad, who, room, text, at + jitter)

    def _chatter(self, squad: Squad, today: date, number: int) -> Iterator[Deed]:
        for _ in range(number):
            yield self._talked(squad, today)

    def _talked(self, squad: Squad, today: date, room: str = "") -> Deed:
        at = self._moment(squad, today)
        place = room or self._random.choice(squad.rooms)
        return self._say(squad, self._anybody(squad), place, next(self._talk), at)

    def _say(self, squad: Squad, who: Author, room: str, text: str, at: datetime) -> Deed:
        direct = room.startswith("dm-")
        members = (who,) if direct else tuple(squad.people.values())
        incoming = Incoming(
            address=_address(room, f"m{next(self._ids)}"),
            kind=EventKind.NEW,
            author=who,
            room=Room(
                title=who.name if direct else room,
                kind=RoomKind.DIRECT if direct else RoomKind.GROUP,
                open=not direct and not room.startswith("people"),
                workspace=PLATFORM,
                members=members,
            ),
            text=text,
            at=at,
            addressed=direct or text.startswith("@Limen"),
        )
        return Deed(at=at, incoming=incoming)

    def _changed(self, deed: Deed, **changes: Any) -> Deed:
        changed = replace(deed.incoming, **changes)
        return Deed(at=changed.at, incoming=changed)

    def _anybody(self, squad: Squad) -> Author:
        return self._random.choice(list(squad.people.values()))

    def _moment(self, squad: Squad, today: date) -> datetime:
        hour = self._random.uniform(OPENS, OPENS + self._habits.hours)
        midnight = datetime.combine(today, time(0), squad.zone)
        return (midnight + timedelta(hours=hour)).astimezone(UTC)

    def _thing(self, squad: Squad) -> str:
        """Something that was spoken of lately, or will be."""
        matter = self._random.choice(self._months[squad.language]["matters"])
        return f"{self._named(matter)} {max(1, next(self._things) - 5)}"

    def _named(self, matter: dict[str, Any]) -> str:
        return str(self._random.choice(matter["things"]))

    def _squad(self, number: int) -> Squad:
        language, zone = SQUADS[number]
        each = PEOPLE // len(SQUADS)
        # forty people are six squads of six and seven
        size = each + (number < PEOPLE - each * len(SQUADS))
        parts = [str(one["id"]) for one in self._months[language]["people"]]
        people = {
            part: Author(id=f"u{number}-{n}", name=f"{part.capitalize()}{number}", zone=ZONES[zone])
            for n, part in enumerate([*parts, "extra"][:size])
        }
        own = CHATS // len(SQUADS)
        rooms = [f"{name}-{number}" for name in _ROOMS]
        rooms += [f"topic-{number}-{n}" for n in range(own - len(rooms))]
        return Squad(number, language, ZoneInfo(ZONES[zone]), people, tuple(rooms))


_ROOMS = ("general", "shop", "platform", "design", "people")


def _address(chat: str, message: str | None, thread: str | None = None) -> Address:
    return Address(platform=PLATFORM, account=PLATFORM, chat=chat, thread=thread, message=message)


def _month(language: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
