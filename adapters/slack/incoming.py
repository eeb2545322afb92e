"""What Slack sends, in the words every platform shares.

Slack envelope ──► read() ──► Incoming | None; Malformed for what nobody can understand.
None is for what says nothing to anybody: our own words, previews of links, joins as messages.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from adapters.chat import Address, Author, EventKind, File, Incoming, RoomKind
from adapters.slack.blocks import of_attachments, of_blocks, of_files
from adapters.slack.directory import Directory
from adapters.slack.emoji import sign
from adapters.slack.words import mentions, readable

Json = dict[str, Any]

PLATFORM = "slack"
BUTTON = "limen_button"
"""How the action ids of our own buttons begin."""

_MOMENT = re.compile(r"\d{1,11}(\.\d*)?", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SILENT = frozenset(
    "message_replied channel_join channel_leave group_join group_leave channel_archive "
    "channel_unarchive group_archive group_unarchive channel_name group_name bot_add bot_remove "
    "bot_enable bot_disable channel_convert_to_private channel_posting_permissions tombstone "
    "assistant_app_thread ekm_access_denied joiner_notification sh_room_created".split()
)
"""Messages that other events tell better, or that nobody wrote."""
_NOTES = {
    "channel_topic": "set the topic: {}",
    "channel_purpose": "set the purpose: {}",
    "group_topic": "set the topic: {}",
    "group_purpose": "set the purpose: {}",
}
_BARE = {
    "pinned_item": "[pinned a message]",
    "unpinned_item": "[unpinned a message]",
    "reminder_add": "[set a reminder]",
    "huddle_thread": "[huddle]",
}
_SPOKEN = frozenset({"", "bot_message", "me_message", "file_share", "thread_broadcast"})


class Malformed(ValueError):
    """An event that has not the form Slack promises."""


def read(kind: str, payload: Json, known: Directory, now: datetime) -> Incoming | None:
    """One envelope's payload; `kind` is the envelope's type."""
    if kind == "slash_commands":
        return _command(payload, known, now)
    if kind == "interactive":
        return _press(payload, known)
    event = payload.get("event") if kind == "events_api" else None
    if not isinstance(event, dict):
        return None
    shared = bool(payload.get("is_ext_shared_channel"))
    match event.get("type"):
        case "message":
            return _message_event(event, known, shared)
        case "app_mention":
            return _said(event, event, known, shared, addressed=True)
        case "reaction_added" | "reaction_removed":
            return _reaction(event, known, shared)
        case "member_joined_channel" | "member_left_channel":
            return _membership(event, known, now)
        case "channel_rename" | "group_rename":
            channel = event.get("channel") or {}
            told = known.renamed(_id(channel, "id"), channel.get("name") or "")
            return room_changed(channel["id"], known, now) if told else None
    return None


def room_changed(channel: str, known: Directory, now: datetime) -> Incoming:
    """Word of a room as the directory knows it now."""
    return Incoming(
        address=Address(platform=PLATFORM, account=known.me.team, chat=channel),
        kind=EventKind.MEMBERS,
        author=Author(id=known.me.user, name=known.bot_name, is_bot=True),
        room=known.room(channel),
        text="",
        at=now,
    )


def _message_event(event: Json, known: Directory, shared: bool) -> Incoming | None:
    subtype = event.get("subtype") or ""
    if subtype == "message_changed":
        return _changed(event, known, shared)
    if subtype == "message_deleted":
        return _deleted(event, event.get("previous_message") or {}, known, shared)
    if subtype in _SILENT:
        return None
    return _said(event, event, known, shared)


def _said(
    event: Json, message: Json, known: Directory, shared: bool, *, addressed: bool = False
) -> Incoming | None:
    """A message as it was posted; `message` is where its words are."""
    if _is_own(message, known):
        return None
    author = _author(message, known)
    text, files = _content(message, author, known)
    ts = _need(message, "ts")
    address = _address(event, message, ts, known)
    direct = known.kind(address.chat, event.get("channel_type") or "") is RoomKind.DIRECT
    return Incoming(
        address=address,
        kind=EventKind.NEW,
        author=author,
        room=known.room(address.chat, type=event.get("channel_type") or "", shared=shared),
        text=text,
        at=moment(ts),
        addressed=addressed or direct or _calls(message, known),
        files=files,
    )


def _changed(event: Json, known: Directory, shared: bool) -> Incoming | None:
    message = event.get("message") or {}
    before = event.get("previous_message")
    if message.get("subtype") == "tombstone":  # the root of a thread was deleted
        return _deleted(event, before or message, known, shared)
    if message.get("subtype") in _SILENT:
        return None
    said = _said(event, message, known, shared)
    if said is None or not _reworded(message, before, known):
        return None
    edited = (message.get("edited") or {}).get("ts") or _need(event, "ts")
    return replace(said, kind=EventKind.EDIT, at=moment(edited), version=count(edited))


def _reworded(message: Json, before: Json | None, known: Directory) -> bool:
    """Whether its author changed something; the preview of a link is no edit."""
    if before is None:
        return "edited" in message
    if _own_words(message, known) != _own_words(before, known):
        return True
    # An app's alert has its words in cards, and is often brought up to date.
    by_app = "bot_id" in message and not message.get("text")
    return by_app and message.get("attachments") != before.get("attachments")


def _deleted(event: Json, before: Json, known: Directory, shared: bool) -> Incoming | None:
    if _is_own(before, known):
        return None
    ts = event.get("deleted_ts") or _need(before, "ts")
    address = _address(event, before, ts, known)
    gone = event.get("event_ts") or _need(event, "ts")
    return Incoming(
        address=address,
        kind=EventKind.RECALL,
        author=_author(before, known),
        room=known.room(address.chat, type=event.get("channel_type") or "", shared=shared),
        text="",
        at=moment(gone),
        version=count(gone),
    )


def _reaction(event: Json, known: Directory, shared: bool) -> Incoming | None:
    item = event.get("item") or {}
    if item.get("type") != "message" or event.get("user") == known.me.user:
        return None
    ts = _need(item, "ts")
    address = _address(item, item, ts, known)
    at = _need(event, "event_ts")
    taken_back = event["type"] == "reaction_removed"
    return Incoming(
        address=address,
        kind=EventKind.REACTION,
        author=known.author(_need(event, "user")),
        room=known.room(address.chat, shared=shared),
        text="" if taken_back else sign(_need(event, "reaction")),
        at=moment(at),
        version=count(at),
    )


def _membership(event: Json, known: Directory, now: datetime) -> Incoming | None:
    channel, user = _id(event, "channel"), _id(event, "user")
    come = event["type"] == "member_joined_channel"
    told = known.joined(channel, user) if come else known.left(channel, user)
    return room_changed(channel, known, now) if told else None


def _press(payload: Json, known: Directory) -> Incoming | None:
    if payload.get("type") != "block_actions":
        return None
    action: Json = next(iter(payload.get("actions") or []), {})
    if not str(action.get("action_id", "")).startswith(BUTTON):
        return None
    container, user = payload.get("container") or {}, payload.get("user") or {}
    channel = (payload.get("channel") or {}).get("id") or container.get("channel_id")
    ts = _need(container, "message_ts")
    message = payload.get("message") or {}
    address = _address({"channel": channel}, message | container, ts, known)
    at = _need(action, "action_ts")
    return Incoming(
        address=address,
        kind=EventKind.ACTION,
        author=known.author(_need(user, "id"), name=user.get("name") or ""),
        room=known.room(address.chat),
        text=_need(action, "value"),
        at=moment(at),
        version=count(at),
    )


def _command(payload: Json, known: Directory, now: datetime) -> Incoming:
    words = str(payload.get("text") or "").strip()
    channel, trigger = _id(payload, "channel_id"), _id(payload, "trigger_id")
    return Incoming(
        address=Address(
            platform=PLATFORM, account=known.me.team, chat=channel, message=f"slash-{trigger}"
        ),
        kind=EventKind.NEW,
        author=known.author(_need(payload, "user_id"), name=payload.get("user_name") or ""),
        room=known.room(channel),
        text=f"/{readable(words, known) or 'help'}",
        at=now,
        addressed=True,
    )


def _address(event: Json, message: Json, ts: str, known: Directory) -> Address:
    """Where a message is: its thread is the root's, and a root itself is in no thread."""
    channel = _id(event, "channel")
    thread = message.get("thread_ts") or known.thread_of(channel, ts)
    if not is_moment(ts) or (thread and not is_moment(thread)):
        raise Malformed(f"no message can be {ts!r:.80} under {thread!r:.80}")
    return Address(
        platform=PLATFORM,
        account=known.me.team,
        chat=channel,
        thread=thread if thread != ts else None,
        message=ts,
    )


def _is_own(message: Json, known: Directory) -> bool:
    me = known.me
    return message.get("user") == me.user or bool(me.bot and message.get("bot_id") == me.bot)


def _author(message: Json, known: Directory) -> Author:
    bot = message.get("bot_id")
    profile = message.get("user_profile") or message.get("bot_profile") or {}
    name = (
        message.get("username")
        or profile.get("display_name")
        or profile.get("real_name")
        or profile.get("name")
        or ""
    )
    id = message.get("user") or bot
    if not isinstance(id, str) or not id:
        raise Malformed("a message names neither 'user' nor 'bot_id'")
    return known.author(id, name=name, is_bot=bool(bot) or id == "USLACKBOT")


def _calls(message: Json, known: Directory) -> bool:
    """Whether it mentions us, or answers in a thread that we began."""
    if not known.me.user:
        return False
    in_ours = message.get("parent_user_id") == known.me.user
    return in_ours or mentions(message.get("text") or "", known.me.user)


def _own_words(message: Json, known: Directory) -> str:
    """What its author wrote, without cards and files."""
    text = readable(message.get("text") or "", known)
    blocks = message.get("blocks") or []
    # Of an app the text is often only what a notification shows, and the blocks are the message.
    composed = "bot_id" in message and any(block.get("type") != "rich_text" for block in blocks)
    if text.strip() and not composed:
        return text
    inside = of_blocks(blocks, known)
    if not inside.strip() or text.strip() == inside.strip():
        return text
    return f"{text}\n{inside}" if text.strip() and text.strip() not in inside else inside


def _content(message: Json, author: Author, known: Directory) -> tuple[str, tuple[File, ...]]:
    """The words of a message and its files."""
    subtype = message.get("subtype") or ""
    if subtype in _BARE:
        return _BARE[subtype], ()
    if subtype in _NOTES:
        about = readable(str(message.get(subtype.partition("_")[2]) or ""), known)
        return f"[{_NOTES[subtype].format(about)}]".replace(": ]", "]"), ()
    try:
        files, file_words = of_files(message.get("files") or [])
        cards = of_attachments(message.get("attachments") or [], author.name, known)
        parts = [_own_words(message, known), *file_words, *cards]
    except (AttributeError, KeyError, TypeError, ValueError):
        # A form nobody has seen yet costs its own words, and not those beside it.
        files = ()
        parts = [
            readable(str(message.get("text") or ""), known),
            "[unsupported message: its parts]",
        ]
    text = "\n".join(part for part in parts if part)
    if not text and subtype not in _SPOKEN:
        return f"[unsupported message: {subtype}]", files
    return text, files


def _need(values: Json, key: str) -> str:
    value = values.get(key)
    if not isinstance(value, str) or not value:
        raise Malformed(f"{key!r} must be a text, got {value!r:.80}")
    return value


def _id(values: Json, key: str) -> str:
    id = _need(values, key)
    if not id.isprintable():
        raise Malformed(f"{key!r} must be an id, got {id!r:.80}")
    return id


def moment(ts: str) -> datetime:
    """When a time stamp was; it stays a text everywhere else."""
    return _EPOCH + timedelta(microseconds=count(ts))


def count(ts: str) -> int:
    """A time stamp as a number that rises."""
    seconds, _, fraction = ts.partition(".")
    if not is_moment(ts):
        raise Malformed(f"a time stamp must look like '1767603600.000100', got {ts!r:.80}")
    return int(seconds) * 1_000_000 + int(fraction.ljust(6, "0")[:6])


def is_moment(ts: object) -> bool:
    """Whether this is a time stamp of Slack's."""
    return isinstance(ts, str) and _MOMENT.fullmatch(ts) is not None
