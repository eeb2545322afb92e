"""The shape of a model: a request and a response in the Anthropic Messages format."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Block = dict[str, Any]
"""A content block as the Messages API writes it: `{"type": "text" | "tool_use" | …}`."""
Message = dict[str, Any]
"""`{"role": "user" | "assistant", "content": [Block, …]}`."""


class Tier(StrEnum):
    """How capable a model a role asks for."""

    MAIN = "main"
    SMALL = "small"


class Stop(StrEnum):
    """Why a response ended."""

    END_TURN = "end_turn"
    TOOL_USE = "tool_use"
    MAX_TOKENS = "max_tokens"
    REFUSAL = "refusal"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as the model sees it."""

    name: str
    description: str
    input_schema: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call of a model."""

    role: str
    """The role's name: `conversation`, `agency`, `memory`, `subagent`."""
    purpose: str
    """What the usage is booked to: `foreground`, `agency`, `memory`, `background`."""
    tier: Tier
    system: str
    """The role's prompt: stable, so that it can be cached."""
    messages: Sequence[Message]
    tools: Sequence[ToolSpec]
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call, as the API counts them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A whole response; a broken one is raised as an error instead."""

    content: list[Block]
    stop: Stop
    usage: Usage
    model: str
    """The name of the model that really answered."""


class Model(ABC):
    """A language model, real or rule-based.

    Law: `complete` returns a whole response or raises `errors.ModelRetry` (the same request may
    work later), `errors.ModelRefused` (it never will) or `errors.ContextTooLong`. A cut stream is
    never returned as if it were whole. Cancelling it stops the call.
    """

    name: str
    """As shown to people."""
    context_tokens: int
    """The window of the model, input and output together."""
    sees: bool = False
    """Whether it looks at image blocks; others are only told by rows that there is a picture."""

    @abstractmethod
    async def complete(self, request: Request) -> Response:
        """Answer one request."""

    async def aclose(self) -> None:  # noqa: B027 - most models hold nothing
        """Let go of connections; may be called twice."""
