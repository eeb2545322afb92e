"""Every switch: all off is a plain, good chat bot; each duty alone does its own thing only."""

import json
import re
from dataclasses import dataclass
from datetime import timedelta

import pytest

from agency import fires
from bot.app import Surroundings
from bot.engine import letters, spending
from bot.engine.letters import Letter
from bot.plays.stage import DIRECT, Stage
from bot.setup.settings import Duties
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, echo

DUTIES = tuple(Duties.model_fields)
OFF = {f"duties__{name}": False for name in DUTIES}
QUIET = OFF | {"agency__enabled": False, "agency__memory": False, "speaking__enabled": False}


@dataclass(frozen=True)
class Day:
    """What a team says in a day on which every duty would have something to do."""

    hello: str
    plan: str
    change: str
    promise: str
    remind: str
    wish: str
    comes: str
    leave: str
    told: dict[str, str]
    """What a message of each duty looks like."""
    refused: dict[str, str]
    """What is said instead to whoever asks for it."""
    question: str
    answer: str


EN = Day(
    hello="hello",
    plan="Let's plan the rollout with legacy-release.",
    change="We decided: the release path moves from legacy-release to canary-release.",
    promise="I'll send the budget sheet by tomorrow noon.",
    remind="@Limen remind me in 10 minutes to call Mo",
    wish="@Limen tell us once Ana confirms the demo date",
    comes="Confirmed: the demo date is the 9th of December.",
    leave="@Limen ask Bo whether we may move the launch to Friday",
    told={
        "relay": "canary-release",
        "waits": "That time has passed",
        "intentions": "demo date is the 9th",
        "reminders": "Reminder: call Mo",
        "approvals": "(?:would like|waits for) your word",
    },
    refused={
        "reminders": "Reminders are switched off",
        "intentions": "an ear open for something is switched off",
        "approvals": "Asking people for their leave is switched off",
    },
    question="@Limen which release do we plan the rollout with?",
    answer="legacy-release",
)
ZH = Day(
    hello="你好",
    plan="我们计划用 legacy-release 上线。",
    change="决定了：发布流程从 legacy-release 改为 canary-release。",
    promise="预算表我明天中午前发出来。",
    remind="@Limen 10分钟后提醒我给 Mo 打电话",
    wish="@Limen Ana 确认演示日期后告诉我们",
    comes="确认：演示日期是12月9日。",
    leave="@Limen 问一下Bo能不能把发布改到周五",
    told={
        "relay": "canary-release",
        "waits": "我还没看到|还没看到",
        "intentions": "演示日期是12月9日",
        "reminders": "提醒：给 Mo 打电话",
        "approvals": "想请你定一下|还在等你的答复",
    },
    refused={
        "reminders": "没有开启提醒",
        "intentions": "没有开启留意消息",
        "approvals": "没有开启征求同意",
    },
    question="@Limen 我们计划用什么上线？",
    answer="legacy-release",
)
BOTH = pytest.mark.parametrize("day", [EN, ZH], ids=["en", "zh"])


async def live(on: Stage, day: Day) -> None:
    """A day and most of the next, on which everything happens that some duty is for."""
    for who in ("ana", "bo"):
        await on.say(who, DIRECT, day.hello)
    for who, room, text in (
        ("bo", "project", day.plan),
        ("wei", "project", day.remind),
        ("wei", "project", day.wish),
        ("wei", "project", day.leave),
        ("ana", "project", day.promise),
        ("lin", "architecture", day.change),
        ("ana", "release", day.comes),
    ):
        await on.wait(90)
        await on.say(who, room, text)
    await on.wait(700)
    on.clock.skip(timedelta(hours=28))
    await on.wait(240)


async def unasked(on: Stage) -> list[Letter]:
    found = await on.house.db.read(lambda reader: letters.latest(reader, limit=100))
    return [letter for letter in found if letter.proactive]


async def said(on: Stage, room: str, who: str = "ana") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


def duty_of(letter: Letter, day: Day) -> str:
    """Which duty an unasked letter belongs to, by its words."""
    kinds = [name for name, words in day.told.items() if re.search(words, letter.body)]
    assert len(kinds) == 1, letter.body
    return kinds[0]


@pytest.mark.parametrize("duty", DUTIES)
@BOTH
async def test_each_duty_alone_does_its_own_thing_and_no_other(
    stage: OpenStage, day: Day, duty: str
) -> None:
    async with stage(**OFF | {f"duties__{duty}": True}) as on:
        await live(on, day)
        own = {duty} if duty in day.told else set()
        assert {duty_of(letter, day) for letter in await unasked(on)} == own
        answers = "\n".join(await said(on, "project", "wei"))
        for name, words in day.refused.items():
            assert (words in answers) == (name != duty)


@BOTH
async def test_everything_off_is_a_plain_chat_bot_that_never_speaks_unasked(
    stage: OpenStage, day: Day
) -> None:
    async with stage(**QUIET) as on:
        await live(on, day)
        await on.say("bo", "project", day.question)
        await on.wait(60)
        assert await unasked(on) == []
        answers = await said(on, "project")
        assert day.answer in answers[-1], "it knows what was said in this chat"
        assert [sum(words in text for text in answers) for words in day.refused.values()] == [
            1, 1, 1,
        ], "and says plainly what it does not do"  # fmt: skip
        assert len(answers) == 4, "one answer to each question"
        assert len(await said(on, DIRECT)) == 1
        assert await said(on, "architecture", "lin") + await said(on, "release", "kai") == []
        assert await on.house.db.read(lambda reader: fires.latest(reader, limit=9)) == []


@BOTH
async def test_without_speaking_no_duty_says_a_word_unasked(stage: OpenStage, day: Day) -> None:
    async with stage(speaking__enabled=False) as on:
        await live(on, day)
        assert await unasked(on) == []
        answers = "\n".join(await said(on, "project", "wei"))
        assert all(words in answers for words in day.refused.values())


@BOTH
async def test_everything_off_asks_no_model_but_for_answers(stage: OpenStage, day: Day) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model), **QUIET) as on:
        await live(on, day)
        asked = len(model.calls)
        assert {call.role for call in model.calls} == {"conversation"}
        await on.say("bo", "project", day.question)
        await on.wait(60)
        assert len(model.calls) == asked + 1
        told = json.dumps(list(model.calls[-1].messages), ensure_ascii=False)
        assert day.plan in told and day.promise in told, "the history of the chat"
        booked = await on.house.db.read(lambda r: spending.since(r, on.clock().date()))
        assert {one.purpose for one in booked} == {"foreground"}


@BOTH
async def test_without_relaying_no_model_reads_what_is_said(stage: OpenStage, day: Day) -> None:
    """The message is weighed by rules for what waits, and then set aside."""
    model = ScriptedModel()
    settings = {"duties__relay": False, "agency__memory": False}
    async with stage(Surroundings(model=model), **settings) as on:
        await on.say("bo", "project", day.plan)
        await on.say("lin", "architecture", day.change)
        await on.wait(600)
        assert model.calls == []
        found = await on.house.db.read(lambda reader: fires.latest(reader, limit=9))
        assert [one.state for one in found] == [fires.State.CONSUMED] * 2


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("help", "Switched off here: telling one room what another said, reminders."),
        ("status", "Switched off here: telling one room what another said, reminders."),
        ("帮助", "这里没有开启：把别处的事告诉这里、提醒。"),
    ],
)
async def test_what_is_off_is_told_to_whoever_asks_for_help(
    stage: OpenStage, order: str, words: str
) -> None:
    async with stage(duties__relay=False, duties__reminders=False) as on:
        await on.say("ana", DIRECT, order)
        await on.wait(5)
        assert (await said(on, DIRECT))[-1].endswith(words)
