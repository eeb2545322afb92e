"""What people want to be told once it has come to pass, in English and Chinese."""

from datetime import timedelta

import pytest

from agency import intentions
from bot import chains
from bot.engine import letters
from bot.plays.stage import DIRECT, Stage
from memory.db import Reader
from tests.conftest import OpenStage
from tests.fakes.memos import ask, told

HERE = {"bot__timezone": "Europe/Berlin"}
WISHES = [
    (
        "tell me when the contract is signed",
        [
            "Has the contract been signed?",
            "The contract is not signed yet.",
            "Once the contract is signed, we start.",
        ],
        "Good news: the contract has been signed by Acme this morning.",
    ),
    (
        "合同签了告诉我一声",
        ["合同签了吗？", "合同还没签", "等合同签了再开始"],
        "好消息：合同今天上午已经签了。",
    ),
]


async def held(on: Stage) -> list[str]:
    def look(reader: Reader) -> list[str]:
        return [one.body for one in intentions.current(reader, limit=50) if one.wish is not None]

    return await on.house.db.read(look)


@pytest.mark.parametrize(("asked", "others", "met"), WISHES)
async def test_who_asked_is_told_once_it_is_said_and_not_before(
    stage: OpenStage, asked: str, others: list[str], met: str
) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", asked)
        for text in others:
            await on.say("wei", "architecture", text)
            await on.wait(180)
        assert len(await told(on)) == 1
        await on.say("mo", "architecture", met)
        await on.wait(300)
        assert met.rstrip("。.") in (await told(on))[-1]
        assert len(await told(on)) == 2
        assert await held(on) == []


@pytest.mark.parametrize(
    ("asked", "wrong", "right"),
    [
        (
            "let me know when Mo confirms the date",
            "The date is confirmed: December 10.",
            "Confirmed: the date is December 10.",
        ),
        ("Mo 确认日期后告诉我", "日期确认了，12月10日", "发布日期确认了，12月10日上线"),
    ],
)
async def test_only_the_word_of_whoever_is_named_counts(
    stage: OpenStage, asked: str, wrong: str, right: str
) -> None:
    async with stage(**HERE) as on:
        await on.say("mo", "general", "morning")
        await ask(on, "ana", asked)
        await on.say("wei", "architecture", wrong)
        await on.wait(200)
        assert len(await held(on)) == 1
        await on.say("mo", "architecture", right)
        await on.wait(300)
        assert await held(on) == []
        assert "Mo" in (await told(on))[-1]


async def test_what_is_said_in_a_room_they_may_not_hear_is_not_told(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "tell me when the contract is signed")
        await on.say("kai", "hiring", "The contract has been signed.")
        await on.wait(300)
        assert len(await told(on)) == 1
        assert await held(on) == ["the contract is signed"]


async def test_ones_own_words_are_not_told_back(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "tell me when the contract is signed")
        await on.say("ana", "project", "The contract has been signed.")
        await on.wait(300)
        assert len(await told(on)) == 1
        assert await held(on) == []


@pytest.mark.parametrize(
    ("asked", "listing", "shown", "cancel", "none"),
    [
        (
            "tell me when the contract is signed", "what are you waiting for for me?",
            "n1: once the contract is signed", "cancel reminder n1", "No reminders are set",
        ),
        ("合同签了告诉我", "你在替我等什么", "n1：等到合同签了", "取消提醒 n1", "没有设置提醒"),
    ],
)  # fmt: skip
async def test_what_is_waited_for_is_listed_and_ended(
    stage: OpenStage, asked: str, listing: str, shown: str, cancel: str, none: str
) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", asked)
        assert shown in await ask(on, "ana", listing)
        await ask(on, "ana", cancel)
        assert none in await ask(on, "ana", listing)


async def test_a_wait_ends_with_the_message_that_asked_for_it(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        post = await on.say("ana", DIRECT, "tell me when the contract is signed")
        await on.wait(5)
        await on.house.rooms.delete("ana", post.id)
        await on.wait(5)
        assert await held(on) == []


async def test_a_wait_ends_by_itself_after_a_month(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "tell me when the contract is signed")
        on.clock.skip(timedelta(days=31))
        await on.wait(70)
        assert await held(on) == []
        await on.say("mo", "architecture", "The contract has been signed.")
        await on.wait(300)
        assert len(await told(on)) == 1


async def test_what_is_told_has_a_chain_down_to_what_was_said(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "tell me when the contract is signed")
        await on.say("mo", "architecture", "The contract has been signed.")
        await on.wait(300)

        def steps(reader: Reader) -> list[str]:
            letter = letters.latest(reader, limit=1)[0]
            return [str(row["step"]) for row in chains.of_letter(reader, letter, hears=None)]

        chain = await on.house.db.read(steps)
        assert chain[0] == "original"
        assert "handoff" in chain
