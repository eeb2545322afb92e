"""Sweeping: what was deleted is gone from the files as well, not from the tables alone.

SQLite keeps deleted words in three places: in the full-text index until its pieces are joined, in
pages that are free, and in the write-ahead log. PostgreSQL keeps them in dead rows.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from memory import errors
from memory.engine import Engine
from memory.sqlite import Sqlite

INDEXES = ("originals_text", "facts_text")
PAGES = 500  # of an index joined in one step, so that others can write in between
STEPS = 100_000  # more are needed by no index
BUSY_MS = 60_000  # waiting for others who write, or who read what is in the log

POSTGRES = ("VACUUM (FULL, ANALYZE) {tables}", "VACUUM (FULL) pg_catalog.pg_statistic")
"""Rewrites our tables and their indexes, each locked as long as it takes, and what the server noted
of frequent words in them. What was written to its own log (WAL) stays there, and wherever that is
archived or replicated to, until the server removes it by its settings."""


def sweep(engine: Engine) -> bool:
    """Rewrite a database without what was deleted, also while others use it.

    Others that write meanwhile wait. False when others read for so long that the old log could
    not be cut short; it is when they end.
    """
    if isinstance(engine, Sqlite):
        return _sweep_file(engine.path)
    session = engine.writer()
    try:
        tables = ", ".join((*session.tables(), *INDEXES))
        for statement in POSTGRES:
            session.execute(statement.format(tables=tables), {})
    except Exception as error:
        named = engine.named(error)
        raise named from (None if named is error else error)
    finally:
        session.close()
    return True


def _sweep_file(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            connection.execute("PRAGMA secure_delete = ON")
            for index in INDEXES:
                _join(connection, index)
            connection.execute("VACUUM")
            waits = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            return bool(waits == 0)
    except sqlite3.Error as error:
        raise errors.StorageFull(
            f"{path} could not be swept ({error}), so that what was deleted may still be in its "
            "free space; it needs as much free space as the file has: make some, and sweep again"
        ) from error


def _join(connection: sqlite3.Connection, index: str) -> None:
    """Join the pieces of an index, which drops the words that were taken out of it."""
    step = f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)"  # noqa: S608
    pages = -PAGES  # the first step makes all pieces one job
    for _ in range(STEPS):
        before = connection.total_changes
        connection.execute(step, (pages,))
        if connection.total_changes - before < 2:
            return
        pages = PAGES
