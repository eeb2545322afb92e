"""One call of the built-in model in a conversation, put together from the rows it is shown."""

from datetime import UTC, datetime
from typing import Any

from bot.models import sections
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Request, Response, Tier, ToolSpec

Row = dict[str, Any]
NOW = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)
TOOLS = (
    "say", "stay_silent", "search_memory", "read_room", "answer_consent", "explain",
)  # fmt: skip


def heard(text: str, **more: Any) -> Row:
    return {
        "id": "i1", "trigger": "message", "at": NOW.isoformat(), "from": "Ana", "person": "p1",
        "original": "o99", "text": text, "addressed": True, **more,
    }  # fmt: skip


async def answer(
    *inputs: Row, direct: bool = False, later: tuple[Row, ...] = (), language: str = "auto",
    **rows: list[Row],
) -> Response:  # fmt: skip
    room = {
        "session": "s3", "title": "Ana" if direct else "#project", "open": not direct,
        "kind": "direct" if direct else "group",
        "members": [{"id": "p1", "name": "Ana"}, {"id": "p2", "name": "Bo"}],
    }  # fmt: skip
    me = {"name": "Limen", "now": NOW.isoformat(), "timezone": "Europe/Berlin",
          "language": language, "model": "built-in"}  # fmt: skip
    own = [{**i, "id": i["original"], "me": False} for i in inputs if i["trigger"] == "message"]
    given: dict[str, Any] = {
        "me": [me], "room": [room], "recalled": [], "facts": [], "consents": [], **rows
    }  # fmt: skip
    given["history"] = [*given.get("history", []), *own]
    given["inputs"] = list(inputs)
    text = "\n".join(sections.render(name, section) for name, section in given.items())
    messages = [{"role": "user", "content": [{"type": "text", "text": text}]}, *later]
    return await BuiltinModel().complete(
        Request(
            role="conversation", purpose="foreground", tier=Tier.MAIN, system="Rules.",
            messages=messages, max_tokens=1000,
            tools=[ToolSpec(name=n, description="", input_schema={}) for n in TOOLS],
        )
    )  # fmt: skip


def call(response: Response) -> tuple[str, Row]:
    (block,) = response.content
    return str(block.get("name", "")), dict(block.get("input", {}))


def after(tool: str, arguments: Row, result: str) -> tuple[Row, ...]:
    """The turns that follow a tool call."""
    use = {"type": "tool_use", "id": "t1", "name": tool, "input": arguments}
    back = {"type": "tool_result", "tool_use_id": "t1", "content": result}
    return (
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [back]},
    )
