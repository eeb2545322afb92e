"""A clock that only moves when it is told to, for stories and tests.

The house runs on it as on the real one: every sleep is a deadline, and `pass_time` jumps from one
to the next as soon as nothing is left to do before it.
"""

import asyncio
import heapq
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count

from bot.engine.waits import Sleep

CALM = 12  # turns of the loop without work after which nothing more is to come


class VirtualClock:
    """Both the `clock` and the `sleep` of a house."""

    def __init__(self, start: datetime) -> None:
        self._now = start
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._order = count()

    def __call__(self) -> datetime:
        """The present moment."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Return once the clock was moved so far."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        deadline = self._now + timedelta(seconds=max(0.0, seconds))
        heapq.heappush(self._sleepers, (deadline, next(self._order), future))
        await future

    def skip(self, span: timedelta) -> None:
        """Let time pass in no time, as for a machine that slept: who was due in it wakes late."""
        self._now += span

    def set(self, span: timedelta) -> None:
        """Set the clock forward or back: who sleeps does so for as long as before."""
        self._now += span
        self._sleepers = [(due + span, number, woken) for due, number, woken in self._sleepers]

    async def pass_time(self, until: datetime, *, busy: Callable[[], bool], breathe: Sleep) -> None:
        """Move to a moment, stopping at every deadline until what it woke has come to rest.

        `busy` tells whether work is going on; `breathe` is the real sleep, for the loop's turns.
        """
        while True:
            await settle(busy, breathe)
            deadline = self._next_deadline()
            if deadline is None or deadline > until:
                self._now = max(self._now, until)
                return
            self._now = max(self._now, deadline)
            self._wake()

    def _next_deadline(self) -> datetime | None:
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    def _wake(self) -> None:
        while self._sleepers and self._sleepers[0][0] <= self._now:
            _, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                future.set_result(None)


async def settle(busy: Callable[[], bool], breathe: Sleep) -> None:
    """Return once nothing has been going on for a few turns of the loop."""
    calm = 0
    while calm < CALM:
        working = busy()
        calm = 0 if working else calm + 1
        await breathe(0.001 if working else 0)
