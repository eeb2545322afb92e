"""Erasing: words go for good, row by row, while what points at the rows stays whole.

A record of each erasure stays, without a word of what went, so that a copy of the database that
is older than it can be cleaned again.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.moments import from_us, to_us

SQL = queries(__file__)

MARK = "(erased)"
"""Stands where words stood."""


class Kind(StrEnum):
    """Whose words go."""

    PERSON = "person"
    CHAT = "chat"


class Shelf:
    """Rows of a table that hold words: how they are read, and how they go.

    `words` is a statement that gives `id` and `text`; the others take `ids`, and those that
    blank rows `mark` and `now` as well.
    """

    def __init__(self, words: str, *blanks: str, whole: str = "") -> None:
        self._words = words
        self._blanks = blanks
        self._whole = whole

    def words(self, reader: Reader) -> Iterator[tuple[int, str]]:
        """Every row that holds words; rows of one id are one."""
        for row in reader.each(self._words):
            yield int(row["id"]), str(row["text"])

    def blank(self, tx: Tx, ids: Iterable[int], *, now_us: int) -> int:
        """Take the words out of some rows, ending what would still act on them; how many rows."""
        wanted = listed(ids)
        return max(tx.run(sql, ids=wanted, mark=MARK, now=now_us) for sql in self._blanks)

    def rows(self, reader: Reader, ids: Iterable[int]) -> list[Row]:
        """Some rows with all they hold."""
        return reader.all(self._whole, ids=listed(ids))


def numbers(rows: Iterable[Row]) -> list[int]:
    """The `id` of rows, without those that have none."""
    return [int(row["id"]) for row in rows if row["id"] is not None]


def listed(ids: Iterable[int]) -> str:
    """Numbers in the form in which statements take them."""
    return json.dumps(sorted(set(ids)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """That something was erased, without a word of it."""

    kind: Kind
    subject_id: int
    """The number of the person or of the session, in the database it was erased from."""
    marks: tuple[str, ...]
    """Hashes of the accounts, or of the chat's address, by which an older copy knows them."""
    counts: Mapping[str, int]
    """How many rows of each kind went."""
    at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            kind=Kind(row["kind"]),
            subject_id=row["subject_id"],
            marks=tuple(json.loads(row["marks"])),
            counts=json.loads(row["counts"]),
            at=from_us(row["at"]),
        )

    @classmethod
    def parse(cls, line: str) -> Self:
        """Read one that was written down; ValueError says that it is none."""
        try:
            found = json.loads(line)
            return cls(
                kind=Kind(found["kind"]),
                subject_id=int(found["subject_id"]),
                marks=tuple(str(mark) for mark in found["marks"]),
                counts={str(name): int(count) for name, count in found["counts"].items()},
                at=datetime.fromisoformat(found["at"]),
            )
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ValueError(f"{line[:80]!r} is no record of an erasure") from error

    def written(self) -> str:
        """On one line, for `parse`."""
        return json.dumps(
            {
                "kind": self.kind,
                "subject_id": self.subject_id,
                "marks": self.marks,
                "counts": dict(self.counts),
                "at": self.at.isoformat(),
            }
        )


def mark_of(*parts: str) -> str:
    """The hash by which an account or a chat is known again."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def record(tx: Tx, done: Record) -> None:
    """Keep that something was erased; the same twice is once."""
    tx.run(
        SQL["record"],
        kind=done.kind,
        subject=done.subject_id,
        marks=json.dumps(done.marks),
        counts=json.dumps(dict(done.counts)),
        at=to_us(done.at),
    )


def records(reader: Reader) -> list[Record]:
    """Every erasure, in order."""
    return [Record.from_row(row) for row in reader.all(SQL["records"])]
