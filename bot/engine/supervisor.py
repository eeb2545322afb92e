"""Keeps the chats running: one that dies is started again and reported, the others go on."""

import asyncio
import logging
from collections.abc import Sequence

from adapters.chat import Chat, Receive
from adapters.errors import AdapterError
from bot.engine.waits import Clock, Sleep

logger = logging.getLogger(__name__)

BACKOFF_S = (1.0, 2.0, 5.0, 15.0, 60.0)  # seconds before a chat is started again
STEADY_S = 120.0  # seconds a chat must have run for its failures to be forgotten


class Supervisor:
    """Runs every chat until cancelled."""

    def __init__(self, chats: Sequence[Chat], clock: Clock, sleep: Sleep) -> None:
        self._chats = chats
        self._clock = clock
        self._sleep = sleep
        self.down: dict[str, str] = {}
        """The chats that are not running, with the reason."""

    async def run(self, receive: Receive) -> None:
        """Hold all chats; nothing one of them raises reaches another."""
        async with asyncio.TaskGroup() as group:
            for chat in self._chats:
                group.create_task(self._keep(chat, receive), name=f"chat-{chat.name}")

    async def _keep(self, chat: Chat, receive: Receive) -> None:
        failures = 0
        while True:
            started = self._clock()
            try:
                await chat.run(receive)
                reason = "it stopped by itself"
            except AdapterError as error:
                reason = str(error)
            except Exception as error:
                logger.exception("chat %s died", chat.name)
                reason = f"{type(error).__name__}: {error}"
            self.down[chat.name] = reason
            if (self._clock() - started).total_seconds() > STEADY_S:
                failures = 0
            wait = BACKOFF_S[min(failures, len(BACKOFF_S) - 1)]
            failures += 1
            logger.error("chat %s is down (%s); next try in %.0f s", chat.name, reason, wait)
            await self._sleep(wait)
            self.down.pop(chat.name, None)
