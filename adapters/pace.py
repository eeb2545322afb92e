"""A platform's known speed limits, kept before they are hit."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from adapters.errors import Retry
from adapters.lanes import Lanes

Clock = Callable[[], datetime]
Sleep = Callable[[float], Awaitable[None]]

FORGOTTEN = 4096  # places remembered before those at rest are let go
LONGEST_S = 60.0  # that anybody is kept waiting; who would wait longer is told to come back
REST_S = 900.0  # until a platform that asked for a longer rest is asked again
DAY_S = 86_400.0  # no platform's word closes a place for longer
BEFORE_ITS_TURN = "it was still waiting for its turn"
"""The argument of a cancellation that came before the call was made."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` calls in any stretch of `seconds`."""

    count: int
    seconds: float


class Pace:
    """Lets calls through at the pace of every limit of their places.

    A place is what a limit counts by: a chat, a method, the whole account. Calls whose first place
    is the same go in the order they came in.
    """

    def __init__(self, clock: Clock, sleep: Sleep) -> None:
        self._clock = clock
        self._sleep = sleep
        self._past: dict[tuple[str, Limit], deque[datetime]] = {}
        self._closed: dict[str, tuple[datetime, datetime]] = {}
        """Since when and until when a place is closed."""
        self._lanes = Lanes()

    async def wait(self, limits: dict[str, tuple[Limit, ...]]) -> None:
        """Return when a call may be made that counts for each of these places, and count it.

        The narrowest place comes first. Raises Retry where a place is closed for long.
        """
        try:
            async with self._lanes.turn(next(iter(limits), "")):
                while (seconds := self._missing_s(limits)) > 0:
                    if seconds > LONGEST_S:
                        raise Retry("the platform asked for a long pause", after=seconds)
                    await self._sleep(seconds)
                self._count(limits)
        except asyncio.CancelledError as error:
            raise asyncio.CancelledError(BEFORE_ITS_TURN) from error

    def _count(self, limits: dict[str, tuple[Limit, ...]]) -> None:
        now = self._clock()
        for key in _keys(limits):
            self._past.setdefault(key, deque()).append(now)
        if len(self._past) > FORGOTTEN:
            self._forget(now)

    def close(self, place: str, seconds: float) -> None:
        """Nothing goes to a place for so long: the platform said so."""
        now = self._clock()
        until = now + timedelta(seconds=min(seconds, DAY_S))
        self._closed[place] = now, max(until, self._closed.get(place, (now, until))[1])

    def _missing_s(self, limits: dict[str, tuple[Limit, ...]]) -> float:
        now = self._clock()
        waits = [self._gap_s(key, now) for key in _keys(limits)]
        for place in limits:
            since, until = self._closed.get(place, (now, now))
            if since <= now < until:
                waits.append((until - now).total_seconds())
            else:  # it is over, or was said before the clock was set back
                self._closed.pop(place, None)
        return max(waits, default=0.0)

    def _gap_s(self, key: tuple[str, Limit], now: datetime) -> float:
        past, limit = self._past.get(key), key[1]
        # what lies ahead was counted before the clock was set back
        while past and not 0 <= (now - past[0]).total_seconds() < limit.seconds:
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


def seconds_told(header: str | None) -> float | None:
    """The wait a header such as Retry-After asks for, at most a day; None where it is no number."""
    try:
        return min(max(0.0, float(header or "")), DAY_S)
    except ValueError:
        return None


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
        """Wait after a failure; as long as the platform asked for, within reason."""
        whole = min(self._limit_s, self._first_s * 2 ** min(self.tries, 16))
        self.tries += 1
        await self._sleep(max(min(least_s, REST_S), whole * (0.5 + self._jitter() / 2)))
