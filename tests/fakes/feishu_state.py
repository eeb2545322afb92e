"""What a Feishu tenant holds: people, chats, messages; and the events it tells an app."""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.fakes.platform import DIRECT, MEMBERS, PLACES

EMOJI = {
    "👍": "THUMBSUP", "👎": "ThumbsDown", "❤️": "HEART", "🎉": "PARTY", "😄": "SMILE",
    "👌": "OK", "👏": "APPLAUSE", "🙏": "THANKS", "✅": "DONE", "🔥": "FIRE",
}  # fmt: skip


def now() -> datetime:
    return datetime.now(UTC)


def ms(moment: datetime) -> str:
    return str(int(moment.timestamp() * 1000))


@dataclass(slots=True, kw_only=True)
class Message:
    """One message as the tenant stores it."""

    id: str
    chat: str
    sender: str
    """An open_id, or the app's id."""
    kind: str
    content: str
    at: datetime
    updated_at: datetime
    thread: str | None = None
    root: str | None = None
    parent: str | None = None
    upper: str | None = None
    mentions: list[dict[str, Any]] = field(default_factory=list)
    deleted: bool = False
    edits: int = 0
    reactions: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Who and which emoji, by reaction id."""


@dataclass(slots=True, kw_only=True)
class Chat:
    """One chat as the tenant stores it."""

    id: str
    word: str
    """The test's word for it, `direct:mo` for a DM."""
    title: str
    direct: bool
    members: list[str]
    """The tests' words for the people."""
    public: bool = False
    external: bool = False
    with_bot: bool = True


@dataclass(slots=True)
class Tenant:
    """One tenant with one app in it."""

    app_id: str = "cli_limen"
    secret: str = "a-secret"
    bot: str = "ou_limen"
    app_name: str = "Limen"
    key: str = "tk_limen"
    clock: Callable[[], datetime] = now
    messages: dict[str, Message] = field(default_factory=dict)
    chats: dict[str, Chat] = field(default_factory=dict)
    files: dict[tuple[str, str], bytes] = field(default_factory=dict)
    """By message and file key."""
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        for place in PLACES:
            id = f"oc_{place.id}"
            self.chats[id] = Chat(
                id=id, word=place.id, title=place.title, direct=False,
                members=list(place.members), public=place.open,
            )  # fmt: skip
        for member in MEMBERS:
            id = f"oc_direct_{member.id}"
            self.chats[id] = Chat(
                id=id, word=f"{DIRECT}:{member.id}", title="", direct=True, members=[member.id]
            )

    def chat_of(self, who: str, room: str) -> Chat:
        """The chat a test means by its word."""
        word = f"{DIRECT}:{who}" if room == DIRECT else room
        return next(chat for chat in self.chats.values() if chat.word == word)

    def add(
        self, chat: str, sender: str, kind: str, content: dict[str, Any] | str, **more: Any
    ) -> Message:
        """Store a message at the end of its chat."""
        at = self.clock()
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        message = Message(
            id=f"om_{next(self.numbers)}", chat=chat, sender=sender, kind=kind, content=text,
            at=at, updated_at=at, **more,
        )  # fmt: skip
        self.messages[message.id] = message
        return message

    def threaded(self, target: Message) -> str:
        """The topic under a message, made when there is none."""
        if target.thread is None:
            target.thread = f"omt_{target.id.removeprefix('om_')}"
        return target.thread

    def listed(self, message: Message, *, raw_cards: bool = False) -> dict[str, Any]:
        """A message as the REST interface shows it."""
        by_app = message.sender == self.app_id
        content = message.content
        if message.deleted:
            content = "This message was recalled"
        elif message.kind == "interactive" and not raw_cards:
            upgrade = {"tag": "text", "text": "请升级至最新版本客户端，以查看内容"}
            content = json.dumps({"title": "", "elements": [[upgrade]]}, ensure_ascii=False)
        elif message.kind == "post" and by_app:
            content = _received(content)
        item = {
            "message_id": message.id, "msg_type": message.kind, "chat_id": message.chat,
            "create_time": ms(message.at), "update_time": ms(message.updated_at),
            "deleted": message.deleted, "updated": message.edits > 0,
            "sender": {
                "id": message.sender, "id_type": "app_id" if by_app else "open_id",
                "sender_type": "app" if by_app else "user", "tenant_key": self.key,
            },
            "body": {"content": content},
            "mentions": [
                {"key": m["key"], "id": m["id"]["open_id"], "id_type": "open_id",
                 "name": m["name"], "tenant_key": self.key}
                for m in message.mentions
            ],
        }  # fmt: skip
        extra = {
            "thread_id": message.thread, "root_id": message.root, "parent_id": message.parent,
            "upper_message_id": message.upper,
        }  # fmt: skip
        return item | {key: value for key, value in extra.items() if value}

    def event(self, kind: str, body: dict[str, Any]) -> dict[str, Any]:
        """An event in its envelope."""
        return {
            "schema": "2.0",
            "header": {
                "event_id": f"ev_{next(self.numbers)}", "event_type": kind, "token": "",
                "create_time": ms(self.clock()), "app_id": self.app_id, "tenant_key": self.key,
            },
            "event": body,
        }  # fmt: skip

    def told(self, message: Message, kind: str = "im.message.receive_v1") -> dict[str, Any]:
        """The event that tells of a message, as it stands now."""
        body: dict[str, Any] = {
            "message_id": message.id, "create_time": ms(message.at),
            "update_time": ms(message.updated_at), "chat_id": message.chat,
            "chat_type": "p2p" if self.chats[message.chat].direct else "group",
            "message_type": message.kind, "content": message.content,
        }  # fmt: skip
        extra = {
            "thread_id": message.thread, "root_id": message.root, "parent_id": message.parent,
            "mentions": message.mentions,
        }  # fmt: skip
        body |= {key: value for key, value in extra.items() if value}
        sender = {
            "sender_id": ids(message.sender), "sender_type": "user", "tenant_key": self.key,
        }  # fmt: skip
        return self.event(kind, {"sender": sender, "message": body})

    def mention(self) -> dict[str, Any]:
        """The bot, mentioned first."""
        return {
            "key": "@_user_1", "id": ids(self.bot) | {"user_id": ""}, "name": self.app_name,
            "tenant_key": self.key,
        }  # fmt: skip


def ids(open_id: str) -> dict[str, str]:
    """The three ids of one person or bot."""
    word = open_id.removeprefix("ou_")
    return {"open_id": open_id, "union_id": f"on_{word}", "user_id": f"u_{word}"}


def _received(content: str) -> str:
    """A post in the shape in which it is read: without its locale."""
    sent = json.loads(content)
    return json.dumps(next(iter(sent.values())), ensure_ascii=False)
