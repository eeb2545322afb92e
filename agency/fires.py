"""Fires: a durable copy of everything that happened in a session, queued for the agency.

pending ─► submitted | merged | steered ─► consumed       pending ─► consumed, set aside
   ▲                     │
   └──── its run died ───┴──► dead, after MAX_ATTEMPTS
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us

SQL = queries(__file__)
_encode = json.JSONEncoder(ensure_ascii=False).encode  # made once: dumps makes one for each call

MAX_ATTEMPTS = 3  # runs that may die with a fire before it is put aside for a person


class Kind(StrEnum):
    """What happened."""

    MESSAGE = "message_observed"
    """A person said something in a session."""
    OUTPUT = "run_output_observed"
    """The bot said something in a session."""
    MEMORY = "memory_session_completed"
    """Facts were drawn from a burst of talk."""
    HEARTBEAT = "heartbeat"
    """Nothing happened for a while."""
    REPORT = "report"
    """What became of something the agency started."""
    INTENTION = "intention"
    """A deferred opportunity became ripe."""


PRIORITY = {
    Kind.MESSAGE: 20,
    Kind.OUTPUT: 25,
    Kind.INTENTION: 28,
    Kind.MEMORY: 30,
    Kind.REPORT: 40,
    Kind.HEARTBEAT: 90,
}
"""Lower goes first."""

PASSIVE = frozenset({Kind.MEMORY, Kind.REPORT})
"""Kinds that ride along with the next wake instead of causing one of their own."""


class State(StrEnum):
    """How far the agency has come with a fire."""

    PENDING = "pending"
    """Waits for the next wake."""
    SUBMITTED = "submitted"
    """Given to a run made for it."""
    MERGED = "merged"
    """Added to a run that was queued already."""
    STEERED = "steered"
    """Put into a run that was going on."""
    CONSUMED = "consumed"
    """That run succeeded."""
    DEAD = "dead"
    """Its runs died too often; a person may retry it."""


HANDED = frozenset({State.SUBMITTED, State.MERGED, State.STEERED})
MOVES: dict[State, frozenset[State]] = {
    State.PENDING: HANDED | {State.CONSUMED},
    **{state: frozenset({State.CONSUMED, State.PENDING, State.DEAD}) for state in HANDED},
    State.CONSUMED: frozenset(),
    State.DEAD: frozenset({State.PENDING}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fire:
    """One thing that happened."""

    id: int
    kind: Kind
    session_id: int | None
    run_id: int | None
    original_id: int | None
    payload: dict[str, Any]
    salience: float
    origin: str
    hop: int
    state: State
    attempts: int
    agency_run_id: int | None
    error: str
    created_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            kind=Kind(row["kind"]),
            session_id=row["session_id"],
            run_id=row["run_id"],
            original_id=row["original_id"],
            payload=json.loads(row["payload"]),
            salience=row["salience"] or 0.0,
            origin=row["origin"],
            hop=row["hop"],
            state=State(row["state"]),
            attempts=row["attempts"],
            agency_run_id=row["agency_run_id"],
            error=row["error"],
            created_at=from_us(row["created_at"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something to be put before the agency."""

    kind: Kind
    key: str
    """The same for the same happening, for ever."""
    session_id: int | None = None
    run_id: int | None = None
    original_id: int | None = None
    payload: dict[str, Any] = field(default_factory=dict)
    salience: float | None = 0.0
    """0 to 1: how likely it matters elsewhere; None leaves it to be read from its original."""
    origin: str = ""
    """What of the agency's own caused it; empty for news."""
    hop: int = 0


def observe(tx: Tx, event: Event, *, now_us: int) -> int | None:
    """Queue an event; None when its key is already known."""
    row = tx.one(
        SQL["observe"],
        kind=event.kind,
        session=event.session_id,
        run=event.run_id,
        original=event.original_id,
        payload=_encode(event.payload) if event.payload else "{}",
        key=event.key,
        priority=PRIORITY[event.kind],
        salience=event.salience,
        origin=event.origin,
        hop=event.hop,
        now=now_us,
    )
    return int(row["id"]) if row else None


def unread(reader: Reader, *, limit: int) -> list[tuple[int, int]]:
    """The oldest fires whose words nobody has weighed: (fire, original)."""
    return [(row["id"], row["original_id"]) for row in reader.all(SQL["unread"], limit=limit)]


def weigh(tx: Tx, saliences: Mapping[int, float]) -> None:
    """Note how likely each of some fires matters elsewhere."""
    for id, salience in saliences.items():
        tx.run(SQL["weigh"], id=id, salience=salience)


def pending(reader: Reader, *, limit: int) -> list[Fire]:
    """The fires to hand over next, most pressing first."""
    return [Fire.from_row(row) for row in reader.all(SQL["pending"], limit=limit)]


def bring_near(tx: Tx, *, now_us: int) -> int:
    """The clock was set back: nothing happened later than now."""
    return tx.run(SQL["bring_near"], now=now_us)


def hand_over(tx: Tx, ids: Iterable[int], *, run: int, how: State) -> None:
    """Give pending fires to an agency run; one that is no longer pending stays as it is."""
    if how not in HANDED:
        raise ValueError(f"fires are handed over as one of {sorted(HANDED)!r}, got {how!r}")
    for id in ids:
        tx.run(SQL["hand_over"], id=id, run=run, how=how)


def set_aside(tx: Tx, *, now_us: int) -> int:
    """Let news that was weighed rest, where relaying it is nobody's duty; how much there was."""
    return tx.run(SQL["set_aside"], now=now_us)


def lay_down(tx: Tx, reason: str, *, now_us: int) -> int:
    """Be done with all that waits or is in hand, without a run; how many there were."""
    return tx.run(SQL["lay_down"], error=reason, now=now_us)


def consume(tx: Tx, run: int, *, now_us: int) -> int:
    """The run succeeded: its fires are done. How many."""
    return tx.run(SQL["consume"], run=run, now=now_us)


def release(tx: Tx, run: int, error: str, *, now_us: int) -> int:
    """The run died: its fires wait again, or are put aside after too many tries. How many."""
    tx.run(SQL["bury"], run=run, error=error, limit=MAX_ATTEMPTS, now=now_us)
    return tx.run(SQL["release"], run=run, error=error)


def retry(tx: Tx, id: int) -> bool:
    """Give a dead fire a fresh start; False when it is not dead."""
    return tx.run(SQL["retry"], id=id) == 1


def retry_all(tx: Tx) -> int:
    """Give every dead fire a fresh start; how many there were."""
    return tx.run(SQL["retry_all"])


def of_run(reader: Reader, run: int) -> list[Fire]:
    """The fires an agency run was given, in the order things happened."""
    return [Fire.from_row(row) for row in reader.all(SQL["of_run"], run=run)]


def find(reader: Reader, id: int) -> Fire | None:
    """One fire, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return Fire.from_row(row) if row else None


def pending_by_kind(reader: Reader, *, urgent: float) -> list[Row]:
    """Of each kind that waits: `kind`, `n`, `oldest`, `newest`, and the first `urgent` one.

    A fire is urgent from that salience on; times are in stored form.
    """
    return reader.all(SQL["waiting"], urgent=urgent)


def heartbeats(reader: Reader, *, limit: int) -> list[Fire]:
    """The last times the agency looked around by itself, newest first."""
    return [Fire.from_row(row) for row in reader.all(SQL["heartbeats"], limit=limit)]


def newest_at(reader: Reader) -> int | None:
    """When anything but a heartbeat last happened, in stored form."""
    row = reader.one(SQL["newest"])
    return row["created_at"] if row else None


def of_original(reader: Reader, original: int) -> list[Fire]:
    """The fires an original caused."""
    return [Fire.from_row(row) for row in reader.all(SQL["of_original"], original=original)]


def latest(reader: Reader, *, limit: int, before: int | None = None) -> list[Fire]:
    """The newest fires of any state, newest first."""
    return [
        Fire.from_row(r) for r in reader.all(SQL["latest"], limit=limit, before=before or 2**62)
    ]


def counts(reader: Reader) -> dict[State, int]:
    """How many fires wait, are in hand, or are dead; finished ones are not counted."""
    return {State(row["state"]): row["n"] for row in reader.all(SQL["counts"])}


def backlog(reader: Reader) -> dict[State, tuple[int, int]]:
    """The same with the moment the oldest of each came in, in stored form."""
    return {State(row["state"]): (row["n"], row["oldest"]) for row in reader.all(SQL["backlog"])}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many fires of a kind a run was given."""

    kind: Kind
    count: int
    salience: float
    """The highest of them."""


def tally(reader: Reader, run: int) -> list[Tally]:
    """What an agency run was given, by kind."""
    return [
        Tally(kind=Kind(row["kind"]), count=row["n"], salience=row["salience"])
        for row in reader.all(SQL["tally"], run=run)
    ]


def sessions_of_run(reader: Reader, run: int) -> list[int | None]:
    """Where what an agency run was given had happened; None for what happened nowhere."""
    return [row["session_id"] for row in reader.all(SQL["sessions_of_run"], run=run)]


def dead(reader: Reader, *, limit: int) -> list[Fire]:
    """The newest of those that wait for a person to retry them."""
    return [Fire.from_row(row) for row in reader.all(SQL["dead"], limit=limit)]


def after(reader: Reader, id: int, *, limit: int) -> list[Fire]:
    """The fires behind one, in order."""
    return [Fire.from_row(row) for row in reader.all(SQL["after"], id=id, limit=limit)]


def clear(tx: Tx, ids: Iterable[int]) -> int:
    """Let go of what some finished fires carried; how many carried anything."""
    return tx.run(SQL["clear"], ids=listed(ids))


def noticed(reader: Reader, *, since_us: int, until_us: int) -> dict[int | None, int]:
    """How much of what happened between two moments came before the agency, by session."""
    rows = reader.all(SQL["noticed"], since=since_us, until=until_us)
    return {row["session_id"]: row["n"] for row in rows}


SHELF = Shelf(SQL["words"], SQL["blank"])


def touched(
    reader: Reader, *, originals: Iterable[int], sessions: Iterable[int], runs: Iterable[int]
) -> list[int]:
    """The fires that some originals, sessions or runs caused."""
    wanted = {"originals": listed(originals), "sessions": listed(sessions), "runs": listed(runs)}
    return numbers(reader.all(SQL["touched"], **wanted))


def readers(reader: Reader, ids: Iterable[int]) -> list[int]:
    """The agency runs that were given some fires."""
    return numbers(reader.all(SQL["readers"], ids=listed(ids)))
