"""What every loopback chat platform can do: people act on it, faults befall it, posts are read."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Somebody with an account there; `id` is the test's own word for them, such as `mo`."""

    id: str
    name: str
    email: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A room there; `id` is the test's own word for it, such as `project`."""

    id: str
    title: str
    open: bool
    members: tuple[str, ...]


DIRECT = "direct"
"""As a room: the DM of whoever acts and the bot."""

MEMBERS = (
    Member(id="lin", name="Lin", email="lin@example.org"),
    Member(id="wei", name="Wei", email="wei@example.org"),
    Member(id="mo", name="Mo", email="mo@example.org"),
    Member(id="ana", name="Ana", email="ana@example.org"),
    Member(id="bo", name="Bo", email="bo@example.org"),
    Member(id="kai", name="Kai", email="kai@example.org"),
)
PLACES = (
    Place(id="general", title="general", open=True, members=tuple(m.id for m in MEMBERS)),
    Place(id="architecture", title="architecture", open=True, members=("lin", "wei", "mo")),
    Place(id="project", title="project", open=True, members=("wei", "ana", "bo")),
    Place(id="hiring", title="hiring", open=False, members=("lin", "kai")),
)


class Fault(StrEnum):
    """What may befall one call of the bot's."""

    LIMITED = "limited"
    """429 with a wait of one second."""
    BROKEN = "broken"
    """A server error; nothing was done."""
    LOST = "lost"
    """It was done, and the connection broke before the answer."""
    UNFORMATTED = "unformatted"
    """The formatting is rejected; the same words as plain text would be taken."""
    EXPIRED = "expired"
    """The token is refused this once, where a fresh one can be had; elsewhere like BROKEN."""
    GONE = "gone"
    """The room is archived, or the bot was thrown out: refused for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """A message of the bot's as it stands on the platform now."""

    id: str
    room: str
    """The test's word for the room; `direct:mo` for Mo's DM."""
    text: str
    """What a reader sees, without markup."""
    thread: str | None = None
    reply_to: str | None = None
    buttons: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    """The test's words for the people it really mentions."""


class Platform(ABC):
    """A platform's server on loopback, holding its state over restarts of the bot.

    An async context manager: it serves inside. Rooms and people are those above.
    """

    name: str
    bot_name = "Limen"

    def __init__(self) -> None:
        self.changed = asyncio.Condition()

    @abstractmethod
    async def __aenter__(self) -> Self: ...

    @abstractmethod
    async def __aexit__(self, *error: object) -> None: ...

    @property
    @abstractmethod
    def env(self) -> dict[str, str]:
        """The settings that point Limen at it, such as `LIMEN_SLACK__BASE_URL`."""

    # people act; each returns the platform's id of the message concerned

    @abstractmethod
    async def say(
        self,
        who: str,
        room: str,
        text: str,
        *,
        mention: bool = False,
        thread: str | None = None,
        reply_to: str | None = None,
    ) -> str:
        """Post; `mention` puts a real mention of the bot in front; `thread` names a root or topic.

        Delivered when the bot is connected, kept for it otherwise, as the platform does.
        """

    @abstractmethod
    async def edit(self, who: str, room: str, message: str, text: str) -> None: ...

    @abstractmethod
    async def recall(self, who: str, room: str, message: str) -> None:
        """Delete it; platforms that tell bots nothing of this do so without an event."""

    @abstractmethod
    async def react(self, who: str, room: str, message: str, emoji: str) -> None: ...

    @abstractmethod
    async def press(self, who: str, room: str, message: str, label: str) -> None:
        """Press the button with a label under a message of the bot's."""

    @abstractmethod
    async def send_file(
        self, who: str, room: str, name: str, mime: str, content: bytes, text: str = ""
    ) -> str: ...

    @abstractmethod
    async def join(self, who: str, room: str) -> None: ...

    @abstractmethod
    async def leave(self, who: str, room: str) -> None: ...

    # what stands there

    @abstractmethod
    def posts(self, room: str | None = None) -> list[Posted]:
        """The bot's messages that stand there, oldest first; `direct:mo` for Mo's DM."""

    @abstractmethod
    def acknowledged(self, message: str) -> bool:
        """Whether the bot has acknowledged every event of a message."""

    @abstractmethod
    def calls(self, method: str = "") -> list[str]:
        """The methods the bot called, in order; only those that contain `method`."""

    @property
    @abstractmethod
    def connections(self) -> int:
        """How many live connections, or pollers, the bot holds."""

    # faults

    @abstractmethod
    def befall(self, fault: Fault, *, times: int = 1) -> None:
        """Let it befall the next posts of messages."""

    @abstractmethod
    async def redeliver(self, message: str) -> None:
        """Deliver an event once more, as the platform does when it doubts the first."""

    @abstractmethod
    async def hang_up(self) -> None:
        """Close the live connection; the next one is welcome."""

    @abstractmethod
    async def go_silent(self) -> None:
        """The live connection stays open, and nothing comes over it any more; the next is well."""

    @abstractmethod
    async def send_garbage(self) -> None:
        """Deliver one event of the right envelope that nobody can understand."""

    @abstractmethod
    def revoke(self) -> None:
        """The credentials are no longer valid, for ever."""

    # for tests

    async def until(self, holds: Callable[[], bool], seconds: float = 20.0) -> None:
        """Wait until something holds of this server; every change of it is a moment to look."""
        async with asyncio.timeout(seconds), self.changed:
            await self.changed.wait_for(holds)

    async def until_posts(self, room: str, count: int = 1, seconds: float = 20.0) -> list[Posted]:
        """Wait for so many posts of the bot's in a room."""
        await self.until(lambda: len(self.posts(room)) >= count, seconds)
        return self.posts(room)

    async def tell(self) -> None:
        """Let everybody who waits look again."""
        async with self.changed:
            self.changed.notify_all()
