"""Signs that an answer is on its way: a reaction at once, one edited message for long work."""

import logging
from collections.abc import Awaitable
from typing import TypeVar

from adapters.chat import Address
from adapters.errors import AdapterError
from adapters.feishu.errors import EDITED_OUT_CODES, GONE_CODES, WITHDRAWN_CODE, Rejected
from adapters.feishu.sending import MESSAGES, Sending, plain_content
from adapters.lanes import Lanes

logger = logging.getLogger(__name__)

WORKING = "Typing"
REMEMBERED = 1_000  # reactions of ours that may still have to be taken away
T = TypeVar("T")


class Courtesy:
    """What is shown in passing; nothing here ever fails for whoever calls it."""

    def __init__(self, sending: Sending) -> None:
        self._sending = sending
        self._lanes = Lanes()
        self._reactions: dict[str, str] = {}
        """The id of our reaction by message."""

    async def working(self, place: Address, working: bool) -> None:
        """Put our reaction under the message that is being answered, or take it away."""
        message = place.message
        if message is None:
            return
        path = f"{MESSAGES}/{message}/reactions"
        async with self._lanes.turn(message):  # a short answer may be there before its sign is
            if working and message not in self._reactions:
                body = {"reaction_type": {"emoji_type": WORKING}}
                told = await _tried(self._sending.paced("POST", place.chat, path, body))
                if told is not None:
                    self._reactions[message] = str(told.get("reaction_id") or "")
                    if len(self._reactions) > REMEMBERED:
                        del self._reactions[next(iter(self._reactions))]
            elif not working and (reaction := self._reactions.pop(message, "")):
                await _tried(self._sending.paced("DELETE", place.chat, f"{path}/{reaction}"))

    async def progress(self, room: Address, text: str, shown: str | None) -> str | None:
        """Post, edit or take away the passing message; see `Chat.show_progress`."""
        if not text:
            if shown is not None:
                await _tried(self._sending.paced("DELETE", room.chat, f"{MESSAGES}/{shown}"))
            return None
        if shown is None:
            return await _tried(self._sending.post(room, text))
        body = {"msg_type": "text", "content": plain_content(text)}
        try:
            await self._sending.paced("PUT", room.chat, f"{MESSAGES}/{shown}", body)
        except Rejected as error:
            if error.code in EDITED_OUT_CODES:
                # Twenty edits are all there are; the next message goes on from here.
                await _tried(self._sending.paced("DELETE", room.chat, f"{MESSAGES}/{shown}"))
            elif error.code not in (WITHDRAWN_CODE, *GONE_CODES):
                logger.info("the progress was not shown: %s", error)
                return shown
            return await _tried(self._sending.post(room, text))
        except AdapterError as error:
            logger.info("the progress was not shown: %s", error)
        return shown


async def _tried(call: Awaitable[T]) -> T | None:
    try:
        return await call
    except (Rejected, AdapterError) as error:
        logger.info("a sign of work was not shown or not taken away: %s", error)
        return None
