"""Who comes and goes, and what becomes of a chat, from events. Pure."""

from dataclasses import replace

from adapters.chat import Author, EventKind, Incoming, Room
from adapters.feishu.event import Event, moment, open_id


def members(event: Event) -> Incoming:
    """Who came or went; where the room is known, with everybody who is in it now."""
    chat = event.body["chat_id"]
    users = event.body.get("users") or ()
    people = [
        Author(id=open_id({"id": user.get("user_id")}), name=str(user.get("name") or ""))
        for user in users
    ]
    event.directory.learn_people(person for person in people if person.id)
    known = event.directory.room(chat, title=str(event.body.get("name") or ""))
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


def renamed(event: Event) -> Incoming:
    """The settings of a chat changed; of these only its name shows in the event."""
    chat = event.body["chat_id"]
    title = str((event.body.get("after_change") or {}).get("name") or "")
    return _of_room(event, chat, event.directory.room(chat, title=title))


def bot_added(event: Event) -> Incoming:
    """The bot is in a chat from now on."""
    chat = event.body["chat_id"]
    room = event.directory.room(chat, title=str(event.body.get("name") or ""))
    return _of_room(event, chat, replace(room, outsiders=bool(event.body.get("external"))))


def bot_left(event: Event) -> Incoming:
    """The bot was removed, or the chat disbanded: what was known of it is forgotten."""
    chat = event.body["chat_id"]
    room = event.directory.room(chat, title=str(event.body.get("name") or ""))
    event.directory.forget_room(chat)
    return _of_room(event, chat, room, ask=False)


def _of_room(event: Event, chat: str, room: Room, *, ask: bool = True) -> Incoming:
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
        at=moment(event.header["create_time"]),
    )
