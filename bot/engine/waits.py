"""Waiting for a bell or a moment, on a clock that is handed in."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

Clock = Callable[[], datetime]
Sleep = Callable[[float], Awaitable[None]]

FULL_S = 5.0  # seconds before a loop tries a full disk again


def look_again(now: datetime, every: float) -> float:
    """Seconds until the next full span of `every` seconds: all loops look at the same moments."""
    return every - now.timestamp() % every


def silent() -> None:
    """Nobody else needs to hear."""


class Bell:
    """Wakes one waiting loop; rung early it is remembered."""

    def __init__(self, echo: Callable[[], None] = silent) -> None:
        """Make one; `echo` lets the same loop of other processes hear it."""
        self._event = asyncio.Event()
        self._echo = echo

    def ring(self) -> None:
        """Wake the loop, or keep it from falling asleep."""
        self._event.set()
        self._echo()

    def wake(self) -> None:
        """Ring as another process did; no echo."""
        self._event.set()

    def forget(self) -> None:
        """What has rung until now is known: about to look, a loop need not look again for it."""
        self._event.clear()

    async def wait(self, seconds: float, sleep: Sleep) -> None:
        """Return at the ring or after so many seconds, whichever comes first."""
        if not self._event.is_set() and seconds > 0:
            rung = asyncio.ensure_future(self._event.wait())
            slept = asyncio.ensure_future(sleep(seconds))
            try:
                await asyncio.wait({rung, slept}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                rung.cancel()
                slept.cancel()
                await asyncio.gather(rung, slept, return_exceptions=True)
        self._event.clear()
