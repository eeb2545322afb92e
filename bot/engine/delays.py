"""Questions that wait for their turn because many were asked, and which chats were told so."""

from dataclasses import dataclass
from datetime import timedelta

from bot.engine.runs import Priority
from memory.db import Reader, Tx, queries
from memory.moments import span_us

SQL = queries(__file__)

AGAIN = timedelta(hours=1)  # a chat is told nothing more for so long
MOST = 50  # looked at in one go; what is left comes in the next


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A run that nobody has begun."""

    run: int
    chat: int
    session: int
    due_us: int


def key(run: int) -> str:
    """The key of the letter that says so of a run."""
    return f"behind:{run}"


def due(reader: Reader, *, after_us: int) -> int | None:
    """When somebody has waited for so long, in stored form; None where nobody waits."""
    row = reader.one(
        SQL["due"], after=after_us, again=span_us(AGAIN), priority=int(Priority.PERSON)
    )
    return row["at"] if row else None


def overdue(reader: Reader, *, after_us: int, now_us: int) -> list[Waiting]:
    """Who has waited for so long now, and whose chat is to be told."""
    rows = reader.all(
        SQL["overdue"],
        after=after_us,
        again=span_us(AGAIN),
        priority=int(Priority.PERSON),
        now=now_us,
        limit=MOST,
    )
    return [
        Waiting(run=row["id"], chat=row["chat"], session=row["session_id"], due_us=row["due_at"])
        for row in rows
    ]


def before(reader: Reader, waiting: Waiting) -> int:
    """How many questions that were asked sooner wait too."""
    row = reader.one(SQL["before"], due=waiting.due_us, priority=int(Priority.PERSON))
    return int(row["n"]) if row else 0


def told(tx: Tx, chat: int, *, now_us: int) -> None:
    """Note that a chat was told."""
    tx.run(SQL["told"], chat=chat, now=now_us)


def told_lately(reader: Reader, chat: int, *, now_us: int) -> bool:
    """Whether a chat was told within the last hour."""
    return reader.one(SQL["lately"], chat=chat, since=now_us - span_us(AGAIN)) is not None
