"""What the documents tell people to set up is what the program needs."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.feishu import needs
from adapters.slack import checkup
from bot.setup.settings import Duties

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CASE = re.compile(r"^\| ([A-Z]+(?:-[A-Z]+)?-\d\d) \| (.+) \| (.+) \|$", re.M)
CONNECT = ("connect.md", "connect.zh.md")


def test_the_slack_manifest_asks_for_every_scope_and_event() -> None:
    manifest = json.loads((DOCS / "slack-manifest.json").read_text(encoding="utf-8"))
    scopes = manifest["oauth_config"]["scopes"]["bot"]
    assert set(scopes) == set(checkup.NEEDED) | set(checkup.WELCOME)
    settings = manifest["settings"]
    assert set(checkup.EVENTS.split(", ")) <= set(settings["event_subscriptions"]["bot_events"])
    assert settings["socket_mode_enabled"] and settings["interactivity"]["is_enabled"]
    assert [one["command"] for one in manifest["features"]["slash_commands"]] == ["/limen"]


def test_the_feishu_scopes_for_import_are_those_the_app_needs() -> None:
    scopes = json.loads((DOCS / "feishu-scopes.json").read_text(encoding="utf-8"))["scopes"]
    assert scopes == {"tenant": [scope.names[0] for scope in needs.SCOPES], "user": []}


@pytest.mark.parametrize("name", CONNECT)
def test_the_steps_name_every_feishu_scope_event_and_callback(name: str) -> None:
    told = (DOCS / name).read_text(encoding="utf-8")
    wanted = [scope.names[0] for scope in needs.SCOPES] + [*needs.EVENTS, *needs.CALLBACKS]
    assert [one for one in wanted if f"`{one}`" not in told] == []


@pytest.mark.parametrize("name", CONNECT)
def test_the_steps_name_every_key(name: str) -> None:
    told = (DOCS / name).read_text(encoding="utf-8")
    keys = ("SLACK__BOT_TOKEN", "SLACK__APP_TOKEN", "FEISHU__APP_ID", "FEISHU__APP_SECRET",
            "TELEGRAM__TOKEN", "ACCESS__MODE")  # fmt: skip
    assert [key for key in keys if f"LIMEN_{key}" not in told] == []


def shown_by() -> Iterator[tuple[str, str, str]]:
    """Each case with each test that is named for it: file and function."""
    for case, _, tests in CASE.findall((DOCS / "cases.md").read_text(encoding="utf-8")):
        for test in re.findall(r"`([^`]+)`", tests):
            file, _, name = test.partition("::")
            yield case, file, name


def source(file: str, name: str) -> str:
    """The text of a test with its decorators; empty when there is none."""
    text = (ROOT / "tests" / file).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return ""


@pytest.mark.parametrize(("case", "file", "name"), list(shown_by()))
def test_every_known_failure_is_played_by_the_test_it_names(
    case: str, file: str, name: str
) -> None:
    told = source(file, name)
    assert case in told or case.lower().replace("-", "_") in name


def test_no_known_failure_is_left_without_a_test() -> None:
    assert len({case for case, _, _ in shown_by()}) >= 72


def test_every_duty_has_a_row_that_says_what_happens_without_it() -> None:
    told = (DOCS / "duties.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .+ \| .+ \|$", told, re.M)
    assert rows == list(Duties.model_fields)
