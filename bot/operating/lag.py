"""How late the event loop is: what holds it up holds up everybody."""

import asyncio
from collections import deque

EVERY_S = 2.0  # seconds from one measure to the next
KEPT = 30  # measures, a minute of them


class Lag:
    """Measures from `start` to `stop`."""

    def __init__(self, every_s: float = EVERY_S) -> None:
        self._every_s = every_s
        self._measures: deque[float] = deque(maxlen=KEPT)
        self._next: asyncio.TimerHandle | None = None

    @property
    def worst_s(self) -> float:
        """The worst of the last minute."""
        return max(self._measures, default=0.0)

    def start(self) -> None:
        """Ask the running loop for the first call."""
        loop = asyncio.get_running_loop()
        due = loop.time() + self._every_s
        self._next = loop.call_at(due, self._measure, loop, due)

    def stop(self) -> None:
        """Measure no more."""
        if self._next is not None:
            self._next.cancel()

    def _measure(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        self._measures.append(max(0.0, loop.time() - due))
        self.start()
