"""Signs that an answer is on its way: Telegram's typing, renewed, and one passing message."""

import asyncio
import logging
from datetime import datetime, timedelta

from adapters.chat import Address
from adapters.errors import AdapterError, Refused, Retry
from adapters.markdown.telegram import render
from adapters.pace import Clock, Sleep
from adapters.telegram.api import Api
from adapters.telegram.directory import Directory
from adapters.telegram.sending import Sending, chat_number, thread_of

logger = logging.getLogger(__name__)

RENEWED_S = 4.5  # seconds; Telegram shows it for 5
LONGEST = 80  # renewals: six minutes, should nobody clear it
APART = timedelta(seconds=1.5)
"""Between two changes of a passing message in a private chat."""
APART_IN_GROUPS = timedelta(seconds=6)
"""In groups, where 20 messages a minute have to suffice for the answers too."""


class Typing:
    """The typing sign of every room that has one now."""

    def __init__(self, api: Api, directory: Directory, sleep: Sleep) -> None:
        self._api = api
        self._directory = directory
        self._sleep = sleep
        self._tasks: dict[Address, asyncio.Task[None]] = {}

    def show(self, place: Address, working: bool) -> None:
        """Begin or end it; both may be called twice."""
        room = place.room
        if working and room not in self._tasks:
            task = asyncio.create_task(self._type(room), name=f"telegram typing {room}")
            self._tasks[room] = task
            task.add_done_callback(lambda done: self._forget(room, done))
        elif not working and room in self._tasks:
            self._tasks.pop(room).cancel()

    async def stop(self) -> None:
        """End all of them."""
        tasks, self._tasks = list(self._tasks.values()), {}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, room: Address, done: asyncio.Task[None]) -> None:
        if self._tasks.get(room) is done:
            del self._tasks[room]

    async def _type(self, room: Address) -> None:
        try:
            chat = self._directory.current(chat_number(room.chat))
            for _ in range(LONGEST):
                await self._api.type(chat, thread_of(room.thread))
                await self._sleep(RENEWED_S)
        except AdapterError as error:
            logger.info("no typing in %s: %s", room, error)


class Progress:
    """Passing messages, changed no faster than Telegram likes."""

    def __init__(self, api: Api, sending: Sending, directory: Directory, clock: Clock) -> None:
        self._api = api
        self._sending = sending
        self._directory = directory
        self._clock = clock
        self._changed: dict[tuple[int, int], datetime] = {}
        self._resting: dict[int, datetime] = {}
        """Until when a chat is left alone, because Telegram asked for it."""

    async def show(self, room: Address, text: str, shown: str | None) -> str | None:
        """Post, change or take away; what stands afterwards. Never raises AdapterError."""
        if shown is not None and not shown.isdigit():
            shown = None  # nothing of ours
        try:
            chat = self._directory.current(chat_number(room.chat))
            if not text.strip():
                await self._clear(chat, shown)
                return None
            rests_until = self._resting.get(chat)
            if rests_until is not None and self._clock() < rests_until:
                return shown
            return await self._shown(room, chat, text, shown)
        except AdapterError as error:
            logger.info("no progress shown in %s: %s", room, error)
            return None if isinstance(error, Refused) else shown

    async def _shown(self, room: Address, chat: int, text: str, shown: str | None) -> str:
        try:
            if shown is None:
                return await self._post(room, chat, text)
            return await self._change(chat, int(shown), text)
        except Retry as error:
            # The answer itself needs what Telegram still takes, so this is not tried again soon.
            self._resting[chat] = self._clock() + timedelta(seconds=error.after or 0.0)
            raise

    async def _post(self, room: Address, chat: int, text: str) -> str:
        receipt = await self._sending.post_passing(chat, thread_of(room.thread), text)
        self._changed[chat, int(receipt.message)] = self._clock()
        return receipt.message

    async def _change(self, chat: int, message: int, text: str) -> str:
        now = self._clock()
        apart = APART if chat > 0 else APART_IN_GROUPS
        last = self._changed.get((chat, message))
        if last is None or now - last >= apart:
            self._changed[chat, message] = now
            rendered = render(text, {})
            await self._sending.edit(chat, message, rendered.text, rendered.entities)
        return str(message)

    async def _clear(self, chat: int, shown: str | None) -> None:
        if shown is not None:
            self._changed.pop((chat, int(shown)), None)
            await self._api.delete(chat, int(shown))
