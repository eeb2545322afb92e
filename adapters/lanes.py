"""Things of one key one after the other as they came; keys do not wait for each other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Lanes:
    """A lane for every key that anybody is in."""

    def __init__(self) -> None:
        self._lanes: dict[str, tuple[asyncio.Lock, int]] = {}
        """With how many are in it."""

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Wait for the turn in a lane, and hold it."""
        lock, inside = self._lanes.get(key, (asyncio.Lock(), 0))
        self._lanes[key] = (lock, inside + 1)
        try:
            async with lock:
                yield
        finally:
            lock, inside = self._lanes.pop(key)
            if inside > 1:
                self._lanes[key] = (lock, inside - 1)
