"""The database: one writing thread with group commit, and readers that never delay it.

    await db.write(fn, …) ──► queue ──► writer thread: BEGIN · each in turn · COMMIT ──► futures
    await db.read(fn, …)  ──► reader thread: one snapshot for the whole function

A write is a plain function of a transaction, so no network call can hide inside one. Functions
that wait at the same moment share a commit, those that are `pressing` before all others
(`memory/lanes.py`); if one of them raises all are run again, each in a savepoint of its own, and
if the shared commit fails each is run again alone: a write function must be repeatable. One
transaction at a time writes, also where several processes share a database. While the database
cannot be reached, or somebody else holds it, reads and writes wait.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from memory import errors
from memory.engine import Channel, Engine, Row, Session, Statement
from memory.lanes import Lanes, Way, presses
from memory.sqlite import Sqlite
from memory.transactions import Reader, Snapshot, Tx

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

__all__ = ["Database", "Reader", "Row", "Tx", "queries", "snapshot"]

GROUP_LIMIT = 128  # functions a commit; more would make the first of them wait too long
MOMENT_S = 0.001  # what does not press may take of a commit that somebody presses for
READERS = 2  # threads of each lane; the machine this was measured on has two cores
PAUSES_S = (0.05, 0.1, 0.2, 0.5, 1.0)  # seconds before a database that is away is tried again
_POSTGRES = " (postgres)"


def queries(owner: str) -> dict[str, str]:
    """Load the named statements of `<owner>.sql`, the file beside a module (`__file__`).

    A block is `-- name --`, comment lines that say what it is for, and one statement; a block
    `-- name (postgres) --` is what PostgreSQL runs instead of it.
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
    texts = {key: "\n".join(lines).strip().rstrip(";") for key, lines in found.items()}
    twins = {key.removesuffix(_POSTGRES) for key in texts if key.endswith(_POSTGRES)}
    if alone := twins - texts.keys():
        raise ValueError(f"{owner}: {sorted(alone)!r} are there for PostgreSQL alone")
    return {
        key: Statement(text, texts.get(key + _POSTGRES, ""))
        for key, text in texts.items()
        if not key.endswith(_POSTGRES)
    }


@dataclass(slots=True)
class _Job:
    call: Callable[[Tx], Any]
    future: "asyncio.Future[Any] | None" = None
    """Where somebody waits for it; nobody does for what is written at the end of a commit."""
    pressing: bool = False
    result: Any = None
    error: BaseException | None = None
    hooks: list[Callable[[], None]] = field(default_factory=list)
    last: list[Callable[[Tx], None]] = field(default_factory=list)
    """What it wants written at the end of its commit."""


class Database:
    """A database, by its file or its engine. `async with` opens it and starts the threads."""

    def __init__(self, place: Path | Engine) -> None:
        self.engine: Engine = Sqlite(place) if isinstance(place, Path) else place
        self.way = Way()
        """Work in threads gives way, piece by piece, to what presses."""
        self._jobs: Lanes[_Job] = Lanes(self.way)
        self._local = threading.local()
        self._opened: list[Session] = []
        self._listeners: list[Callable[[], None]] = []
        self._hearers: list[Callable[[str], None]] = []
        self._channel: Channel | None = None
        self._closing = threading.Event()
        self.timed: Callable[[int, float], None] | None = None
        """Told by the thread that writes how many writes a commit held, and its seconds."""
        self.busy = 0
        """Reads and writes that somebody waits for now."""

    @property
    def path(self) -> Path:
        """The file of a SQLite database."""
        if not isinstance(self.engine, Sqlite):
            raise errors.StorageBroken(f"{self.engine.where} is no file")
        return self.engine.path

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._session = await asyncio.to_thread(self._connect, self.engine.writer)
        self._readers = {
            press: ThreadPoolExecutor(READERS, thread_name_prefix=name)
            for press, name in ((False, "limen-read"), (True, "limen-first"))
        }
        self._thread = threading.Thread(target=self._work, name="limen-write", daemon=True)
        self._thread.start()
        self._channel = self.engine.channel(self._heard)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._jobs.close()
        await asyncio.to_thread(self._thread.join)
        for readers in self._readers.values():
            await asyncio.to_thread(readers.shutdown)
        if self._channel is not None:
            await asyncio.to_thread(self._channel.close)
        for session in [*self._opened, self._session]:
            session.close()

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` on the event loop once after every commit; it has to be cheap."""
        self._listeners.append(listener)

    def announce(self, word: str) -> None:
        """Let the other processes of this database hear a word; nobody hears it in this one."""
        if self._channel is not None:
            self._channel.announce(word)

    def hear(self, hearer: Callable[[str], None]) -> None:
        """Call `hearer` on the event loop with every word that another process announces.

        Words may be lost while the database is away, so whoever listens looks by itself as well.
        """
        self._hearers.append(hearer)

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `fn(tx, …)` and return its result once it is durable.

        Cancelling the wait does not undo the write. What `fn` raises is raised here, and nothing
        it did is kept.
        """
        if self._closing.is_set():
            raise errors.Closed("the database is closing; nothing more is written")
        future: asyncio.Future[T] = self._loop.create_future()
        press = presses(fn)
        job = _Job(lambda tx: fn(tx, *args, **kwargs), future, pressing=press)
        self._jobs.put(job, pressing=press)
        self.busy += 1
        if press:
            self.way.enter()
        future.add_done_callback(partial(self._done, press))
        return await future

    async def read(
        self, fn: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `fn(reader, …)` against one snapshot; it is run again when its connection is lost."""
        if self._closing.is_set():
            raise errors.Closed("the database is closing; nothing more is read")
        self.busy += 1
        if press := presses(fn):
            self.way.enter()
        try:
            readers = self._readers[press]
            return await self._loop.run_in_executor(readers, self._read, fn, args, kwargs)
        finally:
            self._done(press)

    def _done(self, press: bool, _: "asyncio.Future[Any] | None" = None) -> None:
        self.busy -= 1
        if press:
            self.way.leave()

    def _heard(self, word: str) -> None:
        def pass_on() -> None:
            for hearer in self._hearers:
                _call(partial(hearer, word))

        try:
            self._loop.call_soon_threadsafe(pass_on)
        except RuntimeError:
            logger.debug("a word of another process came after the end of the event loop")

    def _connect(self, connect: Callable[[], Session]) -> Session:
        try:
            return connect()
        except Exception as error:
            raise self.engine.named(error) from error

    def _read(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        for pause in self._pauses("reads"):
            try:
                return self._read_once(fn, args, kwargs)
            except Exception as error:
                named = self.engine.named(error)
                if not self.engine.passes(error) or not pause(error):
                    raise named from (None if named is error else error)
        raise errors.Closed("the database is closing; nothing more is read")

    def _read_once(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        session: Session | None = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = self.engine.reader()
            self._opened.append(session)
        try:
            session.begin()
            way = None if presses(fn) else self.way.give
            return fn(Snapshot(session, way), *args, **kwargs)
        except Exception as error:
            if self.engine.passes(error):
                self._local.session = None
                session.close()
            raise
        finally:
            session.roll_back()

    def _pauses(self, what: str) -> Iterator[Callable[[BaseException], bool]]:
        """Tries without end; each gets what to call after a failure: False when it was the last."""
        tries = 0

        def pause(error: BaseException) -> bool:
            if tries == len(PAUSES_S):
                logger.error("%s wait for the database: %s", what, self.engine.named(error))
            return not self._closing.wait(PAUSES_S[min(tries, len(PAUSES_S) - 1)])

        while True:
            yield pause
            tries += 1

    def _work(self) -> None:
        while batch := self._jobs.take(GROUP_LIMIT):
            began = self._loop.time()
            done = self._commit(batch)
            if self.timed is not None:
                self.timed(len(batch), self._loop.time() - began)
            self._hand_back(done)

    def _hand_back(self, done: list[_Job]) -> None:
        try:
            self._loop.call_soon_threadsafe(self._settle, done)
        except RuntimeError:
            logger.warning("%d writes ended after their event loop", len(done))

    def _commit(self, batch: list[_Job]) -> list[_Job]:
        """Write a batch; all that was written with it, in order, each with what it came to."""
        ends: list[_Job] = []
        for pause in self._pauses("writes"):
            try:
                ends = self._together(batch)
                self._session.commit()
                break
            except Exception as error:
                self._session.roll_back()
                if (doubt := self._session.doubt) is not None:
                    try:
                        if self._was_kept(doubt):
                            break
                    except Exception as lost:
                        # Nobody can tell: doing it again might do it twice.
                        return self._given_up(batch, lost)
                if self.engine.passes(error) and pause(error):
                    self._reconnect()
                    continue
                if len(batch) == 1:
                    return self._given_up(batch, error)
                logger.warning("a shared commit failed; its writes run one by one: %s", error)
                return [*chain(*(self._commit([job]) for job in batch))]
        return [*batch, *ends]

    def _given_up(self, batch: list[_Job], error: Exception) -> list[_Job]:
        named = self.engine.named(error)
        for job in batch:
            job.error = named
        return batch

    def _was_kept(self, doubt: str) -> bool:
        """Whether a commit that was never answered came to be."""
        for pause in self._pauses("a commit without an answer"):
            try:
                return self.engine.committed(doubt)
            except Exception as error:
                if not self.engine.passes(error) or not pause(error):
                    raise
        return False

    def _reconnect(self) -> None:
        try:
            fresh = self.engine.writer()
        except Exception as error:
            if not self.engine.passes(error):
                logger.error("the database could not be opened again: %s", error)
            return  # the next try finds the connection lost, and comes here again
        self._session.close()
        self._session = fresh

    def _together(self, batch: list[_Job]) -> list[_Job]:
        """Run a batch in one transaction; what it wanted written at the end of that."""
        session = self._session
        session.begin()
        try:
            return self._each(self._plainly, batch)
        except Exception as error:
            if self.engine.ends_all(error) or (len(batch) == 1 and not batch[0].last):
                raise
            # Savepoints cost two statements each, and it is seldom that a write raises.
            session.roll_back()
            session.begin()
            return self._each(self._beside, batch)

    def _each(self, write: Callable[[_Job], None], batch: list[_Job]) -> list[_Job]:
        for job in self._in_time(batch):
            write(job)
        ends = [_Job(last) for last in dict.fromkeys(chain(*(job.last for job in batch)))]
        for job in ends:
            write(job)
        return ends

    def _in_time(self, batch: list[_Job]) -> Iterator[_Job]:
        """Each in turn; where something presses, the others of a long batch are for the next.

        They take a moment of such a commit, or as long as what pressed took, and one goes in any
        case: so none waits for ever, and much that presses leaves them half of the time.
        """
        began, until = self._loop.time(), 0.0
        for n, job in enumerate(batch):
            if not job.pressing:
                now = self._loop.time()
                if not until:
                    until = now + max(MOMENT_S, now - began)
                elif now > until and (batch[0].pressing or self._jobs.hurry):
                    self._jobs.put_back(batch[n:])
                    del batch[n:]
                    return
            yield job

    def _plainly(self, job: _Job) -> None:
        tx = Tx(self._session)
        job.error, job.last = None, []
        job.result = job.call(tx)
        job.hooks, job.last = tx.hooks, tx.last

    def _beside(self, job: _Job) -> None:
        job.error, job.hooks, job.last = None, [], []
        tx = Tx(self._session)
        tx.run("SAVEPOINT one")
        try:
            job.result = job.call(tx)
            job.hooks, job.last = tx.hooks, tx.last
        except Exception as error:
            if self.engine.ends_all(error):
                raise
            tx.run("ROLLBACK TO one")
            job.error = self.engine.named(error)
        tx.run("RELEASE one")

    def _settle(self, done: list[_Job]) -> None:
        for job in done:
            if job.error is None:
                for hook in job.hooks:
                    _call(hook)
            if job.future is None:
                self._ended(job)
            elif job.future.cancelled():
                continue
            elif job.error is not None:
                job.future.set_exception(job.error)
            else:
                job.future.set_result(job.result)
        for listener in self._listeners:
            _call(listener)

    def _ended(self, job: _Job) -> None:
        if job.error is not None:
            logger.error("what ends a commit failed", exc_info=job.error)
        for last in job.last:
            self._jobs.put(_Job(last))


def _call(hook: Callable[[], None]) -> None:
    """What a hook raises is nobody's answer: the write itself is durable."""
    try:
        hook()
    except Exception:
        logger.exception("a hook of a commit failed")


@contextmanager
def snapshot(place: Path | Engine) -> Iterator[Reader]:
    """Read a database that another process may be using, without changing it."""
    engine: Engine = Sqlite(place) if isinstance(place, Path) else place
    try:
        with engine.snapshot() as session:
            yield Reader(session)
    except Exception as error:
        named = engine.named(error)
        raise named from (None if named is error else error)
