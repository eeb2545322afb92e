"""Conditions that hold on: mentioned when they begin, then at growing intervals, until somebody
says that they know."""

from collections.abc import Collection, Iterable
from datetime import datetime

from agency import handoffs, policy
from agency.handoffs import Handoff
from memory.db import Reader, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us, to_us

SQL = queries(__file__)


def of(reader: Reader, chat: int, subject: str, state: str) -> policy.Repeat | None:
    """How often a chat was told of a condition; None when never."""
    row = reader.one(SQL["of_chat"], chat=chat, key=handoffs.signature(subject, state))
    if row is None:
        return None
    return policy.Repeat(
        told=row["told"],
        last=from_us(row["told_at"]),
        lasting=True,
        acknowledged=bool(row["acknowledged"]),
    )


def note(tx: Tx, chat: int, handoff: Handoff, *, now: datetime) -> None:
    """A chat is told of a condition."""
    key = handoffs.signature(handoff.subject, handoff.subject_state)
    tx.run(SQL["note"], chat=chat, key=key, handoff=handoff.id, now=to_us(now))


def acknowledge(tx: Tx, told: Collection[int], *, known: bool, now: datetime) -> int:
    """Somebody said of conditions, by the handoffs that told of them, that they know, or "later".

    How many there were. Later counts as told once more, so that the interval grows.
    """
    statement = SQL["acknowledge" if known else "put_off"]
    return sum(tx.run(statement, handoff=handoff, now=to_us(now)) for handoff in told)


SHELF = Shelf(SQL["words"], SQL["drop"])


def touched(reader: Reader, *, handoffs: Iterable[int], sessions: Iterable[int]) -> list[int]:
    """The conditions some handoffs told of, and those told of in some sessions."""
    wanted = {"handoffs": listed(handoffs), "sessions": listed(sessions)}
    return numbers(reader.all(SQL["touched"], **wanted))
