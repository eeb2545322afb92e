"""Runs on a virtual clock, with a model in the test's hand: bursts, steering, order, ends."""

from datetime import timedelta

import pytest

from agency import fires
from bot.app import Surroundings
from bot.engine import runs, traces
from bot.errors import ModelRefused, ModelRetry
from bot.models.builtin import conversation
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, echo, pass_time, private, say, use


def around(model: ScriptedModel) -> Surroundings:
    return Surroundings(model=model)


async def all_runs(on: Stage, role: str = "conversation") -> list[runs.Run]:
    return await on.house.db.read(lambda r: runs.latest(r, limit=500, role=role)[::-1])


async def bot_said(on: Stage, room: str, who: str = "ana") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def all_fires(on: Stage) -> list[fires.Fire]:
    return await on.house.db.read(lambda reader: fires.latest(reader, limit=500)[::-1])


async def test_ten_rapid_messages_make_at_most_two_runs(stage: OpenStage) -> None:
    """DU-14: a burst is one turn."""
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        for number in range(10):
            await on.say("ana", DIRECT, f"part {number}")
            await on.wait(0.1)
        await on.wait(10)
        assert len(await all_runs(on)) == 1
        said = await bot_said(on, DIRECT)
        assert len(said) == 1
        assert all(f"part {number}" in said[0] for number in range(10))


async def test_a_slow_burst_is_answered_before_it_ends(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        for number in range(10):
            await on.say("ana", DIRECT, f"part {number}")
            await on.wait(0.7)
        await on.wait(10)
        assert 2 <= len(await all_runs(on)) <= 4
        text = " ".join(await bot_said(on, DIRECT))
        assert [text.count(f"part {number}") for number in range(10)] == [1] * 10


async def test_a_message_during_a_run_is_steered_into_it_and_answered(stage: OpenStage) -> None:
    """DU-14: one run a session at a time."""
    model = ScriptedModel(conversation=echo)
    let_go = model.hold("conversation")
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "first")
        await pass_time(on, model, 2)
        assert model.held == 1
        await on.say("ana", DIRECT, "second")
        await pass_time(on, model, 2)
        let_go()
        await on.wait(5)
        assert await bot_said(on, DIRECT) == ["heard: first", "heard: second"]
        assert len(await all_runs(on)) == 1
        assert len(model.of("conversation")) == 2


async def test_the_built_in_model_answers_what_was_asked_before_and_while_it_looked_things_up(
    stage: OpenStage,
) -> None:
    def by_rule(seen: Context) -> list[Block]:
        return [use(name, **given) for name, given in conversation.decide(seen)[0]]

    model = ScriptedModel(conversation=by_rule)
    let_go = model.hold("conversation")
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "When does the offsite in Lisbon start?")
        await pass_time(on, model, 2)
        await on.say("ana", DIRECT, "And who are you, by the way?")
        await pass_time(on, model, 2)
        let_go()
        await on.wait(5)
        [said] = await bot_said(on, DIRECT)
        assert "I don't know" in said or "nothing" in said
        assert "Limen" in said


async def test_a_message_that_comes_between_say_and_the_end_is_not_left_behind(
    stage: OpenStage,
) -> None:
    """The race of settling: the run may not end while its session holds something unseen."""
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        for number in range(30):
            await on.say("ana", DIRECT, f"q{number}.")
            await on.wait(0.8 if number % 2 else 0.4)
        await on.wait(30)
        text = " ".join(await bot_said(on, DIRECT))
        assert [text.count(f"q{number}.") for number in range(30)] == [1] * 30


async def test_two_rooms_answer_while_a_third_waits_for_a_slow_model(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    let_go = model.hold("#architecture")
    async with stage(around(model)) as on:
        await on.say("lin", "architecture", "@Limen slow one")
        await pass_time(on, model, 2)
        await on.say("ana", "project", "@Limen quick one")
        await on.say("kai", "release", "@Limen quick two")
        await pass_time(on, model, 2)
        assert len(await bot_said(on, "project")) == 1
        assert len(await bot_said(on, "release")) == 1
        assert await bot_said(on, "architecture") == []
        await pass_time(on, model, 600)
        assert [r.attempts for r in await all_runs(on)] == [1, 1, 1], "its lease was kept"
        let_go()
        await on.wait(5)
        assert len(await bot_said(on, "architecture")) == 1


async def test_a_person_never_waits_for_background_places(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    release = [model.hold("agency"), model.hold("memory")]
    async with stage(around(model), bot__max_parallel_runs=1) as on:
        for room, who in (("architecture", "lin"), ("project", "bo"), ("release", "kai")):
            await on.say(who, room, "We decided to move from legacy-release to canary-release.")
        await pass_time(on, model, 300)
        assert model.held == 2, "every background place is taken"
        before = on.clock()
        await on.say("ana", DIRECT, "are you there?")
        await pass_time(on, model, 2)
        assert await bot_said(on, DIRECT) == ["heard: are you there?"]
        assert on.clock() - before == timedelta(seconds=2)
        for let_go in release:
            let_go()
        await on.wait(60)
        assert {run.state for run in await all_runs(on, "memory")} == {runs.State.SUCCEEDED}


async def test_saying_once_costs_one_model_call(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(5)
        assert len(model.of("conversation")) == 1
        assert (await all_runs(on))[0].outcome == "spoken"


async def test_saying_more_goes_on_and_posts_in_order(stage: OpenStage) -> None:
    steps = iter([[say("one", more=True)], [say("two", more=True)], [say("three")]])
    model = ScriptedModel(conversation=lambda _: next(steps))
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "count")
        await on.wait(10)
        assert await bot_said(on, DIRECT) == ["one", "two", "three"]


async def test_ordinary_text_is_private_and_an_addressed_run_is_asked_once_more(
    stage: OpenStage,
) -> None:
    model = ScriptedModel(conversation=lambda _: [private("my secret thoughts")])
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(60)
        assert await bot_said(on, DIRECT) == []
        assert len(model.of("conversation")) == 2
        run = (await all_runs(on))[0]
        assert run.state is runs.State.SUCCEEDED
        assert run.outcome == "silent"
        assert run.reason == "my secret thoughts"
        reminder = model.of("conversation")[1].messages[-1]["content"][-1]["text"]
        assert reminder.startswith("Reminder:")


async def test_asked_once_more_it_may_decline_with_a_reason(stage: OpenStage) -> None:
    def hesitant(seen: Context) -> list[Block]:
        return [use("stay_silent", reason="not mine")] if seen.reminded else [private("hm")]

    model = ScriptedModel(conversation=hesitant)
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(5)
        run = (await all_runs(on))[0]
        assert (run.state, run.outcome, run.reason) == (
            runs.State.SUCCEEDED,
            "declined",
            "not mine",
        )


async def test_a_run_without_an_end_is_given_up_with_one_neutral_line(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=lambda _: [use("search_memory", query="again")])
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(60)
        assert len(model.of("conversation")) == 12
        run = (await all_runs(on))[0]
        assert run.state is runs.State.FAILED
        said = await bot_said(on, DIRECT)
        assert len(said) == 1
        assert "something on my side failed" in said[0]


@pytest.mark.parametrize(
    ("text", "word"), [("what is new?", "Sorry"), ("有什么新消息吗？", "抱歉")], ids=["en", "zh"]
)
async def test_a_refusal_of_the_model_is_one_neutral_line(
    stage: OpenStage, text: str, word: str
) -> None:
    """LLM-10: request ids and billing words stay in the trace."""

    def refuse(_: Context) -> list[Block]:
        raise ModelRefused("403 req_011CS billing: credit balance too low")

    async with stage(around(ScriptedModel(conversation=refuse))) as on:
        await on.say("ana", DIRECT, text)
        await on.wait(600)
        said = await bot_said(on, DIRECT)
        assert len(said) == 1
        assert word in said[0]
        assert "req_" not in said[0]
        assert "billing" not in said[0]
        run = (await all_runs(on))[0]
        assert run.state is runs.State.FAILED
        assert "req_011CS" in run.error


async def test_a_model_that_is_away_is_asked_later(stage: OpenStage) -> None:
    tries = iter([ModelRetry("529 overloaded"), ModelRetry("429", after=30.0), None])

    def flaky(seen: Context) -> list[Block]:
        trouble = next(tries)
        if trouble is not None:
            raise trouble
        return echo(seen)

    model = ScriptedModel(conversation=flaky)
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(4)
        assert len(model.calls) == 1
        await on.say("ana", DIRECT, "still there?")
        await on.wait(10)
        assert len(model.of("conversation")) == 2, "a new message does not shorten the wait"
        await on.wait(60)
        assert await bot_said(on, DIRECT) == ["heard: hello | still there?"]
        assert len(await all_runs(on)) == 1


async def test_a_model_that_stays_away_is_told_once(stage: OpenStage) -> None:
    def away(_: Context) -> list[Block]:
        raise ModelRetry("connection refused")

    async with stage(around(ScriptedModel(conversation=away))) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(1200)
        assert len(await bot_said(on, DIRECT)) == 1
        assert (await all_runs(on))[0].state is runs.State.FAILED


async def test_a_question_recalled_while_queued_is_cancelled(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        post = await on.say("ana", DIRECT, "never mind this")
        await on.house.rooms.delete("ana", post.id)
        await on.wait(30)
        assert model.of("conversation") == []
        assert [run.state for run in await all_runs(on)] == [runs.State.CANCELLED]
        assert await bot_said(on, DIRECT) == []


async def test_a_question_recalled_while_its_run_goes_on_is_not_answered(
    stage: OpenStage,
) -> None:
    """SL-IN-17: no orphan answer lands in the chat."""
    model = ScriptedModel(conversation=echo)
    let_go = model.hold("conversation")
    async with stage(around(model)) as on:
        post = await on.say("ana", DIRECT, "never mind this")
        await pass_time(on, model, 2)
        assert model.held == 1
        await on.house.rooms.delete("ana", post.id)
        await pass_time(on, model, 2)
        let_go()
        await on.wait(30)
        assert await bot_said(on, DIRECT) == []
        assert [run.state for run in await all_runs(on)] == [runs.State.CANCELLED]
        await on.say("ana", DIRECT, "another one")
        await on.wait(5)
        assert await bot_said(on, DIRECT) == ["heard: another one"]


async def test_one_of_two_questions_recalled_leaves_the_other(stage: OpenStage) -> None:
    """The first one's run waits for its model; the second one is taken back meanwhile."""
    tries = iter([True])

    def flaky(seen: Context) -> list[Block]:
        if next(tries, False):
            raise ModelRetry("away")
        return echo(seen)

    async with stage(around(ScriptedModel(conversation=flaky))) as on:
        await on.say("ana", DIRECT, "keep me")
        await on.wait(2)
        post = await on.say("ana", DIRECT, "drop me")
        await on.wait(1)
        await on.house.rooms.delete("ana", post.id)
        await on.wait(30)
        assert await bot_said(on, DIRECT) == ["heard: keep me"]


async def test_an_edit_before_it_is_seen_shows_the_new_text(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        post = await on.say("ana", DIRECT, "when is the fraeze?")
        await on.house.rooms.edit("ana", post.id, "when is the freeze?")
        await on.wait(10)
        assert await bot_said(on, DIRECT) == ["heard: when is the freeze?"]
        assert len(model.of("conversation")) == 1


async def test_the_agency_cannot_speak(stage: OpenStage) -> None:
    model = ScriptedModel(
        agency=lambda seen: [private("done")] if seen.steps else [say("hello everybody")],
        memory=lambda seen: [private("done")] if seen.steps else [say("hello from memory")],
    )
    async with stage(around(model)) as on:
        await on.say("bo", "project", "Let's plan the rollout.")
        await on.wait(300)
        for room in ("project", "general", "architecture"):
            assert await bot_said(on, room, who="bo") == []
        for role in ("agency", "memory"):
            assert "say" not in {tool.name for tool in model.of(role)[0].tools}
            run = (await all_runs(on, role))[0]
            results = await on.house.db.read(traces.results, run.id)
            assert [(result.name, result.failed) for result in results] == [("say", True)]
            assert "has no tool 'say'" in results[0].body
