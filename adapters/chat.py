"""The shape of a chat platform: what comes in, what goes out, and the law for both.

platform payload ──► Incoming ──► receive() commits ──► the platform is acknowledged
Outgoing ──► Chat.send() ──► Receipt | Retry | Refused | Unknown
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from urllib.parse import quote, unquote

_PLAIN = re.compile(r"[A-Za-z0-9_.~-]+", re.ASCII).fullmatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where something was said: one value from arrival to answer.

    Its canonical form is `platform:account/chat[/thread][#message]`, each part percent-encoded.
    Only the adapter of the platform interprets the parts.
    """

    platform: str
    account: str
    """The workspace, tenant or bot account on that platform."""
    chat: str
    thread: str | None = None
    """The root of the thread or topic; None in the chat itself."""
    message: str | None = None
    """None for the room as a whole."""

    def __str__(self) -> str:
        thread = f"/{_encoded(self.thread)}" if self.thread else ""
        tail = f"#{_encoded(self.message)}" if self.message else ""
        return f"{self.platform}:{_encoded(self.account)}/{_encoded(self.chat)}{thread}{tail}"

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Read the canonical form; ValueError says what is wrong with it."""
        platform, colon, rest = text.partition(":")
        path, _, message = rest.partition("#")
        parts = [unquote(part) for part in path.split("/")]
        if not colon or not platform or len(parts) not in (2, 3) or not all(parts):
            raise ValueError(
                f"address must look like 'platform:account/chat[/thread][#message]', got {text!r}"
            )
        thread = parts[2] if len(parts) == 3 else None
        return cls(
            platform=platform,
            account=parts[0],
            chat=parts[1],
            thread=thread,
            message=unquote(message) or None,
        )

    @property
    def room(self) -> "Address":
        """The chat or thread this was said in, without the message."""
        if self.message is None:
            return self
        return Address(
            platform=self.platform, account=self.account, chat=self.chat, thread=self.thread
        )

    @property
    def parent(self) -> "Address | None":
        """The chat a thread hangs in; None for a chat itself."""
        return replace(self, thread=None, message=None) if self.thread else None


def _encoded(part: str) -> str:
    # written several times a message, and hardly ever is there anything to encode
    return part if _PLAIN(part) else quote(part, safe="")


class EventKind(StrEnum):
    """What happened to a message or a room."""

    NEW = "new"
    """A message was posted."""
    EDIT = "edit"
    """Its author changed it; `text` is the whole new text."""
    RECALL = "recall"
    """It was deleted or recalled; `text` is empty."""
    REACTION = "reaction"
    """Someone reacted; `text` is the emoji, empty when it was taken back."""
    ACTION = "action"
    """Someone pressed a button; `text` is the button's value."""
    MEMBERS = "members"
    """People joined or left; only `room` matters."""


class RoomKind(StrEnum):
    """How a room is shaped."""

    DIRECT = "direct"
    """One person and the bot."""
    GROUP = "group"
    """Several people, a group DM among them."""


def legible(text: str) -> str:
    """The same text with what no database can store replaced by U+FFFD."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\ufffd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """An account as its platform shows it."""

    id: str
    name: str
    is_bot: bool = False
    email: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", legible(self.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Who can hear what is said in a room, as far as the platform tells."""

    title: str
    kind: RoomKind
    open: bool
    """Anybody of the workspace may walk in and read."""
    workspace: str
    members: tuple[Author, ...] = ()
    """The people in it, without the bot."""
    complete: bool = True
    """False where the platform does not list everybody."""
    outsiders: bool = False
    """People from outside the workspace hear it too: guests, shared channels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """One event of a platform, parsed once."""

    address: Address
    """The full address of the message; of the room for MEMBERS."""
    kind: EventKind
    author: Author
    room: Room
    text: str
    at: datetime
    """When it was said, by the platform's clock; aware."""
    version: int = 1
    """Rises with every edit of the same message; a time stamp where the platform has no count."""
    addressed: bool = False
    """A mention, a reply to the bot, or a DM. The bot adds its own name in plain text."""
    reply_to: str | None = None
    """The message id this one answers or quotes."""
    files: tuple["File", ...] = ()

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError(f"Incoming.at must be aware, got {self.at!r}")
        # A half of a surrogate pair or a NUL can be sent by a client and stored by no database.
        object.__setattr__(self, "text", legible(self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file somebody sent: named, not yet fetched."""

    id: str
    name: str
    mime: str = "application/octet-stream"
    size: int | None = None
    """Bytes; None where the platform does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A choice under a message; pressing it comes back as ACTION with `value`."""

    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One letter, ready to be posted."""

    key: str
    """The same for every try of the same letter, at most 50 signs: an idempotency key."""
    room: Address
    text: str
    """Markdown."""
    reply_to: str | None = None
    buttons: tuple[Button, ...] = field(default=())
    possible_repeat: bool = False
    """An earlier try may have arrived; mark it where the platform cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The platform's word that a letter was posted."""

    message: str
    """Its message id."""
    at: datetime


Receive = Callable[[Incoming], Awaitable[None]]
"""Commits an event durably before it returns. Repeats are harmless. Raises `errors.Retry` when it
cannot commit now, and then the platform must not be acknowledged; anything else it raises will be
raised again for the same event."""


class Chat(ABC):
    """A chat platform.

    Law: `receive` is awaited before the platform is acknowledged, and nothing is asked of the
    platform before that. `send` raises only Retry, Refused or Unknown. `run` reconnects for ever
    and returns only when cancelled; what makes it impossible to go on is raised.
    """

    name: str
    """The platform's word in addresses: `web`, `slack` …"""

    @abstractmethod
    async def run(self, receive: Receive) -> None:
        """Hold the connection and hand in every event until cancelled."""

    @abstractmethod
    async def send(self, letter: Outgoing) -> Receipt:
        """Post a letter; a second call with its key must not post twice if it can be helped."""

    @abstractmethod
    async def find(self, letter: Outgoing) -> Receipt | None:
        """Look whether a letter in doubt arrived; None when it did not or cannot be told."""

    @abstractmethod
    async def show_working(self, room: Address, working: bool) -> None:
        """Show or clear a sign that an answer is being prepared; never raises AdapterError."""
