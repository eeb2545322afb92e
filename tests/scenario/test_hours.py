"""Nobody is woken: quiet hours and pauses hold wherever something leaves the house unasked."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from agency import handoffs
from agency.handoffs import Handoff, State
from bot.app import Surroundings
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, echo, pass_time, private, use
from tests.fakes.scripted_chat import ScriptedChat

PLAN = "Let's plan the rollout with legacy-release."
CHANGE = "We decided: the release path moves from legacy-release to canary-release."
ZH_PLAN = "我们计划用 legacy-release 上线。"
ZH_CHANGE = "决定了：发布流程从 legacy-release 改为 canary-release。"


NIGHT = {"speaking__quiet_hours": "10:10-10:40"}


def nudging(
    title: str, grade: str = "minor", *, lasting: bool = False
) -> Callable[[Context], list[Block]]:
    """Hand over to a chat whatever is said in #release."""

    def nudge(seen: Context) -> list[Block]:
        target = next((row for row in seen.section("sessions") if row["title"] == title), None)
        news = [row for row in seen.section("fires") if row.get("room") == "#release"]
        if seen.steps or not news or target is None:
            return [private("done")]
        return [
            use(
                "submit_to_session", session=target["session"], text=row["text"],
                subject=row["text"], state="new", grade=grade, lasting=lasting,
                sources=[row["original"]],
            )
            for row in news
        ]  # fmt: skip

    return nudge


@asynccontextmanager
async def anns(
    stage: OpenStage, **keys: str
) -> AsyncIterator[tuple[Stage, ScriptedChat, ScriptedModel]]:
    """A house in which Ann has a DM on Slack, and is told what is said in #release."""
    chat = ScriptedChat(name="slack")
    model = ScriptedModel(conversation=echo, agency=nudging("ann"))
    async with stage(Surroundings(model=model, chats=(chat,)), **keys) as on:
        await chat.say("ann", "hello")
        await on.wait(60)
        yield on, chat, model


async def until(on: Stage, hour: int, minute: int) -> None:
    """Let time pass until a time of that day in UTC; all begins at ten."""
    then = datetime(2026, 11, 30, hour, minute, tzinfo=UTC)
    await on.wait((then - on.clock()).total_seconds())


async def said(on: Stage, room: str = DIRECT, who: str = "ana") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def states(on: Stage) -> list[State]:
    found = await on.house.db.read(lambda r: handoffs.latest(r, limit=9))
    return [one.state for one in found]


async def handed(on: Stage) -> list[Handoff]:
    return await on.house.db.read(lambda r: handoffs.latest(r, limit=9))


@pytest.mark.parametrize(("plan", "change"), [(PLAN, CHANGE), (ZH_PLAN, ZH_CHANGE)])
async def test_news_of_the_night_is_told_in_the_morning(
    stage: OpenStage, plan: str, change: str
) -> None:
    """AG-02: the rule is code; ten past ten in London is quiet in Berlin."""
    async with stage(speaking__quiet_hours="11:00-11:30", bot__timezone="Europe/Berlin") as on:
        await on.say("bo", "project", plan)
        await until(on, 10, 1)
        await on.say("lin", "architecture", change)
        await until(on, 10, 29)
        assert await said(on, "project") == []
        assert await states(on) == [State.HELD]
        await until(on, 10, 31)
        assert "canary-release" in (await said(on, "project"))[-1]


async def test_a_retry_of_the_day_that_falls_into_the_night_waits(stage: OpenStage) -> None:
    """AG-02: and the answer to a person is not held up behind it."""
    async with anns(stage, **NIGHT) as (on, chat, _):
        await until(on, 10, 8)
        chat.busy = True
        await on.say("kai", "release", "Three items are stale.")
        await until(on, 10, 11)
        chat.busy = False
        await until(on, 10, 20)
        assert chat.said("ann") == ["heard: hello"]
        await chat.say("ann", "are you there?")
        await on.wait(10)
        assert chat.said("ann")[-1] == "heard: are you there?"
        await until(on, 10, 39)
        assert len(chat.said("ann")) == 2
        await until(on, 10, 45)
        assert chat.said("ann")[2:] == ["heard: Three items are stale."]


async def test_a_retry_that_waited_is_not_sent_once_it_is_no_news(stage: OpenStage) -> None:
    """AG-02: what was put off is looked at once more in the morning."""
    async with anns(stage, **NIGHT) as (on, chat, _):
        await until(on, 10, 8)
        chat.busy = True
        await on.say("kai", "release", "Decided: the release gate moves from Monday to Tuesday.")
        await until(on, 10, 11)
        chat.busy = False
        await on.say("kai", "release", "Correction: the release gate stays on Monday.")
        await until(on, 10, 45)
        assert not any("moves" in text for text in chat.said("ann"))
        assert any("stays on Monday" in text for text in chat.said("ann"))


@pytest.mark.parametrize("zone", ["my time zone is Asia/Shanghai", "我的时区是 Asia/Shanghai"])
async def test_a_dm_keeps_the_night_of_its_person(stage: OpenStage, zone: str) -> None:
    """AG-02."""
    async with anns(stage, speaking__quiet_hours="18:00-18:30") as (on, chat, _):
        await chat.say("ann", zone)  # where it is six in the evening
        await on.say("kai", "release", "Three items are stale.")
        await until(on, 10, 29)
        assert not any("stale" in text for text in chat.said("ann"))
        await until(on, 10, 31)
        assert chat.said("ann")[-1] == "heard: Three items are stale."


@pytest.mark.parametrize("order", ["pause", "pause me", "别打扰我", "be quiet here until 11:00"])
async def test_a_nudge_that_is_being_worded_is_held_back_by_a_pause(
    stage: OpenStage, order: str
) -> None:
    async with anns(stage) as (on, chat, model):
        let_go = model.hold("conversation")
        await on.say("kai", "release", "Three items are stale.")
        await pass_time(on, model, 60)
        assert model.held == 1
        await chat.say("ann", order)
        await pass_time(on, model, 5)
        let_go()
        await on.wait(60)
        assert not any("stale" in text for text in chat.said("ann"))
        assert [one.state for one in await handed(on)] == [State.HELD]
        await chat.say("ann", "resume")
        await on.wait(60)
        assert chat.said("ann")[-1] == "heard: Three items are stale."


async def test_a_nudge_does_not_break_into_a_persons_talk_with_the_bot(stage: OpenStage) -> None:
    """AG-05: the answer goes on, the second message is answered, and the nudge comes after."""
    async with anns(stage) as (on, chat, model):
        let_go = model.hold("ann")
        await chat.say("ann", "what is the plan?")
        await pass_time(on, model, 2)
        await on.say("kai", "release", "Three items are stale.")
        await pass_time(on, model, 40)
        await chat.say("ann", "and the budget?")
        await pass_time(on, model, 5)
        let_go()
        await on.wait(15)
        assert chat.said("ann")[1:] == ["heard: what is the plan?", "heard: and the budget?"]
        assert [one.state for one in await handed(on)] == [State.HELD]
        await on.wait(30)
        assert chat.said("ann")[3:] == ["heard: Three items are stale."]


async def test_major_news_does_not_wait_for_a_talk_to_end(stage: OpenStage) -> None:
    """AG-05."""
    async with anns(stage) as (on, chat, model):
        model.answers["agency"] = nudging("ann", "major")
        let_go = model.hold("ann")
        await chat.say("ann", "what is the plan?")
        await pass_time(on, model, 2)
        await on.say("kai", "release", "Three items are stale.")
        await pass_time(on, model, 40)
        let_go()
        await on.wait(5)
        assert [one.state for one in await handed(on)] == [State.SPOKEN]
        assert "what is the plan?" in chat.said("ann")[1]


async def test_a_person_never_waits_behind_the_agency(stage: OpenStage) -> None:
    """AG-05: it thinks in a lane of its own, however long it takes."""
    async with anns(stage) as (on, chat, model):
        model.hold("agency")
        await on.say("kai", "release", "Three items are stale.")
        await pass_time(on, model, 60)
        assert model.held == 1
        await chat.say("ann", "are you there?")
        await pass_time(on, model, 5)
        assert chat.said("ann")[-1] == "heard: are you there?"


@pytest.mark.parametrize("word", ["ok", "知道了"])
async def test_how_long_a_talk_is_left_alone_is_the_operators_choice(
    stage: OpenStage, word: str
) -> None:
    async with anns(stage, speaking__settle="10m") as (on, chat, _):
        await chat.say("ann", word)
        await on.say("kai", "release", "Three items are stale.")
        await on.wait(500)
        assert not any("stale" in text for text in chat.said("ann"))
        await on.wait(200)
        assert chat.said("ann")[-1] == "heard: Three items are stale."


@pytest.mark.parametrize(
    "order", ["stop telling me about stale items", "别再跟我说 stale items 的事"]
)
async def test_a_nudge_that_is_being_worded_is_not_said_once_it_is_muted(
    stage: OpenStage, order: str
) -> None:
    async with anns(stage) as (on, chat, model):
        let_go = model.hold("conversation")
        await on.say("kai", "release", "Three stale items.")
        await pass_time(on, model, 60)
        await chat.say("ann", order)
        await pass_time(on, model, 5)
        let_go()
        await on.wait(60)
        assert not any("heard: Three" in text for text in chat.said("ann"))
        assert [one.state for one in await handed(on)] == [State.DECLINED]


@pytest.mark.parametrize(
    ("word", "days"),
    [
        ("", [0, 1, 3]),
        ("ok", [0]),
        ("知道了", [0]),
        ("stop", [0]),
        ("later", [0, 2]),
        ("稍后", [0, 2]),
    ],
)
async def test_a_condition_that_holds_on_is_told_at_growing_intervals(
    stage: OpenStage, word: str, days: list[int]
) -> None:
    """AG-04: the agency sees it on every look, also after a restart of its own memory."""
    chat = ScriptedChat(name="slack")
    model = ScriptedModel(conversation=echo, agency=nudging("ann", lasting=True))
    told: list[int] = []
    async with stage(Surroundings(model=model, chats=(chat,)), agency__heartbeat="0s") as on:
        await chat.say("ann", "hello")
        await on.wait(60)
        for day in range(5):
            before = len(chat.said("ann"))
            await on.say("kai", "release", "The mail of Meridian is unanswered.")
            await on.wait(120)
            told += [day] if any("Meridian" in one for one in chat.said("ann")[before:]) else []
            if day == 0 and word:
                await chat.say("ann", word)
            await on.wait(120)
            on.clock.skip(timedelta(days=1) - timedelta(seconds=230))
    assert told == days


async def test_what_comes_at_once_is_one_message(stage: OpenStage) -> None:
    """Three that finish together do not speak three times."""
    async with anns(stage) as (on, chat, _):
        for item in ("The gate is open.", "The scans are done.", "The notes are written."):
            await on.say("kai", "release", item)
        await on.wait(60)
        [told] = chat.said("ann")[1:]
        assert all(item in told for item in ("gate", "scans", "notes"))


async def test_weighty_news_is_judged_within_seconds_beside_a_talk(stage: OpenStage) -> None:
    """A conversation that takes its time elsewhere holds nothing up."""
    model = ScriptedModel(conversation=echo, agency=nudging("ann"))
    chat = ScriptedChat(name="slack")
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        await chat.say("ann", "hello")
        await on.wait(60)
        model.hold("Bo")
        await on.say("bo", DIRECT, "tell me everything")
        await pass_time(on, model, 5)
        await on.say("kai", "release", "We decided: the release moves from Monday to Tuesday.")
        await pass_time(on, model, 10)
        assert "moves from Monday to Tuesday" in chat.said("ann")[-1]


@pytest.mark.parametrize(
    ("order", "undo"), [("pause me until Monday", "resume me"), ("pause until Monday", "resume")]
)
async def test_a_letter_that_waits_for_a_pause_goes_out_when_that_is_ended(
    stage: OpenStage, order: str, undo: str
) -> None:
    async with anns(stage) as (on, chat, _):
        chat.busy = True
        await on.say("kai", "release", "Three items are stale.")
        await on.wait(60)
        await chat.say("ann", order)
        await on.wait(60)
        chat.busy = False
        await on.wait(600)
        assert not any("stale" in text for text in chat.said("ann"))
        await chat.say("ann", undo)
        await on.wait(60)
        assert any("stale" in text for text in chat.said("ann"))
