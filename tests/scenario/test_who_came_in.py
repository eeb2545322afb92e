"""Somebody comes into a closed room between the moment news for it was let in and its telling."""

from collections.abc import AsyncIterator

import pytest

from adapters.web.rooms import Access, RoomSeed
from agency import handoffs
from agency.handoffs import State
from bot.app import Surroundings
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import Stage
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, pass_time, private, say, use

NEWS = {"en": "We hire Quintessa in May.", "zh": "我们五月录用王思远。"}
DEAL = RoomSeed(id="deal", title="deal", access=Access.PRIVATE, members=("lin", "kai"))


def hands_on(seen: Context) -> list[Block]:
    news = [row for row in seen.section("fires") if row.get("room") == "#hiring"]
    if seen.steps or not news:
        return [private("done")]
    target = next(row for row in seen.section("sessions") if row["title"] == "#deal")
    return [
        use(
            "submit_to_session",
            session=target["session"],
            text=news[0]["text"],
            subject="hiring",
            state="in May",
            grade="major",
            sources=[news[0]["original"]],
        )
    ]


def tells(seen: Context) -> list[Block]:
    told = [row["text"] for row in seen.section("inputs")]
    return [say(" ".join(told))] if not seen.steps else [private("it was refused")]


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(agency=hands_on, conversation=tells)


@pytest.fixture
async def on(stage: OpenStage, model: ScriptedModel) -> AsyncIterator[Stage]:
    async with stage(Surroundings(model=model)) as opened:
        await opened.house.rooms.seed((), (DEAL,))
        await opened.say("lin", "deal", "good morning")
        await opened.wait(60)
        yield opened


async def state(on: Stage) -> State:
    [told] = await on.house.db.read(lambda reader: handoffs.latest(reader, limit=9))
    return told.state


async def said(on: Stage) -> str:
    return " ".join(post.text for post in await on.posts("deal") if post.author == "bot")


@pytest.mark.parametrize("language", NEWS)
async def test_news_of_a_closed_room_reaches_another_of_the_same_people(
    on: Stage, language: str
) -> None:
    await on.say("lin", "hiring", NEWS[language])
    await on.wait(300)
    assert NEWS[language] in await said(on)


@pytest.mark.parametrize("language", NEWS)
async def test_somebody_who_came_in_before_it_was_read_is_told_nothing(
    on: Stage, model: ScriptedModel, language: str
) -> None:
    let_go = model.hold("#deal")
    await on.say("lin", "deal", "@Limen are you there?")
    await pass_time(on, model, 5)
    await on.say("lin", "hiring", NEWS[language])
    await pass_time(on, model, 200)
    await on.house.rooms.invite("lin", "deal", "bo")
    await pass_time(on, model, 20)
    let_go()
    await on.wait(300)
    assert NEWS[language] not in await said(on)
    assert await state(on) in (State.DROPPED, State.DECLINED)


@pytest.mark.parametrize("language", NEWS)
async def test_somebody_who_came_in_while_it_was_worded_is_told_nothing(
    on: Stage, model: ScriptedModel, language: str
) -> None:
    let_go = model.hold("#deal")
    await on.say("lin", "hiring", NEWS[language])
    await pass_time(on, model, 200)
    assert await state(on) is State.DELIVERED, "it is being worded"
    await on.house.rooms.invite("lin", "deal", "bo")
    await pass_time(on, model, 20)
    let_go()
    await on.wait(300)
    assert NEWS[language] not in await said(on)
    assert await state(on) is State.DECLINED
