"""The Slack adapter on the loopback Slack, with a clock that a test moves by hand."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from time import time
from typing import Any

from adapters.chat import Address, EventKind, Incoming, Outgoing
from adapters.slack.chat import SlackChat
from adapters.slack.settings import SlackSettings
from tests.fakes.slack_api import APP_TOKEN, BOT_TOKEN, SlackApi


class HandClock:
    """Stands still; who sleeps wakes when the test lets the time pass."""

    def __init__(self) -> None:
        self.now = datetime.fromtimestamp(time(), UTC)
        self.naps: list[float] = []
        """Every wait that was asked for, in seconds."""
        self._moved = asyncio.Condition()

    def __call__(self) -> datetime:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        due = self.now + timedelta(seconds=seconds)
        async with self._moved:
            self._moved.notify_all()
            await self._moved.wait_for(lambda: self.now >= due)

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        async with self._moved:
            self.now += timedelta(seconds=seconds)
            self._moved.notify_all()

    async def until_asleep(self, holds: Callable[[float], bool]) -> float:
        """Wait until somebody asked for such a wait; its length."""
        async with asyncio.timeout(10), self._moved:
            await self._moved.wait_for(lambda: any(map(holds, self.naps)))
        return next(nap for nap in self.naps if holds(nap))


class World:
    """One bot on one Slack; `heard` is what it took in."""

    def __init__(self, api: SlackApi, chat: SlackChat, clock: HandClock) -> None:
        self.api = api
        self.chat = chat
        self.clock = clock
        self.heard: list[Incoming] = []
        self.refusals: list[Exception] = []
        """Raised by the next calls of receive, in order."""
        self.before: Callable[[Incoming], None] = lambda incoming: None
        """Looks on while an event is being stored."""
        self._heard_more = asyncio.Condition()

    async def receive(self, incoming: Incoming) -> None:
        self.before(incoming)
        if self.refusals and incoming.kind is not EventKind.MEMBERS:
            raise self.refusals.pop(0)
        self.heard.append(incoming)
        async with self._heard_more:
            self._heard_more.notify_all()

    def of(self, *kinds: EventKind) -> list[Incoming]:
        """What was heard of these kinds, without word of rooms unless asked for."""
        wanted = kinds or tuple(kind for kind in EventKind if kind is not EventKind.MEMBERS)
        return [incoming for incoming in self.heard if incoming.kind in wanted]

    async def until_heard(self, *kinds: EventKind, count: int = 1) -> list[Incoming]:
        async with asyncio.timeout(10), self._heard_more:
            await self._heard_more.wait_for(lambda: len(self.of(*kinds)) >= count)
        return self.of(*kinds)

    def room(self, chat: str, thread: str | None = None) -> Address:
        team = self.api.workspace.team
        return Address(platform="slack", account=team, chat=chat, thread=thread)

    def letter(self, text: str, chat: str = "C0PROJECT", **more: Any) -> Outgoing:
        room = self.room(chat, more.pop("thread", None))
        fixed: dict[str, Any] = {
            "key": "letter-1",
            "room": room,
            "text": text,
            "written": self.clock.now,
        }
        return Outgoing(**(fixed | more))


def settings_for(api: SlackApi, **changes: str) -> SlackSettings:
    fixed = {"bot_token": BOT_TOKEN, "app_token": APP_TOKEN, "base_url": api.base_url}
    return SlackSettings(**(fixed | changes))


def make(api: SlackApi, **changes: str) -> World:
    """A bot that is not running yet."""
    clock = HandClock()
    chat = SlackChat(settings_for(api, **changes), clock, clock.sleep, lambda: 1.0)
    return World(api, chat, clock)


@asynccontextmanager
async def running(world: World) -> AsyncIterator[World]:
    """Its bot, connected."""
    task = asyncio.create_task(world.chat.run(world.receive))
    try:
        async with asyncio.timeout(10):
            await world.chat.started()
        yield world
    finally:
        task.cancel()
        await asyncio.wait({task})


@asynccontextmanager
async def connected(**changes: str) -> AsyncIterator[World]:
    """A bot on a Slack of its own."""
    async with SlackApi() as api, running(make(api, **changes)) as world:
        yield world
