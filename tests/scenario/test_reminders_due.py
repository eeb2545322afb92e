"""What comes of reminders and tasks when their time comes, whatever else is going on."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from agency import personal, schedules
from bot.app import Surroundings
from bot.engine import inputs, runs
from bot.engine.inputs import Trigger
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from memory.db import Reader, Tx
from tests.conftest import OpenStage
from tests.fakes.memos import BERLIN, Moody, ask, kept, timed, told, until
from tests.fakes.scripted import ScriptedModel, say, use

HERE = {"bot__timezone": "Europe/Berlin"}


async def person(on: Stage, name: str) -> int:
    def look(reader: Reader) -> int:
        row = reader.one("SELECT id FROM people WHERE name = :name", name=name)
        assert row is not None
        return int(row["id"])

    return await on.house.db.read(look)


async def test_ag_10_a_reminder_has_one_owner_of_delivery(stage: OpenStage) -> None:
    """The letter says it once; the chat's agent is not woken and has it in its history."""
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me in 10 minutes to call Jon")
        before = await on.house.db.read(lambda r: runs.latest(r, limit=50, role="conversation"))
        await on.wait(900)
        after = await on.house.db.read(lambda r: runs.latest(r, limit=50, role="conversation"))
        assert (await told(on)).count("Reminder: call Jon") == 1
        assert len(after) == len(before)
        rows = await on.house.db.read(
            lambda r: r.all("SELECT * FROM inputs WHERE trigger_type = 'reminder'")
        )
        [given] = [inputs.Input.from_row(row) for row in rows]
        assert given.state is inputs.State.OBSERVED
        assert given.trigger is Trigger.REMINDER


async def test_ag_10_an_agent_that_runs_later_finds_the_reminder_in_its_history(
    stage: OpenStage,
) -> None:
    seen: list[str] = []

    def look(context: Context) -> list[Block]:
        text = str(context.section("inputs")[-1]["text"])
        if text == "set":
            if not context.called("set_reminder"):
                return [use("set_reminder", text="call Jon", when="in 10 minutes")]
            return [say("Set.")]
        seen.extend(str(row["text"]) for row in context.section("history"))
        return [say("Fine.")]

    async with stage(Surroundings(model=ScriptedModel(conversation=look)), **HERE) as on:
        await ask(on, "ana", "set")
        await on.wait(900)
        await ask(on, "ana", "hello again")
        assert seen.count("Reminder: call Jon") == 1


async def test_a_reminder_comes_while_the_model_is_down(stage: OpenStage) -> None:
    model = Moody()
    async with stage(Surroundings(model=model), **HERE) as on:
        await ask(on, "ana", "remind me in 30 minutes to call Jon")
        model.down = True
        await on.wait(1800)
        assert await timed(on) == "Mon 11:30 Reminder: call Jon"


async def test_a_reminder_comes_though_the_budget_is_used_up(stage: OpenStage) -> None:
    def answer(context: Context) -> list[Block]:
        if not context.called("set_reminder"):
            return [use("set_reminder", text="call Jon", when="in 30 minutes")]
        return [say("Set.")]

    model = ScriptedModel(conversation=answer)
    keys = HERE | {"budget__daily_tokens": 150, "budget__fallback": "none"}
    async with stage(Surroundings(model=model), **keys) as on:
        await ask(on, "ana", "remind me in 30 minutes to call Jon")
        await on.wait(1800)
        assert (await told(on))[-1] == "Reminder: call Jon"


async def test_a_reminder_of_ones_own_comes_in_quiet_hours(stage: OpenStage) -> None:
    """H6: quiet hours hold for what nobody asked for, not for what a person timed."""
    async with stage(**HERE, speaking__quiet_hours="22:00-08:00") as on:
        await ask(on, "ana", "remind me tonight at 23:00 to lock the door")
        await until(on, "2026-11-30T23:00")
        assert await timed(on) == "Mon 23:00 Reminder: lock the door"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "@Limen remind Bo tonight at 23:00 to bring the keys",
            "Tue 08:00 Ana asked me to remind you: bring the keys",
        ),
        ("@Limen 今晚23点提醒Bo带钥匙", "Tue 08:00 Ana让我提醒你：带钥匙"),
    ],
)
async def test_a_colleague_is_reminded_in_their_dm_and_may_sleep(
    stage: OpenStage, asked: str, said: str
) -> None:
    async with stage(**HERE, speaking__quiet_hours="22:00-08:00") as on:
        await on.say("bo", DIRECT, "hello")
        await on.wait(5)
        assert "Bo" in await ask(on, "ana", asked, "project")
        await until(on, "2026-11-30T23:00")
        assert not any("Ana" in text for text in await told(on, who="bo"))
        await until(on, "2026-12-01T08:00")
        first = (await timed(on, who="bo")).partition("\n")[0]
        assert first == said


async def test_a_colleague_with_a_pause_is_left_alone_until_it_is_over(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await on.say("bo", DIRECT, "pause until 18:00")
        await on.wait(5)
        await ask(on, "ana", "@Limen remind Bo in 1 hour to bring the keys", "project")
        await on.wait(4000)
        assert "keys" not in str(await told(on, who="bo"))
        await until(on, "2026-11-30T18:00")
        last = await timed(on, who="bo")
        assert last.startswith("Mon 18:00 Ana asked me to remind you: bring the keys")
        assert "I waited as asked" in last


async def test_a_pause_holds_a_reminder_until_somebody_ends_it(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me in 1 hour to call Jon")
        await on.say("ana", DIRECT, "pause")
        await on.wait(7200)
        assert "Reminder: call Jon" not in str(await told(on))
        await on.say("ana", DIRECT, "resume")
        await on.wait(90)
        assert any(text.startswith("Reminder: call Jon") for text in await told(on))


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ("remind me today at 15:00 to call Jon", "(This was due at 15:00; I was away.)"),
        ("今天15点提醒我给小雷打电话", "（本该在 15:00 提醒，我当时不在。）"),
    ],
)
async def test_what_was_missed_is_caught_up_once_with_a_word(
    stage: OpenStage, asked: str, word: str
) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", asked)
        on.clock.skip(timedelta(hours=6))
        await on.wait(120)
        assert sum(word in text for text in await told(on)) == 1


async def test_missed_turns_are_counted_and_caught_up_as_one(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me every day at 9 to stretch")
        on.clock.skip(timedelta(days=3))
        await on.wait(120)
        said = [text for text in await told(on) if text.startswith("Reminder: stretch")]
        assert said == [
            "Reminder: stretch\n(This was due at 09:00; I was away and left out 2 earlier ones.)"
        ]
        [schedule] = await kept(on)
        assert schedule.missed == 2
        await until(on, "2026-12-04T09:00")
        assert await timed(on) == "Fri 09:00 Reminder: stretch"


async def test_a_month_of_a_recurring_reminder_is_on_the_minute(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me every weekday at 9 to stretch")
        for day in range(1, 32):
            await until(on, f"2026-12-{day:02}T09:00")
        posts = [post for post in await on.posts(DIRECT, who="ana") if "stretch" in post.text][2:]
        assert len(posts) == 23
        assert {f"{post.at.astimezone(BERLIN):%H:%M}" for post in posts} == {"09:00"}


async def test_nine_o_clock_stays_nine_o_clock_when_the_clocks_change(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me every Sunday at 9 to rest")
        for day in ("2027-03-21", "2027-03-28", "2027-04-04"):
            await until(on, f"{day}T09:00")
            assert (await timed(on)).startswith("Sun 09:00 Reminder: rest")


async def test_the_hour_is_that_of_whoever_asks(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(5)
        ana = await person(on, "Ana")

        def move(tx: Tx) -> None:
            personal.set_zone(tx, ana, "Asia/Shanghai", now=on.clock())

        await on.house.db.write(move)
        assert "12月1日（周二）09:00" in await ask(on, "ana", "明天上午9点提醒我开会")
        shanghai = ZoneInfo("Asia/Shanghai")
        await until(on, "2026-12-01T09:00", zone=shanghai)
        assert await timed(on, zone=shanghai) == "Tue 09:00 提醒：开会"


@pytest.mark.parametrize(
    ("asked", "question", "said"),
    [
        (
            "@Limen every Tuesday at 9 summarise the open questions here",
            "Who brings the projector to the demo?",
            "projector",
        ),
        ("@Limen 每周二9点总结一下这里没回答的问题", "演示会谁带投影仪？", "投影仪"),
    ],
)
async def test_a_task_is_done_in_its_chat_at_its_time(
    stage: OpenStage, asked: str, question: str, said: str
) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", asked, "project")
        await on.say("bo", "project", question)
        await until(on, "2026-12-01T09:00")
        assert said in (await told(on, "project"))[-1]


async def test_a_task_that_is_still_being_done_is_left_out_and_recorded(stage: OpenStage) -> None:
    model = Moody()
    async with stage(Surroundings(model=model), **HERE) as on:
        await on.say("bo", "project", "Who brings the projector to the demo?")
        asked = "@Limen every 10 minutes summarise the open questions here"
        await ask(on, "ana", asked, "project")
        model.down = True
        await on.wait(1250)
        model.down = False
        await on.wait(400)
        [schedule] = await kept(on)
        turns = await on.house.db.read(lambda r: schedules.turns(r, schedule.id))
        assert [turn.outcome.value for turn in turns] == ["skipped", "given"]
        assert turns[0].reason == "the same was still being done"
        assert len([text for text in await told(on, "project") if "projector" in text]) == 1


async def test_a_pause_of_everything_holds_it_until_everything_is_resumed(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me in 1 hour to call Jon")
        await on.say("ana", DIRECT, "pause everywhere")
        await on.wait(7200)
        assert "Reminder: call Jon" not in str(await told(on))
        await on.say("ana", DIRECT, "resume everywhere")
        await on.wait(700)
        assert any(text.startswith("Reminder: call Jon") for text in await told(on))


async def test_a_room_that_wants_silence_has_ones_own_reminder_in_the_dm(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await on.say("ana", DIRECT, "hello")
        await ask(on, "ana", "@Limen remind me in 30 minutes to call Jon", "project")
        await ask(on, "ana", "@Limen listen only", "project")
        await on.wait(1900)
        assert "Reminder: call Jon" not in str(await told(on, "project"))
        assert (await told(on))[-1] == "Reminder: call Jon"


async def test_without_the_duty_nothing_is_set(stage: OpenStage) -> None:
    async with stage(**HERE, duties__reminders="false") as on:
        answer = await ask(on, "ana", "remind me in 10 minutes to call Jon")
        await on.wait(700)
        assert "Noted" not in answer
        assert await kept(on) == []
