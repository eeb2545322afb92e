"""Which version made a database, which migrations it has, and what a mismatch means."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version

from memory import migrations
from memory.db import Reader, Tx, queries
from memory.engine import Statement
from memory.moments import from_us, to_us

SQL = queries(__file__)
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

    @property
    def current(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.missing or self.unknown)


def note(tx: Tx, *, now: datetime) -> None:
    """Remember that this version has run on the database."""
    tx.run(SQL["note"], version=own(), now=to_us(now))


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
