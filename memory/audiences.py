"""Who can hear a session: its people, and whether that list is complete."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.erasing import MARK, listed

SQL = queries(__file__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """The people a session is heard by."""

    session_id: int
    title: str
    direct: bool
    """One person and the bot."""
    open: bool
    """Anybody of the workspace may walk in and read."""
    workspace: str
    complete: bool
    """False where the platform does not list everybody."""
    outsiders: bool = False
    """Whether people from outside the workspace hear it too."""
    members: frozenset[int]
    """Person ids, without the bot."""

    @classmethod
    def from_row(cls, row: Row, members: Iterable[int]) -> Self:
        return cls(
            session_id=row["session_id"],
            title=row["title"],
            direct=row["kind"] == "direct",
            open=bool(row["open"]),
            workspace=row["workspace"],
            complete=bool(row["complete"]),
            outsiders=bool(row["outsiders"]),
            members=frozenset(members),
        )


def record(tx: Tx, audience: Audience, *, now_us: int) -> bool:
    """Store who can hear a session; False when nothing had changed."""
    digest = _digest(audience)
    row = tx.one(SQL["digest"], session=audience.session_id)
    if row is not None and row["digest"] == digest:
        return False
    tx.run(
        SQL["record"],
        session=audience.session_id,
        title=audience.title,
        kind="direct" if audience.direct else "group",
        open=audience.open,
        workspace=audience.workspace,
        complete=audience.complete,
        outsiders=audience.outsiders,
        digest=digest,
        now=now_us,
    )
    tx.run(SQL["clear_members"], session=audience.session_id)
    for person in sorted(audience.members):
        tx.run(SQL["add_member"], session=audience.session_id, person=person)
    return True


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one, who hears all that either heard."""
    tx.run(SQL["join_members"], gone=gone, kept=kept)
    tx.run(SQL["leave"], person=gone)


def find(reader: Reader, session: int) -> Audience | None:
    """The audience of a session; None for inner sessions, which nobody hears."""
    rows = reader.all(SQL["by_session"], session=session)
    if not rows:
        return None
    members = (row["person_id"] for row in rows)
    return Audience.from_row(rows[0], (one for one in members if one is not None))


def find_many(reader: Reader, sessions: Iterable[int]) -> dict[int, Audience]:
    """The audiences of several sessions, by session; inner ones have none."""
    rows = reader.all(SQL["by_sessions"], sessions=listed(sessions))
    found: dict[int, Audience] = {}
    for session, some in groupby(rows, key=lambda row: int(row["session_id"])):
        of_one = list(some)
        members = (row["person_id"] for row in of_one)
        found[session] = Audience.from_row(of_one[0], (one for one in members if one is not None))
    return found


def open_among(reader: Reader, sessions: Iterable[int], *, workspace: str) -> list[int]:
    """Those of several sessions that are open rooms of a workspace."""
    rows = reader.all(SQL["open_among"], sessions=listed(sessions), workspace=workspace)
    return [row["session_id"] for row in rows]


def titled(reader: Reader, title: str) -> list[int]:
    """The sessions of rooms with a title, with or without a leading `#`."""
    return [row["session_id"] for row in reader.all(SQL["titled"], title=title.lstrip("#"))]


def heard_by(reader: Reader, person: int) -> frozenset[int]:
    """The sessions a person is in."""
    return frozenset(r["session_id"] for r in reader.all(SQL["sessions_of"], person=person))


def direct_with(reader: Reader, person: int) -> list[int]:
    """The sessions that are DMs of a person with the bot."""
    return [row["session_id"] for row in reader.all(SQL["direct_with"], person=person)]


def leave(tx: Tx, person: int) -> int:
    """Take a person out of every room; how many there were."""
    return tx.run(SQL["leave"], person=person)


def erase(tx: Tx, sessions: Iterable[int]) -> None:
    """Forget who could hear some sessions, and what they were called."""
    tx.run(SQL["blank"], ids=listed(sessions), mark=MARK)
    tx.run(SQL["empty"], ids=listed(sessions))


def _digest(audience: Audience) -> str:
    facts = (
        audience.title,
        audience.direct,
        audience.open,
        audience.workspace,
        audience.complete,
        audience.outsiders,
        sorted(audience.members),
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
