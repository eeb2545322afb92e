"""The values of the web chat: people, rooms, posts and what happened to them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from adapters.chat import Button

BOT = "bot"
"""The author id of the bot; no person may have it."""


class Access(StrEnum):
    """Who may come into a room."""

    OPEN = "open"
    """Everybody may read it and walk in."""
    PRIVATE = "private"
    """Only its members know that it exists."""
    DIRECT = "direct"
    """One person and the bot."""


class Happening(StrEnum):
    """What an event in the log tells; all but `PERSON` have a twin in `EventKind`."""

    NEW = "new"
    """Something was posted, by a person or by the bot."""
    EDIT = "edit"
    """The author changed a post."""
    RECALL = "recall"
    """The author deleted a post."""
    REACTION = "reaction"
    """Someone reacted; an empty text takes it back."""
    ACTION = "action"
    """Someone pressed a button; the text is its value."""
    MEMBERS = "members"
    """A room was made, or its members changed."""
    PERSON = "person"
    """A person was added to the team."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody in the team."""

    id: str
    name: str
    about: str = ""
    """What they do, in a few words; shown beside the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room and the people in it."""

    id: str
    title: str
    """Without the number sign; a DM bears the person's name."""
    access: Access
    members: tuple[Person, ...] = ()

    def has(self, person: str) -> bool:
        """Whether this person is in it."""
        return any(member.id == person for member in self.members)

    @property
    def shown_title(self) -> str:
        """The title as people write it: `#project`, or the person's name for a DM."""
        return self.title if self.access is Access.DIRECT else f"#{self.title}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A room as it stands in one person's list."""

    room: Room
    joined: bool
    unread: int
    """Posts of others since the last look, counted up to 100."""
    last_at: datetime | None
    """When something was last posted; None in a fresh room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """One emoji under a post, and who put it there."""

    emoji: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """The post that another one answers, shortened."""

    id: str
    author: str
    author_name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """One message. A deleted one stays, without its text."""

    id: str
    room: str
    author: str
    """A person id, or `BOT`."""
    author_name: str
    """Empty for the bot, whose name is a setting."""
    text: str
    """Markdown."""
    at: datetime
    version: int = 1
    """Rises with every edit."""
    thread: str | None = None
    """The post this thread hangs under; None in the room itself."""
    edited: bool = False
    deleted: bool = False
    quote: Quote | None = None
    buttons: tuple[Button, ...] = ()
    """The choices still open; empty once one was pressed."""
    chosen: str | None = None
    """The label that was pressed."""
    chosen_by: str | None = None
    """The name of the person who pressed it."""
    reactions: tuple[Reaction, ...] = ()
    replies: int = 0
    """Posts in the thread under it."""
    replied_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of the log: what the pages follow, and what the bot must be told."""

    id: int
    """The sequence; pages resume after it."""
    kind: Happening
    room: str | None
    """None only for `PERSON`."""
    post: str | None
    person: str | None
    """Who did it; None for the bot."""
    text: str
    """The text at that moment; kept only until the bot was told."""
    version: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSeed:
    """A person to be there from the first start."""

    id: str
    name: str
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSeed:
    """A room to be there from the first start."""

    id: str
    title: str
    access: Access
    members: tuple[str, ...]
    """Person ids."""
