"""What is in a message: its words, its files, and a visible word for everything else."""

from collections.abc import Callable
from typing import Any

from adapters.chat import File
from adapters.telegram.entities import Rewrite, markdown
from adapters.telegram.people import chat_name, full_name

Json = dict[str, Any]

FRAME = frozenset(
    "message_id message_thread_id from sender_chat sender_boost_count sender_business_bot "
    "sender_tag date business_connection_id chat forward_origin forward_from forward_from_chat "
    "forward_from_message_id forward_signature forward_sender_name forward_date is_topic_message "
    "is_automatic_forward reply_to_message external_reply quote reply_to_story "
    "reply_to_checklist_task_id reply_to_poll_option_id via_bot edit_date has_protected_content "
    "is_from_offline is_paid_post media_group_id author_signature paid_star_count text entities "
    "link_preview_options effect_id caption caption_entities show_caption_above_media "
    "has_media_spoiler reply_markup direct_messages_topic suggested_post_info guest_query_id "
    "guest_bot_caller_user guest_bot_caller_chat".split()
)
"""Parts of a message that are about it, not in it."""

_FILES = {
    "photo": ("photo", "jpg", "image/jpeg"),
    "document": ("document", "bin", "application/octet-stream"),
    "audio": ("audio", "mp3", "audio/mpeg"),
    "voice": ("voice", "ogg", "audio/ogg"),
    "video": ("video", "mp4", "video/mp4"),
    "video_note": ("video", "mp4", "video/mp4"),
    "animation": ("animation", "mp4", "video/mp4"),
}
"""Kinds that can be fetched: a word for the name, an ending and a type where Telegram has none."""

_SAME = {"animation": "document", "venue": "location"}
"""Kinds that come with an older form of themselves beside them."""


def words(message: Json, rewrite: Rewrite) -> str:
    """Its text or caption as Markdown."""
    if "text" in message:
        return markdown(_text(message, "text"), message.get("entities") or [], rewrite)
    return markdown(_text(message, "caption"), message.get("caption_entities") or [], rewrite)


def entities(message: Json) -> list[Json]:
    """Those of its text or caption."""
    return list(message.get("entities" if "text" in message else "caption_entities") or [])


def plain(message: Json) -> str:
    """Its text or caption as it stands."""
    return _text(message, "text" if "text" in message else "caption")


def files(message: Json) -> tuple[File, ...]:
    """What can be fetched of it."""
    return tuple(_file(message, kind) for kind in kinds(message) if kind in _FILES)


def placeholders(message: Json) -> str:
    """A word in brackets for everything that is neither words nor a document or picture."""
    shown = [kind for kind in kinds(message) if kind not in ("photo", "document")]
    return " ".join(_shown(message, kind) for kind in shown)


def described(message: Json, rewrite: Rewrite) -> str:
    """All of a message in words, for a reader who cannot open its files."""
    pieces = (" ".join(_shown(message, kind) for kind in kinds(message)), words(message, rewrite))
    return "\n".join(piece for piece in pieces if piece.strip())


def kinds(message: Json) -> list[str]:
    """What it holds besides words, by the names of the API."""
    held = [key for key in message if key not in FRAME]
    doubled = {_SAME[key] for key in held if key in _SAME}
    return [key for key in held if key not in doubled]


def _text(message: Json, key: str) -> str:
    text = message.get(key, "")
    if not isinstance(text, str):
        raise ValueError(f"{key} must be text, got {type(text).__name__}")
    return text


def _file(message: Json, kind: str) -> File:
    word, ending, mime = _FILES[kind]
    content = message[kind][-1] if kind == "photo" else message[kind]  # the largest size is last
    size = content.get("file_size")
    return File(
        id=str(content["file_id"]),
        name=str(content.get("file_name") or f"{word}-{message.get('message_id', 0)}.{ending}"),
        mime=str(content.get("mime_type") or mime),
        size=int(size) if size is not None else None,
    )


def _shown(message: Json, kind: str) -> str:
    show = _SHOWN.get(kind)
    if show is None:
        return f"[{_EVENTS[kind]}]" if kind in _EVENTS else f"[unsupported message: {kind}]"
    return f"[{' '.join(show(message[kind]).split())}]"


def _named(word: str, *keys: str) -> Callable[[Json], str]:
    def show(content: Json) -> str:
        told = ", ".join(str(content[key]) for key in keys if content.get(key))
        return f"{word}: {told}" if told else word

    return show


def _timed(word: str) -> Callable[[Json], str]:
    def show(content: Json) -> str:
        return f"{word}, {content['duration']} s" if "duration" in content else word

    return show


def _sticker(content: Json) -> str:
    return f"sticker {content.get('emoji') or ''}"


def _audio(content: Json) -> str:
    who = " – ".join(str(content[key]) for key in ("performer", "title") if content.get(key))
    return _timed(f"audio: {who}" if who else "audio")(content)


def _location(content: Json) -> str:
    word = "live location" if content.get("live_period") else "location"
    return f"{word}: {content['latitude']}, {content['longitude']}"


def _contact(content: Json) -> str:
    return f"contact: {full_name(content)}, {content.get('phone_number', '')}"


def _poll(content: Json) -> str:
    options = " / ".join(str(option.get("text", "")) for option in content.get("options", ()))
    return f"poll: {content.get('question', '')} – {options}"


def _checklist(content: Json) -> str:
    tasks = " / ".join(str(task.get("text", "")) for task in content.get("tasks", ()))
    return f"checklist: {content.get('title', '')} – {tasks}"


def _dice(content: Json) -> str:
    return f"dice {content.get('emoji', '🎲')}: {content.get('value', '?')}"


def _story(content: Json) -> str:
    return f"story of {chat_name(content.get('chat', {})) or 'somebody'}"


def _pinned(content: Json) -> str:
    return f"pinned: {described(content, lambda _, shown: shown) or 'a message'}"


def _people(word: str) -> Callable[[Any], str]:
    def show(content: Any) -> str:
        users = content if isinstance(content, list) else [content]
        return f"{word}: {', '.join(full_name(user) for user in users)}"

    return show


def _titled(word: str) -> Callable[[Any], str]:
    return lambda content: f"{word}: {content}"


_SHOWN: dict[str, Callable[[Any], str]] = {
    "photo": lambda _: "photo",
    "document": _named("document", "file_name"),
    "sticker": _sticker,
    "voice": _timed("voice message"),
    "video_note": _timed("video message"),
    "video": _timed("video"),
    "animation": _named("animation", "file_name"),
    "audio": _audio,
    "location": _location,
    "venue": _named("venue", "title", "address"),
    "contact": _contact,
    "poll": _poll,
    "checklist": _checklist,
    "dice": _dice,
    "game": _named("game", "title"),
    "invoice": _named("invoice", "title"),
    "story": _story,
    "pinned_message": _pinned,
    "new_chat_members": _people("joined"),
    "left_chat_member": _people("left"),
    "new_chat_title": _titled("renamed"),
    "forum_topic_created": _named("topic created", "name"),
    "forum_topic_edited": _named("topic changed", "name"),
}
_EVENTS = {
    "paid_media": "paid media",
    "live_photo": "live photo",
    "gift": "gift",
    "unique_gift": "gift",
    "giveaway": "giveaway",
    "giveaway_created": "giveaway",
    "giveaway_winners": "giveaway winners",
    "giveaway_completed": "giveaway completed",
    "new_chat_photo": "new picture of the chat",
    "delete_chat_photo": "picture of the chat removed",
    "forum_topic_closed": "topic closed",
    "forum_topic_reopened": "topic reopened",
    "general_forum_topic_hidden": "general topic hidden",
    "general_forum_topic_unhidden": "general topic shown again",
    "message_auto_delete_timer_changed": "automatic deletion of messages changed",
    "video_chat_scheduled": "video chat planned",
    "video_chat_started": "video chat started",
    "video_chat_ended": "video chat ended",
    "video_chat_participants_invited": "invitation to the video chat",
    "chat_background_set": "new background of the chat",
    "boost_added": "boost of the chat",
    "successful_payment": "payment",
    "refunded_payment": "payment given back",
    "users_shared": "shared contacts",
    "chat_shared": "shared chat",
    "write_access_allowed": "the bot may write now",
    "web_app_data": "data of a web app",
    "chat_owner_changed": "new owner of the chat",
    "chat_owner_left": "the owner left the chat",
    "passport_data": "passport data",
    "proximity_alert_triggered": "people came near each other",
}
