"""How the agency reaches a session: by a handoff, never by speaking."""

from datetime import timedelta
from typing import Literal

from pydantic import Field

from agency import fires
from agency.handoffs import LASTING, Proposal
from agency.policy import Grade
from bot import rows
from bot.engine import ids, runs, sessions
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from bot.speaking import Speaking
from memory.db import Tx
from memory.moments import to_us


class HandoffArgs(Args):
    """A nudge, and what a machine needs to know of it."""

    session: str = Field(description="The session that needs to know, like s3.")
    text: str = Field(
        description="First line: what they would be told, complete in itself; where somebody has "
        "to agree, just that line is shown to them and may be said. Then, on lines of their own: "
        "why it matters now, who is concerned, next step, how sure.",
        min_length=1,
    )
    kind: Literal[
        "context", "reminder", "decision", "conflict", "risk", "owner", "answer", "commitment"
    ] = "context"
    subject: str = Field(description="What it is about, short and always the same.", min_length=1)
    state: str = Field(description="Where that stands now: the newest value.", min_length=1)
    grade: Literal["major", "minor", "none"] = "minor"
    confidence: float = Field(0.8, ge=0, le=1)
    sources: list[str] = Field(description="Every original it rests on, like o7.", min_length=1)
    people: list[str] = Field(default_factory=list, description="Who is concerned, like p4.")
    lasting: bool = Field(
        False,
        description="True only for a condition that goes on, like an unanswered mail: while it "
        "holds you may hand it over again, and code tells it at growing intervals.",
    )
    tags: list[str] = Field(default_factory=list)
    artifact_paths: list[str] = Field(
        default_factory=list, description="Attention files behind it."
    )
    task_ids: list[str] = Field(default_factory=list, description="Subagents behind it.")
    expires_in_hours: float = Field(24, gt=0, le=24 * 30)


class SubmitToSession(WriteTool[HandoffArgs]):
    """Proposes a handoff; code decides what becomes of it."""

    name = "submit_to_session"
    description = (
        "Hand something over to a session. Its own agent decides whether and how to say it. What "
        "rests on a DM goes alone: its author is asked first, and the rest must not wait for that."
    )
    capability = Capability.ORCHESTRATE
    args = HandoffArgs

    def __init__(self, speaking: Speaking, *, relay: bool = True) -> None:
        """Build it; without `relay` only what a wait or an intention asked for goes anywhere."""
        self._speaking = speaking
        self._relay = relay

    def write(self, tx: Tx, call: Call, args: HandoffArgs) -> Result:
        """Judge it, act on the verdict, and tell the agency."""
        target = sessions.find(tx, ids.read(args.session, "s"))
        if target is None or target.kind is not sessions.Kind.CONVERSATION:
            raise ToolError(f"there is no conversation {args.session!r}")
        seen = fires.of_run(tx, call.run_id)
        sources = tuple(dict.fromkeys(ids.read(one, "o") for one in args.sources))
        if not (self._relay or _asked_for(seen, sources)):
            raise ToolError(
                "telling one room what another said is switched off here; hand over only what a "
                "wait or an intention asks for, with its original as a source"
            )
        proposal = Proposal(
            agency_run_id=call.run_id,
            target_id=target.id,
            kind=args.kind,
            subject=args.subject,
            subject_state=args.state,
            body=args.text,
            grade=Grade(args.grade),
            confidence=args.confidence,
            sources=sources,
            hop=1 + max((fire.hop for fire in seen if fire.original_id in sources), default=0),
            expires_us=to_us(call.now + timedelta(hours=args.expires_in_hours)),
            metadata={
                "handoff_kind": args.kind,
                "handoff_tags": args.tags,
                "fire_ids": [fire.id for fire in seen],
                "source_run_ids": sorted({f.run_id for f in seen if f.run_id is not None}),
                "person_ids": [ids.read(one, "p") for one in args.people],
                "artifact_paths": args.artifact_paths,
                "async_task_ids": args.task_ids,
                "confidence": args.confidence,
                LASTING: args.lasting,
            },
        )
        handoff, verdict = self._speaking.propose(tx, proposal, live=_is_live(tx, call))
        words = f"h{handoff.id}: {verdict.state.value}"
        if verdict.not_before is not None:
            words += f" until {rows.at(verdict.not_before)}"
        return Result(text=f"{words} ({verdict.reason})")


def _asked_for(seen: list[fires.Fire], sources: tuple[int, ...]) -> bool:
    """Whether something rests on what a wait or an intention of this run is about."""
    return any(
        fire.kind is fires.Kind.INTENTION
        and (fire.original_id is None or fire.original_id in sources)
        for fire in seen
    )


def _is_live(tx: Tx, call: Call) -> bool:
    """Whether the call comes from an agency run that is going on."""
    run = runs.get(tx, call.run_id)
    session = sessions.find(tx, run.session_id)
    agency = session is not None and session.kind is sessions.Kind.AGENCY
    return agency and run.role == "agency" and run.state is runs.State.RUNNING
