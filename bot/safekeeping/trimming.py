"""Keeps the write-ahead log of a SQLite file short.

SQLite starts the log anew by itself, once all of it is in the file and nobody reads in it; but
under readers that follow each other closely, or one that stays, it grows, and what has grown stays
so. So it is looked at each minute, and cut when it is long.
"""

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.engine.waits import Clock, Sleep, look_again
from memory.db import Database
from memory.sqlite import Sqlite

logger = logging.getLogger(__name__)

POLL_S = 60.0
LONG = 16 * 2**20  # bytes from which it is worth it
TOO_LONG = 512 * 2**20  # bytes from which somebody reads for too long
WAIT_MS = 100  # the writer waits as long where somebody reads


class Trimming:
    """Looks at the log until cancelled; a server looks after its own."""

    def __init__(
        self, db: Database, clock: Clock, sleep: Sleep, *, too_long: int = TOO_LONG
    ) -> None:
        """Build it; `too_long` is the size from which somebody should be told."""
        self._path = db.path if isinstance(db.engine, Sqlite) else None
        self._clock = clock
        self._sleep = sleep
        self._too_long = too_long

    async def run(self) -> None:
        """Look, and cut, for ever."""
        while self._path is not None:
            await self._sleep(look_again(self._clock(), POLL_S))
            if length(self._path) >= LONG and not await asyncio.to_thread(trim, self._path):
                self._told(length(self._path))

    def _told(self, size: int) -> None:
        if size >= self._too_long:
            logger.warning(
                "the write-ahead log of %s has %d MiB and cannot be cut: another program reads the "
                "database for long, such as a backup; end it if it hangs",
                self._path, size >> 20,
            )  # fmt: skip


def length(path: Path) -> int:
    """The bytes of a file's log."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        return 0


def trim(path: Path) -> bool:
    """Put what is in the log into the file and cut it; False while somebody reads in it."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA busy_timeout = {WAIT_MS}")
            return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
    except sqlite3.Error as error:
        logger.warning("the write-ahead log of %s could not be cut: %s", path, error)
        return False
