"""When the model was away: one row a time, and one at most that goes on.

open ─► over          asked by one run at `probe_at`, then after a pause that grows
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.moments import from_us

SQL = queries(__file__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """One time as stored."""

    id: int
    error: str
    """What the last try came to."""
    probes: int
    """How often it was asked in vain, after the first time."""
    pause_us: int
    """How far `probe_at` was ahead when it was chosen."""
    probe_at: datetime
    began_at: datetime
    ended_at: datetime | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        ended = row["ended_at"]
        return cls(
            id=row["id"],
            error=row["error"],
            probes=row["probes"],
            pause_us=row["pause"],
            probe_at=from_us(row["probe_at"]),
            began_at=from_us(row["began_at"]),
            ended_at=from_us(ended) if ended is not None else None,
        )


def begin(tx: Tx, error: str, *, pause_us: int, now_us: int) -> bool:
    """The model went away; False when that was known."""
    return (
        tx.run(SQL["begin"], error=error, pause=pause_us, probe_at=now_us + pause_us, now=now_us)
        == 1
    )


def letter_key(outage: int, chat: int) -> str:
    """The key of the letter that tells a chat of one."""
    return f"away:{outage}:{chat}"


def current(reader: Reader) -> Outage | None:
    """The one that goes on."""
    row = reader.one(SQL["current"])
    return Outage.from_row(row) if row else None


def latest(reader: Reader) -> Outage | None:
    """The newest, over or not."""
    row = reader.one(SQL["latest"])
    return Outage.from_row(row) if row else None


def probing(tx: Tx, id: int, *, within_us: int, now_us: int) -> None:
    """One run asks now; unless it comes to an end, another may after so long."""
    tx.run(SQL["probing"], id=id, until=now_us + within_us, pause=within_us)


def failed(tx: Tx, id: int, error: str, *, pause_us: int, now_us: int) -> None:
    """It was asked in vain, and is asked again after a pause."""
    tx.run(SQL["failed"], id=id, error=error, pause=pause_us, probe_at=now_us + pause_us)


def look_now(tx: Tx, *, now_us: int) -> None:
    """It may be back: whoever comes first asks."""
    tx.run(SQL["look_now"], now=now_us)


def finish(tx: Tx, *, now_us: int) -> bool:
    """The model answered; False when nobody had thought it away."""
    return tx.run(SQL["finish"], now=now_us) == 1
