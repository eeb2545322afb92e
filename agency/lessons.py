"""Lessons: subjects a person called not useful. They are told less of them, and not for ever.

a first refusal holds a week, each further one on the same subject twice as long, up to a quarter
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from agency import subjects
from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us, to_us

SQL = queries(__file__)

FIRST = timedelta(days=7)
LONGEST = timedelta(days=90)
ENOUGH = 0.6
"""The part of a lesson's words, by weight, that a subject has to hold to be the same."""
_LOOKED_AT = 100  # lessons of one person


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What one person called not useful."""

    id: int
    person_id: int
    telling_id: int
    subject: str
    terms: dict[str, float]
    refusals: int
    """How often they said so."""
    until: datetime
    ended_at: datetime | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        ended = row["ended_at"]
        return cls(
            id=row["id"],
            person_id=row["person_id"],
            telling_id=row["telling_id"],
            subject=row["subject"],
            terms=json.loads(row["terms"]),
            refusals=row["refusals"],
            until=from_us(row["until"]),
            ended_at=from_us(ended) if ended is not None else None,
        )

    def holds(self, now: datetime) -> bool:
        """Whether it still lowers its subject."""
        return self.ended_at is None and now < self.until

    def covers(self, subject: str) -> bool:
        """Whether a subject is the same, by its telling words."""
        said = subjects.terms(subject)
        whole = sum(self.terms.values())
        held = sum(weight for term, weight in self.terms.items() if term in said)
        return bool(whole) and held >= ENOUGH * whole


def learn(tx: Tx, person: int, telling: int, subject: str, *, now: datetime) -> Lesson:
    """Lower a subject for a person, longer each time they say so."""
    same = [one for one in _of(tx, person) if one.covers(subject) and one.telling_id != telling]
    # A lesson that was taken back or is long over still counts as said.
    refusals = 1 + max((one.refusals for one in same if one.ended_at is None), default=0)
    for one in same:
        end(tx, one.id, now=now)
    length = min(FIRST * 2 ** (refusals - 1), LONGEST)
    added = tx.one(
        SQL["add"],
        person=person,
        telling=telling,
        subject=subject,
        terms=json.dumps(subjects.terms(subject), ensure_ascii=False),
        refusals=refusals,
        until=to_us(now + length),
        now=to_us(now),
    )
    if added is None:
        raise LookupError("an INSERT … RETURNING * returned no row")
    return Lesson.from_row(added)


def end(tx: Tx, id: int, *, now: datetime) -> bool:
    """Take a lesson back; False when it was over already."""
    return tx.run(SQL["end"], id=id, now=to_us(now)) == 1


def unlearn(tx: Tx, telling: int, person: int, *, now: datetime) -> bool:
    """Take back what was learnt from one message; False when nothing was."""
    return tx.run(SQL["end_of_telling"], telling=telling, person=person, now=to_us(now)) > 0


def held(reader: Reader, person: int, *, now: datetime) -> list[Lesson]:
    """What a person is told less of now, the newest first."""
    return [one for one in _of(reader, person) if one.holds(now)]


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)


def _of(reader: Reader, person: int) -> list[Lesson]:
    rows = reader.all(SQL["of_person"], person=person, limit=_LOOKED_AT)
    return [Lesson.from_row(row) for row in rows]


SHELF = Shelf(SQL["words"], SQL["blank"])


def erase(tx: Tx, person: int) -> int:
    """Drop what was learnt from somebody; how much."""
    return tx.run(SQL["erase"], person=person)


def of_tellings(reader: Reader, tellings: Iterable[int]) -> list[int]:
    """What was learnt of some tellings, from whomever."""
    return numbers(reader.all(SQL["of_tellings"], tellings=listed(tellings)))


def every_of(reader: Reader, person: int) -> list[Row]:
    """All that was learnt from somebody."""
    return reader.all(SQL["every_of"], person=person)
