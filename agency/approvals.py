"""Approvals: somebody's word on whether something may be done, and who may give it.

    asked ─► granted | denied | expired      granted ─► revoked

A yes holds once, or for every time the same is asked in the same session.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.erasing import MARK, Shelf, listed, numbers
from memory.moments import from_us

SQL = queries(__file__)


class State(StrEnum):
    """Where a question stands."""

    ASKED = "asked"
    """No answer yet."""
    GRANTED = "granted"
    """It may be done."""
    DENIED = "denied"
    """It may not."""
    EXPIRED = "expired"
    """Nobody answered in time, or it was no longer wanted; it counts as no."""
    REVOKED = "revoked"
    """It was granted and taken back."""


MOVES: dict[State, frozenset[State]] = {
    State.ASKED: frozenset({State.GRANTED, State.DENIED, State.EXPIRED}),
    State.GRANTED: frozenset({State.REVOKED}),
    State.DENIED: frozenset(),
    State.EXPIRED: frozenset(),
    State.REVOKED: frozenset(),
}


class Holds(StrEnum):
    """How far a yes reaches."""

    ONCE = "once"
    """This time only."""
    ALWAYS = "always"
    """Every time the same is asked, until it is taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A question as stored."""

    id: int
    subject: str
    """What is to be done, short and always the same."""
    question: str
    """The words it is asked in."""
    session_id: int
    """Where it came up."""
    run_id: int
    """The run that waits for it."""
    person_id: int
    """Who wanted it asked."""
    state: State
    holds: Holds
    answered_by: int | None
    note: str
    asked_at: datetime
    answered_at: datetime | None
    expires_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        answered = row["answered_at"]
        return cls(
            id=row["id"],
            subject=row["subject"],
            question=row["question"],
            session_id=row["session_id"],
            run_id=row["run_id"],
            person_id=row["person_id"],
            state=State(row["state"]),
            holds=Holds(row["holds"]),
            answered_by=row["answered_by"],
            note=row["note"],
            asked_at=from_us(row["asked_at"]),
            answered_at=from_us(answered) if answered is not None else None,
            expires_at=from_us(row["expires_at"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Approver:
    """Somebody who may answer, where they are asked, and how far that has come."""

    approval_id: int
    person_id: int
    session_id: int
    due_at: datetime
    """When the question is put to them."""
    put: bool
    remind_at: datetime | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        remind = row["remind_at"]
        return cls(
            approval_id=row["approval_id"],
            person_id=row["person_id"],
            session_id=row["session_id"],
            due_at=from_us(row["due_at"]),
            put=row["put_at"] is not None,
            remind_at=from_us(remind) if remind is not None else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What is to be asked, for whom, and how long the answer is waited for."""

    key: str
    """The same for the same use of a tool, so that a second try asks nobody twice."""
    subject: str
    question: str
    session_id: int
    run_id: int
    person_id: int
    expires_us: int


def ask(tx: Tx, asking: Asking, approvers: Iterable[tuple[int, int, int]], *, now_us: int) -> int:
    """Record a question; `approvers` are (person, session, when to ask). A repeat changes nothing.

    Returns its id.
    """
    row = tx.one(
        SQL["ask"],
        key=asking.key,
        subject=asking.subject,
        question=asking.question,
        session=asking.session_id,
        run=asking.run_id,
        person=asking.person_id,
        now=now_us,
        expires=asking.expires_us,
    )
    if row is None:
        known = by_key(tx, asking.key)
        if known is None:
            raise LookupError(f"no approval has the key {asking.key!r}")
        return known.id
    for person, session, due_us in approvers:
        tx.run(SQL["add_approver"], id=row["id"], person=person, session=session, due=due_us)
    return int(row["id"])


def answer(
    tx: Tx, id: int, *, person: int, granted: bool, holds: Holds, note: str, now_us: int
) -> Approval | None:
    """Record the word of one of the approvers: the first counts.

    None when the question is settled already, unknown, or somebody else's to answer.
    """
    changed = tx.run(
        SQL["answer"],
        id=id,
        person=person,
        state=State.GRANTED if granted else State.DENIED,
        holds=holds if granted else Holds.ONCE,
        note=note,
        now=now_us,
    )
    return get(tx, id) if changed else None


def revoke(tx: Tx, id: int, *, person: int, now_us: int) -> bool:
    """Take a yes back; False when there is none of this person's to take back."""
    return tx.run(SQL["revoke"], id=id, person=person, now=now_us) == 1


def withdraw(tx: Tx, id: int, *, note: str, now_us: int) -> bool:
    """Close a question that is no longer wanted; False when it is closed already."""
    return tx.run(SQL["withdraw"], id=id, note=note, now=now_us) == 1


def expire(tx: Tx, *, now_us: int) -> list[Approval]:
    """Close the questions nobody answered in time."""
    rows = tx.all(SQL["overdue"], now=now_us)
    for row in rows:
        tx.run(SQL["expire"], id=row["id"], now=now_us)
    return [Approval.from_row(row) for row in rows]


def put(tx: Tx, approver: Approver, *, remind_us: int | None, now_us: int) -> None:
    """Note that the question was put to somebody, and when to remind them once."""
    tx.run(
        SQL["put"],
        id=approver.approval_id,
        person=approver.person_id,
        remind=remind_us,
        now=now_us,
    )


def put_off(tx: Tx, approver: Approver, *, due_us: int) -> None:
    """Put the question, or the reminder of it, to somebody later."""
    name = "remind_later" if approver.put else "put_later"
    tx.run(SQL[name], id=approver.approval_id, person=approver.person_id, due=due_us)


def excuse(tx: Tx, approver: Approver) -> bool:
    """Let somebody who may not know of it answer no more; whether somebody is left who may."""
    tx.run(SQL["excuse"], id=approver.approval_id, person=approver.person_id)
    return bool(approvers(tx, approver.approval_id))


def reminded(tx: Tx, approver: Approver) -> None:
    """Note that somebody was reminded; nobody is twice."""
    tx.run(SQL["reminded"], id=approver.approval_id, person=approver.person_id)


def due(reader: Reader, *, now_us: int) -> list[Approver]:
    """Whom a question is to be put to, or who is to be reminded of it, by now."""
    return [Approver.from_row(row) for row in reader.all(SQL["due"], now=now_us)]


def next_moment(reader: Reader) -> int | None:
    """When the next open question is to be put, reminded of, or closed, in stored form."""
    row = reader.one(SQL["next_moment"])
    return row["at"] if row else None


def get(reader: Reader, id: int) -> Approval:
    """One approval; LookupError when there is none."""
    found = find(reader, id)
    if found is None:
        raise LookupError(f"there is no approval {id}")
    return found


def find(reader: Reader, id: int) -> Approval | None:
    """One approval, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return Approval.from_row(row) if row else None


def by_key(reader: Reader, key: str) -> Approval | None:
    """The approval that one use of a tool asked for."""
    row = reader.one(SQL["by_key"], key=key)
    return Approval.from_row(row) if row else None


def approvers(reader: Reader, id: int) -> list[Approver]:
    """Who may answer."""
    return [Approver.from_row(row) for row in reader.all(SQL["approvers"], id=id)]


def standing(reader: Reader, session: int, subject: str, persons: Iterable[int]) -> Approval | None:
    """A yes that holds for every time the same is asked, given by one of these people."""
    wanted, allowed = _folded(subject), set(persons)
    found = (Approval.from_row(row) for row in reader.all(SQL["standing"], session=session))
    return next(
        (one for one in found if _folded(one.subject) == wanted and one.answered_by in allowed),
        None,
    )


def of_run(reader: Reader, run: int) -> list[Approval]:
    """What a run asked for."""
    return [Approval.from_row(row) for row in reader.all(SQL["of_run"], run=run)]


def waiting_on(reader: Reader, person: int) -> list[Approval]:
    """The open questions that a person may answer, oldest first."""
    return [Approval.from_row(row) for row in reader.all(SQL["waiting_on"], person=person)]


def asked_for(reader: Reader, person: int) -> list[Approval]:
    """The open questions that were asked because a person wanted it, oldest first."""
    return [Approval.from_row(row) for row in reader.all(SQL["asked_for"], person=person)]


def given_by(reader: Reader, person: int) -> list[Approval]:
    """The yeses of a person that hold for every time, oldest first."""
    return [Approval.from_row(row) for row in reader.all(SQL["given_by"], person=person)]


def open_in(reader: Reader, session: int) -> list[Approval]:
    """The open questions that were put in a session, oldest first."""
    return [Approval.from_row(row) for row in reader.all(SQL["open_in"], session=session)]


def asked(reader: Reader, *, limit: int) -> list[Approval]:
    """The newest open questions, newest first."""
    return [Approval.from_row(row) for row in reader.all(SQL["asked"], limit=limit)]


def latest(reader: Reader, *, limit: int, before: int | None = None) -> list[Approval]:
    """The newest questions, newest first."""
    rows = reader.all(SQL["latest"], limit=limit, before=before or 2**62)
    return [Approval.from_row(row) for row in rows]


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one; where both may answer the same, one entry stays."""
    for name in ("rehome_approver", "drop_approver", "rehome_asker", "rehome_answer"):
        tx.run(SQL[name], gone=gone, kept=kept)


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


SHELF = Shelf(SQL["words"], SQL["blank"], whole=SQL["whole"])


def touched(
    reader: Reader, *, runs: Iterable[int], people: Iterable[int], sessions: Iterable[int]
) -> list[int]:
    """The approvals some runs or people asked for, or that were asked for in some sessions."""
    wanted = {"runs": listed(runs), "people": listed(people), "sessions": listed(sessions)}
    return numbers(reader.all(SQL["touched"], **wanted))


def forget_person(tx: Tx, person: int) -> None:
    """Nobody is to ask somebody any more; what they answered others says nothing any more."""
    tx.run(SQL["blank_notes"], person=person, mark=MARK)
    tx.run(SQL["drop_approver"], gone=person)


def answered(reader: Reader, person: int) -> list[int]:
    """The approvals somebody asked for or answered."""
    return numbers(reader.all(SQL["answered"], person=person))
