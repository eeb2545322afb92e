"""Writes down how each platform is, so that another process can tell."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from adapters.chat import Health
from bot.engine.waits import Bell, Clock, Sleep, look_again
from memory.db import Database, Reader, Row, Tx, queries
from memory.errors import StorageFull
from memory.moments import from_us, to_us

logger = logging.getLogger(__name__)

SQL = queries(__file__)

LOOK_S = 30.0  # seconds between two looks; the bell rings sooner
_PROBE = ":probe"  # no platform is called so
WRITTEN = timedelta(seconds=60)  # the oldest that what is written may be, while it moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a platform was when it was last looked at."""

    name: str
    up: bool
    note: str
    since: datetime
    """When it last came up or went down."""
    heard_at: datetime | None
    event_at: datetime | None
    seen_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        heard, event = row["heard_at"], row["event_at"]
        return cls(
            name=row["name"],
            up=bool(row["up"]),
            note=row["note"],
            since=from_us(row["since"]),
            heard_at=from_us(heard) if heard is not None else None,
            event_at=from_us(event) if event is not None else None,
            seen_at=from_us(row["seen_at"]),
        )


def record(tx: Tx, name: str, health: Health, *, now_us: int) -> None:
    """Write down how a platform is."""
    tx.run(
        SQL["record"],
        name=name,
        up=health.up,
        note=health.note,
        heard_at=to_us(health.heard_at) if health.heard_at else None,
        event_at=to_us(health.event_at) if health.event_at else None,
        now=now_us,
    )


def begin(tx: Tx, names: frozenset[str], *, alone: bool) -> None:
    """Forget what the last process held: of it only an outage can still go on.

    `names` are the configured platforms; other processes may hold some of them, unless `alone`.
    """
    for one in every(tx):
        if (one.up and alone) or one.name not in names:
            tx.run(SQL["forget"], name=one.name)


def every(reader: Reader) -> list[Standing]:
    """All platforms, by name."""
    return [Standing.from_row(row) for row in reader.all(SQL["every"])]


def probe(tx: Tx) -> None:
    """Write something and take it away again: both are durable once this is."""
    tx.run(SQL["try"], name=_PROBE)
    tx.run(SQL["forget"], name=_PROBE)


class HealthWatch:
    """Looks at the platforms until cancelled."""

    def __init__(
        self,
        db: Database,
        look: Callable[[], Mapping[str, Health]],
        clock: Clock,
        sleep: Sleep,
        *,
        bell: Bell,
        names: frozenset[str],
        alone: bool = True,
    ) -> None:
        self._names = names
        self._alone = alone
        self._db = db
        self._look = look
        self._clock = clock
        self._sleep = sleep
        self._bell = bell
        self._written: dict[str, tuple[Health, datetime]] = {}

    def took_over(self) -> None:
        """Write all anew: another process has written since."""
        self._written.clear()
        self._bell.ring()

    async def run(self) -> None:
        """Write what changed at once, and what only moved every minute."""
        begun = False
        while True:
            try:
                if not begun:
                    await self._db.write(begin, self._names, alone=self._alone)
                    begun = True
                await self._write()
            except StorageFull as error:
                logger.error("how the platforms are could not be noted: %s", error)
            await self._bell.wait(look_again(self._clock(), LOOK_S), self._sleep)

    async def _write(self) -> None:
        now = self._clock()
        for name, health in self._look().items():
            if self._news(name, health, now):
                await self._db.write(record, name, health, now_us=to_us(now))
                self._written[name] = (health, now)

    def _news(self, name: str, health: Health, now: datetime) -> bool:
        if name not in self._written:
            return True
        before, at = self._written[name]
        if (health.up, health.note) != (before.up, before.note):
            return True
        return health != before and now - at >= WRITTEN
