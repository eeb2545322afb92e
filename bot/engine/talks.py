"""Whether a person is talking with the bot in a session."""

from datetime import datetime, timedelta

from bot.engine.runs import Priority
from memory.db import Reader, queries
from memory.moments import from_us

SQL = queries(__file__)


def over_at(reader: Reader, session: int, *, now: datetime, settle: timedelta) -> datetime | None:
    """When the last talk of a person with the bot is surely over; None when there was none.

    While an answer is being made, or waits for its turn, that is not before it.
    """
    row = reader.one(SQL["last"], session=session, priority=Priority.PERSON)
    if row is None:
        return None
    if row["finished_at"] is not None:
        return from_us(row["finished_at"]) + settle
    return max(now, from_us(row["due_at"])) + settle
