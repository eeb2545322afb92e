"""Whoever waits because many ask is told so once, in their language, and nobody else is."""

from datetime import timedelta

import pytest

from bot import operations
from bot.app import Surroundings
from bot.behind import Behind
from bot.engine import letters, outages
from bot.engine.waits import Bell
from bot.plays.stage import DIRECT, Stage
from memory.moments import to_us
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, echo, pass_time
from tests.fakes.scripted_chat import ScriptedChat

LAST = "I am behind, since much is going on. I have your message, and it is next."
SECOND = "I am behind: one question is before yours. I have your message, and answer it in turn."
THIRD = "我这边有点忙不过来：前面还有 2 个问题。你的消息我已经收到，轮到就回答。"


async def said(on: Stage, room: str, *, who: str = "") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def words(on: Stage) -> list[str]:
    """The rooms that were told of a delay, by the letters there are."""
    found = await on.house.db.read(lambda reader: letters.latest(reader, limit=200))
    return [one.address.chat for one in reversed(found) if one.key.startswith("behind:")]


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(conversation=echo)


async def test_who_waits_behind_others_is_told_once_how_many_and_is_answered(
    stage: OpenStage, model: ScriptedModel
) -> None:
    let_go = model.hold("conversation")
    async with stage(Surroundings(model=model), bot__max_parallel_runs=1) as on:
        for who, room, text in (
            ("ana", "general", "@Limen what is the first thing?"),
            ("bo", "project", "@Limen what is the second thing?"),
            ("kai", "release", "@Limen what is the third thing?"),
            ("lin", "hiring", "@Limen 第四件事是什么？"),
        ):
            await on.say(who, room, text)
            await pass_time(on, model, 1)
        await pass_time(on, model, 50)
        assert await words(on) == []
        await pass_time(on, model, 20)
        assert await said(on, "general") == [], "its run has begun"
        assert await said(on, "project") == [LAST]
        assert await said(on, "release") == [SECOND]
        assert await said(on, "hiring") == [THIRD]
        [one] = [
            one
            for one in await on.house.db.read(lambda reader: letters.latest(reader, limit=9))
            if one.address.chat == "project"
        ]
        assert not one.proactive
        await pass_time(on, model, 4000)
        assert len(await words(on)) == 3, "once, however long it takes"
        let_go()
        await on.wait(10)
        for room in ("project", "release", "hiring"):
            _, second = await said(on, room)
            assert second.startswith("heard: @Limen")
        assert len(await said(on, "general")) == 1


async def test_it_is_told_anew_of_what_is_asked_later_after_an_hour(
    stage: OpenStage, model: ScriptedModel
) -> None:
    let_go = model.hold("conversation")
    async with stage(Surroundings(model=model), bot__max_parallel_runs=1) as on:
        await on.say("ana", "general", "@Limen one?")
        await pass_time(on, model, 2)
        post = await on.say("bo", "project", "@Limen two?")
        await pass_time(on, model, 90)
        assert await words(on) == ["project"]
        # another talk in the same chat, asked later
        await on.house.rooms.say("ana", "project", "@Limen three?", thread=post.id)
        await pass_time(on, model, 1800)
        assert await words(on) == ["project"]
        await pass_time(on, model, 1900)
        assert await words(on) == ["project", "project"]
        let_go()
        await on.wait(10)


async def test_many_threads_of_one_chat_are_told_once(
    stage: OpenStage, model: ScriptedModel
) -> None:
    model.hold("conversation")
    async with stage(Surroundings(model=model), bot__max_parallel_runs=1) as on:
        roots = [await on.say("ana", "project", f"Topic {n}") for n in range(6)]
        for root in roots:
            await on.house.rooms.say("bo", "project", "@Limen well?", thread=root.id)
        await pass_time(on, model, 120)
        assert await words(on) == ["project"]


async def test_a_process_that_knows_nothing_of_it_says_it_no_second_time(
    stage: OpenStage, model: ScriptedModel
) -> None:
    model.hold("conversation")
    async with stage(Surroundings(model=model), bot__max_parallel_runs=1) as on:
        await on.say("ana", "general", "@Limen one?")
        await pass_time(on, model, 2)
        await on.say("bo", "project", "@Limen two?")
        await pass_time(on, model, 70)
        fresh = Behind(on.clock, Bell(), after=timedelta(minutes=1), language="auto")
        await pass_time(on, model, 70)
        assert await on.house.db.read(fresh.due) is None
        await on.house.db.write(fresh.act)
        assert await words(on) == ["project"]


async def test_what_waited_while_nothing_ran_is_answered_before_anybody_is_told(
    stage: OpenStage, model: ScriptedModel
) -> None:
    model.hold("conversation")
    keys = {"bot__max_parallel_runs": 1, "bot__behind_after": "0s"}
    async with stage(Surroundings(model=model), **keys) as on:
        await on.say("ana", "general", "@Limen one?")
        await pass_time(on, model, 2)
        await on.say("bo", "project", "@Limen two?")
        await pass_time(on, model, 1200)
        begins = on.clock()
        fresh = Behind(on.clock, Bell(), after=timedelta(minutes=1), language="auto")
        due = await on.house.db.read(fresh.due)
        assert due == to_us(begins + timedelta(minutes=1))
        await on.house.db.write(fresh.act)
        assert await words(on) == []
        await pass_time(on, model, 60)
        await on.house.db.write(fresh.act)
        assert await words(on) == ["project"]


async def test_it_is_taken_back_when_the_answer_comes_first(
    stage: OpenStage, model: ScriptedModel
) -> None:
    desk = ScriptedChat()
    let_go = model.hold("conversation")
    around = Surroundings(model=model, chats=(desk,))
    async with stage(around, bot__max_parallel_runs=1) as on:
        await on.say("ana", "general", "@Limen one?")
        await pass_time(on, model, 2)
        desk.busy = True
        await desk.say("bea", "two?")
        await pass_time(on, model, 70)
        assert await words(on) == ["bea"]
        let_go()
        await pass_time(on, model, 0.1)
        desk.busy = False
        await on.wait(400)
        assert desk.said("bea") == ["heard: two?"]


@pytest.mark.parametrize("after", ["0s", "10m"])
async def test_the_delay_is_the_operators_choice(
    stage: OpenStage, model: ScriptedModel, after: str
) -> None:
    model.hold("conversation")
    keys = {"bot__max_parallel_runs": 1, "bot__behind_after": after}
    async with stage(Surroundings(model=model), **keys) as on:
        await on.say("ana", "general", "@Limen one?")
        await pass_time(on, model, 2)
        await on.say("bo", "project", "@Limen two?")
        await pass_time(on, model, 500)
        assert await words(on) == []
        await pass_time(on, model, 200)
        assert await words(on) == ([] if after == "0s" else ["project"])


async def test_nothing_is_said_while_the_model_is_away_nor_soon_after_that_was_told(
    stage: OpenStage, model: ScriptedModel
) -> None:
    model.hold("conversation")
    async with stage(Surroundings(model=model), bot__max_parallel_runs=1) as on:
        await on.say("ana", "general", "@Limen one?")
        await pass_time(on, model, 2)
        await on.say("bo", "project", "@Limen two?")
        now_us = to_us(on.clock())
        await on.house.db.write(outages.begin, "gone", pause_us=10**12, now_us=now_us)
        await pass_time(on, model, 300)
        assert await words(on) == []


async def test_what_was_only_overheard_or_is_for_the_background_is_told_nobody(
    stage: OpenStage, model: ScriptedModel
) -> None:
    model.hold("conversation")
    async with stage(Surroundings(model=model), bot__max_parallel_runs=1) as on:
        await on.say("bo", "project", "Morning")
        await on.wait(1)
        await operations.set_attention(on.house.config, "#project", "all")
        await on.say("ana", "general", "@Limen one?")
        await pass_time(on, model, 2)
        await on.say("bo", "project", "We decided: the release moves to Friday, all of it.")
        await pass_time(on, model, 300)
        assert await words(on) == []
        assert await said(on, DIRECT, who="bo") == []
