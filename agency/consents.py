"""Consents: a person's word on whether something said in private may be told elsewhere.

    asked ─► granted | denied | expired      granted ─► revoked

A word is given for one handoff: for just that text, and just that session.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.moments import from_us

SQL = queries(__file__)


class State(StrEnum):
    """Where a question stands."""

    ASKED = "asked"
    """No answer yet."""
    GRANTED = "granted"
    """It may be told there."""
    DENIED = "denied"
    """It may not."""
    EXPIRED = "expired"
    """Nobody answered in time; it counts as no."""
    REVOKED = "revoked"
    """It was granted and taken back."""


MOVES: dict[State, frozenset[State]] = {
    State.ASKED: frozenset({State.GRANTED, State.DENIED, State.EXPIRED}),
    State.GRANTED: frozenset({State.REVOKED}),
    State.DENIED: frozenset(),
    State.EXPIRED: frozenset(),
    State.REVOKED: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """A question to one person about one handoff."""

    id: int
    handoff_id: int
    person_id: int
    source_id: int
    """The DM it was said in, and is asked in."""
    target_id: int
    body: str
    """What would be told."""
    state: State
    note: str
    asked_at: datetime
    answered_at: datetime | None
    expires_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        answered = row["answered_at"]
        return cls(
            id=row["id"],
            handoff_id=row["handoff_id"],
            person_id=row["person_id"],
            source_id=row["source_id"],
            target_id=row["target_id"],
            body=row["body"],
            state=State(row["state"]),
            note=row["note"],
            asked_at=from_us(row["asked_at"]),
            answered_at=from_us(answered) if answered is not None else None,
            expires_at=from_us(row["expires_at"]),
        )


def ask(
    tx: Tx,
    *,
    handoff: int,
    person: int,
    source: int,
    target: int,
    body: str,
    originals: Iterable[int],
    now_us: int,
    expires_us: int,
) -> int | None:
    """Record a question; None when this person was asked about this handoff before."""
    row = tx.one(
        SQL["ask"],
        handoff=handoff,
        person=person,
        source=source,
        target=target,
        body=body,
        now=now_us,
        expires=expires_us,
    )
    if row is None:
        return None
    for original in originals:
        tx.run(SQL["add_original"], consent=row["id"], original=original)
    return int(row["id"])


def answer(
    tx: Tx, id: int, *, person: int, granted: bool, note: str, now_us: int
) -> Consent | None:
    """Record the answer of the person who was asked.

    None when the question is settled already, unknown, or somebody else's to answer.
    """
    changed = tx.run(
        SQL["answer"],
        id=id,
        person=person,
        state=State.GRANTED if granted else State.DENIED,
        note=note,
        now=now_us,
    )
    return get(tx, id) if changed else None


def revoke(tx: Tx, id: int, *, person: int, now_us: int) -> bool:
    """Take a granted consent back; False when there is none of this person's to take back."""
    return tx.run(SQL["revoke"], id=id, person=person, now=now_us) == 1


def withdraw(tx: Tx, handoff: int, *, now_us: int) -> None:
    """Close the open questions about a handoff that is no longer to be told."""
    tx.run(SQL["withdraw"], handoff=handoff, now=now_us)


def expire(tx: Tx, *, now_us: int) -> list[Consent]:
    """Close the questions nobody answered in time."""
    rows = tx.all(SQL["overdue"], now=now_us)
    for row in rows:
        tx.run(SQL["expire"], id=row["id"], now=now_us)
    return [Consent.from_row(row) for row in rows]


def next_moment(reader: Reader) -> int | None:
    """When the next open question expires, in stored form."""
    row = reader.one(SQL["next_moment"])
    return row["at"] if row else None


def get(reader: Reader, id: int) -> Consent:
    """One consent; LookupError when there is none."""
    row = reader.one(SQL["by_id"], id=id)
    if row is None:
        raise LookupError(f"there is no consent {id}")
    return Consent.from_row(row)


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one; where both were asked the same, each word stays."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)


def of_handoff(reader: Reader, handoff: int) -> list[Consent]:
    """Everybody's word on one handoff."""
    return [Consent.from_row(row) for row in reader.all(SQL["of_handoff"], handoff=handoff)]


def open_in(reader: Reader, session: int) -> list[Consent]:
    """The questions of a DM that can still be answered, and the yeses that can be taken back."""
    return [Consent.from_row(row) for row in reader.all(SQL["open_in"], session=session)]


def asked(reader: Reader, *, limit: int) -> list[Consent]:
    """The newest open questions, whoever was asked, newest first."""
    return [Consent.from_row(row) for row in reader.all(SQL["asked"], limit=limit)]


def latest(reader: Reader, *, limit: int) -> list[Consent]:
    """The newest questions, oldest of them first."""
    return [Consent.from_row(row) for row in reversed(reader.all(SQL["latest"], limit=limit))]


def agreed(reader: Reader, original: int, *, handoff: int) -> bool:
    """Whether the text of a handoff may tell of an original by its author's word."""
    return reader.one(SQL["agreed"], original=original, handoff=handoff) is not None


def declined(reader: Reader, original: int, target: int) -> bool:
    """Whether somebody did not want an original told in a session; they are not asked again."""
    return reader.one(SQL["declined"], original=original, target=target) is not None
