"""Runs: one pass of the agent loop over a session's inputs.

queued ─► running ─► succeeded | failed | cancelled
   ▲         │ ├───► suspended ─► queued
   └─────────┘ its lease was lost            queued ─► cancelled
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from bot.engine.rations import Ration
from bot.errors import StaleState
from memory.db import Reader, Row, Tx, queries
from memory.erasing import MARK, Shelf, listed, numbers
from memory.moments import from_us

SQL = queries(__file__)

MAX_ATTEMPTS = 5  # starts of one run before it is given up
BACKGROUND = 50  # priorities from here on never hold a place a person waits for
ALL = 2**31  # more than anybody has places


class Priority:
    """Lower goes first."""

    PERSON = 10
    """A person waits for an answer."""
    NUDGE = 30
    """A handoff or a question of ours."""
    AGENCY = 50
    """The agency connects what was said."""
    MEMORY = 60
    """Facts are drawn."""
    IDLE = 90
    """The agency looks around because nothing else happens."""


class State(StrEnum):
    """Where a run stands."""

    QUEUED = "queued"
    """It starts when it is due and there is a place."""
    RUNNING = "running"
    """A process holds its lease."""
    SUSPENDED = "suspended"
    """It waits for somebody's approval."""
    SUCCEEDED = "succeeded"
    """It ended by itself."""
    FAILED = "failed"
    """It was given up."""
    CANCELLED = "cancelled"
    """What it was for went away."""


MOVES: dict[State, frozenset[State]] = {
    State.QUEUED: frozenset({State.RUNNING, State.CANCELLED}),
    State.RUNNING: frozenset(
        {State.SUCCEEDED, State.FAILED, State.CANCELLED, State.QUEUED, State.SUSPENDED}
    ),
    State.SUSPENDED: frozenset({State.QUEUED, State.CANCELLED}),
    State.SUCCEEDED: frozenset(),
    State.FAILED: frozenset(),
    State.CANCELLED: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as stored."""

    id: int
    session_id: int
    role: str
    state: State
    priority: int
    due_at: datetime
    attempts: int
    outcome: str
    """`spoken`, `declined`, `done` …; empty until it ended."""
    reason: str
    error: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    ration: Ration = Ration.UNSET
    """What it was given to think with."""
    claimed_by: str = ""
    """The process that carries it out."""

    @classmethod
    def from_row(cls, row: Row) -> Self:
        started, finished = row["started_at"], row["finished_at"]
        return cls(
            id=row["id"],
            session_id=row["session_id"],
            role=row["role"],
            state=State(row["state"]),
            priority=row["priority"],
            due_at=from_us(row["due_at"]),
            attempts=row["attempts"],
            outcome=row["outcome"],
            reason=row["reason"],
            error=row["error"],
            created_at=from_us(row["created_at"]),
            started_at=from_us(started) if started is not None else None,
            finished_at=from_us(finished) if finished is not None else None,
            ration=Ration(row["ration"]),
            claimed_by=row["claimed_by"],
        )


def queue(tx: Tx, session: int, role: str, *, priority: int, due_us: int, now_us: int) -> int:
    """Queue a run; the session must have no open one."""
    return tx.insert(
        SQL["queue"], session=session, role=role, priority=priority, due=due_us, now=now_us
    )


def open_of(reader: Reader, session: int) -> Run | None:
    """The queued or running run of a session; there is one at most."""
    row = reader.one(SQL["open_of"], session=session)
    return Run.from_row(row) if row else None


def merge(tx: Tx, run: int, *, priority: int, due_us: int) -> None:
    """More came for a queued run: it may become more pressing and wait for the burst to end."""
    tx.run(SQL["merge"], id=run, priority=priority, due=due_us)


def claim(
    tx: Tx, *, owner: str, now_us: int, lease_us: int, priorities: range, share: int = ALL
) -> Run | None:
    """Take the most pressing due run among some priorities; None when there is none.

    Of equally pressing ones the chat comes first for which the owner carries out the fewest, a chat
    and its threads counting as one; `share` is how many it may carry out for one chat.
    """
    found = tx.one(
        SQL["next"],
        owner=owner,
        now=now_us,
        lowest=priorities.start,
        below=priorities.stop,
        share=share,
    )
    if found is None:
        return None
    row = tx.one(SQL["claim"], id=found["id"], owner=owner, now=now_us, until=now_us + lease_us)
    return Run.from_row(row) if row else None


def carried_by(reader: Reader, owner: str) -> dict[int, int]:
    """The runs a process has claimed, and their priorities."""
    return {row["id"]: row["priority"] for row in reader.all(SQL["carried_by"], owner=owner)}


def renew(tx: Tx, run: int, *, owner: str, until_us: int) -> bool:
    """Keep a lease; False when it was lost."""
    return tx.run(SQL["renew"], id=run, owner=owner, until=until_us) == 1


def own(tx: Tx, run: Run) -> None:
    """Go on only with the claim that `run` came from: StaleState once it is another's."""
    owned = tx.one(SQL["owned"], id=run.id, owner=run.claimed_by, attempts=run.attempts)
    if owned is None:
        raise StaleState("run", run.id, State.RUNNING)


def settle(
    tx: Tx,
    run: int,
    to: State,
    *,
    outcome: str = "",
    reason: str = "",
    error: str = "",
    now_us: int,
) -> None:
    """End a running run; StaleState when it is no longer running."""
    if to not in MOVES[State.RUNNING] - {State.QUEUED, State.SUSPENDED}:
        raise ValueError(f"a run does not end as {to!r}")
    changed = tx.run(
        SQL["settle"], id=run, to=to, outcome=outcome, reason=reason, error=error, now=now_us
    )
    if changed != 1:
        raise StaleState("run", run, State.RUNNING)


def requeue(tx: Tx, run: int, *, due_us: int, error: str) -> bool:
    """Put a running run back in the queue; False when it is no longer running."""
    return tx.run(SQL["requeue"], id=run, due=due_us, error=error) == 1


def bring_near(tx: Tx, *, by_us: int, now_us: int, until_us: int) -> int:
    """The clock was set back: move what is due before a moment by so much; how many."""
    return tx.run(SQL["bring_near"], by=by_us, now=now_us, until=until_us)


def give(tx: Tx, run: int, ration: Ration) -> None:
    """Note what a run that starts has to think with."""
    tx.run(SQL["give"], id=run, ration=ration)


def put_back(tx: Tx, run: int, *, due_us: int) -> bool:
    """Let a run that was claimed and has not begun wait; the claim counts as no start."""
    return tx.run(SQL["put_back"], id=run, due=due_us) == 1


def rest(tx: Tx, run: int, *, owner: str, now_us: int) -> bool:
    """Let a run go on elsewhere, or later, because its process stops; False when it was lost."""
    return tx.run(SQL["rest"], id=run, owner=owner, now=now_us) == 1


def rest_all(tx: Tx, *, owner: str, now_us: int) -> int:
    """The same for all that a process holds, those it claimed last among them; how many."""
    return tx.run(SQL["rest_all"], owner=owner, now=now_us)


def hold(tx: Tx, run: int, *, error: str = "", tried: int = 0, begun: bool = False) -> bool:
    """Let a claimed run wait for its model; the claim counts as no start.

    `tried` grows with each outage's tries, so that another run asks next; `begun` when it was
    started, and goes on from what it did.
    """
    least = 1 if begun else 0
    return tx.run(SQL["hold"], id=run, error=error, held=1 + tried, least=least) == 1


def let_one_out(tx: Tx, *, now_us: int) -> bool:
    """One of those that wait for their model may ask it; False when none is due."""
    return tx.run(SQL["let_one_out"], now=now_us) == 1


def let_out_older(tx: Tx, *, than_us: int) -> int:
    """Whom people have waited for since before a moment may be claimed, to be given up."""
    return tx.run(SQL["let_out_older"], than=than_us, below=BACKGROUND)


def let_go_held(tx: Tx) -> int:
    """The model is back; how many waited for it."""
    return tx.run(SQL["let_go_held"])


def held(reader: Reader, *, limit: int = 500) -> list[Run]:
    """Those that wait for their model, oldest first."""
    return [Run.from_row(row) for row in reader.all(SQL["held"], limit=limit)]


def count_held(reader: Reader) -> int:
    """How many wait for their model."""
    row = reader.one(SQL["count_held"])
    return int(row["n"]) if row else 0


def let_go(tx: Tx, *, now_us: int) -> int:
    """What waits for another day may be tried now; how many runs there were."""
    return tx.run(SQL["let_go"], now=now_us)


def count_rationed(reader: Reader) -> int:
    """How many running runs think with a model that costs something."""
    row = reader.one(SQL["count_rationed"])
    return int(row["n"]) if row else 0


def suspend(tx: Tx, run: int) -> None:
    """Let a running run wait for somebody's word; StaleState when it is no longer running."""
    if tx.run(SQL["suspend"], id=run) != 1:
        raise StaleState("run", run, State.RUNNING)


def resume(tx: Tx, run: int, *, due_us: int) -> bool:
    """Queue a suspended run again, with all its tries; the session must have no open one."""
    return tx.run(SQL["resume"], id=run, due=due_us) == 1


def suspended(reader: Reader, session: int | None = None) -> list[Run]:
    """The runs of a session, or of all, that wait for somebody's word, oldest first."""
    return [Run.from_row(row) for row in reader.all(SQL["suspended"], session=session)]


def cancel_queued(tx: Tx, run: int, *, reason: str, now_us: int) -> bool:
    """Cancel a run that has not started; False when it has."""
    return tx.run(SQL["cancel_queued"], id=run, reason=reason, now=now_us) == 1


def abandon(tx: Tx, *, reason: str, now_us: int) -> list[int]:
    """Give up all that waits or goes on and could say something; memory runs only read."""
    rows = tx.all(SQL["abandon"], reason=reason, now=now_us)
    return sorted(int(row["id"]) for row in rows)


def lost(reader: Reader, *, now_us: int, owner: str | None = None) -> list[Run]:
    """Running runs whose lease ran out; with `owner`, all that somebody else holds."""
    rows = reader.all(SQL["lost"], now=now_us, owner=owner)
    return [Run.from_row(row) for row in rows]


def is_due(reader: Reader, *, now_us: int) -> bool:
    """Whether a run could begin now, were there a place for it."""
    return reader.one(SQL["is_due"], now=now_us) is not None


def next_due(reader: Reader, *, after_us: int) -> int | None:
    """When the next queued run becomes due after a moment, in stored form."""
    row = reader.one(SQL["next_due"], after=after_us)
    return row["at"] if row else None


def get(reader: Reader, id: int) -> Run:
    """One run; LookupError when there is none."""
    row = reader.one(SQL["by_id"], id=id)
    if row is None:
        raise LookupError(f"there is no run {id}")
    return Run.from_row(row)


def latest(
    reader: Reader, *, limit: int, role: str | None = None, before: int | None = None
) -> list[Run]:
    """The newest runs, newest first."""
    rows = reader.all(SQL["latest"], limit=limit, role=role, before=before or 2**62)
    return [Run.from_row(row) for row in rows]


def still_open(reader: Reader, *, limit: int) -> list[Run]:
    """Those that wait or go on, oldest first."""
    return [Run.from_row(row) for row in reader.all(SQL["still_open"], limit=limit)]


def after(reader: Reader, id: int, *, limit: int) -> list[Run]:
    """The runs behind one, in order."""
    return [Run.from_row(row) for row in reader.all(SQL["after"], id=id, limit=limit)]


def failed_lately(reader: Reader, *, limit: int, back: int = 2000) -> list[Run]:
    """Those among the last `back` runs that were given up, newest first."""
    rows = reader.all(SQL["failed_lately"], limit=limit, back=back)
    return [Run.from_row(row) for row in rows]


def count_open(reader: Reader) -> int:
    """How many wait or go on."""
    row = reader.one(SQL["count_open"])
    return int(row["n"]) if row else 0


def count_of(reader: Reader, session: int, *, limit: int) -> int:
    """How many runs a session had; counting stops at `limit`."""
    row = reader.one(SQL["count_of"], session=session, limit=limit)
    return int(row["n"]) if row else 0


SHELF = Shelf(SQL["words"], SQL["blank"], whole=SQL["whole"])


def of_sessions(reader: Reader, sessions: Iterable[int]) -> list[int]:
    """The runs of some sessions."""
    return numbers(reader.all(SQL["of_sessions"], sessions=listed(sessions)))


def under_way(reader: Reader) -> list[int]:
    """The runs somebody works on."""
    return numbers(reader.all(SQL["under_way"]))


def ended_of(reader: Reader, ids: Iterable[int]) -> list[int]:
    """Those of some runs that ended."""
    return numbers(reader.all(SQL["ended_of"], ids=listed(ids)))


def give_up(tx: Tx, id: int, *, now_us: int) -> bool:
    """Let a run not start or go on whose words are erased; False where it is under way or over."""
    return tx.run(SQL["give_up"], id=id, mark=MARK, now=now_us) == 1
