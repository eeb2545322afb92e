"""A model that is away for hours: work waits, people are told once, and it is all done afterwards.

The whole house on a virtual clock, asking a Messages API on the loopback by the official client.
"""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from bot import inspection
from bot.app import Surroundings
from bot.engine import outages, runs
from bot.engine.breaker import PAUSE_LIMIT
from bot.plays.stage import Stage
from memory.db import Reader
from tests.conftest import OpenStage
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Break, Failure, Reply, says
from tests.fakes.scripted_chat import ScriptedChat
from tests.scenario.test_llm_cases import Body, only_talk, say

HOUR = 3600.0
AWAY = "out of reach"
UNPAID = Failure(400, message="Your credit balance is too low to access the API")
BOSS = {"access__admins": "slack:boss"}


@dataclass
class Model:
    """What the endpoint does: a trouble, or an answer that says which question it is for."""

    trouble: Reply | None = None
    asked: list[str] = field(default_factory=list)
    """The questions it was asked, in order, answered or not."""

    def __call__(self, body: Body) -> Reply:
        question = next((word for word in _words(body) if word.startswith("question")), "")
        self.asked.append(question)
        return self.trouble or say(f"on {question}")

    def talk(self, body: Body) -> Reply:
        """Background work fails with everything else."""
        return only_talk(self, self.trouble)(body)


def _words(body: Body) -> list[str]:
    first = body["messages"][0]["content"]
    return " ".join(block["text"] for block in first if block["type"] == "text").split('"')


@dataclass
class Scene:
    """A house, its chat, and the model it asks."""

    on: Stage
    chat: ScriptedChat
    model: Model

    async def wait(self, hours: float) -> None:
        await self.on.wait(hours * HOUR)

    async def runs(self, role: str = "conversation") -> list[runs.Run]:
        """Oldest first."""

        def read(reader: Reader) -> list[runs.Run]:
            return runs.latest(reader, limit=999, role=role)[::-1]

        return await self.on.house.db.read(read)

    def words_of_outage(self, who: str) -> list[str]:
        return [text for text in self.chat.said(who) if AWAY in text or "连不上" in text]

    def status(self) -> str:
        return "\n".join(inspection.status(self.on.house.config, self.on.clock()))


@asynccontextmanager
async def scene(stage: OpenStage, model: Model, **keys: object) -> AsyncIterator[Scene]:
    chat = ScriptedChat(name="slack")
    async with MessagesApi(model.talk) as api:
        settings = {
            "model__provider": "anthropic",
            "model__base_url": api.url,
            "model__api_key": api.key,
            **keys,
        }
        async with stage(Surroundings(chats=(chat,)), **settings) as on:
            yield Scene(on, chat, model)


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (Failure(500, message="internal error"), "answered 500"),
        (Failure(529), "answered 529"),
        (Failure(401, message="invalid x-api-key"), "api_key was not accepted"),
        (UNPAID, "billing"),
    ],
    ids=["broken", "overloaded", "revoked key", "unpaid"],
)
async def test_hours_without_a_model_delay_every_answer_and_lose_none(
    stage: OpenStage, trouble: Reply, why: str
) -> None:
    async with scene(stage, Model(), **BOSS) as at:
        await at.chat.say("boss", "question 0")
        await at.wait(0.1)
        at.model.trouble = trouble
        await at.chat.say("mira", "question 1")
        await at.on.wait(45)
        assert at.chat.said("mira") == [], "nobody is told of what may be over in a moment"
        await at.on.wait(60)
        await at.chat.say("luo", "question 2，最新的计划是什么？")
        await at.on.wait(60)
        assert at.words_of_outage("mira") == at.chat.said("mira")
        assert "since 10:06" in at.chat.said("mira")[0]
        assert "从 10:06 起" in at.chat.said("luo")[0]
        await at.chat.say("mira", "question 1, part two")
        await at.wait(1)
        assert [len(at.chat.said(who)) for who in ("mira", "luo")] == [1, 1], "told once a chat"
        [told] = [text for text in at.chat.said("boss") if "as an admin" in text]
        assert why in told
        assert "model     away since 2026-11-30 10:06" in at.status()
        assert {run.state for run in (await at.runs())[1:]} == {runs.State.QUEUED}
        at.model.trouble = None
        await at.on.wait(PAUSE_LIMIT.total_seconds() + 5)
        assert at.chat.said("mira")[1:] == ["on question 1"]
        assert len(at.chat.said("luo")) == 2
        assert {run.state for run in await at.runs()} == {runs.State.SUCCEEDED}
        assert "model     away last from 2026-11-30 10:06 to 2026-11-30 11:" in at.status()


async def test_a_short_outage_is_told_nobody(stage: OpenStage) -> None:
    async with scene(stage, Model(Failure(529)), **BOSS) as at:
        await at.chat.say("mira", "question 1")
        await at.on.wait(30)
        at.model.trouble = None
        await at.on.wait(60)
        assert at.chat.said("mira") == ["on question 1"]
        assert at.chat.said("boss") == []


async def test_nobody_listens_where_the_model_was_and_it_comes_back(stage: OpenStage) -> None:
    """The connection is refused, as while a gateway is restarted."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    chat, model = ScriptedChat(name="slack"), Model()
    settings = {
        "model__provider": "anthropic",
        "model__base_url": f"http://127.0.0.1:{port}",
        "model__api_key": "test-key",
    }
    async with stage(Surroundings(chats=(chat,)), **settings) as on:
        at = Scene(on, chat, model)
        await chat.say("mira", "question 1")
        await at.wait(2)
        assert len(at.words_of_outage("mira")) == 1
        assert "connection" in at.status()
        async with MessagesApi(model.talk, port=port):
            await on.wait(PAUSE_LIMIT.total_seconds() + 5)
            assert chat.said("mira")[1:] == ["on question 1"]


async def test_a_model_that_keeps_silent_is_an_outage_too(stage: OpenStage) -> None:
    silent = says("an answer of some length", broken=Break.STALL, after=2)
    async with scene(stage, Model(silent), model__timeout="50ms") as at:
        await at.chat.say("mira", "question 1")
        await at.wait(0.5)
        assert len(at.words_of_outage("mira")) == 1
        at.model.trouble = None
        await at.wait(0.2)
        assert at.chat.said("mira")[1:] == ["on question 1"]


async def test_forty_rooms_that_wait_ask_once_for_all_of_them(stage: OpenStage) -> None:
    async with scene(stage, Model(Failure(529)), agency__enabled=False, agency__memory=False) as at:
        people = [f"p{number:03}" for number in range(40)]
        for number, who in enumerate(people):
            await at.chat.say(who, f"question {number:03}")
            await at.on.wait(1)
        at.model.asked.clear()
        await at.wait(1.5)
        assert 15 <= len(at.model.asked) <= 22, "one call every five minutes, whoever waits"
        assert len(set(at.model.asked)) == len(at.model.asked), "it is another's question each time"
        at.model.asked.clear()
        at.model.trouble = None
        await at.on.wait(PAUSE_LIMIT.total_seconds() + 60)
        assert [len(at.words_of_outage(who)) for who in people] == [1] * 40
        assert [at.chat.said(who)[1:] for who in people] == [
            [f"on question {number:03}"] for number in range(40)
        ]
        asked = at.model.asked[1:]  # the first was the one that asked for all
        moved = [abs(n - sorted(asked).index(one)) for n, one in enumerate(asked)]
        assert max(moved) < 4, "in the order they came, four side by side"


async def test_who_asks_while_it_is_away_is_told_at_once(stage: OpenStage) -> None:
    async with scene(stage, Model(Failure(529))) as at:
        await at.chat.say("mira", "question 1")
        await at.wait(0.1)
        await at.chat.say("luo", "question 2")
        await at.on.wait(2)
        assert len(at.words_of_outage("luo")) == 1
        await at.chat.say("mira", "what a nice day", room="project", addressed=False)
        await at.wait(0.1)
        assert at.chat.said("project") == [], "who asked nothing waits for nothing"


async def test_a_house_that_is_started_anew_meanwhile_repeats_nothing_and_goes_on(
    stage: OpenStage,
) -> None:
    model = Model(Failure(401))
    told: list[str] = []
    for hours in (0, 2, 4):
        async with scene(stage, model) as at:
            at.on.clock.skip(timedelta(hours=hours))
            if not told:
                await at.chat.say("mira", "question 1")
            await at.wait(0.1)
            told += at.words_of_outage("mira")
    assert len(told) == 1, "one outage, however often it was started"
    model.trouble = None  # somebody set another key, and starts it with that
    async with scene(stage, model) as at:
        at.on.clock.skip(timedelta(hours=9))
        await at.on.wait(5)
        assert at.chat.said("mira") == ["on question 1"], "asked at once after a start"


async def test_patience_has_an_end_and_who_waited_is_told(stage: OpenStage) -> None:
    async with scene(stage, Model(Failure(529)), model__outage_patience="1h") as at:
        for number, who in enumerate(("mira", "luo", "ana")):
            await at.chat.say(who, f"question {number}")
        await at.wait(0.75)
        await at.chat.say("bo", "question 9")
        await at.wait(0.4)
        for who in ("mira", "luo", "ana"):
            assert len(at.chat.said(who)) == 2
            assert at.chat.said(who)[1].startswith("Sorry")
        assert len(at.chat.said("bo")) == 1, "each question has its own hour"
        background = [*await at.runs("memory"), *await at.runs("agency")]
        assert background
        assert {run.state for run in background} == {runs.State.QUEUED}, "what nobody waits for"
        at.model.trouble = None
        await at.on.wait(PAUSE_LIMIT.total_seconds() + 5)
        assert at.chat.said("bo")[1:] == ["on question 9"]


async def test_a_request_that_always_fails_is_given_up_and_keeps_nobody_waiting(
    stage: OpenStage,
) -> None:
    """DU-12: the endpoint answers everybody else, so this one's tries count as its own."""
    model = Model()

    def author(body: Body) -> Reply:
        reply = model.talk(body)
        poisoned = any("poison" in word for word in _words(body))
        return Failure(500, message="internal error") if poisoned else reply

    chat = ScriptedChat(name="slack")
    async with MessagesApi(author) as api:
        settings = {
            "model__base_url": api.url,
            "model__api_key": api.key,
            "agency__enabled": False,
            "agency__memory": False,
        }
        async with stage(Surroundings(chats=(chat,)), **settings) as on:
            at = Scene(on, chat, model)
            await chat.say("bo", "poison")
            for number in range(12):
                await chat.say("mira", f"question {number}")
                await on.wait(10)
            assert len(chat.said("mira")) == 12
            assert len([text for text in chat.said("bo") if text.startswith("Sorry")]) == 1
            [bad] = [run for run in await at.runs() if run.state is runs.State.FAILED]
            assert "answered 500" in bad.error
            assert bad.attempts == runs.MAX_ATTEMPTS


async def test_what_needs_no_endpoint_goes_on_meanwhile(stage: OpenStage) -> None:
    """The day's budget is used up, so the built-in model answers: as configured, and no more."""
    async with scene(stage, Model(), budget__daily_tokens=1) as at:
        await at.chat.say("mira", "question 1")
        await at.on.wait(10)
        at.model.trouble = Failure(529)
        before = len(at.model.asked)
        await at.chat.say("mira", "hello, are you there?")
        await at.on.wait(10)
        assert len(at.chat.said("mira")) >= 2
        assert len(at.model.asked) == before
        assert await at.on.house.db.read(outages.latest) is None


async def test_a_question_taken_back_meanwhile_is_not_answered(stage: OpenStage) -> None:
    async with scene(stage, Model(Failure(529))) as at:
        id = await at.chat.say("mira", "question 1", room="project")
        await at.wait(0.1)
        await at.chat.recall("mira", id, room="project")
        at.model.trouble = None
        await at.wait(0.2)
        assert [text for text in at.chat.said("project") if "on question" in text] == []
        assert [run.state for run in await at.runs()] == [runs.State.CANCELLED]
