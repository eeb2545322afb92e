"""When the bot listens and answers in a chat is the chat's own choice."""

import pytest

from agency import fires
from bot import operations
from bot.errors import LimenError
from bot.plays.stage import Stage
from tests.conftest import OpenStage

CHANGE = "We decided: the release path moves from legacy-release to canary-release."


async def _answers(on: Stage, room: str) -> int:
    posts = await on.posts(room)
    return sum(post.author == "bot" for post in posts)


@pytest.mark.parametrize(
    ("mode", "answered", "observed"),
    [("addressed", 1, True), ("all", 1, True), ("observe", 0, True), ("off", 0, False)],
)
async def test_the_mode_decides_about_answers_and_fires(
    stage: OpenStage, mode: str, answered: int, observed: bool
) -> None:
    async with stage() as on:
        await on.say("ana", "project", "Morning all")
        await on.wait(1)
        done = await operations.set_attention(on.house.config, "#project", mode)
        before = await on.house.db.read(fires.latest, limit=50)

        await on.say("ana", "project", "@Limen so who are you, then?")
        await on.wait(10)

        assert mode in done
        assert await _answers(on, "project") == answered
        after = await on.house.db.read(fires.latest, limit=50)
        assert (len(after) > len(before)) is observed


async def test_a_wrong_room_or_mode_is_told_with_the_remedy(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("ana", "project", "Morning all")
        await on.wait(1)
        with pytest.raises(LimenError, match="no room 'nowhere'"):
            await operations.set_attention(on.house.config, "nowhere", "all")
        with pytest.raises(LimenError, match="addressed, all, observe, off"):
            await operations.set_attention(on.house.config, "project", "loud")
        for odd in ("s" + "9" * 30, "²", "s0", ""):
            with pytest.raises(LimenError, match="no room"):
                await operations.set_attention(on.house.config, odd, "all")


async def test_a_room_with_threads_is_named_as_before_and_takes_them_along(
    stage: OpenStage,
) -> None:
    async with stage() as on:
        post = await on.say("ana", "project", "Morning all")
        await on.house.rooms.say("bo", "project", "Morning!", thread=post.id)
        await on.wait(1)
        await operations.set_attention(on.house.config, "#project", "off")
        before = await on.house.db.read(fires.latest, limit=50)
        await on.house.rooms.say("bo", "project", CHANGE, thread=post.id)
        other = await on.say("ana", "project", "And?")
        await on.house.rooms.say("bo", "project", CHANGE, thread=other.id)
        await on.wait(1)
        assert await on.house.db.read(fires.latest, limit=50) == before


@pytest.mark.parametrize("mode", ["observe", "off"])
async def test_a_chat_that_wants_no_word_is_told_nothing_unasked(
    stage: OpenStage, mode: str
) -> None:
    async with stage() as on:
        await on.say("bo", "project", "Let's plan the rollout with legacy-release.")
        await on.wait(1)
        await operations.set_attention(on.house.config, "project", mode)
        await on.say("lin", "architecture", CHANGE)
        await on.wait(120)

        assert await _answers(on, "project") == 0


async def test_what_is_said_in_a_room_that_is_off_goes_no_further(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("lin", "architecture", "Morning all")
        await on.wait(1)
        await operations.set_attention(on.house.config, "architecture", "off")
        await on.say("lin", "architecture", CHANGE)
        await on.say("bo", "project", "Let's plan the rollout with legacy-release.")
        await on.wait(400)

        assert await _answers(on, "project") == 0
