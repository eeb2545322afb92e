"""What becomes of a run's surroundings, in stories with a model in the test's hand."""

import pytest

from agency import fires, handoffs
from bot.app import Surroundings
from bot.engine import inputs, runs
from bot.errors import ModelRefused
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from memory import facts, originals
from tests.conftest import OpenStage
from tests.fakes.scripted import Answer, ScriptedModel, echo, pass_time, private, say, use


def refuse(_: Context) -> list[Block]:
    raise ModelRefused("400 never")


async def covered(on: Stage, room: str) -> bool:
    """Whether a memory run has been over everything said in a room."""
    address = f"web:local/{room}"
    row = await on.house.db.read(
        lambda reader: reader.one("SELECT id FROM sessions WHERE key = :key", key=address)
    )
    assert row is not None
    summary = await on.house.db.read(facts.summary, row["id"])
    unread = await on.house.db.read(originals.since, row["id"], summary.covered, limit=9)
    return not unread


@pytest.mark.parametrize("answer", [refuse, lambda _: [private("nothing to keep")]])
async def test_a_stretch_that_cannot_be_read_is_passed_over(
    stage: OpenStage, answer: object
) -> None:
    """It must neither be tried for ever nor hold up what is said later."""
    model = ScriptedModel(memory=answer)  # type: ignore[arg-type]
    async with stage(Surroundings(model=model)) as on:
        await on.say("bo", "project", "The gate moved.")
        await on.wait(1000)
        assert len(model.of("memory")) == 1
        assert await covered(on, "project")
        await on.say("bo", "project", "It moved again.")
        await on.wait(1000)
        assert len(model.of("memory")) == 2


async def test_what_is_said_during_a_memory_run_is_read_by_the_next(stage: OpenStage) -> None:
    def keep(seen: Context) -> list[Block]:
        found = [
            {"kind": "fact", "text": row["text"], "sources": [row["id"]]}
            for row in seen.section("messages")
        ]
        return [use("remember", facts=found)]

    model = ScriptedModel(memory=keep)
    let_go = model.hold("memory")
    async with stage(Surroundings(model=model)) as on:
        await on.say("bo", "project", "first")
        await pass_time(on, model, 100)
        assert model.held == 1
        await on.say("bo", "project", "second")
        await pass_time(on, model, 100)
        let_go()
        await on.wait(300)
        kept = await on.house.db.read(
            lambda reader: [row["body"] for row in reader.all("SELECT body FROM facts")]
        )
        assert kept == ["first", "second"]


async def test_a_helper_that_fails_is_reported_to_the_agency(stage: OpenStage) -> None:
    def agency(seen: Context) -> list[Block]:
        if seen.steps or seen.section("fires")[0]["kind"] == "report":
            return [private("done")]
        return [use("start_subagent", kind="investigate", task="look")]

    model = ScriptedModel(agency=agency, subagent=refuse)
    async with stage(Surroundings(model=model)) as on:
        await on.say("bo", "project", "The gate moved.")
        await on.wait(1200)
        found = await on.house.db.read(lambda reader: fires.latest(reader, limit=20))
        [report] = [fire for fire in found if fire.kind is fires.Kind.REPORT]
        assert report.payload["outcome"] == "failed"
        assert report.state is fires.State.CONSUMED


def say_and_fail(seen: Context) -> list[Block]:
    return refuse(seen) if seen.called("say") else [say("The gate moved.", more=True)]


@pytest.mark.parametrize(
    ("answer", "end", "posted"),
    [
        (refuse, handoffs.State.DECLINED, []),
        (say_and_fail, handoffs.State.SPOKEN, ["The gate moved."]),
    ],
)
async def test_a_nudge_whose_run_dies_is_reported_as_it_was_and_without_an_excuse(
    stage: OpenStage, answer: Answer, end: handoffs.State, posted: list[str]
) -> None:
    """Nobody asked for it, so nobody is told that it failed."""

    def agency(seen: Context) -> list[Block]:
        news = [row for row in seen.section("fires") if row.get("room") == "#release"]
        if seen.steps or not news:
            return [private("done")]
        target = next(row for row in seen.section("sessions") if row["title"] == "#project")
        return [
            use(
                "submit_to_session",
                session=target["session"],
                text="The gate moved.",
                subject="gate",
                state="moved",
                grade="major",
                sources=[news[0]["original"]],
            )
        ]

    model = ScriptedModel(agency=agency, conversation=answer)
    async with stage(Surroundings(model=model)) as on:
        await on.say("bo", "project", "good morning")
        await on.say("kai", "release", "The gate moved.")
        await on.wait(1200)
        [told] = await on.house.db.read(lambda reader: handoffs.latest(reader, limit=9))
        assert told.state is end
        assert "never" in told.reason
        said = [p.text for p in await on.posts("project") if p.author == "bot"]
        assert said == posted
        found = await on.house.db.read(lambda reader: fires.latest(reader, limit=20))
        reports = [fire for fire in found if fire.kind is fires.Kind.REPORT]
        assert [fire.payload["outcome"] for fire in reports] == [end.value]


async def test_who_was_answered_before_the_failure_hears_no_excuse(stage: OpenStage) -> None:
    def answer(seen: Context) -> list[Block]:
        if seen.called("say"):
            raise ModelRefused("400 never")
        return [say("here you are", more=True)]

    async with stage(Surroundings(model=ScriptedModel(conversation=answer))) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(60)
        posts = await on.posts(DIRECT, who="ana")
        assert [post.text for post in posts] == ["hello", "here you are"]


async def test_no_input_is_left_without_a_run(stage: OpenStage) -> None:
    """What came while a run was dying is given to the next one."""
    fail = [True]

    def answer(seen: Context) -> list[Block]:
        if fail:
            fail.pop()
            raise ModelRefused("400 never")
        return echo(seen)

    model = ScriptedModel(conversation=answer)
    let_go = model.hold("conversation")
    async with stage(Surroundings(model=model)) as on:
        await on.say("ana", DIRECT, "first")
        await pass_time(on, model, 2)
        await on.say("ana", DIRECT, "second")
        await pass_time(on, model, 2)
        let_go()
        await on.wait(30)
        posts = [p.text for p in await on.posts(DIRECT, who="ana") if p.author == "bot"]
        assert len(posts) == 2
        assert "something on my side failed" in posts[0]
        assert posts[1] == "heard: second"
        found = await on.house.db.read(lambda reader: runs.latest(reader, limit=9))
        given = [await on.house.db.read(inputs.of_run, run.id) for run in found]
        assert all(one.state is inputs.State.DELIVERED for row in given for one in row)
