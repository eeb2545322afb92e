"""What waits in the database: how much in each queue, and how long the first has waited.

Every count is one of an index that holds open rows alone, so none grows with what is done.
"""

from dataclasses import dataclass

from agency import fires
from memory import files
from memory.db import Reader, queries

SQL = queries(__file__)


@dataclass(frozen=True, slots=True)
class Queue:
    """One queue at one moment."""

    items: int
    age_s: float
    """How long the first has been due; zero while none is."""


def look(reader: Reader, *, now_us: int) -> dict[str, Queue]:
    """Every queue by its name; one that is empty is there too."""
    open_fires = fires.backlog(reader)
    found = {
        "inputs": _count(reader, SQL["inputs"]),
        "runs_queued": _count(reader, SQL["queued"]),
        "runs_held": _count(reader, SQL["held"]),
        "runs_running": _count(reader, SQL["running"]),
        "fires_pending": open_fires.get(fires.State.PENDING, (0, None)),
        "fires_dead": open_fires.get(fires.State.DEAD, (0, None)),
        "letters_pending": _count(reader, SQL["pending"]),
        "letters_in_doubt": _count(reader, SQL["doubtful"]),
        "files": files.backlog(reader),
    }
    return {
        name: Queue(items, max(0, now_us - oldest) / 1e6 if oldest is not None else 0.0)
        for name, (items, oldest) in found.items()
    }


def _count(reader: Reader, sql: str) -> tuple[int, int | None]:
    row = reader.one(sql)
    return (row["n"], row["oldest"]) if row else (0, None)
