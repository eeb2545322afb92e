"""Signs that an answer is on its way: eyes on the question, and one message that is edited.

All of it is a courtesy: what fails is dropped, and nothing waits for it.
"""

import logging
from datetime import datetime, timedelta

from adapters.chat import Address
from adapters.errors import AdapterError
from adapters.markdown import slack as markdown
from adapters.pace import Clock
from adapters.slack.api import Api
from adapters.slack.faults import CallFailed
from adapters.slack.sending import Sending

logger = logging.getLogger(__name__)

EYES = "eyes"
EDIT_EVERY = timedelta(seconds=1.5)
UPDATE = 3_900  # signs; chat.update takes 4,000
_QUIET = frozenset({"already_reacted", "no_reaction", "message_not_found"})
REMEMBERED = 1_000  # progress messages whose last edit is known


class Signs:
    """Shows and clears them."""

    def __init__(self, api: Api, sending: Sending, clock: Clock) -> None:
        self._api = api
        self._sending = sending
        self._clock = clock
        self._closed_until: datetime | None = None
        self._edited: dict[str, datetime] = {}

    async def working(self, place: Address, working: bool) -> None:
        """Put eyes on the message that is being answered, or take them away."""
        if place.message is None or place.message.startswith("slash-"):
            return
        method = "reactions.add" if working else "reactions.remove"
        if working and self._closed():
            return
        try:
            await self._api.call(method, channel=place.chat, timestamp=place.message, name=EYES)
        except CallFailed as failed:
            self._dropped(failed)

    async def progress(self, room: Address, text: str, shown: str | None) -> str | None:
        """See `Chat.show_progress`."""
        if not text:
            if shown is not None:
                self._edited.pop(shown, None)
                await self._sending.take_back(room.chat, shown)
            return None
        if self._closed() or (shown is not None and self._too_soon(shown)):
            return shown
        words = markdown.render(text, {}).text[:UPDATE]
        try:
            if shown is None:
                shown = await self._post(room, words)
            else:
                self._edited[shown] = self._clock()
                await self._api.call("chat.update", channel=room.chat, ts=shown, text=words)
        except CallFailed as failed:
            self._dropped(failed)
            return None if failed.code == "message_not_found" else shown
        except AdapterError as error:
            logger.info("slack progress was not shown: %s", error)
        return shown

    async def _post(self, room: Address, words: str) -> str:
        ts = await self._sending.post(
            {
                "channel": room.chat,
                "thread_ts": room.thread,
                "text": words,
                "unfurl_links": False,
                "unfurl_media": False,
            }
        )
        self._edited[ts] = self._clock()
        if len(self._edited) > REMEMBERED:
            del self._edited[next(iter(self._edited))]
        return ts

    def _too_soon(self, shown: str) -> bool:
        last = self._edited.get(shown)
        return last is not None and self._clock() - last < EDIT_EVERY

    def _closed(self) -> bool:
        return self._closed_until is not None and self._clock() < self._closed_until

    def _dropped(self, failed: CallFailed) -> None:
        if failed.after is not None:
            self._closed_until = self._clock() + timedelta(seconds=failed.after)
        if failed.code not in _QUIET:
            logger.info("slack sign was not shown: %s", failed, extra={"action": "slack_sign"})
