"""Notices that the clock was set back, and brings near what is due in a moment by the old one.

Whatever waits for a date goes by the new clock: that is what it was set for. What waits for seconds
or minutes (a burst to end, a second try, a quiet while) would otherwise wait for hours.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from agency import fires, handoffs
from bot.engine import letters, runs, sessions
from bot.engine.waits import Bell, Clock, Sleep, look_again
from memory import files
from memory.db import Database, Reader, Tx
from memory.errors import StorageFull
from memory.moments import span_us, to_us

logger = logging.getLogger(__name__)

LOOK_S = 30.0  # seconds between two looks
STEP = timedelta(seconds=2)  # smaller ones do no harm
NEAR = timedelta(minutes=15)  # what is due later than so is due at a date
JUMP = timedelta(minutes=2)  # forward, worth a line in the log


class Timekeeper:
    """Compares how long it slept with what the clock says, until cancelled."""

    def __init__(
        self, db: Database, clock: Clock, sleep: Sleep, *, bells: Sequence[Bell] = ()
    ) -> None:
        self._db = db
        self._clock = clock
        self._sleep = sleep
        self._bells = bells

    async def run(self) -> None:
        """Look for ever; first whether the clock was set back since the last process ran."""
        newest = await self._db.read(_newest)
        seen = self._clock() if newest is None else max(newest, self._clock())
        while True:
            now = self._clock()
            if seen - now >= STEP and not await self._set_back(seen - now):
                await self._sleep(STEP.total_seconds())
                continue
            if now - seen >= JUMP:
                logger.warning("the clock went forward by %s, or this machine slept", now - seen)
                self._ring()
            pause = look_again(now, LOOK_S)
            await self._sleep(pause)
            seen = now + timedelta(seconds=pause)

    async def _set_back(self, by: timedelta) -> bool:
        """Bring near what was near; False when the disk is full."""
        logger.warning("the clock was set back by %s; what was about to be done is done", by)
        try:
            await self._db.write(bring_near, by=by, now=self._clock())
        except StorageFull as error:
            logger.error("what is due waits for the old time: %s", error)
            return False
        self._ring()
        return True

    def _ring(self) -> None:
        for bell in self._bells:
            bell.wake()


def bring_near(tx: Tx, *, by: timedelta, now: datetime) -> None:
    """Move what is due within minutes of the old time to within minutes of the new one."""
    now_us, by_us = to_us(now), span_us(by)
    until_us = now_us + by_us + span_us(NEAR)
    for move in (runs.bring_near, letters.bring_near, handoffs.bring_near, files.bring_near):
        move(tx, by_us=by_us, now_us=now_us, until_us=until_us)
    fires.bring_near(tx, now_us=now_us)
    sessions.bring_near(tx, now_us=now_us)


def _newest(reader: Reader) -> datetime | None:
    """The last moment something was said at."""
    last = sessions.recent(reader, limit=1)
    return last[0].last_at if last else None
