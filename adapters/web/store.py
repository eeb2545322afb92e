"""The shape of the web chat's memory: the platform's own rooms, posts and event log.

person posts ──► post + event (due to the bot), one transaction ──► pages wake
                              └──► WebChat hands it to `receive` ──► told()
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence

from adapters.chat import Button
from adapters.web.rooms import (
    Access,
    Event,
    Listed,
    Person,
    PersonSeed,
    Post,
    Room,
    RoomSeed,
)


class Store(ABC):
    """Keeps the web chat.

    Law: what people do is checked here and raises `Missing`, `Denied`, `Conflict` or `Invalid`
    (adapters.web.errors); a room that a person may not see is `Missing`. An event that the bot
    must be told is written in the transaction of the deed itself and stays due until `told`.
    After every write that made an event the listeners are called on the event loop. A store
    that cannot be used raises `Unavailable`.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever an event was stored; it must not block."""
        self._listeners.append(listener)

    def happened(self) -> None:
        """Tell the listeners; for implementations."""
        for listener in self._listeners:
            listener()

    @abstractmethod
    async def seed(self, people: Sequence[PersonSeed], rooms: Sequence[RoomSeed]) -> None:
        """Make what is not there yet by id; what people changed since is left alone."""

    @abstractmethod
    async def people(self) -> list[Person]:
        """Everybody, in the order they came."""

    @abstractmethod
    async def person(self, person: str) -> Person:
        """One person; Missing when there is none."""

    @abstractmethod
    async def add_person(self, name: str, about: str = "") -> Person:
        """Add somebody, with a DM of their own; Conflict when the name is taken."""

    @abstractmethod
    async def rooms(self, person: str) -> list[Listed]:
        """The rooms a person may see: their own and every open one."""

    @abstractmethod
    async def room(self, room: str) -> Room:
        """One room, whoever asks; Missing when there is none."""

    @abstractmethod
    async def room_for(self, person: str, room: str) -> Room:
        """One room that this person may read; Missing otherwise."""

    @abstractmethod
    async def create_room(
        self, person: str, title: str, access: Access, members: Sequence[str]
    ) -> Room:
        """Make a group room; its maker is a member. Conflict when the title is taken."""

    @abstractmethod
    async def direct(self, person: str) -> Room:
        """The person's DM with the bot, made on demand."""

    @abstractmethod
    async def join(self, person: str, room: str) -> Room:
        """Walk into an open room; harmless when already there."""

    @abstractmethod
    async def leave(self, person: str, room: str) -> None:
        """Walk out of a room; DMs cannot be left."""

    @abstractmethod
    async def invite(self, person: str, room: str, guest: str) -> Room:
        """A member brings somebody in."""

    @abstractmethod
    async def mark_read(self, person: str, room: str) -> None:
        """Everything in the room was seen; makes no event."""

    @abstractmethod
    async def posts(
        self, room: str, *, thread: str | None = None, before: str | None = None, limit: int = 50
    ) -> list[Post]:
        """The latest posts of a room, or of a thread with its root, oldest first."""

    @abstractmethod
    async def post(self, post: str) -> Post:
        """One post, whoever asks; Missing when there is none."""

    @abstractmethod
    async def post_for(self, person: str, post: str) -> Post:
        """One post that this person may read; Missing otherwise."""

    @abstractmethod
    async def say(
        self,
        person: str,
        room: str,
        text: str,
        *,
        thread: str | None = None,
        reply_to: str | None = None,
        key: str | None = None,
    ) -> Post:
        """A member posts; the same key again gives the post that is there."""

    @abstractmethod
    async def edit(self, person: str, post: str, text: str) -> Post:
        """The author changes a post."""

    @abstractmethod
    async def delete(self, person: str, post: str) -> Post:
        """The author takes a post back; a tombstone stays."""

    @abstractmethod
    async def react(self, person: str, post: str, emoji: str, on: bool) -> Post:
        """A member reacts, or takes it back; repeating it changes nothing."""

    @abstractmethod
    async def press(self, person: str, post: str, value: str) -> Post:
        """A member presses a button, which settles the row; Conflict when it was settled."""

    @abstractmethod
    async def post_as_bot(
        self,
        key: str,
        room: str,
        text: str,
        *,
        thread: str | None = None,
        reply_to: str | None = None,
        buttons: Sequence[Button] = (),
    ) -> Post:
        """The bot posts; the same key again gives the post that is there."""

    @abstractmethod
    async def find(self, key: str) -> Post | None:
        """The bot's post of that key; None when it never arrived."""

    @abstractmethod
    async def events(self, person: str, after: int, limit: int = 200) -> list[Event]:
        """The log after a sequence number, as far as this person may see it."""

    @abstractmethod
    async def last_event(self) -> int:
        """The newest sequence number; 0 when nothing ever happened."""

    @abstractmethod
    async def due(
        self, but: Collection[str] = (), *, share: int = 8, limit: int = 200
    ) -> list[Event]:
        """Events that the bot was not told, oldest first: of every room the `share` oldest.

        Those of the rooms in `but` are left out.
        """

    @abstractmethod
    async def told(self, events: Sequence[int]) -> None:
        """The bot committed these; they are never due again."""
