"""Handoffs: what the agency wants a session to know, and what became of it.

proposed ─► admitted | held | asking | digest | silent | refused
held, asking, digest ─► admitted | held | digest | dropped | expired      digest ─► spoken
admitted ─► delivered ─► spoken | declined | expired      admitted ─► dropped | expired
delivered ─► held (its room asked for silence while it was read)
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from agency.policy import Grade
from memory.db import Reader, Row, Tx, queries
from memory.erasing import MARK, Shelf, listed, numbers
from memory.moments import from_us

SQL = queries(__file__)


class State(StrEnum):
    """Where a handoff stands."""

    PROPOSED = "proposed"
    """The agency asked for it; the gates have not spoken."""
    ADMITTED = "admitted"
    """It is an input of its session, which has not read it yet."""
    HELD = "held"
    """It waits for a time."""
    ASKING = "asking"
    """It waits for somebody's consent."""
    DIGEST = "digest"
    """It waits for the digests of the people it is for; see `agency.inbox`."""
    SILENT = "silent"
    """Kept, not told."""
    REFUSED = "refused"
    """A gate forbade it."""
    DELIVERED = "delivered"
    """The session's agent is reading it."""
    SPOKEN = "spoken"
    """It was said in the room."""
    DECLINED = "declined"
    """The session's agent decided not to say it."""
    DROPPED = "dropped"
    """What it rested on changed, or consent was denied, while it waited."""
    EXPIRED = "expired"
    """Its time passed first."""


REQUEST = "request"
"""In the metadata of what a person asked to have told: the message that asks for it."""
LASTING = "lasting"
"""In the metadata of what holds on as a condition, and may be mentioned again while it does."""
ROUND = "round"
"""In the metadata of such a one: how often it was told before."""
_LOOK_BACK = 200  # handoffs to one session among which the last word on a subject is looked for
_WAITING = frozenset({State.ADMITTED, State.DROPPED, State.EXPIRED})
MOVES: dict[State, frozenset[State]] = {
    State.PROPOSED: frozenset(
        {
            State.ADMITTED,
            State.HELD,
            State.ASKING,
            State.DIGEST,
            State.SILENT,
            State.REFUSED,
        }
    ),
    State.HELD: _WAITING | {State.HELD, State.DIGEST},
    State.ASKING: _WAITING | {State.HELD, State.DIGEST},
    State.DIGEST: _WAITING | {State.HELD, State.DIGEST, State.SPOKEN},
    State.ADMITTED: frozenset({State.DELIVERED, State.EXPIRED, State.DROPPED}),
    State.DELIVERED: frozenset({State.SPOKEN, State.DECLINED, State.EXPIRED, State.HELD}),
    State.SPOKEN: frozenset(),
    State.DECLINED: frozenset(),
    State.SILENT: frozenset(),
    State.REFUSED: frozenset(),
    State.DROPPED: frozenset(),
    State.EXPIRED: frozenset(),
}


class StaleHandoff(Exception):
    """A handoff was no longer in a state it can be moved from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What the agency asks for."""

    agency_run_id: int
    target_id: int
    kind: str
    subject: str
    subject_state: str
    body: str
    grade: Grade
    confidence: float
    sources: tuple[int, ...]
    """The originals it rests on."""
    hop: int = 1
    expires_us: int = 0
    metadata: dict[str, Any] = field(default_factory=dict)

    def key(self, versions: dict[int, int]) -> str:
        """The same for the same subject, state, session and originals as they stood."""
        words = (_folded(self.subject), _folded(self.subject_state))
        stood = sorted((id, versions.get(id, 1)) for id in set(self.sources))
        told = f"{self.target_id}|{'|'.join(words)}|{stood}{self.metadata.get(ROUND, '')}"
        return hashlib.sha256(told.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """A handoff as stored."""

    id: int
    agency_run_id: int
    target_id: int
    kind: str
    subject: str
    subject_state: str
    body: str
    grade: Grade
    confidence: float
    metadata: dict[str, Any]
    hop: int
    state: State
    reason: str
    not_before: datetime | None
    expires_at: datetime
    input_id: int | None
    run_id: int | None
    created_at: datetime
    sources: tuple[tuple[int, int], ...]
    """(original id, its version when it was used)."""

    @classmethod
    def from_row(cls, row: Row, sources: tuple[tuple[int, int], ...]) -> Self:
        return cls(
            id=row["id"],
            agency_run_id=row["agency_run_id"],
            target_id=row["target_id"],
            kind=row["kind"],
            subject=row["subject"],
            subject_state=row["subject_state"],
            body=row["body"],
            grade=Grade(row["grade"]),
            confidence=row["confidence"],
            metadata=json.loads(row["metadata"]),
            hop=row["hop"],
            state=State(row["state"]),
            reason=row["reason"],
            not_before=from_us(row["not_before"]) if row["not_before"] is not None else None,
            expires_at=from_us(row["expires_at"]),
            input_id=row["input_id"],
            run_id=row["run_id"],
            created_at=from_us(row["created_at"]),
            sources=sources,
        )

    @property
    def people(self) -> tuple[int, ...]:
        """The people it is for; empty where it is for everybody."""
        return tuple(self.metadata.get("person_ids", ()))

    @property
    def lasting(self) -> bool:
        """Whether it is a condition that holds on."""
        return bool(self.metadata.get(LASTING))

    @property
    def words(self) -> str:
        """What would be said: the first line; the others tell the session's agent why."""
        return next((line.strip() for line in self.body.splitlines() if line.strip()), "")

    @property
    def originals(self) -> tuple[int, ...]:
        """The ids of its sources."""
        return tuple(original for original, _ in self.sources)


def propose(
    tx: Tx, proposal: Proposal, versions: dict[int, int], *, now_us: int
) -> tuple[Handoff, bool]:
    """Record a proposal; the earlier handoff and False when the same was proposed before."""
    key = proposal.key(versions)
    row = tx.one(
        SQL["propose"],
        key=key,
        agency_run=proposal.agency_run_id,
        target=proposal.target_id,
        kind=proposal.kind,
        subject=proposal.subject,
        subject_state=proposal.subject_state,
        body=proposal.body,
        grade=proposal.grade,
        confidence=proposal.confidence,
        metadata=json.dumps(proposal.metadata, ensure_ascii=False),
        hop=proposal.hop,
        expires=proposal.expires_us,
        now=now_us,
    )
    if row is None:
        earlier = tx.one(SQL["by_key"], key=key)
        if earlier is None:
            raise StaleHandoff(f"no handoff has the key {key!r}")
        return get(tx, int(earlier["id"])), False
    for original in proposal.sources:
        tx.run(
            SQL["add_source"],
            handoff=row["id"],
            original=original,
            version=versions.get(original, 1),
        )
    return get(tx, int(row["id"])), True


def record_gate(tx: Tx, id: int, gate: str, passed: bool, reason: str, *, now_us: int) -> None:
    """Note what a gate said."""
    tx.run(SQL["record_gate"], id=id, gate=gate, passed=passed, reason=reason, now=now_us)


def move(
    tx: Tx,
    handoff: Handoff,
    to: State,
    *,
    reason: str,
    now_us: int,
    not_before_us: int | None = None,
) -> None:
    """Move a handoff on; StaleHandoff when it has moved already or may not go there."""
    if to not in MOVES[handoff.state]:
        raise StaleHandoff(f"a handoff that is {handoff.state!r} cannot become {to!r}")
    changed = tx.run(
        SQL["move"],
        id=handoff.id,
        state=handoff.state,
        to=to,
        reason=reason,
        not_before=not_before_us,
        now=now_us,
    )
    if changed != 1:
        raise StaleHandoff(f"handoff {handoff.id} was no longer {handoff.state!r}")


def attach_input(tx: Tx, id: int, input: int) -> None:
    """Note which input carried a handoff into its session."""
    tx.run(SQL["attach_input"], id=id, input=input)


def attach_run(tx: Tx, id: int, run: int) -> None:
    """Note which run reads a handoff."""
    tx.run(SQL["attach_run"], id=id, run=run)


def get(reader: Reader, id: int) -> Handoff:
    """One handoff; LookupError when there is none."""
    row = reader.one(SQL["by_id"], id=id)
    if row is None:
        raise LookupError(f"there is no handoff {id}")
    return _whole(reader, row)


def due(reader: Reader, *, now_us: int) -> list[Handoff]:
    """Held ones whose time has come."""
    return [_whole(reader, row) for row in reader.all(SQL["due"], now=now_us)]


def held_for(reader: Reader, target: int) -> list[Handoff]:
    """Those to a session that wait for a moment, oldest first."""
    return [_whole(reader, row) for row in reader.all(SQL["held_for"], target=target)]


def untold_for(reader: Reader, target: int) -> list[Handoff]:
    """Those to a session that passed the gates and may yet be told or not, oldest first."""
    return [_whole(reader, row) for row in reader.all(SQL["untold_for"], target=target)]


def overdue(reader: Reader, *, now_us: int) -> list[Handoff]:
    """Open ones whose time has passed."""
    return [_whole(reader, row) for row in reader.all(SQL["overdue"], now=now_us)]


def bring_near(tx: Tx, *, by_us: int, now_us: int, until_us: int) -> int:
    """The clock was set back: move what is due before a moment by so much; how many."""
    return tx.run(SQL["bring_near"], by=by_us, now=now_us, until=until_us)


def next_moment(reader: Reader) -> int | None:
    """When the next held one is due or open one expires, in stored form."""
    row = reader.one(SQL["next_moment"])
    return row["at"] if row else None


def of_run(reader: Reader, run: int) -> list[Handoff]:
    """The handoffs a session's run was given."""
    return [_whole(reader, row) for row in reader.all(SQL["of_run"], run=run)]


def by_agency_run(reader: Reader, run: int) -> list[Handoff]:
    """What an agency run proposed."""
    return [_whole(reader, row) for row in reader.all(SQL["by_agency_run"], run=run)]


def latest(reader: Reader, *, limit: int, before: int | None = None) -> list[Handoff]:
    """The newest handoffs, newest first."""
    rows = reader.all(SQL["latest"], limit=limit, before=before or 2**62)
    return [_whole(reader, row) for row in rows]


def still_open(reader: Reader, *, limit: int) -> list[Handoff]:
    """The newest that are on their way, newest first."""
    return [_whole(reader, row) for row in reader.all(SQL["open"], limit=limit)]


def count_open(reader: Reader) -> int:
    """How many are on their way."""
    return int(reader.all(SQL["count_open"])[0]["n"])


def told_since(
    reader: Reader, sessions: Collection[int], *, since_us: int
) -> tuple[int, int | None]:
    """How often a chat was told something unasked since a moment, and when last (ever)."""
    row = reader.one(SQL["told_since"], sessions=json.dumps(list(sessions)), since=since_us)
    return (row["n"], row["last"]) if row else (0, None)


def told_to(reader: Reader, person: int, direct: Collection[int], *, since_us: int) -> int:
    """How much that concerned a person was told since a moment, in their DMs or anywhere else."""
    row = reader.one(SQL["told_to"], person=person, direct=json.dumps(list(direct)), since=since_us)
    return int(row["n"]) if row else 0


def standing(reader: Reader, handoff: Handoff, sessions: Collection[int] = ()) -> Handoff | None:
    """The last other one to the same chat on the same subject that was or may yet be told."""
    return next(on_subject(reader, handoff, sessions or (handoff.target_id,)), None)


def on_subject(reader: Reader, handoff: Handoff, sessions: Collection[int]) -> Iterator[Handoff]:
    """Those others to some sessions on its subject that were or may yet be told, newest first."""
    subject = _folded(handoff.subject)
    rows = reader.all(
        SQL["standing"], sessions=json.dumps(list(sessions)), id=handoff.id, limit=_LOOK_BACK
    )
    return (_whole(reader, row) for row in rows if _folded(row["subject"]) == subject)


def signature(subject: str, state: str) -> str:
    """The same for the same subject at the same state, however they are written."""
    return f"{_folded(subject)}|{_folded(state)}"


def same_state(one: Handoff, other: Handoff) -> bool:
    """Whether two handoffs say that their subject stands at the same."""
    return _folded(one.subject_state) == _folded(other.subject_state)


def relayed(reader: Reader, handoff: Handoff, sessions: Collection[int] = ()) -> Handoff | None:
    """An earlier one to the same chat that rests on all its originals, as they stand."""
    wanted = set(handoff.sources)
    if not wanted:
        return None
    original, version = handoff.sources[0]
    rows = reader.all(
        SQL["relaying"],
        sessions=json.dumps(list(sessions or (handoff.target_id,))),
        id=handoff.id,
        original=original,
        version=version,
    )
    found = (_whole(reader, row) for row in rows)
    return next((one for one in found if wanted <= set(one.sources)), None)


def resting_on(reader: Reader, original: int) -> list[Handoff]:
    """Those that are not told yet and rest on an original."""
    return [_whole(reader, row) for row in reader.all(SQL["resting_on"], original=original)]


def readers_of(reader: Reader, original: int) -> list[int]:
    """The runs that read something which rests on an original."""
    rows = reader.all(SQL["readers_of"], original=original)
    return [int(row["run_id"]) for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRecord:
    """What one gate said."""

    gate: str
    passed: bool
    reason: str
    at: datetime


def outcomes(reader: Reader, *, since_us: int, until_us: int) -> list[tuple[int, State, int]]:
    """What became of those proposed between two moments: (session, state, how many)."""
    rows = reader.all(SQL["outcomes"], since=since_us, until=until_us)
    return [(row["target_id"], State(row["state"]), row["n"]) for row in rows]


def gate_records(reader: Reader, id: int) -> list[GateRecord]:
    """What the gates said, in order."""
    return [
        GateRecord(
            gate=row["gate"],
            passed=bool(row["passed"]),
            reason=row["reason"],
            at=from_us(row["at"]),
        )
        for row in reader.all(SQL["gate_records"], id=id)
    ]


def _whole(reader: Reader, row: Row) -> Handoff:
    sources = reader.all(SQL["sources"], id=row["id"])
    return Handoff.from_row(row, tuple((s["original_id"], s["version"]) for s in sources))


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def forget(tx: Tx, original: int) -> None:
    """Drop the words of what rests on a message that was taken back and was never told."""
    tx.run(SQL["forget"], original=original, mark=MARK)


SHELF = Shelf(SQL["words"], SQL["blank"], SQL["blank_gates"], whole=SQL["whole"])
GATES = Shelf(SQL["gate_words"], SQL["blank_gates"])


def touched(reader: Reader, *, originals: Iterable[int], sessions: Iterable[int]) -> list[int]:
    """The handoffs that rest on some originals or are for some sessions."""
    wanted = {"originals": listed(originals), "sessions": listed(sessions)}
    return numbers(reader.all(SQL["touched"], **wanted))


def carriers(reader: Reader, ids: Iterable[int]) -> list[Row]:
    """The `input_id`, `run_id` and `agency_run_id` of some handoffs."""
    return reader.all(SQL["carriers"], ids=listed(ids))
