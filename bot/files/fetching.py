"""Fetches what people sent, has it read, and keeps it with its message; none holds up another.

waiting ─► begun ─► Chat.fetch ─► Reader ─► read | unreadable
                        └─ Retry ─► later
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from adapters import chat
from adapters.chat import Address, Chat
from adapters.errors import AdapterError, Refused, Retry
from agency import fires
from bot.engine import inputs
from bot.engine.leases import Store
from bot.engine.runs import Run
from bot.engine.waits import FULL_S, Bell, Clock, Sleep, look_again, silent
from bot.files.found import Found, Unreadable, Why
from bot.files.reading import Reader
from memory import files, originals
from memory.db import Reader as Snapshot
from memory.db import Tx
from memory.errors import StorageError, StorageFull
from memory.files import File
from memory.lanes import pressing
from memory.moments import to_us

logger = logging.getLogger(__name__)

POLL_S = 60.0  # seconds; the bell rings sooner
PLACES = 4  # files fetched side by side
MAX_ATTEMPTS = 8  # tries of one file, over some twenty minutes
BACKOFF = timedelta(seconds=5)
BACKOFF_LIMIT = timedelta(minutes=10)
FETCH_S = 120.0  # seconds for one download
PATIENCE = timedelta(seconds=10)  # how long a run waits for the files of its inputs
LATE_SALIENCE = 0.5  # of what a file says that the agency has already looked past
SUFFIXES = (".png", ".jpg")  # of pictures that are kept
FRESH = ".new"  # behind the name of one that is being written
SWEPT = 100  # pictures taken off the disk at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is fetched, and where pictures are kept."""

    folder: Path
    enabled: bool = True
    max_size: int = 20_000_000
    """Bytes of one file."""
    fetch_s: float = FETCH_S


class Files:
    """Fetches and reads until cancelled, and lets runs wait for it a moment."""

    def __init__(
        self,
        db: Store,
        chats: Mapping[str, Chat],
        reader: Reader,
        clock: Clock,
        sleep: Sleep,
        *,
        bell: Bell,
        news: Bell,
        settings: Settings,
        room: Callable[[], bool] = lambda: True,
        told: Callable[[], None] = silent,
    ) -> None:
        """Build it; while there is no `room` for files, they wait; `told` of each that is read."""
        self._db = db
        self._chats = chats
        self._reader = reader
        self._clock = clock
        self._sleep = sleep
        self._news = news
        self._settings = settings
        self._room = room
        self._told = told
        self._active: set[int] = set()
        self._sweeping = False
        self._waiters: set[Bell] = set()
        self.bell = bell

    @property
    def busy(self) -> int:
        """Files being fetched or read now, or taken off the disk."""
        return len(self._active) + self._sweeping

    @property
    def waited_for(self) -> int:
        """Runs that wait for a file now."""
        return len(self._waiters)

    async def run(self) -> None:
        """What a crash left is taken up again."""
        async with asyncio.TaskGroup() as group:
            while True:
                self.bell.forget()
                try:
                    await self._sweep()
                    found = await self._db.read(self._due)
                    for file in found:
                        self._active.add(file.id)
                        group.create_task(self._take(file), name=f"file-{file.id}")
                    if not found:
                        await self.bell.wait(await self._idle_s(), self._sleep)
                except StorageFull as error:
                    logger.error("no file is read: %s", error)
                    await self._sleep(FULL_S)

    async def ready(self, run: Run) -> None:
        """Return once the files of what a run was or will be given are read, or after a while.

        What can only be had later is not waited for.
        """
        until = self._clock() + PATIENCE
        bell = Bell()
        while (left := (until - self._clock()).total_seconds()) > 0:
            if not await self._db.read(_expected, run, until_us=to_us(until)):
                return
            self._waiters.add(bell)
            try:
                await bell.wait(left, self._sleep)
            finally:
                self._waiters.discard(bell)

    def known(self) -> None:
        """Let the runs look that wait for a file: one was read, here or by another process."""
        for bell in self._waiters:
            bell.ring()

    def _due(self, reader: Snapshot) -> list[File]:
        free = PLACES - len(self._active) if self._room() else 0
        limit = PLACES + len(self._active)  # those being fetched are still due
        found = files.due(reader, now_us=self._now(), limit=limit) if free else []
        return [one for one in found if one.id not in self._active][:free]

    async def _idle_s(self) -> float:
        due = await self._db.read(files.next_due, now_us=self._now())
        looking = look_again(self._clock(), POLL_S)
        return looking if due is None else min(looking, max(0.0, (due - self._now()) / 1e6))

    async def _take(self, file: File) -> None:
        try:
            await self._settle(file)
        except StorageError as error:
            logger.error("file %d stays unread: %s", file.id, error)
            await self._sleep(FULL_S)
        finally:
            self._active.discard(file.id)
            self.bell.ring()
            self.known()
            self._told()

    async def _settle(self, file: File) -> None:
        try:
            if await self._db.write(files.begin, file.id):
                found = await self._read(file)
                await self._keep(file, found)
        except Unreadable as error:
            await self._refuse(file, str(error))
        except Refused as error:
            await self._refuse(file, f"{Why.NOT_FETCHED}: {error}")
        except AdapterError as error:
            await self._later(file, error)
        except StorageError:
            raise
        except Exception:
            # Whatever one file holds stops nothing; it is tried again a few times, in case.
            logger.exception("file %d could not be read", file.id)
            await self._later(file, Retry("reading it failed"))

    async def _read(self, file: File) -> Found:
        limit = self._settings.max_size
        if not self._settings.enabled:
            raise Unreadable(Why.OFF, "[files] enabled is false")
        if file.attempts >= MAX_ATTEMPTS:
            raise Unreadable(Why.NOT_FETCHED, f"{file.attempts} tries have failed")
        if (file.size or 0) > limit:
            raise _too_large(file.size or 0, limit)
        data = await self._fetch(file, limit)
        if len(data) > limit:
            raise _too_large(len(data), limit)
        return await self._reader.read(file.name, file.mime, data)

    async def _fetch(self, file: File, limit: int) -> bytes:
        original = await self._db.read(originals.find, file.original_id)
        address = original.address if original else None
        platform = Address.parse(address).platform if address else ""
        source = self._chats.get(platform)
        if source is None:
            raise Retry(f"{platform or 'its platform'} is not configured")
        wanted = chat.File(id=file.locator, name=file.name, mime=file.mime, size=file.size)
        try:
            async with asyncio.timeout(self._settings.fetch_s):
                return await source.fetch(wanted, limit=limit)
        except TimeoutError:
            raise Retry(f"it was not there after {self._settings.fetch_s:g} s") from None

    async def _keep(self, file: File, found: Found) -> None:
        name = f"{file.id}{found.picture.suffix}" if found.picture else ""
        if found.picture:
            await asyncio.to_thread(_store, self._settings.folder / name, found.picture.data)

        def keep(tx: Tx) -> bool:
            with originals.reindexing(tx, file.original_id):
                kept = files.read(tx, file.id, text=found.text, picture=name, note=found.note)
            if kept and found.text:
                self._tell(tx, file)
            return kept

        if not await self._db.write(keep) and name:
            await asyncio.to_thread(remove, self._settings.folder, [name])

    def _tell(self, tx: Tx, file: File) -> None:
        """Put a message before the agency once more, where it has looked at it without its file."""
        told = [f for f in fires.of_original(tx, file.original_id) if f.kind is fires.Kind.MESSAGE]
        if not told or any(one.state is fires.State.PENDING for one in told):
            return
        event = fires.Event(
            kind=fires.Kind.MESSAGE,
            key=f"o{file.original_id}:file:{file.id}",
            session_id=told[0].session_id,
            original_id=file.original_id,
            payload={"change": "file"},
            salience=LATE_SALIENCE,
        )
        fires.observe(tx, event, now_us=self._now())
        tx.on_commit(self._news.ring)

    async def _refuse(self, file: File, note: str) -> None:
        logger.info("file %d is not read: %s", file.id, note)
        await self._db.write(files.refuse, file.id, note)

    async def _later(self, file: File, error: AdapterError) -> None:
        if file.attempts + 1 >= MAX_ATTEMPTS:
            await self._refuse(file, f"{Why.NOT_FETCHED}: {error}")
            return
        wait = min(BACKOFF_LIMIT, BACKOFF * 2**file.attempts)
        wait = max(wait, timedelta(seconds=getattr(error, "after", None) or 0))
        logger.warning("file %d waits %s: %s", file.id, wait, error)
        await self._db.write(files.put_off, file.id, due_us=to_us(self._clock() + wait))

    async def _sweep(self) -> None:
        """Take off the disk what was recalled."""
        while gone := await self._db.read(files.gone, limit=SWEPT):
            # A picture may be there that was never noted, where the process died in between.
            names = pictures_of(gone)
            self._sweeping = True
            try:
                await asyncio.to_thread(remove, self._settings.folder, names)
            finally:
                self._sweeping = False
            await self._db.write(files.remove, list(gone))

    def _now(self) -> int:
        return to_us(self._clock())


@pressing
def _expected(reader: Snapshot, run: Run, *, until_us: int) -> bool:
    """Whether a file of what a run was given, or is about to be, may be read soon."""
    expected = files.expected(reader, until_us=until_us)
    if not expected:
        return False
    given = (*inputs.of_run(reader, run.id), *inputs.unread(reader, run.session_id))
    return not expected.isdisjoint(one.original_id for one in given)


def _too_large(size: int, limit: int) -> Unreadable:
    return Unreadable(Why.LARGE, f"{size / 1e6:.1f} MB, where {limit / 1e6:g} MB are the limit")


def _names(id: int) -> tuple[str, ...]:
    return tuple(f"{id}{suffix}{part}" for suffix in SUFFIXES for part in ("", FRESH))


def _store(path: Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}{FRESH}")
    fresh.touch(mode=0o600)
    fresh.write_bytes(data)
    fresh.replace(path)


def pictures_of(gone: Mapping[int, str]) -> list[str]:
    """What files that are gone may have left on the disk."""
    return [*filter(None, gone.values()), *(name for id in gone for name in _names(id))]


def remove(folder: Path, names: Iterable[str]) -> None:
    """Take pictures off the disk."""
    for name in names:
        (folder / name).unlink(missing_ok=True)
