"""The shape of a tool: what it is called, what class it belongs to, and how it runs."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.errors import ToolError
from bot.models.model import Block, ToolSpec
from memory.db import Database, Tx


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


class Args(BaseModel):
    """The arguments of a tool; the schema the model sees is made from it."""

    model_config = ConfigDict(extra="ignore", frozen=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One use of a tool, and who makes it."""

    run_id: int
    session_id: int
    role: str
    use_id: str
    """The `tool_use` id the model gave; the result carries it back."""
    step: int
    now: datetime

    def of(self, use: Block) -> "Call":
        """The same call for one of several uses."""
        return replace(self, use_id=use["id"])

    @property
    def key(self) -> str:
        """The same when this use is tried again after a crash."""
        return f"run:{self.run_id}:{self.step}:{self.use_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What the model is told, and whether the run is over with it."""

    text: str
    ends_run: bool = False
    suspends: bool = False
    """The run waits: nothing is told now, and once it goes on the same use is made again."""
    outcome: str = ""
    """How the run ended, for its record: `spoken`, `declined`, …; empty unless it ends the run."""
    reason: str = ""


A = TypeVar("A", bound=Args)


class Tool(ABC, Generic[A]):
    """A tool.

    Law: `errors.ToolError` is told to the model as a failed result; any other error fails the run.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    capability: ClassVar[Capability]
    args: type[A]

    def spec(self) -> ToolSpec:
        """The tool as the model sees it."""
        return ToolSpec(
            name=self.name, description=self.description, input_schema=_schema(self.args)
        )

    def parse(self, given: dict[str, Any]) -> A:
        """The arguments checked; ToolError says which are wrong and how."""
        try:
            return self.args.model_validate(given)
        except ValidationError as error:
            wrong = "; ".join(
                f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
                for one in error.errors()
            )
            raise ToolError(f"{self.name} was not called right: {wrong}") from error


class ReadTool(Tool[A]):
    """Looks something up; several of one response run side by side."""

    @abstractmethod
    async def read(self, db: Database, call: Call, args: A) -> Result:
        """Answer from what is stored; changes nothing."""


class WriteTool(Tool[A]):
    """Changes something; its effect and its result are stored in one transaction."""

    @abstractmethod
    def write(self, tx: Tx, call: Call, args: A) -> Result:
        """Do it inside the transaction; may be run again if a shared commit fails."""


@cache  # a class never changes, and every request lists it
def _schema(args: type[BaseModel]) -> dict[str, Any]:
    schema = args.model_json_schema()
    for noise in ("title", "description"):
        schema.pop(noise, None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)
    return schema
