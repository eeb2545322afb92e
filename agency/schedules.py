"""Schedules: what people asked for at a time, and what became of each turn.

active ─► done | cancelled

A reminder is said word for word at its minute, and its letter alone delivers it. A task is put to
the agent of a chat. Either way one turn is given once for ever, by its slot.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, Self
from zoneinfo import ZoneInfo

from agency import grid as grids
from agency.grid import Grid
from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us, to_us

SQL = queries(__file__)
OPEN_LIMIT = 100


class State(StrEnum):
    """Where a schedule stands."""

    ACTIVE = "active"
    """It has a turn to come."""
    DONE = "done"
    """Its last turn was given or left out."""
    CANCELLED = "cancelled"
    """Nobody wants it any more."""


MOVES: dict[State, frozenset[State]] = {
    State.ACTIVE: frozenset({State.DONE, State.CANCELLED}),
    State.DONE: frozenset(),
    State.CANCELLED: frozenset(),
}


class Kind(StrEnum):
    """What is done when a turn comes."""

    REMINDER = "reminder"
    """Words are said."""
    TASK = "task"
    """The agent of a chat is given something to do."""


class Outcome(StrEnum):
    """What became of a turn."""

    GIVEN = "given"
    """The words are on their way, or the task is with the agent."""
    SKIPPED = "skipped"
    """It was left out, for a reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What somebody asks for."""

    key: str
    """The same for the same asking, for ever."""
    kind: Kind
    owner_id: int
    session_id: int
    """Where it was asked."""
    target_id: int
    """Where it is said or done."""
    person_id: int | None
    """Whom it is for; None for everybody of the target."""
    body: str
    grid: Grid
    zone: str
    """The zone its times are told in."""
    language: Literal["en", "zh"]
    original_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A schedule as stored."""

    id: int
    kind: Kind
    owner_id: int
    original_id: int | None
    session_id: int
    target_id: int
    person_id: int | None
    body: str
    grid: Grid
    zone: ZoneInfo
    language: Literal["en", "zh"]
    state: State
    reason: str
    settled: bool
    """Whether something else was agreed than the message that set it says."""
    next_at: datetime | None
    held: bool
    """Whether its turn waits, because somebody paused or sleeps."""
    last_slot: datetime | None
    missed: int
    """Turns that passed without being given, in all."""
    created_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            kind=Kind(row["kind"]),
            owner_id=row["owner_id"],
            original_id=row["original_id"],
            session_id=row["session_id"],
            target_id=row["target_id"],
            person_id=row["person_id"],
            body=row["body"],
            grid=Grid.from_data(json.loads(row["grid"])),
            zone=ZoneInfo(row["zone"]),
            language=row["language"],
            state=State(row["state"]),
            reason=row["reason"],
            settled=bool(row["settled"]),
            next_at=_moment(row["next_at"]),
            held=row["held_until"] is not None,
            last_slot=_moment(row["last_slot"]),
            missed=row["missed"],
            created_at=from_us(row["created_at"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What became of one turn."""

    slot: datetime
    outcome: Outcome
    reason: str
    missed: int
    """Earlier turns that it stands for."""
    original_id: int | None
    input_id: int | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            slot=from_us(row["slot"]),
            outcome=Outcome(row["outcome"]),
            reason=row["reason"],
            missed=row["missed"],
            original_id=row["original_id"],
            input_id=row["input_id"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """The turn that is to be given now, and those that passed before it."""

    slot: datetime
    missed: int
    next_at: datetime | None


def add(tx: Tx, plan: Plan, *, now: datetime) -> Schedule:
    """Keep what somebody asks for; the earlier one when the same asking made it before."""
    first = grids.next_turn(plan.grid, now)
    if first is None:
        raise ValueError("it has no turn that is still to come")
    tx.one(
        SQL["add"],
        key=plan.key,
        kind=plan.kind,
        owner=plan.owner_id,
        original=plan.original_id,
        session=plan.session_id,
        target=plan.target_id,
        person=plan.person_id,
        body=plan.body,
        grid=_stored(plan.grid),
        zone=plan.zone,
        language=plan.language,
        next=to_us(first),
        now=to_us(now),
    )
    row = tx.one(SQL["by_key"], key=plan.key)
    if row is None:
        raise LookupError(f"no schedule has the key {plan.key!r}")
    return Schedule.from_row(row)


def find(reader: Reader, id: int) -> Schedule | None:
    """One schedule, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return Schedule.from_row(row) if row else None


def due(reader: Reader, *, now: datetime) -> list[Schedule]:
    """Those whose turn has come."""
    return [Schedule.from_row(row) for row in reader.all(SQL["due"], now=to_us(now))]


def next_moment(reader: Reader) -> int | None:
    """When the next one is due, in stored form."""
    row = reader.one(SQL["next_moment"])
    return row["at"] if row else None


def turn_of(schedule: Schedule, now: datetime) -> Due:
    """The last turn that has come; what passed before it is caught up with it, once."""
    first = schedule.next_at
    if first is None:
        raise ValueError(f"schedule {schedule.id} has no turn")
    later = grids.missed(schedule.grid, first, now)
    slot = later.last or first
    return Due(
        slot=slot, missed=later.count, next_at=grids.next_turn(schedule.grid, max(slot, now))
    )


def record(
    tx: Tx,
    schedule: Schedule,
    turn: Due,
    outcome: Outcome,
    *,
    reason: str = "",
    original: int | None = None,
    input: int | None = None,
    now: datetime,
) -> bool:
    """Write a turn down and go on to the next; False when that turn was given before."""
    slot, missed = to_us(turn.slot), turn.missed
    fresh = tx.one(
        SQL["turn"],
        id=schedule.id,
        slot=slot,
        outcome=outcome,
        reason=reason,
        missed=missed,
        original=original,
        input=input,
        now=to_us(now),
    )
    values = {"id": schedule.id, "slot": slot, "missed": missed, "now": to_us(now)}
    if turn.next_at is None:
        tx.run(SQL["finish"], **values)
    else:
        tx.run(SQL["advance"], next=to_us(turn.next_at), **values)
    return fresh is not None


def hold(tx: Tx, id: int, until: datetime, *, now: datetime) -> None:
    """Look at it again at a moment."""
    tx.run(SQL["hold"], id=id, until=to_us(until), now=to_us(now))


def let_go(tx: Tx) -> None:
    """Somebody wants something else now: whatever waits is looked at again."""
    tx.run(SQL["let_go"])


def change(
    tx: Tx, schedule: Schedule, *, grid: Grid, body: str, agreed: bool, now: datetime
) -> bool:
    """Give it another time or other words; False when it is over. `agreed`: by a later message."""
    first = grids.next_turn(grid, now)
    if first is None:
        raise ValueError("it has no turn that is still to come")
    values = {"body": body, "grid": _stored(grid), "next": to_us(first), "settled": agreed}
    return tx.run(SQL["change"], id=schedule.id, now=to_us(now), **values) == 1


def cancel(tx: Tx, id: int, *, reason: str, now: datetime) -> bool:
    """End it before its time; False when it is over already."""
    return tx.run(SQL["cancel"], id=id, reason=reason, now=to_us(now)) == 1


def turns(reader: Reader, id: int, *, limit: int = 20) -> list[Turn]:
    """What became of its turns, newest first."""
    return [Turn.from_row(row) for row in reader.all(SQL["turns"], id=id, limit=limit)]


def set_by(reader: Reader, original: int) -> list[Schedule]:
    """Those that a message set."""
    return _many(reader.all(SQL["of_original"], original=original))


def said_as(reader: Reader, original: int) -> Schedule | None:
    """The one whose turn was said as these words."""
    row = reader.one(SQL["said_as"], original=original)
    return Schedule.from_row(row) if row else None


def of_owner(reader: Reader, person: int, *, limit: int = OPEN_LIMIT) -> list[Schedule]:
    """The active ones of a person, next first."""
    return _many(reader.all(SQL["of_owner"], owner=person, limit=limit))


def of_sessions(
    reader: Reader, sessions: Iterable[int], *, limit: int = OPEN_LIMIT
) -> list[Schedule]:
    """The active ones that were set in some sessions or are given there, next first."""
    ids = json.dumps(sorted(sessions))
    return _many(reader.all(SQL["of_sessions"], sessions=ids, limit=limit))


def lately_given(reader: Reader, session: int, *, since: datetime, limit: int) -> list[Schedule]:
    """Those whose turn was given in a session since a moment, newest first."""
    since_us = to_us(since)
    return _many(reader.all(SQL["lately_given"], session=session, since=since_us, limit=limit))


def still_open(reader: Reader, *, limit: int = 1000) -> list[Schedule]:
    """Every active one, next first."""
    return _many(reader.all(SQL["open"], limit=limit))


def alike(reader: Reader, schedule: Schedule) -> list[Schedule]:
    """Active ones on the same subject in the same place, this one among them."""
    rows = reader.all(SQL["same"], target=schedule.target_id, kind=schedule.kind)
    subject = _folded(schedule.body)
    return [one for one in _many(rows) if _folded(one.body) == subject]


def count(reader: Reader, person: int) -> int:
    """How many active ones a person has."""
    row = reader.one(SQL["count"], owner=person)
    return int(row["n"]) if row else 0


def for_others(reader: Reader, person: int, *, since: datetime) -> int:
    """How many a person set for other people since a moment."""
    row = reader.one(SQL["for_others"], owner=person, since=to_us(since))
    return int(row["n"]) if row else 0


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)


def _many(rows: Iterable[Row]) -> list[Schedule]:
    return [Schedule.from_row(row) for row in rows]


def _moment(us: int | None) -> datetime | None:
    return from_us(us) if us is not None else None


def _stored(grid: Grid) -> str:
    return json.dumps(grid.as_data())


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


SHELF = Shelf(SQL["words"], SQL["blank"], SQL["blank_turns"], whole=SQL["whole"])


def touched(
    reader: Reader, *, people: Iterable[int], originals: Iterable[int], sessions: Iterable[int]
) -> list[int]:
    """What some people set, or some originals, or what was set or is given in some sessions."""
    wanted = {
        "people": listed(people),
        "originals": listed(originals),
        "sessions": listed(sessions),
    }
    return numbers(reader.all(SQL["touched"], **wanted))


def carriers(reader: Reader, ids: Iterable[int]) -> list[Row]:
    """The `original_id` and `input_id` of the turns of some."""
    return reader.all(SQL["carriers"], ids=listed(ids))


def given_to(reader: Reader, person: int) -> list[int]:
    """What others set for somebody and is still to come."""
    return numbers(reader.all(SQL["given_to"], person=person))
