"""Telegram as a `Chat`: polls for updates, hands them in, posts letters.

getUpdates ──► receive() commits ──► the next getUpdates confirms
Outgoing ──► entities, pace ──► sendMessage ──► Receipt
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from adapters.chat import (
    Address,
    Author,
    Chat,
    EventKind,
    File,
    Health,
    Incoming,
    Outgoing,
    Receipt,
    Receive,
)
from adapters.errors import AdapterError, Refused, Retry, Unknown, bared
from adapters.markdown import telegram as markdown
from adapters.pace import Backoff, Clock, Pace, Sleep
from adapters.telegram import incoming
from adapters.telegram.api import Api
from adapters.telegram.delivery import Delivery
from adapters.telegram.directory import Directory
from adapters.telegram.people import Me
from adapters.telegram.polling import Polling
from adapters.telegram.refusals import Moved
from adapters.telegram.sending import Sending, chat_number
from adapters.telegram.settings import TelegramSettings
from adapters.telegram.working import Progress, Typing

logger = logging.getLogger(__name__)

Json = dict[str, Any]

FIRST_S = 1.0  # seconds after the first failure; twice that after the next
LIMIT_S = 60.0
ERRANDS = 256  # that run beside each other; of more nothing is asked or shown


class TelegramChat(Chat):
    """One bot on Telegram."""

    name = incoming.PLATFORM

    def __init__(
        self, settings: TelegramSettings, clock: Clock, sleep: Sleep, jitter: Callable[[], float]
    ) -> None:
        self._clock = clock
        self._api = Api(settings)
        self._directory = Directory()
        self._delivery = Delivery(self._read, self._taken)
        self._polling = Polling(
            self._api,
            self._delivery,
            settings,
            clock,
            lambda: Backoff(sleep, jitter, first_s=FIRST_S, limit_s=LIMIT_S),
        )
        self._sending = Sending(self._api, Pace(clock, sleep), self._directory)
        self._typing = Typing(self._api, self._directory, sleep)
        self._progress = Progress(self._api, self._sending, self._directory, clock)
        self._me: Me | None = None
        self._receive: Receive | None = None
        self._errands: asyncio.TaskGroup | None = None
        self._running_errands = 0
        self._failure: AdapterError | None = None
        self._settled = asyncio.Event()

    @property
    def health(self) -> Health:
        return self._polling.health

    async def started(self) -> str:
        await self._settled.wait()
        if self._me is None:
            raise self._failure or Refused("Telegram was never connected")
        return f"Telegram as @{self._me.username}"

    async def run(self, receive: Receive) -> None:
        self._receive = receive
        if self._failure is not None:
            self._failure = None
            self._settled.clear()
        try:
            self._api.open()
            self._me = self._directory.me = await self._polling.connect()
            self._settled.set()
            with bared():
                async with asyncio.TaskGroup() as self._errands:
                    self._run_errand(self._api.show_menu())
                    await self._polling.run(receive)
        except AdapterError as error:
            self._fail(error)
            raise
        finally:
            self._errands = None
            await self._typing.stop()
            await self._api.close()

    def parts(self, text: str) -> list[str]:
        return markdown.parts(text) or [text]

    def link(self, message: Address) -> str:
        # Only messages of supergroups have an address, for their members
        # (core.telegram.org/api/links#private-message-links).
        number = message.chat.removeprefix("-100")
        if number == message.chat or not message.message:
            return ""
        thread = f"{message.thread}/" if message.thread else ""
        return f"https://t.me/c/{number}/{thread}{message.message}"

    async def send(self, letter: Outgoing) -> Receipt:
        try:
            return await self._sending.send(letter)
        except Moved as error:
            await self._follow(chat_number(letter.room.chat), error.chat)
            raise

    async def find(self, letter: Outgoing) -> Receipt | None:
        raise Unknown("Telegram shows a bot none of its own messages, so this can never be told")

    async def fetch(self, file: File, *, limit: int) -> bytes:
        try:
            return await self._api.download(file.id, limit)
        except Refused as error:
            raise Refused(f"{file.name!r} cannot be read: {error}") from error

    async def show_working(self, place: Address, working: bool) -> None:
        self._typing.show(place, working)

    async def show_progress(self, room: Address, text: str, shown: str | None) -> str | None:
        return await self._progress.show(room, text, shown)

    def _fail(self, error: AdapterError) -> None:
        self._failure = error
        self._settled.set()

    def _read(self, update: Json) -> Incoming | None:
        if self._me is None:
            raise Retry("who we are is not known yet")
        self._directory.learn(update)
        return incoming.read(update, self._me, self._directory, self._clock())

    def _taken(self, update: Json, event: Incoming) -> None:
        """What an event asks of us once it is stored; none of it may hold up the next."""
        self._directory.told(event)
        if event.kind is EventKind.ACTION:
            self._run_errand(self._confirm_press(update["callback_query"]))
        chat = int(event.address.chat)
        if self._directory.take_due(chat, self._clock()):
            self._run_errand(self._ask_about(chat, event.author))

    def _run_errand(self, errand: Coroutine[Any, Any, None]) -> None:
        if self._errands is None or self._running_errands >= ERRANDS:
            errand.close()
            return
        self._running_errands += 1
        task = self._errands.create_task(_quietly(errand), name="telegram errand")
        task.add_done_callback(self._errand_done)

    def _errand_done(self, _: "asyncio.Task[None]") -> None:
        self._running_errands -= 1

    async def _confirm_press(self, query: Json) -> None:
        """End the spinner; in a private chat, show what was chosen where the buttons were."""
        with suppress(AdapterError):  # one that is too old to be acknowledged was made all the same
            await self._api.acknowledge(str(query["id"]))
        message = query["message"]
        if message["chat"]["type"] != "private" or "text" not in message:
            return
        await self._sending.edit(
            int(message["chat"]["id"]),
            int(message["message_id"]),
            f"{message['text']}\n\n✓ {_label(query)}",
            message.get("entities") or (),
        )

    async def _ask_about(self, chat: int, who: Author) -> None:
        """Learn who runs a group: Telegram lists nobody else to a bot."""
        admins = await self._api.admins(chat)
        if not self._directory.meet(chat, admins) or not (self._me and self._receive):
            return
        room = self._directory.group(chat)
        await self._receive(incoming.members(self._me, chat, room, who, self._clock()))

    async def _follow(self, old: int, new: int) -> None:
        """Tell the house where a group went; a second telling does no harm."""
        self._directory.move(old, new)
        if not (self._me and self._receive):
            return
        room = self._directory.group(new)
        event = incoming.moved(self._me, room, old, new, self._clock())
        try:
            await self._receive(event)
        except Retry:
            raise
        except Exception as error:
            logger.exception("the move of %d to %d was not taken", old, new)
            raise Retry(f"the group's new number {new} could not be stored") from error


async def _quietly(errand: Coroutine[Any, Any, None]) -> None:
    """Let a courtesy fail without a word to anybody but the log."""
    try:
        await errand
    except Exception as error:
        logger.warning("an errand on Telegram failed: %s", error)


def _label(query: Json) -> str:
    keyboard = (query["message"].get("reply_markup") or {}).get("inline_keyboard") or ()
    buttons = (button for row in keyboard for button in row)
    found = (b["text"] for b in buttons if b.get("callback_data") == query["data"])
    return str(next(found, query["data"]))
