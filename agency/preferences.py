"""Preferences: when a chat wants nothing said, by the word of the people in it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time

from agency import policy
from memory.db import Reader, Row, Tx, queries
from memory.erasing import listed
from memory.moments import from_us, to_us

SQL = queries(__file__)

EVERYWHERE = 0
"""In place of a session: the whole bot."""
OPEN_END = datetime(9000, 1, 1, tzinfo=UTC)
"""The end of a pause that lasts until somebody ends it."""
NEVER = (time(0), time(0))
"""Quiet hours that are none, whatever the operator's are."""

Hours = tuple[time, time]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What holds in one session now."""

    quiet: Hours | None = None
    """Its own quiet hours; None where the operator's hold."""
    paused_until: datetime | None = None
    """None while it is not paused."""
    answers_until: datetime | None = None
    """Until when it wants answers and nothing unasked; None while it wants both."""

    def applied(self, settings: policy.Settings) -> policy.Settings:
        """The operator's settings as they hold in this session."""
        quiet = settings.quiet if self.quiet is None else self.quiet
        return replace(
            settings,
            quiet=quiet,
            paused_until=self.paused_until,
            answers_until=self.answers_until,
        )


def of(reader: Reader, session: int, *, now: datetime) -> Preferences:
    """What a session wants; a pause that is over is none."""
    quiet: Hours | None = None
    paused: datetime | None = None
    answers: datetime | None = None
    for row in reader.all(SQL["of_session"], session=session):
        if row["quiet_from"] is not None and row["session_id"] == session:
            quiet = time.fromisoformat(row["quiet_from"]), time.fromisoformat(row["quiet_to"])
        until = row["paused_until"]
        if until is not None and until > to_us(now):
            paused = max(from_us(until), paused or from_us(until))
        only = row["answers_until"]
        if only is not None and only > to_us(now) and row["session_id"] == session:
            answers = from_us(only)
    return Preferences(quiet=quiet, paused_until=paused, answers_until=answers)


def pause(tx: Tx, session: int, until: datetime | None, *, now: datetime) -> None:
    """Say nothing in a session before a moment; None ends the pause."""
    moment = to_us(until) if until is not None else None
    tx.run(SQL["set_pause"], session=session, until=moment, now=to_us(now))


def answers_only(tx: Tx, session: int, until: datetime | None, *, now: datetime) -> None:
    """Only answer in a session before a moment; None lets it speak up again."""
    moment = to_us(until) if until is not None else None
    tx.run(SQL["set_answers"], session=session, until=moment, now=to_us(now))


def set_quiet(tx: Tx, session: int, hours: Hours | None, *, now: datetime) -> None:
    """Give a session quiet hours of its own, or none of its own; see `NEVER`."""
    start, over = (one.isoformat("minutes") for one in hours) if hours else (None, None)
    tx.run(SQL["set_quiet"], session=session, start=start, over=over, now=to_us(now))


def inherit(tx: Tx, session: int, parent: int) -> None:
    """Give a new thread what its chat wants."""
    tx.run(SQL["inherit"], session=session, parent=parent)


def erase(tx: Tx, sessions: Iterable[int]) -> int:
    """Drop what some chats want."""
    return tx.run(SQL["erase"], sessions=listed(sessions))


def row_of(reader: Reader, session: int) -> Row | None:
    """What a chat wants, as it is stored."""
    return reader.one(SQL["row_of"], session=session)


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """A chat goes on in another session, and wants what it wanted."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)
