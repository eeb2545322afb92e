"""Keeps the chats running: one that dies is started again and reported, the others go on."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from adapters.chat import Chat, Health, Receive
from adapters.errors import AdapterError, Refused
from adapters.lasting import lasting
from bot.engine.keeper import Keeper
from bot.engine.outbox import lease_of
from bot.engine.waits import Bell, Clock, Sleep, silent

logger = logging.getLogger(__name__)

BACKOFF_S = (1.0, 2.0, 5.0, 15.0, 60.0)  # seconds before a chat is started again
REFUSED_S = 3600.0  # seconds before one is that only other settings can help
STEADY_S = 120.0  # seconds a chat must have run for its failures to be forgotten


class Supervisor:
    """Runs every chat until cancelled."""

    def __init__(
        self,
        chats: Sequence[Chat],
        clock: Clock,
        sleep: Sleep,
        jitter: Callable[[], float],
        *,
        keeper: Keeper,
        hide: Callable[[str], str] = str,
    ) -> None:
        self.chats = tuple(chats)
        self._keeper = keeper
        self._hide = hide
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        """A number from 0 to 1."""
        self._running: set[str] = set()
        self._died: dict[str, str] = {}
        """What each chat died of last."""
        self.bell = Bell()
        """Rings when it is worth to look at the health of the chats."""

    def health(self) -> dict[str, Health]:
        """How every chat of this process is: as it says itself, or what it died of."""
        return {chat.name: self._health(chat) for chat in self.chats if self.holds(chat)}

    def holds(self, chat: Chat) -> bool:
        """Whether the connection of a chat is this process's."""
        return self._keeper.holds(lease_of(chat.name))

    async def standing(self, chat: Chat, *, within_s: float) -> str:
        """A line on a chat as soon as it is connected or known to be down, or the time is over."""
        try:
            async with asyncio.timeout(within_s):
                where = await chat.started()
            self.bell.ring()
            return f"{chat.name}: {where}"
        except TimeoutError:
            if not self.holds(chat):
                return f"{chat.name}: another process holds its connection"
            note = self._health(chat).note or "it has not answered so far"
            return f"{chat.name} is not connected yet: {note}"
        except AdapterError as error:
            return f"{chat.name} is down: {error}"

    async def run(self, receive: Receive, took_over: Callable[[], None] = silent) -> None:
        """Hold all chats; nothing one of them raises reaches another.

        `took_over` is called whenever the connection of one becomes this process's.
        """
        async with asyncio.TaskGroup() as group:
            for chat in self.chats:
                work = partial(self._keep, chat, receive, took_over)
                held = partial(self._keeper.while_held, lease_of(chat.name), work)
                name = f"chat-{chat.name}"
                group.create_task(lasting(name, held), name=name)

    def _health(self, chat: Chat) -> Health:
        now, died = chat.health, self._died.get(chat.name)
        if died is None:
            return now
        if chat.name not in self._running:
            return replace(now, up=False, note=died)
        return now if now.up or now.note else replace(now, note=died)

    async def _keep(self, chat: Chat, receive: Receive, took_over: Callable[[], None]) -> None:
        self._died.pop(chat.name, None)  # that was before another process held it
        took_over()
        self.bell.ring()
        failures = 0
        while True:
            started = self._clock()
            error = await self._death(chat, receive)
            if (self._clock() - started).total_seconds() > STEADY_S:
                failures = 0
            wait = BACKOFF_S[min(failures, len(BACKOFF_S) - 1)]
            if isinstance(error, Refused):
                wait = REFUSED_S
            failures += 1
            wait *= 1 + self._jitter() / 4
            self._report(chat.name, error, wait)
            await self._sleep(wait)

    async def _death(self, chat: Chat, receive: Receive) -> Exception | None:
        """Run a chat to its end; None when it stopped by itself."""
        self._running.add(chat.name)
        try:
            await chat.run(receive)
        except Exception as error:
            return error
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Nobody cancelled this: a library let the end of a task of its own through.
            return RuntimeError("a task of its own was cancelled")
        finally:
            self._running.discard(chat.name)
        return None

    def _report(self, name: str, error: Exception | None, wait: float) -> None:
        reason = self._hide(_reason(error))
        # What only a person can mend is said once, and not every hour.
        known = isinstance(error, Refused) and self._died.get(name) == reason
        self._died[name] = reason
        self.bell.ring()
        logger.log(
            logging.DEBUG if known else logging.ERROR,
            "chat %s is down (%s); next try in %.0f s",
            name,
            reason,
            wait,
            exc_info=None if error is None or isinstance(error, AdapterError) else error,
        )


def _reason(error: Exception | None) -> str:
    if error is None:
        return "it stopped by itself"
    return str(error) if isinstance(error, AdapterError) else f"{type(error).__name__}: {error}"
