"""Inputs: everything that enters a session, in one shape."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us

SQL = queries(__file__)
_encode = json.JSONEncoder(ensure_ascii=False).encode  # made once: dumps makes one for each call


OVERHEARD = "overheard"
"""In the metadata of a message that wakes a run though it was not said to the bot."""


DECIDED = "decided"
"""In the metadata of a message that was said to the bot and asks for no run: an order, a stranger,
a pause. The same message once more, maybe hours later, is the same."""


class Trigger(StrEnum):
    """What kind of thing entered."""

    MESSAGE = "message"
    """A person said something."""
    HANDOFF = "handoff"
    """The agency wants the session to know something."""
    CONSENT_REQUEST = "consent_request"
    """Somebody here is to be asked whether something may be told elsewhere."""
    APPROVAL = "approval"
    """The answer to a question with buttons."""
    REACTION = "reaction"
    """Somebody reacted to a message."""
    AGENCY_FIRE = "agency_fire"
    """Fires for the agency."""
    BURST = "burst"
    """A stretch of talk to draw facts from."""
    TASK = "task"
    """Something a subagent is to look into."""
    REPORT = "report"
    """What a subagent found, for the session that asked."""
    REMINDER = "reminder"
    """A reminder was said here; it is history and asks for nothing."""
    SCHEDULE = "schedule"
    """Somebody here asked for something to be done at this time."""


class State(StrEnum):
    """How far an input has come."""

    PENDING = "pending"
    """Its session's agent has not seen it."""
    DELIVERED = "delivered"
    """It is part of a run."""
    OBSERVED = "observed"
    """It asked for no run; it is history."""
    WITHDRAWN = "withdrawn"
    """Taken back before it was seen."""


MOVES: dict[State, frozenset[State]] = {
    State.PENDING: frozenset({State.DELIVERED, State.WITHDRAWN}),
    State.DELIVERED: frozenset({State.WITHDRAWN}),
    State.OBSERVED: frozenset({State.PENDING}),
    State.WITHDRAWN: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something about to enter a session."""

    session_id: int
    trigger: Trigger
    parts: tuple[dict[str, Any], ...]
    """Content blocks, usually one `{"type": "text", "text": …}`."""
    key: str
    """The same for the same happening, for ever; a repeat changes nothing."""
    metadata: dict[str, Any] = field(default_factory=dict)
    original_id: int | None = None
    person_id: int | None = None
    origin: str = ""
    """What of the agency's own caused it, such as `handoff:12`; empty for news."""
    hop: int = 0
    """How many handoffs led to it."""
    wakes: bool = True
    """Whether a run is wanted; otherwise it is stored and observed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """An input as stored."""

    id: int
    session_id: int
    trigger: Trigger
    parts: tuple[dict[str, Any], ...]
    metadata: dict[str, Any]
    original_id: int | None
    person_id: int | None
    origin: str
    hop: int
    wakes: bool
    state: State
    run_id: int | None
    step: int | None
    created_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            session_id=row["session_id"],
            trigger=Trigger(row["trigger_type"]),
            parts=tuple(json.loads(row["parts"])),
            metadata=json.loads(row["metadata"]),
            original_id=row["original_id"],
            person_id=row["person_id"],
            origin=row["origin"],
            hop=row["hop"],
            wakes=bool(row["wakes"]),
            state=State(row["state"]),
            run_id=row["run_id"],
            step=row["step"],
            created_at=from_us(row["created_at"]),
        )

    @property
    def waited_for(self) -> bool:
        """Whether somebody who said it wants an answer, and it was not merely overheard."""
        return self.trigger is Trigger.MESSAGE and OVERHEARD not in self.metadata

    @property
    def text(self) -> str:
        """Its text parts, joined."""
        return "\n".join(part["text"] for part in self.parts if part.get("type") == "text")


def add(tx: Tx, entry: Entry, *, now_us: int) -> int | None:
    """Store an entry; None when it is a repeat that asks for nothing new.

    A repeat that asks for a run where the first did not (a mention event after the plain one)
    takes the first one's place.
    """
    row = tx.one(
        SQL["add"],
        session=entry.session_id,
        trigger=entry.trigger,
        parts=_encode(entry.parts),
        metadata=_encode(entry.metadata) if entry.metadata else "{}",
        key=entry.key,
        original=entry.original_id,
        person=entry.person_id,
        origin=entry.origin,
        hop=entry.hop,
        wakes=entry.wakes,
        state=State.PENDING if entry.wakes else State.OBSERVED,
        now=now_us,
    )
    if row is None and entry.wakes:
        row = tx.one(SQL["upgrade"], key=entry.key)
    return int(row["id"]) if row else None


def take(tx: Tx, session: int, *, run: int, step: int) -> list[Input]:
    """Give a session's pending inputs to its run, in order."""
    rows = tx.all(SQL["take"], session=session, run=run, step=step)
    return sorted((Input.from_row(row) for row in rows), key=lambda one: one.id)


def waiting(reader: Reader, session: int) -> int:
    """How many inputs of a session nobody has seen."""
    row = reader.one(SQL["waiting"], session=session)
    return int(row["n"]) if row else 0


def unread(reader: Reader, session: int) -> list[Input]:
    """What of a session nobody has seen, in order."""
    return [Input.from_row(row) for row in reader.all(SQL["unread"], session=session)]


def of_run(reader: Reader, run: int) -> list[Input]:
    """What a run was given, in order."""
    return [Input.from_row(row) for row in reader.all(SQL["of_run"], run=run)]


def of_original(reader: Reader, original: int) -> list[Input]:
    """The inputs that carry an original."""
    return [Input.from_row(row) for row in reader.all(SQL["of_original"], original=original)]


def get(reader: Reader, id: int) -> Input:
    """One input; LookupError when there is none."""
    row = reader.one(SQL["by_id"], id=id)
    if row is None:
        raise LookupError(f"there is no input {id}")
    return Input.from_row(row)


def withdraw(tx: Tx, id: int) -> bool:
    """Take an input back; False when it was seen already."""
    return tx.run(SQL["withdraw"], id=id) == 1


def withdraw_of_run(tx: Tx, session: int, run: int) -> None:
    """Take back all that a dead run was given or would have been."""
    tx.run(SQL["withdraw_of_run"], session=session, run=run)


def withdraw_all(tx: Tx) -> list[int]:
    """Take back all that nobody has seen, save for stretches of talk to be read."""
    return sorted(int(row["id"]) for row in tx.all(SQL["withdraw_all"]))


def clear(tx: Tx, originals: Iterable[int]) -> int:
    """Let go of the words of some originals, where they were taken in; how often they were."""
    return tx.run(SQL["clear"], originals=listed(originals))


def rehome(tx: Tx, gone: int, kept: int) -> None:
    """Two people turned out to be one."""
    tx.run(SQL["rehome"], gone=gone, kept=kept)


def rewrite(tx: Tx, original: int, text: str) -> int:
    """Put an edited text in place while nobody has seen the old one; how many."""
    parts = _encode([{"type": "text", "text": text}])
    return tx.run(SQL["rewrite"], original=original, parts=parts)


class _Inputs(Shelf):
    """What entered: numbers in its metadata lead on, words in it go."""

    def blank(self, tx: Tx, ids: Iterable[int], *, now_us: int) -> int:
        found = self.rows(tx, ids)
        for row in found:
            noted = json.loads(row["metadata"]).items()
            kept = {name: "" if isinstance(value, str) else value for name, value in noted}
            # Its key may tell who reacted how, and where.
            key = f"erased:{row['id']}" if row["trigger_type"] == Trigger.REACTION else ""
            tx.run(
                SQL["blank"],
                id=row["id"],
                metadata=_encode(kept),
                key=key or row["dedupe_key"],
            )
        return len(found)


SHELF = _Inputs(SQL["words"], whole=SQL["whole"])


def touched(
    reader: Reader, *, originals: Iterable[int], people: Iterable[int], sessions: Iterable[int]
) -> list[int]:
    """The inputs that carry some originals, are some people's, or entered some sessions."""
    wanted = {
        "originals": listed(originals),
        "people": listed(people),
        "sessions": listed(sessions),
    }
    return numbers(reader.all(SQL["touched"], **wanted))


def readers(reader: Reader, ids: Iterable[int]) -> list[int]:
    """The runs that were given some inputs."""
    return numbers(reader.all(SQL["readers"], ids=listed(ids)))


@dataclass(frozen=True, slots=True)
class Burst:
    """A stretch of talk that a memory run was given."""

    run_id: int
    session_id: int
    after: int
    until: int


def bursts(reader: Reader, *, after: int = 0) -> list[Burst]:
    """Every stretch that memory runs were given with inputs later than one."""
    return _bursts(reader.all(SQL["bursts"], after=after))


def bursts_of(reader: Reader, session: int, *, limit: int) -> list[Burst]:
    """The last stretches that the memory runs of one memory session were given."""
    return _bursts(reader.all(SQL["bursts_of"], session=session, limit=limit))


def _bursts(rows: Iterable[Row]) -> list[Burst]:
    found = []
    for row in rows:
        noted = json.loads(row["metadata"])
        places = (int(noted[name]) for name in ("session", "after", "until"))
        found.append(Burst(row["run_id"], *places))
    return found
