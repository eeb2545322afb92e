"""Keeps runs from storming a model that is away: they wait, and one asks for all of them.

failed ─► an outage? ─► runs are held ─► one is let out at `probe_at` ─► answered ─► all let go
"""

from datetime import datetime, timedelta

from bot.engine import outages, runs
from bot.engine.outages import Outage
from bot.engine.rations import Ration
from bot.engine.runs import Run
from bot.engine.waits import Bell, Clock
from bot.errors import ModelError, ModelRetry
from memory.db import Reader, Tx
from memory.moments import span_us, to_us

PAUSE = timedelta(seconds=5)  # before the second try; doubles up to PAUSE_LIMIT
PAUSE_LIMIT = timedelta(minutes=5)
LONGEST = timedelta(hours=1)  # an endpoint that names a longer time is asked after this one
PROBE = timedelta(minutes=10)  # a run that asks for all and comes to no end keeps it no longer
LIVELY = timedelta(minutes=1)  # one that answered so lately is not away because one call failed
IN_A_ROW = 3  # failures without an answer between them are no accident


class Held(Exception):
    """A run may not begin: the model is away, and another one asks."""

    def __init__(self, outage: Outage) -> None:
        super().__init__(f"the model is away since {outage.began_at:%Y-%m-%d %H:%M} UTC")
        self.outage = outage


class Outlasted(Exception):
    """A run has waited for its model as long as anybody wants to."""

    def __init__(self, outage: Outage) -> None:
        since = f"{outage.began_at:%Y-%m-%d %H:%M} UTC"
        super().__init__(f"the model has been away since {since}: {outage.error}")


class Breaker:
    """Knows from rows whether the model is away, and from what it sees whether it has gone away.

    `failed` and `answered` are what this process saw; everything else is of a transaction, so that
    several processes wait together and ask once.
    """

    def __init__(self, clock: Clock, bell: Bell, *, patience: timedelta) -> None:
        """Build it; who waits for longer than `patience` is told that it came to nothing."""
        self._clock = clock
        self._bell = bell
        self._patience = patience
        self._failures = 0
        self._answered: datetime | None = None

    def failed(self) -> bool:
        """A call failed; whether that alone shows that the model is away."""
        self._failures += 1
        lively = self._answered is not None and self._clock() - self._answered < LIVELY
        return not lively or self._failures >= IN_A_ROW

    def answered(self, tx: Tx) -> None:
        """The model answered: whoever waits goes on, in the order they came."""
        self._failures, self._answered = 0, self._clock()
        if outages.current(tx) is not None:
            outages.finish(tx, now_us=self._now())
            runs.let_go_held(tx)
            tx.on_commit(self._bell.ring)

    def look(self, tx: Tx) -> Outage | None:
        """The outage that goes on; where it is time to ask, one run is let out for that."""
        outage = outages.current(tx)
        if outage is not None and self._is_due(outage):
            runs.let_one_out(tx, now_us=self._now())
        return outage

    def admit(self, tx: Tx, outage: Outage, run: Run) -> None:
        """Let a run begin that asks for all, or needs no model; raises Held or Outlasted."""
        if run.ration is Ration.BUILTIN:
            return
        if self._is_due(outage):
            outages.probing(tx, outage.id, within_us=span_us(PROBE), now_us=self._now())
        elif self._outlasted(outage, run):
            raise Outlasted(outage)
        else:
            raise Held(outage)

    def note(self, tx: Tx, error: ModelError, *, away: bool) -> Outage | None:
        """Keep that a call failed; the outage it belongs to, None where it is the run's own."""
        words, after = str(error), error.after if isinstance(error, ModelRetry) else None
        outage = outages.current(tx)
        if outage is None:
            if not away:
                return None
            outages.begin(tx, words, pause_us=pause_us(0, after), now_us=self._now())
            return outages.current(tx)
        pause = pause_us(outage.probes + 1, after)
        outages.failed(tx, outage.id, words, pause_us=pause, now_us=self._now())
        runs.let_out_older(tx, than_us=self._now() - span_us(self._patience))
        return outages.current(tx)

    def next_look(self, reader: Reader) -> int | None:
        """When the model is asked again, in stored form; None where nobody waits for it."""
        outage = outages.current(reader) if runs.count_held(reader) else None
        return to_us(outage.probe_at) if outage else None

    def _is_due(self, outage: Outage) -> bool:
        ahead = to_us(outage.probe_at) - self._now()
        return ahead <= 0 or ahead > outage.pause_us  # the latter: the clock was set back

    def _outlasted(self, outage: Outage, run: Run) -> bool:
        waited = self._clock() - max(outage.began_at, run.created_at)
        return run.priority < runs.BACKGROUND and waited >= self._patience

    def _now(self) -> int:
        return to_us(self._clock())


def pause_us(probes: int, after: float | None) -> int:
    """How long a model that is away is left alone, after so many tries in vain."""
    grown = min(PAUSE_LIMIT, PAUSE * 2 ** min(probes, 16))
    return span_us(min(LONGEST, max(grown, timedelta(seconds=after or 0))))
