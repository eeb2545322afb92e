"""Weighs what was said once it is stored: how likely it matters elsewhere.

Reading takes longer than storing, and a message must not wait for it to be acknowledged.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from adapters.quotes import own_words
from agency import fires, salience
from bot.engine.leases import Store
from bot.engine.waits import FULL_S, Bell, Sleep
from memory import originals
from memory.db import Reader, Tx
from memory.errors import StorageFull
from memory.originals import Original

logger = logging.getLogger(__name__)

POLL_S = 60.0  # seconds; the bell rings sooner
BATCH = 64  # messages read at once
SLICE = 8  # of them weighed at a stretch: whoever waits for an answer comes in between
SIGNS = 4000  # of a message that are read
REST_S = 0.05  # seconds: what comes together is read together, after whoever is answered at once


class Listener:
    """Reads the words of new fires, and rings the agency's bell, until cancelled."""

    def __init__(
        self,
        db: Store,
        sleep: Sleep,
        *,
        bell: Bell,
        weighed: Bell,
        then: Callable[[list[Original]], Awaitable[None]] | None = None,
        rest: Callable[[Tx], None] | None = None,
        score: Callable[[str], float] = salience.score,
        give_way: Callable[[], object] = bool,
    ) -> None:
        """Build it: `then` is told what is new, `rest` is called once that is weighed.

        `give_way` is called between two messages: it lets whoever is answered go first.
        """
        self._db = db
        self._sleep = sleep
        self._weighed = weighed
        self._then = then
        self._rest = rest
        self._score = score
        self._give_way = give_way
        self.bell = bell
        self.busy = False
        """Whether something is being read now."""

    async def run(self) -> None:
        """What a crash left unread is read first; until then it counts as ordinary."""
        if self._rest is not None:
            await self._db.write(self._rest)
        while True:
            self.bell.forget()
            if not await self._db.read(fires.unread, limit=1):
                await self.bell.wait(POLL_S, self._sleep)
                continue
            await self._sleep(REST_S)
            if not await self._read(await self._db.read(_unread)):
                await self._sleep(FULL_S)
            self._weighed.ring()

    async def _read(self, said: dict[int, Original | None]) -> bool:
        """Weigh what was said; False when the disk is full."""
        self.busy = True
        try:
            fresh = list(said.items())
            weights: dict[int, float] = {}
            for start in range(0, len(fresh), SLICE):
                weights |= await self._read_some(dict(fresh[start : start + SLICE]))
            await self._db.write(self._keep, weights)
        except StorageFull as error:
            logger.error("what was said stays unweighed: %s", error)
            return False
        finally:
            self.busy = False
        return True

    async def _read_some(self, said: dict[int, Original | None]) -> dict[int, float]:
        texts = {fire: _words(original) for fire, original in said.items()}
        if self._then is not None:  # first: what is weighed is not looked at again
            await self._then([one for one in said.values() if one is not None])
        return await asyncio.to_thread(self._weigh, texts)

    def _keep(self, tx: Tx, saliences: dict[int, float]) -> None:
        fires.weigh(tx, saliences)
        if self._rest is not None:
            self._rest(tx)

    def _weigh(self, said: dict[int, str]) -> dict[int, float]:
        weights = {}
        for fire, text in said.items():
            self._give_way()
            weights[fire] = self._weight(fire, text)
        return weights

    def _weight(self, fire: int, text: str) -> float:
        try:
            return self._score(text)
        except Exception:
            # Whatever somebody says stops nothing: what cannot be read counts as ordinary.
            logger.exception("the words of fire %d could not be weighed", fire)
            return 0.0


def _unread(reader: Reader) -> dict[int, Original | None]:
    return {fire: originals.find(reader, id) for fire, id in fires.unread(reader, limit=BATCH)}


def _words(original: Original | None) -> str:
    return own_words(original.body)[:SIGNS] if original else ""
