"""Rows by the hundred thousand into the real tables: into a file, or with COPY to a server."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import psycopg

from memory.postgres import Postgres
from memory.words import prepare

Rows = Iterable[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Filled:
    """A table, the columns whose values differ, and those that are the same in every row."""

    table: str
    columns: tuple[str, ...]
    same: Mapping[str, Any]

    @property
    def all(self) -> str:
        """Every column that is filled."""
        return ", ".join((*self.columns, *self.same))


class Bulk(Protocol):
    """A database that is filled; nothing is checked on the way."""

    def numbers(self, sql: str) -> list[int]:
        """The first column of a question."""

    def fill(self, filled: Filled, rows: Rows) -> None:
        """Rows into a table."""

    def index(self, table: str, rows: Rows) -> None:
        """Texts by their numbers into a full-text index."""


class _File:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def numbers(self, sql: str) -> list[int]:
        return [row[0] for row in self._connection.execute(sql)]

    def fill(self, filled: Filled, rows: Rows) -> None:
        same = tuple(filled.same.values())
        places = ", ".join("?" * (len(filled.columns) + len(same)))
        insert = f"INSERT INTO {filled.table} ({filled.all}) VALUES ({places})"  # noqa: S608
        self._connection.executemany(insert, ((*row, *same) for row in rows))

    def index(self, table: str, rows: Rows) -> None:
        insert = f"INSERT INTO {table} (rowid, body) VALUES (?, ?)"  # noqa: S608
        self._connection.executemany(insert, ((id, prepare(text)) for id, text in rows))


class _Server:
    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self._connection = connection

    def numbers(self, sql: str) -> list[int]:
        return [row[0] for row in self._connection.execute(sql.encode())]

    def fill(self, filled: Filled, rows: Rows) -> None:
        same = tuple(filled.same.values())
        self._copy(f"{filled.table} ({filled.all})", ((*row, *same) for row in rows))

    def index(self, table: str, rows: Rows) -> None:
        self._connection.execute(b"CREATE TEMPORARY TABLE texts (id BIGINT, body TEXT)")
        self._copy("texts (id, body)", ((id, prepare(text)) for id, text in rows))
        insert = f"INSERT INTO {table} (id, words) SELECT id, limen_vector(body) FROM texts"  # noqa: S608
        self._connection.execute(insert.encode())
        self._connection.execute(b"DROP TABLE texts")

    def _copy(self, into: str, rows: Rows) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {into} FROM STDIN".encode()) as copy,
        ):
            for row in rows:
                copy.write_row(row)


@contextmanager
def filling(path: Path, url: str) -> Iterator[Bulk]:
    """Fill the database at `url`, or else the file; committed when the block ends."""
    if not url:
        with _file(path) as connection:
            yield _File(connection)
        return
    with psycopg.connect(url) as connection:
        connection.execute(b"SET session_replication_role = replica")  # no look at other tables
        connection.execute(b"SET synchronous_commit = off")
        yield _Server(connection)
    session = Postgres(url).writer()
    session.begin()
    session.resequence()
    session.commit()
    session.close()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(b"VACUUM ANALYZE")  # as the server does by itself, in a minute or so


@contextmanager
def _file(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = OFF")  # a log would write everything twice
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -200000")
        connection.execute("BEGIN")
        yield connection
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()
