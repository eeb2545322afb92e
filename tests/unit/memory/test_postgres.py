"""What only a server can do: be shared, go away, and leave a commit without an answer."""

import asyncio
import secrets
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from memory import errors, migrations
from memory.db import Database, Reader, Tx
from memory.engine import Session
from memory.postgres import Postgres, PostgresSession, defined, translated
from tests.fakes import servers
from tests.fakes.servers import PACKAGES, Server


@pytest.fixture
def url() -> Iterator[str]:
    made = servers.running().empty()
    yield made
    servers.running().drop(made)


@pytest.fixture(scope="module")
def mortal() -> Iterator[Server]:
    """A server that may be stopped; others lean on the common one."""
    folder = Path(tempfile.mkdtemp(prefix="limen-mortal-"))
    made = Server(folder)
    yield made
    made.start()
    made.close()


@pytest.fixture
async def store(url: str) -> AsyncIterator[Database]:
    async with Database(Postgres(url)) as database:
        await database.write(create)
        yield database


def create(tx: Tx) -> None:
    tx.schema.define("CREATE TABLE things (id INTEGER PRIMARY KEY, n INTEGER, said TEXT)")


def add(tx: Tx, n: int, said: str = "") -> int:
    return tx.insert("INSERT INTO things (n, said) VALUES (:n, :said) RETURNING id", n=n, said=said)


def everything(reader: Reader) -> list[int]:
    return [row["n"] for row in reader.all("SELECT n FROM things ORDER BY n")]


def highest(tx: Tx) -> int:
    row = tx.one("SELECT COALESCE(MAX(n), 0) AS n FROM things")
    assert row is not None
    return int(row["n"])


async def test_two_processes_write_as_if_each_were_alone(store: Database, url: str) -> None:
    def count_on(tx: Tx) -> None:
        add(tx, highest(tx) + 1)

    async with Database(Postgres(url)) as other:
        await asyncio.gather(*[one.write(count_on) for _ in range(60) for one in (store, other)])
    assert await store.read(everything) == list(range(1, 121))


async def test_a_word_reaches_the_other_process_and_not_oneself(store: Database, url: str) -> None:
    heard: list[tuple[str, str]] = []
    arrived = asyncio.Event()

    def hear(who: str, word: str) -> None:
        heard.append((who, word))
        if word == "last":
            arrived.set()

    store.hear(lambda word: hear("store", word))
    async with Database(Postgres(url)) as other:
        other.hear(lambda word: hear("other", word))
        async with asyncio.timeout(10):
            while not arrived.is_set():  # until both listen, a word may pass by
                store.announce("last")
                await asyncio.sleep(0.01)
    assert {who for who, _ in heard} == {"other"}


async def test_a_long_list_of_words_is_cut_to_what_the_server_takes(
    store: Database, url: str
) -> None:
    heard: set[str] = set()
    async with Database(Postgres(url)) as other:
        other.hear(heard.add)
        words = {f"{'w' * 100}{n}" for n in range(300)}
        async with asyncio.timeout(10):
            while heard != words:
                for word in words - heard:
                    store.announce(word)
                await asyncio.sleep(0.02)


async def test_a_write_goes_on_when_its_connection_is_cut(store: Database, url: str) -> None:
    tries: list[int] = []

    def cut_once(tx: Tx) -> int:
        tries.append(len(tries))
        if len(tries) == 1:
            servers.running().disconnect(url)
        return add(tx, 1)

    assert await store.write(cut_once) >= 1
    assert len(tries) == 2
    assert await store.read(everything) == [1]


async def test_writes_that_share_a_commit_are_all_kept_once_when_it_is_cut(
    store: Database, url: str
) -> None:
    held = threading.Event()
    first = asyncio.ensure_future(store.write(lambda tx: held.wait(10)))
    cut = {"left": 1}

    def cut_once(tx: Tx) -> None:
        add(tx, 100)
        if cut["left"]:
            cut["left"] = 0
            servers.running().disconnect(url)

    rest = [
        asyncio.ensure_future(store.write(fn))
        for fn in (lambda tx: add(tx, 1), cut_once, lambda tx: add(tx, 2))
    ]
    await asyncio.sleep(0)
    held.set()
    await asyncio.gather(first, *rest)
    assert await store.read(everything) == [1, 2, 100]


class Losing(PostgresSession):
    """A connection that breaks at one commit: before it was kept, or right after."""

    engine: "Unanswered"

    def commit(self) -> None:
        if not self.engine.armed:
            super().commit()
            return
        self.engine.armed = False
        self.doubt = str(self.execute("SELECT pg_current_xact_id()", {}).fetchone()[0])
        if self.engine.kept:
            self._connection.execute(b"COMMIT")
        self.close()
        raise psycopg.OperationalError("the connection was lost")


class Unanswered(Postgres):
    """A server whose answer to one commit is lost."""

    def __init__(self, url: str, *, kept: bool) -> None:
        super().__init__(url)
        self.kept = kept
        self.armed = False

    def writer(self) -> Session:
        found = super().writer()
        assert isinstance(found, PostgresSession)
        made = Losing(found._connection, found._begin)
        made.engine = self
        return made


@pytest.mark.parametrize("kept", [True, False])
async def test_a_commit_without_an_answer_is_looked_up(url: str, kept: bool) -> None:
    engine = Unanswered(url, kept=kept)
    async with Database(engine) as database:
        await database.write(create)
        engine.armed = True
        await database.write(add, 1)
        assert not engine.armed
        assert await database.read(everything) == [1]


async def test_a_server_that_never_heard_of_a_commit_did_not_keep_it(url: str) -> None:
    """As after a failover that lost it: the number is one of the future there."""
    assert not Postgres(url).committed("99999999")


class Unknowing(Unanswered):
    """A server that cannot tell what became of a commit either."""

    def committed(self, doubt: str) -> bool:
        raise psycopg.errors.InsufficientPrivilege("nobody may ask")


async def test_a_commit_nobody_can_tell_of_is_told_so_and_others_go_on(url: str) -> None:
    engine = Unknowing(url, kept=True)
    async with Database(engine) as database:
        await database.write(create)
        engine.armed = True
        async with asyncio.timeout(5):
            with pytest.raises(errors.StorageBroken, match="nobody may ask"):
                await database.write(add, 1)
            await database.write(add, 2)
        assert await database.read(everything) == [1, 2], "it was kept, and not done twice"


async def test_reads_and_writes_wait_for_a_server_that_restarts(mortal: Server) -> None:
    mortal.start()
    async with Database(Postgres(mortal.empty())) as store:
        await store.write(create)
        await store.write(add, 1)
        await asyncio.to_thread(mortal.stop)
        writing = asyncio.ensure_future(store.write(add, 2))
        reading = asyncio.ensure_future(store.read(everything))
        await asyncio.sleep(0.05)
        assert not writing.done()
        assert not reading.done()
        await asyncio.to_thread(mortal.start)
        await writing
        assert 1 in await reading
        assert await store.read(everything) == [1, 2]


async def test_closing_does_not_wait_for_a_server_that_is_gone(mortal: Server) -> None:
    mortal.start()
    database = Database(Postgres(mortal.empty()))
    await database.__aenter__()
    await database.write(create)
    await asyncio.to_thread(mortal.stop)
    writing = asyncio.ensure_future(database.write(add, 1))
    await asyncio.sleep(0.02)
    async with asyncio.timeout(10):
        await database.__aexit__(None, None, None)
    with pytest.raises(errors.StorageError):
        await writing


async def test_whoever_stands_still_in_a_transaction_holds_nobody_up(
    store: Database, url: str
) -> None:
    """Its transaction is ended by the server, and it begins anew."""
    with closing(psycopg.connect(url, autocommit=True)) as stalled:
        stalled.execute("SET idle_in_transaction_session_timeout = '50ms'")
        stalled.execute("BEGIN; SELECT pg_advisory_xact_lock(7107345101)")
        async with asyncio.timeout(10):
            await store.write(add, 1)
    assert await store.read(everything) == [1]


class Hasty(Postgres):
    """A server that ends a transaction which stands still for a moment."""

    def writer(self) -> Session:
        made = super().writer()
        made.execute("SET idle_in_transaction_session_timeout = '20ms'", {})
        return made


async def test_a_write_that_stood_still_too_long_is_done_again(url: str) -> None:
    tries = []

    def stand_still_once(tx: Tx) -> None:
        add(tx, 1)
        tries.append(1)
        if len(tries) == 1:
            tx.one("SELECT pg_sleep(0)")
            threading.Event().wait(0.1)
        add(tx, 2)

    async with Database(Hasty(url)) as database:
        await database.write(create)
        await database.write(stand_still_once)
        assert await database.read(everything) == [1, 2]


async def test_a_slow_reader_is_not_cut_off(store: Database) -> None:
    asked = "SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'"
    reading = await store.read(lambda reader: reader.one(asked))
    writing = await store.write(lambda tx: tx.one(asked))
    assert reading is not None
    assert writing is not None
    assert (reading[0], writing[0]) == ("0", "5000")


async def test_what_the_server_can_never_do_holds_nobody_up(store: Database) -> None:
    """A text too long for an index fails by itself; it would be tried for ever otherwise."""
    await store.write(lambda tx: tx.schema.define("CREATE INDEX by_said ON things (said)"))
    long = secrets.token_hex(20_000)  # nothing that could be packed
    async with asyncio.timeout(5):
        done = await asyncio.gather(
            store.write(add, 1, long), store.write(add, 2), return_exceptions=True
        )
    assert isinstance(done[0], errors.StorageBroken)
    assert await store.read(everything) == [2]


async def test_words_of_other_programs_are_let_go(store: Database, url: str) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    store.hear(heard.put_nowait)
    with closing(psycopg.connect(url, autocommit=True)) as other:
        async with asyncio.timeout(5):
            while heard.empty():  # it may not listen yet
                for payload in ("by hand", "7", "[7]", '["files"]'):
                    other.execute("SELECT pg_notify('limen', %s)", [payload])
                await asyncio.sleep(0.02)
            assert await heard.get() == "files"


async def test_texts_come_back_as_they_went(store: Database) -> None:
    odd = "100 % of :n is 'quoted' \\ \U0001f9ca 冰箱 %s %(n)s"
    await store.write(add, 1, odd)
    await store.write(add, 2, "nul \x00 here")
    rows = await store.read(lambda reader: reader.all("SELECT said FROM things ORDER BY n"))
    assert [row["said"] for row in rows] == [odd, "nul \ufffd here"]


async def test_sums_truth_and_nothing_are_as_with_a_file(store: Database) -> None:
    await store.write(add, 3)
    row = await store.read(
        lambda reader: reader.one(
            "SELECT SUM(n) AS sum, AVG(n) AS mean, n = 3 AS same, NULL AS none "
            "FROM things GROUP BY n"
        )
    )
    assert row is not None
    assert [row["sum"], row["mean"], row["same"], row["none"]] == [3, 3, 1, None]
    assert isinstance(row["sum"], int)
    assert list(row.keys()) == ["sum", "mean", "same", "none"]
    assert (len(row), list(row), row[0]) == (4, [3, 3, 1, None], 3)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgresql://nobody@127.0.0.1:1/limen", "cannot be reached"),
        ("mysql://somewhere", "address"),
    ],
)
async def test_a_server_that_is_not_there_is_named_without_its_password(
    url: str, says: str
) -> None:
    with pytest.raises(errors.StorageError, match=says) as caught:
        async with Database(Postgres(url.replace("nobody@", "nobody:secret-word@"))):
            pass
    assert "secret-word" not in str(caught.value)


async def test_tables_grow_step_by_step_to_the_same_as_at_once() -> None:
    server, steps = servers.running(), migrations.steps(PACKAGES)
    urls = [server.empty(), server.empty()]
    shapes = []
    for url, counts in zip(urls, ([len(steps)], range(1, len(steps) + 1)), strict=True):
        session = Postgres(url).writer()
        for count in counts:
            session.begin()
            migrations.migrate(Tx(session), steps[:count], now_us=1)
            session.commit()
        shapes.append(session.tables())
        session.close()
        server.drop(url)
    assert shapes[0] == shapes[1]


async def test_two_processes_that_start_together_make_the_tables_once(url: str) -> None:
    steps = migrations.steps(PACKAGES)
    async with Database(Postgres(url)) as one, Database(Postgres(url)) as other:
        done = await asyncio.gather(
            *[db.write(migrations.migrate, steps, now_us=1) for db in (one, other)]
        )
    assert sorted(map(len, done)) == [0, len(steps)]


def test_statements_are_translated_outside_of_quotes_only() -> None:
    said = "SELECT ':no', a::text, '100 %' LIKE :yes FROM t WHERE a % 2 IN (json_each(:ids))"
    assert translated(said) == (
        "SELECT ':no', a::text, '100 %%' LIKE %(yes)s FROM t WHERE a %% 2 IN (limen_each(%(ids)s))"
    )


def test_a_full_text_table_becomes_one_with_an_index_of_words() -> None:
    made = defined("CREATE VIRTUAL TABLE notes_text USING fts5 (body, content = '')")
    assert made[0].startswith("CREATE TABLE notes_text (id BIGINT PRIMARY KEY")
    assert "USING gin" in made[1]


async def test_words_are_sorted_in_at_once_and_what_there_is_is_counted(url: str) -> None:
    """Also in an index an older version made: every search read what waited to be sorted in."""
    session = Postgres(url).writer()
    session.begin()
    for statement in (
        "CREATE TABLE notes (words TSVECTOR)",
        "CREATE INDEX n ON notes USING gin (words)",
    ):
        session.define(statement)
    session.prepare()
    session.execute("INSERT INTO notes SELECT NULL FROM generate_series(1, 9)", {})
    session.take_stock()
    session.commit()
    rows = session.execute(
        "SELECT relname, reloptions, reltuples FROM pg_class WHERE relname IN ('n', 'notes')", {}
    ).fetchall()
    found = {row["relname"]: row for row in rows}
    assert found["n"]["reloptions"] == ["fastupdate=off"]
    assert found["notes"]["reltuples"] == 9
    session.close()


async def test_a_database_that_knows_no_letters_is_refused_with_a_remedy() -> None:
    server = servers.running()
    url = server.empty(locale="C")
    try:
        async with Database(Postgres(url)) as database:
            with pytest.raises(errors.StorageBroken, match=r"LOCALE 'C\.UTF-8'"):
                await database.write(migrations.migrate, migrations.steps(PACKAGES), now_us=1)
    finally:
        server.drop(url)


class Later(Postgres):
    """An engine that knows no server of today."""

    oldest = 990_000


async def test_a_server_that_is_too_old_is_refused(url: str) -> None:
    with pytest.raises(errors.StorageBroken, match="99 is the oldest"):
        async with Database(Later(url)):
            pass
