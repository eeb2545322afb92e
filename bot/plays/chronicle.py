"""What the bot does while a story is played: read from the house, line by line, as it comes.

letters ─► what it said      runs, handoffs, consents, facts ─► what it did in private
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from adapters.chat import Address
from agency import consents, fires, handoffs
from agency.handoffs import Handoff
from bot import chains
from bot.engine import letters, runs, sessions
from bot.engine.letters import Letter
from bot.engine.waits import Clock
from bot.rows import Rooms, Row
from memory import facts, originals
from memory.db import Database, Reader

MOST = 500  # rows of each kind that are looked through; no story comes near
_LONG = 110  # signs of a private reason that are shown


class Voice(StrEnum):
    """Why the bot said something."""

    UNASKED = "unasked"
    """It put something into a room that nobody had asked for there."""
    QUESTION = "question"
    """It asked somebody for consent."""
    ANSWER = "answer"
    """Somebody had spoken to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Something the bot said."""

    at: datetime
    room: str
    """The web room's id."""
    text: str
    voice: Voice
    chain: tuple[Row, ...]
    """Why it was said, first cause first."""
    rests_on: frozenset[str]
    """The web posts the chain leads back to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """Something the bot did in private."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A handoff that reached its room, whatever was made of it there."""

    at: datetime
    """When it was first seen there."""
    room: str
    """The web room's id."""
    text: str


class Chronicle:
    """Looks into the database again and again; each thing is reported once."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._seen: set[str] = set()
        self.spoken: list[Spoken] = []
        """All that was said, in order."""
        self.told: dict[int, Told] = {}
        """Handoffs that got through the gates, by id."""
        self.wakes = 0
        """Agency runs so far."""

    async def look(self) -> list[Spoken | Doing]:
        """What is new since the last look, in order."""
        found = await self._db.read(lambda reader: list(self._news(reader)))
        # Of one moment, what was done in private led to what was said.
        found.sort(key=lambda one: (one.at, isinstance(one, Spoken)))
        self.spoken += [one for one in found if isinstance(one, Spoken)]
        return found

    async def unread(self) -> int:
        """Fires the agency has not come to yet, dead ones among them."""
        left = await self._db.read(fires.counts)
        return sum(left.values())

    def _news(self, reader: Reader) -> Iterator[Spoken | Doing]:
        yield from self._wakes(reader)
        for handoff in reversed(handoffs.latest(reader, limit=MOST)):
            yield from self._handoff(reader, handoff)
        yield from self._memories(reader)
        for letter in reversed(letters.latest(reader, limit=MOST)):
            if letter.state is letters.State.SENT and self._new(f"letter {letter.id}"):
                yield _spoken(reader, letter)

    def _wakes(self, reader: Reader) -> Iterator[Doing]:
        for run in reversed(runs.latest(reader, limit=MOST, role="agency")):
            if run.finished_at is None or not self._new(f"run {run.id}"):
                continue
            self.wakes += 1
            given = len(fires.of_run(reader, run.id))
            heard = f"{given} fire" if given == 1 else f"{given} fires"
            why = run.reason or run.error
            placed = handoffs.by_agency_run(reader, run.id)
            text = f"agency woke, {heard}" + ("" if placed or not why else f": {_short(why)}")
            yield Doing(at=run.started_at or run.created_at, text=text)

    def _handoff(self, reader: Reader, handoff: Handoff) -> Iterator[Doing]:
        name = f"handoff h{handoff.id} → {_place(reader, handoff.target_id)}"
        asked = consents.of_handoff(reader, handoff.id)
        if self._new(f"handoff {handoff.id}"):
            first = _first_verdict(handoff, bool(asked))
            yield Doing(at=handoff.created_at, text=f"{name}: {first}")
        for consent in asked:
            who = Rooms(reader).person(consent.person_id)
            if self._new(f"consent {consent.id} asked"):
                yield Doing(at=consent.asked_at, text=f"{who} is asked first")
            if consent.state is not consents.State.ASKED and self._new(f"consent {consent.id}"):
                word = "agreed" if consent.state is consents.State.GRANTED else consent.state.value
                yield Doing(at=self._clock(), text=f"handoff h{handoff.id}: {who} {word}")
        if handoff.run_id is not None and handoff.id not in self.told:
            room = _web_room(reader, handoff)
            self.told[handoff.id] = Told(at=self._clock(), room=room, text=handoff.body)
        left = handoff.state in (handoffs.State.DECLINED, handoffs.State.DROPPED)
        if left and self._new(f"handoff {handoff.id} {handoff.state}"):
            text = f"handoff h{handoff.id}: {handoff.state.value}, {_short(handoff.reason)}"
            yield Doing(at=self._clock(), text=text)

    def _memories(self, reader: Reader) -> Iterator[Doing]:
        for run in reversed(runs.latest(reader, limit=MOST, role="memory")):
            if run.finished_at is None or not self._new(f"run {run.id}"):
                continue
            found = facts.of_run(reader, run.id)
            if found:
                room = _place(reader, found[0].session_id)
                count = f"{len(found)} fact" if len(found) == 1 else f"{len(found)} facts"
                yield Doing(at=run.started_at or run.created_at, text=f"kept {count} of {room}")

    def _new(self, key: str) -> bool:
        if key in self._seen:
            return False
        self._seen.add(key)
        return True


def _spoken(reader: Reader, letter: Letter) -> Spoken:
    voice = Voice.ANSWER
    if letter.proactive:
        voice = Voice.QUESTION if letter.buttons else Voice.UNASKED
    original = letter.original_id
    chain = chains.rows_of(reader, original, hears=None) if original is not None else []
    roots = [int(row["id"][1:]) for row in chain if row["step"] == "original"]
    found = originals.find_many(reader, roots)
    return Spoken(
        at=letter.settled_at or letter.created_at,
        room=letter.address.chat,
        text=letter.body,
        voice=voice,
        chain=tuple(chain),
        rests_on=frozenset(
            Address.parse(one.address).message or "" for one in found if one.address
        ),
    )


def _first_verdict(handoff: Handoff, asked: bool) -> str:
    """What the gates said when it was handed over; its state may have moved on since."""
    if asked:
        return "asking"
    match handoff.state:
        case handoffs.State.REFUSED | handoffs.State.SILENT | handoffs.State.HELD:
            return f"{handoff.state.value}, {_short(handoff.reason)}"
        case handoffs.State.DIGEST | handoffs.State.DROPPED | handoffs.State.EXPIRED:
            return f"{handoff.state.value}, {_short(handoff.reason)}"
        case _:
            return "admitted"


def _place(reader: Reader, session: int) -> str:
    rooms = Rooms(reader)
    audience = rooms.audience(session)
    direct = audience is not None and audience.direct
    return f"{rooms.title(session)}'s DM" if direct else rooms.title(session)


def _web_room(reader: Reader, handoff: Handoff) -> str:
    session = sessions.find(reader, handoff.target_id)
    address = session.address if session else None
    return address.chat if address else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONG else line[: _LONG - 1] + "…"
