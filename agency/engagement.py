"""Engagement: how a chat and its people took what they were told unasked."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from agency import feedback, lessons
from agency.lessons import Lesson
from memory import audiences
from memory.db import Reader

SAMPLE = 6
"""Messages in a row that a chat let pass before it counts as ignoring them."""
SETTLED = timedelta(days=1)
"""What is younger may still be answered."""
WINDOW = timedelta(days=30)
"""What is older says nothing of today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engagement:
    """What is known of how the next message would be taken."""

    ignored: bool = False
    """They let what they were told pass without a word; they get less, never nothing."""
    unwanted: str = ""
    """The subject as somebody called it not useful; empty where nobody did."""


def of(
    reader: Reader, session: int, persons: tuple[int, ...], subject: str, *, now: datetime
) -> Engagement:
    """How a chat, and the people it would concern, took what they were told of a subject."""
    told, taken = feedback.taken_up(
        reader, session, since=now - WINDOW, until=now - SETTLED, limit=SAMPLE
    )
    return Engagement(
        ignored=told >= SAMPLE and not taken,
        unwanted=_unwanted(reader, session, persons, subject, now),
    )


def _unwanted(
    reader: Reader, session: int, persons: tuple[int, ...], subject: str, now: datetime
) -> str:
    """The subject that all of those it concerns, or half of a whole room, do not want."""
    room = audiences.find(reader, session)
    everybody = tuple(sorted(room.members)) if room is not None else ()
    found = [_lesson(reader, one, subject, now) for one in persons or everybody]
    against = [one for one in found if one is not None]
    enough = len(found) if persons else (len(found) + 1) // 2
    return against[0].subject if against and len(against) >= enough else ""


def _lesson(reader: Reader, person: int, subject: str, now: datetime) -> Lesson | None:
    held = lessons.held(reader, person, now=now)
    return next((one for one in held if one.covers(subject)), None)
