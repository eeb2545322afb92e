"""What broke other bots between a model and a chat: the whole house, over the real wire."""

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from bot import inspection
from bot.app import Surroundings
from bot.engine import inputs, runs, sessions, traces
from bot.plays.stage import Stage
from memory import originals
from memory.db import Reader, Tx
from tests.conftest import OpenStage
from tests.fakes import messages_rules
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Answer, Break, Failure, Reply, calls, says
from tests.fakes.scripted_chat import ScriptedChat
from tests.scenario.test_faults import FullDatabase

DENIED = "Your API key does not have permission to use the model"
TOO_LONG = "prompt is too long: 205321 tokens > 200000 maximum"
Body = dict[str, Any]
Author = Callable[[Body], Reply]


@dataclass
class Scene:
    """A house with one more chat, and the API its model asks."""

    on: Stage
    chat: ScriptedChat
    api: MessagesApi

    async def asked(self, text: str, *, who: str = "mira", seconds: float = 60) -> list[str]:
        """Somebody writes in their DM; what stands there of the bot's after a while."""
        await self.chat.say(who, text)
        await self.on.wait(seconds)
        return self.chat.said(who)

    @property
    def talks(self) -> list[Body]:
        """The requests of conversations."""
        return [body for body in self.api.bodies if _talks(body)]

    async def runs(self) -> list[runs.Run]:
        """Of conversations, oldest first."""

        def read(reader: Reader) -> list[runs.Run]:
            return runs.latest(reader, limit=99, role="conversation")[::-1]

        return await self.on.house.db.read(read)


def _talks(body: Body) -> bool:
    return any(tool["name"] == "say" for tool in body.get("tools", []))


def only_talk(author: Author, otherwise: Reply | None = None) -> Author:
    """Background work is answered with nothing to do."""
    return lambda body: author(body) if _talks(body) else (otherwise or says("Nothing to do."))


def in_turn(*replies: Reply) -> Author:
    """One after another; the last one for ever."""
    rest: Iterator[Reply] = iter(replies)
    return lambda _: next(rest, replies[-1])


def say(text: str) -> Answer:
    return calls(("say", {"text": text}))


@asynccontextmanager
async def scene(
    stage: OpenStage,
    author: Author,
    *,
    around: Surroundings | None = None,
    api: dict[str, Any] | None = None,
    **keys: object,
) -> AsyncIterator[Scene]:
    chat = ScriptedChat()
    async with MessagesApi(author, **(api or {})) as server:
        given = around or Surroundings()
        surroundings = Surroundings(chats=(chat,), database=given.database)
        settings = {
            "model__provider": "anthropic",
            "model__base_url": server.url,
            "model__api_key": server.key,
            **keys,
        }
        async with stage(surroundings, **settings) as on:
            yield Scene(on, chat, server)


async def test_llm_01_a_house_that_died_between_a_call_and_its_result_goes_on(
    stage: OpenStage,
) -> None:
    """A tool and its result are one transaction, so the one without a result has done nothing:
    a lookup is made again, and every request is valid."""
    look = calls(("search_memory", {"query": "files"}))
    async with scene(
        stage, only_talk(in_turn(look)), around=Surroundings(database=FullDatabase)
    ) as at:
        store = at.on.house.db
        assert isinstance(store, FullDatabase)
        store.refused = ("Runtime._act",)
        assert await at.asked("list files", seconds=20) == []
        [run] = await at.runs()
        assert [step.role for step in await store.read(traces.steps, run.id)] == ["assistant"]
        assert await store.read(traces.results, run.id) == []
    async with scene(stage, only_talk(in_turn(say("There are two.")))) as at:
        assert await at.asked("hello?") == ["There are two."]
        [request] = at.talks
        assert list(messages_rules.faults(request)) == []
        use, answered = request["messages"][1]["content"][0], request["messages"][2]["content"][0]
        assert answered["tool_use_id"] == use["id"]
        assert [run.state for run in await at.runs()] == [runs.State.SUCCEEDED]


@pytest.mark.parametrize("blank", ["\u2063", " "], ids=["telegram", "feishu"])
async def test_llm_02_a_blank_message_asks_for_no_turn_and_poisons_nothing(
    stage: OpenStage, blank: str
) -> None:
    async with scene(stage, only_talk(in_turn(say("Hello.")))) as at:
        assert await at.asked(blank) == []
        assert at.talks == []
        kept = await at.on.house.db.read(originals.latest, limit=9)
        assert [one.body for one in kept] == [blank], "what was said is kept as it is"
        assert await at.asked("hi") == ["Hello."]
        assert list(messages_rules.faults(at.talks[0])) == []


async def test_llm_02_a_sticker_and_a_bare_mention_do_ask_for_one(stage: OpenStage) -> None:
    async with scene(stage, only_talk(in_turn(say("Hello.")))) as at:
        assert await at.asked("[sticker]") == ["Hello."]
        await at.chat.say("mira", "", room="project")
        await at.on.wait(10)
        assert at.chat.said("project") == ["Hello."]


async def test_llm_02_a_history_full_of_blanks_is_mended_when_it_is_loaded(
    stage: OpenStage,
) -> None:
    """The first process stores an answer with blank blocks and dies; the next one goes on."""
    blank = calls(("search_memory", {"query": "x"}))
    blank.content.insert(0, {"type": "text", "text": " "})
    async with scene(
        stage, only_talk(in_turn(blank)), around=Surroundings(database=FullDatabase)
    ) as at:
        store = at.on.house.db
        assert isinstance(store, FullDatabase)
        store.refused = ("Runtime._act",)
        await at.asked("hello", seconds=20)
    async with scene(stage, only_talk(in_turn(say("Here.")))) as at:
        await at.on.wait(60)
        assert at.chat.said("mira") == ["Here."]
        kinds = [block["type"] for block in at.talks[0]["messages"][1]["content"]]
        assert kinds == ["tool_use"]


async def test_llm_04_a_stalled_stream_is_asked_again_and_holds_up_nobody(
    stage: OpenStage,
) -> None:
    stalled = says("an answer of some length", broken=Break.STALL, after=6)
    author = only_talk(in_turn(stalled, say("Here you are.")))
    async with scene(stage, author, model__timeout="200ms") as at:
        await at.chat.say("mira", "first")
        assert await at.asked("second") == ["Here you are."]
        [run] = await at.runs()
        assert (run.state, run.attempts) == (runs.State.SUCCEEDED, 2)
        assert await at.asked("third") == ["Here you are."] * 2


async def _long_talk(at: Scene) -> None:
    """What a room of long messages holds, as the case has it."""
    for n in range(40):
        await at.chat.say("mira", f"{n} " + "word " * 4_000, room="project", bot=True)


async def test_llm_05_a_window_smaller_than_was_thought_is_met_in_few_steps(
    stage: OpenStage,
) -> None:
    author = only_talk(in_turn(calls(("search_memory", {"query": "word"})), say("In short.")))
    async with scene(stage, author, api={"context_tokens": 60_000}) as at:
        await _long_talk(at)
        await at.chat.say("mira", "sum it up", room="project")
        await at.on.wait(30)
        assert at.chat.said("project") == ["In short."], "one answer, and no word of trouble"
        assert 3 <= len(at.talks) <= 4, "the size that passed is kept for the next step"
        assert all(list(messages_rules.faults(body)) == [] for body in at.talks)
        kept = await at.on.house.db.read(originals.latest, limit=99)
        assert sum(len(one.body) for one in kept if "word" in one.body) > 40 * 20_000


async def test_llm_05_one_that_takes_nothing_is_not_asked_for_ever(stage: OpenStage) -> None:
    async with scene(stage, only_talk(in_turn(Failure(400, message=TOO_LONG)))) as at:
        said = await at.asked("sum it up", seconds=3600)
        assert len(said) == 1, "told once"
        assert "200000" not in said[0]
        assert len(at.talks) == 3
        [run] = await at.runs()
        assert "205321 tokens" in run.error


async def test_llm_05_the_smallest_window_there_may_be_is_enough_to_answer(
    stage: OpenStage,
) -> None:
    author = only_talk(in_turn(say("In short.")))
    async with scene(
        stage, author, api={"context_tokens": 8_000}, model__context_tokens=8_000
    ) as at:
        await _long_talk(at)
        await at.chat.say("mira", "sum it up", room="project")
        await at.on.wait(30)
        assert at.chat.said("project") == ["In short."]
        assert at.talks[-1]["max_tokens"] == 2_000


async def test_llm_09_thinking_that_was_altered_costs_one_more_request(stage: OpenStage) -> None:
    thought = {"type": "thinking", "thinking": "why", "signature": "sig=="}
    look = calls(("search_memory", {"query": "x"}))
    look.content.insert(0, thought)
    refusal = Failure(
        400,
        message="messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest "
        "assistant message cannot be modified",
    )
    async with scene(stage, only_talk(in_turn(look, refusal, say("Done.")))) as at:
        assert await at.asked("look it up") == ["Done."]
        kinds = [
            [block["type"] for block in body["messages"][1]["content"]] for body in at.talks[1:]
        ]
        assert kinds == [["thinking", "tool_use"], ["tool_use"]]


@pytest.mark.parametrize(
    ("failure", "detail"),
    [
        (Failure(403, message="not allowed"), "permissions"),
        (says("", stop="refusal"), "declined"),
    ],
    ids=["permission", "refused"],
)
@pytest.mark.parametrize(
    ("text", "neutral"), [("what is new?", "Sorry"), ("有什么新消息吗？", "抱歉")], ids=["en", "zh"]
)
async def test_llm_10_who_waits_gets_one_neutral_line_and_the_details_go_elsewhere(
    stage: OpenStage,
    caplog: pytest.LogCaptureFixture,
    text: str,
    neutral: str,
    failure: Reply,
    detail: str,
) -> None:
    with caplog.at_level(logging.WARNING):
        async with scene(stage, lambda _: failure) as at:
            [said] = await at.asked(text, seconds=600)
            assert said.startswith(neutral)
            for word in (detail, "req_", "40", "model", "http"):
                assert word not in said
            status = "\n".join(inspection.status(at.on.house.config, at.on.clock()))
            assert " failed at " in status
    assert any(detail in record.getMessage() for record in caplog.records)


async def test_llm_10_where_nobody_waits_nobody_is_told(stage: OpenStage) -> None:
    """Background work fails in silence: the room did not ask for it."""
    author = only_talk(in_turn(say("Hello.")), Failure(403, message=DENIED))
    async with scene(stage, author) as at:
        await at.chat.say("mira", "We move to canary-release.", room="project")
        await at.on.wait(1200)
        assert len(at.api.bodies) > len(at.talks), "the background mind did ask"
        assert at.chat.said("project") == ["Hello."]


async def test_llm_10_who_was_only_overheard_waits_for_nothing(stage: OpenStage) -> None:
    """In a room it looks at everything in, an outage does not answer every message."""
    author = only_talk(in_turn(Failure(403, message=DENIED)))
    async with scene(stage, author) as at:
        await at.chat.say("mira", "good morning", room="project", addressed=False)
        await at.on.wait(5)

        def look_at_everything(tx: Tx) -> None:
            session = sessions.named(tx, str(at.chat.address("project")))
            assert session is not None
            sessions.set_attention(tx, session.id, sessions.Attention.ALL)

        await at.on.house.db.write(look_at_everything)
        await at.chat.say("mira", "lunch at noon?", room="project", addressed=False)
        await at.on.wait(60)
        assert [run.state for run in await at.runs()] == [runs.State.FAILED]
        assert (at.chat.said("project"), at.chat.signs) == ([], [])
        await at.chat.say("mira", "are you there?", room="project")
        await at.on.wait(60)
        assert len(at.chat.said("project")) == 1
        assert len(at.chat.signs) == 2


async def test_llm_10_an_answer_about_errors_is_posted_as_it_is(stage: OpenStage) -> None:
    words = "If you see '402 payment required' or 'context overflow', increase the limit…"
    async with scene(stage, only_talk(in_turn(say(words)))) as at:
        assert await at.asked("what does 402 mean?") == [words]


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        ("NO_REPLY", []),
        ("**NO_REPLY**", []),
        ("Nothing to add.\n\nNO_REPLY", ["Nothing to add."]),
        ("`HEARTBEAT_OK`", []),
        (
            "The NO_REPLY token means the bot stays quiet.",
            ["The NO_REPLY token means the bot stays quiet."],
        ),
    ],
)
async def test_llm_12_a_token_for_silence_is_heard_by_nobody(
    stage: OpenStage, words: str, heard: list[str]
) -> None:
    async with scene(stage, only_talk(in_turn(say(words)))) as at:
        assert await at.asked("hello") == heard
        [run] = await at.runs()
        assert run.outcome == ("spoken" if heard else "declined")
        assert at.chat.lines == []


@pytest.mark.parametrize("words", ["NO_REPLY", "Nothing to add.\n\nNO_REPLY", "`HEARTBEAT_OK`"])
async def test_llm_12_nothing_outside_say_is_heard_token_or_not(
    stage: OpenStage, words: str
) -> None:
    async with scene(stage, only_talk(in_turn(says(words)))) as at:
        assert await at.asked("hello") == []
        [run] = await at.runs()
        assert (run.state, run.outcome, run.reason) == (runs.State.SUCCEEDED, "silent", words)
        assert len(at.talks) == 2, "an addressed run is asked once more"


async def test_llm_13_neither_thinking_nor_words_between_tools_are_posted(
    stage: OpenStage,
) -> None:
    calendar = Answer(
        content=[
            {"type": "thinking", "thinking": "The user is annoying…", "signature": "s"},
            {
                "type": "text",
                "text": "Let me check her calendar first, she probably forgot.",
            },
            {"type": "tool_use", "id": "toolu_04", "name": "calendar", "input": {}},
        ],
        stop="tool_use",
    )
    async with scene(stage, only_talk(in_turn(calendar, say("She is free at three.")))) as at:
        assert await at.asked("when is she free?") == ["She is free at three."]
        shown = [*at.chat.lines, *((one.text, None) for one in at.chat.sent)]
        assert not any("calendar" in text or "annoying" in text for text, _ in shown)


async def test_what_was_asked_while_a_run_failed_is_answered_by_the_next(
    stage: OpenStage,
) -> None:
    """LLM-10: after the line the chat works on, with all that was said since."""
    author = only_talk(in_turn(Failure(403, message=DENIED), say("Here I am.")))
    async with scene(stage, author) as at:
        said = await at.asked("first")
        assert len(said) == 1
        assert await at.asked("second") == [*said, "Here I am."]

        def unseen(reader: Reader) -> int:
            found = runs.latest(reader, limit=9)
            return sum(inputs.waiting(reader, run.session_id) for run in found)

        assert await at.on.house.db.read(unseen) == 0
