"""A platform's known speed limits, kept before they are hit."""

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

Clock = Callable[[], datetime]
Sleep = Callable[[float], Awaitable[None]]

FORGOTTEN = 4096  # places remembered before those at rest are let go


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` calls in any stretch of `seconds`."""

    count: int
    seconds: float


class Pace:
    """Lets calls through at the pace of every limit of their places, first come first served.

    A place is what a limit counts by: a chat, a method, the whole account.
    """

    def __init__(self, clock: Clock, sleep: Sleep) -> None:
        self._clock = clock
        self._sleep = sleep
        self._past: dict[tuple[str, Limit], deque[datetime]] = {}
        self._closed_until: dict[str, datetime] = {}

    async def wait(self, limits: dict[str, tuple[Limit, ...]]) -> None:
        """Return when a call may be made that counts for each of these places, and count it."""
        while (seconds := self._missing_s(limits)) > 0:
            await self._sleep(seconds)
        now = self._clock()
        for key in _keys(limits):
            self._past.setdefault(key, deque()).append(now)
        if len(self._past) > FORGOTTEN:
            self._forget(now)

    def close(self, place: str, seconds: float) -> None:
        """Nothing goes to a place for so long: the platform said so."""
        until = self._clock() + timedelta(seconds=seconds)
        self._closed_until[place] = max(until, self._closed_until.get(place, until))

    def _missing_s(self, limits: dict[str, tuple[Limit, ...]]) -> float:
        now = self._clock()
        waits = [self._gap_s(key, now) for key in _keys(limits)]
        for place in limits:
            until = self._closed_until.get(place)
            if until is not None and until <= now:
                del self._closed_until[place]
            elif until is not None:
                waits.append((until - now).total_seconds())
        return max(waits, default=0.0)

    def _gap_s(self, key: tuple[str, Limit], now: datetime) -> float:
        past, limit = self._past.get(key), key[1]
        while past and (now - past[0]).total_seconds() >= limit.seconds:
            past.popleft()
        if not past or len(past) < limit.count:
            return 0.0
        return max(0.0, limit.seconds - (now - past[-limit.count]).total_seconds())

    def _forget(self, now: datetime) -> None:
        for key in list(self._past):
            self._gap_s(key, now)
            if not self._past[key]:
                del self._past[key]


def _keys(limits: dict[str, tuple[Limit, ...]]) -> list[tuple[str, Limit]]:
    return [(place, limit) for place, several in limits.items() for limit in several]


class Backoff:
    """Waits between tries to connect: longer each time, with jitter, for ever."""

    def __init__(
        self, sleep: Sleep, jitter: Callable[[], float], *, first_s: float, limit_s: float
    ) -> None:
        self._sleep = sleep
        self._jitter = jitter
        """A number from 0 to 1."""
        self._first_s = first_s
        self._limit_s = limit_s
        self.tries = 0
        """Failures in a row."""

    def reset(self) -> None:
        """A try succeeded."""
        self.tries = 0

    async def wait(self, *, least_s: float = 0.0) -> None:
        """Wait after a failure; at least so long as the platform asked for."""
        whole = min(self._limit_s, self._first_s * 2 ** min(self.tries, 16))
        self.tries += 1
        await self._sleep(max(least_s, whole * (0.5 + self._jitter() / 2)))
