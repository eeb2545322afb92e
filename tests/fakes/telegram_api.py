"""Telegram on loopback: the Bot API with long polling, and the people who write to the bot."""

import asyncio
from collections import defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

from tests.fakes.platform import Fault, Platform, Posted
from tests.fakes.telegram_methods import Methods
from tests.fakes.telegram_rules import ApiError, decoded, units
from tests.fakes.telegram_world import BOT, PEOPLE, Json, World, user

TOKEN = f"{BOT}:AAtest-token_of_the_loopback_server"
GARBAGE = {"message": {"message_id": "first", "date": "yesterday", "chat": 7, "text": ["?"]}}
REFUSALS = {
    Fault.LIMITED: ApiError(429, "Too Many Requests: retry after 1", retry_after=1),
    Fault.BROKEN: ApiError(500, "Internal Server Error"),
    Fault.EXPIRED: ApiError(500, "Internal Server Error"),
    Fault.UNFORMATTED: ApiError(
        400, "Bad Request: can't parse entities: Can't find end of Bold entity at byte offset 58"
    ),
    Fault.GONE: ApiError(403, "Forbidden: bot was kicked from the supergroup chat"),
}
CONFLICT = ApiError(
    409,
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is "
    "running",
)
WEBHOOK = ApiError(
    409,
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete "
    "the webhook first",
)


@dataclass(eq=False)
class Poll:
    """One getUpdates that waits."""

    request: web.Request
    conflicting: bool = False
    silent: bool = False


class TelegramApi(Platform):
    """The Bot API and its people."""

    name = "telegram"

    def __init__(self, *, username: str = "limen_bot") -> None:
        super().__init__()
        self.world = World(username=username, first_name=self.bot_name)
        self.methods = Methods(self.world)
        self.token = TOKEN
        self.port = 0
        self.second_poller = False
        """Another instance polls with the same token."""
        self.date: str | None = None
        """What the Date header says; None for the time it is."""
        self.refusals: dict[str, deque[ApiError]] = defaultdict(deque)
        """What the next calls of a method are answered."""
        self.received: list[tuple[str, Json]] = []
        """Every call with its parameters."""
        self._faults: deque[Fault] = deque()
        self._poll: Poll | None = None
        self._over = asyncio.Event()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        self._over.clear()
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/bot{token}/{method}", self._answer)
        app.router.add_get("/file/bot{token}/{path:.+}", self._download)
        self._runner = web.AppRunner(
            app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *error: object) -> None:
        self._over.set()
        await self.tell()
        if self._runner:
            await self._runner.cleanup()

    @property
    def base_url(self) -> str:
        """What the token is put behind."""
        return f"http://127.0.0.1:{self.port}/bot"

    @property
    def base_file_url(self) -> str:
        """The same for downloads."""
        return f"http://127.0.0.1:{self.port}/file/bot"

    @property
    def env(self) -> dict[str, str]:
        return {
            "LIMEN_TELEGRAM__TOKEN": TOKEN,
            "LIMEN_TELEGRAM__BASE_URL": self.base_url,
            "LIMEN_TELEGRAM__BASE_FILE_URL": self.base_file_url,
        }

    # the wire

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        try:
            if request.match_info["token"] != self.token:
                raise ApiError(401, "Unauthorized")
            given = decoded(await _parameters(request))
            self.received.append((method, given))
            await self.tell()
            result = await self._result(request, method, given)
        except ApiError as error:
            return self._refusal(error)
        finally:
            await self.tell()
        if result is LOST:
            if request.transport:
                request.transport.abort()
            return web.Response()
        return web.json_response({"ok": True, "result": result}, headers=self._headers())

    async def _result(self, request: web.Request, method: str, given: Json) -> Any:
        if self.refusals[method]:
            raise self.refusals[method].popleft()
        if method == "getUpdates":
            return await self._updates(request, given)
        fault = self._faults.popleft() if self._faults and method.startswith(POSTS) else None
        formatted = bool(given.get("entities"))
        if fault in REFUSALS and (fault is not Fault.UNFORMATTED or formatted):
            raise REFUSALS[fault]
        result = self.methods.call(method, given)
        return LOST if fault is Fault.LOST else result

    async def _updates(self, request: web.Request, given: Json) -> Any:
        self._check_poller()
        if "allowed_updates" in given:
            self.world.allowed = tuple(given["allowed_updates"])
        if self._poll:
            self._poll.conflicting = True  # the newer request ends the older one
        poll = self._poll = Poll(request)
        self.world.confirm(int(given.get("offset", 0)))
        limit = int(given.get("limit", 100))
        found: list[Json] = []

        def ended() -> bool:
            if poll.silent:
                return self._over.is_set()
            found[:] = [] if poll.conflicting else self.world.due(limit)
            return bool(found) or poll.conflicting or self.second_poller or self._over.is_set()

        await self.tell()
        try:
            with suppress(TimeoutError):
                await self.until(ended, seconds=float(given.get("timeout", 0)) or 0.01)
            while poll.silent and not self._over.is_set():
                await self.until(self._over.is_set, seconds=3600.0)
        finally:
            if self._poll is poll:
                self._poll = None
        if poll.conflicting or self.second_poller:
            raise CONFLICT
        return found

    def _check_poller(self) -> None:
        if self.methods.webhook:
            raise WEBHOOK
        if self.second_poller:
            raise CONFLICT

    def _refusal(self, error: ApiError) -> web.Response:
        body: Json = {"ok": False, "error_code": error.code, "description": error.description}
        if error.parameters:
            body["parameters"] = error.parameters
        return web.json_response(body, status=error.code, headers=self._headers())

    def _headers(self) -> dict[str, str]:
        return {"Date": self.date} if self.date else {}

    async def _download(self, request: web.Request) -> web.Response:
        path = request.match_info["path"]
        if request.match_info["token"] != self.token:
            return self._refusal(ApiError(401, "Unauthorized"))
        content = dict(self.world.files.values()).get(path)
        if content is None:
            return self._refusal(ApiError(404, "Not Found"))
        return web.Response(body=content)

    # people act

    async def say(
        self,
        who: str,
        room: str,
        text: str,
        *,
        mention: bool = False,
        thread: str | None = None,
        reply_to: str | None = None,
    ) -> str:
        chat = self.world.chat_id(who, room)
        content: Json = {"text": text}
        if mention:
            handle = f"@{self.world.username}"
            content["text"] = f"{handle} {text}".rstrip()
            content["entities"] = [{"type": "mention", "offset": 0, "length": units(handle)}]
        elif text.startswith("/"):
            length = units(text.split()[0])
            content["entities"] = [{"type": "bot_command", "offset": 0, "length": length}]
        if thread:
            self.world.topics.setdefault(chat, set()).add(int(thread))
            root = self.world.root(PEOPLE[who], chat, int(thread))
            content |= {"message_thread_id": int(thread), "is_topic_message": True}
            content["reply_to_message"] = root  # every message of a topic seems to answer its root
        if reply_to:
            content["reply_to_message"] = self.world.messages[chat, int(reply_to)]
        return await self._said(who, chat, content)

    async def _said(self, who: str, chat: int, content: Json) -> str:
        made = self.world.message(PEOPLE[who], chat, **content)
        self.world.tell("message", made)
        await self.tell()
        return str(made["message_id"])

    async def edit(self, who: str, room: str, message: str, text: str) -> None:
        found = self.world.messages[self.world.chat_id(who, room), int(message)]
        last = max(found.get("edit_date", 0), found["date"])
        found.pop("entities", None)
        found |= {"text": text, "edit_date": max(self.world.now(), last + 1)}
        self.world.tell("edited_message", found)
        await self.tell()

    async def recall(self, who: str, room: str, message: str) -> None:
        self.world.messages.pop((self.world.chat_id(who, room), int(message)), None)

    async def react(self, who: str, room: str, message: str, emoji: str) -> None:
        chat, id = self.world.chat_id(who, room), PEOPLE[who]
        key = (chat, int(message), id)
        old, self.world.reactions[key] = self.world.reactions.get(key, ""), emoji
        change = {
            "chat": self.world.chat(chat), "message_id": int(message), "user": user(id),
            "date": self.world.now(), "old_reaction": _reaction(old),
            "new_reaction": _reaction(emoji),
        }  # fmt: skip
        self.world.tell("message_reaction", change)
        await self.tell()

    async def press(self, who: str, room: str, message: str, label: str) -> None:
        standing = self.world.standing(self.world.chat_id(who, room), int(message))
        keyboard = standing.get("reply_markup", {}).get("inline_keyboard", [])
        data = next(b["callback_data"] for row in keyboard for b in row if b["text"] == label)
        query = {
            "id": f"q{self.world.next_message()}", "from": user(PEOPLE[who]), "data": data,
            "message": dict(standing), "chat_instance": "1",
        }  # fmt: skip
        self.world.tell("callback_query", query)
        await self.tell()

    async def send_file(
        self, who: str, room: str, name: str, mime: str, content: bytes, text: str = ""
    ) -> str:
        id = f"AgAC_{self.world.next_message()}"
        self.world.files[id] = (f"documents/file_{len(self.world.files)}", content)
        file: Json = {"file_id": id, "file_unique_id": f"u{id}", "file_size": len(content)}
        if mime.startswith("image/"):
            sent: Json = {"photo": [{**file, "width": 64, "height": 64}]}
        elif mime == "audio/ogg":
            sent = {"voice": {**file, "duration": 7, "mime_type": mime}}
        else:
            sent = {"document": {**file, "file_name": name, "mime_type": mime}}
        if text:
            sent["caption"] = text
        return await self._said(who, self.world.chat_id(who, room), sent)

    async def join(self, who: str, room: str) -> None:
        chat = self.world.chat_id(who, room)
        self.world.members[chat].append(PEOPLE[who])
        await self._said(who, chat, {"new_chat_members": [user(PEOPLE[who])]})

    async def leave(self, who: str, room: str) -> None:
        chat = self.world.chat_id(who, room)
        self.world.members[chat].remove(PEOPLE[who])
        await self._said(who, chat, {"left_chat_member": user(PEOPLE[who])})

    async def upgrade(self, who: str, room: str) -> int:
        """A group becomes a supergroup with another number, told in both chats."""
        old = self.world.chat_id(who, room)
        new = old - 500_000
        said = self.world.message(PEOPLE[who], old, migrate_to_chat_id=new)
        self.world.moved[old] = new
        self.world.members[new] = self.world.members[old]
        self.world.tell("message", said)
        self.world.tell("message", self.world.message(PEOPLE[who], new, migrate_from_chat_id=old))
        await self.tell()
        return new

    async def inject(self, update: Json) -> None:
        """Deliver a raw update as it stands."""
        self.world.inject(update)
        await self.tell()

    # what stands there

    def posts(self, room: str | None = None) -> list[Posted]:
        return self.world.posts(None if room is None else self.world.chat_id("", room))

    def acknowledged(self, message: str) -> bool:
        found = self.world.concerning(message)
        return bool(found) and all(u["update_id"] < self.world.confirmed for u in found)

    def calls(self, method: str = "") -> list[str]:
        return [name for name, _ in self.received if method in name]

    @property
    def connections(self) -> int:
        return 1 if self._poll else 0

    # faults

    def befall(self, fault: Fault, *, times: int = 1) -> None:
        self._faults.extend([fault] * times)

    async def redeliver(self, message: str) -> None:
        self.world.replayed += self.world.concerning(message)
        await self.tell()

    async def hang_up(self) -> None:
        self._drop()

    def _drop(self) -> None:
        if self._poll and self._poll.request.transport:
            self._poll.request.transport.abort()

    async def go_silent(self) -> None:
        await self.until(lambda: self._poll is not None)
        if self._poll:
            self._poll.silent = True
            self._poll = None

    async def send_garbage(self) -> None:
        self.world.tell(*next(iter(GARBAGE.items())))
        await self.tell()

    def revoke(self) -> None:
        self.token = "revoked"
        self._drop()


LOST = object()
"""The result of a call that was done and whose answer is lost."""
POSTS = ("sendMessage", "sendPhoto", "sendDocument")


async def _parameters(request: web.Request) -> Json:
    given: Json = dict(request.query)
    if request.content_type == "application/json":
        body: Json = await request.json()
        return given | body
    return given | dict(await request.post())


def _reaction(emoji: str) -> list[Json]:
    return [{"type": "emoji", "emoji": emoji}] if emoji else []
