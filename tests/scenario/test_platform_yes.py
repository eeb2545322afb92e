"""Yes and no by button on every platform: by the right person, once, in time, and over restarts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from tests.fakes.four_chats import KINDS
from tests.fakes.live import Live, QuickClock, live_house
from tests.fakes.platform import Platform, Posted

WISH = "ask Bo whether we may move the launch to Friday"
OUTER = ("slack", "telegram", "feishu")


@pytest.fixture(params=KINDS)
async def platform(request: pytest.FixtureRequest) -> AsyncIterator[Platform]:
    async with KINDS[request.param].make() as found:
        yield found


@asynccontextmanager
async def house(
    platform: Platform, folder: Path, *, later: timedelta = timedelta(0)
) -> AsyncIterator[Live]:
    clock = QuickClock()
    clock.skip(later)
    async with live_house(folder / "home", platform, clock=clock) as live:
        await live.started()
        yield live


def question(platform: Platform, room: str) -> Posted:
    """The newest message with buttons in a room."""
    return next(post for post in reversed(platform.posts(room)) if post.buttons)


async def wish(live: Live, platform: Platform) -> None:
    """Ana wants Bo to be asked, who has written to the bot before."""
    await live.hear(platform, "bo", "direct", "hello")
    await platform.say("ana", "project", WISH, mention=True)
    await platform.until(lambda: any(post.buttons for post in platform.posts("direct:bo")))
    await live.rest()


def verdicts(platform: Platform, word: str) -> int:
    return sum(f"Bo says {word}" in post.text for post in platform.posts("project"))


async def test_an_approval_is_given_by_one_press_and_no_second_one(
    platform: Platform, tmp_path: Path
) -> None:
    async with house(platform, tmp_path) as live:
        await wish(live, platform)
        asked = question(platform, "direct:bo")
        assert asked.buttons == ("Yes, this once", "Yes, every time", "No")
        await platform.press("bo", "direct", asked.id, asked.buttons[0])
        await platform.until(lambda: verdicts(platform, "yes") == 1)
        if any(post.id == asked.id and post.buttons for post in platform.posts("direct:bo")):
            await platform.press("bo", "direct", asked.id, asked.buttons[-1])
        await live.rest()
        [row] = await live.rows("SELECT state FROM approvals")
        assert row["state"] == "granted"
        assert verdicts(platform, "yes") == 1 and verdicts(platform, "no") == 0


async def test_a_press_after_a_restart_days_later_still_counts(
    platform: Platform, tmp_path: Path
) -> None:
    async with house(platform, tmp_path) as live:
        await wish(live, platform)
        asked = question(platform, "direct:bo")
    async with house(platform, tmp_path, later=timedelta(days=3)) as live:
        await platform.press("bo", "direct", asked.id, asked.buttons[-1])
        await platform.until(lambda: verdicts(platform, "no") == 1)
        await live.rest()
        assert len(await live.rows("SELECT id FROM approvals")) == 1


async def test_a_press_after_its_time_changes_nothing_and_says_so(
    platform: Platform, tmp_path: Path
) -> None:
    async with house(platform, tmp_path) as live:
        await wish(live, platform)
        asked = question(platform, "direct:bo")
    async with house(platform, tmp_path, later=timedelta(days=8)) as live:
        await platform.until(
            lambda: any("Nobody has answered" in post.text for post in platform.posts("project"))
        )
        await platform.press("bo", "direct", asked.id, asked.buttons[0])
        await platform.until(
            lambda: any("question is closed" in post.text for post in platform.posts("direct:bo"))
        )
        [row] = await live.rows("SELECT state FROM approvals")
        assert row["state"] == "expired"
        assert verdicts(platform, "yes") == 0


@pytest.mark.parametrize("name", OUTER)
async def test_in_a_room_only_who_was_asked_can_answer(name: str, tmp_path: Path) -> None:
    async with KINDS[name].make() as platform, house(platform, tmp_path) as live:
        await live.hear(platform, "bo", "project", "good morning")
        await live.hear(platform, "wei", "project", "good morning")
        await platform.say("ana", "project", WISH, mention=True)
        await platform.until(lambda: any(post.buttons for post in platform.posts("project")))
        asked = question(platform, "project")
        assert "Bo" in asked.text, "he has no chat of his own with the bot"
        await platform.press("wei", "project", asked.id, asked.buttons[0])
        await platform.until(
            lambda: any("only Bo can answer" in post.text for post in platform.posts("project"))
        )
        [row] = await live.rows("SELECT state FROM approvals")
        assert row["state"] == "asked"
        await platform.press("bo", "project", asked.id, asked.buttons[0])
        await platform.until(lambda: verdicts(platform, "yes") == 1)


async def test_a_consent_by_its_buttons(platform: Platform, tmp_path: Path) -> None:
    """A no in the DM it was asked in; a yes after it is none."""
    async with house(platform, tmp_path) as live:
        await live.hear(
            platform, "lin", "architecture",
            "We decided: the release path moves from legacy-release to canary-release.",
        )  # fmt: skip
        await live.hear(
            platform, "mo", "direct",
            "I will finish the migration script for canary-release by Friday.",
        )  # fmt: skip
        await live.hear(
            platform, "bo", "project",
            "Plan: we rehearse the rollout with legacy-release on Wednesday.",
        )  # fmt: skip
        await platform.until(lambda: any(post.buttons for post in platform.posts("direct:mo")))
        asked = question(platform, "direct:mo")
        once, always, no = asked.buttons
        assert (once, no) == ("Yes, this once", "No")
        assert always in ("Yes, always to #project", "Yes, always to project")
        assert "Mo will finish the migration script for canary-release by Friday" in asked.text
        await platform.press("mo", "direct", asked.id, asked.buttons[-1])
        await live.rest()
        [row] = await live.rows("SELECT state FROM consents")
        assert row["state"] == "denied"
        assert not any("migration" in post.text for post in platform.posts("project"))


@pytest.mark.parametrize(
    ("no", "yes"), [("yes", "yes, but on Monday"), ("可以", "可以，但要等周一")]
)
async def test_in_a_room_a_word_counts_from_who_was_asked_only(
    no: str, yes: str, tmp_path: Path
) -> None:
    async with KINDS["slack"].make() as platform, house(platform, tmp_path) as live:
        await live.hear(platform, "bo", "project", "good morning")
        await platform.say("ana", "project", WISH, mention=True)
        await platform.until(lambda: any(post.buttons for post in platform.posts("project")))
        await live.hear(platform, "wei", "project", no, mention=True)
        [row] = await live.rows("SELECT state FROM approvals")
        assert row["state"] == "asked"
        assert any("Bo" in post.text for post in platform.posts("project")[-1:]), "who may is said"
        await platform.say("bo", "project", yes, mention=True)
        await platform.until(lambda: verdicts(platform, "yes") == 1)
        assert yes in platform.posts("project")[-1].text
