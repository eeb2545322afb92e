"""Feedback: what was told unasked, and how it was taken.

told ─► reply · reaction · a word for or against it · acted upon, or nothing: silence is no refusal
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us, span_us, to_us

SQL = queries(__file__)

FRESH = timedelta(days=3)
"""How long what happens in a chat still counts as a consequence of what it was told."""
_NEWEST = 20  # tellings of a chat that a consequence is looked for among


class Kind(StrEnum):
    """How somebody took what they were told."""

    REPLY = "reply"
    """They answered it."""
    REACTION = "reaction"
    """They reacted with some sign."""
    LIKED = "liked"
    """They reacted with a sign of thanks or approval."""
    DISLIKED = "disliked"
    """They reacted with a sign of displeasure."""
    UNWANTED = "unwanted"
    """They called it not useful."""
    USEFUL = "useful"
    """They called it useful."""
    ACTED = "acted"
    """They decided, changed or settled the matter afterwards."""


AGAINST = frozenset({Kind.DISLIKED, Kind.UNWANTED})
"""What lowers a subject for whoever says it."""
SIGNS = frozenset({Kind.REACTION, Kind.LIKED, Kind.DISLIKED})
"""What a reaction can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Something told to a chat unasked."""

    id: int
    original_id: int
    """The bot's own words."""
    handoff_id: int
    session_id: int
    """The whole chat, whichever thread it was said in."""
    subject: str
    told_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            original_id=row["original_id"],
            handoff_id=row["handoff_id"],
            session_id=row["session_id"],
            subject=row["subject"],
            told_at=from_us(row["told_at"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """How one person took it."""

    person_id: int
    kind: Kind
    evidence_id: int | None
    """The original that shows it; a reaction has none."""
    note: str
    at: datetime


def told(tx: Tx, *, original: int, handoff: int, session: int, subject: str, now: datetime) -> None:
    """Note that a message of the bot told a chat of a handoff; a repeat changes nothing."""
    tx.run(
        SQL["add"],
        original=original,
        handoff=handoff,
        session=session,
        subject=subject,
        now=to_us(now),
    )


def respond(
    tx: Tx,
    telling: int,
    person: int,
    kind: Kind,
    *,
    evidence: int | None = None,
    note: str = "",
    now: datetime,
) -> bool:
    """Note how somebody took a telling; False when that was known."""
    added = tx.run(
        SQL["respond"],
        telling=telling,
        person=person,
        kind=kind,
        evidence=evidence,
        note=note,
        now=to_us(now),
    )
    return added == 1


def take_back(tx: Tx, telling: int, person: int, kinds: Iterable[Kind]) -> bool:
    """Somebody took a reaction or a word away; False when there was none."""
    wanted = json.dumps(sorted(kinds))
    return tx.run(SQL["take_back"], telling=telling, person=person, kinds=wanted) > 0


def get(reader: Reader, id: int) -> Telling:
    """One telling; LookupError when there is none."""
    row = reader.one(SQL["by_id"], id=id)
    if row is None:
        raise LookupError(f"there is no telling {id}")
    return Telling.from_row(row)


def of_original(reader: Reader, original: int) -> list[Telling]:
    """What a message of the bot told of; nothing when it was an answer, or no message of its."""
    return [Telling.from_row(row) for row in reader.all(SQL["of_original"], original=original)]


def recent(reader: Reader, session: int, *, now: datetime) -> list[Telling]:
    """What a chat was told lately, the newest first."""
    rows = reader.all(
        SQL["recent"],
        session=session,
        since=to_us(now) - span_us(FRESH),
        until=to_us(now),
        limit=_NEWEST,
    )
    return [Telling.from_row(row) for row in rows]


def responses(reader: Reader, telling: int) -> list[Response]:
    """How a telling was taken, in order."""
    return [
        Response(
            person_id=row["person_id"],
            kind=Kind(row["kind"]),
            evidence_id=row["evidence_id"],
            note=row["note"],
            at=from_us(row["at"]),
        )
        for row in reader.all(SQL["responses"], telling=telling)
    ]


def taken_up(
    reader: Reader, session: int, *, since: datetime, until: datetime, limit: int
) -> tuple[int, int]:
    """Of the last tellings of a chat in a span: how many there were, how many anybody took up."""
    row = reader.one(
        SQL["answered"], session=session, since=to_us(since), until=to_us(until), limit=limit
    )
    return (row["told"], row["taken"]) if row else (0, 0)


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)
    tx.run(SQL["forget"], gone=gone)


SHELF = Shelf(SQL["words"], SQL["blank"], SQL["blank_notes"])
NOTES = Shelf(SQL["note_words"], SQL["blank_notes"])


def touched(
    reader: Reader, *, originals: Iterable[int], handoffs: Iterable[int], sessions: Iterable[int]
) -> list[int]:
    """What some originals, handoffs or sessions told."""
    wanted = {
        "originals": listed(originals),
        "handoffs": listed(handoffs),
        "sessions": listed(sessions),
    }
    return numbers(reader.all(SQL["touched"], **wanted))


def forget_person(tx: Tx, person: int) -> int:
    """Drop how somebody took what they were told."""
    return tx.run(SQL["forget"], gone=person)


def of_person(reader: Reader, person: int) -> list[Row]:
    """How somebody took what they were told."""
    return reader.all(SQL["of_person"], person=person)
