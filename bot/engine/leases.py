"""Leases: what one process at a time may do, and how it passes on when that process dies.

free ─► held (epoch n) ─► renewed … ─► given up | not renewed for `TERM` ─► held (epoch n + 1)

Whoever waits for a lease goes by its own clock: it takes over what it has not seen renewed for a
whole term, so the clocks of two machines need not agree. A late owner does no harm: what it writes
is refused, because its epoch is over.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Concatenate, ParamSpec, Protocol, Self, TypeVar

from bot.errors import LeaseLost
from memory.db import Reader, Row, Tx, queries
from memory.moments import from_us

SQL = queries(__file__)
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A lease as it stood when it was looked at."""

    name: str
    owner: str
    """Which process; empty when it was given up."""
    epoch: int
    """Counts owners."""
    renewals: int
    taken_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            name=row["name"],
            owner=row["owner"],
            epoch=row["epoch"],
            renewals=row["renewals"],
            taken_at=from_us(row["taken_at"]),
        )


class Store(Protocol):
    """What reads and writes: a database, or one whose writes need a lease."""

    async def read(
        self, fn: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """As `Database.read`."""
        ...

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """As `Database.write`; LeaseLost, and nothing is written, when the lease is another's."""
        ...


def find(reader: Reader, name: str) -> Lease | None:
    """How a lease stands; None when nobody ever had it."""
    row = reader.one(SQL["find"], name=name)
    return Lease.from_row(row) if row else None


def every(reader: Reader) -> list[Lease]:
    """All there are, by name."""
    return [Lease.from_row(row) for row in reader.all(SQL["every"])]


def take(tx: Tx, name: str, owner: str, *, seen: Lease | None, now_us: int) -> Lease | None:
    """Take what is free, or was not renewed since it was `seen`; None when somebody has it."""
    if seen is None:
        taken = tx.run(SQL["first"], name=name, owner=owner, now=now_us)
    else:
        taken = tx.run(
            SQL["take"],
            name=name,
            owner=owner,
            epoch=seen.epoch,
            renewals=seen.renewals,
            now=now_us,
        )
    return find(tx, name) if taken else None


def renew(tx: Tx, lease: Lease) -> bool:
    """Keep it; False when it is another's by now."""
    return tx.run(SQL["renew"], name=lease.name, epoch=lease.epoch, owner=lease.owner) == 1


def give_up(tx: Tx, lease: Lease) -> None:
    """Let others have it at once."""
    tx.run(SQL["give_up"], name=lease.name, epoch=lease.epoch, owner=lease.owner)


def hold(tx: Tx, lease: Lease) -> None:
    """Go on only as its owner: LeaseLost otherwise."""
    now = find(tx, lease.name)
    if now is None or (now.owner, now.epoch) != (lease.owner, lease.epoch):
        raise LeaseLost(lease.name)
