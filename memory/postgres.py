"""PostgreSQL: one database for several processes, on one machine or many.

Write transactions stand in line for one advisory lock, so that each finds the database as if it
were alone, as it does with SQLite. The lock belongs to the transaction, so it ends with it; whoever
stops in the middle loses it after `STALLED`.
"""

import json
import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from typing import Any

from memory import errors
from memory.db import queries
from memory.engine import Channel, Cursor, Engine, Row, Session, Statement, whole

logger = logging.getLogger(__name__)

_SQL = queries(__file__)
_WRITERS = 7_107_345_101  # the advisory lock of all write transactions of one database
_CHANNEL = "limen"
_LONGEST = 7900  # signs of one notification
STALLED = "5s"  # how long a transaction may stand still before the server ends it
PAUSE_S = 1.0  # seconds before a lost channel is opened again
LISTENING_S = 0.5  # seconds; the end of the process is seen sooner by a word of its own
_OPTIONS = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "target_session_attrs": "read-write",
    "application_name": "limen",
}
_STALLS = f"SET idle_in_transaction_session_timeout = '{STALLED}'"
_SETTINGS = (
    "SET client_encoding = 'UTF8'; "
    "SET jit = off; "  # it takes longer than any of our statements
    "SET tcp_user_timeout = 10000; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2"
)
_PLACE = re.compile(r"'(?:[^']|'')*'|::|:(\w+)|%|\bjson_each\(")


class Record:
    """A row that knows its columns by name and by place."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: dict[str, int], values: tuple[Any, ...]) -> None:
        self._names = names
        self._values = values

    def __getitem__(self, key: str | int) -> Any:
        return self._values[key if isinstance(key, int) else self._names[key]]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def keys(self) -> list[str]:
        return list(self._names)


def _records(cursor: Any) -> Callable[[Any], Row]:
    names = {column.name: place for place, column in enumerate(cursor.description or ())}
    return lambda values: Record(names, tuple(values))


@cache
def _driver() -> Any:
    """psycopg, imported only where a database is on a server: it takes 12 MB."""
    import psycopg

    return psycopg


def _adapt(adapters: Any) -> None:
    """Keep values as SQLite does."""
    from psycopg.adapt import Loader
    from psycopg.types.numeric import Int8Dumper
    from psycopg.types.string import StrDumperUnknown

    class Whole(Int8Dumper):
        """Truth is kept as 0 and 1, and all whole numbers alike, so that plans are used again."""

        def dump(self, obj: Any) -> bytes:
            return str(int(obj)).encode()

    class Text(StrDumperUnknown):
        """The server takes no NUL: the sign for what cannot be shown takes its place."""

        def dump(self, obj: str) -> bytes:
            text = obj.replace("\x00", "\ufffd")
            try:
                return text.encode()
            except UnicodeEncodeError:
                return whole(text).encode()

    class Number(Loader):
        """Sums come as whole numbers where they are."""

        def load(self, data: Any) -> int | float:
            text = bytes(data).decode()
            return int(text) if text.removeprefix("-").isdigit() else float(text)

    class Truth(Loader):
        """Truth comes as 0 and 1."""

        def load(self, data: Any) -> int:
            return int(bytes(data) == b"t")

    for kind in (int, bool):
        adapters.register_dumper(kind, Whole)
    adapters.register_dumper(str, Text)
    adapters.register_loader("numeric", Number)
    adapters.register_loader("bool", Truth)


@lru_cache(maxsize=4096)
def translated(sql: str) -> str:
    """A statement as psycopg takes it: `:name` becomes `%(name)s`.

    `json_each(:ids)` gives the numbers of a list, `json_each(:names, '$')` its words.
    """

    def place(match: re.Match[str]) -> str:
        if match[1]:
            return f"%({match[1]})s"
        if match[0] == "json_each(":
            return "limen_each("
        return match[0].replace("%", "%%")

    return _PLACE.sub(place, sql)


def defined(sql: str) -> list[str]:
    """A statement of a schema in PostgreSQL's words."""
    if found := re.match(r"CREATE VIRTUAL TABLE (\w+)", sql):
        name = found[1]
        return [
            f"CREATE TABLE {name} (id BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)",
            # What waits to be sorted in is read by every search, megabytes of it.
            f"CREATE INDEX {name}_words ON {name} USING gin (words) WITH (fastupdate = off)",
        ]
    sql = re.sub(
        r"\bINTEGER PRIMARY KEY\b", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", sql
    )
    sql = re.sub(r"\bINTEGER\b", "BIGINT", sql)
    sql = re.sub(r"\bREAL\b", "DOUBLE PRECISION", sql)
    return [re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', sql)]


class PostgresSession(Session):
    """A connection to the server."""

    def __init__(self, connection: Any, begin: str) -> None:
        self._connection = connection
        self._begin = begin
        self._id: str | None = None

    def execute(self, sql: str, params: Mapping[str, Any]) -> Cursor:
        text = sql.postgres if isinstance(sql, Statement) else sql
        found: Cursor = self._connection.execute(translated(text).encode(), params)
        return found

    def define(self, sql: str) -> None:
        for statement in defined(sql):
            self._connection.execute(statement.encode())

    def begin(self) -> None:
        self.doubt = self._id = None
        cursor = self._connection.execute(self._begin.encode())
        while cursor.nextset():
            pass
        row = cursor.fetchone() if cursor.description else None
        self._id = str(row[0]) if row else None

    def commit(self) -> None:
        self.doubt = self._id
        self._connection.execute(b"COMMIT")
        self.doubt = None

    def roll_back(self) -> None:
        with suppress(_driver().Error):
            if self.in_transaction:
                self._connection.execute(b"ROLLBACK")

    @property
    def in_transaction(self) -> bool:
        status = self._connection.info.transaction_status
        return status.name in ("INTRANS", "INERROR")

    def prepare(self) -> None:
        for name in ("words", "each", "each_word", "fold", "vector", "terms", "at_once"):
            self._connection.execute(_SQL[name].encode())
        found = self._connection.execute(_SQL["letters"].encode()).fetchone()
        if not found["known"]:
            raise errors.StorageBroken(
                "the database does not know the letters of all languages, so words would not be "
                "found; make it anew: CREATE DATABASE limen TEMPLATE template0 ENCODING 'UTF8' "
                "LOCALE 'C.UTF-8'"
            )

    def tables(self) -> dict[str, list[str]]:
        rows = self._connection.execute(_SQL["tables"].encode()).fetchall()
        found: dict[str, list[str]] = {}
        for table, column in rows:
            found.setdefault(table, []).append(column)
        return found

    def resequence(self) -> None:
        rows = self._connection.execute(_SQL["identities"].encode()).fetchall()
        for table, column in rows:
            self._connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), "  # noqa: S608
                f"COALESCE(MAX({column}), 0) + 1, false) FROM {table}".encode()
            )

    def take_stock(self) -> None:
        rows = self._connection.execute(_SQL["every_table"].encode()).fetchall()
        self._connection.execute(f"ANALYZE {', '.join(row[0] for row in rows)}".encode())

    def close(self) -> None:
        with suppress(_driver().Error):
            self._connection.close()


class Postgres(Engine):
    """A database on a server, by its address: `postgresql://user:password@host/name`."""

    oldest = 160_000
    """The version of the oldest server, as servers count."""

    def __init__(self, url: str) -> None:
        self._driver = _driver()
        try:
            self._given = self._driver.conninfo.conninfo_to_dict(url)
        except self._driver.ProgrammingError as error:
            raise errors.StorageBroken(f"the address of the database is wrong: {error}") from error
        parts = self._given
        self.where = f"postgresql://{parts.get('host') or ''}/{parts.get('dbname') or ''}"

    def writer(self) -> Session:
        begin = f"BEGIN; SELECT pg_advisory_xact_lock({_WRITERS}); SELECT pg_current_xact_id()"
        # Only a writer stands in anybody's way.
        return PostgresSession(self._connect(f"{_STALLS}; {_SETTINGS}"), begin)

    def reader(self) -> Session:
        return PostgresSession(self._connect(), "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        session = self.reader()
        try:
            session.begin()
            yield session
        finally:
            session.close()

    def channel(self, hear: Callable[[str], None]) -> Channel | None:
        return PostgresChannel(self._connect, hear)

    def committed(self, doubt: str) -> bool:
        with self._connect() as connection:
            try:
                row = connection.execute(b"SELECT pg_xact_status(%s::xid8)", [doubt]).fetchone()
            except self._driver.errors.InvalidParameterValue:
                return False  # a server that took over before it had heard of it
        status = row[0] if row else None
        if status == "in progress":
            raise self._driver.OperationalError(f"transaction {doubt} is still in progress")
        return bool(status == "committed")

    def named(self, error: BaseException) -> BaseException:
        if not isinstance(error, self._driver.Error):
            return error
        text = str(error).strip().splitlines()
        said = text[0] if text else type(error).__name__
        if isinstance(error, self._full):
            return errors.StorageFull(
                f"{self.where} could not be written ({said}); free space or make it writable"
            )
        if self.passes(error):
            return errors.StorageFull(
                f"{self.where} cannot be reached ({said}); see that the server runs, and [database]"
            )
        return errors.StorageBroken(f"{self.where} could not be used: {said}")

    def passes(self, error: BaseException) -> bool:
        known = self._driver.errors
        lasting = (known.DiskFull, known.InvalidAuthorizationSpecification)
        return self.ends_all(error) and not isinstance(error, lasting)

    def ends_all(self, error: BaseException) -> bool:
        known = self._driver.errors
        kinds = (
            self._driver.OperationalError,
            self._driver.InterfaceError,
            known.IdleInTransactionSessionTimeout,
        )
        return isinstance(error, kinds) and not _too_much(error)

    @property
    def _full(self) -> tuple[type[Exception], ...]:
        return (self._driver.errors.DiskFull, self._driver.errors.ReadOnlySqlTransaction)

    def _check(self, version: int) -> None:
        if version < self.oldest:
            raise errors.StorageBroken(
                f"{self.where} is PostgreSQL {version // 10_000}, and {self.oldest // 10_000} is "
                "the oldest that Limen knows; bring the server up to date"
            )

    def _connect(self, settings: str = _SETTINGS) -> Any:
        connection = self._driver.connect(
            "",
            **{**_OPTIONS, **self._given},
            autocommit=True,
            row_factory=_records,
            prepare_threshold=3,
        )
        try:
            self._check(connection.info.server_version)
            connection.execute(settings.encode())
        except BaseException:
            connection.close()
            raise
        connection.prepared_max = 1000
        _adapt(connection.adapters)
        return connection


class PostgresChannel(Channel):
    """NOTIFY and LISTEN, each on a connection and a thread of its own.

    What is announced goes out after the commit and joined: inside a transaction it would make all
    writers wait for each other.
    """

    def __init__(self, connect: Callable[[], Any], hear: Callable[[str], None]) -> None:
        self._connect = connect
        self._hear = hear
        self._words: dict[str, None] = {}
        self._said = threading.Event()
        self._closing = threading.Event()
        self._own = 0
        self._away = False
        self._threads = [
            threading.Thread(target=self._keep, args=(work,), name=name, daemon=True)
            for name, work in (("limen-say", self._say), ("limen-hear", self._listen))
        ]
        for thread in self._threads:
            thread.start()

    def announce(self, word: str) -> None:
        self._words[word] = None
        self._said.set()

    def close(self) -> None:
        self._closing.set()
        self._said.set()
        for thread in self._threads:
            thread.join()

    def _keep(self, work: Callable[[Any], None]) -> None:
        while not self._closing.is_set():
            try:
                with self._connect() as connection:
                    self._away = False
                    work(connection)
            except _driver().Error as error:
                # Once for each time it is away: it may be so for hours.
                level = logging.DEBUG if self._away else logging.WARNING
                logger.log(level, "other processes are not heard for a moment: %s", error)
                self._away = True
                self._closing.wait(PAUSE_S)

    def _say(self, connection: Any) -> None:
        self._own = connection.info.backend_pid
        while not self._closing.is_set() or self._words:
            self._said.wait()
            self._said.clear()
            words = [*self._words]
            for word in words:
                self._words.pop(word, None)
            for some in _batches(words):
                connection.execute(b"SELECT pg_notify(%s, %s)", [_CHANNEL, some])
        connection.execute(b"SELECT pg_notify(%s, '[]')", [_CHANNEL])  # wakes who listens

    def _listen(self, connection: Any) -> None:
        connection.execute(f"LISTEN {_CHANNEL}".encode())
        while not self._closing.is_set():
            for note in connection.notifies(timeout=LISTENING_S):
                if self._closing.is_set():
                    return
                if note.pid != self._own:
                    for word in _understood(note.payload):
                        self._hear(word)


def _too_much(error: BaseException) -> bool:
    """Whether one statement is more than the server can do (class 54): that does not pass."""
    return (getattr(error, "sqlstate", None) or "").startswith("54")


def _understood(payload: str) -> list[str]:
    """The words of a notification; none of one that another program sent."""
    try:
        words = json.loads(payload)
    except ValueError:
        words = None
    if isinstance(words, list) and all(isinstance(word, str) for word in words):
        return words
    logger.warning("a notification on %s is not understood: %.100s", _CHANNEL, payload)
    return []


def _batches(words: list[str]) -> Iterator[str]:
    """Lists of words as text, none longer than the server takes; no word comes near that."""
    batch: list[str] = []
    for word in words:
        if batch and len(json.dumps([*batch, word])) > _LONGEST:
            yield json.dumps(batch)
            batch = []
        batch.append(word)
    if batch:
        yield json.dumps(batch)
