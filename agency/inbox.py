"""The inbox of a person: what waits for them, what they were told, and what led to it.

waiting ─► told | seen | dropped      told ─► waiting (its letter was taken back, unposted)

What was said before it is noted, as notify and report are, begins as told.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us, to_us

SQL = queries(__file__)

DIGEST = "digest:"
"""How the keys of digests' letters begin."""


class Kind(StrEnum):
    """How an entry reaches its person."""

    NOTIFY = "notify"
    """It was said to them at once, or in a room where it named them."""
    DIGEST = "digest"
    """It waits for their next digest."""
    APPROVAL = "approval"
    """Their word is asked for."""
    ALERT = "alert"
    """Something only an admin can mend."""
    REPORT = "report"
    """What they asked to have added up."""


class State(StrEnum):
    """Where an entry stands."""

    WAITING = "waiting"
    """It is to be told, or waits for their word."""
    TOLD = "told"
    """It was said to them."""
    SEEN = "seen"
    """They looked it up or answered it themselves."""
    DROPPED = "dropped"
    """It is no longer to be told, for the reason noted."""


MOVES: dict[State, frozenset[State]] = {
    State.WAITING: frozenset({State.TOLD, State.SEEN, State.DROPPED}),
    State.TOLD: frozenset({State.WAITING}),
    State.SEEN: frozenset(),
    State.DROPPED: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something about to enter an inbox."""

    key: str
    """The same for the same thing, for ever; a repeat changes nothing."""
    person_id: int
    kind: Kind
    subject: str
    text: str
    cause: str
    """What it came from, such as `handoff:12` or `consent:3`."""
    room_id: int | None = None
    """The session it is about."""
    weight: float = 0.0
    """How telling it is; what is cut from a long digest weighs least."""
    sources: tuple[tuple[int, int], ...] = ()
    """(original id, its version): what it rests on."""
    told_in: str = ""
    """The key of the letter that told it; empty while it waits."""
    expires_us: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry as stored."""

    id: int
    person_id: int
    kind: Kind
    subject: str
    text: str
    room_id: int | None
    weight: float
    cause: str
    state: State
    reason: str
    told_in: str
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime
    sources: tuple[tuple[int, int], ...]

    @classmethod
    def from_row(cls, row: Row, sources: tuple[tuple[int, int], ...]) -> Self:
        expires = row["expires_at"]
        return cls(
            id=row["id"],
            person_id=row["person_id"],
            kind=Kind(row["kind"]),
            subject=row["subject"],
            text=row["text"],
            room_id=row["room_id"],
            weight=row["weight"],
            cause=row["cause"],
            state=State(row["state"]),
            reason=row["reason"],
            told_in=row["told_in"],
            expires_at=from_us(expires) if expires is not None else None,
            created_at=from_us(row["created_at"]),
            updated_at=from_us(row["updated_at"]),
            sources=sources,
        )

    @property
    def originals(self) -> tuple[int, ...]:
        """The ids of its sources."""
        return tuple(original for original, _ in self.sources)

    def caused_by(self, what: str) -> int | None:
        """The number of the handoff, consent … it came from; None when it came from another."""
        name, _, id = self.cause.partition(":")
        return int(id) if name == what and id.isdecimal() else None


def add(tx: Tx, note: Note, *, now_us: int) -> int | None:
    """Put something into an inbox; None when it is there already."""
    row = tx.one(
        SQL["add"],
        key=note.key,
        person=note.person_id,
        kind=note.kind,
        subject=note.subject,
        text=note.text,
        room=note.room_id,
        weight=note.weight,
        cause=note.cause,
        state=State.TOLD if note.told_in else State.WAITING,
        told_in=note.told_in,
        expires=note.expires_us,
        now=now_us,
    )
    if row is None:
        return None
    for original, version in note.sources:
        tx.run(SQL["add_source"], entry=row["id"], original=original, version=version)
    return int(row["id"])


def tell(tx: Tx, id: int, letter_key: str, *, now_us: int) -> bool:
    """Note which letter told an entry; False when it no longer waited."""
    return tx.run(SQL["tell"], id=id, letter=letter_key, now=now_us) == 1


def see(tx: Tx, id: int, reason: str, *, now_us: int) -> bool:
    """Note that its person dealt with it themselves; False when it no longer waited."""
    return tx.run(SQL["see"], id=id, reason=reason, now=now_us) == 1


def drop(tx: Tx, id: int, reason: str, *, now_us: int) -> bool:
    """Let nobody be told of it any more; False when it no longer waited."""
    return tx.run(SQL["drop"], id=id, reason=reason, now=now_us) == 1


def settle(tx: Tx, cause: str, to: State, reason: str, *, now_us: int) -> None:
    """Move what waits because of something that is settled: seen by its person, or dropped."""
    for entry in of_cause(tx, cause):
        if entry.state is State.WAITING:
            (see if to is State.SEEN else drop)(tx, entry.id, reason, now_us=now_us)


def expire(tx: Tx, *, now_us: int) -> list[Entry]:
    """Drop what nobody was told in time."""
    found = [_whole(tx, row) for row in tx.all(SQL["overdue"], now=now_us)]
    for entry in found:
        drop(tx, entry.id, "its time passed", now_us=now_us)
    return found


def find(reader: Reader, id: int) -> Entry | None:
    """One entry, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return _whole(reader, row) if row else None


def waiting(reader: Reader, person: int) -> list[Entry]:
    """What waits for a person, the most telling first."""
    return [_whole(reader, row) for row in reader.all(SQL["waiting"], person=person)]


def of_cause(reader: Reader, cause: str) -> list[Entry]:
    """The entries of everybody that came from one thing."""
    return [_whole(reader, row) for row in reader.all(SQL["of_cause"], cause=cause)]


def waiting_for(reader: Reader, cause: str) -> list[int]:
    """Those whose digest is still to tell of one thing."""
    return [row["person_id"] for row in reader.all(SQL["waiting_for"], cause=cause)]


def told_in(reader: Reader, letter_key: str) -> list[Entry]:
    """What a letter told."""
    return [_whole(reader, row) for row in reader.all(SQL["told_in"], letter=letter_key)]


def heard_of(reader: Reader, person: int, originals: Iterable[int], *, since: datetime) -> bool:
    """Whether a person was told since a moment of something that rests on all of these."""
    wanted = sorted(set(originals))
    row = reader.one(
        SQL["heard_of"],
        person=person,
        originals=json.dumps(wanted),
        count=len(wanted),
        since=to_us(since),
    )
    return bool(wanted) and row is not None


def latest(
    reader: Reader, person: int | None, *, limit: int, before: int | None = None
) -> list[Entry]:
    """The newest entries of a person, or of everybody, newest first."""
    rows = reader.all(SQL["latest"], person=person, limit=limit, before=before or 2**62)
    return [_whole(reader, row) for row in rows]


def awaited(reader: Reader) -> list[tuple[int, datetime]]:
    """The people something waits to be digested for, and since when the oldest of it does."""
    return [(row["person_id"], from_us(row["at"])) for row in reader.all(SQL["awaited"])]


def next_expiry(reader: Reader) -> int | None:
    """When the next waiting entry expires, in stored form."""
    row = reader.one(SQL["next_expiry"])
    return row["at"] if row else None


def give(tx: Tx, person: int, day: date, *, now_us: int) -> str | None:
    """The key for the letter of a person's digest of a day; None when they had it."""
    row = tx.one(SQL["give"], person=person, day=f"{day}", now=now_us)
    if row is None:
        return None
    key = f"{DIGEST}{person}:{day}"
    return key if row["n"] == 1 else f"{key}:{row['n']}"


def take_back(tx: Tx, letter_key: str, *, now_us: int) -> None:
    """The letter of a digest was not posted: what it told waits again, on the same day even."""
    tx.run(SQL["untell"], letter=letter_key, now=now_us)
    person, day = letter_key.removeprefix(DIGEST).split(":")[:2]
    tx.run(SQL["take_back"], person=int(person), day=day, now=now_us)


def digests_resting_on(reader: Reader, original: int) -> list[str]:
    """The keys of the digests that told something which rests on an original."""
    rows = reader.all(SQL["digests_resting_on"], original=original)
    return [row["told_in"] for row in rows if row["told_in"].startswith(DIGEST)]


def had_digest(reader: Reader, person: int, day: date) -> bool:
    """Whether a person had their digest of a day."""
    return reader.one(SQL["given"], person=person, day=f"{day}") is not None


def switch(tx: Tx, person: int, *, on: bool, now_us: int) -> None:
    """Whether a person wants a digest; what waits then stays in their inbox."""
    tx.run(SQL["switch_on" if on else "switch_off"], person=person, now=now_us)


def wants_digest(reader: Reader, person: int) -> bool:
    """Whether a person has not switched their digest off."""
    return reader.one(SQL["is_off"], person=person) is None


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one."""
    for name in ("rehome", "rehome_digests", "rehome_off"):
        tx.run(SQL[name], gone=gone, kept=kept)


def _whole(reader: Reader, row: Row) -> Entry:
    sources = reader.all(SQL["sources"], id=row["id"])
    return Entry.from_row(row, tuple((s["original_id"], s["version"]) for s in sources))


SHELF = Shelf(SQL["words"], SQL["blank"], whole=SQL["whole"])


def touched(
    reader: Reader, *, people: Iterable[int], originals: Iterable[int], causes: Iterable[str] = ()
) -> list[int]:
    """The entries of some people, and those that rest on some originals or came from something."""
    wanted = {"people": listed(people), "originals": listed(originals)}
    found = numbers(reader.all(SQL["touched"], **wanted))
    caused = (row for cause in causes for row in reader.all(SQL["of_cause"], cause=cause))
    return sorted({*found, *numbers(caused)})


def letters(reader: Reader, ids: Iterable[int]) -> list[str]:
    """The keys of the letters that told some entries."""
    return [row["told_in"] for row in reader.all(SQL["letters"], ids=listed(ids))]


def forget_person(tx: Tx, person: int) -> None:
    """Drop what is known of somebody's digests."""
    tx.run(SQL["forget_digests"], person=person)
    tx.run(SQL["forget_off"], person=person)


def digests_of(reader: Reader, person: int) -> list[Row]:
    """The digests somebody had."""
    return reader.all(SQL["digests_of"], person=person)
