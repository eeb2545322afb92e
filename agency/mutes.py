"""Mutes: subjects a chat, or a person anywhere, does not want to be told of unasked."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from agency import subjects
from memory.db import Reader, Row, Tx, queries
from memory.erasing import listed
from memory.moments import from_us, to_us

SQL = queries(__file__)

ENOUGH = 0.6
"""The part of a mute's words, by weight, that a text has to hold to be about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mute:
    """One subject nobody there wants to hear of."""

    id: int
    session_id: int | None
    """The chat that does not want it; None when it is a person's wish."""
    person_id: int | None
    subject: str
    """In their words."""
    terms: dict[str, float]
    until: datetime | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            session_id=row["session_id"],
            person_id=row["person_id"],
            subject=row["subject"],
            terms=json.loads(row["terms"]),
            until=from_us(row["until"]) if row["until"] is not None else None,
        )

    def covers(self, text: str) -> bool:
        """Whether a text is about the muted subject."""
        if " ".join(self.subject.lower().split()) in " ".join(text.lower().split()):
            return True
        said = subjects.terms(text)
        whole = sum(self.terms.values())
        held = sum(weight for term, weight in self.terms.items() if term in said)
        return bool(whole) and held >= ENOUGH * whole


def mute_chat(
    tx: Tx, session: int, subject: str, *, until: datetime | None = None, now: datetime
) -> Mute:
    """A chat does not want to be told of a subject; the same said again is one mute."""
    return _add(tx, session, None, subject, until, now)


def mute_person(
    tx: Tx, person: int, subject: str, *, until: datetime | None = None, now: datetime
) -> Mute:
    """A person does not want to be told of a subject, in whatever DM."""
    return _add(tx, None, person, subject, until, now)


def end(tx: Tx, id: int, *, now: datetime) -> bool:
    """Take a mute back; False when it is over already."""
    return tx.run(SQL["end"], id=id, now=to_us(now)) == 1


def of_chat(reader: Reader, session: int, *, now: datetime) -> list[Mute]:
    """What a chat does not want to hear of now, oldest first."""
    rows = reader.all(SQL["of_chat"], session=session, now=to_us(now))
    return [Mute.from_row(row) for row in rows]


def of_person(reader: Reader, person: int, *, now: datetime) -> list[Mute]:
    """What a person does not want to hear of now, oldest first."""
    rows = reader.all(SQL["of_person"], person=person, now=to_us(now))
    return [Mute.from_row(row) for row in rows]


def matches(
    reader: Reader,
    session: int,
    persons: tuple[int, ...],
    subject: str,
    text: str,
    now: datetime,
) -> Mute | None:
    """The mute that forbids to tell a text in a chat, or None.

    `session` is the whole chat, `persons` those it is for: in a DM its person, in a room those it
    concerns. What only some of them do not want is still told to the others.
    """
    about = f"{subject}\n{text}"
    for mute in of_chat(reader, session, now=now):
        if mute.covers(about):
            return mute
    found = [
        next((one for one in of_person(reader, person, now=now) if one.covers(about)), None)
        for person in persons
    ]
    return found[0] if found and all(one is not None for one in found) else None


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)


def _add(
    tx: Tx,
    session: int | None,
    person: int | None,
    subject: str,
    until: datetime | None,
    now: datetime,
) -> Mute:
    wanted = " ".join(subject.split())
    if not wanted:
        raise ValueError("a mute needs a subject; say what nobody wants to hear of")
    row = tx.one(SQL["same"], session=session, person=person, subject=wanted)
    if row is not None:
        end(tx, row["id"], now=now)
    added = tx.one(
        SQL["add"],
        session=session,
        person=person,
        subject=wanted,
        terms=json.dumps(subjects.terms(wanted), ensure_ascii=False),
        until=to_us(until) if until is not None else None,
        now=to_us(now),
    )
    if added is None:
        raise LookupError("an INSERT … RETURNING * returned no row")
    return Mute.from_row(added)


def erase(tx: Tx, *, people: Iterable[int], sessions: Iterable[int]) -> int:
    """Drop what some people, or some chats, muted; how much."""
    return tx.run(SQL["erase"], people=listed(people), sessions=listed(sessions))


def every_of(
    reader: Reader, *, people: Iterable[int] = (), sessions: Iterable[int] = ()
) -> list[Row]:
    """All that some people or some chats ever muted."""
    return reader.all(SQL["every_of"], people=listed(people), sessions=listed(sessions))
