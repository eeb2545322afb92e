"""Letters on their way out: at Telegram's pace, and once more without what it rejects."""

import logging
from collections.abc import Sequence
from typing import Any

from adapters import letters
from adapters.chat import Outgoing, Receipt
from adapters.errors import Refused, Retry
from adapters.lanes import Lanes
from adapters.markdown import plain
from adapters.markdown.telegram import render
from adapters.pace import Limit, Pace
from adapters.telegram.api import Api
from adapters.telegram.directory import Directory
from adapters.telegram.incoming import GENERAL
from adapters.telegram.refusals import ThreadGone, Unchanged, Unformatted

logger = logging.getLogger(__name__)

Json = dict[str, Any]

# core.telegram.org/bots/faq, "My bot is hitting limits", read 2026-11
CHAT = Limit(1, 1.0)
GROUP = Limit(20, 60.0)
ALL = Limit(30, 1.0)
VALUE = 64  # bytes of a button's value


class Sending:
    """Posts letters and changes what was posted."""

    def __init__(self, api: Api, pace: Pace, directory: Directory) -> None:
        self._api = api
        self._pace = pace
        self._directory = directory
        self._lanes = Lanes()

    async def send(self, letter: Outgoing) -> Receipt:
        """Post a letter; raises AdapterError."""
        _check_buttons(letter)
        chat = self._directory.current(chat_number(letter.room.chat))
        thread = thread_of(letter.room.thread)
        async with self._lanes.turn(str(chat)):  # its pace alone keeps no order
            try:
                receipt = await self._formatted(letter, chat, thread)
            except ThreadGone:
                if thread is None or not self._directory.is_plain(chat):
                    raise
                # Not a forum, so the number was never a topic's; the room is the same without it.
                thread = None
                receipt = await self._formatted(letter, chat, thread)
        self._directory.remember(chat, int(receipt.message), thread, None)
        return receipt

    async def post_passing(self, chat: int, thread: str | None, text: str) -> Receipt:
        """Post a message that nobody waits for and that goes again."""
        rendered = render(text, {})
        await self._wait(chat)
        try:
            return await self._api.post(
                chat, rendered.text, rendered.entities, thread=thread, silent=True
            )
        except Retry as error:
            self._heed(chat, error)
            raise

    async def edit(self, chat: int, message: int, text: str, entities: Sequence[Json]) -> None:
        """Change a message; what it says already is as good."""
        await self._wait(chat)
        try:
            await self._api.edit(chat, message, text, entities)
        except Unchanged:
            return
        except Retry as error:
            self._heed(chat, error)
            raise

    async def _formatted(self, letter: Outgoing, chat: int, thread: str | None) -> Receipt:
        text = letters.words(letter)
        rendered = render(text, letters.people(letter))
        try:
            return await self._post(letter, chat, thread, rendered.text, rendered.entities)
        except Unformatted as error:
            logger.warning("letter %s goes out as plain text: %s", letter.key, error)
            return await self._post(letter, chat, thread, plain.render(text), ())

    async def _post(
        self, letter: Outgoing, chat: int, thread: str | None, text: str, entities: Sequence[Json]
    ) -> Receipt:
        if not text.strip():
            raise Refused("nothing is left to read in this letter")
        await self._wait(chat)
        try:
            return await self._api.post(
                chat,
                text,
                entities,
                thread=thread,
                reply_to=letter.reply_to,
                buttons=letter.buttons,
            )
        except Retry as error:
            self._heed(chat, error)
            raise

    async def _wait(self, chat: int) -> None:
        limits = (CHAT, GROUP) if chat < 0 else (CHAT,)
        await self._pace.wait({str(chat): limits, "": (ALL,)})

    def _heed(self, chat: int, error: Retry) -> None:
        """Let a chat rest that Telegram asked to leave alone; the others go on."""
        if error.after:
            self._pace.close(str(chat), error.after)


def chat_number(chat: str) -> int:
    """The number of a chat; Refused for what is none."""
    try:
        return int(chat)
    except ValueError:
        raise Refused(f"a chat of Telegram has a number, got {chat!r}") from None


def thread_of(thread: str | None) -> str | None:
    """The topic to name in a call: none for the general one."""
    if thread is None or thread == GENERAL:
        return None
    if not thread.isdigit():
        raise Refused(f"a topic of Telegram has a number, got {thread!r}")
    return thread


def _check_buttons(letter: Outgoing) -> None:
    for button in letter.buttons:
        if not 1 <= len(button.value.encode()) <= VALUE:
            raise Refused(
                f"a button's value must have 1 to {VALUE} bytes on Telegram, got {button.value!r}"
            )
    if letter.reply_to is not None and not letter.reply_to.isdigit():
        raise Refused(f"a message of Telegram has a number, got {letter.reply_to!r}")
