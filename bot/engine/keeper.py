"""Keeps leases for as long as their work goes on: held, renewed, and given up at the end.

while_held(name, work):  wait ─► take ─► work · renewals ─► lost: work is cancelled ─► wait …
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from bot.engine import leases
from bot.engine.leases import Lease, Store
from bot.engine.waits import Clock, Sleep, within
from bot.errors import LeaseLost
from memory.db import Database, Reader, Tx
from memory.errors import StorageError
from memory.moments import to_us

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

TERM = timedelta(seconds=9)  # a lease that is not renewed for so long may be taken
RENEW = timedelta(seconds=3)
GIVING_UP_S = 1.0  # seconds
SURE = timedelta(seconds=7)  # after so long without a renewal its owner acts no more: before others

Work = Callable[[], Awaitable[None]]


class Keeper(ABC):
    """Lets work be done by one process at a time."""

    alone: bool
    """Whether there is no other process."""

    @property
    def waiting(self) -> list[str]:
        """What this process would hold and another one has, or had until it died just now."""
        return []

    @abstractmethod
    async def while_held(self, name: str, work: Work) -> None:
        """Do the work whenever this process has the lease of that name, until cancelled.

        What the work raises is raised, and the lease given up.
        """

    @abstractmethod
    def holds(self, name: str) -> bool:
        """Whether this process has it now."""

    @abstractmethod
    def fence(self, tx: Tx, name: str) -> None:
        """Go on only while this process has a lease: LeaseLost otherwise."""

    @abstractmethod
    def store(self, name: str) -> Store:
        """The database, for writes of whoever has a lease: those of a late owner are refused."""


class Alone(Keeper):
    """The only process there is: it holds everything."""

    alone = True

    def __init__(self, db: Database) -> None:
        self._db = db

    async def while_held(self, name: str, work: Work) -> None:
        await work()

    def holds(self, name: str) -> bool:
        return True

    def fence(self, tx: Tx, name: str) -> None:
        pass

    def store(self, name: str) -> Store:
        return self._db


class Shared(Keeper):
    """One of several processes on a database."""

    alone = False

    def __init__(self, db: Database, clock: Clock, sleep: Sleep, *, owner: str) -> None:
        self._db = db
        self._clock = clock
        self._sleep = sleep
        self._owner = owner
        self._held: dict[str, Lease] = {}
        self._sure: dict[str, datetime] = {}
        """Until when nobody else can have what is held."""
        self._waiting: set[str] = set()

    @property
    def waiting(self) -> list[str]:
        return sorted(self._waiting)

    def holds(self, name: str) -> bool:
        return name in self._held and self._clock() < self._sure[name]

    def store(self, name: str) -> Store:
        return Fenced(self._db, self, name)

    def fence(self, tx: Tx, name: str) -> None:
        lease = self._held.get(name)
        if lease is None:
            raise LeaseLost(name)
        leases.hold(tx, lease)

    async def while_held(self, name: str, work: Work) -> None:
        while True:
            lease = await self._taken(name)
            self._sure[name] = self._clock() + SURE
            logger.info("%s is held by this process now", name)
            self._held[name] = lease
            try:
                await self._work(lease, work)
                return
            except (LeaseLost, ExceptionGroup) as error:
                if not _lost(error):
                    raise
                logger.warning("%s passes on: this process could not keep it", name)
            finally:
                del self._held[name]
                await self._give_up(lease)

    async def _taken(self, name: str) -> Lease:
        seen, since = await self._db.read(leases.find, name), self._clock()
        while True:
            free = seen is None or not seen.owner
            if free or self._clock() - since >= TERM:
                taken = await self._db.write(
                    leases.take, name, self._owner, seen=seen, now_us=to_us(self._clock())
                )
                if taken is not None:
                    self._waiting.discard(name)
                    return taken
            self._waiting.add(name)
            await self._sleep(RENEW.total_seconds() / 3)
            now = await self._db.read(leases.find, name)
            if now != seen:
                seen, since = now, self._clock()

    async def _work(self, lease: Lease, work: Work) -> None:
        working = asyncio.ensure_future(work())
        renewing = asyncio.ensure_future(self._renew(lease))
        try:
            await asyncio.wait({working, renewing}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
            else:
                renewing.result()
        finally:
            for task in (working, renewing):
                task.cancel()
            await asyncio.gather(working, renewing, return_exceptions=True)

    async def _renew(self, lease: Lease) -> None:
        """Renew for ever; LeaseLost when that cannot be."""
        while True:
            await self._sleep(RENEW.total_seconds())
            asked = self._clock()
            if not await self._in_time(lease, until=self._sure[lease.name]):
                raise LeaseLost(lease.name)
            self._sure[lease.name] = asked + SURE

    async def _in_time(self, lease: Lease, *, until: datetime) -> bool:
        left = (until - self._clock()).total_seconds()
        return await within(self._sleep, left, self._db.write(leases.renew, lease)) or False

    async def _give_up(self, lease: Lease) -> None:
        """Let others have it at once; where the database is away they wait for it."""
        giving = within(self._sleep, GIVING_UP_S, self._db.write(leases.give_up, lease))
        with suppress(StorageError):
            await asyncio.shield(asyncio.ensure_future(giving))


def _lost(error: Exception) -> bool:
    """Whether all that went wrong is a lease that is another's by now."""
    if isinstance(error, ExceptionGroup):
        return all(_lost(one) for one in error.exceptions)
    return isinstance(error, LeaseLost)


class Fenced:
    """A database whose writes need a lease that this process holds."""

    def __init__(self, db: Database, keeper: Shared, name: str) -> None:
        self._db = db
        self._keeper = keeper
        self._name = name

    async def read(
        self, fn: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """As `Database.read`."""
        return await self._db.read(fn, *args, **kwargs)

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """As `Database.write`; LeaseLost, and nothing is written, when the lease is another's."""

        @wraps(fn)
        def fenced(tx: Tx, /, *args: P.args, **kwargs: P.kwargs) -> T:
            self._keeper.fence(tx, self._name)
            return fn(tx, *args, **kwargs)

        return await self._db.write(fenced, *args, **kwargs)
