"""The long poll: asks for updates, confirms them once they are stored, and never gives up.

getUpdates(offset) ──► receive() commits ──► getUpdates(offset + 1), which confirms
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from adapters.chat import Health, Receive
from adapters.errors import AdapterError, Retry
from adapters.pace import Backoff, Clock
from adapters.telegram.api import Api
from adapters.telegram.delivery import Delivery
from adapters.telegram.people import Me
from adapters.telegram.refusals import Conflicted, Revoked
from adapters.telegram.settings import TelegramSettings

logger = logging.getLogger(__name__)

Json = dict[str, Any]

ASKED = timedelta(minutes=5)
"""Between two looks whether privacy mode is off by now."""


class Polling:
    """Holds the connection; `run` returns only when cancelled and raises Revoked only."""

    def __init__(
        self,
        api: Api,
        delivery: Delivery,
        settings: TelegramSettings,
        clock: Clock,
        backoff: Callable[[], Backoff],
    ) -> None:
        self._api = api
        self._delivery = delivery
        self._limit_s = settings.poll_s + settings.silence_s
        self._poll_s = settings.poll_s
        self._clock = clock
        self._trouble = backoff()
        self._refused = backoff()
        self._offset: int | None = None
        self._me: Me | None = None
        self._asked_at: datetime | None = None
        self._running = False
        self._wrong = ""
        self._heard_at: datetime | None = None
        self._event_at: datetime | None = None

    @property
    def health(self) -> Health:
        """How it stands now."""
        notes = [self._wrong, _privacy(self._me), _skipped(self._delivery.skipped)]
        return Health(
            up=self._running and not self._wrong,
            note="; ".join(note for note in notes if note),
            heard_at=self._heard_at,
            event_at=self._event_at,
        )

    async def connect(self) -> Me:
        """Learn who we are, however long it takes; Refused when the token is wrong."""
        while True:
            try:
                async with asyncio.timeout(self._limit_s):
                    me = await self._api.me()
            except (AdapterError, TimeoutError) as error:
                await self._recover(error)
                continue
            self._hear(self._trouble)
            self._me, self._asked_at = me, self._clock()
            return me

    async def run(self, receive: Receive) -> None:
        """Poll for ever."""
        self._running = True
        try:
            while True:
                await self._poll(receive)
        finally:
            self._running = False

    async def _poll(self, receive: Receive) -> None:
        try:
            async with asyncio.timeout(self._limit_s):
                updates = await self._api.updates(self._offset)
        except (AdapterError, TimeoutError) as error:
            await self._recover(error)
            return
        self._hear(self._trouble)
        if updates:
            await self._take(updates, receive)
        await self._look_whether_private()

    async def _take(self, updates: Sequence[Json], receive: Receive) -> None:
        self._event_at = self._clock()
        offset, waits = await self._delivery.take(updates, receive)
        if offset is not None:
            # Also where it is lower: after a quiet week Telegram counts on from anywhere, and
            # serves the same updates for ever to whoever asks for one far above them.
            # (core.telegram.org/bots/api#update, read 2026-11)
            self._offset = offset
        if waits:
            await self._refused.wait()
        else:
            self._refused.reset()

    async def _look_whether_private(self) -> None:
        """Take the note on privacy mode away once somebody has changed it."""
        now = self._clock()
        if self._me is None or self._me.reads_all or now - (self._asked_at or now) < ASKED:
            return
        self._asked_at = now
        try:
            self._me = await self._api.me()
        except AdapterError as error:
            logger.info("privacy mode could not be looked up: %s", error)

    def _hear(self, backoff: Backoff) -> None:
        if self._wrong:
            logger.info("Telegram answers again", extra={"action": "telegram_healed"})
        self._wrong = ""
        self._heard_at = self._clock()
        backoff.reset()

    async def _recover(self, error: Exception) -> None:
        """Wait and mend after a poll that failed; raises what only other settings can help."""
        if isinstance(error, Revoked):
            self._wrong = str(error)
            raise error
        self._wrong = _told(error)
        logger.warning("getUpdates failed: %s", self._wrong, extra={"action": "telegram_trouble"})
        if isinstance(error, Conflicted) and error.webhook:
            await self._take_webhook_away()
        elif not isinstance(error, Retry):
            await self._api.listen_anew()  # nobody answered: that connection may be dead for good
        await self._trouble.wait(least_s=self._least_s(error))

    def _least_s(self, error: Exception) -> float:
        """How long to wait at least: as asked, or until somebody else's poll is over."""
        if isinstance(error, Conflicted) and not error.webhook:
            return self._poll_s + 1.0
        return (error.after or 0.0) if isinstance(error, Retry) else 0.0

    async def _take_webhook_away(self) -> None:
        try:
            await self._api.delete_webhook()
        except AdapterError as error:
            logger.warning("the webhook could not be removed: %s", error)


def _told(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "Telegram has gone silent; the connection is being made anew"
    return _conflict(error) if isinstance(error, Conflicted) else str(error)


def _conflict(error: Conflicted) -> str:
    if error.webhook:
        return (
            "a webhook is set for this bot, so Telegram gives its messages to that; Limen removes "
            "it, and if it comes back, switch off the program that sets it"
        )
    return (
        "a second program reads this bot's messages with the same token; stop the other one, or "
        "take a new token from @BotFather (/revoke) for this one"
    )


def _privacy(me: Me | None) -> str:
    """What has to be changed at BotFather's while Telegram withholds messages."""
    if me is None or me.reads_all:
        return ""
    return privacy_remedy(me.username)


def privacy_remedy(username: str) -> str:
    """The way out of privacy mode, in the words of BotFather."""
    return (
        f"privacy mode hides ordinary messages of groups from @{username}: in @BotFather send "
        f"/setprivacy, choose @{username}, then Disable; then remove the bot from each group and "
        "add it again, or make it an admin there"
    )


def _skipped(count: int) -> str:
    if not count:
        return ""
    return f"{count} update(s) could not be read and were skipped; the log says which"
