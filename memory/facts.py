"""Facts: what was learnt from originals, each with the way back to them."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed
from memory.moments import from_us
from memory.words import prepare

SQL = queries(__file__)
AT_ONCE = 500  # facts read for one step of indexing anew


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something learnt in a session."""

    id: int
    session_id: int
    kind: str
    """decision, change, commitment, owner, deadline, risk, question, resolution, preference or
    fact."""
    body: str
    subject: str
    person_id: int | None
    due_at: datetime | None
    learnt_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            session_id=row["session_id"],
            kind=row["kind"],
            body=row["body"],
            subject=row["subject"],
            person_id=row["person_id"],
            due_at=from_us(row["due_at"]) if row["due_at"] is not None else None,
            learnt_at=from_us(row["learnt_at"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A fact to be kept."""

    kind: str
    body: str
    subject: str
    sources: tuple[int, ...]
    """The originals it rests on; never empty."""
    person_id: int | None = None
    due_us: int | None = None


def learn(
    tx: Tx, session: int, lessons: Sequence[Lesson], *, run: int | None, now_us: int
) -> list[int]:
    """Keep facts; one already known is skipped. The ids of the new ones."""
    learnt = []
    for lesson in lessons:
        row = tx.one(
            SQL["learn"],
            session=session,
            run=run,
            kind=lesson.kind,
            body=lesson.body,
            subject=lesson.subject,
            person=lesson.person_id,
            due=lesson.due_us,
            key=_key(session, lesson),
            now=now_us,
        )
        if row is None:
            continue
        learnt.append(int(row["id"]))
        for original in lesson.sources:
            tx.run(SQL["add_source"], fact=row["id"], original=original)
        _index(tx, row["id"], lesson.subject, lesson.body)
    return learnt


def reindex(tx: Tx) -> None:
    """Index every fact, in a database whose index is empty."""
    last = 0
    while rows := tx.all(SQL["page"], after=last, limit=AT_ONCE):
        for row in rows:
            _index(tx, row["id"], row["subject"], row["body"])
        last = rows[-1]["id"]


def _index(tx: Tx, id: int, subject: str, body: str) -> None:
    if text := prepare(f"{subject} {body}"):
        tx.run(SQL["index"], id=id, text=text)


def forget_source(tx: Tx, original: int) -> int:
    """Drop the facts that rest on an original which was changed or recalled; how many."""
    return _drop(tx, tx.all(SQL["resting_on"], original=original))


def _drop(tx: Tx, rows: Sequence[Row]) -> int:
    for row in rows:
        if text := prepare(f"{row['subject']} {row['body']}"):
            tx.run(SQL["unindex"], id=row["id"], text=text)
        tx.run(SQL["drop_sources"], fact=row["id"])
        tx.run(SQL["drop"], fact=row["id"])
    return len(rows)


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)


def of_session(reader: Reader, session: int, *, limit: int) -> list[Fact]:
    """The newest standing facts of a session, oldest first."""
    rows = reader.all(SQL["of_session"], session=session, limit=limit)
    return [Fact.from_row(row) for row in reversed(rows)]


def of_run(reader: Reader, run: int) -> list[Fact]:
    """What one memory run learnt."""
    return [Fact.from_row(row) for row in reader.all(SQL["of_run"], run=run)]


def sources(reader: Reader, fact: int) -> list[int]:
    """The originals a fact rests on."""
    return [row["original_id"] for row in reader.all(SQL["sources"], fact=fact)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a session has been about, and how far it was read."""

    body: str
    covered: int
    """The id of the last original it covers."""


def summary(reader: Reader, session: int) -> Summary:
    """The running summary of a session; empty and covering nothing at first."""
    row = reader.one(SQL["summary"], session=session)
    return Summary(body=row["body"], covered=row["covered"]) if row else Summary(body="", covered=0)


def cover(tx: Tx, session: int, *, body: str, covered: int, now_us: int) -> None:
    """Move the checkpoint of a session on, and take its new summary when there is one."""
    tx.run(SQL["cover"], session=session, body=body, covered=covered, now=now_us)


def forget_summary(tx: Tx, session: int, original: int) -> None:
    """Drop the summary of a session where it covers a message that was taken back."""
    tx.run(SQL["forget_summary"], session=session, original=original)


def _key(session: int, lesson: Lesson) -> str:
    text = f"{session}|{lesson.kind}|{lesson.body}|{sorted(lesson.sources)}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def tally(reader: Reader, *, since_us: int, until_us: int) -> dict[int, int]:
    """How many facts were learnt between two moments, by session."""
    rows = reader.all(SQL["tally"], since=since_us, until=until_us)
    return {row["session_id"]: row["n"] for row in rows}


class _Facts(Shelf):
    """What was learnt: what rests on erased words is no fact any more."""

    def blank(self, tx: Tx, ids: Iterable[int], *, now_us: int) -> int:
        return _drop(tx, whole(tx, ids))


SHELF = _Facts(SQL["words"])
SUMMARIES = Shelf(SQL["summary_words"], SQL["blank_summaries"])


def resting_on(reader: Reader, originals: Iterable[int], sessions: Iterable[int] = ()) -> list[int]:
    """The facts that rest on some originals or were learnt in some sessions."""
    wanted = {"originals": listed(originals), "sessions": listed(sessions)}
    return [int(row["id"]) for row in reader.all(SQL["of_originals"], **wanted)]


def whole(reader: Reader, ids: Iterable[int]) -> list[Row]:
    """Some facts with all they hold."""
    return reader.all(SQL["whole"], ids=listed(ids))
