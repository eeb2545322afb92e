"""A house for the Feishu adapter: it takes events, a clock stands until it is moved."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from adapters.chat import Address, EventKind, Incoming, Outgoing
from adapters.errors import AdapterError
from adapters.feishu.chat import FeishuChat
from adapters.feishu.settings import FeishuSettings
from tests.fakes.feishu_api import FeishuApi

START = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


class Time:
    """A clock that only `advance` moves; whoever sleeps waits for it."""

    def __init__(self) -> None:
        self.now = START
        self.slept: list[float] = []
        self._sleepers: list[tuple[datetime, asyncio.Future[None]]] = []

    def clock(self) -> datetime:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + timedelta(seconds=seconds), future))
        await future

    async def advance(self, seconds: float, step: float = 1.0) -> None:
        """Let time pass in steps, so that what wakes up can act in between."""
        end = self.now + timedelta(seconds=seconds)
        while self.now < end:
            self.now = min(end, self.now + timedelta(seconds=step))
            due = [future for at, future in self._sleepers if at <= self.now]
            self._sleepers = [pair for pair in self._sleepers if pair[0] > self.now]
            for future in due:
                if not future.done():
                    future.set_result(None)
            for _ in range(20):
                await asyncio.sleep(0)

    async def pass_until(self, holds: Callable[[], bool], step: float = 1.0) -> None:
        """Let time pass until something holds; the network is given real moments for it."""
        async with asyncio.timeout(20):
            while not holds():
                await self.advance(step, step)
                await asyncio.sleep(0.002)


class House:
    """What was handed in; `troubles` are raised first, one for each call."""

    def __init__(self) -> None:
        self.taken: list[Incoming] = []
        self.calls = 0
        self.troubles: list[Exception] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self._news = asyncio.Condition()

    async def receive(self, incoming: Incoming) -> None:
        self.calls += 1
        async with self._news:
            self._news.notify_all()
        await self.gate.wait()
        if incoming.kind is not EventKind.MEMBERS and self.troubles:
            raise self.troubles.pop(0)
        self.taken.append(incoming)
        async with self._news:
            self._news.notify_all()

    def heard(self, kind: EventKind = EventKind.NEW) -> list[Incoming]:
        return [incoming for incoming in self.taken if incoming.kind is kind]

    async def until(self, kind: EventKind = EventKind.NEW, count: int = 1) -> list[Incoming]:
        async with asyncio.timeout(10), self._news:
            await self._news.wait_for(lambda: len(self.heard(kind)) >= count)
        return self.heard(kind)

    async def until_text(self, text: str) -> Incoming:
        """The first message that says just that."""
        async with asyncio.timeout(10), self._news:
            await self._news.wait_for(lambda: any(i.text == text for i in self.heard()))
        return next(incoming for incoming in self.heard() if incoming.text == text)

    async def until_called(self, count: int) -> None:
        """Until so many calls were begun, whether or not they ended."""
        async with asyncio.timeout(10), self._news:
            await self._news.wait_for(lambda: self.calls >= count)

    async def until_room(self, title: str) -> Incoming:
        """The first full description of a room of that title."""

        def found() -> list[Incoming]:
            members = self.heard(EventKind.MEMBERS)
            return [i for i in members if i.room.title == title and not i.room.partial]

        async with asyncio.timeout(10), self._news:
            await self._news.wait_for(lambda: bool(found()))
        return found()[0]


class Running:
    """A chat that runs against a server."""

    def __init__(self, feishu: FeishuApi, time: Time, **settings: str) -> None:
        self.feishu = feishu
        self.time = time
        self.house = House()
        given = feishu.credentials | settings
        self.chat = FeishuChat(FeishuSettings(**given), time.clock, time.sleep, lambda: 0.0)
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.task = asyncio.create_task(self.chat.run(self.house.receive))

    async def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError, AdapterError):
                await self.task

    async def close(self) -> None:
        """Let the connections of a chat go that sent without running."""
        self.start()
        await asyncio.sleep(0)
        await self.stop()

    def room(self, word: str, thread: str | None = None) -> Address:
        chat = self.feishu.tenant.chat_of("", word).id
        app = self.feishu.tenant.app_id
        return Address(platform="feishu", account=app, chat=chat, thread=thread)

    def letter(self, text: str, **more: object) -> Outgoing:
        """A letter to the project room, unless something else is said."""
        room = self.room("project")
        written = Outgoing(key="letter-1", room=room, text=text, written=self.time.now)
        return replace(written, **more)  # type: ignore[arg-type]


@asynccontextmanager
async def running(feishu: FeishuApi, time: Time, **settings: str) -> AsyncIterator[Running]:
    """A connected chat, stopped at the end."""
    made = Running(feishu, time, **settings)
    made.start()
    try:
        async with asyncio.timeout(10):
            await made.chat.started()
        yield made
    finally:
        await made.stop()
