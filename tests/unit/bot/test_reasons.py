"""What the gates say is said in Chinese, too."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.reasons import told

AGENCY = Path(__file__).parents[3] / "agency"
_SAYS = {"_must", "_refusal", "_silent", "_digest", "_wait"}
"""The functions that are given a reason as one of their arguments."""


def reasons() -> Iterator[str]:
    """Every sentence the gates may record, read from their own files."""
    for name in ("policy", "gates", "cases", "present"):
        for node in ast.walk(ast.parse((AGENCY / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Return):
                yield from _sentences([node.value])
            elif isinstance(node, ast.Call):
                said = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
                named = [one.value for one in node.keywords if one.arg == "reason"]
                yield from _sentences([*(node.args if said in _SAYS else ()), *named])
            elif isinstance(node, ast.Assign) and _names(node) & {"reason", "_LEAK"}:
                yield from _sentences([node.value])


def _names(node: ast.Assign) -> set[str]:
    return {one.id for one in node.targets if isinstance(one, ast.Name)}


def _sentences(nodes: list[ast.expr | None]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.IfExp):
            yield from _sentences([node.body, node.orelse])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


GATES = {"live run", "leak guard", "still news", "cool-down", "quiet hours", "answers only"}
"""Names of gates, which stand beside the reasons."""
FOUND = sorted(set(reasons()) - (GATES - {"quiet hours"}))


def test_the_reasons_are_found() -> None:
    assert len(FOUND) > 30


@pytest.mark.parametrize("reason", FOUND)
def test_every_reason_has_its_chinese(reason: str) -> None:
    assert any("\u4e00" <= sign <= "\u9fff" for sign in told(reason, "zh"))
    assert told(reason, "en") == reason


@pytest.mark.parametrize(
    ("reason", "chinese"),
    [
        ("quiet hours; its time passes first", "勿扰时段，等到那时已过期"),
        ("said in a DM; Mo, Ana is asked first", "私聊里说的，先问 Mo, Ana"),
        ("that chat's attention is 'observe'", "那个聊天的关注方式是 observe"),
        ("h12 is newer", "h12 更新"),
        ("something nobody translated", "something nobody translated"),
        ("", ""),
    ],
)
def test_what_is_put_together_is_told_as_well(reason: str, chinese: str) -> None:
    assert told(reason, "zh") == chinese
