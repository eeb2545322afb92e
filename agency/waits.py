"""Waits: promises and questions that somebody else waits for, each with who owes it and when.

open ─► due | settled | dropped      due ─► settled | dropped
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

from agency import fulfilment, moments, salience, subjects
from agency.fulfilment import FIRM, OWN_AFFAIRS, Later
from agency.salience import Signal
from memory.db import Reader, Row, Tx, queries
from memory.erasing import MARK, Shelf, listed, numbers
from memory.moments import from_us, span_us, to_us

SQL = queries(__file__)

GRACE = timedelta(minutes=30)
"""How long after its time a promise may still be kept without a word."""
FORGOTTEN = timedelta(days=21)
"""How long after its time it is still looked for whether it was settled."""
LIVE = 500  # waits that a new message is compared with


class Kind(StrEnum):
    """What is waited for."""

    PROMISE = "promise"
    """What somebody said they would do."""
    QUESTION = "question"
    """An answer of somebody who was asked by name."""


class State(StrEnum):
    """Where a wait stands."""

    OPEN = "open"
    """Its time has not come."""
    DUE = "due"
    """Its time has passed, and the agency was told, once."""
    SETTLED = "settled"
    """It came, was moved, or is needed no more."""
    DROPPED = "dropped"
    """The message was taken back or changed."""


MOVES: dict[State, frozenset[State]] = {
    State.OPEN: frozenset({State.DUE, State.SETTLED, State.DROPPED}),
    State.DUE: frozenset({State.SETTLED, State.DROPPED}),
    State.SETTLED: frozenset(),
    State.DROPPED: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A wait as stored."""

    id: int
    original_id: int
    version: int
    """Of the original, as it was read."""
    kind: Kind
    session_id: int
    owner_id: int
    said: str
    """The words it rests on."""
    dated: bool
    """Whether a time was named; otherwise silence makes it due."""
    due_at: datetime
    state: State
    settled_by: int | None
    """The original that settled it."""
    reason: str

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            original_id=row["original_id"],
            version=row["version"],
            kind=Kind(row["kind"]),
            session_id=row["session_id"],
            owner_id=row["owner_id"],
            said=row["said"],
            dated=bool(row["dated"]),
            due_at=from_us(row["due_at"]),
            state=State(row["state"]),
            settled_by=row["settled_by"],
            reason=row["reason"],
        )

    def settled(self, later: Later) -> bool:
        """Whether a later message settles it."""
        said = subjects.terms(self.said)
        if self.kind is Kind.QUESTION:
            return fulfilment.answers(said, later)
        again = later.by_owner and salience.Kind.COMMITMENT in later.kinds
        if again and moments.find(later.text) and subjects.link(said, later.terms).shared > 0:
            return True  # a later promise of the same takes its place
        return fulfilment.keeps(said, later, self.said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spotted:
    """A promise or question found in a text."""

    kind: Kind
    said: str
    due: datetime | None
    """The last instant that keeps it; None where no time was named."""


def spot(text: str, signals: Iterable[Signal], written: datetime) -> list[Spotted]:
    """What a message makes others wait for; `written` in the zone of whoever wrote it."""
    signals = list(signals)
    kinds = {signal.kind for signal in signals}
    if kinds & {salience.Kind.PRIVATE, salience.Kind.PERSONAL, salience.Kind.BANTER}:
        return []
    found: list[Spotted] = []
    for signal in signals:
        if (
            signal.kind is salience.Kind.COMMITMENT
            and FIRM.search(signal.text)
            and (not OWN_AFFAIRS.search(signal.text))
        ):
            times = moments.find(signal.text)
            due = max((one.due_from(written) for one in times), default=None)
            found.append(Spotted(kind=Kind.PROMISE, said=signal.text, due=due))
        elif signal.kind is salience.Kind.QUESTION:
            found.append(Spotted(kind=Kind.QUESTION, said=text, due=None))
    by_kind = {one.kind: one for one in reversed(found)}
    return list(by_kind.values())


def expect(
    tx: Tx,
    spotted: Spotted,
    *,
    original: int,
    version: int,
    session: int,
    owner: int,
    due: datetime,
    now: datetime,
) -> int | None:
    """Keep a wait; None when this version of the message gave rise to it before."""
    row = tx.one(
        SQL["add"],
        original=original,
        version=version,
        kind=spotted.kind,
        session=session,
        owner=owner,
        said=spotted.said,
        dated=spotted.due is not None,
        due=to_us(due),
        now=to_us(now),
    )
    return int(row["id"]) if row else None


def move(
    tx: Tx, wait: Wait, to: State, *, reason: str = "", by: int | None = None, now: datetime
) -> bool:
    """Move a wait on; False when it has moved already. ValueError where it may not go."""
    if to not in MOVES[wait.state]:
        raise ValueError(f"a wait that is {wait.state.value!r} cannot become {to.value!r}")
    moved = tx.run(
        SQL["move"], id=wait.id, state=wait.state, to=to, reason=reason, by=by, now=to_us(now)
    )
    return moved == 1


def drop_of(
    tx: Tx, original: int, reason: str, *, now: datetime, before: int | None = None
) -> None:
    """A message was changed or taken back: what it made others wait for is no wait any more.

    `before`: only what versions older than this one made them wait for.
    """
    for wait in of_original(tx, original):
        older = before is None or wait.version < before
        if older and State.DROPPED in MOVES[wait.state]:
            move(tx, wait, State.DROPPED, reason=reason, now=now)


def get(reader: Reader, id: int) -> Wait:
    """One wait; LookupError when there is none."""
    row = reader.one(SQL["by_id"], id=id)
    if row is None:
        raise LookupError(f"there is no wait {id}")
    return Wait.from_row(row)


def of_original(reader: Reader, original: int) -> list[Wait]:
    """What a message made others wait for."""
    return [Wait.from_row(row) for row in reader.all(SQL["of_original"], original=original)]


def over(reader: Reader, originals: Iterable[int]) -> frozenset[int]:
    """Of some messages, those that made somebody wait and that nobody waits for any more."""
    rows = reader.all(SQL["over"], originals=json.dumps(sorted(originals)))
    return frozenset(row["original_id"] for row in rows)


def live(reader: Reader, *, now: datetime) -> list[Wait]:
    """What somebody still waits for, the newest first."""
    since = to_us(now) - span_us(FORGOTTEN)
    rows = reader.all(SQL["live"], since=since, limit=LIVE)
    return [Wait.from_row(row) for row in rows]


def waiting_on(
    reader: Reader, person: int, *, visible: Callable[[int], bool], before: datetime
) -> list[Wait]:
    """What others wait for from a person by some moment, as far as it was said where they hear."""
    found = (Wait.from_row(row) for row in reader.all(SQL["of_owner"], owner=person))
    return [one for one in found if one.due_at <= before and visible(one.session_id)]


def due(reader: Reader, *, now: datetime) -> list[Wait]:
    """Open ones whose time has come."""
    return [Wait.from_row(row) for row in reader.all(SQL["due"], now=to_us(now))]


def next_moment(reader: Reader) -> int | None:
    """When the next open one is due, in stored form."""
    row = reader.one(SQL["next_moment"])
    return row["at"] if row else None


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)


def forget(tx: Tx, original: int) -> None:
    """Drop the words of what a message gave rise to, once it is taken back."""
    tx.run(SQL["forget"], original=original, mark=MARK)


SHELF = Shelf(SQL["words"], SQL["blank"], whole=SQL["whole"])


def touched(
    reader: Reader, *, originals: Iterable[int], people: Iterable[int], sessions: Iterable[int]
) -> list[int]:
    """What some originals gave rise to, what some people owe, and all of some sessions."""
    wanted = {
        "originals": listed(originals),
        "people": listed(people),
        "sessions": listed(sessions),
    }
    return numbers(reader.all(SQL["touched"], **wanted))
