"""Intentions: deferred opportunities, each with a time or words that make it ripe.

held ─► ripe ─► done | dropped
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.moments import from_us
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
class Intention:
    """Something to come back to."""

    id: int
    body: str
    terms: tuple[str, ...]
    """Words of which all must be said in one message; empty when it waits for a time alone."""
    due_at: datetime | None
    state: State

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
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


def hold(tx: Tx, body: str, *, terms: Iterable[str], due_us: int | None, now_us: int) -> int:
    """Keep an intention; ValueError when nothing could ever make it ripe."""
    words = [term for term in terms if prepare(term)]
    if not words and due_us is None:
        raise ValueError("an intention needs a time (due_at) or words (terms) that make it ripe")
    return tx.insert(
        SQL["hold"], body=body, terms=json.dumps(words, ensure_ascii=False), due=due_us, now=now_us
    )


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
