"""The one entry for everything that enters a session.

idle ─► a queued run        queued ─► merged into it        running ─► steered into it
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from bot.engine import inputs, runs
from bot.engine.inputs import Entry
from memory.db import Tx
from memory.moments import span_us, to_us


class Delivery(StrEnum):
    """What became of an entry."""

    QUEUED = "queued"
    """A run was queued for it."""
    MERGED = "merged"
    """It joined the run that was queued."""
    STEERED = "steered"
    """The running agent sees it at its next step."""
    OBSERVED = "observed"
    """It asked for no run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """Where an entry went."""

    input_id: int
    delivery: Delivery
    run_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How bursts are joined."""

    debounce: timedelta = timedelta(milliseconds=600)
    """A run starts this long after the last message of a burst."""
    debounce_limit: timedelta = timedelta(seconds=3)
    """But no later than this after the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Want:
    """The run an entry asks for."""

    role: str = "conversation"
    priority: int = runs.Priority.PERSON
    due: datetime | None = None
    """Not before this; None joins bursts by the debounce."""


class SessionController:
    """Delivers entries by the state of their session; every call belongs to a transaction."""

    def __init__(
        self, clock: Callable[[], datetime], on_queued: Callable[[], None], *, settings: Settings
    ) -> None:
        self._clock = clock
        self._on_queued = on_queued
        self._settings = settings
        self.begin: Callable[[Tx], None] | None = None
        """Begins what is due, in the transaction that made it so; None where none are begun."""

    def submit_input(self, tx: Tx, entry: Entry, want: Want | None = None) -> Submitted | None:
        """Store an entry and see to its run; None when it is a repeat.

        One transaction at a time writes, so this needs no lock of its own.
        """
        want = want or Want()
        now_us = to_us(self._clock())
        input_id = inputs.add(tx, entry, now_us=now_us)
        if input_id is None:
            return None
        if not entry.wakes:
            return Submitted(input_id=input_id, delivery=Delivery.OBSERVED, run_id=None)
        delivery, run_id = self._deliver(tx, entry.session_id, want, now_us)
        return Submitted(input_id=input_id, delivery=delivery, run_id=run_id)

    def run_for_waiting(self, tx: Tx, session: int, want: Want | None = None) -> None:
        """Queue a run for inputs that were left behind by one that died."""
        if inputs.waiting(tx, session) and runs.open_of(tx, session) is None:
            self._deliver(tx, session, want or Want(), to_us(self._clock()))

    def put_off(self, tx: Tx, run: runs.Run, due: datetime) -> None:
        """Let a queued run wait until a moment, or start at once when that has come."""
        runs.merge(tx, run.id, priority=run.priority, due_us=to_us(due))
        self._queued(tx, to_us(due))

    def _deliver(self, tx: Tx, session: int, want: Want, now_us: int) -> tuple[Delivery, int]:
        current = runs.open_of(tx, session)
        settles = now_us + span_us(self._settings.debounce)
        if current is None:
            due = to_us(want.due) if want.due else settles
            run = runs.queue(
                tx, session, want.role, priority=want.priority, due_us=due, now_us=now_us
            )
            self._queued(tx, due)
            return Delivery.QUEUED, run
        if current.state is runs.State.RUNNING:
            return Delivery.STEERED, current.id
        due = self._merged_due(current, want, settles)
        runs.merge(tx, current.id, priority=want.priority, due_us=due)
        self._queued(tx, due)
        return Delivery.MERGED, current.id

    def _queued(self, tx: Tx, due_us: int) -> None:
        """Have a run begun in the commit that makes it due, or looked for when it will be."""
        begin = self.begin  # the event loop may take it away meanwhile
        if begin is not None and due_us <= to_us(self._clock()):
            tx.at_end(begin)
        else:
            tx.on_commit(self._on_queued)

    def _merged_due(self, current: runs.Run, want: Want, settles: int) -> int:
        due = to_us(current.due_at)
        if current.attempts:
            return due  # its model is away: asking sooner would not help
        if want.due is not None:
            return min(due, to_us(want.due))
        limit = to_us(current.created_at) + span_us(self._settings.debounce_limit)
        return min(settles, max(limit, to_us(self._clock())))
