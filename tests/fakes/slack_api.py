"""A loopback Slack: Web API, Socket Mode and file downloads, with its people and its faults."""

import asyncio
import itertools
import json
from collections import deque
from email.utils import formatdate
from time import time
from typing import Any, Self

from aiohttp import web

from tests.fakes.platform import Fault, Platform, Posted
from tests.fakes.slack_rules import Invalid
from tests.fakes.slack_shown import mentioned, shown
from tests.fakes.slack_sockets import Delivery, Sockets
from tests.fakes.slack_state import APP, Channel, Message, Workspace, escaped, user_of
from tests.fakes.slack_wire import WebApi, parameters

Json = dict[str, Any]

BOT_TOKEN = "xoxb-1-limen-test"
APP_TOKEN = f"xapp-1-{APP}-1-test"
LOGIN_PAGE = "<!DOCTYPE html><html><head><title>Slack</title></head><body>Sign in</body></html>"
EMOJI = {"👍": "+1", "👎": "-1", "👀": "eyes", "🎉": "tada", "❤️": "heart", "✅": "white_check_mark"}


class SlackApi(Platform):
    """Slack on loopback, as strict as the real one about tokens, scopes and messages."""

    name = "slack"

    def __init__(self, *, team: str = "T0ACME", bot: str = "U0LIMEN") -> None:
        super().__init__()
        self.workspace = Workspace(team, bot)
        self.web = WebApi(self.workspace)
        self.sockets = Sockets(APP, self.tell)
        self.token_error = ""
        """What every call of the bot's token is answered."""
        self.app_token_error = ""
        """What apps.connections.open is answered."""
        self.skew_s = 0.0
        """How far its clock is ahead."""
        self.failing: dict[str, deque[Invalid | int]] = {}
        """Errors the next calls of a method are answered: a refusal, or seconds of a 429."""
        self.strange: dict[str, tuple[str, str]] = {}
        """Bodies and content types that methods answer with once they have done their work."""
        self.moved: dict[str, str] = {}
        """Where the content of files lies instead, by their id."""
        self._calls: list[str] = []
        self._faults: deque[Fault] = deque()
        self._events = itertools.count(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._port = 0

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=2**24)
        app.router.add_get("/link", self.sockets.serve)
        app.router.add_get("/files/{id}", self._download)
        app.router.add_route("*", "/api/{method}", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *error: object) -> None:
        await asyncio.gather(*self._tasks)
        await self.sockets.close()
        await self._runner.cleanup()

    @property
    def base_url(self) -> str:
        """Where its Web API is."""
        return f"http://127.0.0.1:{self._port}/api/"

    @property
    def env(self) -> dict[str, str]:
        return {
            "LIMEN_SLACK__BOT_TOKEN": BOT_TOKEN,
            "LIMEN_SLACK__APP_TOKEN": APP_TOKEN,
            "LIMEN_SLACK__BASE_URL": self.base_url,
        }

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
        channel = self.workspace.channel_of(room, who)
        words = f"<@{self.workspace.bot}> " * mention + escaped(text)
        message = self.workspace.post(
            channel, user_of(who), words.strip(), thread_ts=thread, blocks=[]
        )
        await self._posted(channel, message)
        return message.ts

    async def edit(self, who: str, room: str, message: str, text: str) -> None:
        channel = self.workspace.channel_of(room, who)
        found = channel.messages[message]
        before = self.workspace.shown(channel, found)
        found.text, found.edited = escaped(text), self.workspace.next_ts()
        await self._changed(channel, found, before)

    async def recall(self, who: str, room: str, message: str) -> None:
        channel = self.workspace.channel_of(room, who)
        await self._deleted(channel, channel.messages.pop(message))

    async def react(self, who: str, room: str, message: str, emoji: str) -> None:
        channel = self.workspace.channel_of(room, who)
        found = channel.messages[message]
        name = EMOJI.get(emoji, emoji.strip(":"))
        found.reactions.setdefault(name, []).append(user_of(who))
        event = {
            "type": "reaction_added",
            "user": user_of(who),
            "reaction": name,
            "item": {"type": "message", "channel": channel.id, "ts": message},
            "item_user": found.user,
            "event_ts": self.workspace.next_ts(),
        }
        await self._event(event, message)

    async def press(self, who: str, room: str, message: str, label: str) -> None:
        channel = self.workspace.channel_of(room, who)
        found = channel.messages[message]
        for block in found.blocks:
            for element in block.get("elements", []) if block["type"] == "actions" else []:
                if element["text"]["text"] == label:
                    await self._pressed(channel, found, user_of(who), element)
                    return
        raise AssertionError(f"no button {label!r} under {found.text!r}")

    async def send_file(
        self, who: str, room: str, name: str, mime: str, content: bytes, text: str = ""
    ) -> str:
        channel = self.workspace.channel_of(room, who)
        id = f"F0{len(self.workspace.files) + 1:04d}"
        self.workspace.files[id] = (mime, content)
        url = f"http://127.0.0.1:{self._port}/files/{id}"
        file = {
            "id": id,
            "name": name,
            "mimetype": mime,
            "size": len(content),
            "mode": "hosted",
            "url_private": url,
            "url_private_download": url,
        }
        words = escaped(text)
        message = self.workspace.post(channel, user_of(who), words, files=[file])
        await self._posted(channel, message, subtype="file_share")
        return message.ts

    async def join(self, who: str, room: str) -> None:
        channel = self.workspace.channel_of(room, who)
        channel.members.append(user_of(who))
        await self._membership("member_joined_channel", channel, who)

    async def leave(self, who: str, room: str) -> None:
        channel = self.workspace.channel_of(room, who)
        channel.members.remove(user_of(who))
        await self._membership("member_left_channel", channel, who)

    async def command(self, who: str, room: str, text: str) -> Delivery:
        """Give the slash command of the app."""
        channel = self.workspace.channel_of(room, who)
        payload = {
            "command": "/limen",
            "text": text,
            "team_id": self.workspace.team,
            "channel_id": channel.id,
            "channel_name": "directmessage" if channel.kind == "im" else channel.name,
            "user_id": user_of(who),
            "user_name": who,
            "trigger_id": f"{next(self._events)}.77.abc",
        }
        return await self.sockets.deliver("slash_commands", payload, None)

    # what stands there

    def posts(self, room: str | None = None) -> list[Posted]:
        bot = self.workspace.bot
        return [
            self._read(channel, message)
            for channel in self.workspace.channels.values()
            if room is None or self.workspace.word_of(channel) == room
            for message in channel.messages.values()
            if message.user == bot
        ]

    def acknowledged(self, message: str) -> bool:
        about = self.sockets.about.get(message, ())
        return bool(about) and all(delivery.acked for delivery in about)

    def calls(self, method: str = "") -> list[str]:
        return [call for call in self._calls if method in call]

    @property
    def connections(self) -> int:
        return len(self.sockets.links)

    # faults

    def befall(self, fault: Fault, *, times: int = 1) -> None:
        self._faults.extend([fault] * times)

    def fail(self, method: str, error: str | int, detail: str = "", *, times: int = 1) -> None:
        """The next calls of a method are answered an error, or 429 with so many seconds."""
        told = error if isinstance(error, int) else Invalid(error, detail)
        self.failing.setdefault(method, deque()).extend([told] * times)

    async def redeliver(self, message: str) -> None:
        for delivery in [d for d in self.sockets.deliveries if d.message == message]:
            await self.sockets.again(delivery)

    async def inject(self, raw: Json) -> None:
        """Deliver a whole envelope as it stands."""
        await self.sockets.pass_on(raw)

    async def hang_up(self) -> None:
        await self.sockets.close()

    async def go_silent(self) -> None:
        for link in self.sockets.links:
            link.silent = True

    async def send_garbage(self) -> None:
        await self._event({"type": "message", "channel": ["C0PROJECT"], "ts": {"a": 1}}, None)

    def revoke(self) -> None:
        self.token_error = "token_revoked"
        self.app_token_error = "invalid_auth"
        task = asyncio.ensure_future(self.sockets.close())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # the wire

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        self._calls.append(method)
        await self.tell()
        params = parameters(request.query, await request.text(), request.content_type)
        headers = {
            "x-oauth-scopes": ",".join(sorted(self.web.scopes)),
            "Date": formatdate(time() + self.skew_s, usegmt=True),
        }
        try:
            answer = self._called(request, method, params)
        except Invalid as error:
            refused: Json = {"ok": False, "error": error.error}
            if error.error == "missing_scope":
                refused["needed"] = error.detail
            elif error.detail:
                refused["response_metadata"] = {"messages": [error.detail]}
            return web.json_response(refused, headers=headers)
        if isinstance(answer, web.Response):
            return answer
        await self._tell_of_call()
        if answer.pop("lost", False):
            assert request.transport is not None
            request.transport.abort()
        if method in self.strange:
            body, content_type = self.strange[method]
            return web.Response(text=body, content_type=content_type)
        return web.json_response(answer, headers=headers)

    def _called(self, request: web.Request, method: str, params: Json) -> Json | web.Response:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if method == "apps.connections.open":
            if self.app_token_error or token != APP_TOKEN:
                raise Invalid(self.app_token_error or "invalid_auth")
            return {"ok": True, "url": f"ws://127.0.0.1:{self._port}/link"}
        if self.token_error or token != BOT_TOKEN:
            raise Invalid(self.token_error or ("invalid_auth" if token else "not_authed"))
        if waiting := self.failing.get(method):
            told = waiting.popleft()
            if isinstance(told, int):
                return _limited(told)
            raise told
        fault = self._faults.popleft() if method == "chat.postMessage" and self._faults else None
        if fault is Fault.LIMITED:
            return _limited(1)
        if fault in (Fault.BROKEN, Fault.EXPIRED):
            return web.json_response({"ok": False, "error": "service_unavailable"}, status=503)
        if fault is Fault.UNFORMATTED and params.get("blocks"):
            raise Invalid("invalid_blocks", "[ERROR] unsupported type [json-pointer:/blocks/0]")
        if fault is Fault.GONE:
            raise Invalid("is_archived")
        return self.web.call(method, params) | ({"lost": True} if fault is Fault.LOST else {})

    async def _tell_of_call(self) -> None:
        for what, channel, message, before in list(self.web.happened):
            if what == "posted":
                await self._posted(channel, message)
            elif what == "changed" and before is not None:
                await self._changed(channel, message, self.workspace.shown(channel, before))
            elif what == "deleted":
                await self._deleted(channel, message)
        await self.tell()

    async def _download(self, request: web.Request) -> web.Response:
        authorized = request.headers.get("Authorization") == f"Bearer {BOT_TOKEN}"
        if self.token_error or not authorized or "files:read" not in self.web.scopes:
            return web.Response(text=LOGIN_PAGE, content_type="text/html")
        if place := self.moved.get(request.match_info["id"]):
            raise web.HTTPFound(place)
        if request.match_info["id"] not in self.workspace.files:
            return web.Response(status=404)
        mime, content = self.workspace.files[request.match_info["id"]]
        return web.Response(body=content, content_type=mime)

    # events

    async def _posted(self, channel: Channel, message: Message, *, subtype: str = "") -> None:
        event = self.workspace.shown(channel, message) | {
            "channel": channel.id,
            "channel_type": channel.type,
            "event_ts": message.ts,
        }
        if subtype:
            event["subtype"] = subtype
        await self._event(event, message.ts)
        called = f"<@{self.workspace.bot}>" in message.text
        if called and channel.kind != "im" and message.user != self.workspace.bot:
            twice = {key: value for key, value in event.items() if key != "channel_type"}
            await self._event(twice | {"type": "app_mention"}, message.ts)

    async def _changed(self, channel: Channel, message: Message, before: Json) -> None:
        event = {
            "type": "message",
            "subtype": "message_changed",
            "hidden": True,
            "channel": channel.id,
            "channel_type": channel.type,
            "message": self.workspace.shown(channel, message),
            "previous_message": before,
            "ts": self.workspace.next_ts(),
        }
        await self._event(event | {"event_ts": event["ts"]}, message.ts)

    async def _deleted(self, channel: Channel, message: Message) -> None:
        event = {
            "type": "message",
            "subtype": "message_deleted",
            "hidden": True,
            "channel": channel.id,
            "channel_type": channel.type,
            "deleted_ts": message.ts,
            "previous_message": self.workspace.shown(channel, message),
            "ts": self.workspace.next_ts(),
        }
        await self._event(event | {"event_ts": event["ts"]}, message.ts)

    async def _membership(self, kind: str, channel: Channel, who: str) -> None:
        event = {
            "type": kind,
            "user": user_of(who),
            "channel": channel.id,
            "channel_type": "C" if channel.kind == "channel" else "G",
            "team": self.workspace.team,
            "event_ts": self.workspace.next_ts(),
        }
        await self._event(event, None)

    async def _pressed(self, channel: Channel, message: Message, user: str, button: Json) -> None:
        action = button | {"action_ts": self.workspace.next_ts(), "block_id": "b"}
        payload = {
            "type": "block_actions",
            "team": {"id": self.workspace.team, "domain": "acme"},
            "user": {"id": user, "username": user.lower(), "team_id": self.workspace.team},
            "api_app_id": APP,
            "container": {
                "type": "message",
                "message_ts": message.ts,
                "channel_id": channel.id,
                "is_ephemeral": False,
            },
            "channel": {"id": channel.id, "name": channel.name or "directmessage"},
            "message": self.workspace.shown(channel, message),
            "actions": [action],
            "trigger_id": f"{next(self._events)}.77.abc",
        }
        await self.sockets.deliver("interactive", json.loads(json.dumps(payload)), message.ts)

    async def _event(self, event: Json, message: str | None) -> None:
        number = next(self._events)
        payload = {
            "token": "unused",
            "team_id": self.workspace.team,
            "api_app_id": APP,
            "type": "event_callback",
            "event_id": f"Ev{number:08d}",
            "event_time": int(time()),
            "is_ext_shared_channel": False,
            "authorizations": [{"team_id": self.workspace.team, "user_id": self.workspace.bot}],
            "event": event,
        }
        # A copy: what stands there may change before it is delivered.
        await self.sockets.deliver("events_api", json.loads(json.dumps(payload)), message)

    def _read(self, channel: Channel, message: Message) -> Posted:
        buttons = [
            element["text"]["text"]
            for block in message.blocks
            if block["type"] == "actions"
            for element in block["elements"]
        ]
        users = self.workspace.users
        return Posted(
            id=message.ts,
            room=self.workspace.word_of(channel),
            text=shown(message.text, message.blocks, lambda id: _name(users, id)),
            thread=message.thread_ts,
            buttons=tuple(buttons),
            mentions=tuple(
                id.removeprefix("U0").lower()
                for id in mentioned(message.text, message.blocks)
                if id in users
            ),
        )


def _name(users: dict[str, Json], id: str) -> str:
    return str(users[id]["profile"]["display_name"]) if id in users else id


def _limited(seconds: int) -> web.Response:
    return web.json_response(
        {"ok": False, "error": "ratelimited"}, status=429, headers={"Retry-After": str(seconds)}
    )
