"""Whole stories with the rows on a PostgreSQL server: they come out as with a file."""

import pytest

from bot.engine import letters, runs
from bot.plays import play
from bot.plays import story as stories
from bot.plays.stage import DIRECT
from tests.conftest import MakeConfig, OpenStage

pytestmark = pytest.mark.on_server

STORIES = (("release-path", "en"), ("private-matter", "zh"), ("settled-meanwhile", "en"))


@pytest.mark.parametrize(("name", "language"), STORIES)
async def test_a_story_comes_out_as_it_should(
    make_config: MakeConfig, name: str, language: str
) -> None:
    told = stories.load(name, language)
    lines: list[str] = []
    config = make_config(bot__timezone=told.zone.key, web__port="0")
    assert await play.play_one(told, config, print_line=lines.append), "\n".join(lines)


async def test_what_waits_is_gone_on_with_after_a_restart(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("lin", "general", "The staging password rotates every Monday.")
        await on.say("ana", DIRECT, "When does the staging password rotate?")
    # Nobody gave the answer yet: the debounce had not ended.
    async with stage() as on:
        await on.wait(60)
        said = [post.text for post in await on.posts(DIRECT, who="ana")]
        assert any("every Monday" in text for text in said[1:])
        assert await on.house.db.read(runs.count_open) == 0
        assert await on.house.db.read(letters.count_open) == 0
