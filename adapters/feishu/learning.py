"""What is asked of Feishu after an event was acknowledged, and handed in as what it tells.

rooms and people ──► MEMBERS      forwarded talk ──► EDIT      a gap ──► what was missed
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from adapters.chat import Address, Author, EventKind, Incoming, Receive, Room, RoomKind
from adapters.errors import AdapterError, Refused, Retry
from adapters.feishu import forwards
from adapters.feishu.api import Api
from adapters.feishu.directory import Directory, Place
from adapters.feishu.errors import SCOPE_CODE, Rejected, verdict
from adapters.feishu.event import PLATFORM, Malformed, Me
from adapters.feishu.incoming import EDITED, from_history, parse, settle
from adapters.pace import Sleep

logger = logging.getLogger(__name__)

IM = "/open-apis/im/v1"
WAITING = 10_000  # questions kept at most
AT_START = 500  # chats asked about when the connection opens first
GAP = timedelta(hours=24)  # what is missed longer than that stays missed
GAP_CHATS = 100
GAP_PAGES = 4  # of fifty messages, a chat
_MARGIN = timedelta(seconds=5)
_BATCH = 50
_TRIES = 12  # about ten minutes of a platform, or of a house, that cannot
_PAUSE_S = 5.0
_LEFT = ("im.chat.member.bot.deleted_v1", "im.chat.disbanded_v1")


@dataclass(frozen=True, slots=True)
class _Question:
    key: str
    """The same question is not asked twice at once."""
    ask: Callable[[], Awaitable[None]]
    tries: int = 0


class Learning:
    """One worker, one question after the other: courtesy to Feishu and order for the house."""

    def __init__(
        self,
        api: Api,
        directory: Directory,
        clock: Callable[[], datetime],
        sleep: Sleep,
    ) -> None:
        self._api = api
        self._directory = directory
        self._clock = clock
        self._sleep = sleep
        self._questions: deque[_Question] = deque()
        self._keys: set[str] = set()
        self._any = asyncio.Event()
        self._me = Me("", "", "")
        self._receive: Receive | None = None
        self.note = ""
        """A permission that is missing, if one was seen to be."""

    async def run(self, me: Me, receive: Receive) -> None:
        """Ask what is to be asked until cancelled."""
        self._me, self._receive = me, receive
        async with asyncio.TaskGroup() as postponed:
            while True:
                await self._any.wait()
                while self._questions:
                    question = self._questions.popleft()
                    self._keys.discard(question.key)
                    pause_s = await self._answered(question)
                    if pause_s is not None:
                        # The others need not wait for this one.
                        postponed.create_task(self._again(question, pause_s))
                self._any.clear()

    def at_start(self) -> None:
        """Get to know every chat the bot is in."""
        self._put("chats", self._chats)

    def missed(self, since: datetime) -> None:
        """Read what was said in the known chats while the connection was deaf."""
        start = max(since, self._clock() - GAP) - _MARGIN
        for chat in self._directory.chats[:GAP_CHATS]:
            self._put(f"gap:{chat}", partial(self._catch_up, "chat", chat, start))
        for thread in self._directory.threads[:GAP_CHATS]:
            self._put(f"gap:{thread}", partial(self._catch_up, "thread", thread, start))

    def after(self, event: dict[str, Any], incoming: Incoming) -> None:
        """What is worth asking once an event was taken."""
        header, chat = event["header"], incoming.address.chat
        message = incoming.address.message
        if header["event_type"] in _LEFT:
            return
        if incoming.kind is EventKind.RECALL and message and not self._directory.place(message):
            self._put(f"recall:{message}", partial(self._recalled, incoming))
        told = event["event"].get("message")
        if isinstance(told, dict) and told.get("message_type") == "merge_forward":
            self._put(f"forward:{message}", partial(self._forwarded, incoming))
        if self._directory.is_due(chat):
            self._put(f"room:{chat}", partial(self._room, chat))

    def place(self, message: str, event: dict[str, Any]) -> None:
        """An event cannot be told before it is known where its message stands."""
        self._put(f"place:{message}:{event['header'].get('event_id')}",
                  partial(self._misplaced, message, event))  # fmt: skip

    def _put(self, key: str, ask: Callable[[], Awaitable[None]], tries: int = 0) -> None:
        if key in self._keys or len(self._questions) >= WAITING:
            return
        self._keys.add(key)
        self._questions.append(_Question(key, ask, tries))
        self._any.set()

    async def _answered(self, question: _Question) -> float | None:
        """Ask; None when that is done, else in how many seconds to ask again."""
        try:
            await question.ask()
        except Retry as error:
            return self._pause_s(question, error)
        except Rejected as error:
            judged = verdict(error)
            if isinstance(judged, Retry):
                return self._pause_s(question, judged)
            self._refused(question.key, error)
        except AdapterError as error:
            logger.warning("asking Feishu %s failed: %s", question.key, error)
        except Exception:
            # One answer nobody understands must not end the learning of everything else.
            logger.exception("an answer of Feishu's was not understood: %s", question.key)
        return None

    def _pause_s(self, question: _Question, error: Retry) -> float | None:
        if question.tries + 1 >= _TRIES:
            logger.error("asking Feishu %s is given up: %s", question.key, error)
            return None
        logger.info("asking Feishu %s waits: %s", question.key, error)
        return error.after or min(60.0, _PAUSE_S * (question.tries + 1))

    async def _again(self, question: _Question, pause_s: float) -> None:
        await self._sleep(pause_s)
        self._put(question.key, question.ask, question.tries + 1)

    def _refused(self, key: str, error: Rejected) -> None:
        logger.warning("Feishu does not tell %s: %s", key, error)
        if error.code == SCOPE_CODE:
            self.note = f"a permission is missing, see `limen doctor` ({error.msg})"

    async def _chats(self) -> None:
        found: list[str] = []
        async for data in self._api.pages(f"{IM}/chats", {"page_size": "100"}):
            for item in data.get("items") or ():
                if not item.get("external"):
                    self._directory.tenant = self._directory.tenant or item.get("tenant_key") or ""
                found.append(str(item["chat_id"]))
            if len(found) >= AT_START:
                break
        for chat in found[:AT_START]:
            if self._directory.is_due(chat):
                self._put(f"room:{chat}", partial(self._room, chat))

    async def _room(self, chat: str) -> None:
        self._directory.asked(chat)  # a refusal is not asked for again at every event
        told = await self._api.call("GET", f"{IM}/chats/{chat}", params={"user_id_type": "open_id"})
        external = bool(told.get("external"))
        if not external:
            self._directory.tenant = self._directory.tenant or str(told.get("tenant_key") or "")
        direct = told.get("chat_mode") == "p2p"
        partner = self._directory.partner(chat)
        if direct and partner:
            ids, foreign, complete = [partner], False, True
        else:
            ids, foreign, complete = await self._members(chat)
        await self._people(ids)
        members = tuple(self._directory.author(id) for id in ids)
        room = Room(
            title=str(told.get("name") or (members[0].name if direct and members else "")),
            kind=RoomKind.DIRECT if direct else RoomKind.GROUP,
            open=not direct,
            workspace=self._directory.tenant,
            members=members,
            complete=complete,
            outsiders=external or foreign,
        )
        self._directory.learn_room(chat, room)
        await self._hand_in(self._of(chat, room))

    async def _members(self, chat: str) -> tuple[list[str], bool, bool]:
        """Ids, whether any is of another tenant, and whether these are all."""
        ids: list[str] = []
        foreign, complete = False, False
        asked = {"member_id_type": "open_id", "page_size": "100"}
        async for data in self._api.pages(f"{IM}/chats/{chat}/members", asked):
            for item in data.get("items") or ():
                ids.append(str(item["member_id"]))
                name = str(item.get("name") or "")
                self._directory.learn_people(
                    [replace(self._directory.author(ids[-1]), name=name)] if name else ()
                )
                key = item.get("tenant_key")
                foreign = foreign or bool(key and key != self._directory.tenant)
            complete = not data.get("has_more") and not data.get("trigger_security_conf_limit")
        return ids, foreign, complete

    async def _people(self, ids: list[str]) -> None:
        """Names and e-mails, as far as the app may read them."""
        strangers = self._directory.strangers(ids)
        for start in range(0, len(strangers), _BATCH):
            batch = strangers[start : start + _BATCH]
            query = "&".join(f"user_ids={id}" for id in batch)
            path = f"/open-apis/contact/v3/users/batch?user_id_type=open_id&{query}"
            try:
                told = await self._api.call("GET", path)
            except Rejected as error:
                self._refused("people", error)
                told = {}
            self._directory.asked_about(batch)
            self._directory.learn_people(
                replace(
                    self._directory.author(str(item["open_id"])),
                    name=str(item.get("name") or self._directory.author(item["open_id"]).name),
                    email=item.get("enterprise_email") or item.get("email") or None,
                )
                for item in told.get("items") or ()
            )

    async def _forwarded(self, incoming: Incoming) -> None:
        message = incoming.address.message or ""
        told = await self._api.call("GET", f"{IM}/messages/{message}")
        items = [item for item in told.get("items") or () if item.get("message_id") != message]
        await self._people(forwards.senders(items))
        talk = forwards.shown(message, items, self._directory)
        if not talk:
            return
        version = int(incoming.at.timestamp() * 1000) + 1
        text = f"{incoming.text}\n{talk}"
        edited = replace(incoming, kind=EventKind.EDIT, text=text, version=version)
        await self._hand_in(edited)
        settle(edited, self._directory)

    async def _misplaced(self, message: str, event: dict[str, Any]) -> None:
        if event["header"]["event_type"] == EDITED:
            item = await self._item(message)
            incoming = from_history(item | {"updated": True}, self._me, self._directory)
        else:
            await self._found(message)
            incoming = parse(event, self._me, self._directory)
        if incoming is not None:
            await self._hand_in(incoming)
            settle(incoming, self._directory)

    async def _recalled(self, incoming: Incoming) -> None:
        """Recalls do not say in which topic; its address is known only with it."""
        place = await self._found(incoming.address.message or "")
        if place.thread and not place.own:
            address = replace(incoming.address, thread=place.thread)
            await self._hand_in(replace(incoming, address=address))

    async def _found(self, message: str) -> Place:
        known = self._directory.place(message)
        if known is not None:
            return known
        item = await self._item(message)
        sender = str((item.get("sender") or {}).get("id") or "")
        place = Place(
            chat=str(item["chat_id"]),
            thread=item.get("thread_id") or None,
            author=self._directory.author(sender),
            own=sender in (self._me.app_id, self._me.open_id),
        )
        self._directory.remember(message, place)
        return place

    async def _item(self, message: str) -> dict[str, Any]:
        told = await self._api.call("GET", f"{IM}/messages/{message}")
        item = next(iter(told.get("items") or ()), None)
        if not isinstance(item, dict):
            raise Refused(f"Feishu does not know message {message} any more")
        return item

    async def _catch_up(self, kind: str, container: str, since: datetime) -> None:
        asked = {
            "container_id_type": kind, "container_id": container, "page_size": "50",
            "sort_type": "ByCreateTimeAsc" if kind == "chat" else "ByCreateTimeDesc",
        }  # fmt: skip
        if kind == "chat":  # topics cannot be asked by time
            asked["start_time"] = str(int(since.timestamp()))
        pages = self._api.pages(f"{IM}/messages", asked, pages=GAP_PAGES if kind == "chat" else 1)
        items = [item async for data in pages for item in data.get("items") or ()]
        first_ms = since.timestamp() * 1000
        items = [item for item in items if int(item.get("create_time") or 0) >= first_ms]
        for item in sorted(items, key=lambda item: int(item["create_time"])):
            try:
                incoming = from_history(item, self._me, self._directory)
            except Malformed as error:
                logger.info("a message in the history says nothing: %s", error)
                continue
            if incoming is not None:
                await self._hand_in(incoming)
                settle(incoming, self._directory)

    def _of(self, chat: str, room: Room) -> Incoming:
        return Incoming(
            address=Address(platform=PLATFORM, account=self._me.app_id, chat=chat),
            kind=EventKind.MEMBERS,
            author=Author(id=self._me.open_id, name=self._me.name, is_bot=True),
            room=room,
            text="",
            at=self._clock(),
        )

    async def _hand_in(self, incoming: Incoming) -> None:
        assert self._receive is not None  # questions are asked by `run` alone
        await self._receive(incoming)
