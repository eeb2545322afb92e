"""Private words that somebody quotes in the open: told where they stand, and nowhere else."""

import pytest

from bot.plays.stage import Stage
from tests.conftest import OpenStage

TALKS = {
    "en": (
        "In June we buy Zebrix for 4.2 million.",
        "> In June we buy Zebrix for 4.2 million.\n\nsee above",
        "@Limen for how much do we buy Zebrix?",
        "4.2 million",
        "I do not know",
    ),
    "zh": (
        "我们六月收购泽布里克斯，价格四百二十万。",
        "> 我们六月收购泽布里克斯，价格四百二十万。\n\n见上",
        "@Limen 收购泽布里克斯花多少钱？",
        "四百二十万",
        "我不知道",
    ),
}


async def answer(on: Stage, room: str, question: str) -> str:
    await on.say("ana", room, question)
    await on.wait(30)
    return [post.text for post in await on.posts(room) if post.author == "bot"][-1]


@pytest.mark.parametrize("language", TALKS)
async def test_a_quote_is_told_where_it_stands(stage: OpenStage, language: str) -> None:
    private, quote, question, told, _ = TALKS[language]
    async with stage() as on:
        await on.say("lin", "hiring", private)
        await on.say("kai", "release", quote)
        await on.wait(60)
        assert told in await answer(on, "release", question)


@pytest.mark.parametrize("language", TALKS)
async def test_a_quote_is_told_nowhere_else(stage: OpenStage, language: str) -> None:
    private, quote, question, told, unknown = TALKS[language]
    async with stage() as on:
        await on.say("lin", "hiring", private)
        await on.say("kai", "release", quote)
        await on.wait(60)
        assert unknown in await answer(on, "project", question)
        await answer(on, "release", question)
        await answer(on, "project", question)
        assert not any(told in post.text for post in await on.posts("project"))


@pytest.mark.parametrize("language", TALKS)
async def test_their_author_may_bring_them_into_the_open(stage: OpenStage, language: str) -> None:
    private, quote, question, told, _ = TALKS[language]
    async with stage() as on:
        await on.say("kai", "hiring", private)
        await on.say("kai", "release", quote)
        await on.wait(60)
        assert told in await answer(on, "project", question)
