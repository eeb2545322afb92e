"""Words of others inside a message: what it answers, what it quotes, what it passes on."""

from typing import Any

from adapters.quotes import Manner, quote
from adapters.telegram import content
from adapters.telegram.entities import Rewrite
from adapters.telegram.people import author, chat_name, full_name

Json = dict[str, Any]


def answered(message: Json) -> Json | None:
    """The message it answers; not the root of a topic, which every message there seems to."""
    found: Json | None = message.get("reply_to_message")
    if found is None or "forum_topic_created" in found:
        return None
    in_topic = bool(message.get("is_topic_message"))
    if in_topic and found.get("message_id") == message.get("message_thread_id"):
        return None
    return found


def quoted(message: Json, rewrite: Rewrite) -> str:
    """The message it answers, for a reader who does not have it."""
    if (found := answered(message)) is not None:
        return quote(Manner.REPLY, _name(found), content.described(found, rewrite))
    if story := message.get("reply_to_story"):
        return quote(Manner.REPLY, chat_name(story.get("chat", {})), "[story]")
    return ""


def excerpt(message: Json, rewrite: Rewrite) -> str:
    """What it quotes by hand, or takes from another chat, as a quote; empty for neither."""
    part = str((message.get("quote") or {}).get("text", ""))
    if other := message.get("external_reply"):
        held = {key: value for key, value in other.items() if key not in _ABOUT_EXTERNAL}
        words = "\n".join(piece for piece in (content.described(held, rewrite), part) if piece)
        return quote(Manner.REPLY, origin(other["origin"]), words)
    found = answered(message)
    if found is not None and part and message["quote"].get("is_manual"):
        return quote(Manner.REPLY, _name(found), part)
    return ""


def forwarded(message: Json, words: str) -> str:
    """Words under the name of whom they were passed on from."""
    return quote(Manner.FORWARD, origin(message["forward_origin"]), words)


def origin(told: Json) -> str:
    """Who said it first, by name: a person, one who hides, a group or a channel."""
    if user := told.get("sender_user"):
        return full_name(user)
    if chat := told.get("sender_chat") or told.get("chat"):
        signature = told.get("author_signature")
        return f"{chat_name(chat)} ({signature})" if signature else chat_name(chat)
    return str(told.get("sender_user_name") or "somebody")


_ABOUT_EXTERNAL = frozenset({"origin", "chat", "message_id"})


def _name(message: Json) -> str:
    found = author(message)
    return found.name if found else ""
