"""What waits on a person: the lines that lead their digest and their inbox.

Each source is one function; what else can wait on somebody adds its own to `LEADS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from agency import approvals, consents, gates, inbox, waits
from bot.inbox import wording
from bot.inbox.lines import SHORT, Lines, short
from memory import audiences
from memory.db import Reader

SOON = timedelta(days=1)
"""How far ahead what they owe is called to mind."""


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
        if gates.knows_of(reader, person, one.target_id)  # they may have left it since
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


def owed(reader: Reader, person: int, lines: Lines) -> list[Lead]:
    """What others wait for from them, said where they hear it, and due within a day."""
    heard = audiences.heard_by(reader, person)
    return [
        Lead(
            text=wording.text(
                f"owed {one.kind.value}",
                lines.style.lang,
                room=lines.rooms.called(one.session_id),
                text=short(one.said, SHORT),
                when=lines.moment(one.due_at),
            ),
            cause=f"wait:{one.id}",
        )
        for one in waits.waiting_on(
            reader, person, visible=heard.__contains__, before=lines.style.now + SOON
        )
        if one.state is waits.State.OPEN  # of what is overdue they were asked already
    ]


def alerts(reader: Reader, person: int, lines: Lines) -> list[Lead]:
    """What an admin has to mend, and could not be written to about."""
    return [
        Lead(text=short(one.text, SHORT), cause=one.cause)
        for one in inbox.waiting(reader, person)
        if one.kind is inbox.Kind.ALERT
    ]


LEADS: tuple[Leads, ...] = (consents_asked, approvals_asked, owed, alerts)
"""In the order they lead."""
