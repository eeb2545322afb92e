"""Group commit, snapshots, and the ends of the database."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memory import errors
from memory.db import Database, Reader, Tx, snapshot
from memory.engine import Engine
from memory.sqlite import Sqlite


def create(tx: Tx) -> None:
    tx.schema.define("CREATE TABLE things (id INTEGER PRIMARY KEY, n INTEGER UNIQUE)")


@pytest.fixture
async def store(place: Path | Engine) -> AsyncIterator[Database]:
    async with Database(place) as database:
        await database.write(create)
        yield database


@pytest.fixture
async def file(tmp_path: Path) -> AsyncIterator[Database]:
    """A store that is a file."""
    async with Database(tmp_path / "store.db") as database:
        await database.write(create)
        yield database


def add(tx: Tx, n: int) -> int:
    return tx.insert("INSERT INTO things (n) VALUES (:n) RETURNING id", n=n)


def everything(reader: Reader) -> list[int]:
    return [row["n"] for row in reader.all("SELECT n FROM things ORDER BY n")]


class Plug:
    """Keeps the writing thread busy, so that what follows shares one commit."""

    def __init__(self) -> None:
        self._out = threading.Event()

    def write(self, tx: Tx) -> None:
        self._out.wait(10)

    def pull(self) -> None:
        self._out.set()


async def together(
    store: Database, *functions: Callable[[Tx], object]
) -> list[object | BaseException]:
    """Run functions in one commit; their results or errors."""
    plug = Plug()
    first = asyncio.ensure_future(store.write(plug.write))
    rest = [asyncio.ensure_future(store.write(function)) for function in functions]
    await asyncio.sleep(0)
    plug.pull()
    await first
    return await asyncio.gather(*rest, return_exceptions=True)


async def test_a_write_gives_back_its_result_once_it_is_durable(store: Database) -> None:
    assert await store.write(add, 7) == 1
    with snapshot(store.engine) as other:
        assert everything(other) == [7]


async def test_functions_that_wait_together_share_a_commit(store: Database) -> None:
    commits: list[int] = []
    store.listen(lambda: commits.append(1))
    results = await together(store, *[lambda tx, n=n: add(tx, n) for n in range(50)])
    assert results == list(range(1, 51))
    assert len(commits) <= 2, "the plug may have one of its own"


async def test_one_that_fails_takes_only_its_own_work_back(store: Database) -> None:
    def fails(tx: Tx) -> None:
        add(tx, 99)
        raise LookupError("changed my mind")

    results = await together(store, lambda tx: add(tx, 1), fails, lambda tx: add(tx, 2))
    assert [type(result) for result in results] == [int, LookupError, int]
    assert await store.read(everything) == [1, 2]


async def test_half_a_sign_is_kept_as_what_cannot_be_shown(store: Database) -> None:
    def say(tx: Tx, text: str) -> None:
        tx.run("INSERT INTO sayings (said) VALUES (:said)", said=text)

    def said(reader: Reader) -> list[str]:
        return [row["said"] for row in reader.all("SELECT said FROM sayings ORDER BY id")]

    def found(reader: Reader, text: str) -> int:
        return len(reader.all("SELECT 1 FROM sayings WHERE said = :said", said=text))

    await store.write(
        lambda tx: tx.schema.define("CREATE TABLE sayings (id INTEGER PRIMARY KEY, said TEXT)")
    )
    odd = ["a\ud800b", "冰箱\udfff", "\ud83e\uddca", "\ud83e"]
    results = await together(store, *[lambda tx, text=text: say(tx, text) for text in odd])
    assert results == [None] * 4
    assert await store.read(said) == ["a\ufffdb", "冰箱\ufffd", "🧊", "\ufffd"]
    assert [await store.read(found, text) for text in odd] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "statement", ["SELECT no_such_column FROM things", "INSERT INTO nowhere VALUES (1)"]
)
async def test_a_broken_statement_spoils_nothing_of_the_others(
    store: Database, statement: str
) -> None:
    runs = {"first": 0}

    def counted(tx: Tx) -> int:
        runs["first"] += 1
        return add(tx, 1)

    results = await together(store, counted, lambda tx: tx.run(statement), lambda tx: add(tx, 2))
    assert isinstance(results[1], errors.StorageBroken)
    assert isinstance(results[0], int)
    assert isinstance(results[2], int)
    if isinstance(store.engine, Sqlite):
        assert runs["first"] == 2, "it was run again alone"
    assert await store.read(everything) == [1, 2]


async def test_a_broken_rule_of_a_table_is_named_as_ours(store: Database) -> None:
    await store.write(add, 1)
    results = await together(store, lambda tx: add(tx, 1), lambda tx: add(tx, 2))
    assert isinstance(results[0], errors.StorageBroken)
    assert "unique" in str(results[0]).lower()
    assert await store.read(everything) == [1, 2]


def limit_pages(tx: Tx, more: int) -> None:
    """A disk that takes so many pages more; SQLite says of it what it says of a full one."""
    row = tx.one("PRAGMA page_count")
    assert row is not None
    tx.run(f"PRAGMA max_page_count = {row[0] + more}")


async def test_a_full_disk_fails_what_does_not_fit_and_keeps_the_rest(file: Database) -> None:
    await file.write(lambda tx: tx.run("CREATE TABLE blobs (b BLOB)"))
    await file.write(limit_pages, 1)
    results = await together(
        file,
        lambda tx: add(tx, 1),
        lambda tx: tx.run("INSERT INTO blobs VALUES (zeroblob(1000000))"),
        lambda tx: add(tx, 2),
    )
    assert isinstance(results[1], errors.StorageFull)
    assert "free space" in str(results[1])
    assert await file.read(everything) == [1, 2]
    await file.write(limit_pages, 10_000)
    await file.write(lambda tx: tx.run("INSERT INTO blobs VALUES (zeroblob(1000000))"))


async def test_a_disk_that_fills_up_inside_a_nested_part_is_told_as_full(file: Database) -> None:
    await file.write(lambda tx: tx.run("CREATE TABLE blobs (b BLOB)"))
    await file.write(limit_pages, 1)

    def nested(tx: Tx) -> None:
        with tx.nested():
            for _ in range(100):
                tx.run("INSERT INTO blobs VALUES (zeroblob(4000))")

    with pytest.raises(errors.StorageFull, match="free space"):
        await file.write(nested)
    results = await together(file, nested, lambda tx: add(tx, 1))
    assert isinstance(results[0], errors.StorageFull)
    assert await file.read(everything) == [1]


async def test_hooks_run_after_the_commit_and_only_then(store: Database) -> None:
    rung: list[str] = []

    def good(tx: Tx) -> None:
        tx.on_commit(lambda: rung.append("good"))
        add(tx, 1)

    def bad(tx: Tx) -> None:
        tx.on_commit(lambda: rung.append("bad"))
        raise LookupError

    await together(store, good, bad)
    assert rung == ["good"]


async def test_a_function_that_is_run_again_rings_once(store: Database) -> None:
    rung: list[str] = []

    def good(tx: Tx) -> None:
        tx.on_commit(lambda: rung.append("good"))

    await together(store, good, lambda tx: tx.run("nonsense"))
    assert rung == ["good"]


async def test_a_hook_that_raises_keeps_nobody_waiting(
    store: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def odd(tx: Tx) -> int:
        tx.on_commit(lambda: [][0])
        return add(tx, 1)

    results = await together(store, odd, lambda tx: add(tx, 2))
    assert results == [1, 2], "the write is durable, whatever its hook does"
    assert "a hook of a commit failed" in caplog.text


async def test_a_waiter_that_is_cancelled_does_not_undo_its_write(store: Database) -> None:
    rung: list[str] = []

    def act(tx: Tx) -> None:
        add(tx, 1)
        tx.on_commit(lambda: rung.append("rung"))

    plug = Plug()
    first = asyncio.ensure_future(store.write(plug.write))
    waiter = asyncio.ensure_future(store.write(act))
    await asyncio.sleep(0)
    waiter.cancel()
    with suppress(asyncio.CancelledError):
        await waiter
    plug.pull()
    await first
    await store.write(add, 2)
    assert await store.read(everything) == [1, 2]
    assert rung == ["rung"]
    assert store.busy == 0


async def test_closing_drains_what_was_accepted_and_takes_nothing_more(
    place: Path | Engine,
) -> None:
    database = Database(place)
    async with database:
        await database.write(create)
        plug = Plug()
        first = asyncio.ensure_future(database.write(plug.write))
        rest = [asyncio.ensure_future(_put(database, n)) for n in range(300)]
        await asyncio.sleep(0)
        plug.pull()
    await first
    assert await asyncio.gather(*rest) == [1] * 300
    with pytest.raises(errors.Closed):
        await database.write(add, 1)
    with pytest.raises(errors.Closed):
        await database.read(everything)
    async with Database(place) as again:
        assert len(await again.read(everything)) == 300


async def _put(database: Database, n: int) -> int:
    return await database.write(lambda tx: tx.run("INSERT INTO things (n) VALUES (:n)", n=n))


async def test_a_read_sees_one_snapshot(store: Database) -> None:
    await store.write(add, 1)
    reading, written = threading.Event(), threading.Event()

    def look_twice(reader: Reader) -> tuple[list[int], list[int]]:
        before = everything(reader)
        reading.set()
        written.wait(10)
        return before, everything(reader)

    looking = asyncio.ensure_future(store.read(look_twice))
    await asyncio.to_thread(reading.wait, 10)
    await store.write(add, 2)
    written.set()
    assert await looking == ([1], [1])
    assert await store.read(everything) == [1, 2]


async def test_a_reader_cannot_write(store: Database) -> None:
    with pytest.raises(errors.StorageError):
        await store.read(lambda reader: reader.all("INSERT INTO things (n) VALUES (1)"))
    assert await store.read(everything) == []


async def test_an_error_of_a_read_leaves_its_connection_usable(store: Database) -> None:
    for _ in range(5):
        with pytest.raises(LookupError):
            await store.read(_fail)
        with pytest.raises(errors.StorageBroken):
            await store.read(lambda reader: reader.all("nonsense"))
    assert await store.read(everything) == []


def _fail(reader: Reader) -> None:
    raise LookupError("not found")


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(errors.StorageBroken, match=r"store\.db"):
        async with Database(path):
            pass


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(errors.StorageFull, match="nowhere"):
        async with Database(tmp_path / "nowhere" / "store.db"):
            pass


def counted(tx: Tx) -> None:
    """How many things there are, as one more of them."""
    add(tx, 1000 + len(everything(tx)))


def adding(n: int, last: Callable[[Tx], None] = counted) -> Callable[[Tx], None]:
    """Add a thing, and want something written at the end."""

    def write(tx: Tx) -> None:
        add(tx, n)
        tx.at_end(last)

    return write


async def test_what_ends_a_commit_is_written_once_and_behind_all_that_share_it(
    store: Database,
) -> None:
    hooks: list[str] = []

    def last(tx: Tx) -> None:
        counted(tx)
        tx.on_commit(lambda: hooks.append("last"))

    def second(tx: Tx) -> None:
        adding(2, last)(tx)
        tx.on_commit(lambda: hooks.append("second"))

    await together(store, adding(1, last), second, lambda tx: add(tx, 3))
    assert await store.read(everything) == [1, 2, 3, 1003]
    assert hooks == ["second", "last"]


async def test_what_ends_a_commit_takes_nothing_back_when_it_fails(
    store: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def last(tx: Tx) -> None:
        counted(tx)
        tx.on_commit(lambda: pytest.fail("it was taken back"))
        raise RuntimeError("a bug at the end")

    await store.write(adding(1, last))
    await together(store, adding(2, last), lambda tx: add(tx, 3))
    assert await store.read(everything) == [1, 2, 3]
    assert caplog.text.count("what ends a commit failed") == 2


async def test_a_write_that_raises_wants_nothing_at_the_end(store: Database) -> None:
    def raises(tx: Tx) -> None:
        adding(1)(tx)
        raise RuntimeError("no")

    def nested(tx: Tx) -> None:
        add(tx, 2)
        with suppress(RuntimeError), tx.nested():
            raises(tx)

    with pytest.raises(RuntimeError):
        await store.write(raises)
    await store.write(nested)
    results = await together(store, raises, adding(3))
    assert isinstance(results[0], RuntimeError)
    assert await store.read(everything) == [2, 3, 1002]


async def test_what_the_end_of_a_commit_wants_itself_is_written_next(store: Database) -> None:
    await store.write(adding(1, adding(2)))
    await store.write(lambda tx: None)
    assert await store.read(everything) == [1, 2, 1002]
