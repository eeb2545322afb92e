"""The agency's own hand: its files, its intentions, and helpers that look into things."""

from datetime import UTC, datetime
from typing import Literal

from pydantic import Field

from agency import intentions
from agency.attention import Attention, AttentionError
from bot.engine import ids, sessions
from bot.engine.controller import SessionController, Want
from bot.engine.inputs import Entry, Trigger
from bot.engine.runs import Priority
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from memory import originals
from memory.db import Tx
from memory.moments import to_us


class WriteArgs(Args):
    """A whole file."""

    file: str = Field(description="AGENCY.md or agency/{episodes,intentions,archive}/<name>.md")
    text: str


class WriteAttention(WriteTool[WriteArgs]):
    """Replaces an attention file; writing what it says already touches nothing."""

    name = "write_attention"
    description = (
        "Replace one of your attention files. Only when something of lasting value changed; keep "
        "AGENCY.md a short index."
    )
    capability = Capability.SELF
    args = WriteArgs

    def __init__(self, attention: Attention) -> None:
        self._attention = attention

    def write(self, tx: Tx, call: Call, args: WriteArgs) -> Result:
        """The file itself is written at once and whole; a second time does no harm."""
        try:
            changed = self._attention.write(args.file, args.text)
        except AttentionError as error:
            raise ToolError(str(error)) from error
        except OSError as error:
            raise ToolError(f"{args.file} could not be written: {error.strerror}") from error
        return Result(text="written" if changed else "it said that already")


class LogArgs(Args):
    """One line."""

    text: str = Field(description="What you did or decided, in one line.", min_length=1)


class LogAction(WriteTool[LogArgs]):
    """Appends to the action log."""

    name = "log_action"
    description = "Append one line to agency/ACTION_LOG.md. Only for things done or decided."
    capability = Capability.SELF
    args = LogArgs

    def __init__(self, attention: Attention) -> None:
        self._attention = attention

    def write(self, tx: Tx, call: Call, args: LogArgs) -> Result:
        """Written once the transaction is durable, so that a repeated one adds no second line."""
        tx.on_commit(lambda: self._attention.log(args.text, call.now))
        return Result(text="logged")


class IntentionArgs(Args):
    """Something to come back to."""

    text: str = Field(description="What to do when it is ripe.", min_length=1)
    due_at: datetime | None = Field(None, description="When, ISO 8601.")
    terms: list[str] = Field(
        default_factory=list, description="Words that, all in one message, make it ripe."
    )
    sources: list[str] = Field(
        default_factory=list, description="The originals it rests on, like o7."
    )


class SetIntention(WriteTool[IntentionArgs]):
    """Keeps something to come back to."""

    name = "set_intention"
    description = "Come back to something at a time, or when certain words are said anywhere."
    capability = Capability.SELF
    args = IntentionArgs

    def write(self, tx: Tx, call: Call, args: IntentionArgs) -> Result:
        """A time without a zone is read as UTC."""
        due = args.due_at
        if due is not None and due.tzinfo is None:
            due = due.replace(tzinfo=UTC)
        rests_on = [ids.read(one, "o") for one in args.sources]
        known = {one.id for one in originals.find_many(tx, rests_on) if not one.recalled}
        try:
            id = intentions.hold(
                tx,
                args.text,
                terms=args.terms,
                due_us=to_us(due) if due else None,
                now_us=to_us(call.now),
                sources=known,
            )
        except ValueError as error:
            raise ToolError(str(error)) from error
        return Result(text=f"n{id} is held")


class DropArgs(Args):
    """Which one, and why."""

    intention: str = Field(description="Like n2.")
    reason: str = Field(min_length=1)
    done: bool = Field(False, description="True when you acted on it.")


class DropIntention(WriteTool[DropArgs]):
    """Closes an intention."""

    name = "drop_intention"
    description = "Close an intention: acted on, or no longer of interest."
    capability = Capability.SELF
    args = DropArgs

    def write(self, tx: Tx, call: Call, args: DropArgs) -> Result:
        """One that is closed already stays so."""
        id = ids.read(args.intention, "n")
        closed = intentions.close(
            tx, id, done=args.done, reason=args.reason, now_us=to_us(call.now)
        )
        return Result(text="closed" if closed else "it was closed already, or is not ripe yet")


class SubagentArgs(Args):
    """A task for a helper."""

    kind: Literal["investigate", "summarise", "review", "prepare"]
    task: str = Field(description="The whole task: the helper knows nothing else.", min_length=1)


class StartSubagent(WriteTool[SubagentArgs]):
    """Starts a read-only helper; what it finds comes back as a fire."""

    name = "start_subagent"
    description = (
        "Let a read-only helper look into something while you go on; its report comes back to you."
    )
    capability = Capability.ORCHESTRATE
    args = SubagentArgs

    def __init__(self, controller: SessionController) -> None:
        self._controller = controller

    def write(self, tx: Tx, call: Call, args: SubagentArgs) -> Result:
        """A session of its own, so that helpers run side by side."""
        now_us = to_us(call.now)
        session = sessions.inner(
            tx,
            sessions.Kind.SUBAGENT,
            f"subagent:{call.key}",
            parent=call.session_id,
            now_us=now_us,
        )
        entry = Entry(
            session_id=session.id,
            trigger=Trigger.TASK,
            parts=({"type": "text", "text": args.task},),
            key=f"task:{call.key}",
            metadata={"kind": args.kind},
            origin=f"run:{call.run_id}",
        )
        want = Want(role="subagent", priority=Priority.AGENCY, due=call.now)
        self._controller.submit_input(tx, entry, want)
        return Result(text=f"started as s{session.id}")
