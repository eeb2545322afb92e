"""A request read back into its sections, tools and the results of earlier steps."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.models import sections
from bot.models.model import Block, Message, Request

Row = dict[str, Any]

_ANSWERS = ("say", "stay_silent")  # looking something up answers nobody yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A tool call of this run and what came back."""

    tool: str
    arguments: Row
    text: str
    found: dict[str, list[Row]]
    """Sections inside the result."""
    failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a role is told in one request."""

    rows: dict[str, list[Row]]
    tools: frozenset[str]
    steps: list[Step] = field(default_factory=list)
    pending: list[Row] = field(default_factory=list)
    """Inputs that no word and no decision to be silent has come after yet."""
    told: list[Row] = field(default_factory=list)
    """Every input of the run, those of later steps too."""
    reminded: bool = False
    """Whether the run was asked to answer or to decline."""
    steered: bool = False
    """Whether fires were put in that no answer has come after yet."""

    def section(self, name: str) -> list[Row]:
        """Rows of a section; an absent one is empty."""
        return self.rows.get(name, [])

    @property
    def me(self) -> Row:
        """The row about the bot itself."""
        rows = self.section("me")
        return rows[0] if rows else {}

    @property
    def zone(self) -> tzinfo:
        """The team's time zone; UTC where it is unknown."""
        try:
            return ZoneInfo(str(self.me.get("timezone") or "UTC"))
        except (ZoneInfoNotFoundError, ValueError):
            return UTC

    @property
    def place(self) -> ZoneInfo:
        """The team's zone by its name; UTC where it is unknown."""
        zone = self.zone
        return zone if isinstance(zone, ZoneInfo) else ZoneInfo("UTC")

    @property
    def now(self) -> datetime:
        """The time of the request, in the team's zone."""
        return instant(self.me.get("now"), self.zone)

    def called(self, tool: str) -> list[Step]:
        """The steps of this run that used a tool."""
        return [step for step in self.steps if step.tool == tool]


def read(request: Request) -> Context:
    """Read a request; text outside sections is ignored except for the reminder."""
    rows: dict[str, list[Row]] = {}
    steps: list[Step] = []
    pending: list[Row] = []
    told: list[Row] = []
    calls: dict[str, Block] = {}
    reminded = steered = False
    for message in request.messages:
        steered = steered and message["role"] == "user"
        for block in _blocks(message):
            kind = block.get("type")
            if kind == "text" and message["role"] == "user":
                text = str(block.get("text", ""))
                reminded = text.lstrip().startswith("Reminder:")
                fresh = sections.parse(text)
                pending += fresh.get("inputs", [])
                told += fresh.get("inputs", [])
                steered = steered or "fires" in fresh
                rows |= fresh
            elif kind == "tool_use":
                calls[str(block["id"])] = block
                if block["name"] in _ANSWERS:
                    pending = []
            elif kind == "tool_result":
                steps.append(_step(block, calls))
    return Context(
        rows=rows,
        tools=frozenset(tool.name for tool in request.tools),
        steps=steps,
        pending=pending,
        told=told,
        reminded=reminded,
        steered=steered,
    )


def instant(value: object, zone: tzinfo) -> datetime:
    """An ISO time in the given zone; the epoch where it is missing or malformed."""
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        found = datetime.fromtimestamp(0, UTC)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(zone)


def _blocks(message: Message) -> Sequence[Block]:
    content = message.get("content", [])
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _step(block: Block, calls: dict[str, Block]) -> Step:
    call = calls.get(str(block.get("tool_use_id")), {})
    content = block.get("content", "")
    if not isinstance(content, str):
        content = "\n".join(str(part.get("text", "")) for part in content)
    try:
        found = sections.parse(content)
    except json.JSONDecodeError:
        found = {}
    return Step(
        tool=str(call.get("name", "")),
        arguments=dict(call.get("input", {})),
        text=content,
        found=found,
        failed=bool(block.get("is_error")),
    )
