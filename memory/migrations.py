"""Tables, applied once and in order: `<package>/schema/NNNN_*.sql`.

Packages come in the order they are given, because later ones refer to earlier ones.
"""

import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from memory import errors
from memory.db import Reader, Tx

_TABLE = """
CREATE TABLE IF NOT EXISTS migrations (
    name TEXT PRIMARY KEY,
    applied_at INTEGER NOT NULL
)
"""


def steps(packages: Sequence[Path]) -> list[tuple[str, str]]:
    """Every migration as (name, SQL), in the order to apply."""
    return [
        (f"{package.name}/{file.stem}", file.read_text(encoding="utf-8"))
        for package in packages
        for file in sorted((package / "schema").glob("*.sql"))
    ]


def applied(reader: Reader) -> set[str]:
    """The names already applied; empty for a new database."""
    if reader.one("SELECT 1 FROM sqlite_master WHERE name = 'migrations'") is None:
        return set()
    return {row["name"] for row in reader.all("SELECT name FROM migrations")}


def migrate(tx: Tx, wanted: Sequence[tuple[str, str]], *, now_us: int) -> list[str]:
    """Apply what is missing; the names applied. NewerDatabase when it holds unknown ones."""
    tx.run(_TABLE)
    done = applied(tx)
    unknown = done - {name for name, _ in wanted}
    if unknown:
        raise errors.NewerDatabase(
            f"this database was made by a later version (it has {sorted(unknown)!r}); "
            "install that version, or point bot.data_dir at another folder"
        )
    missing = [(name, sql) for name, sql in wanted if name not in done]
    for name, sql in missing:
        for statement in statements(sql):
            tx.run(statement)
        tx.run(
            "INSERT INTO migrations (name, applied_at) VALUES (:name, :now)", name=name, now=now_us
        )
    return [name for name, _ in missing]


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
    return found


def back_up(path: Path, target: Path) -> None:
    """Copy a database before it is changed; consistent also while it is open."""
    source = sqlite3.connect(path)
    try:
        source.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error:
        shutil.copy2(path, target)
    finally:
        source.close()
