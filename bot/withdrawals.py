"""A message is taken back: nothing that rests on it is said, kept or done any more."""

from collections.abc import Iterable

from agency import approvals, handoffs, waits
from bot import leftovers
from bot.engine import inputs, letters, runs
from bot.engine.waits import Clock
from bot.speaking import Speaking
from bot.standing import stands
from bot.timed.keeping import Keeping
from memory import facts, originals
from memory.db import Tx
from memory.moments import to_us
from memory.originals import Original


class Withdrawals:
    """Undoes what messages led to; every method belongs to a transaction."""

    def __init__(self, speaking: Speaking, keeping: Keeping, clock: Clock) -> None:
        self._speaking = speaking
        self._keeping = keeping
        self._clock = clock

    def recall(self, tx: Tx, original: Original) -> int | None:
        """Take a message out of sight; how many facts went with it, None if it was gone before."""
        now_us = to_us(self._clock())
        if original.address is None:
            return None
        if originals.recall(tx, original.address, now_us=now_us) is None:
            return None
        readers = leftovers.readers(tx, original)
        forgotten = facts.forget_source(tx, original.id)
        facts.forget_summary(tx, original.session_id, original.id)
        self._speaking.withdraw_resting_on(tx, original.id, "a message it rests on was recalled")
        waits.drop_of(tx, original.id, "it was taken back", now=self._clock())
        self._keeping.recalled(tx, original.id)
        answering = (one.run_id for one in inputs.of_original(tx, original.id))
        self._unsay(tx, {*filter(None, answering), *handoffs.readers_of(tx, original.id)}, now_us)
        for given in inputs.of_original(tx, original.id):
            if inputs.withdraw(tx, given.id) and not inputs.waiting(tx, original.session_id):
                self._cancel_queued(tx, original.session_id, now_us)
        leftovers.forget(tx, original, readers, now_us=now_us)
        return forgotten

    def edited(self, tx: Tx, original: int) -> None:
        """Drop the news that rests on older words; an answer to them is still one."""
        self._speaking.withdraw_resting_on(tx, original, "a message it rests on was edited")
        self._keeping.edited(tx, original)
        self._unsay(tx, handoffs.readers_of(tx, original), to_us(self._clock()))

    def _unsay(self, tx: Tx, by: Iterable[int], now_us: int) -> None:
        """Post nothing that runs have written for this message alone, or of what rests on it."""
        for run in by:
            if any(stands(tx, one) for one in inputs.of_run(tx, run)):
                continue  # somebody else waits for those words
            for wanted in approvals.of_run(tx, run):
                approvals.withdraw(tx, wanted.id, note="no longer wanted", now_us=now_us)
            for said in letters.withdraw_of_run(tx, run, now_us=now_us):
                originals.unsay(tx, said, now_us=now_us)
                facts.forget_source(tx, said)

    def _cancel_queued(self, tx: Tx, session: int, now_us: int) -> None:
        run = runs.open_of(tx, session)
        if run is None or run.state is not runs.State.QUEUED:
            return
        if not inputs.of_run(tx, run.id):  # one that starts again may owe other answers
            runs.cancel_queued(tx, run.id, reason="the message was recalled", now_us=now_us)
