"""A clock that is set forward or back, a machine that sleeps, and the days the clocks change."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agency import personal
from bot.app import PACKAGES, Surroundings, system_sleep
from bot.engine import letters, runs, sessions
from bot.plays import team
from bot.plays.stage import DIRECT, Stage, open_stage
from bot.timekeeping import bring_near
from memory import migrations
from memory.db import Database, Tx
from memory.moments import to_us
from memory.postgres import Postgres
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes import servers
from tests.fakes.memos import Moody, ask, kept, told, until
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.scripted_chat import ScriptedChat
from tests.scenario.test_hours import CHANGE, PLAN
from tests.scenario.test_reminders_due import HERE, person

HOUR = timedelta(hours=1)
STEPS = [timedelta(hours=-7), timedelta(minutes=-40), timedelta(minutes=40), timedelta(hours=7)]


def said(posts: list[str], word: str) -> int:
    return sum(word in text for text in posts)


async def settled(on: Stage) -> bool:
    """Whether nothing is left undone."""
    waiting = await on.house.db.read(runs.count_open), await on.house.db.read(letters.count_open)
    return waiting == (0, 0)


@pytest.mark.parametrize("step", STEPS, ids=str)
async def test_the_clock_is_set_while_a_burst_is_waited_for_and_it_is_answered_within_the_minute(
    stage: OpenStage, step: timedelta
) -> None:
    around = Surroundings(model=ScriptedModel(conversation=echo))
    async with stage(around, bot__debounce="5s") as on:
        await on.say("ana", DIRECT, "one")
        await on.wait(2)
        on.clock.set(step)
        await on.wait(60)
        assert await told(on) == ["heard: one"]
        on.clock.set(-step)
        await on.say("ana", DIRECT, "two")
        await on.wait(60)
        assert await told(on) == ["heard: one", "heard: two"]
        await on.wait(600)
        assert await settled(on)


@pytest.mark.parametrize("step", STEPS, ids=str)
async def test_a_letter_and_a_model_that_are_tried_again_do_not_wait_for_the_old_time(
    stage: OpenStage, step: timedelta
) -> None:
    chat, model = ScriptedChat(), Moody()
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        await chat.say("mira", "hello")
        chat.busy = True
        await on.wait(100)
        model.down = True
        await on.say("ana", DIRECT, "hello")
        await on.wait(100)
        on.clock.set(step)
        chat.busy = model.down = False
        await on.wait(400)
        assert len(chat.said("mira")) == 1
        answers = [text for text in await told(on) if "out of reach" not in text]
        assert len(answers) == 1
        assert await settled(on)


@pytest.mark.parametrize("step", STEPS, ids=str)
async def test_the_agency_notices_what_was_said_before_the_clock_was_set(
    stage: OpenStage, step: timedelta
) -> None:
    async with stage() as on:
        await on.say("bo", "project", PLAN)
        await on.wait(300)
        await on.say("lin", "architecture", CHANGE)
        await on.wait(1)
        on.clock.set(step)
        await on.wait(300)
        assert said(await told(on, "project"), "canary-release") == 1
        on.clock.set(-step)
        await on.wait(600)
        assert said(await told(on, "project"), "canary-release") == 1, "and says it once"


async def test_nothing_is_said_twice_by_a_clock_that_lives_through_an_hour_twice(
    stage: OpenStage,
) -> None:
    """A reminder, a daily one, one in steps, and the digest: set back to before each of them."""
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me today at 11:30 to call Jon")
        await ask(on, "ana", "remind me every day at 11:40 to stretch")
        await ask(on, "ana", "remind me every 30 minutes to drink")
        await until(on, "2026-11-30T11:45")
        before = await told(on)
        assert [said(before, f"Reminder: {word}") for word in ("call", "stretch", "drink")] == [
            1
        ] * 3
        on.clock.set(-HOUR)
        await on.wait(3600 + 60)
        again = await told(on)
        assert [said(again, f"Reminder: {word}") for word in ("call", "stretch", "drink")] == [
            1
        ] * 3
        await on.wait(1800)
        assert said(await told(on), "Reminder: drink") == 2, "it goes on from its last turn"


async def test_a_laptop_that_slept_all_night_wakes_without_a_storm(stage: OpenStage) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me every 15 minutes to drink")
        await ask(on, "ana", "remind me every hour to stand up")
        await on.wait(3600)
        before = await told(on)
        for _ in range(3):  # it was opened for a moment twice in between
            on.clock.set(timedelta(hours=5))
            await on.wait(90)
        after = (await told(on))[len(before) :]
        assert said(after, "drink") <= 3 and said(after, "stand up") <= 3
        assert all("left out" in text for text in after)
        found = await on.house.db.read(lambda reader: runs.latest(reader, limit=99))
        assert {run.state for run in found} == {runs.State.SUCCEEDED}


async def test_a_run_that_was_going_on_when_the_machine_slept_goes_on_and_is_not_begun_twice(
    stage: OpenStage,
) -> None:
    """Its lease ran out in its sleep, and its own process is alive."""
    model = ScriptedModel(conversation=echo)
    let_go = model.hold("conversation")
    async with stage(Surroundings(model=model)) as on:
        await on.say("ana", DIRECT, "hello")

        async def pass_by(seconds: float) -> None:
            house = on.house
            goal = on.clock() + timedelta(seconds=seconds)
            await on.clock.pass_time(
                goal,
                busy=lambda: bool(house.db.busy or house.dispatcher.busy > model.held),
                breathe=system_sleep,
            )

        await pass_by(5)
        assert model.held == 1
        for step in (timedelta(hours=8), timedelta(hours=-8)):
            on.clock.set(step)
            await pass_by(200)
        let_go()
        await on.wait(60)
        assert await told(on) == ["heard: hello"]
        assert len(model.of("conversation")) == 1


async def test_quiet_hours_go_by_the_clock_as_it_was_set(stage: OpenStage) -> None:
    """It was ten in the morning until somebody noticed that it is three at night."""
    async with stage(speaking__quiet_hours="22:00-04:00") as on:
        await on.say("bo", "project", PLAN)
        await on.wait(300)
        on.clock.set(timedelta(hours=-7))
        await on.say("lin", "architecture", CHANGE)
        await on.wait(45 * 60)
        assert said(await told(on, "project"), "canary-release") == 0
        await on.wait(15 * 60)
        assert said(await told(on, "project"), "canary-release") == 1


@pytest.mark.parametrize("step", [timedelta(hours=-7), timedelta(hours=7)], ids=str)
async def test_no_alarm_spins_when_the_clock_is_set(stage: OpenStage, step: timedelta) -> None:
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me every day at 9 to stretch")
        await on.say("bo", "project", PLAN)
        await on.wait(600)
        on.clock.set(step)
        await on.wait(120)
        commits: list[int] = []
        on.house.db.listen(lambda: commits.append(1))
        await on.wait(1800)
        assert len(commits) <= 200, "a handful a minute, and no more than before"


async def test_a_house_that_starts_with_an_earlier_clock_answers_what_it_was_asked(
    make_config: MakeConfig,
) -> None:
    """A board without a battery begins in the past until it has asked a time server."""
    around = Surroundings(model=ScriptedModel(conversation=echo))

    def at(moment: datetime) -> AbstractAsyncContextManager[Stage]:
        config = make_config(bot__debounce="30s")
        return open_stage(config, moment, people=team.PEOPLE, rooms=team.ROOMS, around=around)

    async with at(MONDAY) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(5)
    async with at(MONDAY - timedelta(days=400)) as on:
        await on.wait(90)
        assert await told(on) == ["heard: hello"]
        on.clock.set(timedelta(days=400))
        await on.say("ana", DIRECT, "still there?")
        await on.wait(90)
        assert await told(on) == ["heard: hello", "heard: still there?"]


NIGHTS = [
    ("Europe/Berlin", "2027-03-28T02:30", "03:00"),  # is left out
    ("Europe/Berlin", "2026-10-25T02:30", "02:30"),  # comes twice
    ("America/New_York", "2026-11-01T01:30", "01:30"),
    ("Australia/Sydney", "2026-10-04T02:30", "03:00"),
    ("Australia/Lord_Howe", "2026-10-04T02:15", "02:30"),  # by half an hour
    ("Australia/Lord_Howe", "2027-04-04T01:45", "01:45"),
    ("America/Santiago", "2026-09-06T00:30", "01:00"),  # at midnight
]


@pytest.mark.parametrize(("zone", "night", "shown"), NIGHTS)
async def test_a_daily_reminder_comes_once_in_the_night_the_clocks_change_du_08(
    make_config: MakeConfig, zone: str, night: str, shown: str
) -> None:
    """Over the whole house, started anew between the two times the hour may come."""
    here = ZoneInfo(zone)
    turn = datetime.fromisoformat(night).replace(tzinfo=here).astimezone(UTC)
    config = make_config(bot__timezone=zone, agency__enabled=False, agency__memory=False)

    def opened(moment: datetime) -> AbstractAsyncContextManager[Stage]:
        return open_stage(config, moment, people=team.PEOPLE, rooms=team.ROOMS)

    async with opened(turn - timedelta(hours=20)) as on:
        await ask(on, "ana", f"remind me every day at {night[-5:]} to look")
        on.clock.skip(turn - timedelta(minutes=45) - on.clock())
        await on.wait(50 * 60)
    async with opened(turn + timedelta(minutes=5)) as on:
        await on.wait(65 * 60)
        posts = [post for post in await on.posts(DIRECT, who="ana") if "r: look" in post.text]
        turns = [f"{post.at.astimezone(here):%Y-%m-%d %H:%M}" for post in posts]
        assert [one[11:] for one in turns if one.startswith(night[:10])] == [shown]


async def test_a_person_who_moves_to_another_zone_keeps_what_was_set_and_has_new_hours(
    stage: OpenStage,
) -> None:
    """DU-08: a zone by its name is kept with each reminder, and not an offset."""
    tokyo = ZoneInfo("Asia/Tokyo")
    async with stage(**HERE) as on:
        await ask(on, "ana", "remind me every day at 9 to stretch")
        ana = await person(on, "Ana")

        def move(tx: Tx) -> None:
            personal.set_zone(tx, ana, tokyo.key, now=on.clock())

        await on.house.db.write(move)
        await ask(on, "ana", "remind me every day at 10 to walk")
        first, second = sorted(await kept(on), key=lambda one: one.id)
        zones = [first.grid.zone, second.grid.zone]
        assert zones == ["Europe/Berlin", "Asia/Tokyo"]
        await until(on, "2026-12-01T10:00", zone=tokyo)
        assert said(await told(on), "Reminder: walk") == 1
        assert said(await told(on), "Reminder: stretch") == 0
        await until(on, "2026-12-01T09:00")
        assert said(await told(on), "Reminder: stretch") == 1


async def test_a_leap_second_is_nothing(stage: OpenStage) -> None:
    """The system repeats or stretches a second; that is less than anything waits for."""
    async with stage(Surroundings(model=ScriptedModel(conversation=echo))) as on:
        for number, step in enumerate((-1, 1)):
            await on.say("ana", DIRECT, f"word {number}")
            on.clock.set(timedelta(seconds=step))
            await on.wait(5)
        assert await told(on) == ["heard: word 0", "heard: word 1"]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_what_is_near_is_brought_near_and_what_is_far_stays_where_it_is(
    kind: str, tmp_path: Path
) -> None:
    async with database(kind, tmp_path) as db:
        now = MONDAY - HOUR

        def queue(tx: Tx) -> list[int]:
            made = []
            for minutes in (-90, 1, 10, 300):
                key = f"room {minutes}"
                session = sessions.inner(tx, sessions.Kind.MEMORY, key, now_us=to_us(MONDAY))
                due = to_us(MONDAY + timedelta(minutes=minutes))
                made.append(
                    runs.queue(
                        tx, session.id, "memory", priority=60, due_us=due, now_us=to_us(MONDAY)
                    )
                )
            return made

        ids = await db.write(queue)
        for _ in range(2):  # as when two processes notice it
            await db.write(bring_near, by=HOUR, now=now)
        found = [await db.read(runs.get, id) for id in ids]
        ahead = [(run.due_at - now).total_seconds() / 60 for run in found]
        assert ahead[0] == -30, "what was due is due"
        assert all(minutes <= 10 for minutes in ahead[1:3])
        assert ahead[3] == 360, "what waits for a date goes by the new clock"


@asynccontextmanager
async def database(kind: str, folder: Path) -> AsyncIterator[Database]:
    """With every table."""
    if kind == "sqlite":
        async with Database(folder / "test.db") as db:
            await db.write(migrations.migrate, migrations.steps(PACKAGES), now_us=to_us(MONDAY))
            yield db
        return
    url = servers.running().fresh()
    async with Database(Postgres(url)) as db:
        yield db
    servers.running().drop(url)
