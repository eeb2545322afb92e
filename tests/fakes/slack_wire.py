"""Slack's Web API as the bot calls it, answered from a workspace."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from tests.fakes.slack_rules import Invalid, check
from tests.fakes.slack_state import APP, BOT_ID, SCOPES, Channel, Message, Workspace

Json = dict[str, Any]

NEEDS = {
    "chat.postMessage": "chat:write",
    "chat.postEphemeral": "chat:write",
    "chat.update": "chat:write",
    "chat.delete": "chat:write",
    "conversations.open": "im:write",
    "users.info": "users:read",
    "users.list": "users:read",
    "bots.info": "users:read",
    "reactions.add": "reactions:write",
    "reactions.remove": "reactions:write",
}
"""The scope each method needs; those of conversations go by the kind of channel."""
_AREA = {"channel": "channels", "private": "groups", "im": "im", "mpim": "mpim"}


class WebApi:
    """Every method the bot may call: parameters in, an answer or Invalid out."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.scopes = set(SCOPES)
        self.happened: list[tuple[str, Channel, Message, Message | None]] = []
        """What the last call did: posted, changed, deleted or reacted; read by the server."""
        self._methods: dict[str, Callable[[Json], Json]] = {
            "auth.test": self._auth,
            "bots.info": self._bot,
            "chat.postMessage": self._post,
            "chat.postEphemeral": self._whisper,
            "chat.update": self._update,
            "chat.delete": self._delete,
            "chat.getPermalink": self._permalink,
            "conversations.info": lambda p: {"channel": self._described(p)},
            "conversations.members": self._members,
            "conversations.history": self._history,
            "conversations.replies": self._replies,
            "conversations.list": self._channels,
            "users.conversations": self._channels,
            "conversations.open": self._open,
            "users.info": self._user,
            "users.list": self._users,
            "reactions.add": self._react,
            "reactions.remove": self._unreact,
        }

    def call(self, method: str, params: Json) -> Json:
        """Do it; raises Invalid for what Slack answers with `ok: false`."""
        self.happened.clear()
        if method not in self._methods:
            raise Invalid("unknown_method")
        if (needed := NEEDS.get(method)) and needed not in self.scopes:
            raise Invalid("missing_scope", needed)
        return {"ok": True} | self._methods[method](params)

    def _scope(self, channel: Channel, what: str) -> None:
        scope = f"{_AREA[channel.kind]}:{what}"
        if scope not in self.scopes:
            raise Invalid("missing_scope", scope)

    def _channel(self, params: Json) -> Channel:
        channel = self.workspace.channels.get(params.get("channel", ""))
        hidden = channel and channel.kind != "channel"
        if channel is None or (hidden and self.workspace.bot not in channel.members):
            raise Invalid("channel_not_found")
        return channel

    def _own(self, params: Json, missing: str) -> tuple[Channel, Message]:
        channel = self._channel(params)
        message = channel.messages.get(params.get("ts", ""))
        if message is None:
            raise Invalid(missing)
        if message.user != self.workspace.bot:
            raise Invalid("cant_update_message")
        return channel, message

    def _auth(self, params: Json) -> Json:
        work = self.workspace
        return {
            "url": "https://limen-test.slack.com/",
            "team": "Acme",
            "team_id": work.team,
            "user": "limen",
            "user_id": work.bot,
            "bot_id": BOT_ID,
        }

    def _bot(self, params: Json) -> Json:
        return {"bot": {"id": BOT_ID, "name": "Limen", "app_id": APP}}

    def _post(self, params: Json) -> Json:
        channel = self._channel(params)
        if self.workspace.bot not in channel.members:
            raise Invalid("not_in_channel")
        if channel.archived:
            raise Invalid("is_archived")
        blocks = check(params.get("text", ""), params.get("blocks"))
        thread = params.get("thread_ts")
        message = self.workspace.post(
            channel,
            self.workspace.bot,
            params.get("text", ""),
            blocks=blocks,
            # A parent that was deleted is not missed: the words go into the channel.
            thread_ts=thread if thread in channel.messages else None,
            metadata=params.get("metadata"),
        )
        self.happened.append(("posted", channel, message, None))
        shown = self.workspace.shown(channel, message)
        return {"channel": channel.id, "ts": message.ts, "message": shown}

    def _whisper(self, params: Json) -> Json:
        self._channel(params)
        check(params.get("text", ""), params.get("blocks"))
        return {"message_ts": self.workspace.next_ts()}

    def _update(self, params: Json) -> Json:
        channel, message = self._own(params, "message_not_found")
        before = Message(message.ts, message.user, message.text, list(message.blocks))
        blocks = check(params.get("text", ""), params.get("blocks"), update=True)
        message.text, message.blocks = params.get("text", ""), blocks
        message.edited = self.workspace.next_ts()
        self.happened.append(("changed", channel, message, before))
        return {"channel": channel.id, "ts": message.ts, "text": message.text}

    def _delete(self, params: Json) -> Json:
        channel, message = self._own(params, "message_not_found")
        del channel.messages[message.ts]
        self.happened.append(("deleted", channel, message, None))
        return {"channel": channel.id, "ts": message.ts}

    def _permalink(self, params: Json) -> Json:
        channel = self._channel(params)
        ts = params.get("message_ts", "").replace(".", "")
        return {"permalink": f"https://limen-test.slack.com/archives/{channel.id}/p{ts}"}

    def _described(self, params: Json) -> Json:
        channel = self._channel(params)
        self._scope(channel, "read")
        return self.workspace.described(channel)

    def _members(self, params: Json) -> Json:
        channel = self._channel(params)
        self._scope(channel, "read")
        return _page("members", channel.members, params)

    def _history(self, params: Json) -> Json:
        channel = self._channel(params)
        self._scope(channel, "history")
        found = [m for m in channel.messages.values() if m.thread_ts in (None, m.ts)]
        return self._listed(channel, found[::-1], params)

    def _replies(self, params: Json) -> Json:
        channel = self._channel(params)
        self._scope(channel, "history")
        root = params.get("ts")
        if root not in channel.messages:
            raise Invalid("thread_not_found")
        found = [m for m in channel.messages.values() if root in (m.ts, m.thread_ts)]
        return self._listed(channel, found, params)

    def _listed(self, channel: Channel, found: list[Message], params: Json) -> Json:
        oldest = params.get("oldest", "0")
        metadata = str(params.get("include_all_metadata", "")).lower() in ("1", "true")
        shown = [
            self.workspace.shown(channel, m, metadata=metadata)
            for m in found
            if float(m.ts) >= float(oldest) or m.ts == params.get("ts")
        ]
        page = _page("messages", shown, params)
        return page | {"has_more": bool(page["response_metadata"]["next_cursor"])}

    def _channels(self, params: Json) -> Json:
        kinds = {"public_channel": "channel", "private_channel": "private"}
        wanted = params.get("types", "public_channel").split(",")
        chosen = {kinds.get(kind, kind) for kind in wanted}
        found = [
            self.workspace.described(channel)
            for channel in self.workspace.channels.values()
            if channel.kind in chosen and self.workspace.bot in channel.members
        ]
        return _page("channels", found, params)

    def _open(self, params: Json) -> Json:
        for channel in self.workspace.channels.values():
            if channel.kind == "im" and params.get("users") in channel.members:
                return {"channel": {"id": channel.id}}
        raise Invalid("user_not_found")

    def _user(self, params: Json) -> Json:
        user = self.workspace.users.get(params.get("user", ""))
        if user is None:
            raise Invalid("user_not_found")
        return {"user": self._seen(user)}

    def _users(self, params: Json) -> Json:
        return _page("members", [self._seen(u) for u in self.workspace.users.values()], params)

    def _seen(self, user: Json) -> Json:
        profile = dict(user["profile"])
        if "users:read.email" not in self.scopes:
            profile.pop("email", None)
        return user | {"profile": profile}

    def _reacted(self, params: Json) -> tuple[Channel, Message, list[str]]:
        channel = self._channel(params)
        message = channel.messages.get(params.get("timestamp", ""))
        if message is None:
            raise Invalid("message_not_found")
        return channel, message, message.reactions.get(params["name"], [])

    def _react(self, params: Json) -> Json:
        _, message, users = self._reacted(params)
        if self.workspace.bot in users:
            raise Invalid("already_reacted")
        message.reactions[params["name"]] = [*users, self.workspace.bot]
        return {}

    def _unreact(self, params: Json) -> Json:
        _, message, users = self._reacted(params)
        if self.workspace.bot not in users:
            raise Invalid("no_reaction")
        users.remove(self.workspace.bot)
        message.reactions = {name: who for name, who in message.reactions.items() if who}
        return {}


def _page(name: str, items: list[Any], params: Json) -> Json:
    start = int(params.get("cursor") or 0)
    end = start + int(params.get("limit") or 100)
    cursor = str(end) if end < len(items) else ""
    return {name: items[start:end], "response_metadata": {"next_cursor": cursor}}


def parameters(query: Any, body: str, content_type: str) -> Json:
    """What a call was given, by query, form or JSON."""
    params: Json = dict(query)
    if content_type == "application/json":
        params |= json.loads(body or "{}")
    elif body:
        params |= dict(parse_qsl(body))
    for key in ("blocks", "metadata"):
        if isinstance(params.get(key), str):
            params[key] = json.loads(params[key])
    return params
