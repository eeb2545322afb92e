"""Stories: who says what in which room, and what the bot must make of it; read from TOML.

stories/NAME.LANGUAGE.toml ──► Sheet (checks every key) ──► Story
"""

import tomllib
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from zoneinfo import ZoneInfo

from adapters.web.rooms import Access, PersonSeed, RoomSeed
from bot.errors import LimenError, StoryError
from bot.plays.sheet import Sheet
from bot.setup import zones

FOLDER = Path(__file__).parent / "stories"
LANGUAGES = ("en", "zh")
ORDER = (
    "release-path",
    "stale-wait",
    "owner-routing",
    "risk",
    "two-rooms",
    "meeting-notes",
    "already-known",
    "settled-meanwhile",
    "private-matter",
)
"""In which the shipped stories are told; others follow by name."""
DIRECT = "dm:"  # before a person's id: the direct chat of that person and the bot
PAUSE = timedelta(seconds=30)  # between two beats that say nothing else


class Act(StrEnum):
    """What happens in a beat."""

    SAY = "say"
    """Somebody posts."""
    EDIT = "edit"
    """Somebody changes what they said."""
    RECALL = "recall"
    """Somebody takes it back."""
    PRESS = "press"
    """Somebody answers the bot's question by its button."""
    WAIT = "wait"
    """Time passes."""


_TOLD_BY = {
    "edits": Act.EDIT,
    "recalls": Act.RECALL,
    "press": Act.PRESS,
    "wait": Act.WAIT,
    "text": Act.SAY,
}
"""The key that tells what a beat is; an edit has a text as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """One thing that happens."""

    act: Act
    pause: timedelta
    """How long after the beat before it."""
    name: str = ""
    """What expectations and later beats call it; may be empty."""
    who: str = ""
    """A person's id; empty for WAIT."""
    room: str = ""
    """A room's id, or `dm:` and a person's id."""
    text: str = ""
    of: str = ""
    """The beat that is edited, recalled or replied to."""
    yes: bool = False
    """Which button, for PRESS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """Words the bot must say in one room."""

    room: str
    after: str
    """The beat after which; empty means from the beginning."""
    says: tuple[str, ...]
    """Patterns that must all be found; `|` parts alternatives."""
    without: tuple[str, ...] = ()
    """Patterns that must not be found."""
    why: tuple[str, ...] = ()
    """Beats whose messages the why-chain must lead back to."""
    within: timedelta | None = None
    """How soon after the beat; None means at any time."""
    messages: int = 1
    """In how many messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """Words that must not reach anybody who is not in the room they were said in."""

    text: str
    """A pattern."""
    room: str
    until: str = ""
    """The beat that sets them free, by consent; empty means never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A story in one language."""

    name: str
    language: str
    title: str
    about: str
    start: datetime
    """Aware, in the story's zone."""
    people: tuple[PersonSeed, ...]
    rooms: tuple[RoomSeed, ...]
    beats: tuple[Beat, ...]
    told: tuple[Heard, ...] = ()
    """Unasked messages; a room without any must hear none."""
    asked: tuple[Heard, ...] = ()
    """Consent questions, each in a direct chat; nobody else may be asked."""
    answered: tuple[Heard, ...] = ()
    """Answers to somebody who spoke to the bot."""
    secrets: tuple[Secret, ...] = ()

    @property
    def id(self) -> str:
        """Name and language in one word."""
        return f"{self.name}.{self.language}"

    @property
    def zone(self) -> ZoneInfo:
        """The team's zone."""
        zone = self.start.tzinfo
        assert isinstance(zone, ZoneInfo)
        return zone

    @property
    def watched(self) -> str:
        """The room to look at while it is played."""
        wanted = [*self.told, *self.asked]
        return wanted[0].room if wanted else next(b.room for b in self.beats if b.room)

    def hearers(self, room: str) -> frozenset[str]:
        """The people who can read a room."""
        if room.startswith(DIRECT):
            return frozenset({room.removeprefix(DIRECT)})
        return frozenset(next(seed.members for seed in self.rooms if seed.id == room))

    def title_of(self, room: str) -> str:
        """What people call a room: `#project`, or `DM with Mo`."""
        if room.startswith(DIRECT):
            return f"DM with {self.name_of(room.removeprefix(DIRECT))}"
        return "#" + next(seed.title for seed in self.rooms if seed.id == room)

    def name_of(self, person: str) -> str:
        """What people call a person."""
        return next(seed.name for seed in self.people if seed.id == person)


def names(folder: Path = FOLDER) -> list[str]:
    """The stories of a folder, in the order they are told."""
    found = {path.name.split(".")[0] for path in folder.glob("*.toml")}
    return [name for name in ORDER if name in found] + sorted(found - set(ORDER))


def load(name: str, language: str, folder: Path = FOLDER) -> Story:
    """Read one story; StoryError says what is wrong, where, and what to do."""
    there = names(folder)
    if name not in there:
        near = get_close_matches(name, there, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "'limen play --list' names them"
        raise LimenError(f"there is no story {name!r}; {hint}")
    path = folder / f"{name}.{language}.toml"
    if not path.exists():
        has = ", ".join(one for one in LANGUAGES if (folder / f"{name}.{one}.toml").exists())
        raise LimenError(f"the story {name!r} is not told in {language!r}, only in {has}")
    return read(path)


def read(path: Path) -> Story:
    """Read a story's file; its name tells the story's name and language."""
    name, _, language = path.name.removesuffix(".toml").partition(".")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise StoryError(path.name, "the file", str(error), "write it as TOML") from error
    sheet = Sheet(path.name, table)
    people = _people(sheet.table("people"))
    rooms = _rooms(sheet.table("rooms"), [seed.id for seed in people])
    reader = _Reader(_Cast(people, rooms))
    beats = tuple(reader.beat(one) for one in sheet.tables("beats"))
    story = Story(
        name=name,
        language=sheet.choice("language", LANGUAGES, default=language),
        title=sheet.text("title"),
        about=" ".join(sheet.text("about").split()),
        start=_start(sheet),
        people=people,
        rooms=rooms,
        beats=beats,
        told=tuple(reader.heard(one) for one in sheet.tables("told")),
        asked=tuple(reader.heard(one) for one in sheet.tables("asked")),
        answered=tuple(reader.heard(one) for one in sheet.tables("answered")),
        secrets=tuple(reader.secret(one) for one in sheet.tables("secret")),
    )
    sheet.finish()
    return story


def _start(sheet: Sheet) -> datetime:
    return sheet.moment("start").replace(tzinfo=ZoneInfo(sheet.checked("zone", _zone)))


def _zone(name: str) -> str:
    if name == zones.AUTO:
        raise ValueError("a story happens somewhere: write an IANA zone, such as 'Europe/Berlin'")
    return zones.check(name)


def _people(sheet: Sheet) -> tuple[PersonSeed, ...]:
    people = []
    for id in sheet.ids():
        # "Lin, keeps the architecture": a name, and what the person does
        name, _, about = sheet.text(id).replace("，", ",").partition(",")
        people.append(PersonSeed(id=id, name=name.strip(), about=about.strip()))
    if not people:
        raise sheet.wrong("", "nobody", 'name at least one person, such as lin = "Lin"')
    return tuple(people)


def _rooms(sheet: Sheet, people: list[str]) -> tuple[RoomSeed, ...]:
    rooms = []
    for id in sheet.ids():
        room = sheet.table(id)
        private = room.flag("private")
        rooms.append(
            RoomSeed(
                id=id,
                title=room.text("title", default=id),
                access=Access.PRIVATE if private else Access.OPEN,
                members=tuple(
                    room.known("members", member, people, "person")
                    for member in room.texts("members")
                ),
            )
        )
    return tuple(rooms)


class _Cast:
    """The people and rooms that beats and expectations may name."""

    def __init__(self, people: tuple[PersonSeed, ...], rooms: tuple[RoomSeed, ...]) -> None:
        self.people = [seed.id for seed in people]
        self.rooms = {seed.id: seed for seed in rooms}

    def person(self, sheet: Sheet, key: str) -> str:
        """A person's id."""
        return sheet.known(key, sheet.text(key), self.people, "person")

    def room(self, sheet: Sheet, key: str, who: str = "") -> str:
        """A room's id; `dm` alone means the direct chat of `who`."""
        given = sheet.text(key)
        if given == "dm" and who:
            return DIRECT + who
        if given.startswith(DIRECT):
            person = given.removeprefix(DIRECT)
            return DIRECT + sheet.known(key, person, self.people, "person")
        return sheet.known(key, given, list(self.rooms), "room")


class _Reader:
    """Reads beats in order, then what is expected of them."""

    def __init__(self, cast: _Cast) -> None:
        self._cast = cast
        self._named: dict[str, Beat] = {}

    def beat(self, sheet: Sheet) -> Beat:
        """The next beat."""
        act = _TOLD_BY[sheet.first(tuple(_TOLD_BY))]
        beat = self._wait(sheet) if act is Act.WAIT else self._deed(sheet, act)
        if beat.name:
            self._named[beat.name] = beat
        return beat

    def _wait(self, sheet: Sheet) -> Beat:
        return Beat(act=Act.WAIT, pause=sheet.duration("wait"), name=sheet.text("name", default=""))

    def _deed(self, sheet: Sheet, act: Act) -> Beat:
        who = self._cast.person(sheet, "who")
        key = {Act.EDIT: "edits", Act.RECALL: "recalls"}.get(act, "replies_to")
        of = self._before(sheet, key) if sheet.has(key) else ""
        room = self._named[of].room if of else DIRECT + who
        if act is Act.SAY:
            room = self._cast.room(sheet, "room", who)
            self._may_speak(sheet, who, room)
        return Beat(
            act=act,
            pause=sheet.duration("after", default=PAUSE),
            name=sheet.text("name", default=""),
            who=who,
            room=room,
            text=sheet.text("text") if act in (Act.SAY, Act.EDIT) else "",
            of=of,
            yes=act is Act.PRESS and sheet.choice("press", ("yes", "no")) == "yes",
        )

    def _may_speak(self, sheet: Sheet, who: str, room: str) -> None:
        inside = room == DIRECT + who or (
            room in self._cast.rooms and who in self._cast.rooms[room].members
        )
        if not inside:
            raise sheet.wrong("who", who, f"{who!r} is not in {room!r}; add them to its members")

    def _before(self, sheet: Sheet, key: str) -> str:
        return sheet.known(key, sheet.text(key), list(self._named), "earlier beat with that name")

    def heard(self, sheet: Sheet) -> Heard:
        """Something the bot must say."""
        if sheet.has("who"):
            room = DIRECT + self._cast.person(sheet, "who")
        else:
            room = self._cast.room(sheet, "room")
        return Heard(
            room=room,
            after=self._before(sheet, "after") if sheet.has("after") else "",
            says=sheet.patterns("says"),
            without=sheet.patterns("without", default=()),
            why=tuple(
                sheet.known("why", name, list(self._named), "beat with that name")
                for name in sheet.texts("why", default=())
            ),
            within=sheet.duration("within") if sheet.has("within") else None,
            messages=sheet.number("messages", default=1),
        )

    def secret(self, sheet: Sheet) -> Secret:
        """Something that must stay where it was said."""
        return Secret(
            text=sheet.pattern("text"),
            room=self._cast.room(sheet, "room"),
            until=self._before(sheet, "until") if sheet.has("until") else "",
        )
