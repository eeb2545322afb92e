"""What befalls a platform or its wire: nothing is lost, nothing is said twice, others go on.

On Telegram nobody can look whether a message arrived, so there one marked repeat is allowed.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.chat import Health
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.four_chats import KINDS
from tests.fakes.live import Live, QuickClock, adapter, live_house
from tests.fakes.platform import Fault, Platform
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi

OUTER = ("slack", "telegram", "feishu")
LOOKS_UP = ("slack", "feishu")
"""Where it can be told whether a letter arrived."""
WRONG = {
    "slack": {"LIMEN_SLACK__BOT_TOKEN": "xoxb-wrong"},
    "telegram": {"LIMEN_TELEGRAM__TOKEN": "1:wrong"},
    "feishu": {"LIMEN_FEISHU__APP_SECRET": "wrong"},
}
"""Credentials that were mistyped."""


@pytest.fixture(params=OUTER)
async def platform(request: pytest.FixtureRequest) -> AsyncIterator[Platform]:
    async with KINDS[request.param].make() as found:
        yield calm(found)


@pytest.fixture
async def live(platform: Platform, tmp_path: Path) -> AsyncIterator[Live]:
    async with live_house(tmp_path / "home", platform, model=echoing()) as found:
        await found.started()
        yield found


def calm(platform: Platform) -> Platform:
    """Feishu's pings come so quickly by default that a busy machine misses some."""
    if isinstance(platform, FeishuApi):
        platform.hub.config["PingInterval"] = 60
    return platform


def echoing() -> ScriptedModel:
    """Says back what it was told, so that every answer names its question."""
    return ScriptedModel(conversation=echo)


def answers(platform: Platform, room: str) -> list[str]:
    return [post.text for post in platform.posts(room)]


async def answered(live: Live, platform: Platform, who: str, text: str) -> None:
    """Somebody asks in their DM and is answered once."""
    room = f"direct:{who}"
    before = answers(platform, room)
    await platform.say(who, "direct", text)
    await platform.until_posts(room, len(before) + 1)
    await live.rest()
    assert answers(platform, room) == [*before, f"heard: {text}"]


async def all_is_well(live: Live) -> None:
    """Nothing failed, nothing is stuck."""
    runs = {row["state"] for row in await live.rows("SELECT DISTINCT state FROM runs")}
    assert runs <= {"succeeded"}
    assert {row["state"] for row in await live.rows("SELECT state FROM letters")} == {"sent"}
    waiting = await live.rows("SELECT * FROM inputs WHERE state NOT IN ('delivered', 'observed')")
    assert waiting == []


# what comes twice, late, or in the wrong order


async def test_what_is_delivered_again_at_once_is_answered_once(
    live: Live, platform: Platform
) -> None:
    message = await platform.say("ana", "direct", "is anybody there?")
    for _ in range(3):
        await platform.redeliver(message)
    await platform.until_posts("direct:ana")
    await platform.until(lambda: platform.acknowledged(message))
    await live.rest()
    assert answers(platform, "direct:ana") == ["heard: is anybody there?"]


async def test_what_is_delivered_again_six_hours_later_is_answered_once(
    platform: Platform, tmp_path: Path
) -> None:
    async with live_house(tmp_path / "home", platform, model=echoing()) as live:
        await live.started()
        direct = await platform.say("ana", "direct", "is anybody there?")
        mention = await platform.say("bo", "project", "and here?", mention=True)
        await platform.until_posts("direct:ana")
        await platform.until_posts("project")
        await live.rest()
        live.clock.skip(timedelta(hours=6))
        for message in (direct, mention):
            await platform.redeliver(message)
            await platform.until(lambda id=message: platform.acknowledged(id))  # type: ignore[misc]
        await live.rest()
        assert len(platform.posts()) == 2
    clock = QuickClock()
    clock.skip(timedelta(hours=12))
    async with live_house(tmp_path / "home", platform, model=echoing(), clock=clock) as live:
        await live.started()
        for message in (direct, mention):
            await platform.redeliver(message)
        await answered(live, platform, "mo", "and you?")
        assert len(platform.posts()) == 3


def turn_round(platform: Platform) -> None:
    """What waits for the bot is delivered the last first."""
    match platform:
        case SlackApi():
            platform.sockets.deliveries.reverse()
        case FeishuApi():
            platform.hub.deliveries.reverse()
        case TelegramApi():
            ids = [update["update_id"] for update in platform.world.updates]
            platform.world.updates.reverse()
            for update, id in zip(platform.world.updates, ids, strict=True):
                update["update_id"] = id


async def test_an_edit_that_comes_before_its_message_stands_for_it(
    platform: Platform, tmp_path: Path
) -> None:
    message = await platform.say("ana", "direct", "When is the old release?")
    await platform.edit("ana", "direct", message, "When is the new release?")
    turn_round(platform)
    async with live_house(tmp_path / "home", platform, model=echoing()) as live:
        await live.started()
        await platform.until_posts("direct:ana")
        await platform.until(lambda: platform.acknowledged(message))
        await live.rest()
        assert answers(platform, "direct:ana") == ["heard: When is the new release?"]


async def test_a_message_that_was_recalled_before_it_came_is_never_answered(
    platform: Platform, tmp_path: Path
) -> None:
    if platform.name == "telegram":
        pytest.skip("Telegram tells bots nothing of deleted messages")
    message = await platform.say("ana", "direct", "the secret is 4711")
    await platform.recall("ana", "direct", message)
    turn_round(platform)
    async with live_house(tmp_path / "home", platform, model=echoing()) as live:
        await live.started()
        await platform.until(lambda: platform.acknowledged(message))
        await live.rest()
        assert platform.posts() == []
        assert not await live.rows("SELECT * FROM originals WHERE body LIKE '%4711%'")
        await answered(live, platform, "ana", "still there?")


# what befalls an answer


@pytest.mark.parametrize("fault", [Fault.LIMITED, Fault.BROKEN, Fault.EXPIRED, Fault.UNFORMATTED])
async def test_an_answer_that_fails_at_first_arrives_once(
    live: Live, platform: Platform, fault: Fault
) -> None:
    platform.befall(fault, times=1 if fault is Fault.UNFORMATTED else 2)
    await answered(live, platform, "ana", "what about **this**?".replace("*", ""))
    await answered(live, platform, "bo", "and that?")
    await all_is_well(live)


async def test_an_answer_of_which_nobody_heard_whether_it_arrived_is_there_once(
    live: Live, platform: Platform
) -> None:
    platform.befall(Fault.LOST)
    await platform.say("ana", "direct", "did you say it?")
    first = (await platform.until_posts("direct:ana"))[0].text
    if platform.name not in LOOKS_UP:
        await platform.until_posts("direct:ana", 2)
    await live.rest()
    said = answers(platform, "direct:ana")
    assert first == "heard: did you say it?"
    if platform.name in LOOKS_UP:
        assert said == [first]
    else:
        assert len(said) == 2
        assert "possibly a repeat" in said[1] and first in said[1]
    await answered(live, platform, "bo", "and that?")
    await all_is_well(live)


async def test_an_answer_that_is_lost_again_and_again_is_said_twice_at_most(
    live: Live, platform: Platform
) -> None:
    platform.befall(Fault.LOST, times=5)
    await platform.say("ana", "direct", "did you say it?")
    await platform.until_posts("direct:ana")
    await live.rest()
    assert len(platform.posts("direct:ana")) <= (1 if platform.name in LOOKS_UP else 2)


async def test_a_room_that_is_closed_stops_no_other(live: Live, platform: Platform) -> None:
    platform.befall(Fault.GONE)
    await live.hear(platform, "bo", "project", "anybody?", mention=True)
    assert platform.posts("project") == []
    (letter,) = await live.rows("SELECT state, error FROM letters")
    assert letter["state"] == "failed"
    assert len(letter["error"].split()) >= 4, "people can read why"
    await answered(live, platform, "ana", "and here?")


# what befalls the connection


async def test_a_connection_that_breaks_loses_nothing(live: Live, platform: Platform) -> None:
    for who in ("ana", "bo", "mo"):
        await platform.until(lambda: platform.connections > 0)
        await platform.hang_up()
        await answered(live, platform, who, f"are you back, {who} asks?")
    assert len(platform.posts()) == 3


async def test_a_connection_that_went_silent_is_noticed_and_nothing_is_lost(
    platform: Platform, tmp_path: Path
) -> None:
    clock = QuickClock(100)
    chat = adapter(platform, clock, **KINDS[platform.name].impatient)
    async with live_house(tmp_path / "home", clock=clock, model=echoing(), chats=(chat,)) as live:
        await live.started()
        await platform.until(lambda: platform.connections > 0)
        await platform.go_silent()
        await answered(live, platform, "ana", "can you hear me?")


async def test_what_nobody_can_read_stops_nothing(live: Live, platform: Platform) -> None:
    await platform.send_garbage()
    await answered(live, platform, "ana", "and on we go")
    assert live.house.supervisor.health()[platform.name].up


@pytest.mark.parametrize("lost", OUTER)
async def test_one_platform_whose_token_is_revoked_is_told_and_the_others_go_on(
    lost: str, tmp_path: Path
) -> None:
    async with (
        SlackApi() as slack,
        TelegramApi() as telegram,
        FeishuApi() as feishu,
        live_house(tmp_path / "home", slack, telegram, calm(feishu), model=echoing()) as live,
    ):
        await live.started()
        everybody: dict[str, Platform] = {"slack": slack, "telegram": telegram, "feishu": feishu}
        gone = everybody.pop(lost)
        await answered(live, gone, "ana", "still there?")
        gone.revoke()
        await gone.hang_up()

        def health() -> Health:
            return live.house.supervisor.health()[lost]

        for one in everybody.values():
            await answered(live, one, "ana", "and you?")
        await until(live, lambda: not health().up)
        assert len(health().note.split()) >= 6, "people can read what to do"
        for one in everybody.values():
            await answered(live, one, "bo", "and still?")
            assert live.house.supervisor.health()[one.name].up


@pytest.mark.parametrize("wrong", OUTER)
async def test_a_token_that_is_wrong_at_the_start_keeps_only_its_platform_away(
    wrong: str, tmp_path: Path
) -> None:
    async with (
        SlackApi() as slack,
        TelegramApi() as telegram,
        FeishuApi() as feishu,
    ):
        everybody: dict[str, Platform] = {
            "slack": slack, "telegram": telegram, "feishu": calm(feishu),
        }  # fmt: skip
        async with live_house(
            tmp_path / "home", *everybody.values(), model=echoing(), settings=WRONG[wrong]
        ) as live:
            for name, one in everybody.items():
                if name != wrong:
                    await answered(live, one, "ana", "and you?")
            await until(live, lambda: not live.house.supervisor.health()[wrong].up)
            assert live.house.supervisor.health()[wrong].note


async def until(live: Live, holds: Callable[[], bool]) -> None:
    """Wait for something of the house's, with no platform to tell of it."""
    async with asyncio.timeout(20):
        while not holds():
            await live.rest()
