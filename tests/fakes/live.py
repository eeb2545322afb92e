"""One chat, or a whole house, against platforms on loopback: real sockets, quick waits.

    async with one_chat(SlackApi(), tmp_path) as line: …      the adapter alone
    async with live_house(tmp_path, slack, telegram) as live: …   whatever has been entered

Nothing here waits for time to pass: tests wait for what they want to see, with `Platform.until`.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from adapters.chat import Address, Author, Chat, EventKind, Incoming, Outgoing
from adapters.errors import Retry
from adapters.feishu.chat import FeishuChat
from adapters.feishu.settings import FeishuSettings
from adapters.slack.chat import SlackChat
from adapters.slack.settings import SlackSettings
from adapters.telegram.chat import TelegramChat
from adapters.telegram.settings import TelegramSettings
from bot.app import Surroundings, open_house, system_clock, system_sleep
from bot.house import House
from bot.models.model import Model
from bot.setup import config as configuration
from memory.db import Database, Reader
from memory.engine import Engine
from tests.fakes.platform import Platform
from tests.fakes.web_platform import PEOPLE, ROOMS, WebPlatform

SPEED = 20.0


class QuickClock:
    """The real time, which runs faster from the moment it is made; its sleeps are shorter alike."""

    def __init__(self, speed: float = SPEED) -> None:
        self._speed = speed
        self._start = system_clock()
        self._began = time.monotonic()
        self._skipped = timedelta(0)
        self.slept: list[float] = []
        """The length of every sleep that was asked for."""

    def __call__(self) -> Any:
        passed = (time.monotonic() - self._began) * self._speed
        return self._start + timedelta(seconds=passed) + self._skipped

    async def sleep(self, seconds: float) -> None:
        """Sleep by this clock."""
        self.slept.append(seconds)
        await system_sleep(seconds / self._speed)

    def skip(self, span: timedelta) -> None:
        """Let time pass in no time; who sleeps sleeps on."""
        self._skipped += span


@dataclass
class Heard:
    """A `receive` that keeps what it was given and tells the platform's waiters."""

    platform: Platform
    events: list[Incoming] = field(default_factory=list)
    tries: int = 0
    broken: bool = False
    """Refuse everything with Retry."""
    poison: str = ""
    """Fail for good on this text."""
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    """What is being taken waits here."""

    def __post_init__(self) -> None:
        self.gate.set()

    async def __call__(self, event: Incoming) -> None:
        self.tries += 1
        await self.platform.tell()
        await self.gate.wait()
        if self.broken:
            raise Retry("the database is full")
        if self.poison and event.text == self.poison:
            raise ValueError("this can never be stored")
        self.events.append(event)
        await self.platform.tell()

    def of(self, kind: EventKind) -> list[Incoming]:
        """The events of one kind."""
        return [event for event in self.events if event.kind is kind]

    def said(self, text: str) -> Incoming | None:
        """The first new message that holds these words."""
        return next((one for one in self.of(EventKind.NEW) if text in one.text), None)


@dataclass
class Line:
    """A chat that runs against its platform."""

    platform: Platform
    chat: Chat
    heard: Heard
    clock: QuickClock
    running: "asyncio.Task[None]"
    letters: int = 0

    async def hear(self, text: str) -> Incoming:
        """Wait for a new message with these words."""
        await self.platform.until(lambda: self.heard.said(text) is not None)
        found = self.heard.said(text)
        assert found is not None
        return found

    async def kind(self, kind: EventKind, count: int = 1) -> list[Incoming]:
        """Wait for so many events of a kind."""
        await self.platform.until(lambda: len(self.heard.of(kind)) >= count)
        return self.heard.of(kind)

    async def room(self, who: str, room: str) -> Address:
        """A room's address, as the first message in it tells."""
        text = f"hello from {who} to {room}"
        await self.platform.say(who, room, text)
        return (await self.hear(text)).address.room

    async def letter(self, who: str, room: str, text: str = "Hello.", **more: Any) -> Outgoing:
        """A letter to a room, with a key of its own."""
        self.letters += 1
        address = await self.room(who, room)
        given: dict[str, Any] = {"key": f"letter-{self.letters}", "written": self.clock()} | more
        return Outgoing(room=address, text=text, **given)

    async def person(self, who: str, room: str) -> Author:
        """Somebody as an event of theirs shows them, called by their name."""
        text = f"{who} speaks in {room}"
        await self.platform.say(who, room, text)
        return replace((await self.hear(text)).author, name=who.capitalize())


@asynccontextmanager
async def one_chat(
    platform: Platform, folder: Path, *, speed: float = SPEED, **settings: Any
) -> AsyncIterator[Line]:
    """A platform and its adapter, connected; `settings` are further ones of the adapter's."""
    clock = QuickClock(speed)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(platform)
        if isinstance(platform, WebPlatform):
            chat: Chat = await stack.enter_async_context(
                platform.alone(folder / "web.db", clock, clock.sleep)
            )
        else:
            chat = adapter(platform, clock, **settings)
        heard = Heard(platform)
        running = asyncio.create_task(chat.run(heard), name="chat")
        line = Line(platform, chat, heard, clock, running)
        try:
            where = await chat.started()
            if isinstance(platform, WebPlatform):
                platform.serves(where)
            yield line
        finally:
            line.running.cancel()
            await asyncio.gather(line.running, return_exceptions=True)


def adapter(platform: Platform, clock: QuickClock, **settings: Any) -> Chat:
    """The adapter of a platform, led to it by the settings that Limen would be given."""
    surroundings = (clock, clock.sleep, lambda: 0.5)
    match adapter_settings(platform, **settings):
        case SlackSettings() as given:
            return SlackChat(given, *surroundings)
        case TelegramSettings() as given:
            return TelegramChat(given, *surroundings)
        case FeishuSettings() as given:
            return FeishuChat(given, *surroundings)


def adapter_settings(
    platform: Platform, **settings: Any
) -> SlackSettings | TelegramSettings | FeishuSettings:
    """The settings that lead an adapter to its platform."""
    given: dict[str, Any] = {
        key.rpartition("__")[2].lower(): value for key, value in platform.env.items()
    }
    given |= {"bot_name": platform.bot_name} | settings
    match platform.name:
        case "slack":
            return SlackSettings(**given)
        case "telegram":
            return TelegramSettings(**given)
        case "feishu":
            return FeishuSettings(**given)
    raise AssertionError(f"there is no adapter for {platform.name!r}")


QUICK = {
    "LIMEN_BOT__TIMEZONE": "UTC",
    "LIMEN_BOT__DEBOUNCE": "20ms",
    "LIMEN_AGENCY__QUIET_WINDOW": "600ms",
    "LIMEN_AGENCY__MAX_WAIT": "3s",
    "LIMEN_AGENCY__EARLY_WAKE": "200ms",
    "LIMEN_AGENCY__HEARTBEAT": "0s",
}
"""What keeps a house from waiting for more; by its own clock."""
LOOK_S = 0.01  # between two looks whether a house has come to rest
CALM = 5  # looks in a row at which it must be
_OPEN = """
SELECT (SELECT COUNT(*) FROM runs WHERE state IN ('queued', 'running'))
    + (SELECT COUNT(*) FROM letters WHERE state IN ('pending', 'sending', 'unknown'))
    + (SELECT COUNT(*) FROM fires WHERE state = 'pending') AS n
"""


@dataclass
class Live:
    """A house that lives."""

    house: House
    clock: QuickClock
    living: "asyncio.Task[None]"

    async def started(self) -> None:
        """Wait until every chat is connected."""
        for chat in self.house.supervisor.chats:
            await chat.started()

    async def hear(self, platform: Platform, who: str, room: str, text: str, **more: Any) -> str:
        """Let somebody speak, and wait until it was taken in and all that comes of it is done."""
        message = await platform.say(who, room, text, **more)
        await platform.until(lambda: platform.acknowledged(message))
        await self.rest()
        return message

    async def rest(self, seconds: float = 20.0) -> None:
        """Wait until nothing is being done and nothing is due soon."""
        calm = 0
        async with asyncio.timeout(seconds):
            while calm < CALM:
                if self.living.done():
                    self.living.result()
                open = await self.rows(_OPEN)
                calm = 0 if open[0]["n"] or self.house.busy() else calm + 1
                await system_sleep(LOOK_S)

    async def rows(self, sql: str, **params: Any) -> list[Any]:
        """What the database holds."""

        def look(reader: Reader) -> Sequence[Any]:
            return reader.all(sql, **params)

        return list(await self.house.db.read(look))


@asynccontextmanager
async def live_house(
    folder: Path,
    *platforms: Platform,
    clock: QuickClock | None = None,
    model: Model | None = None,
    chats: tuple[Chat, ...] = (),
    database: Callable[[Path | Engine], Database] = Database,
    settings: Mapping[str, str] | None = None,
    **keys: str,
) -> AsyncIterator[Live]:
    """A house on these platforms, which run already; keywords are such as `speaking__enabled`.

    `chats` are adapters that a test has built itself; `settings` are variables of the environment.
    """
    clock = clock or QuickClock()
    web = next((one for one in platforms if isinstance(one, WebPlatform)), None)
    env = QUICK | {"LIMEN_BOT__DATA_DIR": str(folder), "LIMEN_WEB__ENABLED": str(web is not None)}
    for platform in platforms:
        env |= platform.env
    env |= {f"LIMEN_{key.upper()}": value for key, value in keys.items()} | dict(settings or {})
    around = Surroundings(
        clock=clock,
        sleep=clock.sleep,
        jitter=lambda: 0.5,
        model=model,
        chats=chats,
        database=web.database if web else database,
    )
    async with open_house(configuration.load(None, env), around) as house:
        await house.rooms.seed(PEOPLE, ROOMS)
        living = asyncio.create_task(house.live(), name="house")
        try:
            if web is not None and house.web is not None:
                web.store = house.rooms
                web.serves(await house.web.started())
            yield Live(house, clock, living)
        finally:
            living.cancel()
            await asyncio.gather(living, return_exceptions=True)
