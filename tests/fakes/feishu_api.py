"""Feishu on the loopback: the long connection and the REST interface of one tenant.

    async with FeishuApi() as feishu:
        settings = FeishuSettings(**feishu.credentials)

The official SDK works against it, which its own test shows.
"""

import asyncio
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, Self

from aiohttp import web

from tests.fakes import feishu_rules as rules
from tests.fakes.feishu_rest import Rest, reaction_event
from tests.fakes.feishu_state import EMOJI, Chat, Message, Tenant, ids, ms, now
from tests.fakes.feishu_wire import Delivery, Hub
from tests.fakes.platform import MEMBERS, Fault, Platform, Posted

ENDPOINT = "/callback/ws/endpoint"


class FeishuApi(Platform):
    """The server; it keeps its state while bots come and go."""

    name = "feishu"

    def __init__(self, clock: Callable[[], datetime] = now, **tenant: str) -> None:
        super().__init__()
        self.tenant = Tenant(clock=clock, **tenant)  # type: ignore[arg-type]
        self.rest = Rest(self.tenant, self.tell)
        self.hub = Hub(self.tell)
        self.endpoint_no: tuple[int, str] | None = None
        """What the endpoint of the long connection answers instead."""
        self.handshake_no: tuple[int, int, str] | None = None
        """Status, inner code and text with which every handshake is refused."""
        self._events: dict[str, list[dict[str, Any]]] = {}
        self._applying: set[asyncio.Task[None]] = set()
        self._runner: web.AppRunner | None = None
        self._port = 0
        self.url = ""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.add_routes(self.rest.routes())
        app.router.add_post(ENDPOINT, self._endpoint)
        app.router.add_get("/ws", self._socket)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True).start()
        self._port = self._runner.addresses[0][1]  # the same when it comes back
        self.url = f"http://127.0.0.1:{self._port}"
        return self

    async def __aexit__(self, *error: object) -> None:
        for task in self._applying:
            task.cancel()
        await self.hub.close()
        assert self._runner is not None
        await self._runner.cleanup()

    @property
    def credentials(self) -> dict[str, str]:
        """The fields of FeishuSettings that lead here."""
        return {
            "app_id": self.tenant.app_id, "app_secret": self.tenant.secret, "domain": self.url,
        }  # fmt: skip

    @property
    def env(self) -> dict[str, str]:
        return {f"LIMEN_FEISHU__{key.upper()}": value for key, value in self.credentials.items()}

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
        chat = self.tenant.chat_of(who, room)
        more = self._place(thread, reply_to)
        if mention:
            text = f"@_user_1 {text}"
            more["mentions"] = [self.tenant.mention()]
        message = self.tenant.add(chat.id, f"ou_{who}", "text", {"text": text}, **more)
        await self.tell_of(message)
        return message.id

    def _place(self, thread: str | None, reply_to: str | None) -> dict[str, Any]:
        if thread:
            root = next(m for m in self.tenant.messages.values() if thread in (m.id, m.thread))
            return {
                "thread": self.tenant.threaded(root), "root": root.root or root.id,
                "parent": reply_to or root.id,
            }  # fmt: skip
        if reply_to:
            target = self.tenant.messages.get(reply_to)
            return {"parent": reply_to, "root": (target and target.root) or reply_to}
        return {}

    async def tell_of(self, message: Message, kind: str = "im.message.receive_v1") -> Delivery:
        """Deliver the event of a message as it stands."""
        return await self._tell_app(self.tenant.told(message, kind), message.id)

    async def _tell_app(self, event: dict[str, Any], message: str = "") -> Delivery:
        self._events.setdefault(message, []).append(event)
        return await self.hub.deliver(event, message)

    async def inject(self, event: dict[str, Any]) -> None:
        """Deliver a raw event as it stands, and store the message it tells of."""
        body = event.get("event", {}).get("message", {})
        if body.get("message_id"):
            self._keep(event, body)
        id = body.get("message_id") or event.get("event", {}).get("message_id", "")
        await self._tell_app(event, id)

    def _keep(self, event: dict[str, Any], body: dict[str, Any]) -> None:
        chat = body["chat_id"]
        self.tenant.chats.setdefault(chat, Chat(
            id=chat, word=chat, title=chat, direct=body["chat_type"] == "p2p", members=[],
        ))  # fmt: skip
        sender = event["event"]["sender"]["sender_id"]["open_id"]
        at = self.tenant.clock()
        self.tenant.messages.setdefault(body["message_id"], Message(
            id=body["message_id"], chat=chat, sender=sender, kind=body["message_type"],
            content=body["content"], at=at, updated_at=at, thread=body.get("thread_id"),
            root=body.get("root_id"), parent=body.get("parent_id"),
            mentions=body.get("mentions") or [],
        ))  # fmt: skip

    async def edit(self, who: str, room: str, message: str, text: str) -> None:
        stored = self.tenant.messages[message]
        stored.content = json.dumps({"text": text})
        stored.edits += 1
        stored.updated_at = self.tenant.clock()
        await self.tell_of(stored, "im.message.updated_v1")

    async def recall(self, who: str, room: str, message: str) -> None:
        stored = self.tenant.messages[message]
        stored.deleted = True
        body = {
            "message_id": message, "chat_id": stored.chat, "recall_time": ms(self.tenant.clock()),
            "recall_type": "message_owner",
        }  # fmt: skip
        await self._tell_app(self.tenant.event("im.message.recalled_v1", body), message)

    async def react(self, who: str, room: str, message: str, emoji: str) -> None:
        stored = self.tenant.messages[message]
        kind = EMOJI.get(emoji, emoji)
        stored.reactions[f"reaction-{next(self.tenant.numbers)}"] = (f"ou_{who}", kind)
        await self._tell_app(reaction_event(self.tenant, stored, who, kind), message)

    async def press(self, who: str, room: str, message: str, label: str) -> None:
        delivery = await self.press_raw(who, message, label)
        async with asyncio.timeout(5):
            await delivery.settled.wait()
        await self.tell()

    async def press_raw(self, who: str, message: str, label: str) -> Delivery:
        """Press, and let the card become what the acknowledgement says, without waiting for it."""
        stored = self.tenant.messages[message]
        body = {
            "operator": ids(f"ou_{who}") | {"tenant_key": self.tenant.key}, "token": "c-token",
            "action": {"tag": "button", "value": rules.buttons(stored.content)[label]},
            "host": "im_message",
            "context": {"open_message_id": message, "open_chat_id": stored.chat},
        }  # fmt: skip
        delivery = await self._tell_app(self.tenant.event("card.action.trigger", body), message)
        self._applying.add(asyncio.create_task(self._apply(delivery, stored)))
        return delivery

    async def _apply(self, delivery: Delivery, stored: Message) -> None:
        await delivery.settled.wait()
        card = delivery.answer.get("card")
        if card:
            stored.content = json.dumps(card["data"], ensure_ascii=False)
        await self.tell()

    async def send_file(
        self, who: str, room: str, name: str, mime: str, content: bytes, text: str = ""
    ) -> str:
        """A file or image; Feishu has no caption, so a text comes as a rich text with the image,
        or as a message of its own before the file."""
        chat, key = self.tenant.chat_of(who, room), f"file_{next(self.tenant.numbers)}"
        if mime.startswith("image/"):
            body: dict[str, Any] = {"image_key": key}
            kind = "image"
            if text:
                rows = [[{"tag": "text", "text": text}], [{"tag": "img", "image_key": key}]]
                kind, body = "post", {"title": "", "content": rows}
        else:
            if text:
                await self.say(who, room, text)
            kind, body = "file", {"file_key": key, "file_name": name}
        message = self.tenant.add(chat.id, f"ou_{who}", kind, body)
        self.tenant.files[message.id, key] = content
        await self.tell_of(message)
        return message.id

    async def send_raw(
        self, who: str, room: str, kind: str, content: dict[str, Any] | str, **more: Any
    ) -> str:
        """Post a message of any kind."""
        chat = self.tenant.chat_of(who, room)
        message = self.tenant.add(chat.id, f"ou_{who}", kind, content, **more)
        await self.tell_of(message)
        return message.id

    async def join(self, who: str, room: str) -> None:
        await self._membership(who, room, joined=True)

    async def leave(self, who: str, room: str) -> None:
        await self._membership(who, room, joined=False)

    async def _membership(self, who: str, room: str, *, joined: bool) -> None:
        chat = self.tenant.chat_of(who, room)
        if joined:
            chat.members.append(who)
        else:
            chat.members.remove(who)
        user = {"name": who.title(), "tenant_key": self.tenant.key, "user_id": ids(f"ou_{who}")}
        body = {
            "chat_id": chat.id, "name": chat.title, "external": chat.external, "users": [user],
            "operator_id": ids(f"ou_{who}"),
        }  # fmt: skip
        kind = f"im.chat.member.user.{'added' if joined else 'deleted'}_v1"
        await self._tell_app(self.tenant.event(kind, body))

    # what stands there

    def posts(self, room: str | None = None) -> list[Posted]:
        names = {f"ou_{m.id}": m.name for m in MEMBERS} | {self.tenant.bot: self.tenant.app_name}
        own = [
            m for m in self.tenant.messages.values()
            if m.sender == self.tenant.app_id and not m.deleted
        ]  # fmt: skip
        posted = [self._posted(message, names) for message in own]
        return [post for post in posted if room in (None, post.room)]

    def _posted(self, message: Message, names: dict[str, str]) -> Posted:
        kind, content = message.kind, message.content
        labels = tuple(rules.buttons(content)) if kind == "interactive" else ()
        text = "\n".join(
            line for line in rules.seen(kind, content, names).split("\n") if line not in labels
        )
        return Posted(
            id=message.id, room=self.tenant.chats[message.chat].word, text=text,
            thread=message.thread, reply_to=message.parent, buttons=labels,
            mentions=tuple(id.removeprefix("ou_") for id in rules.mentions(kind, content)),
        )  # fmt: skip

    def acknowledged(self, message: str) -> bool:
        told = self.hub.about.get(message, ())
        return bool(told) and all(delivery.acked for delivery in told)

    def calls(self, method: str = "") -> list[str]:
        return [call for call in self.rest.calls if method in call]

    @property
    def connections(self) -> int:
        return len(self.hub.sockets)

    # faults

    def befall(self, fault: Fault, *, times: int = 1) -> None:
        self.rest.faults += [fault] * times

    async def redeliver(self, message: str) -> None:
        for event in list(self._events[message]):
            await self.hub.deliver(event, message)

    async def hang_up(self) -> None:
        await self.hub.hang_up()

    async def go_silent(self) -> None:
        self.hub.silent.update(self.hub.sockets)

    async def send_garbage(self) -> None:
        await self.hub.deliver(b'{"schema": "2.0", "header": {"event_type": 7}, "event": [')

    def revoke(self) -> None:
        self.tenant.secret = "another-secret"
        self.rest.tokens.clear()

    # the way in

    async def _endpoint(self, request: web.Request) -> web.Response:
        self.rest.calls.append("ws.endpoint")
        body = await request.json()
        code, msg = self.endpoint_no or (0, "")
        if not code and body.get("AppSecret") != self.tenant.secret:
            code, msg = 10014, "app secret invalid"
        await self.tell()
        if code:
            return web.json_response({"code": code, "msg": msg})
        url = f"{self.url.replace('http', 'ws', 1)}/ws?device_id=1&service_id=7&ticket=t"
        data = {"URL": url, "ClientConfig": self.hub.config}
        return web.json_response({"code": 0, "msg": "", "data": data})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if self.handshake_no is not None:
            status, code, msg = self.handshake_no
            headers = {
                "handshake-status": str(status), "handshake-autherrcode": str(code),
                "handshake-msg": msg,
            }  # fmt: skip
            await self.tell()
            return web.Response(status=403, headers=headers)
        return await self.hub.serve(request)
