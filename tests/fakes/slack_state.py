"""What a Slack workspace holds: people, channels, messages, files."""

import itertools
import time
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.platform import DIRECT, MEMBERS, PLACES

APP = "A0LIMEN"
BOT_ID = "B0LIMEN"
SCOPES = frozenset(
    "app_mentions:read channels:history channels:read chat:write commands files:read "
    "groups:history groups:read im:history im:read im:write mpim:history mpim:read "
    "reactions:read reactions:write users:read users:read.email".split()
)

Json = dict[str, Any]


@dataclass(slots=True)
class Message:
    """One message as it stands now."""

    ts: str
    user: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    metadata: Json | None = None
    files: list[Json] = field(default_factory=list)
    edited: str | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Channel:
    """A conversation of any kind."""

    id: str
    name: str
    kind: str
    """channel, private, im or mpim."""
    members: list[str]
    archived: bool = False
    shared: bool = False
    messages: dict[str, Message] = field(default_factory=dict)

    @property
    def type(self) -> str:
        """The word events use."""
        return {"channel": "channel", "private": "group", "im": "im", "mpim": "mpim"}[self.kind]


def user_of(who: str) -> str:
    """The Slack id of one of the test's people."""
    return f"U0{who.upper()}"


def escaped(text: str) -> str:
    """Text as Slack stores it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Workspace:
    """Everything there is; knows nothing of connections."""

    def __init__(self, team: str, bot: str) -> None:
        self.team = team
        self.bot = bot
        self.users: dict[str, Json] = {
            user_of(m.id): _user(user_of(m.id), team, m.name, m.email) for m in MEMBERS
        }
        self.users[bot] = _user(bot, team, "Limen", "", is_bot=True)
        self.channels: dict[str, Channel] = {}
        self.files: dict[str, tuple[str, bytes]] = {}
        for place in PLACES:
            id = f"C0{place.id.upper()}"
            people = [*map(user_of, place.members), bot]
            kind = "channel" if place.open else "private"
            self.channels[id] = Channel(id, place.title, kind, people)
        for member in MEMBERS:
            id = f"D0{member.id.upper()}"
            self.channels[id] = Channel(id, "", "im", [user_of(member.id), bot])
        self._counter = itertools.count(100)
        self._last_s = 0

    def channel_of(self, room: str, who: str) -> Channel:
        """The channel by the test's word for a room."""
        if room == DIRECT:
            room = f"direct:{who}"
        if room.startswith("direct:"):
            return self.channels[f"D0{room.removeprefix('direct:').upper()}"]
        return self.channels[f"C0{room.upper()}"]

    def word_of(self, channel: Channel) -> str:
        """The test's word for a channel."""
        if channel.kind == "im":
            return f"direct:{channel.id.removeprefix('D0').lower()}"
        return channel.id.removeprefix("C0").lower()

    def next_ts(self) -> str:
        """A time stamp nobody else has, in the order of calls."""
        now = max(int(time.time()), self._last_s)
        self._last_s = now
        return f"{now}.{next(self._counter) % 1_000_000:06d}"

    def post(self, channel: Channel, user: str, text: str, **more: Any) -> Message:
        """A message that stands there from now on."""
        message = Message(self.next_ts(), user, text, **more)
        channel.messages[message.ts] = message
        return message

    def shown(self, channel: Channel, message: Message, *, metadata: bool = False) -> Json:
        """A message as events and history show it."""
        shown: Json = {
            "type": "message",
            "user": message.user,
            "text": message.text,
            "ts": message.ts,
            "team": self.team,
        }
        if message.user == self.bot:
            shown |= {"bot_id": BOT_ID, "app_id": APP, "bot_profile": {"name": "Limen"}}
        if message.blocks:
            shown["blocks"] = message.blocks
        if message.thread_ts:
            root = channel.messages.get(message.thread_ts)
            shown["thread_ts"] = message.thread_ts
            shown["parent_user_id"] = root.user if root else ""
        if message.files:
            shown["files"] = message.files
        if message.edited:
            shown["edited"] = {"user": message.user, "ts": message.edited}
        if metadata and message.metadata:
            shown["metadata"] = message.metadata
        if message.reactions:
            shown["reactions"] = [
                {"name": name, "users": users, "count": len(users)}
                for name, users in message.reactions.items()
            ]
        return shown

    def described(self, channel: Channel) -> Json:
        """A channel as conversations.info shows it."""
        told: Json = {
            "id": channel.id,
            "is_channel": channel.kind in ("channel", "private"),
            "is_private": channel.kind != "channel",
            "is_im": channel.kind == "im",
            "is_mpim": channel.kind == "mpim",
            "is_archived": channel.archived,
            "is_ext_shared": channel.shared,
            "is_member": self.bot in channel.members,
        }
        if channel.kind == "im":
            others = [member for member in channel.members if member != self.bot]
            return told | {"user": others[0]}
        return told | {"name": channel.name}


def _user(id: str, team: str, name: str, email: str, *, is_bot: bool = False) -> Json:
    return {
        "id": id,
        "team_id": team,
        "name": name.lower(),
        "deleted": False,
        "is_bot": is_bot,
        "is_restricted": False,
        "is_ultra_restricted": False,
        "profile": {"real_name": name, "display_name": name} | ({"email": email} if email else {}),
    }
