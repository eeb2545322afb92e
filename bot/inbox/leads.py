"""What waits on a person: the lines that lead their digest and their inbox.

Each source is one function; what else can wait on somebody adds its own to `LEADS`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from agency import approvals, consents
from bot.inbox import wording
from bot.inbox.lines import SHORT, Lines, short
from memory.db import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """One thing that waits on somebody."""

    text: str
    """The line, in the words of the reader's language."""
    cause: str
    """What it came from, such as `consent:3`."""


Leads = Callable[[Reader, int, Lines], list[Lead]]
"""What waits on a person (their id); written in the style of the lines."""


def consents_asked(reader: Reader, person: int, lines: Lines) -> list[Lead]:
    """May something they said in private be told elsewhere?"""
    return [
        Lead(
            text=wording.text(
                "ask consent",
                lines.style.lang,
                room=lines.rooms.called(one.target_id),
                text=short(one.body, SHORT),
                when=lines.moment(one.expires_at),
            ),
            cause=f"consent:{one.id}",
        )
        for one in consents.waiting_on(reader, person)
    ]


def approvals_asked(reader: Reader, person: int, lines: Lines) -> list[Lead]:
    """May something be done?"""
    return [
        Lead(
            text=wording.text(
                "ask approval",
                lines.style.lang,
                text=short(one.question, SHORT),
                when=lines.moment(one.expires_at),
            ),
            cause=f"approval:{one.id}",
        )
        for one in approvals.waiting_on(reader, person)
    ]


LEADS: tuple[Leads, ...] = (consents_asked, approvals_asked)
"""In the order they lead."""
