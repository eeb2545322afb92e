"""Feishu's events in the words every platform shares. Pure: nobody is asked anything here."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from adapters.chat import Address, Author, EventKind, Incoming, Room
from adapters.feishu import content
from adapters.feishu.directory import Directory, Place
from adapters.feishu.emoji import shown
from adapters.quotes import Manner, quote

PLATFORM = "feishu"
ALL = "@_all"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Me:
    """The bot as Feishu knows it."""

    app_id: str
    open_id: str
    name: str
    """What its mention is called in a text."""


class Misplaced(Exception):
    """An event of a message of which nobody knows the chat; Feishu can be asked about it."""

    def __init__(self, message: str) -> None:
        super().__init__(f"nobody knows where message {message} stands")
        self.message = message


class Malformed(ValueError):
    """An event nobody can understand."""


def parse(event: Json, me: Me, directory: Directory) -> Incoming | None:
    """What an event says; None for what concerns nobody. Raises Misplaced and Malformed.

    The directory remembers at once what it tells of people; the message only by `settle`.
    """
    try:
        header, body = event["header"], event["event"]
        kind = header["event_type"]
        reader = _READERS.get(kind)
        if reader is None:
            return None
        # An event of a shared chat may carry the other tenant's key; the first one is the app's.
        directory.tenant = directory.tenant or str(header.get("tenant_key") or "")
        return reader(_Event(kind, header, body, me, directory))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise Malformed(f"an event of Feishu's cannot be read: {error!r}") from error


def settle(incoming: Incoming, directory: Directory) -> None:
    """Remember a message that was committed, so that what follows it finds its place."""
    message = incoming.address.message
    if message is not None and incoming.kind in (EventKind.NEW, EventKind.EDIT):
        place = Place(
            chat=incoming.address.chat,
            thread=incoming.address.thread,
            author=incoming.author,
            text=incoming.text,
        )
        directory.remember(message, place)


def from_history(item: Json, me: Me, directory: Directory) -> Incoming | None:
    """A message as the history shows it, in the same words as its event.

    A changed one is an EDIT and a recalled one a RECALL, both harmless where they are known.
    """
    chat, sender = str(item["chat_id"]), item.get("sender") or {}
    mentions = [
        {"key": m.get("key"), "id": {"open_id": m.get("id")}, "name": m.get("name")}
        for m in item.get("mentions") or ()
    ]
    direct = directory.is_direct(chat)
    message = item | {
        "message_type": item.get("msg_type"),
        "content": (item.get("body") or {}).get("content") or "",
        "chat_type": "p2p" if direct else "group",
        "mentions": mentions,
    }
    told: Json = {"message": message, "sender": {
        "sender_id": {"open_id": sender.get("id")}, "sender_type": sender.get("sender_type"),
        "tenant_key": sender.get("tenant_key"),
    }}  # fmt: skip
    kind = "im.message.updated_v1" if item.get("updated") else "im.message.receive_v1"
    if item.get("deleted"):
        kind = "im.message.recalled_v1"
        told = {
            "message_id": item["message_id"], "chat_id": chat, "recall_type": "message_owner",
            "recall_time": item.get("update_time") or item.get("create_time"),
        }  # fmt: skip
    header = {"event_type": kind, "tenant_key": directory.tenant}
    return parse({"header": header, "event": told}, me, directory)


@dataclass(frozen=True, slots=True)
class _Event:
    kind: str
    header: Json
    body: Json
    me: Me
    directory: Directory

    def address(self, chat: str, message: str | None = None, thread: str | None = None) -> Address:
        return Address(
            platform=PLATFORM, account=self.me.app_id, chat=chat, thread=thread, message=message
        )


def _message(event: _Event) -> Incoming | None:
    message, sender = event.body["message"], event.body["sender"]
    id, chat, thread = message["message_id"], message["chat_id"], message.get("thread_id") or None
    author = _author(event, sender)
    direct = message.get("chat_type") == "p2p"
    own = author.id in (event.me.open_id, event.me.app_id)
    mentions = message.get("mentions") or ()
    _learn(event, mentions)
    if direct and not own and not author.is_bot:
        event.directory.is_with(chat, author.id)
    names = _names(event, mentions)
    said = content.read(
        id, str(message.get("message_type") or ""), str(message.get("content") or ""), names,
        author.name,
    )  # fmt: skip
    known = event.directory.place(id)
    edited = event.kind != "im.message.receive_v1"
    if own:
        event.directory.remember(
            id, Place(chat=chat, thread=thread, author=author, own=True, text=said.text)
        )
        return None
    if edited and known is not None and known.says(said.text):
        return None  # a preview unfolded, or something else nobody said
    parent = message.get("parent_id") or None
    answered = event.directory.place(parent) if parent else None
    to_me = any(_open_id(mention) == event.me.open_id for mention in mentions)
    return Incoming(
        address=event.address(chat, id, thread),
        kind=EventKind.EDIT if edited else EventKind.NEW,
        author=author,
        room=_with(event.directory.room(chat, direct=direct), sender, event.directory.tenant),
        text=said.text,
        at=_moment(message["create_time"]),
        version=int(message.get("update_time") or message["create_time"]) if edited else 1,
        addressed=direct or to_me or (answered is not None and answered.own),
        reply_to=parent,
        quoted=_quoted(answered, parent, message),
        files=said.files,
    )


def _quoted(answered: Place | None, parent: str | None, message: Json) -> str:
    # Inside a topic everything "answers" its root, which the topic's readers have.
    if answered is None or (message.get("thread_id") and parent == message.get("root_id")):
        return ""
    return quote(Manner.REPLY, answered.author.name, answered.text)


def _author(event: _Event, sender: Json) -> Author:
    ids = sender.get("sender_id") or {}
    is_bot = sender.get("sender_type") in ("app", "bot")
    id = ids.get("open_id") or ids.get("union_id") or ids.get("user_id") or ""
    if not id and is_bot:
        id = str(sender.get("id") or "another app")
    if not id:
        raise KeyError("sender_id")
    return replace(event.directory.author(str(id)), is_bot=is_bot)


def _learn(event: _Event, mentions: Iterable[Json]) -> None:
    people = ((_open_id(mention), str(mention.get("name") or "")) for mention in mentions)
    event.directory.learn_people(
        replace(event.directory.author(id), name=name)
        for id, name in people
        if id and name and id != event.me.open_id
    )


def _names(event: _Event, mentions: Iterable[Json]) -> dict[str, str]:
    names = {ALL: "@all", event.me.open_id: f"@{event.me.name}"}
    for mention in mentions:
        id = _open_id(mention)
        name = event.me.name if id == event.me.open_id else mention.get("name") or id
        names[str(mention.get("key"))] = names[id] = f"@{name}"
    # `@_all` may come with a name of its own in any language: one word for it everywhere.
    return names | {ALL: "@all"}


def _open_id(mention: Json) -> str:
    id = mention.get("id")
    return str((id.get("open_id") if isinstance(id, dict) else id) or "")


def _with(room: Room, sender: Json, tenant: str) -> Room:
    """The room, with outsiders as soon as one of them spoke in it."""
    key = sender.get("tenant_key")
    return replace(room, outsiders=True) if key and tenant and key != tenant else room


def _recalled(event: _Event) -> Incoming | None:
    id, chat = event.body["message_id"], event.body["chat_id"]
    place = event.directory.place(id)
    if place is not None and place.own:
        return None
    by_author = event.body.get("recall_type", "message_owner") == "message_owner"
    event.directory.withdraw(id, by_author=by_author)
    author = place.author if place and by_author else Author(id="", name="")
    return Incoming(
        address=event.address(chat, id, place.thread if place else None),
        kind=EventKind.RECALL,
        author=author,
        room=event.directory.room(chat),
        text="",
        at=_moment(event.body.get("recall_time") or event.header["create_time"]),
    )


def _reaction(event: _Event) -> Incoming | None:
    id = event.body["message_id"]
    user = (event.body.get("user_id") or {}).get("open_id")
    app = event.body.get("app_id")
    if app == event.me.app_id or user == event.me.open_id:
        return None
    place = event.directory.place(id)
    if place is None:
        raise Misplaced(id)
    author = event.directory.author(str(user or app), is_bot=not user)
    gone = event.kind.endswith("deleted_v1")
    at = event.body.get("action_time") or event.header["create_time"]
    return Incoming(
        address=event.address(place.chat, id, place.thread),
        kind=EventKind.REACTION,
        author=author,
        room=event.directory.room(place.chat),
        text="" if gone else shown(str(event.body["reaction_type"]["emoji_type"])),
        at=_moment(at),
        version=int(at),
    )


def _pressed(event: _Event) -> Incoming:
    context, operator = event.body["context"], event.body["operator"]
    id, chat = context["open_message_id"], context["open_chat_id"]
    place = event.directory.place(id)
    at = event.header["create_time"]
    return Incoming(
        address=event.address(chat, id, place.thread if place else None),
        kind=EventKind.ACTION,
        author=event.directory.author(operator["open_id"]),
        room=event.directory.room(chat),
        text=pressed_value(event.body["action"].get("value")),
        at=_moment(at),
        version=int(at),
    )


def pressed_value(value: object) -> str:
    """The value of a button: ours is wrapped, another card's is given as it stands."""
    if isinstance(value, dict) and isinstance(value.get("value"), str):
        return str(value["value"])
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _members(event: _Event) -> Incoming:
    chat = event.body["chat_id"]
    users = event.body.get("users") or ()
    people = [
        Author(id=_open_id({"id": user.get("user_id")}), name=user.get("name") or "")
        for user in users
    ]
    event.directory.learn_people(person for person in people if person.id)
    known = event.directory.room(chat, title=event.body.get("name") or "")
    ids = {person.id for person in people}
    stay = tuple(member for member in known.members if member.id not in ids)
    if event.kind.endswith("added_v1") and not known.partial:
        stay += tuple(event.directory.author(person.id) for person in people if person.id)
    foreign = any(
        user.get("tenant_key") and user["tenant_key"] != event.directory.tenant for user in users
    )
    room = replace(
        known,
        members=stay,
        outsiders=known.outsiders or bool(event.body.get("external")) or foreign,
    )
    return _of_room(event, chat, room)


def _renamed(event: _Event) -> Incoming:
    chat = event.body["chat_id"]
    title = str((event.body.get("after_change") or {}).get("name") or "")
    return _of_room(event, chat, event.directory.room(chat, title=title))


def _bot_added(event: _Event) -> Incoming:
    chat = event.body["chat_id"]
    room = event.directory.room(chat, title=event.body.get("name") or "")
    return _of_room(event, chat, replace(room, outsiders=bool(event.body.get("external"))))


def _bot_left(event: _Event) -> Incoming:
    chat = event.body["chat_id"]
    room = event.directory.room(chat, title=event.body.get("name") or "")
    event.directory.forget_room(chat)
    return _of_room(event, chat, room, ask=False)


def _of_room(event: _Event, chat: str, room: Room, *, ask: bool = True) -> Incoming:
    if ask:
        if not room.partial:
            event.directory.learn_room(chat, room)
        event.directory.ask_again(chat)
    operator = (event.body.get("operator_id") or {}).get("open_id") or ""
    return Incoming(
        address=event.address(chat),
        kind=EventKind.MEMBERS,
        author=event.directory.author(operator),
        room=room,
        text="",
        at=_moment(event.header["create_time"]),
    )


def _moment(text: str | int) -> datetime:
    """A moment from milliseconds; card callbacks give microseconds."""
    number = int(text)
    return datetime.fromtimestamp(number / (1e6 if number > 10**14 else 1e3), UTC)


_READERS: dict[str, Callable[[_Event], Incoming | None]] = {
    "im.message.receive_v1": _message,
    "im.message.updated_v1": _message,
    "im.message.recalled_v1": _recalled,
    "im.message.reaction.created_v1": _reaction,
    "im.message.reaction.deleted_v1": _reaction,
    "card.action.trigger": _pressed,
    "im.chat.member.user.added_v1": _members,
    "im.chat.member.user.deleted_v1": _members,
    "im.chat.member.user.withdrawn_v1": _members,
    "im.chat.updated_v1": _renamed,
    "im.chat.member.bot.added_v1": _bot_added,
    "im.chat.member.bot.deleted_v1": _bot_left,
    "im.chat.disbanded_v1": _bot_left,
}
