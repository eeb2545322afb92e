"""Tells whoever comes after a lull from whoever comes again and again."""

from collections.abc import Hashable
from datetime import datetime, timedelta

from bot.engine.waits import Clock

REMEMBERED = 10_000


class Lulls:
    """Those who come after a lull may go first; whoever crowds in goes with the rest."""

    def __init__(self, clock: Clock, lull: timedelta) -> None:
        self._clock = clock
        self._lull = lull
        self._came: dict[Hashable, datetime] = {}
        """When each came last, longest ago first."""

    def after(self, who: Hashable) -> bool:
        """Note that somebody comes; whether there was a lull before."""
        now, last = self._clock(), self._came.pop(who, None)
        self._came[who] = now
        if len(self._came) > REMEMBERED:
            del self._came[next(iter(self._came))]
        return last is None or not timedelta(0) <= now - last < self._lull
