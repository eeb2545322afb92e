"""Learns rooms and people from the platform, aside, after an event was stored.

event of an unknown room ──► acknowledged ──► asked about ──► MEMBERS with the whole room
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from adapters.chat import Receive
from adapters.errors import Retry
from adapters.pace import Backoff, Clock, Sleep
from adapters.slack.api import Api
from adapters.slack.directory import Directory
from adapters.slack.faults import CallFailed
from adapters.slack.incoming import room_changed

logger = logging.getLogger(__name__)

Json = dict[str, Any]

PAGE = 200
MEMBERS = 1_000  # people of one room who are told apart; the rest make it incomplete
AT_START = 5  # pages of people, and of rooms, that are read before the connection opens
MANY = 20  # unknown people from which on a list of all is cheaper than asking one by one
FIRST_S, LIMIT_S = 2.0, 120.0  # waits between tries


class Learning:
    """Fills the directory."""

    def __init__(
        self,
        api: Api,
        known: Directory,
        clock: Clock,
        sleep: Sleep,
        jitter: Callable[[], float],
    ) -> None:
        self._api = api
        self._known = known
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._wanted: asyncio.Queue[str] = asyncio.Queue()
        self._waiting: set[str] = set()

    def want(self, channel: str) -> None:
        """Ask about a room soon."""
        if channel not in self._waiting:
            self._waiting.add(channel)
            self._wanted.put_nowait(channel)

    async def warm(self) -> None:
        """Read a few pages of people and rooms, so that names are there at the first event."""
        try:
            await self._all_people()
            kinds = "public_channel,private_channel,mpim,im"
            rooms = await self._pages("users.conversations", "channels", AT_START, types=kinds)
            for room in rooms:
                self._known.learn_room(room, None, complete=False)
        except (CallFailed, Retry) as failed:
            logger.info("slack names are learned as they are needed: %s", failed)
        except Exception:  # an answer of a new form must not keep the connection from opening
            logger.exception("slack's lists of names are not understood")

    async def run(self, receive: Receive) -> None:
        """Answer what is wanted, one room after another, until cancelled."""
        backoff = Backoff(self._sleep, self._jitter, first_s=FIRST_S, limit_s=LIMIT_S)
        while True:
            channel = await self._wanted.get()
            self._waiting.discard(channel)
            try:
                await self._learn(channel)
                await receive(room_changed(channel, self._known, self._clock()))
            except CallFailed as failed:
                if failed.passing:
                    self.want(channel)
                    await backoff.wait(least_s=failed.after or 0.0)
                    continue
                logger.warning("slack room %s cannot be looked up: %s", channel, failed,
                               extra={"action": "slack_room"})  # fmt: skip
            except Retry as error:
                self.want(channel)
                await backoff.wait(least_s=error.after or 0.0)
                continue
            except Exception:  # one odd room must not end the learning of the others
                logger.exception("slack room %s was not taken", channel)
            self._known.checked(channel, self._clock())
            backoff.reset()

    async def _learn(self, channel: str) -> None:
        info = (await self._api.call("conversations.info", channel=channel))["channel"]
        pages = MEMBERS // PAGE
        members: list[Any] | None = None
        if not info.get("is_im"):
            members = await self._pages("conversations.members", "members", pages, channel=channel)
        elif info.get("user"):
            members = [info["user"]]
        if members is not None:
            await self._people(members)
        complete = members is not None and len(members) < MEMBERS
        self._known.learn_room(info, members, complete)

    async def _people(self, ids: list[str]) -> None:
        if len(self._known.unknown(ids)) > MANY:
            await self._all_people()
        for id in self._known.unknown(ids):
            try:
                user = (await self._api.call("users.info", user=id))["user"]
            except CallFailed as failed:
                if failed.code not in ("user_not_found", "user_not_visible"):
                    raise
                user = {"id": id, "is_stranger": True}  # of another workspace; no more is told
            self._known.learn_person(user)

    async def _all_people(self) -> None:
        for user in await self._pages("users.list", "members", AT_START):
            try:
                if not user.get("deleted"):
                    self._known.learn_person(user)
            except (AttributeError, KeyError, TypeError):
                logger.warning("slack lists a person of an unknown form")

    async def _pages(self, method: str, name: str, pages: int, **arguments: Any) -> list[Any]:
        found: list[Any] = []
        cursor = ""
        for _ in range(pages):
            answer = await self._api.call(method, limit=PAGE, cursor=cursor or None, **arguments)
            found += answer.get(name) or []
            cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                break
        return found
