"""Tables, applied once and in order: `<package>/schema/NNNN_*.sql`.

Packages come in the order they are given, because later ones refer to earlier ones.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from memory import errors
from memory.db import Reader, Tx
from memory.engine import Statement

_TABLE = """
CREATE TABLE IF NOT EXISTS migrations (
    name TEXT PRIMARY KEY,
    applied_at INTEGER NOT NULL
)
"""
_THERE = Statement(
    "SELECT 1 FROM sqlite_master WHERE name = 'migrations'",
    "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'",
)


def steps(packages: Sequence[Path]) -> list[tuple[str, str]]:
    """Every migration as (name, SQL), in the order to apply."""
    return [
        (f"{package.name}/{file.stem}", file.read_text(encoding="utf-8"))
        for package in packages
        for file in sorted((package / "schema").glob("*.sql"))
    ]


def applied(reader: Reader) -> set[str]:
    """The names already applied; empty for a new database."""
    if reader.one(_THERE) is None:
        return set()
    return {row["name"] for row in reader.all("SELECT name FROM migrations")}


def missing(reader: Reader, wanted: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """What is still to be applied; NewerDatabase when the database holds unknown ones."""
    done = applied(reader)
    unknown = done - {name for name, _ in wanted}
    if unknown:
        raise errors.NewerDatabase(
            f"this database was made by a later version (it has {sorted(unknown)!r}); "
            "install that version, or point bot.data_dir at another folder"
        )
    return [(name, sql) for name, sql in wanted if name not in done]


def outdated(reader: Reader, wanted: Sequence[tuple[str, str]]) -> bool:
    """Whether a database in use is about to be changed, so that it is worth a copy."""
    return bool(missing(reader, wanted)) and bool(applied(reader))


def migrate(tx: Tx, wanted: Sequence[tuple[str, str]], *, now_us: int) -> list[str]:
    """Apply what is missing, all or nothing; the names applied."""
    tx.schema.define(_TABLE)
    todo = missing(tx, wanted)
    if todo:
        tx.schema.prepare()
    for name, sql in todo:
        for statement in statements(sql):
            tx.schema.define(statement)
        tx.run(
            "INSERT INTO migrations (name, applied_at) VALUES (:name, :now)", name=name, now=now_us
        )
    if todo:
        tx.schema.resequence()
    return [name for name, _ in todo]


def statements(sql: str) -> list[str]:
    """Cut a file into statements; triggers are not used, so a semicolon always ends one."""
    found, current = [], ""
    for line in sql.splitlines():
        if line.strip().startswith("--"):
            continue
        current += line + "\n"
        if sqlite3.complete_statement(current):
            found.append(current.strip())
            current = ""
    if current.strip():
        raise ValueError(f"a migration ends inside a statement: {current.strip()[:80]!r}")
    return found


def back_up(path: Path, target: Path) -> None:
    """Copy a database whole, also while it is open; an older copy of that name is replaced."""
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        source = sqlite3.connect(path)
        try:
            source.execute("VACUUM INTO ?", (str(unfinished),))
        finally:
            source.close()
        unfinished.chmod(0o600)
        unfinished.replace(target)
    except (sqlite3.Error, OSError) as error:
        unfinished.unlink(missing_ok=True)
        raise errors.StorageFull(
            f"{path} is to be changed and could not be copied to {target} first ({error}); free "
            "space or make the folder writable"
        ) from error
