"""What people wait for from each other: spotted as it is said, settled as it comes, told when due.

message ─► promise or question of somebody ─► due ─► a fire ─► the agency asks once
                                          └─► a later message settles it, wherever it is said
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import partial

from adapters.quotes import own_words
from agency import fires, personal, salience, subjects, waits
from agency.fulfilment import Later
from agency.gates import Rules
from agency.waits import Spotted, State, Wait
from bot.engine import ids, inputs, sessions
from bot.engine.waits import Bell, Clock
from memory import audiences, originals, people
from memory.db import Database, Reader, Tx
from memory.errors import StorageFull
from memory.moments import to_us
from memory.originals import Original

logger = logging.getLogger(__name__)

SIGNS = 4000  # of a message that are read
_WEEKEND = (5, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A message, read once."""

    original: Original
    text: str
    terms: subjects.Terms
    kinds: frozenset[salience.Kind]
    spotted: tuple[Spotted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What was waited for when the messages were looked at, and where their authors live."""

    live: list[Wait]
    zones: dict[int | None, tzinfo]


class Waiting:
    """Keeps the waits of the house up to date, and tells the agency of those that are due."""

    def __init__(
        self, db: Database, clock: Clock, *, rules: Rules, silence: timedelta, bell: Bell
    ) -> None:
        self._db = db
        self._clock = clock
        self._rules = rules
        self._silence = silence
        self._bell = bell

    async def heard(self, said: Sequence[Original]) -> None:
        """Look through new messages; what they open and settle is stored before this returns."""
        known = await self._db.read(self._known, said)
        newest = max((one.id for one in known.live), default=0)
        for read, settled in await asyncio.to_thread(self._looked, said, known):
            # What a message just before has opened was not there to be compared with.
            settled += [one for one in known.live if one.id > newest and self._settles(read, one)]
            if read.spotted or settled or read.original.version > 1:
                known = await self._stored(read, settled, said, known)

    def _looked(self, said: Sequence[Original], known: _Known) -> list[tuple[_Read, list[Wait]]]:
        """Every message that can be read, and what it settles of what was waited for before."""
        found = []
        for original in said:
            self._db.way.give()
            zone = known.zones.get(original.person_id)
            if zone is None or original.aside or original.recalled:
                continue
            if (read := _read(original, original.said_at.astimezone(zone))) is not None:
                found.append((read, [one for one in known.live if self._settles(read, one)]))
        return found

    async def _stored(
        self, read: _Read, settled: list[Wait], said: Sequence[Original], known: _Known
    ) -> _Known:
        try:
            await self._db.write(self._keep, read, settled)
        except StorageFull as error:
            logger.error("o%d is not looked at for promises: %s", read.original.id, error)
            return known
        return await self._db.read(self._known, said)

    def due(self, reader: Reader) -> int | None:
        """When the next wait is due."""
        return waits.next_moment(reader)

    def act(self, tx: Tx) -> None:
        """Tell the agency, once each, of what is overdue."""
        now = self._clock()
        for wait in waits.due(tx, now=now):
            original = originals.find(tx, wait.original_id)
            if original is None or original.recalled or original.aside:
                waits.move(tx, wait, State.DROPPED, reason="it was taken back", now=now)
                continue
            waits.move(tx, wait, State.DUE, now=now)
            event = fires.Event(
                kind=fires.Kind.INTENTION,
                key=f"wait:{wait.id}",
                session_id=wait.session_id,
                original_id=wait.original_id,
                payload={"wait": wait.id, "text": _WORDS[wait.kind]},
                salience=1.0,
            )
            fires.observe(tx, event, now_us=to_us(now))

    def _known(self, reader: Reader, said: Sequence[Original]) -> _Known:
        now = self._clock()
        authors = {one.person_id for one in said if one.kind is originals.Kind.MESSAGE}
        zone = self._rules.speaking.zone
        return _Known(
            live=waits.live(reader, now=now),
            zones={
                person: personal.of(reader, person, now=now).zone or zone
                for person in authors
                if person is not None and _human(reader, person)
            },
        )

    def _settles(self, read: _Read, wait: Wait) -> bool:
        original = read.original
        if original.id <= wait.original_id:
            return False
        return wait.settled(
            Later(
                text=read.text,
                terms=read.terms,
                kinds=read.kinds,
                by_owner=original.person_id == wait.owner_id,
                same_room=original.session_id == wait.session_id,
                answers=original.reply_to == f"o{wait.original_id}",
            )
        )

    def _keep(self, tx: Tx, read: _Read, settled: list[Wait]) -> None:
        now, original = self._clock(), read.original
        if original.version > 1:
            waits.drop_of(tx, original.id, "it was said anew", now=now, before=original.version)
        for wait in settled:
            if wait.original_id != original.id:
                waits.move(tx, wait, State.SETTLED, reason="it came", by=original.id, now=now)
        for spotted in read.spotted:
            owner = _owner(tx, original, spotted, read.text)
            if owner is not None:
                waits.expect(
                    tx,
                    spotted,
                    original=original.id,
                    version=original.version,
                    session=original.session_id,
                    owner=owner,
                    due=self._due(tx, spotted, original, owner),
                    now=now,
                )
        tx.on_commit(self._bell.ring)

    def _due(self, reader: Reader, spotted: Spotted, original: Original, owner: int) -> datetime:
        if spotted.due is not None:
            return spotted.due + waits.GRACE
        own = personal.of(reader, owner, now=self._clock())
        due = (original.said_at + self._silence).astimezone(own.zone or self._rules.speaking.zone)
        while due.weekday() in _WEEKEND:
            due += timedelta(days=1)
        return due


_WORDS = {
    waits.Kind.PROMISE: "This promise is overdue, and nothing was said that keeps it.",
    waits.Kind.QUESTION: "This question to somebody by name was not answered where it was asked.",
}


def _read(original: Original, written: datetime) -> _Read | None:
    """Read a message; None where nothing can be made of it."""
    text = own_words(original.body)[:SIGNS]
    try:
        signals = salience.read(text, subject=False)
        return _Read(
            original=original,
            text=text,
            terms=subjects.terms(text),
            kinds=frozenset(signal.kind for signal in signals),
            spotted=tuple(waits.spot(text, signals, written)),
        )
    except Exception:
        # Whatever somebody says stops nothing: what cannot be read makes nobody wait.
        logger.exception("o%d could not be looked at for promises", original.id)
        return None


def _owner(reader: Reader, original: Original, spotted: Spotted, text: str) -> int | None:
    """Who owes it: whoever promised, or the one person a question is put to by name."""
    if spotted.kind is waits.Kind.PROMISE:
        return original.person_id
    room = audiences.find(reader, original.session_id)
    to_bot = any(one.waited_for and one.wakes for one in inputs.of_original(reader, original.id))
    if room is None or room.direct or to_bot:
        return None
    asked = set(people.named(reader, text))
    if not asked and original.reply_to:
        answered = originals.find(reader, ids.read(original.reply_to, "o"))
        person = answered.person_id if answered else None
        asked = {person} if person is not None else set()
    found = (asked & room.members) - {original.person_id}
    return min(found) if len(found) == 1 else None


def _human(reader: Reader, person: int) -> bool:
    found = people.find(reader, person)
    return found is not None and not found.is_bot


def place(reader: Reader, wait: Wait) -> int:
    """Where somebody is asked for what they owe: their DM, else the room where it was said."""
    direct = audiences.direct_with(reader, wait.owner_id)
    known = [one for one in map(partial(sessions.find, reader), direct) if one is not None]
    return max(known, key=lambda one: one.last_at).id if known else wait.session_id
