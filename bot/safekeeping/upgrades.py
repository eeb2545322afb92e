"""Which version made a database, which migrations it has, and what a mismatch means."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from bot.setup.home import Home
from memory import migrations, people
from memory.db import Database, Reader, Tx, queries
from memory.engine import Statement
from memory.moments import from_us, to_us
from memory.sqlite import Sqlite

SQL = queries(__file__)
logger = logging.getLogger(__name__)
_KNOWN = Statement(
    "SELECT 1 FROM sqlite_master WHERE name = 'programs'",
    "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'programs'",
)

Steps = Sequence[tuple[str, str]]
"""Migrations as (name, SQL), in order."""


def own() -> str:
    """The version of the program that runs."""
    return version("limen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a database stands to a program."""

    applied: tuple[str, ...]
    missing: tuple[str, ...]
    """What this program would apply."""
    unknown: tuple[str, ...]
    """What only a later program knows."""
    versions: tuple[tuple[str, datetime], ...]
    """Those that ran on it, each since when; the newest last."""

    def told(self, *, copied_to: Path | None) -> Iterator[str]:
        """What that means and what to do; `copied_to` is where a copy is kept first."""
        has = f"the database has {len(self.applied) + len(self.unknown)} migrations"
        if self.current:
            yield f"{has}, all that Limen {own()} knows; there is nothing to do"
        if self.unknown:
            yield f"{has}; Limen {own()} does not know {len(self.unknown)} of them:"
            yield from (f"  {name}" for name in self.unknown)
            by = "".join(f", Limen {name} (since {at:%Y-%m-%d})" for name, at in self.versions[-1:])
            yield f"a later version made it{by}; this one does not touch it"
            yield "install that version or a later one; or put back a backup made before it "
            yield "  ('limen restore'); or name another [bot] data_dir or [database] url"
        if self.missing:
            lacks = "and it lacks" if self.unknown else f"{has}; it lacks"
            yield f"{lacks} {len(self.missing)} of Limen {own()}:"
            yield from (f"  {name}" for name in self.missing)
        if self.missing and not self.unknown:
            yield "they are applied by the next 'limen run', or now by 'limen migrate'"
            if copied_to is not None:
                yield f"the database as it is now is kept first, in {copied_to}"
            else:
                yield "all in one transaction, while other processes wait; 'limen backup' first"

    @property
    def current(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.missing or self.unknown)


async def bring_up(db: Database, home: Home, wanted: Steps, now: datetime) -> list[str]:
    """Apply what a database lacks, after keeping a copy where it is a file; what was applied."""
    if isinstance(db.engine, Sqlite) and await db.read(migrations.outdated, wanted):
        await asyncio.to_thread(migrations.back_up, db.path, home.backup)
        logger.info("the database is brought up to date; as it was it lies in %s", home.backup)

    def apply(tx: Tx) -> list[str]:
        applied = migrations.migrate(tx, wanted, now_us=to_us(now))
        people.file_names(tx)
        note(tx, now=now)
        return applied

    return await db.write(apply)


def note(tx: Tx, *, now: datetime) -> None:
    """Remember that this version has run on the database."""
    tx.run(SQL["note"], version=own(), now=to_us(now))


def since(reader: Reader) -> datetime | None:
    """When the first version that is known of ran on it."""
    row = reader.one(SQL["since"])
    return from_us(row["at"]) if row is not None and row["at"] is not None else None


def standing(reader: Reader, wanted: Steps) -> Standing:
    """Compare a database with this program, whatever made it."""
    done = migrations.applied(reader)
    names = [name for name, _ in wanted]
    rows = reader.all(SQL["all"]) if reader.one(_KNOWN) is not None else []
    return Standing(
        applied=tuple(name for name in names if name in done),
        missing=tuple(name for name in names if name not in done),
        unknown=tuple(sorted(done - set(names))),
        versions=tuple((row["version"], from_us(row["first_at"])) for row in rows),
    )
