"""Feishu and Lark as a `Chat`.

long connection ──► Events ──► receive() commits ──► ack ──► Learning asks for the rest
Outgoing ──► Sending ──► Receipt
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import quote

from adapters.chat import (
    Address,
    Chat,
    File,
    Health,
    Incoming,
    Outgoing,
    Receipt,
    Receive,
    RoomKind,
)
from adapters.errors import AdapterError, Refused, Retry, bared
from adapters.feishu import history
from adapters.feishu.api import Api
from adapters.feishu.buttons import Cards, pressed_label
from adapters.feishu.connection import Ack, LongConnection
from adapters.feishu.courtesy import Courtesy
from adapters.feishu.directory import Directory
from adapters.feishu.errors import NO_BOT_CODES, Rejected, verdict
from adapters.feishu.event import PLATFORM, Me
from adapters.feishu.events import Events
from adapters.feishu.learning import Learning
from adapters.feishu.sending import MESSAGES, Sending
from adapters.feishu.settings import FeishuSettings
from adapters.markdown import feishu as markdown
from adapters.pace import Backoff, Pace, Sleep

logger = logging.getLogger(__name__)

BOT_INFO = "/open-apis/bot/v3/info"
TENANT = "/open-apis/tenant/v2/tenant/query"
NO_BOT = (
    "the app has no bot: switch it on in the developer console under Add Features, Bot "
    "(添加应用能力 → 机器人), and publish a version"
)


class FeishuChat(Chat):
    """One app of one tenant. `run` may be called once at a time."""

    name = PLATFORM

    def __init__(
        self,
        settings: FeishuSettings,
        clock: Callable[[], datetime],
        sleep: Sleep,
        jitter: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._sleep = sleep
        self._jitter = jitter
        self._clock = clock
        self._api = Api(settings, clock)
        self._directory = Directory(clock)
        self._cards = Cards()
        self._sending = Sending(self._api, self._directory, Pace(clock, sleep), self._cards)
        self._courtesy = Courtesy(self._sending)
        self._learning = Learning(self._api, self._directory, clock, sleep)
        self._events = Events(self._directory, self._learning, clock, self._answer)
        self._link = LongConnection(
            self._api, self._handle, clock, sleep, jitter, opened=self._opened
        )
        self._me = Me(settings.app_id, "", settings.bot_name)
        self._receive: Receive | None = None
        self._where = ""
        self._begun = asyncio.Event()
        self._failure: BaseException | None = None
        self._note = ""

    @property
    def health(self) -> Health:
        skipped = self._events.skipped
        passed_over = f"{skipped} events could not be taken, see the log" if skipped else ""
        notes = (self._note, self._link.note, self._learning.note, passed_over)
        heard = [at for at in (self._link.heard_at, self._api.heard_at) if at is not None]
        return Health(
            up=self._link.up,
            note="; ".join(filter(None, notes)),
            heard_at=max(heard, default=None),
            event_at=self._events.event_at,
        )

    async def started(self) -> str:
        await self._begun.wait()
        if self._failure is not None:
            raise self._failure
        return self._where

    async def run(self, receive: Receive) -> None:
        self._receive, self._failure = receive, None
        self._begun.clear()
        self._api.open()
        try:
            await self._introduce()
            with bared():
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._learning.run(self._me, receive), name="feishu learning")
                    tasks.create_task(self._link.run(), name="feishu connection")
        except AdapterError as error:
            self._fail(error)
            raise
        finally:
            await self._api.close()

    def parts(self, text: str) -> list[str]:
        return markdown.parts(text) or [text]

    async def send(self, letter: Outgoing) -> Receipt:
        return await self._sending.send(letter)

    async def find(self, letter: Outgoing) -> Receipt | None:
        return await history.find(letter, self._api, self._clock)

    async def fetch(self, file: File, *, limit: int) -> bytes:
        message, type, key = [*file.id.split("/", 2), "", ""][:3]
        if not key:
            raise Refused(f"{file.name!r} is no file of Feishu's: {file.id!r}")
        if file.size is not None and file.size > limit:
            raise Refused(f"{file.name!r} has {file.size} bytes, more than {limit}")
        path = f"{MESSAGES}/{quote(message, safe='')}/resources/{quote(key, safe='')}"
        try:
            return await self._api.download(path, {"type": type}, limit=limit)
        except Rejected as error:
            raise verdict(error) from error

    async def show_working(self, place: Address, working: bool) -> None:
        await self._courtesy.working(place, working)

    async def show_progress(self, room: Address, text: str, shown: str | None) -> str | None:
        return await self._courtesy.progress(room, text, shown)

    async def _introduce(self) -> None:
        """Learn who the bot is, before anything can be heard: without that no mention is its own.

        Waits as long as Feishu cannot be reached; Refused when only other settings can help.
        """
        backoff = Backoff(self._sleep, self._jitter, first_s=1.0, limit_s=60.0)
        while True:
            try:
                told = await self._api.call("GET", BOT_INFO)
                break
            except Rejected as error:
                if error.code in NO_BOT_CODES:
                    raise Refused(f"{NO_BOT} (Feishu code {error.code})") from error
                judged = verdict(error)
                if not isinstance(judged, Retry):
                    raise judged from error
                self._note = str(judged)
            except Retry as error:
                self._note = str(error)
            logger.warning("Feishu does not say who the bot is: %s", self._note)
            await backoff.wait()
        self._note = ""
        bot = told.get("bot") or {}
        if not bot.get("open_id"):
            raise Refused(NO_BOT)
        self._me = Me(self._settings.app_id, str(bot["open_id"]), self._settings.bot_name)
        self._where = f"{await self._workspace()} as @{bot.get('app_name') or self._me.name}"

    async def _workspace(self) -> str:
        """The tenant's name, where the app may know it; its key comes with the first event too."""
        try:
            tenant = (await self._api.call("GET", TENANT)).get("tenant") or {}
        except (Rejected, AdapterError) as error:
            logger.info("Feishu does not tell the tenant's name: %s", error)
            return "Feishu"
        self._directory.tenant = str(tenant.get("tenant_key") or "")
        return str(tenant.get("name") or "Feishu")

    async def _handle(self, payload: bytes) -> Ack:
        assert self._receive is not None  # the connection opens inside `run`
        return await self._events.handle(payload, self._me, self._receive)

    def _opened(self, silent_since: datetime | None) -> None:
        if silent_since is None:
            self._learning.at_start()
        else:
            self._learning.missed(silent_since)
        self._begun.set()

    def _fail(self, error: BaseException) -> None:
        self._failure = error
        self._note = str(error)
        self._begun.set()

    def _answer(self, incoming: Incoming, event: dict[str, Any]) -> dict[str, Any]:
        label = pressed_label(event["event"]["action"].get("value"))
        # In a group others may still want to choose.
        alone = incoming.room.kind is RoomKind.DIRECT
        return self._cards.answer(incoming.address.message or "", label, replace=alone)
