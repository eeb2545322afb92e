"""Waiting for a bell or a moment, on a clock that is handed in."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar

T = TypeVar("T")
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
        self._rung = False
        self._waiting: set[asyncio.Future[None]] = set()
        self._echo = echo

    def ring(self) -> None:
        """Wake the loop, or keep it from falling asleep."""
        self.wake()
        self._echo()

    def wake(self) -> None:
        """Ring as another process did; no echo."""
        self._rung = True
        for waiting in self._waiting:
            _end(waiting)

    def forget(self) -> None:
        """What has rung until now is known: about to look, a loop need not look again for it."""
        self._rung = False

    async def wait(self, seconds: float, sleep: Sleep) -> None:
        """Return at the ring or after so many seconds, whichever comes first."""
        if not self._rung and seconds > 0:
            # One future for both: a loop is woken in the very next turn of the event loop.
            woken = asyncio.get_running_loop().create_future()
            slept = asyncio.ensure_future(sleep(seconds))
            slept.add_done_callback(lambda _: _end(woken))
            self._waiting.add(woken)
            try:
                await woken
            finally:
                self._waiting.discard(woken)
                slept.cancel()
        self._rung = False


def _end(waiting: "asyncio.Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)


async def within(sleep: Sleep, seconds: float, doing: Awaitable[T]) -> T | None:
    """What something comes to; None, and it is cancelled, when that takes too long."""
    done = asyncio.ensure_future(doing)
    waited = asyncio.ensure_future(sleep(max(0.0, seconds)))
    try:
        await asyncio.wait({done, waited}, return_when=asyncio.FIRST_COMPLETED)
        return done.result() if done.done() else None
    finally:
        for task in (done, waited):
            task.cancel()
        await asyncio.gather(done, waited, return_exceptions=True)
