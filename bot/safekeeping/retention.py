"""Clears away what is kept for a time only: at night, in small pieces, between all other writes.

traces · what finished fires carried · the log of the web chat · refusals · originals
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from itertools import takewhile

from agency import fires, grid
from bot import access
from bot.engine import inputs, letters, runs, traces
from bot.engine.waits import Clock
from bot.safekeeping import upgrades
from bot.web import deeds
from memory import originals
from memory.db import Reader, Tx, queries
from memory.moments import from_us, span_us, to_us

SQL = queries(__file__)

NIGHT = time(3, 30)  # in the team's zone
PAUSE = timedelta(milliseconds=250)  # between two pieces, which others write in
RUNS = 50  # of one piece
ROWS = 500  # of one piece, where they are small
LOG = timedelta(days=30)  # of the web chat's events, and of whom was said no to
_ENDED = frozenset({runs.State.SUCCEEDED, runs.State.FAILED, runs.State.CANCELLED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How long things stay; None means for ever."""

    originals: timedelta | None = None
    traces: timedelta | None = timedelta(days=90)
    """No longer than originals, whatever it says."""
    zone: tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """What a night came to, of one kind."""

    kind: str
    night: datetime
    done: bool
    passed: int
    """The last row that was looked at."""
    count: int
    at: datetime


@dataclass(frozen=True, slots=True)
class _Piece:
    passed: int
    count: int
    done: bool


_Clear = Callable[[Tx, int, datetime, datetime], _Piece]
"""Clears a piece: behind a row, from before a moment, at a moment."""


class Retention:
    """What an alarm does each night; every method belongs to a transaction."""

    def __init__(self, clock: Clock, *, settings: Settings) -> None:
        self._clock = clock
        self._zone = settings.zone
        derived = settings.traces
        if settings.originals is not None:  # which they repeat
            derived = min(derived or settings.originals, settings.originals)
        spans: dict[str, tuple[timedelta | None, _Clear]] = {
            "events of the web chat": (LOG, _events),
            "refusals": (LOG, _refusals),
            "steps of runs": (derived, _traces),
            "happenings": (derived, _fires),
            "messages": (settings.originals, _originals),
        }
        self._kinds = {
            kind: (span, clear) for kind, (span, clear) in spans.items() if span is not None
        }

    def due(self, reader: Reader) -> int | None:
        """When the next piece is to be cleared."""
        night = self._night()
        if self._next(reader, night) is None:
            return to_us(grid.next_daily(self._clock(), NIGHT, self._zone))
        touched = [to_us(one.at) for one in last(reader) if one.night >= night]
        return max(touched) + span_us(PAUSE) if touched else to_us(night)

    def act(self, tx: Tx) -> None:
        """Clear one piece."""
        night = self._night()
        kind = self._next(tx, night)
        if kind is None:
            return
        known = next((one for one in last(tx) if one.kind == kind), None)
        goes_on = known is not None and known.night == night
        span, clear = self._kinds[kind]
        now = self._clock()
        piece = clear(tx, known.passed if known else 0, now - span, now)
        tx.run(
            SQL["note"],
            kind=kind,
            night=to_us(night),
            done=piece.done,
            passed=piece.passed,
            cleared=piece.count + (known.count if known and goes_on else 0),
            now=to_us(now),
        )

    def _night(self) -> datetime:
        """The last one that began."""
        return grid.next_daily(self._clock() - timedelta(days=1), NIGHT, self._zone)

    def _next(self, reader: Reader, night: datetime) -> str | None:
        """The kind that is not done this night."""
        since = upgrades.since(reader)
        if since is None or since > night or self._clock() < night:
            return None  # a new database has nothing to clear
        known = {one.kind: one for one in last(reader)}
        for kind in self._kinds:
            one = known.get(kind)
            if one is None or one.night < night or not one.done:
                return kind
        return None


def last(reader: Reader) -> list[Cleared]:
    """What the last night came to, by kind."""
    return [
        Cleared(
            kind=row["kind"],
            night=from_us(row["night"]),
            done=bool(row["done"]),
            passed=row["passed"],
            count=row["cleared"],
            at=from_us(row["at"]),
        )
        for row in reader.all(SQL["all"])
    ]


def told(reader: Reader, clock: Callable[[datetime], str]) -> Iterator[str]:
    """What was cleared away last, on one line."""
    found = last(reader)
    if not found:
        yield "nothing yet"
        return
    counts = ", ".join(f"{one.count} {one.kind}" for one in found if one.count) or "nothing to do"
    busy = "" if all(one.done for one in found) else "; goes on"
    yield f"{clock(max(one.at for one in found))}: {counts}{busy}"


def _traces(tx: Tx, passed: int, before: datetime, _: datetime) -> _Piece:
    # In order, up to the first that is not old enough: none is passed over that is still open.
    found = runs.after(tx, passed, limit=RUNS)
    old = list(takewhile(lambda run: _over(run, before), found))
    count = traces.clear(tx, [run.id for run in old]) if old else 0
    return _Piece(old[-1].id if old else passed, count, done=len(old) < RUNS)


def _over(run: runs.Run, before: datetime) -> bool:
    return run.state in _ENDED and (run.finished_at or run.created_at) < before


def _fires(tx: Tx, passed: int, before: datetime, _: datetime) -> _Piece:
    found = fires.after(tx, passed, limit=ROWS)
    kept = (fires.State.CONSUMED, fires.State.DEAD)  # what is dead waits for a person, as it is
    old = list(takewhile(lambda one: one.state in kept and one.created_at < before, found))
    count = fires.clear(tx, [one.id for one in old]) if old else 0
    return _Piece(old[-1].id if old else passed, count, done=len(old) < ROWS)


def _events(tx: Tx, passed: int, before: datetime, _: datetime) -> _Piece:
    count = deeds.clear_events(tx, until=to_us(before), limit=ROWS)
    return _Piece(passed, count, done=count < ROWS)


def _refusals(tx: Tx, passed: int, before: datetime, _: datetime) -> _Piece:
    count = access.clear_refusals(tx, before=before.date(), limit=ROWS)
    return _Piece(passed, count, done=count < ROWS)


def _originals(tx: Tx, passed: int, before: datetime, now: datetime) -> _Piece:
    found = originals.received(tx, passed, limit=RUNS)
    old = [id for id, _ in takewhile(lambda one: one[1] < to_us(before), found)]
    if not old:
        return _Piece(passed, 0, done=True)
    count = originals.let_go(tx, old, now_us=to_us(now))
    inputs.clear(tx, old)
    letters.clear(tx, old, originals.NO_LONGER_KEPT)
    return _Piece(old[-1], count, done=len(old) < RUNS)
