"""Wakes every open page: something was stored, someone is typing, the bot's inside changed."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Feed:
    """What pages wait for. Nothing here is kept over a restart."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Event] = set()
        self.thinking: frozenset[tuple[str, str | None]] = frozenset()
        """(room, thread) where an answer is being prepared."""
        self.inside = 0
        """Rises when the console may have changed."""
        self.closed = False

    @contextmanager
    def follow(self) -> Iterator[asyncio.Event]:
        """An event that is set on every change, for as long as a page is open."""
        woken = asyncio.Event()
        self._waiting.add(woken)
        try:
            yield woken
        finally:
            self._waiting.discard(woken)

    def wake(self) -> None:
        """Something was stored."""
        for woken in self._waiting:
            woken.set()

    def changed_inside(self) -> None:
        """The bot's inner life may look different now."""
        self.inside += 1
        self.wake()

    def think(self, room: str, thread: str | None, working: bool) -> None:
        """Show or clear the sign of an answer being prepared."""
        place = frozenset({(room, thread)})
        self.thinking = self.thinking | place if working else self.thinking - place
        self.wake()

    def close(self) -> None:
        """End every page's stream, so that the server can stop."""
        self.closed = True
        self.wake()
