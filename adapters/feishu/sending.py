"""Letters to Feishu: rendered, paced, posted once.

`uuid` is the letter's key: within an hour a second post of it changes nothing.
"""

import logging
from typing import Any

from adapters import letters
from adapters.chat import Address, Author, Outgoing, Receipt
from adapters.errors import Refused, Retry, Unknown
from adapters.feishu.api import Api
from adapters.feishu.buttons import Cards, with_buttons
from adapters.feishu.directory import Directory, Place
from adapters.feishu.errors import (
    FORMAT_CODES,
    GONE_CODES,
    NO_TOPIC_CODES,
    RATE_CODES,
    WITHDRAWN_CODE,
    Rejected,
    verdict,
)
from adapters.feishu.event import moment
from adapters.lanes import Lanes
from adapters.markdown import feishu as markdown
from adapters.markdown import plain
from adapters.pace import Limit, Pace

logger = logging.getLogger(__name__)

MESSAGES = "/open-apis/im/v1/messages"
CHAT = (Limit(5, 1.0),)
APP = (Limit(50, 1.0), Limit(1000, 60.0))
_CHAT_CODE = 230020
_NO_ANCHOR = "the topic does not exist any more, or nothing in it can be answered"
Json = dict[str, Any]


class Sending:
    """Posts of the bot."""

    def __init__(self, api: Api, directory: Directory, pace: Pace, cards: Cards) -> None:
        self._api = api
        self._directory = directory
        self._pace = pace
        self._cards = cards
        self._lanes = Lanes()

    async def send(self, letter: Outgoing) -> Receipt:
        """Post a letter, as plain text where its formatting is refused; see `Chat.send`."""
        try:
            async with self._lanes.turn(letter.room.chat):  # its pace alone keeps no order
                told = await self._formatted(letter)
        except Rejected as error:
            raise self._judged(letter.room, error) from error
        return self._posted(letter, told)

    async def _formatted(self, letter: Outgoing) -> Json:
        kind, content = rendered(letter)
        try:
            return await self._put(letter, kind, content)
        except Rejected as error:
            if error.code not in FORMAT_CODES:
                raise
            logger.warning("Feishu refused the formatting of %s: %s", letter.key, error)
        return await self._put(letter, "text", plain_content(letters.words(letter)))

    async def post(self, room: Address, text: str) -> str:
        """A passing message in plain text; its id. Raises Rejected and AdapterError."""
        content = plain_content(text)
        if room.thread:
            told = await self._in_thread(room, "", {"msg_type": "text", "content": content})
        else:
            told = await self._create(room, {"msg_type": "text", "content": content})
        return self._remembered(room, told, text)

    async def paced(self, method: str, chat: str, path: str, body: Json | None = None) -> Json:
        """A call that counts for the limits of its chat and of the app."""
        await self._pace.wait({f"chat:{chat}": CHAT, "app": APP})
        return await self._api.call(method, path, body=body, posting=method == "POST")

    async def _put(self, letter: Outgoing, kind: str, content: str) -> Json:
        body = {"msg_type": kind, "content": content, "uuid": letter.key}
        if letter.room.thread:
            return await self._in_thread(letter.room, letter.reply_to or "", body)
        if letter.reply_to is None:
            return await self._create(letter.room, body)
        try:
            return await self._reply(letter.room, letter.reply_to, body, in_thread=False)
        except Rejected as error:
            if not self._is_gone(letter.reply_to, error):
                raise
            logger.info("%s is gone; its answer is posted by itself", letter.reply_to)
        return await self._create(letter.room, body)

    async def _create(self, room: Address, body: Json) -> Json:
        path = f"{MESSAGES}?receive_id_type=chat_id"
        return await self.paced("POST", room.chat, path, {"receive_id": room.chat} | body)

    async def _reply(self, room: Address, to: str, body: Json, *, in_thread: bool) -> Json:
        extra = {"reply_in_thread": True} if in_thread else {}
        return await self.paced("POST", room.chat, f"{MESSAGES}/{to}/reply", body | extra)

    async def _in_thread(self, room: Address, to: str, body: Json) -> Json:
        """Answer in a topic: Feishu reaches one only through a message in it."""
        thread = room.thread or ""
        target = to or self._directory.anchor(thread) or await self._anchor(thread)
        try:
            return await self._reply(room, target, body, in_thread=True)
        except Rejected as error:
            if error.code in NO_TOPIC_CODES:
                raise Refused(_NO_ANCHOR) from error
            # A letter to the topic as a whole does not hang on the message it was put under.
            lost = error.code in (WITHDRAWN_CODE, *GONE_CODES)
            if not (self._is_gone(to, error) if to else lost):
                raise
        self._directory.forget_anchor(thread)
        return await self._reply(room, await self._anchor(thread), body, in_thread=True)

    async def _anchor(self, thread: str) -> str:
        asked = {"container_id_type": "thread", "container_id": thread, "page_size": "50"}
        try:
            told = await self._api.call("GET", MESSAGES, params=asked)
        except Rejected as error:
            if error.code in NO_TOPIC_CODES:
                raise Refused(_NO_ANCHOR) from error
            raise
        for item in told.get("items") or ():
            if not item.get("deleted"):
                return str(item["message_id"])
        raise Refused(_NO_ANCHOR)

    def _is_gone(self, message: str, error: Rejected) -> bool:
        """Whether a message cannot be answered for a reason that does not make the answer moot.

        Refused when its author took it back: they want no answer to it in public.
        """
        if error.code not in (WITHDRAWN_CODE, *GONE_CODES):
            return False
        by_author = self._directory.withdrawn_by_author(message)
        if by_author or (by_author is None and error.code == WITHDRAWN_CODE):
            raise Refused("the message it answers was recalled") from error
        return True

    def _judged(self, room: Address, error: Rejected) -> Exception:
        judged = verdict(error)
        if error.code in RATE_CODES and isinstance(judged, Retry):
            seconds = judged.after if judged.after is not None else 1.0
            self._pace.close(f"chat:{room.chat}" if error.code == _CHAT_CODE else "app", seconds)
        return judged

    def _posted(self, letter: Outgoing, told: Json) -> Receipt:
        id = self._remembered(letter.room, told, letter.text)
        if letter.buttons:
            self._cards.keep(id, _card(letter))
        try:
            at = moment(told["create_time"])
        except (KeyError, TypeError, ValueError, OverflowError, OSError) as error:
            raise Unknown("Feishu's answer does not say when it posted the letter") from error
        return Receipt(message=id, at=at)

    def _remembered(self, room: Address, told: Json, text: str) -> str:
        """The id of what was posted, known as the bot's own from now on."""
        id = told.get("message_id")
        if not isinstance(id, str):
            raise Unknown("Feishu's answer names no message")
        place = Place(
            chat=room.chat,
            thread=told.get("thread_id") or room.thread,
            author=Author(id=room.account, name="", is_bot=True),
            own=True,
            text=text,
        )
        self._directory.remember(id, place)
        return id


def rendered(letter: Outgoing) -> tuple[str, str]:
    """The kind of message and its content, as they are sent."""
    if letter.buttons:
        card = with_buttons(_card(letter), letter.buttons)
        return "interactive", markdown.encoded(card)
    message = markdown.render(letters.words(letter), letters.people(letter))
    return message.msg_type, markdown.encoded(message.content)


def plain_content(text: str) -> str:
    """The content of a plain text, in which no tag can call anybody."""
    return markdown.encoded({"text": markdown.harmless(plain.render(text)) or " "})


def _card(letter: Outgoing) -> Json:
    return markdown.card(letters.words(letter), letters.people(letter)).content
