"""Copies databases: a file of SQLite's whole, or row by row from one engine to another.

Tables and columns are read from the file's own schema: either side has the same migrations.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory import errors, facts, originals
from memory.db import Reader, Row, Tx

AT_ONCE = 100  # rows of one statement
_APART = frozenset({"migrations"})  # either side writes its own


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is copied."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    """Its primary key; empty where it has none."""
    upward: tuple[str, ...]
    """The columns that refer to rows of the same table."""


def whole(path: Path, target: Path) -> None:
    """Copy a file of SQLite's, also while it is written: what it holds at this moment.

    Whoever writes meanwhile does not wait.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            source.execute("VACUUM INTO ?", (str(target),))
        target.chmod(0o600)
    except (sqlite3.Error, OSError) as error:
        raise errors.StorageFull(f"{path} could not be copied to {target} ({error})") from error


def tables(reader: Reader) -> list[Table]:
    """The tables of a SQLite database, each after those it refers to; full text left out."""
    rows = reader.all("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
    virtual = tuple(row["name"] for row in rows if row["sql"].startswith("CREATE VIRTUAL"))
    shadows = tuple(f"{name}_" for name in virtual)
    names = [row["name"] for row in rows if row["name"] not in virtual]
    kept = [name for name in names if not name.startswith(("sqlite_", *shadows))]
    return [_table(reader, name) for name in _in_order(reader, kept)]


def counts(reader: Reader) -> dict[str, int]:
    """How many rows each table has."""
    found = {}
    for table in tables(reader):
        row = reader.one(f"SELECT COUNT(*) AS n FROM {table.name}")  # noqa: S608
        found[table.name] = int(row["n"]) if row else 0
    return found


def copy(source: Reader, target: Tx, plan: Iterable[Table]) -> None:
    """Put every row of one database into another, empty one, and index what was said anew."""
    for table in plan:
        if table.name not in _APART:
            _copy(source, target, table)
    originals.reindex(target)
    facts.reindex(target)


def _copy(source: Reader, target: Tx, table: Table) -> None:
    columns = ", ".join(table.columns)
    later: list[dict[str, Any]] = []
    for some in _pages(source, table, columns):
        values = [_values(table, row, later) for row in some]
        row = [", ".join(f":{c}_{n}" for c in table.columns) for n in range(len(some))]
        slots = ", ".join(f"({one})" for one in row)
        given = {f"{c}_{n}": v for n, one in enumerate(values) for c, v in one.items()}
        target.run(f"INSERT INTO {table.name} ({columns}) VALUES {slots}", **given)  # noqa: S608
    sets = ", ".join(f"{c} = :{c}" for c in table.upward)
    for one in later:
        target.run(f"UPDATE {table.name} SET {sets} WHERE id = :id", **one)  # noqa: S608


def _pages(source: Reader, table: Table, columns: str) -> Iterator[list[Row]]:
    chosen = f"SELECT {columns} FROM {table.name}"  # noqa: S608 - the names are our own
    if not table.key:  # those are short
        rows = source.all(chosen)
        yield from (rows[at : at + AT_ONCE] for at in range(0, len(rows), AT_ONCE))
        return
    # Page by page: a whole table is too much to hold, and a server ends a reader that rests.
    key = ", ".join(table.key)
    last = ", ".join(f":{c}" for c in table.key)
    ordered = f"ORDER BY {key} LIMIT {AT_ONCE}"
    rows = source.all(f"{chosen} {ordered}")
    while rows:
        yield rows
        after = {c: rows[-1][c] for c in table.key}
        rows = source.all(f"{chosen} WHERE ({key}) > ({last}) {ordered}", **after)


def _values(table: Table, row: Row, later: list[dict[str, Any]]) -> dict[str, Any]:
    """A row's values; where it refers to one that comes later, that is noted for the end."""
    values = {column: row[column] for column in table.columns}
    if any((values[c] or 0) >= values["id"] for c in table.upward):
        later.append({c: values[c] for c in (*table.upward, "id")})
        values |= dict.fromkeys(table.upward)
    return values


def _table(reader: Reader, name: str) -> Table:
    columns = reader.all("SELECT name, pk FROM pragma_table_info(:name) ORDER BY cid", name=name)
    refers = reader.all(
        'SELECT "table" AS to_name, "from" AS by FROM pragma_foreign_key_list(:name)', name=name
    )
    return Table(
        name=name,
        columns=tuple(row["name"] for row in columns),
        key=tuple(row["name"] for row in sorted(columns, key=lambda row: row["pk"]) if row["pk"]),
        upward=tuple(row["by"] for row in refers if row["to_name"] == name),
    )


def _in_order(reader: Reader, names: list[str]) -> Iterator[str]:
    waiting = {
        name: {
            row["to_name"]
            for row in reader.all(
                'SELECT "table" AS to_name FROM pragma_foreign_key_list(:name)', name=name
            )
        }
        - {name}
        for name in names
    }
    while waiting:
        free = [name for name, refers in waiting.items() if not refers & waiting.keys()]
        if not free:
            raise ValueError(f"tables refer to each other in a circle: {sorted(waiting)}")
        for name in free:
            del waiting[name]
        yield from free
