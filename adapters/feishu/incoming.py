"""Feishu's events in the words every platform shares. Pure: nobody is asked anything here."""

from collections.abc import Callable

from adapters.chat import EventKind, Incoming
from adapters.feishu import messages, rooms
from adapters.feishu.directory import Directory, Place
from adapters.feishu.event import Event, Json, Malformed, Me

EDITED = "im.message.updated_v1"


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
        return reader(Event(kind, header, body, me, directory))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError) as error:
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
    if item.get("msg_type") == "system":
        return None  # nobody said it, and no event tells of it
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
    kind = EDITED if item.get("updated") else messages.NEW
    if item.get("deleted"):
        kind = "im.message.recalled_v1"
        told = {
            "message_id": item["message_id"], "chat_id": chat, "recall_type": "message_owner",
            "recall_time": item.get("update_time") or item.get("create_time"),
        }  # fmt: skip
    header = {"event_type": kind, "tenant_key": directory.tenant}
    return parse({"header": header, "event": told}, me, directory)


_READERS: dict[str, Callable[[Event], Incoming | None]] = {
    messages.NEW: messages.message,
    EDITED: messages.message,
    "im.message.recalled_v1": messages.recalled,
    "im.message.reaction.created_v1": messages.reaction,
    "im.message.reaction.deleted_v1": messages.reaction,
    "card.action.trigger": messages.pressed,
    "im.chat.member.user.added_v1": rooms.members,
    "im.chat.member.user.deleted_v1": rooms.members,
    "im.chat.member.user.withdrawn_v1": rooms.members,
    "im.chat.updated_v1": rooms.renamed,
    "im.chat.member.bot.added_v1": rooms.bot_added,
    "im.chat.member.bot.deleted_v1": rooms.bot_left,
    "im.chat.disbanded_v1": rooms.bot_left,
}
