"""Posting letters and looking for them afterwards.

formatted ──► posted ──► Receipt
    └─ rejected ──► the same words bare ──► posted
In a thread whose first message was deleted Slack posts into the channel and says nothing: such a
stray is taken back at once.
"""

import logging
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

from adapters.chat import Address, Outgoing, Receipt
from adapters.errors import AdapterError, Refused, Retry, Unknown
from adapters.lanes import Lanes
from adapters.pace import Limit, Pace
from adapters.slack import outgoing
from adapters.slack.api import Api
from adapters.slack.faults import LOST, UNFORMATTED, CallFailed, told
from adapters.slack.incoming import is_moment, moment

logger = logging.getLogger(__name__)

Json = dict[str, Any]

CHANNEL = Limit(1, 1.0)  # posts a second, which Slack allows for each channel
WORKSPACE = Limit(240, 60.0)  # "several hundred a minute"
MARGIN = timedelta(hours=1)  # by how much our clock and Slack's may differ
PAGES = 50  # of a history that is searched; beyond that it is told apart by nobody
NO_LOOKING = frozenset("missing_scope not_in_channel channel_not_found not_allowed".split())


class Sending:
    """Posts at the pace Slack allows."""

    def __init__(self, api: Api, pace: Pace) -> None:
        self._api = api
        self._pace = pace
        self._lanes = Lanes()

    async def send(self, letter: Outgoing) -> Receipt:
        """See `Chat.send`."""
        try:
            async with self._lanes.turn(letter.room.chat):  # its pace alone keeps no order
                ts = await self._formatted(letter)
        except CallFailed as failed:
            raise told(failed) from failed
        return Receipt(message=ts, at=moment(ts))

    async def _formatted(self, letter: Outgoing) -> str:
        try:
            return await self.post(outgoing.formatted(letter))
        except CallFailed as failed:
            if failed.code not in UNFORMATTED:
                raise
            logger.warning("slack rejected the form of letter %s: %s", letter.key, failed,
                           extra={"action": "slack_unformatted"})  # fmt: skip
        # What was rejected did not count, so the second try need not wait for its turn.
        return await self._posted(outgoing.bare(letter))

    async def post(self, arguments: Json) -> str:
        """One chat.postMessage; its time stamp. Raises CallFailed, or Refused for a lost thread."""
        await self._pace.wait({_place(arguments): (CHANNEL,), "post": (WORKSPACE,)})
        return await self._posted(arguments)

    async def _posted(self, arguments: Json) -> str:
        channel = arguments["channel"]
        try:
            answer = await self._api.call("chat.postMessage", **arguments)
        except CallFailed as failed:
            if failed.after is not None:
                self._pace.close(_place(arguments), failed.after)
            raise
        ts, message = answer.get("ts"), answer.get("message")
        if not isinstance(ts, str) or not is_moment(ts) or not isinstance(message, dict):
            raise CallFailed("chat.postMessage", LOST, "the answer names no message")
        wanted = arguments.get("thread_ts")
        if wanted and message.get("thread_ts") != wanted:
            await self.take_back(channel, ts)
            raise Refused(
                "the message this thread hung from was deleted, so Slack would have posted the "
                "answer into the channel; it was taken back"
            )
        return ts

    async def take_back(self, channel: str, ts: str) -> None:
        """Delete one of our messages; a failure is only logged."""
        try:
            await self._api.call("chat.delete", channel=channel, ts=ts)
        except CallFailed as failed:
            if failed.code != "message_not_found":
                logger.warning("slack message %s in %s cannot be taken back: %s", ts, channel,
                               failed, extra={"action": "slack_stray"})  # fmt: skip

    async def find(self, letter: Outgoing) -> Receipt | None:
        """See `Chat.find`: every letter carries its key as metadata, which history gives back."""
        try:
            ts = await self._found(letter, letter.room)
            if ts is None and (channel := letter.room.parent):
                # Where its thread was gone it fell into the channel.
                stray = await self._found(letter, channel)
                if stray is not None:
                    await self.take_back(channel.chat, stray)
        except CallFailed as failed:
            raise _looking_failed(failed) from failed
        return Receipt(message=ts, at=moment(ts)) if ts else None

    async def _found(self, letter: Outgoing, room: Address) -> str | None:
        async for message in self._messages(room, letter.written):
            metadata = message.get("metadata") or {}
            payload = metadata.get("event_payload") or {}
            if metadata.get("event_type") == outgoing.LETTER and payload.get("key") == letter.key:
                return str(message["ts"])
        return None

    async def _messages(self, room: Address, since: datetime | None) -> AsyncIterator[Json]:
        oldest = f"{(since - MARGIN).timestamp():.6f}" if since else None
        cursor = None
        for _ in range(PAGES):
            asked: Json = {
                "channel": room.chat,
                "oldest": oldest,
                "inclusive": True,
                "include_all_metadata": True,
                "limit": 200,
                "cursor": cursor,
            }
            try:
                if room.thread:
                    answer = await self._api.call("conversations.replies", ts=room.thread, **asked)
                else:
                    answer = await self._api.call("conversations.history", **asked)
            except CallFailed as failed:
                if failed.code == "thread_not_found":
                    return
                raise
            for message in answer.get("messages") or []:
                yield message
            cursor = (answer.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return
        raise Unknown(f"more was written in {room} than can be searched for a letter")


def _place(arguments: Json) -> str:
    return f"post:{arguments['channel']}"


def _looking_failed(failed: CallFailed) -> AdapterError:
    error = told(failed)
    if failed.passing:
        return Retry(str(error), after=failed.after)
    if failed.code in NO_LOOKING:
        return Unknown(f"whether the letter arrived cannot be looked up: {error}")
    return Unknown(str(error))
