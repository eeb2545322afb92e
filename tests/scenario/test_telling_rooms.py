"""PR-09: told in another chat only what its author read first, where they are, and known there."""

import pytest

from agency import handoffs
from agency.handoffs import State
from bot import chains
from bot.app import Surroundings
from bot.engine import letters
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, use

FLU = {"en": "I have the flu, the doctor says a week.", "zh": "我得了流感，医生说要休息一周。"}
WISH = {"en": "tell the team I'm ill", "zh": "告诉大家我病了"}
TOLD = {"en": "From Mo: I'm ill.", "zh": "Mo 让我转告：我病了。"}


async def said(on: Stage, room: str, who: str = "") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def kept(on: Stage) -> list[handoffs.Handoff]:
    return await on.house.db.read(lambda reader: handoffs.latest(reader, limit=20))


async def begin(on: Stage, language: str) -> None:
    """The room is known, and Mo has told the bot more than they want told."""
    await on.say("bo", "general", "good morning everybody")
    await on.say("mo", DIRECT, FLU[language])
    await on.wait(30)
    await on.say("mo", DIRECT, WISH[language])
    await on.wait(10)


@pytest.mark.parametrize("language", WISH)
async def test_nothing_is_told_before_its_author_has_read_it_pr_09(
    stage: OpenStage, language: str
) -> None:
    async with stage() as on:
        await begin(on, language)
        question = (await on.posts(DIRECT, who="mo"))[-1]
        assert TOLD[language].rstrip(".。") in question.text
        assert "#general" in question.text and len(question.buttons) == 3
        assert await said(on, "general") == []

        await on.press("mo", False)
        await on.wait(60)
        assert await said(on, "general") == []


@pytest.mark.parametrize("language", WISH)
async def test_just_the_words_that_were_read_are_told_and_both_chats_know_it_pr_09(
    stage: OpenStage, language: str
) -> None:
    async with stage() as on:
        await begin(on, language)
        await on.press("mo", True)
        await on.wait(30)
        assert await said(on, "general") == [TOLD[language]]
        assert "#general" in (await said(on, DIRECT, "mo"))[-1], "and Mo learns that it was"
        chain = await on.house.db.read(
            lambda reader: chains.of_letter(
                reader,
                next(one for one in letters.latest(reader, limit=9) if one.run_id),
                hears=None,
            )
        )
        assert chain[0]["step"] == "original"
        why = {"en": "@Limen why did you tell us that?", "zh": "@Limen 为什么告诉我们这个？"}
        await on.say("bo", "general", why[language])
        await on.wait(10)
        answer = (await said(on, "general"))[-1]
        assert "private" in answer or "私聊" in answer, "it knows what it said here, and why"
        assert "flu" not in answer and "流感" not in answer


async def test_whoever_answers_in_the_room_speaks_to_somebody_who_knows_pr_09(
    stage: OpenStage,
) -> None:
    heard: list[str] = []

    def model(context: Context) -> list[Block]:
        rows = context.section("inputs")
        heard.extend(str(row["text"]) for row in context.section("history") if row.get("me"))
        if any(row.get("trigger") == "handoff" for row in rows):
            return [use("say", text=str(rows[-1]["text"]))]
        if any(row.get("trigger") == "consent_request" for row in [*rows, *context.pending]):
            return [use("say", text="May I?", consent="c1")]
        if not context.called("tell_room") and "tell" in str(rows[-1]["text"]):
            return [use("tell_room", room="team", text="Mo is ill today.")]
        return [use("say", text="Get well soon, I pass that on.")]

    async with stage(Surroundings(model=ScriptedModel(conversation=model))) as on:
        await on.say("bo", "general", "good morning everybody")
        await on.say("mo", DIRECT, WISH["en"])
        await on.wait(10)
        asked = (await on.posts(DIRECT, who="mo"))[-1]
        assert "In #general it would read: “Mo is ill today.”" in asked.text, "whatever was worded"
        await on.press("mo", True)
        await on.wait(10)
        heard.clear()
        await on.say("bo", "general", "@Limen oh no, for how long?")
        await on.wait(10)
        assert "Mo is ill today." in heard


@pytest.mark.parametrize("language", WISH)
async def test_only_rooms_its_author_is_in_pr_09(stage: OpenStage, language: str) -> None:
    wish = {"en": "tell #hiring I'm ill", "zh": "在#hiring说一声：我病了"}
    async with stage() as on:
        await on.say("lin", "hiring", "hello")
        await begin(on, language)
        await on.press("mo", False)
        await on.say("mo", DIRECT, wish[language])
        await on.wait(10)
        assert await said(on, "hiring", "lin") == []
        assert "#general" in (await said(on, DIRECT, "mo"))[-1], "those they are in are named"
        assert len(await kept(on)) == 1


@pytest.mark.parametrize("language", FLU)
async def test_a_model_that_adds_what_it_heard_in_private_tells_nothing_pr_09(
    stage: OpenStage, language: str
) -> None:
    """The words of another confidence are in nobody's wish, so no yes could cover them."""

    def model(context: Context) -> list[Block]:
        if "ill" in str(context.section("inputs")[-1]["text"]) and not context.steps:
            return [use("tell_room", room="team", text=f"Mo is ill: {FLU[language]}")]
        return [use("say", text="done")]

    async with stage(Surroundings(model=ScriptedModel(conversation=model))) as on:
        await on.say("bo", "general", "good morning everybody")
        await on.say("mo", DIRECT, FLU[language])
        await on.wait(30)
        await on.say("mo", DIRECT, "tell the team I'm ill")
        await on.wait(60)
        [handoff] = await kept(on)
        assert handoff.state in (State.REFUSED, State.ASKING)
        assert await said(on, "general") == []
        if handoff.state is State.ASKING:
            assert FLU[language][:8] in handoff.words, "it is shown before anything is told"


async def test_in_a_room_the_tool_tells_nobody_else(stage: OpenStage) -> None:
    def model(context: Context) -> list[Block]:
        tried = context.called("tell_room")
        if not tried:
            return [use("tell_room", room="team", text="The demo is at three.")]
        return [use("say", text=f"failed: {tried[-1].failed}")]

    async with stage(Surroundings(model=ScriptedModel(conversation=model))) as on:
        await on.say("mo", "architecture", "@Limen tell everyone")
        await on.wait(10)
        assert await said(on, "architecture") == ["failed: True"]
        assert await kept(on) == []
