"""Chats that die: started again with pauses, told as down, and never a harm to the others."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.chat import Health, Incoming
from adapters.errors import AdapterError, Refused, Retry
from bot.app import system_sleep
from bot.engine.clocks import VirtualClock
from bot.engine.keeper import Alone
from bot.engine.supervisor import Supervisor
from memory.db import Database
from tests.conftest import MONDAY
from tests.fakes.scripted_chat import ScriptedChat


async def _receive(_: Incoming) -> None:
    return None


class Kept:
    """Chats under a supervisor, on a virtual clock."""

    def __init__(self, *chats: ScriptedChat, jitter: float = 0.0) -> None:
        self.clock = VirtualClock(MONDAY)
        self.supervisor = Supervisor(
            chats,
            self.clock,
            self.clock.sleep,
            lambda: jitter,
            keeper=Alone(Database(Path("unopened"))),
        )

    async def wait(self, seconds: float) -> None:
        until = self.clock() + timedelta(seconds=seconds)
        await self.clock.pass_time(until, busy=lambda: False, breathe=system_sleep)


@asynccontextmanager
async def kept(*chats: ScriptedChat, jitter: float = 0.0) -> AsyncIterator[Kept]:
    made = Kept(*chats, jitter=jitter)
    task = asyncio.create_task(made.supervisor.run(_receive))
    try:
        await made.wait(0)
        yield made
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_one_that_dies_is_started_again_and_the_others_run_on() -> None:
    flaky = ScriptedChat(name="flaky", deaths=[RuntimeError("a bug"), Retry("the net is away")])
    steady = ScriptedChat(name="steady")
    async with kept(flaky, steady) as at:
        assert (flaky.starts, steady.starts) == (1, 1)
        await at.wait(1)
        assert flaky.starts == 2
        await at.wait(2)
        assert (flaky.starts, steady.starts) == (3, 1)


async def test_one_whose_own_task_was_cancelled_is_started_again() -> None:
    """Libraries let such an end through; taken for ours, the chat would be gone for good."""
    flaky = ScriptedChat(name="flaky", deaths=[asyncio.CancelledError()])
    async with kept(flaky) as at:
        assert flaky.starts == 1
        assert not at.supervisor.health()["flaky"].up
        await at.wait(2)
        assert flaky.starts == 2


async def test_restarts_are_spread_so_that_many_do_not_knock_at_once() -> None:
    chat = ScriptedChat(deaths=[Retry("away")])
    async with kept(chat, jitter=1.0) as at:
        await at.wait(1.2)
        assert chat.starts == 1
        await at.wait(0.1)
        assert chat.starts == 2


async def test_what_only_other_settings_help_is_said_once_and_tried_every_hour(
    caplog: pytest.LogCaptureFixture,
) -> None:
    revoked = "the token was revoked; make a new one"
    chat, other = ScriptedChat(deaths=[Refused(revoked) for _ in range(3)]), ScriptedChat(name="b")
    with caplog.at_level(logging.INFO):
        async with kept(chat, other) as at:
            await at.wait(3500)
            assert chat.starts == 1
            await at.wait(2 * 3600)
            assert chat.starts == 3
            assert other.starts == 1
    said = [record for record in caplog.records if revoked in record.getMessage()]
    assert len(said) == 1
    assert said[0].exc_info is None, "no trace for what a person has to mend"


async def test_another_reason_is_said_again(caplog: pytest.LogCaptureFixture) -> None:
    chat = ScriptedChat(deaths=[Refused("revoked"), Refused("no scope")])
    with caplog.at_level(logging.INFO):
        async with kept(chat) as at:
            await at.wait(2 * 3600)
    assert sum("is down" in record.getMessage() for record in caplog.records) == 2


@pytest.mark.parametrize(
    ("death", "note"),
    [
        (Refused("the token was revoked"), "the token was revoked"),
        (ValueError("a bug"), "ValueError: a bug"),
    ],
)
async def test_a_dead_chat_is_down_for_what_it_died_of(death: Exception, note: str) -> None:
    chat = ScriptedChat(state=Health(up=True, heard_at=MONDAY), deaths=[death])
    async with kept(chat) as at:
        assert at.supervisor.health() == {"desk": Health(up=False, note=note, heard_at=MONDAY)}


async def test_while_it_tries_again_the_reason_stays_until_it_is_up() -> None:
    chat = ScriptedChat(state=Health(up=False), deaths=[AdapterError("the net is away")])
    async with kept(chat) as at:
        await at.wait(5)
        assert at.supervisor.health()["desk"].note == "the net is away"
        chat.state = Health(up=False, note="logging in")
        assert at.supervisor.health()["desk"].note == "logging in"
        chat.state = Health(up=True)
        assert at.supervisor.health()["desk"] == Health(up=True)


@pytest.mark.parametrize(
    ("chat", "line"),
    [
        (ScriptedChat(name="slack"), "slack: Slack as @limen"),
        (
            ScriptedChat(name="telegram", unreachable=Refused("the token was revoked")),
            "telegram is down: the token was revoked",
        ),
        (
            ScriptedChat(name="feishu", state=Health(up=False, note="connecting")),
            "feishu is not connected yet: connecting",
        ),
        (
            ScriptedChat(name="feishu", state=Health(up=False)),
            "feishu is not connected yet: it has not answered so far",
        ),
    ],
    ids=["up", "down", "slow", "silent"],
)
async def test_the_line_on_a_chat_waits_no_longer_than_it_may(
    chat: ScriptedChat, line: str
) -> None:
    assert await Kept(chat).supervisor.standing(chat, within_s=0.05) == line


async def test_failures_long_ago_do_not_lengthen_the_pause() -> None:
    class Fades(ScriptedChat):
        """Runs for an hour, and then falls."""

        async def run(self, receive: object) -> None:
            self.starts += 1
            if self.deaths:
                raise self.deaths.pop(0)
            await at.clock.sleep(3600)

    chat = Fades(deaths=[Retry("away") for _ in range(6)])
    at = Kept(chat)
    task = asyncio.create_task(at.supervisor.run(_receive))
    await at.wait(3700)
    before = chat.starts
    await at.wait(100)
    assert chat.starts == before + 1, "a second later, not a minute"
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
