from typing import Any

from bot.models import sections
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Request, Tier, ToolSpec

ROOM = {"session": "s2", "title": "#arch", "kind": "group", "open": True, "members": []}
ME = {"name": "Limen", "now": "2026-11-30T12:00:00+00:00", "timezone": "Europe/Berlin"}


async def remember(*texts: str) -> dict[str, Any]:
    messages = [
        {"id": f"o{n}", "at": f"2026-11-30T10:0{n}:00+00:00", "from": "Mo", "person": "p4",
         "me": False, "text": text}
        for n, text in enumerate(texts)
    ]  # fmt: skip
    given: dict[str, list[dict[str, Any]]] = {
        "me": [ME],
        "room": [ROOM],
        "messages": messages,
        "facts": [],
    }
    text = "\n".join(sections.render(name, rows) for name, rows in given.items())
    response = await BuiltinModel().complete(
        Request(
            role="memory", purpose="memory", tier=Tier.SMALL, system="Rules.", max_tokens=1000,
            messages=[{"role": "user", "content": [{"type": "text", "text": text}]}],
            tools=[ToolSpec(name="remember", description="", input_schema={})],
        )
    )  # fmt: skip
    (block,) = response.content
    assert block["name"] == "remember"
    return dict(block["input"])


async def test_a_decision_and_a_promise_are_kept_with_their_sources() -> None:
    kept = await remember(
        "Decided: the gateway moves from nginx-a to envoy-b.", "haha", "I'll finish it by Friday."
    )

    assert [(f["kind"], f["sources"]) for f in kept["facts"]] == [
        ("decision", ["o0"]),
        ("commitment", ["o2"]),
    ]
    assert kept["facts"][1]["due_at"].startswith("2026-12-04")
    assert "envoy-b" in kept["summary"]


async def test_a_corrected_value_is_not_kept() -> None:
    kept = await remember("演示改到周日06:00。", "更正：周日02:00。")

    assert [f["sources"] for f in kept["facts"]] == [["o1"]]


async def test_small_talk_leaves_nothing() -> None:
    assert await remember("早", "哈哈") == {"facts": []}
