"""What a memory run keeps."""

from datetime import datetime

from pydantic import Field

from bot.engine import ids, inputs, runs
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from memory import facts, originals
from memory.db import Reader, Tx
from memory.facts import Lesson
from memory.moments import to_us


class FactArgs(Args):
    """One thing learnt."""

    kind: str = Field(
        description="decision, change, commitment, owner, deadline, risk, question, resolution, "
        "preference or fact"
    )
    text: str = Field(min_length=1)
    subject: str = ""
    sources: list[str] = Field(description="The messages it rests on, like o7.", min_length=1)
    person: str | None = None
    due_at: datetime | None = None


class RememberArgs(Args):
    """Everything learnt from a stretch of talk."""

    facts: list[FactArgs] = Field(default_factory=list)
    summary: str = Field("", description="What the room is about by now, in one paragraph.")


class Remember(WriteTool[RememberArgs]):
    """Keeps facts with their originals, and moves the checkpoint on."""

    name = "remember"
    description = (
        "Keep what was learnt from these messages, each fact with the messages it rests on."
    )
    capability = Capability.SELF
    args = RememberArgs

    def write(self, tx: Tx, call: Call, args: RememberArgs) -> Result:
        """The burst of the run says which session is read; sources outside it are refused."""
        burst = inputs.of_run(tx, call.run_id)[-1].metadata
        session = int(burst["session"])
        lessons = [_lesson(tx, session, one) for one in args.facts]
        # What was taken back or put otherwise while it was being read is not learnt.
        read_us = to_us(runs.get(tx, call.run_id).started_at or call.now)
        lessons = [one for one in lessons if not originals.changed_since(tx, one.sources, read_us)]
        now_us = to_us(call.now)
        learnt = facts.learn(tx, session, lessons, run=call.run_id, now_us=now_us)
        # What was said since the run was asked has not been read, and waits for the next one.
        until = int(burst["until"])
        fell = originals.recalled_since(tx, session, read_us)
        summary = "" if fell else args.summary
        facts.cover(tx, session, body=summary, covered=until, now_us=now_us)
        return Result(text=f"kept {len(learnt)}", ends_run=True, outcome="done")


def _lesson(reader: Reader, session: int, fact: FactArgs) -> Lesson:
    sources = tuple(ids.read(one, "o") for one in fact.sources)
    found = originals.find_many(reader, list(sources))
    if len(found) != len(set(sources)) or any(one.session_id != session for one in found):
        raise ToolError(f"{fact.sources!r} are not all messages of this session")
    if fact.due_at is not None and fact.due_at.tzinfo is None:
        raise ToolError(f"due_at needs a zone, got {fact.due_at.isoformat()!r}")
    return Lesson(
        kind=fact.kind,
        body=fact.text,
        subject=fact.subject,
        sources=sources,
        person_id=ids.read(fact.person, "p") if fact.person else None,
        due_us=to_us(fact.due_at) if fact.due_at else None,
    )
