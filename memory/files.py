"""Files: what was sent with an original, and what could be read of it.

waiting ─► read | unreadable ─► gone ─► removed
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from memory.db import Reader, Row, Tx, queries

SQL = queries(__file__)


class State(StrEnum):
    """How far a file has come."""

    WAITING = "waiting"
    """It is to be fetched and read."""
    READ = "read"
    """Its text or its picture is known; a note may say what of it is not."""
    UNREADABLE = "unreadable"
    """It is not read, and a note says why."""
    GONE = "gone"
    """Its message was taken back or goes on without it; its picture may still be on the disk."""
    REMOVED = "removed"
    """Nothing of it is left."""


MOVES: dict[State, frozenset[State]] = {
    State.WAITING: frozenset({State.READ, State.UNREADABLE, State.GONE}),
    State.READ: frozenset({State.GONE}),
    State.UNREADABLE: frozenset({State.GONE}),
    State.GONE: frozenset({State.REMOVED}),
    State.REMOVED: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A file as its message names it."""

    locator: str
    """What its platform finds it by."""
    name: str
    mime: str
    size: int | None
    """Bytes; None where the platform does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file as it stands now."""

    id: int
    original_id: int
    locator: str
    name: str
    mime: str
    size: int | None
    state: State
    note: str
    """Why it was not read, or what of it was not."""
    text: str
    picture: str
    """The name of its picture in the data folder's `files`; empty without one."""
    attempts: int
    """Tries to fetch it that were begun."""

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            original_id=row["original_id"],
            locator=row["locator"],
            name=row["name"],
            mime=row["mime"],
            size=row["size"],
            state=State(row["state"]),
            note=row["note"],
            text=row["text"],
            picture=row["picture"],
            attempts=row["attempts"],
        )


def keep(tx: Tx, original: int, sent: Iterable[Sent], *, now_us: int) -> None:
    """Make these the files of an original; what it had and has no more is gone.

    To be called inside `originals.reindexing`.
    """
    wanted = {one.locator: one for one in sent}
    known = {one.locator: one for one in of_original(tx, original)}
    for gone in known.keys() - wanted.keys():
        tx.run(SQL["forget"], id=known[gone].id)
    for one in (one for locator, one in wanted.items() if locator not in known):
        tx.run(
            SQL["keep"],
            original=original,
            locator=one.locator,
            name=one.name,
            mime=one.mime,
            size=one.size,
            now=now_us,
        )


def forget(tx: Tx, original: int) -> None:
    """Drop what was read of an original's files."""
    for one in of_original(tx, original):
        tx.run(SQL["forget"], id=one.id)


def begin(tx: Tx, id: int) -> bool:
    """Count another try; False when it is not wanted any more."""
    return tx.run(SQL["begin"], id=id) == 1


def read(tx: Tx, id: int, *, text: str, picture: str = "", note: str = "") -> bool:
    """Keep what a file holds; False when it is not wanted any more.

    To be called inside `originals.reindexing`.
    """
    return tx.run(SQL["read"], id=id, text=text, picture=picture, note=note) == 1


def refuse(tx: Tx, id: int, note: str) -> None:
    """Give a file up, saying why."""
    tx.run(SQL["refuse"], id=id, note=note)


def put_off(tx: Tx, id: int, *, due_us: int) -> None:
    """Try a file again later."""
    tx.run(SQL["put_off"], id=id, due=due_us)


def remove(tx: Tx, ids: Iterable[int]) -> None:
    """Note that nothing of these is on the disk any more."""
    for id in ids:
        tx.run(SQL["remove"], id=id)


def of_original(reader: Reader, original: int) -> list[File]:
    """The files a message has now, in the order they were sent."""
    return of_originals(reader, [original])[original]


def of_originals(reader: Reader, originals: Iterable[int]) -> dict[int, list[File]]:
    """The same for many messages at once; an empty list for one without."""
    found: dict[int, list[File]] = {original: [] for original in originals}
    for row in reader.all(SQL["of_originals"], originals=json.dumps([*found])):
        found[row["original_id"]].append(File.from_row(row))
    return found


def words_of(reader: Reader, originals: Iterable[int]) -> dict[int, str]:
    """What the files of originals are called and say; originals without files are left out.

    It belongs to the original like its body: it is found, shown and guarded with it.
    """
    found: dict[int, list[str]] = defaultdict(list)
    for row in reader.all(SQL["words_of"], originals=json.dumps(list(originals))):
        found[row["original_id"]] += filter(None, (row["name"], row["text"]))
    return {id: "\n".join(words) for id, words in found.items() if words}


def due(reader: Reader, *, now_us: int, limit: int) -> list[File]:
    """Files to be fetched now, the longest waiting first."""
    return [File.from_row(row) for row in reader.all(SQL["due"], now=now_us, limit=limit)]


def bring_near(tx: Tx, *, by_us: int, now_us: int, until_us: int) -> int:
    """The clock was set back: move what is due before a moment by so much; how many."""
    return tx.run(SQL["bring_near"], by=by_us, now=now_us, until=until_us)


def next_due(reader: Reader, *, now_us: int) -> int | None:
    """When the next file that is not due yet may be fetched; None when there is none."""
    row = reader.one(SQL["next_due"], now=now_us)
    return row["due"] if row else None


def backlog(reader: Reader) -> tuple[int, int | None]:
    """How many files are to be fetched, and since when the first could be, in stored form."""
    row = reader.one(SQL["backlog"])
    return (row["n"], row["oldest"]) if row else (0, None)


def expected(reader: Reader, *, until_us: int) -> frozenset[int]:
    """The originals with a file that may be read before a moment."""
    rows = reader.all(SQL["expected"], until=until_us)
    return frozenset(row["original_id"] for row in rows)


def gone(reader: Reader, *, limit: int) -> dict[int, str]:
    """Files that may have left something on the disk: their pictures' names by id."""
    return {row["id"]: row["picture"] for row in reader.all(SQL["gone"], limit=limit)}


def pictures(reader: Reader) -> list[str]:
    """The names of all pictures that are kept."""
    return [row["picture"] for row in reader.all(SQL["pictures"])]


def tally(reader: Reader, *, since_us: int, until_us: int) -> dict[int, int]:
    """How many files that came in between two moments were read, by session."""
    rows = reader.all(SQL["tally"], since=since_us, until=until_us)
    return {row["session_id"]: row["n"] for row in rows}
