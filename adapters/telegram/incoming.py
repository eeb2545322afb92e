"""One update of Telegram's as an `Incoming`; pure, from the update and what is known by then."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from adapters.chat import Address, Author, EventKind, File, Incoming, Room
from adapters.telegram import content, foreign
from adapters.telegram.entities import cut
from adapters.telegram.people import Me, author, person

Json = dict[str, Any]

PLATFORM = "telegram"
GENERAL = "1"  # the topic that is not one: messages there bear no thread, and none may be named
UPDATES = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "message_reaction",
    "callback_query",
    "my_chat_member",
    "chat_member",
)
"""What is asked for; Telegram leaves out some of them unless they are named."""

_MEMBERS = frozenset(
    "new_chat_members left_chat_member new_chat_title new_chat_photo delete_chat_photo "
    "group_chat_created supergroup_chat_created channel_chat_created".split()
)
"""Service messages about the room itself."""


class Known(Protocol):
    """What was learned before, as far as an update needs it."""

    def room(self, chat: Json, /) -> Room:
        """The room an update shows, with everybody seen in it."""

    def name_of(self, username: str, /) -> str:
        """The name of whoever bears a user name; empty if nobody was seen with it."""

    def thread_of(self, chat: int, message: int, /) -> str | None:
        """The topic of a message, which reactions do not tell."""

    def has_text(self, chat: int, message: int, text: str, /) -> bool:
        """Whether a message said just that when it was last taken in."""


def read(update: Json, me: Me, known: Known, now: datetime) -> Incoming | None:
    """What an update tells; None where it tells nothing of use.

    Raises whatever it meets in an update that is not what the API describes.
    """
    for kind, reader in _READERS.items():
        if kind in update:
            return reader(update, update[kind], me, known)
    if "callback_query" in update:
        return _press(update, update["callback_query"], me, known, now)
    return None


def album_of(update: Json) -> tuple[int, str] | None:
    """The chat and album a message belongs to."""
    message = update.get("message") or update.get("channel_post")
    if not isinstance(message, dict) or "media_group_id" not in message:
        return None
    return message["chat"]["id"], str(message["media_group_id"])


def address(me: Me, chat: int, thread: str | None = None, message: int | None = None) -> Address:
    """Where something is on Telegram."""
    return Address(
        platform=PLATFORM,
        account=me.account,
        chat=str(int(chat)),
        thread=thread,
        message=None if message is None else str(int(message)),
    )


def _message(update: Json, message: Json, me: Me, known: Known) -> Incoming | None:
    who = author(message)
    chat = message["chat"]
    if moved := _moved(message, me, known):
        return moved
    if who is None:
        raise LookupError("a message names nobody who sent it")
    if who.id == me.account:
        return None
    if _MEMBERS & message.keys():
        return _members(update, message, me, known)
    edited = "edited_message" in update or "edited_channel_post" in update
    said = _said(message, me, known)
    if edited and _says_nothing(message, said, known):
        return None
    return Incoming(
        address=address(me, chat["id"], thread(message), message["message_id"]),
        kind=EventKind.EDIT if edited else EventKind.NEW,
        author=who,
        room=known.room(chat),
        text=said.text,
        at=_at(message["edit_date"] if edited else message["date"]),
        version=int(message["edit_date"]) if edited else 1,
        addressed=said.addressed,
        reply_to=said.reply_to,
        quoted=said.quoted,
        files=said.files,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What a message holds, in our words."""

    text: str
    addressed: bool
    reply_to: str | None = None
    quoted: str = ""
    files: tuple[File, ...] = ()


def _said(message: Json, me: Me, known: Known) -> _Said:
    try:
        answers = foreign.answered(message)
        return _Said(
            text=_text(message, me, known),
            addressed=_is_addressed(message, me),
            reply_to=str(answers["message_id"]) if answers else None,
            quoted=foreign.quoted(message, _rewriter(me, known)),
            files=content.files(message),
        )
    except (AttributeError, LookupError, OverflowError, TypeError, ValueError):
        # A form nobody has seen yet costs what is new in it, and not the words beside it.
        text = f"{content.plain(message)}\n[unsupported message: its parts]".lstrip()
        return _Said(text=text, addressed=message["chat"]["type"] == "private")


def _says_nothing(message: Json, said: _Said, known: Known) -> bool:
    """A live location on its way, or a link that has got a preview."""
    if "location" in message:
        return True
    same = known.has_text(message["chat"]["id"], message["message_id"], said.text)
    return same and not said.files


def _moved(message: Json, me: Me, known: Known) -> Incoming | None:
    """Both chats tell that a group went on as a supergroup; either will do."""
    if "migrate_to_chat_id" in message:
        old, new = message["chat"]["id"], message["migrate_to_chat_id"]
    elif "migrate_from_chat_id" in message:
        old, new = message["migrate_from_chat_id"], message["chat"]["id"]
    else:
        return None
    room = known.room({**message["chat"], "id": new, "type": "supergroup"})
    return moved(me, room, int(old), int(new), _at(message["date"]))


def moved(me: Me, room: Room, old: int, new: int, at: datetime) -> Incoming:
    """A room goes on under another number."""
    return Incoming(
        address=address(me, new),
        kind=EventKind.MOVED,
        author=Author(id=me.account, name=me.name, is_bot=True),
        room=room,
        text="",
        at=at,
        moved_from=address(me, old),
    )


def _members(update: Json, told: Json, me: Me, known: Known) -> Incoming | None:
    who = author(told)
    if who is None:
        return None
    return members(me, told["chat"]["id"], known.room(told["chat"]), who, _at(told["date"]))


def members(me: Me, chat: int, room: Room, who: Author, at: datetime) -> Incoming:
    """Somebody came, left or became known."""
    return Incoming(
        address=address(me, chat), kind=EventKind.MEMBERS, author=who, room=room, text="", at=at
    )


def _reaction(update: Json, change: Json, me: Me, known: Known) -> Incoming | None:
    who = author(change)
    if who is None or who.id == me.account:
        return None
    chat, message = change["chat"]["id"], change["message_id"]
    before = [_emoji(one) for one in change["old_reaction"]]
    new = [emoji for emoji in map(_emoji, change["new_reaction"]) if emoji not in before]
    return Incoming(
        address=address(me, chat, known.thread_of(chat, message), message),
        kind=EventKind.REACTION,
        author=who,
        room=known.room(change["chat"]),
        text=" ".join(new),
        at=_at(change["date"]),
        version=int(update["update_id"]),  # a reaction has no count of its own
    )


def _emoji(reaction: Json) -> str:
    if reaction["type"] == "emoji":
        return str(reaction["emoji"])
    return "⭐" if reaction["type"] == "paid" else "[custom emoji]"


def _press(update: Json, query: Json, me: Me, known: Known, now: datetime) -> Incoming | None:
    message = query.get("message")
    if message is None or "data" not in query:
        return None
    return Incoming(
        address=address(me, message["chat"]["id"], thread(message), message["message_id"]),
        kind=EventKind.ACTION,
        author=person(query["from"]),
        room=known.room(message["chat"]),
        text=str(query["data"]),
        at=now,  # Telegram does not tell
        version=int(update["update_id"]),
    )


def thread(message: Json) -> str | None:
    """The topic it is in; replies outside of topics bear a thread id that is none."""
    if not message.get("is_topic_message") or "message_thread_id" not in message:
        return None
    found = str(int(message["message_thread_id"]))
    return None if found == GENERAL else found


def _text(message: Json, me: Me, known: Known) -> str:
    rewrite = _rewriter(me, known)
    words = (content.words(message, rewrite), content.placeholders(message))
    own = "\n".join(piece for piece in words if piece)
    if "forward_origin" in message:
        return foreign.forwarded(message, own)
    above = foreign.excerpt(message, rewrite)
    return f"{above}\n\n{own}".rstrip() if above else own


def _is_addressed(message: Json, me: Me) -> bool:
    if message["chat"]["type"] == "private":
        return True
    if "forward_origin" in message:
        return False  # whoever passes words on has not said them to us
    command = _command(message)
    if command is not None:
        name, _, bot = command.removeprefix("/").lower().partition("@")
        return bot == me.username.lower() if bot else not me.commands or name in me.commands
    # Also the root of a topic: where the bot opened it, it is spoken to.
    if (message.get("reply_to_message") or {}).get("from", {}).get("id") == me.id:
        return True
    text = content.plain(message)
    return any(_is_me(entity, cut(text, entity), me) for entity in content.entities(message))


def _is_me(entity: Json, shown: str, me: Me) -> bool:
    if entity["type"] == "text_mention":
        return bool(entity["user"]["id"] == me.id)
    return bool(
        entity["type"] == "mention" and shown.removeprefix("@").lower() == me.username.lower()
    )


def _command(message: Json) -> str | None:
    """The command a message begins with, such as `/status@some_bot`."""
    for entity in content.entities(message):
        if entity["type"] == "bot_command" and entity["offset"] == 0:
            return cut(content.plain(message), entity)
    return None


def _target(command: str) -> str:
    return command.partition("@")[2].lower()


def _rewriter(me: Me, known: Known) -> Callable[[Json, str], str]:
    def rewrite(entity: Json, shown: str) -> str:
        kind = entity["type"]
        ours = _target(shown) == me.username.lower()
        if kind == "bot_command" and (ours or (entity["offset"] == 0 and "@" not in shown)):
            return shown.partition("@")[0].lower()
        if kind in ("mention", "text_mention") and _is_me(entity, shown, me):
            return f"@{me.name}"
        if kind == "text_mention":
            return f"@{person(entity['user']).name}"
        if kind == "mention":
            return f"@{known.name_of(shown.removeprefix('@')) or shown.removeprefix('@')}"
        return shown

    return rewrite


def _at(seconds: int) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)


_READERS: dict[str, Callable[[Json, Json, Me, Known], Incoming | None]] = {
    "message": _message,
    "edited_message": _message,
    "channel_post": _message,
    "edited_channel_post": _message,
    "message_reaction": _reaction,
    "my_chat_member": _members,
    "chat_member": _members,
}
