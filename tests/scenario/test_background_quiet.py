"""What runs in the background says nothing by itself: only `say` is heard, and silence is none."""

import pytest

from agency import fires, inbox
from bot.app import Surroundings
from bot.engine import letters, runs
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays import team
from bot.plays.stage import DIRECT, Stage
from tests.conftest import OpenStage
from tests.fakes import newsroom
from tests.fakes.newsroom import later
from tests.fakes.scripted import ScriptedModel, private, say, use

IDLE = {
    "said": "All quiet, no new mail.",
    "narrated, then a sign for silence": "Checking… Emails: nothing urgent.\n\nHEARTBEAT_OK",
    "said in Chinese": "一切正常，没有新消息。",
    "a sign alone": "NO_REPLY",
}
ROUNDS = 5


async def assert_nobody_heard(on: Stage) -> None:
    """No post in any room or DM, nothing on its way, and nothing in an inbox."""
    for room in team.ROOMS:
        assert [p for p in await on.posts(room.id) if p.author == "bot"] == [], room.id
    for person in team.PEOPLE:
        assert [p for p in await on.posts(DIRECT, who=person.id) if p.author == "bot"] == []
    assert await on.house.db.read(lambda r: letters.latest(r, limit=9)) == []
    assert await on.house.db.read(lambda r: inbox.latest(r, None, limit=9)) == []


@pytest.mark.parametrize("words", IDLE.values(), ids=IDLE)
async def test_an_agency_with_nothing_to_report_reports_nothing_ag_11(
    stage: OpenStage, words: str
) -> None:
    """The case's inputs, each half hour: heartbeats and what was overheard wake it, in vain."""
    model = ScriptedModel(agency=lambda _: [private(words)])
    async with stage(Surroundings(model=model), agency__heartbeat="30m") as on:
        await on.say("bo", DIRECT, "/quiet off")
        await on.wait(5)
        told = await on.house.db.read(lambda r: letters.latest(r, limit=9))
        for _ in range(ROUNDS):
            await on.say("lin", "general", "An ordinary remark.")
            await on.wait(60)
            await later(on, minutes=29)
        found = await on.house.db.read(lambda r: runs.latest(r, role="agency", limit=50))
        assert len(found) >= ROUNDS
        assert found[0].reason == words, "it is kept in the record, for the operator"
        kinds = {f.kind for f in await on.house.db.read(lambda r: fires.latest(r, limit=99))}
        assert fires.Kind.HEARTBEAT in kinds
        assert await on.house.db.read(lambda r: letters.latest(r, limit=9)) == told
        assert await on.house.db.read(lambda r: inbox.latest(r, None, limit=9)) == []


@pytest.mark.parametrize("words", IDLE.values(), ids=IDLE)
async def test_a_room_that_is_given_news_hears_what_is_said_and_no_narration_ag_11(
    stage: OpenStage, words: str
) -> None:
    model = ScriptedModel(agency=newsroom.agency(), conversation=lambda _: [private(words)])
    async with stage(Surroundings(model=model), agency__memory="false") as on:
        await on.say("bo", "project", "good morning")
        await on.say("lin", "architecture", "News: the gate is open")
        await on.wait(120)
        assert len(model.of("conversation")) >= 1, "it was asked what to say"
        await assert_nobody_heard(on)


def look_into_it(seen: Context) -> list[Block]:
    """Start a subagent once, then be done."""
    fresh = any(str(row.get("text", "")).startswith("News") for row in seen.section("fires"))
    if seen.steps or not fresh:
        return [private("All quiet.")]
    return [use("start_subagent", kind="investigate", task="Look into the gate.")]


async def test_what_a_subagent_or_the_memory_writes_is_heard_by_nobody_ag_11(
    stage: OpenStage,
) -> None:
    model = ScriptedModel(
        agency=look_into_it,
        subagent=lambda _: [private("I looked: nothing urgent.")],
        memory=lambda _: [private("Nothing worth keeping.")],
    )
    async with stage(Surroundings(model=model)) as on:
        await on.say("lin", "architecture", "News: the gate is open")
        await on.wait(300)
        assert len(model.of("subagent")) == 1
        assert len(model.of("memory")) >= 1
        await assert_nobody_heard(on)


async def test_a_digest_with_nothing_in_it_is_not_sent_ag_11(stage: OpenStage) -> None:
    model = ScriptedModel(agency=lambda _: [private("All quiet, no new mail.")])
    async with stage(Surroundings(model=model)) as on:
        await on.say("lin", "general", "An ordinary remark.")
        for _ in range(ROUNDS):
            await newsroom.until(on, 9)
        await assert_nobody_heard(on)


async def test_what_is_said_on_purpose_is_heard_once_ag_11(stage: OpenStage) -> None:
    """The same run narrates, says one thing, and narrates on: the one thing is heard."""
    model = ScriptedModel(
        agency=newsroom.agency(),
        conversation=lambda _: [private("Checking…"), say("The gate is open, says Lin.")],
    )
    async with stage(Surroundings(model=model), agency__memory="false") as on:
        await on.say("bo", "project", "good morning")
        await on.say("lin", "architecture", "News: the gate is open")
        await on.wait(120)
        assert await newsroom.heard(on, "bo", room="project") == ["The gate is open, says Lin."]
