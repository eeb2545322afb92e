"""Somebody is handed everything that is kept about them, and nothing of what others said."""

import json
from pathlib import Path

import pytest

from bot.errors import LimenError
from bot.plays.stage import DIRECT, Stage
from bot.privacy import export as exporting
from tests.conftest import OpenStage
from tests.fakes.memos import until

SECTIONS = {
    "person", "accounts", "joined", "chats", "messages", "said_by_the_bot_in_their_dm", "facts",
    "reactions", "wishes", "mutes", "reminders", "promises_and_questions", "waited_for", "consents",
    "approvals", "inbox", "digests", "taken", "not_useful", "admission",
}  # fmt: skip


async def live(on: Stage) -> None:
    """Mo talks in several rooms, in English and Chinese; others too, some of it in private."""
    post = await on.say("mo", "general", "We decided: the canteen opens on Monday.")
    await on.wait(8)
    await on.house.rooms.edit("mo", post.id, "We decided: the canteen opens on Tuesday.")
    await on.house.rooms.react("mo", post.id, "👍", on=True)
    await on.say("mo", DIRECT, "周五下午三点提醒我给小雷打电话")
    await on.wait(8)
    await on.say("mo", DIRECT, "I will finish the migration script by Friday.")
    await on.wait(8)
    await on.say("mo", DIRECT, "quiet 22:00-08:00")
    await on.say("mo", DIRECT, "mute kittens")
    await on.say("lin", "hiring", "The candidate is Quintessa Vandermeer.")
    await on.say("ana", DIRECT, "The budget is 48151 euros, and Mo may not know.")
    await on.say("bo", "general", "Mo is right about the canteen.")
    await on.wait(900)


def exported(on: Stage, who: str) -> exporting.Document:
    return exporting.export(on.house.config, who, now=on.clock())


async def test_everything_about_a_person_and_nothing_of_others(stage: OpenStage) -> None:
    async with stage() as on:
        await live(on)
        found = exported(on, "mo")
        text = exporting.shown(found)
        assert set(found) == SECTIONS | {"format", "of", "made_at"}
        for private in ("Vandermeer", "48151", "Mo is right"):
            assert private not in text

        [person] = found["person"]
        assert (person["name"], person["id"][0]) == ("Mo", "p")
        [account] = found["accounts"]
        assert (account["platform"], account["id"]) == ("web", "mo")
        canteen = next(one for one in found["messages"] if "canteen" in one["text"])
        assert canteen["text"] == "We decided: the canteen opens on Tuesday."
        assert [one["text"] for one in canteen["versions"]] == [
            "We decided: the canteen opens on Monday."
        ]
        assert canteen["said_at"].startswith("2026-11-30T10:00") and canteen["id"][0] == "o"
        assert [(one["sign"], one["to"]) for one in found["reactions"]] == [("👍", canteen["id"])]
        assert "小雷" in found["reminders"][0]["body"]
        assert found["reminders"][0]["next_at"].startswith("2026-12-04T15:00")
        assert any("migration" in one["said"] for one in found["promises_and_questions"])
        assert any("小雷" in one["text"] for one in found["said_by_the_bot_in_their_dm"])
        assert any("canteen" in one["body"] for one in found["facts"])
        assert found["wishes"][0]["quiet_from"] == "22:00"
        assert [one["subject"] for one in found["mutes"]] == ["kittens"]
        assert {one["kind"] for one in found["chats"]} == {"dm", "group"}
        assert not [row for row in _rows(found) if any(name.endswith("_id") for name in row)]
        assert json.loads(text) == json.loads(json.dumps(found))


async def test_a_chat_too(stage: OpenStage) -> None:
    async with stage() as on:
        await live(on)
        found = exported(on, "#hiring")
        assert [one["text"] for one in found["messages"]] == [
            "The candidate is Quintessa Vandermeer."
        ]
        assert "48151" not in exporting.shown(found)
        assert found["of"].startswith("#hiring (s")


async def test_a_file_is_for_its_owner_only(stage: OpenStage, tmp_path: Path) -> None:
    async with stage() as on:
        await live(on)
        await until(on, "2026-12-04T16:00")
        to = tmp_path / "mo.json"
        assert exporting.write(exported(on, "Mo"), to) == f"wrote {to}"
        assert to.stat().st_mode & 0o777 == 0o600
        assert json.loads(to.read_text(encoding="utf-8"))["of"].startswith("Mo (p")
        with pytest.raises(LimenError, match=r"cannot be written .* name another file with --to"):
            exporting.write({}, tmp_path / "no" / "where.json")
        with pytest.raises(LimenError, match="nobody and no chat is called 'Nemo'"):
            exported(on, "Nemo")


def _rows(found: exporting.Document) -> list[dict[str, object]]:
    return [row for rows in found.values() if isinstance(rows, list) for row in rows]
