"""What Limen stands on: whether its data folder is still there, and has room for what comes.

gone ─► a clear end        little room ─► files and background work wait, admins are told ─► room
"""

import logging
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from bot.engine.waits import Clock, Sleep, look_again
from bot.errors import DataFolderError
from bot.notices import Notice
from bot.setup.home import Home
from memory.db import Reader
from memory.moments import to_us

logger = logging.getLogger(__name__)

LOOK_S = 10.0  # seconds between two looks
LATELY = timedelta(hours=1)  # a shortage that is over is told of for so long
MB = 1_000_000

Due = Callable[[Reader], int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage:
    """A time in which there was too little room."""

    since: datetime
    until: datetime | None
    reason: str


class Footing:
    """Looks at the data folder until cancelled."""

    def __init__(
        self, home: Home, clock: Clock, sleep: Sleep, *, spare: int, watched: tuple[Path, ...]
    ) -> None:
        """Build it: `spare` bytes are kept for messages, `watched` files must stay the same."""
        self._home = home
        self._clock = clock
        self._sleep = sleep
        self._spare = spare
        self._watched = {path: _identity(path) for path in watched}
        self._shortage: Shortage | None = None

    @property
    def short(self) -> bool:
        """Whether what can wait has to wait."""
        return self._shortage is not None and self._shortage.until is None

    def within(self, due: Due) -> Due:
        """The moments of something that can wait: none while room is short."""
        return lambda reader: None if self.short else due(reader)

    async def run(self) -> None:
        """Look for ever; DataFolderError once the folder is gone."""
        while True:
            self.look()
            await self._sleep(look_again(self._clock(), LOOK_S))

    def look(self) -> None:
        """Look once."""
        self._check()
        reason = self._wanting()
        now = self._clock()
        if reason and not self.short:
            logger.error("files and background work wait: %s", reason)
            self._shortage = Shortage(since=now, until=None, reason=reason)
        elif not reason and self._shortage is not None and self.short:
            logger.warning("there is room again; files and background work go on")
            self._shortage = replace(self._shortage, until=now)

    def notices(self, now: datetime) -> list[Notice]:
        """What an admin has to know of it; also of a time in which nothing could be written."""
        found = self._shortage
        if found is None or (found.until is not None and now - found.until >= LATELY):
            return []
        name = "room" if found.until is None else "room again"
        values = {"reason": found.reason, "folder": str(self._home.folder)}
        return [Notice(key=f"room:{to_us(found.since)}", name=name, values=values)]

    def _check(self) -> None:
        for path, identity in self._watched.items():
            if identity is not None and _identity(path) != identity:
                raise DataFolderError(
                    f"{path} is gone, or another file lies there: the data folder was deleted, "
                    "replaced or unmounted while Limen ran on it. Limen stops, since nothing it "
                    "writes would be kept; put the folder back, or restore a backup with 'limen "
                    "restore', and start again"
                )

    def _wanting(self) -> str:
        """What is wrong; empty when there is room."""
        folder = self._home.folder
        if not os.access(folder, os.W_OK):
            return f"{folder} is read-only"
        free = shutil.disk_usage(folder).free
        if free < self._spare:
            return f"{free / MB:.1f} MB are free on its disk, and {self._spare / MB:g} MB are kept"
        return ""


def _identity(path: Path) -> tuple[int, int] | None:
    """The very file, whatever it is called; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
