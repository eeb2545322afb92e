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

from adapters.errors import Refused

_PLAIN = re.compile(r"[A-Za-z0-9_.~-]+", re.ASCII).fullmatch
_TURNING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Control signs, and those that make what follows run the other way."""
_LONGEST = 200  # signs of a name; of a longer one the end is kept too, for the kind of a file


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
    return part if _PLAIN(part) else quote(part, safe="", errors="replace")


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
    """People joined or left, or became known; only `room` matters."""
    MOVED = "moved"
    """The room goes on under `address`; `moved_from` is where it was."""


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


def one_line(name: str) -> str:
    """A name or title in which nothing breaks, turns round or buries the line it stands in."""
    line = " ".join(_TURNING.sub(" ", legible(name)).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 21]}…{line[-20:]}"


def _clean(value: object, *names: str) -> None:
    """Make fields of a frozen value legible; what is clean, as nearly all is, stays as it is."""
    for name in names:
        text = getattr(value, name)
        if text and ("\0" in text or not text.isascii()):
            object.__setattr__(value, name, legible(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """An account as its platform shows it."""

    id: str
    name: str
    """Empty where an event tells the id alone and nobody has been asked yet."""
    is_bot: bool = False
    email: str | None = None
    zone: str | None = None
    """The IANA name of the time zone that the platform shows for them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", one_line(self.name))
        _clean(self, "id", "email", "zone")


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
    gone: tuple[Author, ...] = ()
    """Where it does not: people who were seen to leave. Whoever else was there may still be."""
    outsiders: bool = False
    """People from outside the workspace hear it too: guests, shared channels."""
    partial: bool = False
    """Only what the event itself told, since nobody may be asked before it is stored: what was
    recorded of the room before holds, and a room of which nothing was hears as a closed one that
    may hold guests."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", one_line(self.title))
        _clean(self, "workspace")


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
    quoted: str = ""
    """The message it answers as a labelled quote (see `adapters.quotes`), for a reader who does not
    have that message. What somebody forwards or quotes in part belongs into `text`."""
    files: tuple["File", ...] = ()
    moved_from: "Address | None" = None
    """Of MOVED: the room's address until now."""

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError(f"Incoming.at must be aware, got {self.at!r}")
        # A half of a surrogate pair or a NUL can be sent by a client and stored by no database.
        _clean(self, "text", "quoted", "reply_to")


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file somebody sent: named, not yet fetched."""

    id: str
    """What `Chat.fetch` needs to find it, also after a restart; only the adapter reads it."""
    name: str
    mime: str = "application/octet-stream"
    size: int | None = None
    """Bytes; None where the platform does not say."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", one_line(self.name))
        _clean(self, "id", "mime")


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
    written: datetime | None = None
    """When it was put into the outbox: no try was earlier."""
    people: tuple[Author, ...] = ()
    """Whom the house knows in that room by their ids there, so that `@Name` becomes a mention."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How a platform's connection is."""

    up: bool
    note: str = ""
    """What is wrong or worth knowing and what to do about it, in one line; empty if all is well."""
    heard_at: datetime | None = None
    """When the platform last gave any sign of life: a frame, a pong, an empty answer."""
    event_at: datetime | None = None
    """When its last event came in."""


class Chat(ABC):
    """A chat platform.

    Law: `receive` is awaited before the platform is acknowledged, and nothing is asked of the
    platform before that. `send` raises only Retry, Refused or Unknown. `run` reconnects for ever
    and returns only when cancelled; what makes it impossible to go on is raised: Refused when only
    other settings can help, such as a revoked token.
    """

    name: str
    """The platform's word in addresses: `web`, `slack` …"""

    @property
    @abstractmethod
    def health(self) -> Health:
        """How the connection is now; asks nobody."""

    @abstractmethod
    async def started(self) -> str:
        """Where it can be reached, such as `Acme as @limen`, once it is connected.

        Raises what made the first connection impossible. May be awaited before `run`.
        """

    @abstractmethod
    async def run(self, receive: Receive) -> None:
        """Hold the connection and hand in every event until cancelled."""

    def parts(self, text: str) -> list[str]:
        """Cut Markdown into pieces that each fit one message of the platform, losing nothing.

        Pure, and the same for the same text. Each piece is a letter of its own.
        """
        return [text]

    def link(self, message: Address) -> str:
        """Where people can open a message; empty where the platform has no such address.

        Pure: it asks nobody.
        """
        return ""

    @abstractmethod
    async def send(self, letter: Outgoing) -> Receipt:
        """Post a letter; a second call with its key must not post twice if it can be helped.

        Formatting the platform rejects falls back to plain text. Waits for the platform's known
        limits before it posts.
        """

    @abstractmethod
    async def find(self, letter: Outgoing) -> Receipt | None:
        """Look whether a letter in doubt arrived; None when it certainly did not.

        Raises Retry when it cannot be told now, and Unknown when this platform can never tell.
        """

    async def fetch(self, file: File, *, limit: int) -> bytes:
        """The content of a file somebody sent.

        Raises Retry, or Refused when it is gone, larger than `limit` bytes or not ours to read.
        """
        raise Refused(f"{self.name} holds no files, so {file.name!r} cannot be read")

    @abstractmethod
    async def show_working(self, place: Address, working: bool) -> None:
        """Show or clear a sign that an answer is being prepared; never raises AdapterError.

        `place` names the message that is being answered where there is one.
        """

    async def show_progress(self, room: Address, text: str, shown: str | None) -> str | None:
        """Post one passing message, or edit the one `shown`; empty text takes it away.

        Returns what to hand in as `shown` next time, None where nothing stands. Never raises
        AdapterError: it is a courtesy.
        """
        return None
