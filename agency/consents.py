"""Consents: a person's word on whether something said in private may be told elsewhere.

    asked ─► granted | denied | expired      granted ─► revoked | expired

A word is given for one handoff: for just that text, and just that session. A yes may reach further,
to whatever rests on the same messages or is said in the same DM, and may end at a moment.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from agency import salience
from memory import originals
from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us
from memory.originals import Original

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
    """Nobody answered in time, or the time of a yes is over; it counts as no."""
    REVOKED = "revoked"
    """It was granted and taken back."""


MOVES: dict[State, frozenset[State]] = {
    State.ASKED: frozenset({State.GRANTED, State.DENIED, State.EXPIRED}),
    State.GRANTED: frozenset({State.REVOKED, State.EXPIRED}),
    State.DENIED: frozenset(),
    State.EXPIRED: frozenset(),
    State.REVOKED: frozenset(),
}


class Scope(StrEnum):
    """How far a word reaches; always to one session, and never to what was said in confidence."""

    ONCE = "once"
    """Just the telling it was asked for."""
    FACT = "fact"
    """Whatever rests on the same messages."""
    ROOM = "room"
    """Whatever its author says in the same DM."""


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
    scope: Scope
    until: datetime | None
    """When a yes ends; None for one without an end."""

    @property
    def standing(self) -> bool:
        """Whether it is a yes that reaches beyond one telling."""
        return self.state is State.GRANTED and self.scope is not Scope.ONCE

    @classmethod
    def from_row(cls, row: Row) -> Self:
        answered, until = row["answered_at"], row["until_at"]
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
            scope=Scope(row["scope"]),
            until=from_us(until) if until is not None else None,
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
    remind_us: int | None = None,
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
        remind=remind_us if remind_us is not None and remind_us < expires_us else None,
    )
    if row is None:
        return None
    for original in originals:
        tx.run(SQL["add_original"], consent=row["id"], original=original)
    return int(row["id"])


def answer(
    tx: Tx,
    id: int,
    *,
    person: int,
    granted: bool,
    note: str,
    now_us: int,
    scope: Scope | None = None,
    until_us: int | None = None,
) -> Consent | None:
    """Record the answer of the person who was asked.

    `scope` is how far it reaches: without it a yes to just this telling, and a no to telling
    anything of these messages; a no that reaches `ONCE` is one to this text only.
    None when the question is settled already, unknown, or somebody else's to answer.
    """
    changed = tx.run(
        SQL["answer"],
        id=id,
        person=person,
        state=State.GRANTED if granted else State.DENIED,
        note=note,
        scope=scope or (Scope.ONCE if granted else Scope.FACT),
        until=until_us if granted else None,
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


def lapse(tx: Tx, *, now_us: int) -> list[Consent]:
    """End the yeses whose time is over."""
    rows = tx.all(SQL["over"], now=now_us)
    for row in rows:
        tx.run(SQL["lapse"], id=row["id"])
    return [Consent.from_row(row) for row in rows]


def to_remind(reader: Reader, *, now_us: int) -> list[Consent]:
    """The open questions whose one reminder is due."""
    return [Consent.from_row(row) for row in reader.all(SQL["to_remind"], now=now_us)]


def remind_at(tx: Tx, id: int, moment_us: int | None) -> None:
    """Remind of a question at a moment; None when that was done, for nobody is reminded twice."""
    tx.run(SQL["remind_at"], id=id, at=moment_us)


def next_reminder(reader: Reader) -> int | None:
    """When somebody is to be reminded of an open question, in stored form."""
    row = reader.one(SQL["next_reminder"])
    return row["at"] if row else None


def next_moment(reader: Reader) -> int | None:
    """When the next question expires or a yes ends, in stored form."""
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


def find(reader: Reader, id: int) -> Consent | None:
    """One consent, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return Consent.from_row(row) if row else None


def waiting_on(reader: Reader, person: int) -> list[Consent]:
    """The open questions to a person, oldest first."""
    return [Consent.from_row(row) for row in reader.all(SQL["waiting_on"], person=person)]


def given_by(reader: Reader, person: int) -> list[Consent]:
    """The yeses of a person that can still be taken back, oldest first."""
    return [Consent.from_row(row) for row in reader.all(SQL["given_by"], person=person)]


def open_in(reader: Reader, session: int) -> list[Consent]:
    """The questions of a DM that can still be answered, and the yeses that can be taken back."""
    return [Consent.from_row(row) for row in reader.all(SQL["open_in"], session=session)]


def told_in(reader: Reader, session: int, *, since_us: int) -> list[Consent]:
    """What somebody of a DM agreed to once, and was told since a moment."""
    rows = reader.all(SQL["told_in"], session=session, since=since_us)
    return [Consent.from_row(row) for row in rows]


def asked(reader: Reader, *, limit: int) -> list[Consent]:
    """The newest open questions, whoever was asked, newest first."""
    return [Consent.from_row(row) for row in reader.all(SQL["asked"], limit=limit)]


def latest(reader: Reader, *, limit: int) -> list[Consent]:
    """The newest questions, oldest of them first."""
    return [Consent.from_row(row) for row in reversed(reader.all(SQL["latest"], limit=limit))]


def agreed(reader: Reader, original: int, *, handoff: int) -> bool:
    """Whether the text of a handoff may tell of an original by its author's word.

    The word was given for just this handoff, or it stands: for the same messages, or for all that
    is said in the same DM. What was said in confidence needs a word of its own.
    """
    if reader.one(SQL["agreed"], original=original, handoff=handoff) is not None:
        return True
    rows = reader.all(SQL["standing"], handoff=handoff)
    found = originals.find(reader, original) if rows else None
    if found is None or sealed(found.body):
        return False
    return any(_reaches(reader, Consent.from_row(row), found) for row in rows)


def _reaches(reader: Reader, consent: Consent, original: Original) -> bool:
    if consent.scope is Scope.ROOM:
        return consent.source_id == original.session_id
    return reader.one(SQL["of_original"], consent=consent.id, original=original.id) is not None


def sealed(text: str) -> bool:
    """Whether its author asked to keep it, or it is nobody else's business."""
    kinds = {signal.kind for signal in salience.read(text)}
    return bool(kinds & {salience.Kind.PRIVATE, salience.Kind.PERSONAL})


def declined(reader: Reader, original: int, target: int) -> bool:
    """Whether somebody did not want an original told in a session; they are not asked again."""
    return reader.one(SQL["declined"], original=original, target=target) is not None


SHELF = Shelf(SQL["words"], SQL["blank"], whole=SQL["whole"])


def touched(
    reader: Reader, *, handoffs: Iterable[int], people: Iterable[int], sessions: Iterable[int]
) -> list[int]:
    """The consents about some handoffs, of some people, or asked in or for some sessions."""
    wanted = {
        "handoffs": listed(handoffs),
        "people": listed(people),
        "sessions": listed(sessions),
    }
    return numbers(reader.all(SQL["touched"], **wanted))
