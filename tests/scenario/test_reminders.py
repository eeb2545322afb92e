"""Reminders through the whole house, in English and Chinese, on the minute."""

import pytest

from bot import chains, inspection
from bot.app import Surroundings
from bot.engine import letters
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT
from memory.db import Reader
from tests.conftest import OpenStage
from tests.fakes.memos import ask, kept, timed, told, until
from tests.fakes.scripted import ScriptedModel, say, use

HERE = {"bot__timezone": "Europe/Berlin"}


@pytest.mark.parametrize(
    ("asked", "confirmed", "said"),
    [
        (
            "remind me on Friday at three to call Jon",
            "on Friday, 4 December at 15:00 I remind you: call Jon",
            "Fri 15:00 Reminder: call Jon",
        ),
        (
            "周五下午三点提醒我给小雷打电话",
            "12月4日（周五）15:00提醒你：给小雷打电话",
            "Fri 15:00 提醒：给小雷打电话",
        ),
    ],
)
async def test_a_reminder_is_said_word_for_word_at_its_minute(
    stage: OpenStage, asked: str, confirmed: str, said: str
) -> None:
    async with stage(**HERE) as on:
        assert confirmed in await ask(on, "ana", asked)
        await until(on, "2026-12-04T15:00")
        assert await timed(on) == said
        assert await kept(on) == []


@pytest.mark.parametrize(
    ("asked", "steps"),
    [
        (
            "remind me on Friday at three to call Jon",
            [
                ("what reminders do I have?", "r1: Friday, 4 December at 15:00: call Jon"),
                ("move it to four", "on Friday, 4 December at 16:00"),
                ("reminders", "r1: Friday, 4 December at 16:00: call Jon"),
                ("cancel that reminder", "Cancelled: call Jon"),
                ("reminders", "No reminders are set"),
            ],
        ),
        (
            "每周一上午9点提醒我交周报",
            [
                ("我有哪些提醒", "r1，每周一 09:00（下一次12月7日（周一）09:00）：交周报"),
                ("改到十点", "每周一 10:00"),
                ("提醒列表", "每周一 10:00（下一次12月7日（周一）10:00）：交周报"),
                ("取消提醒 r1", "已取消 r1（交周报）"),
                ("提醒列表", "现在没有设置提醒"),
            ],
        ),
    ],
)
async def test_a_reminder_is_listed_moved_and_cancelled_in_the_chat(
    stage: OpenStage, asked: str, steps: list[tuple[str, str]]
) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", asked)
        for text, answer in steps:
            assert answer in await ask(on, "ana", text)


@pytest.mark.parametrize(
    ("asked", "back", "then", "set_for"),
    [
        (
            "remind me to water the plants",
            "When shall I remind you?",
            "tomorrow at 9",
            "1 December",
        ),
        ("remind me yesterday to call Jon", "is over already", "Friday", "4 December at 09:00"),
        ("提醒我浇花", "什么时候提醒你？", "明天上午", "12月1日（周二）09:00"),
        ("提醒我昨天交报告", "已经过去了", "周五下午三点", "12月4日（周五）15:00"),
    ],
)
async def test_a_time_that_is_missing_or_over_is_asked_back(
    stage: OpenStage, asked: str, back: str, then: str, set_for: str
) -> None:
    async with stage(**HERE) as on:
        assert back in await ask(on, "ana", asked)
        assert await kept(on) == []
        assert set_for in await ask(on, "ana", then)


@pytest.mark.parametrize(
    ("asked", "answer", "again"),
    [
        ("remind me in 20 minutes to stretch", "again in an hour", "Reminder: stretch"),
        ("20分钟后提醒我伸展", "一小时后再提醒我", "提醒：伸展"),
    ],
)
async def test_a_reminder_can_be_answered_to_come_again(
    stage: OpenStage, asked: str, answer: str, again: str
) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", asked)
        await on.wait(1200)
        post = (await on.posts(DIRECT, who="ana"))[-1]
        await on.say("ana", DIRECT, answer, reply_to=post.id)
        await on.wait(3590)
        assert (await told(on)).count(again) == 1
        await on.wait(30)
        assert (await told(on)).count(again) == 2


async def test_the_real_model_is_told_what_of_a_time_it_passed_was_not_understood(
    stage: OpenStage,
) -> None:
    def answer(context: Context) -> list[Block]:
        tried = context.called("set_reminder")
        if not tried:
            return [use("set_reminder", text="call Jon", when="Friday after lunch with Bo")]
        assert tried[-1].failed
        return [say(tried[-1].text)]

    async with stage(Surroundings(model=ScriptedModel(conversation=answer)), **HERE) as on:
        assert "“after lunch with Bo”" in await ask(on, "ana", "remind me")
        assert await kept(on) == []


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("remind Kai tomorrow to bring the keys", "Kai"),
        ("remind Zed tomorrow to bring the keys", "nobody called Zed"),
        ("remind #hiring tomorrow to vote", "You are not in #hiring"),
        ("明天提醒 #hiring 投票", "你不在#hiring里"),
    ],
)
async def test_only_whom_one_shares_a_room_with_may_be_reminded(
    stage: OpenStage, asked: str, answer: str
) -> None:
    async with stage(**HERE) as on:
        assert answer in await ask(on, "ana", asked)


async def test_several_people_are_reminded_each_in_their_own_chat(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        for who in ("bo", "wei"):
            await on.say(who, DIRECT, "hello")
        await on.wait(5)
        assert "Zed" in await ask(on, "ana", "remind Bo and Zed in 10 minutes to vote")
        assert await kept(on) == []
        await ask(on, "ana", "remind Bo and Wei in 10 minutes to vote")
        await on.wait(700)
        said = "Ana asked me to remind you: vote"
        assert [(await told(on, who=who))[-1] for who in ("bo", "wei")] == [said, said]


@pytest.mark.parametrize(
    ("asked", "order", "answer"),
    [
        ("remind me tomorrow to call Jon", "delete all my reminders", "Cancelled: 2 reminders"),
        ("明天提醒我给小雷打电话", "取消我的所有提醒", "已取消 2 个提醒"),
    ],
)
async def test_all_of_them_are_cancelled_at_once(
    stage: OpenStage, asked: str, order: str, answer: str
) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", asked)
        await ask(on, "ana", asked)
        assert answer in await ask(on, "ana", order)
        assert await kept(on) == []


async def test_reminders_for_others_are_bounded_a_day(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await on.say("bo", DIRECT, "hello")
        await on.wait(5)
        answers = [
            await ask(on, "ana", f"remind Bo in {n + 10} minutes to do step {n}") for n in range(11)
        ]
        assert "step 9" in answers[9]
        assert "10 reminders for others today" in answers[10]


async def test_in_a_room_the_one_who_asked_is_mentioned(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "@Limen remind me in 10 minutes to call Jon", "project")
        await ask(on, "ana", "@Limen 10分钟后提醒大家投票", "project")
        await on.wait(700)
        assert (await told(on, "project"))[-2:] == ["@Ana Reminder: call Jon", "提醒大家：投票"]


async def test_a_reminder_asked_for_in_a_thread_comes_there(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        root = await on.say("ana", "project", "The demo")
        await on.house.rooms.say(
            "ana", "project", "@Limen remind us in 10 minutes to vote", thread=root.id
        )
        await on.wait(700)
        last = (await on.house.rooms.posts("project", thread=root.id, limit=50))[-1]
        assert last.text == "Reminder for everyone: vote"
        assert last.thread == root.id


@pytest.mark.parametrize(
    ("asked", "edited", "told_so", "said"),
    [
        (
            "remind me at 15:00 to call Jon", "remind me at 16:00 to call Jo",
            "Changed: Monday, 30 November at 16:00: call Jo", "Mon 16:00 Reminder: call Jo",
        ),
        (
            "今天15点提醒我给小雷打电话", "今天16点提醒我给小云打电话",
            "已改为：11月30日（周一）16:00，给小云打电话", "Mon 16:00 提醒：给小云打电话",
        ),
    ],
)  # fmt: skip
async def test_an_edit_of_the_message_that_asked_changes_the_reminder(
    stage: OpenStage, asked: str, edited: str, told_so: str, said: str
) -> None:
    async with stage(**HERE) as on:
        post = await on.say("ana", DIRECT, asked)
        await on.wait(5)
        await on.house.rooms.edit("ana", post.id, edited)
        await on.wait(5)
        assert told_so in await told(on)
        await until(on, "2026-11-30T15:00")
        await until(on, "2026-11-30T16:00")
        assert await timed(on) == said
        assert sum("Jon" in text or "小雷" in text for text in await told(on)) == 1


async def test_taking_back_the_message_that_asked_cancels_the_reminder(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        post = await on.say("ana", DIRECT, "remind me in 1 hour to call Jon")
        await on.wait(5)
        await on.house.rooms.delete("ana", post.id)
        await on.wait(4000)
        assert "Reminder: call Jon" not in await told(on)
        assert await kept(on) == []


async def test_what_was_agreed_since_outlives_the_message_that_asked(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        post = await on.say("ana", DIRECT, "remind me in 1 hour to call Jon")
        await on.wait(5)
        await ask(on, "ana", "move it to 16:00")
        await on.house.rooms.delete("ana", post.id)
        await until(on, "2026-11-30T16:00")
        assert await timed(on) == "Mon 16:00 Reminder: call Jon"


@pytest.mark.parametrize(
    ("asked", "word", "answer"),
    [
        ("remind me in 10 minutes to call Jon", "why", "Ana asked for that at this time."),
        ("10分钟后提醒我给小雷打电话", "为什么", "Ana让我在这个时间做这件事。"),
    ],
)
async def test_a_reminder_says_why_it_came(
    stage: OpenStage, asked: str, word: str, answer: str
) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", asked)
        await on.wait(700)
        told_why = await ask(on, "ana", word)
        assert answer in told_why
        assert asked in told_why


async def test_the_command_line_shows_what_is_set(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me on Friday at three to call Jon")
        await ask(on, "ana", "tell me when the contract is signed")
        first, second = inspection.reminders(on.house.config, on.clock())
        assert first.startswith("r1  Friday, 4 December at 15:00 (Europe/Berlin)  reminds Ana")
        assert first.endswith("call Jon  [by Ana]")
        assert second.startswith("n1  once the contract is signed  tells Ana")


async def test_every_reminder_has_a_chain_that_ends_in_an_original(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me in 10 minutes to call Jon")
        await on.wait(700)

        def steps(reader: Reader) -> list[str]:
            letter = letters.latest(reader, limit=1)[0]
            assert letter.proactive
            return [str(row["step"]) for row in chains.of_letter(reader, letter, hears=None)]

        assert await on.house.db.read(steps) == ["original", "schedule", "delivery"]
