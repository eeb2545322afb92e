"""The rules of the platforms refuse what the platforms refuse."""

from typing import Any

import pytest

from tests.fakes.markup_rules import feishu_problem, slack_problem, telegram_problem

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "x"}}


def rich(*parts: dict[str, Any], kind: str = "rich_text_section") -> list[dict[str, Any]]:
    return [{"type": "rich_text", "elements": [{"type": kind, "elements": list(parts)}]}]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        ("x" * 40_001, []),
        ("a & b", []),
        ("a < b", []),
        ("<!channel>", []),
        ("<javascript:x|y>", []),
        ("hi @here", []),
        ("x", [SECTION] * 51),
        ("x", [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3_001}}]),
        ("x", [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 2_900}}] * 6),
        ("x", [{"type": "header", "text": {"type": "plain_text", "text": "x" * 151}}]),
        ("x", [{"type": "nonsense"}]),
        ("x", rich()),
        ("x", rich({"type": "text", "text": ""})),
        ("x", rich({"type": "link", "url": "javascript:x", "text": "y"})),
        ("x", rich({"type": "broadcast", "range": "channel"})),
        ("x", rich({"type": "text", "text": "y", "style": {"blink": True}})),
        ("x", rich({"type": "user", "user_id": "U0A"}, kind="rich_text_preformatted")),
    ],
)
def test_slack_refuses(text: str, blocks: list[dict[str, Any]]) -> None:
    assert slack_problem(text, blocks) is not None


def test_slack_accepts_a_mention_and_a_link() -> None:
    assert (
        slack_problem(
            "<@U0A> &lt; <https://x.test|y>", [SECTION, *rich({"type": "text", "text": "z"})]
        )
        is None
    )


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        (" ", []),
        ("🙂" * 3_000, []),
        ("x", [{"type": "bold", "offset": 0, "length": 2}]),
        ("x", [{"type": "bold", "offset": 0, "length": 0}]),
        ("🙂", [{"type": "bold", "offset": 1, "length": 1}]),
        ("x", [{"type": "marquee", "offset": 0, "length": 1}]),
        ("x", [{"type": "bold", "offset": 0, "length": 1, "url": "https://x.test"}]),
        ("x", [{"type": "text_link", "offset": 0, "length": 1, "url": "javascript:x"}]),
        ("x" * 101, [{"type": "bold", "offset": at, "length": 1} for at in range(101)]),
        ("xyz", [{"type": "bold", "offset": at, "length": 2} for at in range(2)]),
        ("xyz", [{"type": kind, "offset": 0, "length": 3} for kind in ("code", "bold")]),
        ("xyz", [{"type": "blockquote", "offset": 0, "length": 3 - at} for at in range(2)]),
    ],
)
def test_telegram_refuses(text: str, entities: list[dict[str, Any]]) -> None:
    assert telegram_problem(text, entities) is not None


def card(*contents: str) -> dict[str, Any]:
    elements = [{"tag": "markdown", "content": content} for content in contents]
    return {"schema": "2.0", "body": {"elements": elements}}


def post(*tags: dict[str, Any]) -> dict[str, Any]:
    return {"zh_cn": {"title": "", "content": [list(tags)]}}


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("post", {}),
        ("post", post()),
        ("post", post({"tag": "at", "user_id": "all"})),
        ("post", post({"tag": "text", "text": "<at user_id='all'></at>"})),
        ("post", post({"tag": "a", "text": "x", "href": "javascript:x"})),
        ("post", post({"tag": "text", "text": "字" * 11_000})),
        ("interactive", card()),
        ("interactive", card(" ")),
        ("interactive", card("<at id=all></at>")),
        ("interactive", card("<font color='red'>x</font>")),
        ("interactive", card(*["| a |\n| --- |\n| b |"] * 6)),
        ("interactive", {"elements": []}),
        ("carrier pigeon", {}),
    ],
)
def test_feishu_refuses(kind: str, content: dict[str, Any]) -> None:
    assert feishu_problem(kind, content) is not None
