"""The main job, end to end: heard in one room, told in the room that needs it."""

import pytest

from tests.conftest import OpenStage

STORY = {
    "en": (
        (
            "lin",
            "architecture",
            "We decided: the release path moves from legacy-release to canary-release.",
        ),
        ("bo", "project", "Let's plan the rollout with legacy-release, freeze on Wednesday."),
    ),
    "zh": (
        ("lin", "architecture", "我们决定了：发布路径从 legacy-release 改为 canary-release。"),
        ("bo", "project", "我们按 legacy-release 来排发布计划吧，周三冻结。"),
    ),
}


@pytest.mark.parametrize("language", STORY)
async def test_a_change_reaches_the_room_that_plans_with_the_old_value(
    stage: OpenStage, language: str
) -> None:
    async with stage() as on:
        for who, room, text in STORY[language]:
            await on.say(who, room, text)
            await on.wait(5)
        await on.wait(60)

        told = [post for post in await on.posts("project") if post.author == "bot"]
        assert len(told) == 1
        assert "canary-release" in told[0].text
        assert [p for p in await on.posts("architecture") if p.author == "bot"] == []


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "@Limen who owns the release path decision?"),
        ("en", "Limen, is canary-release what the release path is now?"),
        ("zh", "@Limen 发布路径是谁决定的？"),
    ],
)
async def test_what_somebody_only_asks_the_bot_is_news_in_no_other_room(
    stage: OpenStage, language: str, asked: str
) -> None:
    async with stage() as on:
        for who, room, text in STORY[language]:
            await on.say(who, room, text)
            await on.wait(5)
        await on.wait(60)
        await on.say("mo", "architecture", asked)
        await on.wait(120)

        told = [post for post in await on.posts("project") if post.author == "bot"]
        assert len(told) == 1
        assert [p for p in await on.posts("architecture") if p.author == "bot"] != []
