"""The REST side of Feishu's server: the calls a bot makes, judged as the platform judges them."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from email.utils import format_datetime
from typing import Any

from aiohttp import web

from tests.fakes import feishu_rules as rules
from tests.fakes.feishu_state import EMOJI, Chat, Message, Tenant, ids, ms
from tests.fakes.platform import MEMBERS, Fault

GRANTED = frozenset(
    "im:message:send_as_bot im:message.group_msg im:message.p2p_msg:readonly im:message:readonly "
    "im:resource im:chat:readonly im:chat.members:read im:message.reactions:write_only "
    "im:message.reactions:read im:message:recall im:message:update contact:contact.base:readonly "
    "contact:user.base:readonly contact:user.email:readonly "
    "application:application:self_manage".split()
)
EVENTS = (
    "im.message.receive_v1 im.message.recalled_v1 im.message.reaction.created_v1 "
    "im.message.reaction.deleted_v1 im.chat.member.user.added_v1 im.chat.member.user.deleted_v1 "
    "im.chat.member.bot.added_v1 im.chat.member.bot.deleted_v1 im.chat.updated_v1 "
    "im.chat.disbanded_v1"
).split()
EDITS = 20
TOKEN_PATH = "/open-apis/auth/v3/tenant_access_token/internal"
Json = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class No(Exception):
    """A refusal with Feishu's code."""

    def __init__(self, code: int, msg: str, status: int = 400, **headers: str) -> None:
        super().__init__(msg)
        self.code, self.msg, self.status, self.headers = code, msg, status, headers


class Rest:
    """The routes; `faults` befall the next posts in order."""

    def __init__(self, tenant: Tenant, tell: Callable[[], Awaitable[None]]) -> None:
        self.tenant = tenant
        self._tell = tell
        self.calls: list[str] = []
        self.bodies: list[Json] = []
        """Of every create and reply, as it came."""
        self.faults: list[Fault] = []
        self.tokens: set[str] = set()
        self.scopes = set(GRANTED)
        self.has_bot = True
        self.activated = 2
        self.events = list(EVENTS)
        self.way = "websocket"
        self.callbacks = ["card.action.trigger"]
        self.answers: dict[str, tuple[int, str]] = {}
        """A code and a message for every call of a name, as long as it stands here."""
        self.broken_gateway = False
        """Whether posts are answered with a page of HTML that some gateway made."""
        self.skew = timedelta()
        """How far the server's clock is ahead of the tenant's."""
        self._uuids: dict[tuple[str, str], tuple[datetime, Message]] = {}

    def routes(self) -> list[web.RouteDef]:
        """Everything below /open-apis."""
        im, add = "/open-apis/im/v1", self._route
        return [
            add("POST", TOKEN_PATH, "token", self._new_token),
            add("GET", "/open-apis/bot/v3/info", "bot.info", self._bot),
            add("GET", "/open-apis/tenant/v2/tenant/query", "tenant", self._who),
            add("GET", "/open-apis/application/v6/scopes", "scopes", self._scopes),
            add("GET", "/open-apis/application/v6/applications/{id}", "app", self._app),
            add("POST", f"{im}/messages", "messages.create", self._create),
            add("GET", f"{im}/messages", "messages.list", self._list),
            add("GET", f"{im}/messages/{{id}}", "messages.get", self._get),
            add("PUT", f"{im}/messages/{{id}}", "messages.update", self._update),
            add("PATCH", f"{im}/messages/{{id}}", "messages.patch", self._patch),
            add("DELETE", f"{im}/messages/{{id}}", "messages.delete", self._delete),
            add("POST", f"{im}/messages/{{id}}/reply", "messages.reply", self._reply),
            add("POST", f"{im}/messages/{{id}}/reactions", "reactions.create", self._react),
            add("DELETE", f"{im}/messages/{{id}}/reactions/{{reaction}}", "reactions.delete",
                self._unreact),
            add("GET", f"{im}/messages/{{id}}/resources/{{key}}", "resources.get", self._resource),
            add("GET", f"{im}/chats", "chats.list", self._chats),
            add("GET", f"{im}/chats/{{id}}", "chats.get", self._chat),
            add("GET", f"{im}/chats/{{id}}/members", "chats.members", self._members),
            add("GET", "/open-apis/contact/v3/users/batch", "users.batch", self._users),
        ]  # fmt: skip

    def token_is_good(self, token: str) -> bool:
        """Whether a bearer token is one that was given out and not revoked."""
        return token in self.tokens

    def _route(
        self, method: str, path: str, name: str, act: Callable[[web.Request], Awaitable[Json]]
    ) -> web.RouteDef:
        async def handle(request: web.Request) -> web.StreamResponse:
            self.calls.append(name)
            if self.broken_gateway and name == "messages.create":
                return web.Response(status=502, text="<html>Bad Gateway</html>")
            try:
                if name in self.answers:
                    raise No(*self.answers[name])
                if name != "token":
                    self._check_token(request)
                body = await act(request)
                if isinstance(body.get("bytes"), bytes):
                    answer = web.Response(body=body["bytes"])
                else:
                    answer = web.json_response({"code": 0, "msg": "success"} | body)
            except No as no:
                answer = web.json_response(
                    {"code": no.code, "msg": no.msg}, status=no.status, headers=no.headers
                )
            answer.headers["Date"] = format_datetime(self.tenant.clock() + self.skew, usegmt=True)
            await self._tell()
            return answer

        return web.route(method, path, handle)

    def _check_token(self, request: web.Request) -> None:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not token:
            raise No(99991661, "Missing access token for authorization.")
        if not self.token_is_good(token):
            raise No(99991663, "Invalid access token for authorization.")

    def _needs(self, *scopes: str) -> None:
        if not self.scopes.intersection(scopes):
            listed = ", ".join(scopes)
            raise No(
                99991672, f"Access denied. One of the following scopes is required: [{listed}]"
            )

    async def _new_token(self, request: web.Request) -> Json:
        body = await request.json()
        if body.get("app_id") != self.tenant.app_id:
            raise No(10003, "invalid param", 200)
        if body.get("app_secret") != self.tenant.secret:
            raise No(10014, "app secret invalid", 200)
        token = f"t-{next(self.tenant.numbers)}"
        self.tokens.add(token)
        return {"tenant_access_token": token, "expire": 7200}

    async def _bot(self, request: web.Request) -> Json:
        if not self.has_bot:
            raise No(11205, "app do not have bot")
        bot = {
            "activate_status": self.activated,
            "app_name": self.tenant.app_name,
            "open_id": self.tenant.bot,
        }
        return {"bot": bot}

    async def _who(self, request: web.Request) -> Json:
        self._needs("tenant:tenant:readonly", "tenant:tenant.product_assign_info:read")
        return {"data": {"tenant": {"name": "Acme", "tenant_key": self.tenant.key}}}

    async def _scopes(self, request: web.Request) -> Json:
        scopes = [{"scope_name": name, "grant_status": 1} for name in sorted(self.scopes)]
        scopes.append({"scope_name": "calendar:calendar", "grant_status": 2})
        return {"data": {"scopes": scopes}}

    async def _app(self, request: web.Request) -> Json:
        self._needs("application:application:self_manage", "admin:app.info:readonly")
        app = {
            "app_id": self.tenant.app_id,
            "event": {"subscription_type": self.way, "subscribed_events": self.events},
            "callback_info": {
                "callback_type": self.way, "subscribed_callbacks": self.callbacks,
            },
        }  # fmt: skip
        return {"data": {"app": app}}

    # messages

    async def _create(self, request: web.Request) -> Json:
        self._needs("im:message:send_as_bot", "im:message", "im:message:send")
        body = await request.json()
        if request.query.get("receive_id_type") != "chat_id":
            raise No(230001, "this server takes receive_id_type chat_id only")
        chat = self.tenant.chats.get(body["receive_id"])
        if chat is None:
            raise No(230034, "invalid receive_id")
        return await self._post(request, body, chat, None, None)

    async def _reply(self, request: web.Request) -> Json:
        self._needs("im:message:send_as_bot", "im:message", "im:message:send")
        body = await request.json()
        target = self._message(request)
        if target.deleted:
            raise No(230011, "The message was withdrawn.")
        thread = target.thread
        if thread is None and body.get("reply_in_thread"):
            thread = self.tenant.threaded(target)
        return await self._post(request, body, self.tenant.chats[target.chat], target, thread)

    async def _post(
        self,
        request: web.Request,
        body: Json,
        chat: Chat,
        target: Message | None,
        thread: str | None,
    ) -> Json:
        self.bodies.append(body)
        fault = self.faults.pop(0) if self.faults else None
        self._befall(fault, body)
        if not chat.with_bot:
            raise No(230002, "The bot can not be outside the group.")
        known = {f"ou_{member.id}" for member in MEMBERS} | {self.tenant.bot}
        if no := rules.refusal(body.get("msg_type", ""), body.get("content", ""), known):
            raise No(*no)
        message = self._repeated(chat, body.get("uuid", "")) or self.tenant.add(
            chat.id, self.tenant.app_id, body["msg_type"], body["content"], thread=thread,
            **self._answering(target),
        )  # fmt: skip
        if uuid := body.get("uuid"):
            self._uuids[chat.id, uuid] = (message.at, message)
        if fault is Fault.LOST:
            assert request.transport is not None
            request.transport.close()
            await self._tell()
            await asyncio.sleep(0)
        return {"data": self.tenant.listed(message, raw_cards=True)}

    @staticmethod
    def _answering(target: Message | None) -> dict[str, str]:
        return {"parent": target.id, "root": target.root or target.id} if target else {}

    def _repeated(self, chat: Chat, uuid: str) -> Message | None:
        """The message this very uuid made within the hour."""
        if len(uuid) > 50:
            raise No(230001, "uuid is longer than 50")
        at, message = self._uuids.get((chat.id, uuid), (None, None))
        if at is None or self.tenant.clock() - at >= timedelta(hours=1):
            return None
        return message

    def _befall(self, fault: Fault | None, body: Json) -> None:
        if fault is Fault.LIMITED:
            headers = {"x-ogw-ratelimit-reset": "1", "x-ogw-ratelimit-limit": "50"}
            raise No(99991400, "request trigger frequency limit", 429, **headers)
        if fault is Fault.BROKEN:
            raise No(1500, "internal error", 500)
        if fault is Fault.EXPIRED:
            self.tokens.clear()
            raise No(99991663, "Invalid access token for authorization.")
        if fault is Fault.GONE:
            raise No(230002, "The bot can not be outside the group.")
        if fault is Fault.UNFORMATTED and body.get("msg_type") != "text":
            if body["msg_type"] == "post":
                raise No(230001, "invalid message content")
            raise No(230099, "Failed to create card content, ext=ErrCode: 200621; ErrMsg: bad;")

    def _message(self, request: web.Request) -> Message:
        message = self.tenant.messages.get(request.match_info["id"])
        if message is None:
            raise No(231003, "The message does not exist.")
        return message

    async def _get(self, request: web.Request) -> Json:
        self._needs("im:message:readonly", "im:message")
        message = self._message(request)
        children = [m for m in self.tenant.messages.values() if m.upper == message.id]
        grand = [m for m in self.tenant.messages.values() if m.upper in {c.id for c in children}]
        items = [self._listed(request, m) for m in (message, *children, *grand)]
        return {"data": {"items": items}}

    async def _list(self, request: web.Request) -> Json:
        self._needs("im:message:readonly", "im:message")
        query = request.query
        container, kind = query["container_id"], query["container_id_type"]
        held = [m for m in self.tenant.messages.values() if m.upper is None]
        if kind == "chat":
            chat = self.tenant.chats.get(container)
            if chat is None or not chat.with_bot:
                raise No(230002, "The bot can not be outside the group.")
            self._needs("im:message.group_msg", *["im:message:readonly"] * chat.direct)
            held = [m for m in held if m.chat == container and not (m.thread and m.root)]
            start, end = int(query.get("start_time", 0)), int(query.get("end_time", 1 << 60))
            held = [m for m in held if start <= int(m.at.timestamp()) <= end]
        else:
            held = [m for m in held if m.thread == container]
            if not held:
                raise No(230019, "The topic does not exist.")
        held.sort(key=lambda m: m.at, reverse=query.get("sort_type") == "ByCreateTimeDesc")
        page, more = _page(held, query)
        return {"data": {"items": [self._listed(request, m) for m in page]} | more}

    def _listed(self, request: web.Request, message: Message) -> Json:
        raw = request.query.get("card_msg_content_type") == "user_card_content"
        return self.tenant.listed(message, raw_cards=raw)

    async def _update(self, request: web.Request) -> Json:
        message, body = self._own(request), await request.json()
        if message.kind not in ("text", "post") or body["msg_type"] not in ("text", "post"):
            raise No(230054, "This operation is not supported for this message type.")
        if message.edits >= EDITS:
            raise No(230072, "The message has reached the number of times it can be edited.")
        if no := rules.refusal(body["msg_type"], body["content"], set()):
            raise No(*no)
        message.kind, message.content = body["msg_type"], body["content"]
        message.edits += 1
        message.updated_at = self.tenant.clock()
        return {"data": self.tenant.listed(message)}

    async def _patch(self, request: web.Request) -> Json:
        message, body = self._own(request), await request.json()
        if message.kind != "interactive":
            raise No(230001, "only cards can be patched")
        if no := rules.refusal("interactive", body["content"], set()):
            raise No(*no)
        message.content = body["content"]
        return {"data": {}}

    async def _delete(self, request: web.Request) -> Json:
        message = self._own(request)
        message.deleted = True
        return {"data": {}}

    def _own(self, request: web.Request) -> Message:
        message = self._message(request)
        if message.sender != self.tenant.app_id:
            raise No(230017, "The bot is not the sender of the message.")
        if message.deleted:
            raise No(230110, "The message has been deleted.")
        return message

    async def _react(self, request: web.Request) -> Json:
        self._needs("im:message.reactions:write_only", "im:message")
        message, body = self._message(request), await request.json()
        if message.deleted:
            raise No(230110, "The message has been deleted.")
        emoji = body["reaction_type"]["emoji_type"]
        if emoji not in {*EMOJI.values(), "Typing", "THINKING", "OnIt"}:
            raise No(231001, "The reaction type is invalid.")
        id = f"reaction-{next(self.tenant.numbers)}"
        message.reactions[id] = (self.tenant.app_id, emoji)
        return {"data": {"reaction_id": id, "reaction_type": {"emoji_type": emoji}}}

    async def _unreact(self, request: web.Request) -> Json:
        message = self._message(request)
        if message.reactions.pop(request.match_info["reaction"], None) is None:
            raise No(231002, "The reaction does not exist.")
        return {"data": {}}

    async def _resource(self, request: web.Request) -> Json:
        self._needs("im:resource", "im:message:readonly", "im:message")
        message = self._message(request)
        wanted = "image" if message.kind in ("image", "post") else "file"
        if request.query.get("type") != wanted:
            raise No(234001, "Invalid request param.")
        content = self.tenant.files.get((message.id, request.match_info["key"]))
        if content is None:
            raise No(234003, "File not in msg.")
        return {"bytes": content}

    # chats and people

    async def _chats(self, request: web.Request) -> Json:
        self._needs("im:chat:readonly", "im:chat", "im:chat:read")
        groups = [c for c in self.tenant.chats.values() if c.with_bot and not c.direct]
        page, more = _page(groups, request.query)
        items = [
            {"chat_id": c.id, "name": c.title, "external": c.external,
             "tenant_key": self.tenant.key, "chat_status": "normal"}
            for c in page
        ]  # fmt: skip
        return {"data": {"items": items} | more}

    def _open_chat(self, request: web.Request) -> Chat:
        chat = self.tenant.chats.get(request.match_info["id"])
        if chat is None:
            raise No(232006, "Your request specifies a chat_id which is invalid.")
        if not chat.with_bot:
            raise No(232011, "Operator can NOT be out of the chat.")
        return chat

    async def _chat(self, request: web.Request) -> Json:
        self._needs("im:chat:readonly", "im:chat", "im:chat:read")
        chat = self._open_chat(request)
        mode = "p2p" if chat.direct else "group"
        return {"data": {
            "name": chat.title, "chat_mode": mode, "external": chat.external,
            "chat_type": "public" if chat.public else "private", "tenant_key": self.tenant.key,
            "user_count": str(len(chat.members)), "chat_status": "normal",
        }}  # fmt: skip

    async def _members(self, request: web.Request) -> Json:
        self._needs("im:chat.members:read", "im:chat:readonly", "im:chat")
        names = {member.id: member.name for member in MEMBERS}
        page, more = _page(self._open_chat(request).members, request.query)
        items = [
            {"member_id_type": "open_id", "member_id": f"ou_{word}", "tenant_key": self.tenant.key,
             "name": names.get(word, word)}
            for word in page
        ]  # fmt: skip
        return {"data": {"items": items, "member_total": len(items)} | more}

    async def _users(self, request: web.Request) -> Json:
        self._needs("contact:contact.base:readonly", "contact:contact:readonly")
        asked = request.query.getall("user_ids")
        if len(asked) > 50:
            raise No(40001, "too many user_ids")
        items = []
        for member in MEMBERS:
            if f"ou_{member.id}" in asked:
                item: Json = ids(f"ou_{member.id}")
                if "contact:user.base:readonly" in self.scopes:
                    item["name"] = member.name
                if "contact:user.email:readonly" in self.scopes:
                    item["email"] = member.email
                items.append(item)
        return {"data": {"items": items}}


def _page(held: list[Any], query: Any) -> tuple[list[Any], Json]:
    size, start = min(int(query.get("page_size", 20)), 100), int(query.get("page_token") or 0)
    more = start + size < len(held)
    return held[start : start + size], {
        "has_more": more, "page_token": str(start + size) if more else "",
    }  # fmt: skip


def reaction_event(
    tenant: Tenant, message: Message, who: str, emoji: str, *, gone: bool = False
) -> Json:
    """The event of a reaction that was put or taken back."""
    kind = f"im.message.reaction.{'deleted' if gone else 'created'}_v1"
    return tenant.event(kind, {
        "message_id": message.id, "operator_type": "user", "user_id": ids(f"ou_{who}"),
        "reaction_type": {"emoji_type": emoji}, "action_time": ms(tenant.clock()),
    })  # fmt: skip
