"""Signs of life: where they are shown, when the line is written, and that it goes away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from adapters.chat import Address
from bot import texts
from bot.app import Surroundings
from bot.engine.runs import Priority
from bot.errors import ModelRefused
from bot.models.builtin.context import Context
from bot.models.model import Block, Request, Response
from bot.plays.stage import Stage
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, echo, pass_time, say, use
from tests.fakes.scripted_chat import ScriptedChat


@dataclass
class Scene:
    """A house with one more chat, whose model can be held."""

    on: Stage
    chat: ScriptedChat
    model: ScriptedModel

    async def wait(self, seconds: float) -> None:
        await pass_time(self.on, self.model, seconds)


@asynccontextmanager
async def scene(
    stage: OpenStage, model: ScriptedModel, chat: ScriptedChat | None = None
) -> AsyncIterator[Scene]:
    chat = chat or ScriptedChat()
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        yield Scene(on, chat, model)


class Slow(ScriptedModel):
    """Looks things up a few times, each after some seconds, and then says what was asked."""

    def __init__(self, seconds: float, steps: int) -> None:
        super().__init__(conversation=self._next)
        self.on: Stage | None = None
        self._seconds = seconds
        self._left = steps

    async def complete(self, request: Request) -> Response:
        if request.role == "conversation" and self.on is not None:
            await self._wait(self.on.clock.sleep(self._seconds))
        return await super().complete(request)

    def _next(self, seen: Context) -> list[Block]:
        self._left -= 1
        return [use("search_memory", query="script")] if self._left >= 0 else [say("here")]


async def test_the_sign_is_at_the_message_that_is_answered(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    let_go = model.hold("conversation")
    async with scene(stage, model) as at:
        message = await at.chat.say("mo", "hello")
        await at.wait(2)
        place = str(at.chat.address("mo", message))
        assert at.chat.signs == [(place, True)]
        let_go()
        await at.wait(2)
        assert at.chat.signs == [(place, True), (place, False)]


async def test_it_moves_to_what_was_said_meanwhile(stage: OpenStage) -> None:
    model = Slow(5, steps=1)
    async with scene(stage, model) as at:
        model.on = at.on
        first = await at.chat.say("mo", "hello")
        await at.wait(2)
        second = await at.chat.say("mo", "and the script?")
        await at.wait(60)
        places = [str(at.chat.address("mo", id)) for id in (first, second)]
        assert at.chat.signs == [
            (places[0], True),
            (places[0], False),
            (places[1], True),
            (places[1], False),
        ]


async def test_a_short_run_writes_no_line(stage: OpenStage) -> None:
    model = Slow(4, steps=2)
    async with scene(stage, model) as at:
        model.on = at.on
        await at.chat.say("mo", "hello")
        await at.wait(60)
        assert at.chat.said("mo") == ["here"]
        assert at.chat.lines == []


async def test_a_long_run_writes_one_line_edits_it_and_takes_it_away(stage: OpenStage) -> None:
    model = Slow(20, steps=2)
    async with scene(stage, model) as at:
        model.on = at.on
        await at.chat.say("mo", "hello")
        await at.wait(100)
        assert at.chat.lines == [
            ("Still on it: thinking it over… (15 s)", None),
            ("Still on it: searching what was said… (1 step, 20 s)", "p1"),
            ("Still on it: searching what was said… (2 steps, 40 s)", "p1"),
            ("Still on it: searching what was said… (2 steps, 60 s)", "p1"),
            ("", "p1"),
        ]
        assert at.chat.said("mo") == ["here"]


async def test_quick_steps_do_not_make_quick_edits(stage: OpenStage) -> None:
    model = Slow(2, steps=10)
    async with scene(stage, model) as at:
        model.on = at.on
        await at.chat.say("mo", "hello")
        await at.wait(60)
        seconds = [text.rpartition(", ")[2] for text, _ in at.chat.lines]
        assert seconds == ["15 s)", "18 s)", "21 s)", ""], "a step took two"


async def test_a_long_silence_of_the_model_still_moves_the_time_shown(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    let_go = model.hold("conversation")
    async with scene(stage, model) as at:
        await at.chat.say("mo", "发布脚本谁来写？")
        await at.wait(60)
        assert [text for text, _ in at.chat.lines] == [
            "还在处理：在思考……（15 秒）",
            "还在处理：在思考……（35 秒）",
            "还在处理：在思考……（55 秒）",
        ]
        let_go()
        await at.wait(2)
        assert at.chat.lines[-1] == ("", "p1")


async def test_the_line_goes_away_however_the_run_ends(stage: OpenStage) -> None:
    def refuse(_: Context) -> list[Block]:
        raise ModelRefused("400 never")

    model = ScriptedModel(conversation=refuse)
    let_go = model.hold("conversation")
    async with scene(stage, model) as at:
        await at.chat.say("mo", "hello")
        await at.wait(20)
        assert len(at.chat.lines) == 1
        let_go()
        await at.wait(5)
        assert at.chat.lines[-1] == ("", "p1")
        assert not at.chat.signs[-1][1]
        assert len(at.chat.said("mo")) == 1


async def test_it_goes_away_when_the_house_closes(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    model.hold("conversation")
    async with scene(stage, model) as at:
        await at.chat.say("mo", "hello")
        await at.wait(20)
    assert at.chat.lines[-1] == ("", "p1")
    assert not at.chat.signs[-1][1]


async def test_nobody_sees_background_work(stage: OpenStage) -> None:
    model = ScriptedModel()
    holds = [model.hold(role) for role in ("agency", "memory")]
    async with scene(stage, model) as at:
        await at.chat.say("mo", "We move to canary-release on Friday.", room="project")
        await at.wait(2)
        at.chat.signs.clear()
        await at.wait(600)
        assert model.held == 2
        assert (at.chat.signs, at.chat.lines) == ([], [])
        for let_go in holds:
            let_go()
        await at.wait(5)
    assert Priority.PERSON < Priority.NUDGE


class Stuck(ScriptedChat):
    """Its courtesies never come back."""

    async def show_working(self, place: Address, working: bool) -> None:
        await asyncio.Event().wait()


class Broken(ScriptedChat):
    """Its courtesies break the law."""

    async def show_working(self, place: Address, working: bool) -> None:
        raise RuntimeError("a bug")


@pytest.mark.parametrize("chat", [Stuck, Broken])
async def test_a_chat_that_cannot_show_it_neither_holds_up_nor_fails_a_run(
    stage: OpenStage, chat: type[ScriptedChat]
) -> None:
    async with scene(stage, ScriptedModel(conversation=echo), chat()) as at:
        await at.chat.say("mo", "hello")
        await at.wait(5)
        await at.chat.say("mo", "again")
        await at.wait(5)
        assert at.chat.said("mo") == ["heard: hello", "heard: again"]


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (16, "Still on it: thinking it over… (16 s)", "还在处理：在思考……（16 秒）"),
        (185, "Still on it: thinking it over… (3 min)", "还在处理：在思考……（3 分钟）"),
    ],
)
def test_the_line_in_words(seconds: int, english: str, chinese: str) -> None:
    assert texts.progress("en", tool="", steps=0, seconds=seconds) == english
    assert texts.progress("zh", tool="", steps=0, seconds=seconds) == chinese
