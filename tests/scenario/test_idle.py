"""What a quiet house costs, and that looking around by itself leaves no trace in a chat."""

import json
from datetime import timedelta

import pytest

from adapters.web.rooms import Access, RoomSeed
from agency import fires
from bot.app import Surroundings
from bot.engine import inputs
from bot.models import tokens
from bot.models.model import Request
from bot.plays import team
from bot.plays.stage import DIRECT, Stage, open_stage
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes.scripted import ScriptedModel, echo, private

LONG = "We went through the migration plan once more, step by step, and changed nothing. " * 20
HALF_HOUR = timedelta(minutes=30)
SMALL = 50_000  # tokens; the histories of the case are three times as long, in each session


def around(model: ScriptedModel) -> Surroundings:
    return Surroundings(model=model)


def size(request: Request) -> int:
    return tokens.estimate_tokens(json.dumps(list(request.messages), ensure_ascii=False))


async def idle(on: Stage, span: timedelta) -> None:
    """Let nothing happen; every half hour all that sleeps wakes up and looks."""
    for _ in range(span // HALF_HOUR):
        on.clock.skip(HALF_HOUR)
        await on.wait(2)


async def beats(on: Stage) -> list[fires.Fire]:
    found = await on.house.db.read(lambda reader: fires.latest(reader, limit=1000))
    return [one for one in found if one.kind is fires.Kind.HEARTBEAT]


async def test_twelve_idle_sessions_cost_nearly_nothing_in_three_days(
    make_config: MakeConfig,
) -> None:
    """AG-01: a check without a model first, one tick for all sessions, and a small context."""
    rooms = tuple(
        RoomSeed(id=f"room{n}", title=f"room{n}", access=Access.OPEN, members=("ana", "bo"))
        for n in range(12)
    )
    model = ScriptedModel(conversation=echo)
    config = make_config(agency__heartbeat="30m")
    async with open_stage(
        config, MONDAY, people=team.PEOPLE, rooms=rooms, around=around(model)
    ) as on:
        for room in rooms:
            for _ in range(5):
                await on.say("ana", room.id, LONG)
        await on.wait(600)
        model.calls.clear()
        await idle(on, timedelta(days=3))
        assert len(model.calls) <= 1, "one look around at all twelve, and no other call"
        assert sum(map(size, model.calls)) < SMALL
        assert len(await beats(on)) <= 1


@pytest.mark.parametrize(
    "asked", ["Morning! what's on today?", "早上好！今天有什么安排？"], ids=["en", "zh"]
)
async def test_the_first_word_after_a_look_around_is_answered_as_itself(
    stage: OpenStage, asked: str
) -> None:
    """AG-13: what the agency thinks by itself never becomes a part of a chat."""
    model = ScriptedModel(conversation=echo, agency=lambda _: [private("HEARTBEAT_OK: no news")])
    async with stage(around(model), agency__heartbeat="30m") as on:
        await on.say("ana", DIRECT, "See you tomorrow.")
        await on.wait(120)
        await idle(on, timedelta(hours=21))
        assert len(await beats(on)) == 1
        before = [post.text for post in await on.posts(DIRECT, who="ana")]
        await on.say("ana", DIRECT, asked)
        await on.wait(60)
        told = json.dumps(list(model.of("conversation")[-1].messages), ensure_ascii=False)
        assert asked in told
        for trace in ("HEARTBEAT_OK", "heartbeat", "Nothing new for a while"):
            assert trace not in told
        after = [post.text for post in await on.posts(DIRECT, who="ana")]
        assert after == [*before, asked, f"heard: {asked}"]


async def test_nothing_piles_up_for_an_agency_that_is_off(stage: OpenStage) -> None:
    """What it would have looked at is in the history, and is not queued for years."""
    async with stage(around(ScriptedModel(conversation=echo)), agency__enabled="false") as on:
        for _ in range(3):
            await on.say("ana", "project", "@Limen the gate moves to Tuesday.")
            await on.wait(200)
        assert await on.house.db.read(lambda reader: fires.latest(reader, limit=100)) == []
        session = (await on.house.db.read(lambda r: inputs.get(r, 1))).session_id
        assert await on.house.db.read(inputs.waiting, session) == 0
