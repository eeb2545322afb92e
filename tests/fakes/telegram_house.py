"""A Telegram adapter at work: the real client, a house that remembers what came, virtual time."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from adapters.chat import Address, EventKind, Health, Incoming, Outgoing
from adapters.errors import AdapterError
from adapters.telegram.chat import TelegramChat
from adapters.telegram.settings import TelegramSettings
from tests.fakes.telegram_api import TOKEN, TelegramApi
from tests.fakes.telegram_world import BOT

START = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


class House:
    """Runs a TelegramChat inside `async with`; whatever it receives is stored in `events`."""

    def __init__(self, api: TelegramApi, **settings: Any) -> None:
        given: dict[str, Any] = {
            "token": TOKEN,
            "bot_name": api.bot_name,
            "poll_s": 5,
            "silence_s": 5.0,
        }
        given |= {"base_url": api.base_url, "base_file_url": api.base_file_url}
        self.settings = TelegramSettings(**(given | settings))
        self.now = START
        self.slept: list[float] = []
        self.healths: list[Health] = []
        """How the connection was at every sleep."""
        self.events: list[Incoming] = []
        self.failures: list[Exception] = []
        """What the next calls of receive raise."""
        self.offered = 0
        """Calls of receive, those that raised among them."""
        self.chat = TelegramChat(self.settings, lambda: self.now, self.sleep, lambda: 1.0)
        self.changed = asyncio.Condition()
        self._run: asyncio.Task[None] | None = None

    async def sleep(self, seconds: float) -> None:
        """Time passes at once."""
        self.slept.append(seconds)
        self.healths.append(self.chat.health)
        self.now += timedelta(seconds=seconds)
        await asyncio.sleep(0)

    async def receive(self, incoming: Incoming) -> None:
        self.offered += 1
        if self.failures:
            raise self.failures.pop(0)
        self.events.append(incoming)
        async with self.changed:
            self.changed.notify_all()

    async def __aenter__(self) -> Self:
        self._run = asyncio.create_task(self.chat.run(self.receive))
        async with asyncio.timeout(10):
            await self.chat.started()
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._run:
            self._run.cancel()
            await asyncio.gather(self._run, return_exceptions=True)

    async def ended(self) -> BaseException | None:
        """Wait for `run` to end by itself; what it raised."""
        assert self._run is not None
        async with asyncio.timeout(10):
            await asyncio.wait([self._run])
        return self._run.exception()

    async def heard(
        self, holds: Callable[[list[Incoming]], bool] | int, seconds: float = 10.0
    ) -> list[Incoming]:
        """Wait until so many events are there, or until something holds of them."""

        def there() -> bool:
            if isinstance(holds, int):
                return len(self.events) >= holds
            return bool(self.events) and holds(self.events)

        async with asyncio.timeout(seconds), self.changed:
            await self.changed.wait_for(there)
        return self.events

    async def heard_new(self, count: int = 1) -> list[Incoming]:
        """Wait for so many messages."""
        await self.heard(lambda events: len(_new(events)) >= count)
        return _new(self.events)

    def letter(self, chat: int, text: str, **fields: Any) -> Outgoing:
        """A letter to a chat; `thread` names a topic."""
        room = Address(
            platform="telegram", account=str(BOT), chat=str(chat), thread=fields.pop("thread", None)
        )
        return Outgoing(**{"key": "letter-1", "room": room, "text": text, **fields})

    async def refusal(self, letter: Outgoing) -> AdapterError:
        """What a letter that cannot be sent raises."""
        try:
            receipt = await self.chat.send(letter)
        except AdapterError as error:
            return error
        raise AssertionError(f"it was sent as {receipt.message}")


def _new(events: list[Incoming]) -> list[Incoming]:
    return [event for event in events if event.kind is EventKind.NEW]
