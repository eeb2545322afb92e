"""The database: one writing thread with group commit, and readers that never delay it.

    await db.write(fn, …) ──► queue ──► writer thread: BEGIN · savepoint each · COMMIT ──► futures
    await db.read(fn, …)  ──► reader thread: one snapshot for the whole function

A write is a plain function of a transaction, so no network call can hide inside one. Functions
that wait at the same moment share a commit, each in a savepoint of its own; if the shared commit
fails each is run again alone, so a write function must be repeatable.
"""

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from memory import errors

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
Row = sqlite3.Row

GROUP_LIMIT = 128  # functions a commit; more would make the first of them wait too long
READERS = 2  # threads; the machine this was measured on has two cores
_FULL = ("disk is full", "disk I/O error", "readonly database", "read-only", "unable to open")


def queries(owner: str) -> dict[str, str]:
    """Load the named statements of `<owner>.sql`, the file beside a module (`__file__`).

    A block is `-- name --`, comment lines that say what it is for, and one statement.
    """
    found: dict[str, list[str]] = {}
    name = ""
    for line in Path(owner).with_suffix(".sql").read_text(encoding="utf-8").splitlines():
        if line.startswith("-- ") and line.endswith(" --"):
            name = line.strip("- ")
            if name in found:
                raise ValueError(f"{owner}: two statements are named {name!r}; rename one")
            found[name] = []
        elif name and not line.startswith("--"):
            found[name].append(line)
    return {key: "\n".join(lines).strip().rstrip(";") for key, lines in found.items()}


class Reader:
    """Reads inside one snapshot."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def one(self, sql: str, **params: Any) -> Row | None:
        """The first row, or None."""
        row: Row | None = self._connection.execute(sql, params).fetchone()
        return row

    def all(self, sql: str, **params: Any) -> list[Row]:
        """Every row."""
        return self._connection.execute(sql, params).fetchall()

    def each(self, sql: str, **params: Any) -> Iterator[Row]:
        """The rows one by one, for a caller that stops when it has enough."""
        yield from self._connection.execute(sql, params)


class Tx(Reader):
    """One transaction of the writer."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._hooks: list[Callable[[], None]] = []

    def run(self, sql: str, **params: Any) -> int:
        """Execute a statement; how many rows it changed."""
        return self._connection.execute(sql, params).rowcount

    def insert(self, sql: str, **params: Any) -> int:
        """Execute an `INSERT … RETURNING id`; the id."""
        row = self.one(sql, **params)
        if row is None:
            raise errors.StorageBroken("an INSERT … RETURNING id returned no row")
        return int(row[0])

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Take back what is done inside, hooks too, when it raises; what came before stays."""
        hooks = len(self._hooks)
        self._connection.execute("SAVEPOINT nested")
        try:
            yield
        except BaseException:
            del self._hooks[hooks:]
            # A full disk has ended the whole transaction already, and must be told as such.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK TO nested")
                self._connection.execute("RELEASE nested")
            raise
        self._connection.execute("RELEASE nested")

    def on_commit(self, hook: Callable[[], None]) -> None:
        """Call `hook` on the event loop once this is durable; never after a rollback."""
        self._hooks.append(hook)


@dataclass(slots=True)
class _Job:
    call: Callable[[Tx], Any]
    future: "asyncio.Future[Any]"
    result: Any = None
    error: BaseException | None = None
    hooks: list[Callable[[], None]] = field(default_factory=list)


class Database:
    """A SQLite file. `async with` opens it and starts the threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._listeners: list[Callable[[], None]] = []
        self._closing = False
        self.busy = 0
        """Reads and writes that somebody waits for now."""

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        with _named_errors(self.path):
            self._connection = await asyncio.to_thread(_connect, self.path, cache_mb=8)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="limen-read")
        self._thread = threading.Thread(target=self._work, name="limen-write", daemon=True)
        self._thread.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        await asyncio.to_thread(self._readers.shutdown)
        for connection in [*self._opened, self._connection]:
            connection.close()

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` on the event loop once after every commit; it has to be cheap."""
        self._listeners.append(listener)

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `fn(tx, …)` and return its result once it is durable.

        Cancelling the wait does not undo the write. What `fn` raises is raised here, and nothing
        it did is kept.
        """
        if self._closing:
            raise errors.Closed("the database is closing; nothing more is written")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(lambda tx: fn(tx, *args, **kwargs), future))
        self.busy += 1
        future.add_done_callback(self._done)
        return await future

    async def read(
        self, fn: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `fn(reader, …)` against one snapshot."""
        if self._closing:
            raise errors.Closed("the database is closing; nothing more is read")
        self.busy += 1
        try:
            return await self._loop.run_in_executor(self._readers, self._read, fn, args, kwargs)
        finally:
            self.busy -= 1

    def _done(self, _: "asyncio.Future[Any]") -> None:
        self.busy -= 1

    def _read(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        connection = getattr(self._local, "connection", None)
        with _named_errors(self.path):
            if connection is None:
                connection = self._local.connection = _connect(self.path, cache_mb=2)
                connection.execute("PRAGMA query_only = ON")
                self._opened.append(connection)
            connection.execute("BEGIN")
            try:
                return fn(Reader(connection), *args, **kwargs)
            finally:
                connection.execute("ROLLBACK")

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch = [job]
            ended = False
            while len(batch) < GROUP_LIMIT and not self._jobs.empty():
                following = self._jobs.get()
                if following is None:
                    ended = True
                    break
                batch.append(following)
            self._commit(batch)
            self._hand_back(batch)
            if ended:
                return

    def _hand_back(self, batch: list[_Job]) -> None:
        try:
            self._loop.call_soon_threadsafe(self._settle, batch)
        except RuntimeError:
            logger.warning("%d writes ended after their event loop", len(batch))

    def _commit(self, batch: list[_Job]) -> None:
        try:
            self._together(batch)
        except Exception as error:
            self._roll_back()
            if len(batch) == 1:
                batch[0].error = _named(error, self.path)
                return
            logger.warning("a shared commit failed; its writes run one by one: %s", error)
            for job in batch:
                self._commit([job])

    def _together(self, batch: list[_Job]) -> None:
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        for job in batch:
            job.error, job.hooks = None, []
            tx = Tx(self._connection)
            execute("SAVEPOINT one")
            try:
                job.result = job.call(tx)
                job.hooks = tx._hooks
            except sqlite3.OperationalError:
                raise
            except Exception as error:
                execute("ROLLBACK TO one")
                job.error = _named(error, self.path)
            execute("RELEASE one")
        execute("COMMIT")

    def _roll_back(self) -> None:
        if not self._connection.in_transaction:
            return
        try:
            self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            logger.exception("a transaction could not be rolled back")

    def _settle(self, batch: list[_Job]) -> None:
        for job in batch:
            if job.error is None:
                for hook in job.hooks:
                    _call(hook)
            if job.future.cancelled():
                continue
            if job.error is not None:
                job.future.set_exception(job.error)
            else:
                job.future.set_result(job.result)
        for listener in self._listeners:
            _call(listener)


def _call(hook: Callable[[], None]) -> None:
    """What a hook raises is nobody's answer: the write itself is durable."""
    try:
        hook()
    except Exception:
        logger.exception("a hook of a commit failed")


@contextmanager
def snapshot(path: Path) -> Iterator[Reader]:
    """Read a database that another process may be using, without changing it."""
    with _named_errors(path):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("BEGIN")
            yield Reader(connection)
        finally:
            connection.close()


def _connect(path: Path, *, cache_mb: int) -> sqlite3.Connection:
    # The threads never share a connection at one time; the close at the end is the only guest.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA cache_size = -{cache_mb * 1024}")
    return connection


def _named(error: BaseException, path: Path) -> BaseException:
    if not isinstance(error, sqlite3.Error):
        return error
    text = str(error)
    if any(sign in text for sign in _FULL):
        return errors.StorageFull(
            f"{path} could not be written ({text}); free space or make the folder writable"
        )
    return errors.StorageBroken(f"{path} could not be used: {text}")


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _named(error, path) from error
