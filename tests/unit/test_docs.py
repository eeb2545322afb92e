"""What the documents tell people to set up is what the program needs."""

import json
from pathlib import Path

import pytest

from adapters.feishu import needs
from adapters.slack import checkup

DOCS = Path(__file__).parents[2] / "docs"
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
