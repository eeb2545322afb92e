"""SQLite: one file, written by one process at a time."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from memory import errors
from memory.engine import Channel, Cursor, Engine, Session, whole

_FULL = ("disk is full", "disk I/O error", "readonly database", "read-only", "unable to open")
_BUSY = ("is locked",)  # "database is locked", "database table is locked: …"
_DAMAGED = ("malformed", "not a database", "database corruption")
_WAIT_MS = 500  # for a lock of another program, before the connection is opened anew
_TABLES = """
SELECT m.name AS made, c.name AS owned FROM sqlite_master m, pragma_table_info(m.name) c
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND NOT EXISTS (
    SELECT 1 FROM sqlite_master v
    WHERE v.sql LIKE 'CREATE VIRTUAL TABLE%'
        AND (m.name = v.name OR m.name LIKE v.name || '!_%' ESCAPE '!')
)
ORDER BY m.rowid, c.cid
"""


class SqliteSession(Session):
    """A connection to the file; it never commits by itself."""

    def __init__(
        self, connection: sqlite3.Connection, *, begin: str = "BEGIN", path: Path | None = None
    ) -> None:
        """Use a connection; with `path` nothing is committed once another file lies there."""
        connection.row_factory = sqlite3.Row
        self._connection = connection
        self._begin = begin
        self._path = path
        self._identity = _identity(path) if path else None

    def execute(self, sql: str, params: Mapping[str, Any]) -> Cursor:
        try:
            return self._connection.execute(sql, params)
        except UnicodeEncodeError:  # it comes before the statement runs, and hardly ever
            shown = {name: _shown(value) for name, value in params.items()}
            return self._connection.execute(sql, shown)

    def define(self, sql: str) -> None:
        self._connection.execute(sql)

    def begin(self) -> None:
        self._connection.execute(self._begin)

    def commit(self) -> None:
        # SQLite would go on writing into a file without a name, which nobody could open again.
        if self._path and _identity(self._path) != self._identity:
            raise errors.StorageBroken(
                f"{self._path} is gone, or another file lies there: it was deleted, replaced or "
                "unmounted while Limen ran; put it back, or restore a backup with 'limen restore'"
            )
        self._connection.execute("COMMIT")

    def roll_back(self) -> None:
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    def prepare(self) -> None:
        pass

    def tables(self) -> dict[str, list[str]]:
        rows = self._connection.execute(_TABLES)
        found: dict[str, list[str]] = {}
        for row in rows:
            found.setdefault(row["made"], []).append(row["owned"])
        return found

    def resequence(self) -> None:
        pass

    def take_stock(self) -> None:
        pass

    def close(self) -> None:
        self._connection.close()


class Sqlite(Engine):
    """A file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.where = str(path)

    def writer(self) -> Session:
        connection = self._connect(cache_mb=8)
        return SqliteSession(connection, begin="BEGIN IMMEDIATE", path=self.path)

    def reader(self) -> Session:
        connection = self._connect(cache_mb=2)
        connection.execute("PRAGMA query_only = ON")
        return SqliteSession(connection)

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        uri = f"{self.path.absolute().as_uri()}?mode=ro"
        session = SqliteSession(sqlite3.connect(uri, uri=True))
        try:
            session.begin()
            yield session
        finally:
            session.close()

    def channel(self, hear: Callable[[str], None]) -> Channel | None:
        return None

    def named(self, error: BaseException) -> BaseException:
        if not isinstance(error, sqlite3.Error):
            return error
        text = str(error)
        if any(sign in text for sign in _FULL):
            return errors.StorageFull(
                f"{self.path} could not be written ({text}); free space or make the folder writable"
            )
        if any(sign in text for sign in _DAMAGED):
            return errors.StorageBroken(
                f"{self.path} is damaged ({text}); stop Limen, keep a copy of the file, and put "
                "back a backup with 'limen restore'"
            )
        if self.passes(error):
            return errors.StorageBroken(
                f"{self.path} is held by another program ({text}); end that program, or wait until "
                "it is done"
            )
        return errors.StorageBroken(f"{self.path} could not be used: {text}")

    def committed(self, doubt: str) -> bool:
        raise errors.StorageBroken(f"{self.path} leaves no commit in doubt")

    def passes(self, error: BaseException) -> bool:
        return isinstance(error, sqlite3.OperationalError) and any(
            sign in str(error) for sign in _BUSY
        )

    def ends_all(self, error: BaseException) -> bool:
        return isinstance(error, sqlite3.OperationalError)

    def _connect(self, *, cache_mb: int) -> sqlite3.Connection:
        # The threads never share a connection at one time; the close at the end is the only guest.
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        connection.execute(f"PRAGMA busy_timeout = {_WAIT_MS}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{cache_mb * 1024}")
        return connection


def _shown(value: Any) -> Any:
    return whole(value) if isinstance(value, str) else value


def _identity(path: Path) -> tuple[int, int] | None:
    """The very file, whatever it is called; None when there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - half the time of Path.stat, once for each commit
    except OSError:
        return None
    return found.st_dev, found.st_ino
