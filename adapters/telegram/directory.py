"""What was learned of rooms, people and messages from the updates; in memory only."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from adapters.chat import Author, EventKind, Incoming, Room, RoomKind
from adapters.telegram.people import Me, chat_name, person

Json = dict[str, Any]

REMEMBERED = 4096  # messages whose topic and text are kept
NAMES = 20_000  # user names of which the name is known
FRESH = timedelta(minutes=10)
"""How long what Telegram told of a room counts."""


@dataclass
class _Chat:
    members: dict[str, Author] = field(default_factory=dict)
    gone: dict[str, Author] = field(default_factory=dict)
    """Who was seen to leave, and not again since."""
    title: str = ""
    is_forum: bool = False
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Said:
    thread: str | None
    text: str | None


class Directory:
    """Rooms as their members were seen: Telegram lists them to no bot."""

    def __init__(self) -> None:
        self.me: Me | None = None
        self._chats: dict[int, _Chat] = {}
        self._names: dict[str, str] = {}
        self._said: OrderedDict[tuple[int, int], _Said] = OrderedDict()
        self._moved: dict[int, int] = {}

    def learn(self, update: Json) -> None:
        """Note whom an update shows and where; harmless for the same update again."""
        told = next((v for key, v in update.items() if key != "update_id"), None)
        if not isinstance(told, dict):
            return
        chat = told.get("chat") or (told.get("message") or {}).get("chat")
        if not isinstance(chat, dict):
            return
        room = self._chat(int(chat["id"]))
        room.title = chat_name(chat) or room.title
        room.is_forum = bool(chat.get("is_forum", False))
        self._meet(room, self._present(told))
        gone = [told.get("left_chat_member"), _who_left(told)]
        for user in filter(None, gone):
            who = person(user)
            room.members.pop(who.id, None)
            room.gone[who.id] = who
        if "migrate_to_chat_id" in told:
            self.move(int(chat["id"]), int(told["migrate_to_chat_id"]))
        if "migrate_from_chat_id" in told:
            self.move(int(told["migrate_from_chat_id"]), int(chat["id"]))

    def told(self, incoming: Incoming) -> None:
        """Remember a message that was stored, for what refers to it later."""
        if incoming.kind in (EventKind.NEW, EventKind.EDIT) and incoming.address.message:
            chat, message = int(incoming.address.chat), int(incoming.address.message)
            self.remember(chat, message, incoming.address.thread, incoming.text)

    def remember(self, chat: int, message: int, thread: str | None, text: str | None) -> None:
        """Keep the topic and the text of a message for a while."""
        self._said[chat, message] = _Said(thread, text)
        self._said.move_to_end((chat, message))
        while len(self._said) > REMEMBERED:
            self._said.popitem(last=False)

    def room(self, chat: Json) -> Room:
        """A room as an update shows it, with everybody seen in it."""
        id = int(chat["id"])
        if chat["type"] == "private":
            other = person({**chat, "is_bot": False})
            return self._room(other.name, RoomKind.DIRECT, (other,))
        seen = self._chat(id)
        return self._group(chat_name(chat) or seen.title, seen)

    def group(self, chat: int) -> Room:
        """A group as it is remembered, where no update is at hand."""
        seen = self._chat(chat)
        return self._group(seen.title, seen)

    def name_of(self, username: str) -> str:
        """The name of whoever was seen with a user name."""
        return self._names.get(username.lower(), "")

    def thread_of(self, chat: int, message: int) -> str | None:
        """The topic of a message said lately."""
        said = self._said.get((chat, message))
        return said.thread if said else None

    def has_text(self, chat: int, message: int, text: str) -> bool:
        """Whether a message said just that when it was stored."""
        said = self._said.get((chat, message))
        return said is not None and said.text == text

    def is_plain(self, chat: int) -> bool:
        """Whether a room is known to have no topics."""
        return chat in self._chats and not self._chats[chat].is_forum

    def move(self, old: int, new: int) -> None:
        """A group goes on under another number."""
        if old == new or old in self._moved:
            return
        self._moved[old] = new
        before, after = self._chats.pop(old, _Chat()), self._chat(new)
        after.members = before.members | after.members
        after.gone = before.gone | after.gone
        after.title = after.title or before.title

    def current(self, chat: int) -> int:
        """The number a chat goes by now."""
        return self._moved.get(chat, chat)

    def take_due(self, chat: int, now: datetime) -> bool:
        """Whether a group should be asked about now; it counts as asked from then on."""
        room = self._chat(chat)
        if chat > 0 or (room.asked_at is not None and now - room.asked_at < FRESH):
            return False
        room.asked_at = now
        return True

    def meet(self, chat: int, users: Iterable[Json]) -> bool:
        """Note people of a room; True when one of them was not known there."""
        room = self._chat(chat)
        before = dict(room.members)
        self._meet(room, users)
        return room.members != before

    def _group(self, title: str, seen: _Chat) -> Room:
        members = tuple(seen.members.values())
        return replace(self._room(title, RoomKind.GROUP, members), gone=tuple(seen.gone.values()))

    def _room(self, title: str, kind: RoomKind, members: tuple[Author, ...]) -> Room:
        direct = kind is RoomKind.DIRECT
        return Room(
            title=title,
            kind=kind,
            open=not direct,  # who is in a group cannot be told, unless its operator says more
            workspace=self.me.workspace if self.me else "telegram",
            members=members,
            complete=direct,
        )

    def _chat(self, id: int) -> _Chat:
        return self._chats.setdefault(id, _Chat())

    def _meet(self, room: _Chat, users: Iterable[Json]) -> None:
        for user in users:
            who = person(user)
            if user.get("username"):
                self._names[str(user["username"]).lower()] = who.name
                if len(self._names) > NAMES:
                    del self._names[next(iter(self._names))]
            if self.me is None or who.id != self.me.account:
                room.members[who.id] = who
                room.gone.pop(who.id, None)

    def _present(self, told: Json) -> Iterable[Json]:
        """Users an update shows to be in its room."""
        if user := (None if "sender_chat" in told else told.get("from")) or told.get("user"):
            yield user
        yield from told.get("new_chat_members") or ()
        now = told.get("new_chat_member")
        if isinstance(now, dict) and not _is_out(now) and "user" in now:
            yield now["user"]


_GONE = ("left", "kicked")


def _who_left(told: Json) -> Json | None:
    now = told.get("new_chat_member")
    if isinstance(now, dict) and _is_out(now):
        found: Json | None = now.get("user")
        return found
    return None


def _is_out(member: Json) -> bool:
    restricted = member.get("status") == "restricted"
    return member.get("status") in _GONE or (restricted and not member.get("is_member", True))
