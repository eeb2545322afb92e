"""How the platforms are, written down for other processes."""

from datetime import timedelta

import pytest

from adapters.chat import Health
from adapters.errors import Refused
from bot import health, inspection
from bot.app import Surroundings
from bot.health import LOOK_S, Standing
from bot.plays.stage import Stage
from memory.db import Database
from memory.moments import to_us
from tests.conftest import MONDAY, OpenStage
from tests.fakes.scripted_chat import ScriptedChat

LATER = MONDAY + timedelta(minutes=9)


def around(chat: ScriptedChat) -> Surroundings:
    return Surroundings(chats=(chat,))


async def standing(on: Stage, name: str = "desk") -> Standing:
    found = await on.house.db.read(health.every)
    return next(one for one in found if one.name == name)


def told(on: Stage, name: str = "desk") -> str:
    lines = inspection.status(on.house.config, on.clock())
    return next(line.strip() for line in lines if f"{name} " in line and " since " in line)


async def test_a_change_is_written_soon_and_counts_from_its_moment(stage: OpenStage) -> None:
    chat = ScriptedChat()
    async with stage(around(chat)) as on:
        await on.wait(100)
        assert (await standing(on)).up
        chat.state = Health(up=False, note="no pong for 60 s")
        await on.wait(LOOK_S)
        down = await standing(on)
        assert (down.up, down.note) == (False, "no pong for 60 s")
        assert MONDAY + timedelta(seconds=90) <= down.since <= on.clock()
        chat.state = Health(up=False, note="connecting")
        await on.wait(100)
        assert (await standing(on)).since == down.since, "it is the same outage"
        assert (await standing(on)).note == "connecting"


async def test_signs_of_life_are_written_once_a_minute(stage: OpenStage) -> None:
    chat = ScriptedChat()
    async with stage(around(chat)) as on:
        seen = set()
        for _ in range(20):
            chat.state = Health(up=True, heard_at=on.clock(), event_at=MONDAY)
            await on.wait(15)
            seen.add((await standing(on)).heard_at)
        assert 5 <= len(seen) <= 6
        assert (await standing(on)).event_at == MONDAY


async def test_where_nothing_moves_nothing_is_written(stage: OpenStage) -> None:
    async with stage(around(ScriptedChat())) as on:
        await on.wait(3600)
        assert (await standing(on)).seen_at == MONDAY


async def test_the_status_tells_each_platform(stage: OpenStage) -> None:
    chat = ScriptedChat()
    async with stage(around(chat)) as on:
        chat.state = Health(up=True, heard_at=MONDAY, event_at=MONDAY - timedelta(hours=3))
        await on.wait(100)
        line = told(on)
        assert "desk up since 2026-11-30 10:00" in line
        assert "last sign of life 100 s ago, last event 3 h ago" in line
        assert "web up since 2026-11-30 10:00" in told(on, "web")
    line = next(one for one in inspection.status(on.house.config, LATER) if "desk" in one)
    assert "desk as of 2026-11-30 10:01, when Limen ran: up since" in line


async def test_the_status_tells_why_a_platform_is_down(stage: OpenStage) -> None:
    chat = ScriptedChat(deaths=[Refused("the token was revoked; set a new one")])
    async with stage(around(chat)) as on:
        await on.wait(60)
        assert "down since 2026-11-30 10:00, the token was revoked; set a new one" in told(on)
        assert "web up" in told(on, "web"), "the others run on"


async def test_a_new_process_keeps_an_outage_and_forgets_what_is_over(db: Database) -> None:
    for name, up in (("slack", False), ("feishu", True), ("telegram", False)):
        await db.write(health.record, name, Health(up=up), now_us=to_us(MONDAY))
    await db.write(health.begin, frozenset({"slack", "feishu"}), alone=True)
    await db.write(health.record, "slack", Health(up=False), now_us=to_us(LATER))
    await db.write(health.record, "feishu", Health(up=True), now_us=to_us(LATER))
    found = {one.name: one.since for one in await db.read(health.every)}
    assert found == {"slack": MONDAY, "feishu": LATER}


@pytest.mark.parametrize("field", ["heard_at", "event_at"])
async def test_what_is_not_told_again_is_kept(db: Database, field: str) -> None:
    await db.write(
        health.record, "slack", Health(up=True, heard_at=MONDAY, event_at=MONDAY), now_us=1
    )
    await db.write(health.record, "slack", Health(up=False), now_us=2)
    [one] = await db.read(health.every)
    assert getattr(one, field) == MONDAY


async def test_what_another_process_wrote_is_written_anew_by_the_next_holder(
    stage: OpenStage,
) -> None:
    async with stage(around(ScriptedChat())) as on:
        await on.wait(100)
        away = Health(up=False, note="it went down there")
        await on.house.db.write(health.record, "desk", away, now_us=to_us(on.clock()))
        on.house.watch.took_over()
        await on.wait(1)
        assert (await standing(on)).up
