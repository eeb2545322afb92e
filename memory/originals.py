"""Originals: what was really said, word for word, with its versions."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from memory import files
from memory.db import Reader, Row, Tx, queries
from memory.erasing import MARK, Shelf, listed
from memory.moments import from_us
from memory.words import prepare

SQL = queries(__file__)
LOOKED_AT = 10_000  # last messages among which one that was taken back is looked for
NO_LONGER_KEPT = "(no longer kept)"
"""Stands where words stood that were kept for a time only."""
FINDABLE_AT_ONCE = 500  # originals read for one step of indexing anew
FINDABLE = 200_000  # signs of an original's files that it is found by, the first of them


class Kind(StrEnum):
    """Where an original comes from."""

    MESSAGE = "message"
    """A person said it in a chat."""
    OUTPUT = "output"
    """The bot said it in a chat."""
    SOURCE = "source"
    """A page, feed or file that is watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """One original as it stands now."""

    id: int
    session_id: int
    kind: Kind
    address: str | None
    person_id: int | None
    author: str
    body: str
    """Empty once it was recalled."""
    version: int
    reply_to: str | None
    run_id: int | None
    said_at: datetime
    edited: bool
    recalled: bool
    aside: bool
    """History of its own room and nothing more: never found, learnt from or told elsewhere."""

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            session_id=row["session_id"],
            kind=Kind(row["kind"]),
            address=row["address"],
            person_id=row["person_id"],
            author=row["author"],
            body=row["body"],
            version=row["version"],
            reply_to=row["reply_to"],
            run_id=row["run_id"],
            said_at=from_us(row["said_at"]),
            edited=row["edited_at"] is not None,
            recalled=row["recalled_at"] is not None,
            aside=bool(row["aside"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """Something to be kept."""

    session_id: int
    kind: Kind
    author: str
    body: str
    said_us: int
    address: str | None = None
    """The platform's own address; two sayings with the same one are the same."""
    person_id: int | None = None
    version: int = 1
    reply_to: str | None = None
    run_id: int | None = None
    aside: bool = False
    """See `Original.aside`."""


def keep(tx: Tx, saying: Saying, *, now_us: int) -> int | None:
    """Store an original and index it; None when its address is already known."""
    row = tx.one(
        SQL["keep"],
        session=saying.session_id,
        kind=saying.kind,
        address=saying.address,
        person=saying.person_id,
        author=saying.author,
        body=saying.body,
        version=saying.version,
        reply_to=saying.reply_to,
        run=saying.run_id,
        said=saying.said_us,
        aside=saying.aside,
        now=now_us,
    )
    if row is None:
        return None
    if not saying.aside and (text := prepare(saying.body)):  # its files come later
        tx.run(SQL["index"], id=row["id"], text=text)
    return int(row["id"])


def place(tx: Tx, id: int, address: str) -> None:
    """Note where the bot's own words were posted, so that replies to them are understood."""
    tx.run(SQL["place"], id=id, address=address)


def revise(tx: Tx, address: str, body: str, *, version: int, now_us: int) -> int | None:
    """Put a newer version in place; None when the message is unknown or this is no newer."""
    row = tx.one(SQL["by_address"], address=address)
    if row is None or row["version"] >= version or row["recalled_at"] is not None:
        return None
    _retire(tx, row, now_us)
    tx.run(SQL["revise"], id=row["id"], body=body, version=version, now=now_us)
    if not row["aside"]:
        _index(tx, row["id"], body)
    return int(row["id"])


def recall(tx: Tx, address: str, *, now_us: int) -> int | None:
    """Drop a message's words, older ones too; None when there is nothing to recall.

    What was read of its files is dropped as well.
    """
    row = tx.one(SQL["by_address"], address=address)
    if row is None or row["recalled_at"] is not None:
        return None
    _drop_words(tx, row)
    tx.run(SQL["recall"], id=row["id"], now=now_us)
    return int(row["id"])


def put_aside(tx: Tx, id: int) -> None:
    """From now on it is its own room's alone; see `Original.aside`."""
    row = tx.one(SQL["by_id"], id=id)
    if row is not None and not row["aside"]:
        _unindex(tx, id, row["body"])
        tx.run(SQL["put_aside"], id=id)


def unsay(tx: Tx, id: int, *, now_us: int) -> None:
    """Take the bot's own words out of sight that were never posted."""
    row = tx.one(SQL["by_id"], id=id)
    if row is not None and row["address"] is None and row["recalled_at"] is None:
        _drop_words(tx, row)
        tx.run(SQL["recall"], id=id, now=now_us)


@contextmanager
def reindexing(tx: Tx, id: int) -> Iterator[None]:
    """An original is found by its files too: whatever changes what they say is done inside."""
    row = tx.one(SQL["by_id"], id=id)
    body = row["body"] if row else ""
    if row is None or row["aside"]:
        yield
        return
    _unindex(tx, id, body)
    yield
    _index(tx, id, body)


def _retire(tx: Tx, row: Row, now_us: int) -> None:
    tx.run(SQL["retire"], id=row["id"], version=row["version"], body=row["body"], now=now_us)
    if not row["aside"]:
        _unindex(tx, row["id"], row["body"])


def _drop_words(tx: Tx, row: Row) -> None:
    if not row["aside"]:
        _unindex(tx, row["id"], row["body"])
    files.forget(tx, row["id"])
    tx.run(SQL["forget_versions"], id=row["id"])


def _index(tx: Tx, id: int, body: str) -> None:
    if text := _findable(tx, id, body):
        tx.run(SQL["index"], id=id, text=text)


def _unindex(tx: Tx, id: int, body: str) -> None:
    # A contentless index forgets a row only when it is told the very words it was given.
    if text := _findable(tx, id, body):
        tx.run(SQL["unindex"], id=id, text=text)


def _findable(reader: Reader, id: int, body: str) -> str:
    enclosed = files.words_of(reader, [id]).get(id, "")[:FINDABLE]
    return prepare(f"{body}\n{enclosed}" if enclosed else body)


def reindex(tx: Tx) -> None:
    """Index all that is to be found, in a database whose index is empty."""
    last = 0
    while rows := tx.all(SQL["findable"], after=last, limit=FINDABLE_AT_ONCE):
        for row in rows:
            _index(tx, row["id"], row["body"])
        last = rows[-1]["id"]


def name_author(tx: Tx, person: int, *, old: str, new: str) -> None:
    """Put a person's name where only their id was known when they spoke."""
    tx.run(SQL["name_author"], person=person, old=old, new=new)


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one: what either said, that one said."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)


def find(reader: Reader, id: int) -> Original | None:
    """One original, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return Original.from_row(row) if row else None


def find_many(reader: Reader, ids: list[int]) -> list[Original]:
    """Those of the ids that exist, in the order given."""
    found = {row["id"]: Original.from_row(row) for row in whole(reader, ids)} if ids else {}
    return [found[id] for id in ids if id in found]


def changed_since(reader: Reader, ids: Iterable[int], since_us: int) -> bool:
    """Whether one of these was edited after a moment, or is not to be learnt from any more."""
    wanted = json.dumps(list(ids))
    return reader.one(SQL["changed_since"], ids=wanted, since=since_us) is not None


def recalled_since(reader: Reader, session: int, since_us: int) -> bool:
    """Whether one of the last messages of a session was taken back after a moment."""
    row = reader.one(SQL["recalled_since"], session=session, since=since_us, looked=LOOKED_AT)
    return row is not None


def at_address(reader: Reader, address: str) -> Original | None:
    """The original with a platform address, or None."""
    row = reader.one(SQL["by_address"], address=address)
    return Original.from_row(row) if row else None


def recent(
    reader: Reader, session: int, *, limit: int, before: int | None = None, aside: bool = True
) -> list[Original]:
    """The last originals of a session that still stand, oldest first.

    `aside` False leaves out what is for its own room alone.
    """
    rows = reader.all(
        SQL["recent"], session=session, limit=limit, before=before or 2**62, aside=aside
    )
    return [Original.from_row(row) for row in reversed(rows)]


def said_by(reader: Reader, person: int, *, limit: int) -> list[Original]:
    """The last originals of a person that still stand, anywhere, newest first."""
    return [
        Original.from_row(row) for row in reader.all(SQL["said_by"], person=person, limit=limit)
    ]


def since(reader: Reader, session: int, after: int, *, limit: int) -> list[Original]:
    """The originals of a session with an id above `after` that still stand, oldest first."""
    rows = reader.all(SQL["since"], session=session, after=after, limit=limit)
    return [Original.from_row(row) for row in rows]


def count_of(reader: Reader, session: int, *, limit: int) -> int:
    """How many originals a session has; counting stops at `limit`."""
    row = reader.one(SQL["count_of"], session=session, limit=limit)
    return int(row["n"]) if row else 0


def latest(reader: Reader, *, limit: int) -> list[Original]:
    """The newest originals of any session that still stand, newest first."""
    return [Original.from_row(row) for row in reader.all(SQL["latest"], limit=limit)]


def latest_in(
    reader: Reader, choose: Callable[[list[int]], list[int]], *, limit: int
) -> list[Original]:
    """Those of the newest `limit` originals that were said in sessions `choose` picks of theirs."""
    where = {row["session_id"]: row["oldest"] for row in reader.all(SQL["latest_in"], limit=limit)}
    chosen = choose(list(where))
    if not chosen:
        return []
    oldest = min(where.values())
    rows = reader.all(SQL["from_oldest"], sessions=listed(chosen), oldest=oldest)
    return [Original.from_row(row) for row in rows]


def count_since(reader: Reader, session: int, after: int, *, limit: int) -> int:
    """How many originals `since` would find, without reading them."""
    row = reader.one(SQL["count_since"], session=session, after=after, limit=limit)
    return int(row["n"]) if row else 0


def newest_id(reader: Reader) -> int:
    """The id of the newest original; 0 when there is none."""
    row = reader.one(SQL["newest_id"])
    return int(row["id"]) if row and row["id"] else 0


def tally(reader: Reader, *, since_us: int, until_us: int) -> dict[int, int]:
    """How many messages of people came in between two moments, by session."""
    rows = reader.all(SQL["tally"], since=since_us, until=until_us)
    return {row["session_id"]: row["n"] for row in rows}


OWN_WORDS = Shelf(SQL["own_words"])
"""What the bot said; it goes by `erase`."""


def erase(tx: Tx, ids: Iterable[int], *, sessions: Iterable[int] = (), now_us: int) -> int:
    """Leave nothing of some originals but their place in the order; how many still had words.

    Those of `sessions`, which are erased themselves, lose their addresses, too. Elsewhere an
    address stays: by it a message that its platform brings once more is known, and stays away.
    """
    gone = 0
    for row in whole(tx, ids):
        if row["recalled_at"] is None:
            gone += 1
            _drop_words(tx, row)
        else:
            tx.run(SQL["forget_versions"], id=row["id"])
        tx.run(SQL["erase"], id=row["id"], mark=MARK, sessions=listed(sessions), now=now_us)
    return gone


def received(reader: Reader, after: int, *, limit: int) -> list[tuple[int, int]]:
    """The originals behind one, in order: (id, when it came)."""
    rows = reader.all(SQL["received"], after=after, limit=limit)
    return [(row["id"], row["received_at"]) for row in rows]


def let_go(tx: Tx, ids: Iterable[int], *, now_us: int) -> int:
    """Keep some originals no longer, as if they had been taken back; how many still stood."""
    gone = 0
    for row in whole(tx, ids):
        if row["recalled_at"] is None:
            gone += 1
            _drop_words(tx, row)
        else:
            tx.run(SQL["forget_versions"], id=row["id"])
        tx.run(SQL["let_go"], id=row["id"], body=NO_LONGER_KEPT, now=now_us)
    return gone


def of_people(reader: Reader, people: Iterable[int], *, until_us: int) -> list[int]:
    """The originals of some people that came by a moment, taken back or not."""
    rows = reader.all(SQL["of_people"], people=listed(people), until=until_us)
    return [int(row["id"]) for row in rows]


def of_sessions(reader: Reader, sessions: Iterable[int], *, until_us: int) -> list[int]:
    """The originals of some sessions that came by a moment, taken back or not."""
    rows = reader.all(SQL["of_sessions"], sessions=listed(sessions), until=until_us)
    return [int(row["id"]) for row in rows]


def outputs_of_runs(reader: Reader, runs: Iterable[int]) -> list[int]:
    """What some runs said."""
    return [int(row["id"]) for row in reader.all(SQL["outputs_of_runs"], runs=listed(runs))]


def whole(reader: Reader, ids: Iterable[int]) -> list[Row]:
    """All there is of some originals, in order."""
    return reader.all(SQL["whole"], ids=listed(ids))


def older(reader: Reader, ids: Iterable[int]) -> list[Row]:
    """The older versions of some originals."""
    return reader.all(SQL["versions"], ids=listed(ids))
