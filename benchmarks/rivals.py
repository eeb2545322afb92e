"""Task queues of others, each opened as its documentation shows it and set to lose nothing.

They are imported where they are used: whoever does not install them measures without them.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from benchmarks.places import POSTGRES, SQLITE, Place


class Handed(NamedTuple):
    """The moments between which a task came onto the disk."""

    began: float
    committed: float


Put = Callable[[int], Awaitable[Handed]]
"""Hand in a task."""
PRODUCERS = 8
WORKERS = 8  # where a library carries out several at once
QUICK_S = 0.001  # the shortest rest between two looks that they all take
TIMEOUT_S = 60.0


class Handler:
    """Notes when each task began; may be called from any thread."""

    def __init__(self) -> None:
        self.began: dict[int, float] = {}
        self._loop = asyncio.get_running_loop()
        self._more = asyncio.Event()

    def __call__(self, n: int) -> None:
        self.began.setdefault(n, time.perf_counter())
        self._loop.call_soon_threadsafe(self._more.set)

    async def until(self, n: int) -> None:
        """Return once a task has begun; TimeoutError when it does not."""
        async with asyncio.timeout(TIMEOUT_S):
            while n not in self.began:
                self._more.clear()
                if n not in self.began:
                    await self._more.wait()


@dataclass(frozen=True, slots=True)
class Contender:
    """A queue in one setting."""

    name: str
    kind: str
    open: Callable[[Place, Handler], AbstractAsyncContextManager[Put]]
    needs: str = ""
    """The module it is imported from."""
    package: str = ""
    """As it is called where it is installed from."""
    pause: float = 0.0
    """How long it may rest between two looks."""


def _threaded(pool: ThreadPoolExecutor, put: Callable[[int], object]) -> Put:
    def once(n: int) -> Handed:
        began = time.perf_counter()
        put(n)
        return Handed(began, time.perf_counter())

    async def handed(n: int) -> Handed:
        return await asyncio.get_running_loop().run_in_executor(pool, once, n)

    return handed


def _following(work: Callable[[threading.Event], None]) -> tuple[threading.Thread, threading.Event]:
    ended = threading.Event()
    thread = threading.Thread(target=work, args=(ended,), daemon=True)
    thread.start()
    return thread, ended


@asynccontextmanager
async def huey(place: Place, handler: Handler, *, delay: float, workers: int) -> AsyncIterator[Put]:
    """SqliteHuey with its own consumer in threads; WAL is its own setting, `fsync` means FULL."""
    queue = import_module("huey").SqliteHuey(
        filename=str(place.folder / "huey.db"), fsync=True, results=False
    )
    task = queue.task()(handler.__call__)
    consumer = import_module("huey.consumer").Consumer(
        queue,
        workers=workers,
        periodic=False,
        initial_delay=delay,
        **({"backoff": 1.0, "max_delay": delay} if delay == QUICK_S else {}),
    )
    consumer.start()
    with ThreadPoolExecutor(PRODUCERS) as pool:
        yield _threaded(pool, task)
    await asyncio.to_thread(consumer.stop)


@asynccontextmanager
async def litequeue(place: Place, handler: Handler) -> AsyncIterator[Put]:
    """It comes without a consumer: a thread that looks, and rests for a millisecond.

    It sets `synchronous` to NORMAL by itself, which a power cut may cost; every connection is set
    to FULL after it.
    """
    path, local = str(place.folder / "lite.db"), threading.local()

    def queue() -> Any:
        if not hasattr(local, "queue"):
            local.queue = import_module("litequeue").LiteQueue(path, timeout=30)
            local.queue.conn.execute("PRAGMA synchronous = FULL")
        return local.queue

    def work(ended: threading.Event) -> None:
        own = queue()
        while not ended.is_set():
            message = own.pop()
            if message is None:
                time.sleep(QUICK_S)
                continue
            handler(int(message.data))
            own.done(message.message_id)

    queue()
    thread, ended = _following(work)
    with ThreadPoolExecutor(PRODUCERS) as pool:
        yield _threaded(pool, lambda n: queue().put(str(n)))
    ended.set()
    thread.join()


@asynccontextmanager
async def persist(place: Place, handler: Handler) -> AsyncIterator[Put]:
    """SQLiteAckQueue; `get` is woken by `put` inside a process. WAL is its own, FULL SQLite's."""
    module: Any = import_module("persistqueue")
    queue = module.SQLiteAckQueue(
        str(place.folder / "persist"), multithreading=True, auto_commit=True
    )

    def work(ended: threading.Event) -> None:
        while not ended.is_set():
            try:
                n = queue.get(timeout=0.5)
            except module.Empty:
                continue
            handler(n)
            queue.ack(n)

    thread, ended = _following(work)
    with ThreadPoolExecutor(PRODUCERS) as pool:
        yield _threaded(pool, queue.put)
    ended.set()
    thread.join()


@asynccontextmanager
async def dbos(place: Place, handler: Handler, *, polling: float) -> AsyncIterator[Put]:
    """A queue of DBOS workflows. On SQLite the file is set to WAL before; FULL is SQLite's own."""
    DBOS: Any = import_module("dbos").DBOS
    url = place.url
    if not url:
        path = place.folder / "dbos.db"
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
        url = f"sqlite:///{path}"
    DBOS(config={"name": "bench", "system_database_url": url, "log_level": "CRITICAL"})

    def begin(n: int) -> None:
        handler(n)

    task = DBOS.workflow(name="bench")(begin)
    # In threads of its own: in an event loop it would put its own threads in place of the loop's.
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(PRODUCERS) as pool:
        await loop.run_in_executor(pool, DBOS.launch)
        declare = partial(DBOS.register_queue, "bench", polling_interval_sec=polling)
        queue = await loop.run_in_executor(pool, declare)
        try:
            yield _threaded(pool, partial(queue.enqueue, task))
        finally:
            await loop.run_in_executor(pool, partial(DBOS.destroy, destroy_registry=True))


@asynccontextmanager
async def procrastinate(place: Place, handler: Handler) -> AsyncIterator[Put]:
    """Woken by LISTEN and NOTIFY, as it comes; jobs side by side."""
    module: Any = import_module("procrastinate")
    app = module.App(connector=module.PsycopgConnector(conninfo=place.url))

    async def begin(n: int) -> None:
        handler(n)

    task = app.task(name="bench")(begin)

    async def put(n: int) -> Handed:
        began = time.perf_counter()
        await task.defer_async(n=n)
        return Handed(began, time.perf_counter())

    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        worker = asyncio.create_task(
            app.run_worker_async(concurrency=WORKERS, install_signal_handlers=False)
        )
        try:
            yield put
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)


def _of_dbos(kind: str) -> list[Contender]:
    return [
        Contender(
            f"dbos, looking every {'second' if polling == 1 else 'millisecond'}",
            kind,
            partial(dbos, polling=polling),
            needs="dbos",
            package="dbos",
            pause=polling,
        )
        for polling in (1.0, QUICK_S)
    ]


EVERY: tuple[Contender, ...] = (
    Contender(
        "huey, as it comes (0.1 s and more)",
        SQLITE,
        partial(huey, delay=0.1, workers=1),
        needs="huey",
        package="huey",
        pause=0.1,
    ),
    Contender(
        "huey, looking every millisecond",
        SQLITE,
        partial(huey, delay=QUICK_S, workers=WORKERS),
        needs="huey",
        package="huey",
    ),
    Contender(
        "litequeue, set to FULL, looking every millisecond",
        SQLITE,
        litequeue,
        needs="litequeue",
        package="litequeue",
    ),
    Contender(
        "persist-queue, woken inside the process",
        SQLITE,
        persist,
        needs="persistqueue",
        package="persist-queue",
    ),
    *_of_dbos(SQLITE),
    Contender(
        "procrastinate, woken by NOTIFY",
        POSTGRES,
        procrastinate,
        needs="procrastinate",
        package="procrastinate",
    ),
    *_of_dbos(POSTGRES),
)
