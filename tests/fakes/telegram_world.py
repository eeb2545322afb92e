"""Telegram's own state: chats, people, messages and the updates that wait for the bot."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.fakes.platform import DIRECT, MEMBERS, PLACES, Posted
from tests.fakes.telegram_rules import bad

Json = dict[str, Any]

BOT = 80010001
PEOPLE = {member.id: 70010001 + n for n, member in enumerate(MEMBERS)}
GROUPS = {place.id: -1002000000001 - n for n, place in enumerate(PLACES)}
NAMES = {PEOPLE[member.id]: member.name for member in MEMBERS}
WORDS = {id: word for word, id in PEOPLE.items()}
UNASKED = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
"""Updates that come only to those who name them in allowed_updates."""


def user(id: int) -> Json:
    """A person as an update shows them."""
    word = WORDS.get(id, f"user{id}")
    return {
        "id": id, "is_bot": False, "first_name": NAMES.get(id, word), "username": f"{word}_t",
    }  # fmt: skip


def utc_now() -> int:
    """The server's time in seconds."""
    return int(datetime.now(UTC).timestamp())


FUTURE = 10  # updates that an offset may be ahead


@dataclass
class World:
    """Everything Telegram remembers of one bot."""

    username: str
    first_name: str
    now: Callable[[], int] = utc_now
    messages: dict[tuple[int, int], Json] = field(default_factory=dict)
    """Messages that stand there, of people and of the bot, by chat and message id."""
    updates: list[Json] = field(default_factory=list)
    """Not yet confirmed, oldest first."""
    all_updates: list[Json] = field(default_factory=list)
    _about: defaultdict[str | None, list[Json]] = field(default_factory=lambda: defaultdict(list))
    """The same by the message they are about."""
    replayed: list[Json] = field(default_factory=list)
    """Delivered once more whatever was confirmed."""
    confirmed: int = 0
    """Every update below is confirmed."""
    allowed: tuple[str, ...] = ()
    members: dict[int, list[int]] = field(default_factory=dict)
    topics: dict[int, set[int]] = field(default_factory=dict)
    moved: dict[int, int] = field(default_factory=dict)
    blocked: set[int] = field(default_factory=set)
    """Chats the bot was thrown out of, and people who blocked it."""
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """Path and content by file id."""
    big_files: set[str] = field(default_factory=set)
    """Files larger than a bot may fetch."""
    reactions: dict[tuple[int, int, int], str] = field(default_factory=dict)
    """The emoji by chat, message and person."""
    others: dict[int, Json] = field(default_factory=dict)
    """Chats that injected updates tell of."""
    _update: int = 510000000
    _message: int = 100

    def __post_init__(self) -> None:
        for place in PLACES:
            self.members[GROUPS[place.id]] = [PEOPLE[word] for word in place.members]

    @property
    def me(self) -> Json:
        """The bot as a user."""
        return {
            "id": BOT, "is_bot": True, "first_name": self.first_name, "username": self.username,
        }  # fmt: skip

    def chat_id(self, who: str, room: str) -> int:
        """The native id of a test's word for a room."""
        if room == DIRECT:
            return PEOPLE[who]
        if room.startswith("direct:"):
            return PEOPLE[room.removeprefix("direct:")]
        return self.moved.get(GROUPS[room], GROUPS[room])

    def word(self, chat: int) -> str:
        """The test's word for a room; its number where it has none."""
        old = {new: old for old, new in self.moved.items()}.get(chat, chat)
        known = {id: word for word, id in GROUPS.items()}
        return f"direct:{WORDS[chat]}" if chat in WORDS else known.get(old, str(chat))

    def chat(self, id: int) -> Json:
        """A chat as an update shows it."""
        if id in self.others:
            return self.others[id]
        if id > 0:
            names = {key: value for key, value in user(id).items() if key != "is_bot"}
            return {"type": "private", **names}
        title = next((p.title for p in PLACES if p.id == self.word(id)), "Group")
        forum = {"is_forum": True} if self.topics.get(id) else {}
        return {"id": id, "type": "supergroup", "title": title, **forum}

    def knows(self, chat: int) -> bool:
        """Whether there is such a chat."""
        ours = {*PEOPLE.values(), *GROUPS.values(), *self.moved.values()}
        return chat in ours or chat in self.others

    def root(self, who: int, chat: int, thread: int) -> Json:
        """The message a topic begins with: one that stands there, or that of its making."""
        made = {
            "message_id": thread, "from": user(who), "chat": self.chat(chat), "date": self.now(),
            "forum_topic_created": {"name": f"Topic {thread}", "icon_color": 7322096},
        }  # fmt: skip
        found = self.messages.get((chat, thread), made)
        return {key: value for key, value in found.items() if key != "reply_to_message"}

    def next_message(self) -> int:
        """One count for all chats, so that a test may name a message by its number alone."""
        self._message += 1
        return self._message

    def message(self, who: int, chat: int, **content: Any) -> Json:
        """A message of a person's, standing in its chat."""
        made = {
            "message_id": self.next_message(), "from": user(who), "chat": self.chat(chat),
            "date": self.now(), **content,
        }  # fmt: skip
        self.messages[chat, made["message_id"]] = made
        return made

    def tell(self, kind: str, content: Any) -> int:
        """Put an update into the bot's queue, whatever its content is."""
        self._update += 1
        return self.inject({"update_id": self._update, kind: copy(content)})

    def inject(self, update: Json) -> int:
        """Put an update into the queue as it stands."""
        self._update = max(self._update, int(update["update_id"]))
        chat = _content(update).get("chat")
        if (
            isinstance(chat, dict)
            and isinstance(chat.get("id"), int)
            and not self.knows(chat["id"])
        ):
            self.others[chat["id"]] = chat
        self.updates.append(update)
        self.all_updates.append(update)
        self._about[_message_of(update)].append(update)
        return int(update["update_id"])

    def confirm(self, offset: int) -> None:
        """An offset confirms everything below it; one far above all that was told means nothing."""
        if 0 < offset <= self._update + FUTURE:
            self.confirmed = max(self.confirmed, offset)
            self.updates = [u for u in self.updates if u["update_id"] >= offset]

    def count_anew(self) -> None:
        """As after a week without updates: the next one has a number far below the last."""
        self._update -= 100_000
        self.confirmed = 0
        self.all_updates.clear()
        self._about.clear()

    def due(self, limit: int) -> list[Json]:
        """What a poll gets."""
        again, self.replayed = self.replayed, []
        wanted = [u for u in self.updates if self._is_wanted(u)]
        return (again + wanted)[:limit]

    def _is_wanted(self, update: Json) -> bool:
        kind = next((key for key in update if key != "update_id"), "")
        return kind in self.allowed if self.allowed else kind not in UNASKED

    def concerning(self, message: str) -> list[Json]:
        """Every update of a message id of ours."""
        return self._about.get(message, [])

    def standing(self, chat: int, message: int) -> Json:
        """A message that is there, or the API's refusal."""
        found = self.messages.get((chat, message))
        if found is None:
            raise bad("message to edit not found")
        return found

    def posts(self, chat: int | None) -> list[Posted]:
        """The bot's messages that stand there."""
        return [
            self._posted(where, message)
            for (where, _), message in self.messages.items()
            if message["from"]["id"] == BOT and chat in (None, where)
        ]

    def _posted(self, chat: int, message: Json) -> Posted:
        keyboard = message.get("reply_markup", {}).get("inline_keyboard", [])
        reply = message.get("reply_to_message")
        thread = message.get("message_thread_id")
        return Posted(
            id=str(message["message_id"]),
            room=self.word(chat),
            text=str(message.get("text") or message.get("caption") or ""),
            thread=str(thread) if thread else None,
            reply_to=str(reply["message_id"]) if reply else None,
            buttons=tuple(button["text"] for row in keyboard for button in row),
            mentions=_mentioned(message.get("entities", ())),
        )


def _mentioned(entities: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    users = [int(e["user"]["id"]) for e in entities if e["type"] == "text_mention"]
    return tuple(WORDS.get(id, str(id)) for id in users)


def _content(update: Json) -> Json:
    content = next((value for key, value in update.items() if key != "update_id"), None)
    return content if isinstance(content, dict) else {}


def _message_of(update: Json) -> str:
    content = _content(update)
    if isinstance(content.get("message"), dict):  # a press tells the message it was made under
        content = content["message"]
    return str(content.get("message_id", ""))
