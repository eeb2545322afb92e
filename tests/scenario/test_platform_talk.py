"""A colleague on each platform: answers where it was asked, really mentions, shows its work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.models.builtin.context import Context
from bot.models.model import Block
from tests.fakes import scripted
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.four_chats import KINDS
from tests.fakes.live import Live, live_house
from tests.fakes.platform import Fault, Platform
from tests.fakes.scripted import ScriptedModel, echo

OUTER = ("slack", "telegram", "feishu")
LINES = 700
LONG = "\n".join(f"{n}. 第 {n} step of the plan, to be done on a **Friday**" for n in range(LINES))


@pytest.fixture(params=OUTER)
async def platform(request: pytest.FixtureRequest) -> AsyncIterator[Platform]:
    async with KINDS[request.param].make() as found:
        if isinstance(found, FeishuApi):
            found.hub.config["PingInterval"] = 60
        yield found


@asynccontextmanager
async def house(
    platform: Platform, folder: Path, model: ScriptedModel | None = None
) -> AsyncIterator[Live]:
    async with live_house(folder / "home", platform, model=model) as live:
        await live.started()
        yield live


def saying(text: str) -> ScriptedModel:
    """A model that always says the same."""

    def answer(_: Context) -> list[Block]:
        return [scripted.say(text)]

    return ScriptedModel(conversation=answer)


async def test_it_answers_where_it_was_asked(platform: Platform, tmp_path: Path) -> None:
    async with house(platform, tmp_path, ScriptedModel(conversation=echo)) as live:
        await platform.say("mo", "direct", "in the DM?")
        root = await platform.say("ana", "project", "Shall we?")
        await platform.say("bo", "project", "in the thread?", mention=True, thread=root)
        await platform.say("ana", "project", "in the room?", mention=True)
        await platform.until(lambda: len(platform.posts()) >= 3)
        await live.rest()
        said = {post.text.rpartition(" in ")[2]: post for post in platform.posts()}
        assert len(platform.posts()) == 3
        assert said["the DM?"].room == "direct:mo"
        assert said["the thread?"].room == said["the room?"].room == "project"
        assert said["the thread?"].thread and not said["the room?"].thread


async def test_whoever_spoke_there_is_really_mentioned(platform: Platform, tmp_path: Path) -> None:
    async with house(platform, tmp_path, saying("@Bo, @Ana asks you. @Zoe is not here.")) as live:
        await live.hear(platform, "bo", "project", "hello")
        await platform.say("ana", "project", "who knows?", mention=True)
        (post,) = await platform.until_posts("project")
        assert sorted(post.mentions) == ["ana", "bo"]
        assert "@Zoe" in post.text


async def test_a_long_answer_arrives_whole_and_in_order_though_an_answer_gets_lost(
    platform: Platform, tmp_path: Path
) -> None:
    async with house(platform, tmp_path, saying(LONG)) as live:
        platform.befall(Fault.LOST)
        await platform.say("mo", "direct", "what is the plan?")
        await platform.until(lambda: f"{LINES - 1}" in _all(platform))
        await live.rest()
        seen, at = _all(platform), 0
        for n in range(LINES):
            at = seen.find(f"第 {n} step", at)
            assert at >= 0, f"step {n} is missing or out of order"
        pieces = await live.rows("SELECT state, possible_repeat FROM letters ORDER BY id")
        assert {row["state"] for row in pieces} == {"sent"}
        twice = sum(row["possible_repeat"] for row in pieces)
        assert twice == (1 if platform.name == "telegram" else 0), "only what was in doubt"


def _all(platform: Platform) -> str:
    return "\n".join(post.text for post in platform.posts("direct:mo"))


async def test_a_promise_is_asked_about_by_buttons_and_told_after_the_yes(
    platform: Platform, tmp_path: Path
) -> None:
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
        (news,) = await platform.until_posts("project")
        assert "canary-release" in news.text and "migration" not in news.text
        await platform.until(lambda: bool(platform.posts("direct:mo")[-1].buttons))
        asked = platform.posts("direct:mo")[-1]

        await platform.press("mo", "direct", asked.id, asked.buttons[0])

        promise = (await platform.until_posts("project", 2))[-1]
        await live.rest()
        assert "Mo" in promise.text and "migration script" in promise.text
        assert len(platform.posts("project")) == 2
        answered = next(post for post in platform.posts("direct:mo") if post.id == asked.id)
        assert not answered.buttons and asked.buttons[0] in answered.text
        # pressed once more, by a client that did not see it, it changes nothing
        count = len(platform.posts())
        await live.hear(platform, "mo", "direct", "Thanks!")
        assert len(platform.posts("project")) == 2 and len(platform.posts()) <= count + 1


async def test_long_work_shows_itself_and_leaves_no_trace(
    platform: Platform, tmp_path: Path
) -> None:
    model = ScriptedModel(conversation=echo)
    async with house(platform, tmp_path, model) as live:
        release = model.hold("conversation")
        await platform.say("ana", "project", "take your time", mention=True)
        await platform.until(lambda: bool(platform.posts("project")))
        passing = platform.posts("project")[0].id
        release()
        await platform.until(lambda: any("heard:" in p.text for p in platform.posts("project")))
        await platform.until(lambda: passing not in {p.id for p in platform.posts("project")})
        await live.rest()
        (post,) = platform.posts("project")
        assert "take your time" in post.text
