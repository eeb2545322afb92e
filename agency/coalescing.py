"""When pending fires wake the agency: never one run a message.

a quiet window after the last fire · at most a maximum wait after the first ·
early, a few seconds after something pressing, so that a correction can still arrive
"""

from dataclasses import dataclass
from datetime import timedelta

from agency import fires
from memory.db import Reader
from memory.moments import span_us


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How patient the agency is."""

    quiet_window: timedelta = timedelta(seconds=20)
    """No fire for so long wakes it."""
    max_wait: timedelta = timedelta(minutes=2)
    """Nothing waits longer than this."""
    early_wake: timedelta = timedelta(seconds=3)
    """How long something pressing settles."""
    urgent: float = 0.7
    """The salience from which a fire is pressing."""
    batch: int = 200
    """Fires a run is given at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The pending fires, as far as the decision needs them; times in stored form."""

    oldest: int | None
    """The first fire that may cause a wake."""
    newest: int | None
    urgent: int | None
    """The first pressing one."""
    passive: int | None
    """The first of those that only ride along."""
    heartbeat: bool


def waiting(reader: Reader, settings: Settings) -> Waiting:
    """Look at the pending fires."""
    rows = fires.pending_by_kind(reader, urgent=settings.urgent)
    active = [r for r in rows if fires.Kind(r["kind"]) not in fires.PASSIVE]
    passive = [r["oldest"] for r in rows if fires.Kind(r["kind"]) in fires.PASSIVE]
    news = [r for r in active if r["kind"] != fires.Kind.HEARTBEAT]
    return Waiting(
        oldest=min((r["oldest"] for r in news), default=None),
        newest=max((r["newest"] for r in news), default=None),
        urgent=min((r["urgent"] for r in news if r["urgent"] is not None), default=None),
        passive=min(passive, default=None),
        heartbeat=len(active) > len(news),
    )


def due(waiting: Waiting, settings: Settings, *, now_us: int) -> int | None:
    """When to wake the agency, in stored form; None while nothing can cause a wake."""
    if waiting.heartbeat:
        return now_us
    times = []
    if waiting.newest is not None and waiting.oldest is not None:
        times.append(waiting.newest + span_us(settings.quiet_window))
        times.append(waiting.oldest + span_us(settings.max_wait))
    if waiting.urgent is not None:
        times.append(waiting.urgent + span_us(settings.early_wake))
    if waiting.passive is not None:
        times.append(waiting.passive + 5 * span_us(settings.max_wait))
    return min(times, default=None)
