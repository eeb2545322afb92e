"""A house on a virtual clock, and people who act in its rooms: for stories and scenarios."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from adapters.web.rooms import PersonSeed, Post, RoomSeed
from bot.app import Surroundings, open_house, system_sleep
from bot.engine.clocks import VirtualClock
from bot.house import House
from bot.setup.config import Config

DIRECT = "dm"  # the room name that means the speaker's own DM with the bot


@dataclass(frozen=True, slots=True)
class Stage:
    """A running house whose time moves only here."""

    house: House
    clock: VirtualClock

    async def say(self, who: str, room: str, text: str, *, reply_to: str | None = None) -> Post:
        """Somebody posts; `room` may be DIRECT."""
        return await self.house.rooms.say(who, await self._room(who, room), text, reply_to=reply_to)

    async def press(self, who: str, yes: bool) -> bool:
        """Somebody answers the open question of their DM by its button; False without one."""
        for post in reversed(await self.posts(DIRECT, who=who)):
            if post.buttons:
                await self.house.rooms.press(who, post.id, post.buttons[0 if yes else -1].value)
                return True
        return False

    async def posts(self, room: str, *, who: str = "") -> list[Post]:
        """What stands in a room, oldest first."""
        return await self.house.rooms.posts(await self._room(who, room), limit=500)

    async def wait(self, seconds: float) -> None:
        """Let time pass, with all that happens in it."""
        until = self.clock() + timedelta(seconds=seconds)
        await self.clock.pass_time(until, busy=self.house.busy, breathe=system_sleep)

    async def _room(self, who: str, room: str) -> str:
        return (await self.house.rooms.direct(who)).id if room == DIRECT else room


@asynccontextmanager
async def open_stage(
    config: Config,
    start: datetime,
    *,
    people: Sequence[PersonSeed],
    rooms: Sequence[RoomSeed],
    around: Surroundings | None = None,
) -> AsyncIterator[Stage]:
    """A house in `config`'s data folder, living on a virtual clock that begins at `start`."""
    clock = VirtualClock(start)
    given = around or Surroundings()
    surroundings = replace(given, clock=clock, sleep=clock.sleep, jitter=lambda: 0.5, serve=False)
    async with open_house(config, surroundings) as house:
        await house.rooms.seed(people, rooms)
        living = asyncio.create_task(house.live(), name="house")
        stage = Stage(house, clock)
        try:
            await stage.wait(0)
            yield stage
        finally:
            living.cancel()
            await asyncio.gather(living, return_exceptions=True)
