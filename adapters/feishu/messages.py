"""Messages and what is done to them, from events. Pure."""

import json
from collections.abc import Iterable
from dataclasses import replace

from adapters.chat import Author, EventKind, Incoming, Room, one_line
from adapters.feishu import content
from adapters.feishu.directory import Place
from adapters.feishu.emoji import shown
from adapters.feishu.event import Event, Json, Misplaced, moment, open_id
from adapters.quotes import Manner, quote

NEW = "im.message.receive_v1"
ALL = "@_all"


def message(event: Event) -> Incoming | None:
    """A message or its new text; None for the bot's own and for what changes no word.

    Raises Misplaced for an edit that does not tell the text.
    """
    told, sender = event.body.get("message") or event.body, event.body.get("sender") or {}
    edited = event.kind != NEW
    if edited and not (sender and told.get("content")):
        raise Misplaced(told["message_id"])
    id, chat, thread = told["message_id"], told["chat_id"], told.get("thread_id") or None
    author = _author(event, sender)
    direct = told.get("chat_type") == "p2p"
    own = author.id in (event.me.open_id, event.me.app_id)
    mentions = [one for one in told.get("mentions") or () if isinstance(one, dict)]
    _learn(event, mentions)
    if direct and not own and not author.is_bot:
        event.directory.is_with(chat, author.id)
    kind, raw = str(told.get("message_type") or ""), str(told.get("content") or "")
    said = content.read(id, kind, raw, _names(event, mentions), author.name)
    if own:
        place = Place(chat=chat, thread=thread, author=author, own=True, text=said.text)
        event.directory.remember(id, place)
        return None
    known = event.directory.place(id)
    if edited and known is not None and known.says(said.text):
        return None  # a preview unfolded, or something else nobody said
    parent = told.get("parent_id") or None
    answered = event.directory.place(parent) if parent else None
    to_me = any(open_id(mention) == event.me.open_id for mention in mentions)
    return Incoming(
        address=event.address(chat, id, thread),
        kind=EventKind.EDIT if edited else EventKind.NEW,
        author=author,
        room=_with(event.directory.room(chat, direct=direct), sender, event.directory.tenant),
        text=said.text,
        at=moment(told["create_time"]),
        version=int(told.get("update_time") or told["create_time"]) if edited else 1,
        addressed=direct or to_me or (answered is not None and answered.own),
        reply_to=parent,
        quoted=_quoted(answered, parent, told),
        files=said.files,
    )


def _quoted(answered: Place | None, parent: str | None, told: Json) -> str:
    # Inside a topic everything "answers" its root, which the topic's readers have.
    if answered is None or (told.get("thread_id") and parent == told.get("root_id")):
        return ""
    return quote(Manner.REPLY, answered.author.name, answered.text)


def _author(event: Event, sender: Json) -> Author:
    ids = sender.get("sender_id") or {}
    is_bot = sender.get("sender_type") in ("app", "bot")
    id = ids.get("open_id") or ids.get("union_id") or ids.get("user_id")
    # Somebody anonymous, or an app without an id here: what they said is still said.
    id = id or sender.get("id") or sender.get("sender_type") or "unknown"
    return replace(event.directory.author(str(id)), is_bot=is_bot)


def _learn(event: Event, mentions: Iterable[Json]) -> None:
    people = ((open_id(mention), str(mention.get("name") or "")) for mention in mentions)
    event.directory.learn_people(
        replace(event.directory.author(id), name=name)
        for id, name in people
        if id and name and id != event.me.open_id
    )


def _names(event: Event, mentions: Iterable[Json]) -> dict[str, str]:
    names = {ALL: "@all", event.me.open_id: f"@{event.me.name}"}
    for mention in mentions:
        id = open_id(mention)
        name = event.me.name if id == event.me.open_id else mention.get("name") or id
        names[str(mention.get("key"))] = names[id] = f"@{one_line(name)}"
    # `@_all` may come with a name of its own in any language: one word for it everywhere.
    return names | {ALL: "@all"}


def _with(room: Room, sender: Json, tenant: str) -> Room:
    """The room, with outsiders as soon as one of them spoke in it."""
    key = sender.get("tenant_key")
    return replace(room, outsiders=True) if key and tenant and key != tenant else room


def recalled(event: Event) -> Incoming | None:
    """A message that is gone; None for the bot's own."""
    id, chat = event.body["message_id"], event.body["chat_id"]
    place = event.directory.place(id)
    if place is not None and place.own:
        return None
    by_author = event.body.get("recall_type", "message_owner") == "message_owner"
    event.directory.withdraw(id, by_author=by_author)
    # Feishu names nobody; where the author cannot be concluded, it is told in the bot's name.
    teller = Author(id=event.me.open_id, name=event.me.name, is_bot=True)
    author = place.author if place and by_author else teller
    return Incoming(
        address=event.address(chat, id, place.thread if place else None),
        kind=EventKind.RECALL,
        author=author,
        room=event.directory.room(chat),
        text="",
        at=moment(event.body.get("recall_time") or event.header["create_time"]),
    )


def reaction(event: Event) -> Incoming | None:
    """An emoji put or taken back; None for the bot's own.

    Raises Misplaced where it is not known in which chat the message stands: no event says.
    """
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
        at=moment(at),
        version=int(at),
    )


def pressed(event: Event) -> Incoming:
    """A button of a card that somebody pressed."""
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
        at=moment(at),
        version=int(at),
    )


def pressed_value(value: object) -> str:
    """The value of a button: ours is wrapped, another card's is given as it stands."""
    if isinstance(value, dict) and isinstance(value.get("value"), str):
        return str(value["value"])
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
