"""The agency's runs on a virtual clock: what dies, what loops, what an hour of talk costs."""

from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta

from agency import fires, handoffs
from bot.app import Surroundings
from bot.engine import inputs, runs
from bot.errors import ModelRefused
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays import team
from bot.plays.stage import Stage, open_stage
from memory.db import Reader
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes.scripted import ScriptedModel, echo, pass_time, private, use


def around(model: ScriptedModel) -> Surroundings:
    return Surroundings(model=model)


async def all_runs(on: Stage, role: str = "conversation") -> list[runs.Run]:
    return await on.house.db.read(lambda r: runs.latest(r, limit=500, role=role)[::-1])


async def bot_said(on: Stage, room: str, who: str = "ana") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def all_fires(on: Stage) -> list[fires.Fire]:
    return await on.house.db.read(lambda reader: fires.latest(reader, limit=500)[::-1])


async def test_what_a_dead_agency_run_was_given_waits_again_and_is_put_aside_at_last(
    stage: OpenStage,
) -> None:
    broken = True

    def failing(_: Context) -> list[Block]:
        if broken:
            raise ModelRefused("400 bad request")
        return [private("nothing")]

    async with stage(around(ScriptedModel(agency=failing))) as on:
        await on.say("bo", "project", "Let's plan the rollout.")
        await on.wait(30)
        found = (await all_fires(on))[0]
        assert (found.state, found.attempts) == (fires.State.PENDING, 1)
        await on.wait(600)
        found = (await all_fires(on))[0]
        assert (found.state, found.attempts) == (fires.State.DEAD, 3)
        assert "400 bad request" in found.error

        broken = False
        assert await on.house.db.write(fires.retry, found.id)
        on.house.alarms["agency"].bell.ring()
        await on.wait(300)
        assert (await all_fires(on))[0].state is fires.State.CONSUMED


async def test_news_during_an_agency_run_is_steered_into_it(stage: OpenStage) -> None:
    model = ScriptedModel()
    let_go = model.hold("agency")
    async with stage(around(model)) as on:
        await on.say("bo", "project", "Let's plan the rollout.")
        await pass_time(on, model, 30)
        await on.say("kai", "release", "The gate is ready.")
        await pass_time(on, model, 30)
        states = [fire.state for fire in await all_fires(on)]
        assert states == [fires.State.SUBMITTED, fires.State.STEERED]
        let_go()
        await on.wait(5)
        assert {fire.state for fire in await all_fires(on)} == {fires.State.CONSUMED}
        assert len(await all_runs(on, "agency")) == 1
        assert len(model.of("agency")) == 2


def nudge(seen: Context) -> list[Block]:
    """Hand over to #project what is said in #release."""
    target = next(row for row in seen.section("sessions") if row["title"] == "#project")
    news = [row for row in seen.section("fires") if row.get("room") == "#release"]
    if seen.steps or not news:
        return [private("done")]
    return [
        use(
            "submit_to_session",
            session=target["session"],
            text="The gate changed.",
            subject="gate",
            state="Tuesday",
            grade="major",
            sources=[news[0]["original"]],
        )
    ]


async def test_what_the_agency_caused_is_no_news_also_when_it_is_steered_or_merged(
    stage: OpenStage,
) -> None:
    """B12: a handoff that joins a person's run keeps its origin there."""
    model = ScriptedModel(conversation=echo, agency=nudge)
    let_go = model.hold("#project")
    async with stage(around(model)) as on:
        await on.say("ana", "project", "hello all")
        await on.wait(60)
        await on.say("bo", "project", "@Limen what is up?")
        await pass_time(on, model, 2)
        assert model.held == 1
        await on.say("kai", "release", "The gate moves to Tuesday.")
        await pass_time(on, model, 30)
        let_go()
        await on.wait(120)

        def given(reader: Reader) -> list[inputs.Input]:
            run = next(
                run
                for run in runs.latest(reader, limit=50, role="conversation")
                if len(inputs.of_run(reader, run.id)) > 1
            )
            return inputs.of_run(reader, run.id)

        message, steered = await on.house.db.read(given)
        assert (message.origin, message.hop) == ("", 0)
        assert steered.trigger is inputs.Trigger.HANDOFF
        assert steered.origin.startswith("handoff:")
        assert steered.hop == 1
        outputs = [f for f in await all_fires(on) if f.kind is fires.Kind.OUTPUT]
        assert outputs == [], "nothing that run said comes back as news"
        reports = [f for f in await all_fires(on) if f.kind is fires.Kind.REPORT]
        assert [(r.hop, r.payload["outcome"]) for r in reports] == [(1, "spoken")]
        assert reports[0].origin == steered.origin
        told = await on.house.db.read(lambda reader: handoffs.latest(reader, limit=9))
        assert [one.state for one in told] == [handoffs.State.SPOKEN]


async def test_a_long_silence_is_one_heartbeat(stage: OpenStage) -> None:
    model = ScriptedModel()
    async with stage(around(model), agency__heartbeat="5m") as on:
        await on.wait(3600)
        assert await all_fires(on) == [], "nothing happened, so there is nothing to look at"
        await on.say("bo", "project", "good morning")
        await on.wait(2 * 3600)
        beats = [f for f in await all_fires(on) if f.kind is fires.Kind.HEARTBEAT]
        assert len(beats) == 1, "not twenty-four"
        run = (await all_runs(on, "agency"))[-1]
        assert run.priority == runs.Priority.IDLE


async def test_a_house_that_was_off_for_a_day_beats_once(make_config: MakeConfig) -> None:
    async with _opened(make_config, MONDAY) as on:
        await on.say("bo", "project", "good morning")
        await on.wait(60)
    async with _opened(make_config, MONDAY + timedelta(days=1)) as on:
        await on.wait(600)
        beats = [f for f in await all_fires(on) if f.kind is fires.Kind.HEARTBEAT]
        assert len(beats) == 1


def _opened(make_config: MakeConfig, start: datetime) -> AbstractAsyncContextManager[Stage]:
    given = around(ScriptedModel())
    return open_stage(make_config(), start, people=team.PEOPLE, rooms=team.ROOMS, around=given)


async def test_a_thousand_messages_in_an_hour_cost_fifty_agency_calls_at_most(
    stage: OpenStage,
) -> None:
    model = ScriptedModel()
    people = (("lin", "architecture"), ("bo", "project"), ("kai", "release"), ("mo", "general"))
    async with stage(around(model)) as on:
        for number in range(1000):
            who, room = people[number % len(people)]
            await on.house.rooms.say(who, room, f"an ordinary remark, number {number}")
            await on.wait(3.6)
        await on.wait(300)
        assert len(model.of("agency")) <= 50
        found = await on.house.db.read(fires.counts)
        assert found == {}, "all of them were looked at"
