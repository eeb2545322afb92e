"""Intentions: deferred opportunities, each with a time or words that make it ripe.

held ─► ripe ─► done | dropped

Some a person asked for: `Wish` says what has to be said, by whom, and where the word is to go.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, Self

from agency import conditions
from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us, to_us
from memory.words import prepare

SQL = queries(__file__)


class State(StrEnum):
    """Where an intention stands."""

    HELD = "held"
    """Waits for its trigger."""
    RIPE = "ripe"
    """Its trigger came; the agency is to look at it."""
    DONE = "done"
    """The agency acted on it."""
    DROPPED = "dropped"
    """It no longer matters."""


MOVES: dict[State, frozenset[State]] = {
    State.HELD: frozenset({State.RIPE, State.DROPPED}),
    State.RIPE: frozenset({State.DONE, State.DROPPED}),
    State.DONE: frozenset(),
    State.DROPPED: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a person wants to be told once it has come to pass."""

    person_id: int
    session_id: int
    """Where they asked, and where they are told."""
    condition: str
    """In their words; see `agency.conditions`."""
    language: Literal["en", "zh"]
    said_by: int | None = None
    """Who has to say it; None for anybody."""
    said_in: int | None = None
    """The chat it has to be said in; None for any."""
    expires_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            person_id=row["person_id"],
            session_id=row["session_id"],
            condition=row["condition"],
            language=row["language"],
            said_by=row["said_by"],
            said_in=row["said_in"],
            expires_at=from_us(row["expires_at"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Intention:
    """Something to come back to."""

    id: int
    body: str
    terms: tuple[str, ...]
    """Words of which all must be said in one message; empty when it waits for a time alone."""
    due_at: datetime | None
    state: State
    wish: Wish | None = None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            wish=Wish.from_row(row) if row["person_id"] is not None else None,
            id=row["id"],
            body=row["body"],
            terms=tuple(json.loads(row["terms"])),
            due_at=from_us(row["due_at"]) if row["due_at"] is not None else None,
            state=State(row["state"]),
        )

    def awaits(self, text: str) -> bool:
        """Whether a message says what this one waits for."""
        said = f" {prepare(text).lower()} "
        return bool(self.terms) and all(f" {prepare(t).lower()}" in said for t in self.terms)


def hold(
    tx: Tx,
    body: str,
    *,
    terms: Iterable[str],
    due_us: int | None,
    now_us: int,
    sources: Iterable[int] = (),
) -> int:
    """Keep an intention; ValueError when nothing could ever make it ripe.

    `sources`: the originals it rests on, without which it does not stand.
    """
    words = [term for term in terms if prepare(term)]
    if not words and due_us is None:
        raise ValueError("an intention needs a time (due_at) or words (terms) that make it ripe")
    return _hold(tx, body, words, due_us, sources, now_us)


def grant(tx: Tx, wish: Wish, *, original: int | None, now_us: int) -> int:
    """Keep what a person wants to be told; ValueError when its words say too little to know it."""
    read = conditions.read(wish.condition)
    if not read.telling:
        raise ValueError(f"{wish.condition!r} does not say what to listen for")
    sources = () if original is None else (original,)
    id = _hold(tx, wish.condition, list(read.terms), None, sources, now_us)
    tx.run(
        SQL["grant"],
        id=id,
        person=wish.person_id,
        session=wish.session_id,
        condition=wish.condition,
        language=wish.language,
        said_by=wish.said_by,
        said_in=wish.said_in,
        expires=to_us(wish.expires_at),
    )
    return id


def heeds(intention: Intention, text: str, *, person: int | None, chat: int) -> bool:
    """Whether a message is what an intention waits for; `chat`: where it was said."""
    wish = intention.wish
    if wish is None:
        return intention.awaits(text)
    if person is None or wish.said_by not in (None, person) or wish.said_in not in (None, chat):
        return False
    return conditions.met(conditions.read(wish.condition), text)


def find(reader: Reader, id: int) -> Intention | None:
    """One intention, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return Intention.from_row(row) if row else None


def sources(reader: Reader, id: int) -> list[int]:
    """The originals an intention rests on."""
    return [int(row["original_id"]) for row in reader.all(SQL["sources"], id=id)]


def resting_on(reader: Reader, original: int) -> list[Intention]:
    """Those not acted on yet that rest on an original."""
    return [Intention.from_row(row) for row in reader.all(SQL["resting_on"], original=original)]


def wished_by(reader: Reader, person: int) -> list[Intention]:
    """What a person waits to be told, oldest first."""
    return [Intention.from_row(row) for row in reader.all(SQL["wished_by"], person=person)]


def expired(reader: Reader, *, now_us: int) -> list[Intention]:
    """Held ones that nobody waits for any longer."""
    return [Intention.from_row(row) for row in reader.all(SQL["expired"], now=now_us)]


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)


def ripen(tx: Tx, id: int, *, now_us: int) -> bool:
    """Its trigger came; False when it was no longer held."""
    return tx.run(SQL["ripen"], id=id, now=now_us) == 1


def close(tx: Tx, id: int, *, done: bool, reason: str, now_us: int) -> bool:
    """Act on or drop it; False when it is closed already."""
    state = State.DONE if done else State.DROPPED
    return tx.run(SQL["close"], id=id, state=state, reason=reason, now=now_us) == 1


def due(reader: Reader, *, now_us: int) -> list[Intention]:
    """Held ones whose time has come."""
    return [Intention.from_row(row) for row in reader.all(SQL["due"], now=now_us)]


def next_moment(reader: Reader) -> int | None:
    """When the next held one is due, in stored form."""
    row = reader.one(SQL["next_moment"])
    return row["at"] if row else None


def awaiting_words(reader: Reader) -> list[Intention]:
    """Held ones that wait for words."""
    return [Intention.from_row(row) for row in reader.all(SQL["awaiting_words"])]


def current(reader: Reader, *, limit: int = 50) -> list[Intention]:
    """Held and ripe ones, oldest first."""
    return [Intention.from_row(row) for row in reader.all(SQL["current"], limit=limit)]


def _hold(
    tx: Tx, body: str, words: list[str], due_us: int | None, sources: Iterable[int], now_us: int
) -> int:
    written = json.dumps(words, ensure_ascii=False)
    id = tx.insert(SQL["hold"], body=body, terms=written, due=due_us, now=now_us)
    for original in sorted(set(sources)):
        tx.run(SQL["rest_on"], id=id, original=original)
    return id


SHELF = Shelf(SQL["words"], SQL["blank"], SQL["blank_wishes"], whole=SQL["whole"])


def touched(
    reader: Reader, *, originals: Iterable[int], people: Iterable[int], sessions: Iterable[int]
) -> list[int]:
    """What rests on some originals, or what some people or some sessions wait for."""
    wanted = {
        "originals": listed(originals),
        "people": listed(people),
        "sessions": listed(sessions),
    }
    return numbers(reader.all(SQL["touched"], **wanted))
