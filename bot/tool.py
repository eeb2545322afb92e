"""The shape of a tool: what it is called, what class it belongs to, and how it runs."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from bot.model import ToolSpec
from memory.db import Reader, Tx


class Capability(StrEnum):
    """What kind of power a tool is; a role is given kinds, never single tools."""

    READ = "read"
    """Looks at originals, memory, sessions, traces."""
    ORCHESTRATE = "orchestrate"
    """Handoffs, consents, matters."""
    SELF = "self"
    """Own files, intentions, preferences."""
    SAY = "say"
    """Speaks in this session's chat."""
    WRITE = "write"
    """Changes files or other systems."""
    EXTERNAL = "external"
    """Sends to third parties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One use of a tool, and who makes it."""

    run_id: int
    session_id: int
    role: str
    step: int
    use_id: str
    """The `tool_use` id the model gave; the result carries it back."""
    args: dict[str, Any]
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What the model is told, and whether the run is over with it."""

    text: str
    ends_run: bool = False
    outcome: str = ""
    """How the run ended, for its record: `spoken`, `declined`, …; empty unless it ends the run."""
    reason: str = ""


class Tool(ABC):
    """A tool.

    Law: `errors.ToolError` is told to the model as a failed result; any other error fails the
    step. Arguments were checked against the schema before.
    """

    spec: ToolSpec
    capability: Capability


class ReadTool(Tool):
    """Looks something up; several of one response run side by side."""

    @abstractmethod
    async def read(self, db: Reader, call: Call) -> Result:
        """Answer from what is stored; changes nothing."""


class WriteTool(Tool):
    """Changes something; its effect and its result are stored in one transaction."""

    @abstractmethod
    def write(self, tx: Tx, call: Call) -> Result:
        """Do it inside the transaction; may be run again if the shared commit fails."""
