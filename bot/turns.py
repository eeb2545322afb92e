"""Lets in so many at once, chats taking turns, so that a crowd from one chat holds up no other.

turn(chat) ─► at once, where there is room and its share is not used up ─► otherwise in its line
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Those of one chat go in the order they came; between chats it goes round."""

    def __init__(self, *, together: int, share: int) -> None:
        """Build it: so many at once, and of those so many of one chat."""
        self._together = together
        self._share = share
        self._inside: Counter[str] = Counter()
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """Those who wait, by chat; whose turn is next comes first."""
        self.busy = 0
        """How many are inside."""

    @property
    def waiting(self) -> int:
        """How many wait outside."""
        return sum(not turn.cancelled() for line in self._lines.values() for turn in line)

    def has(self, chat: str) -> bool:
        """Whether somebody of a chat is inside or waits."""
        return chat in self._inside or chat in self._lines

    @asynccontextmanager
    async def turn(self, chat: str) -> AsyncIterator[None]:
        """Wait for the turn of a chat, and hold it."""
        if chat in self._lines or not self._room_for(chat):
            await self._wait(chat)
        else:
            self._enter(chat)
        try:
            yield
        finally:
            self._leave(chat)

    def _room_for(self, chat: str) -> bool:
        return self.busy < self._together and self._inside[chat] < self._share

    def _enter(self, chat: str) -> None:
        self.busy += 1
        self._inside[chat] += 1

    def _leave(self, chat: str) -> None:
        self.busy -= 1
        self._inside[chat] -= 1
        if not self._inside[chat]:
            del self._inside[chat]
        self._let_in()

    async def _wait(self, chat: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(chat, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._leave(chat)  # it was let in and does not come
            raise

    def _let_in(self) -> None:
        while (chat := next(filter(self._room_for, self._lines), None)) is not None:
            line = self._lines[chat]
            turn = line.popleft()
            if not turn.cancelled():
                self._enter(chat)
                turn.set_result(None)
                self._lines.move_to_end(chat)
            if not line:
                del self._lines[chat]
