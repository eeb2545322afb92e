"""The chat platform of the soak: it outlives the house, and remembers every letter it was given."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from adapters.chat import Address, Chat, File, Health, Outgoing, Receipt, Receive

PLATFORM = "team"


@dataclass(frozen=True, slots=True)
class Posted:
    """A letter as it stands in its chat."""

    id: str
    chat: str
    text: str
    at: datetime


@dataclass(slots=True)
class Town:
    """What the people of the team see, whichever house is alive."""

    posts: dict[str, Posted] = field(default_factory=dict)
    """By the letter's key."""
    twice: list[str] = field(default_factory=list)
    """What was posted although it stood there already."""
    chats: Counter[str] = field(default_factory=Counter)
    """How many letters each chat was given."""

    def take(self, letter: Outgoing, now: datetime) -> Posted:
        """Post a letter, as a platform does that knows no idempotency keys."""
        if letter.key in self.posts:
            self.twice.append(letter.text)
        posted = Posted(f"b{len(self.posts)}", letter.room.chat, letter.text, now)
        self.posts[letter.key] = posted
        self.chats[posted.chat] += 1
        return posted


class Wire(Chat):
    """One house's connection to the town."""

    name = PLATFORM

    def __init__(self, town: Town) -> None:
        self._town = town
        self._clock: Callable[[], datetime] | None = None
        self.dying = False
        """The town takes what is sent, and the house never hears of it."""
        self.lost = asyncio.Event()
        """Set when the first answer was lost so."""

    def timed(self, clock: Callable[[], datetime]) -> None:
        """The house's clock, known once there is a house."""
        self._clock = clock

    @property
    def health(self) -> Health:
        """Always well."""
        return Health(up=True)

    async def started(self) -> str:
        """At once."""
        return self.name

    async def run(self, receive: Receive) -> None:
        """People are handed in by the soak itself."""
        await asyncio.Event().wait()

    async def send(self, letter: Outgoing) -> Receipt:
        """Post it; the answer is lost where the house is about to die."""
        assert self._clock is not None
        posted = self._town.take(letter, self._clock())
        if self.dying:
            self.lost.set()
            await asyncio.Event().wait()
        return Receipt(message=posted.id, at=posted.at)

    async def find(self, letter: Outgoing) -> Receipt | None:
        """Look it up by its key."""
        posted = self._town.posts.get(letter.key)
        return Receipt(message=posted.id, at=posted.at) if posted else None

    async def fetch(self, file: File, *, limit: int) -> bytes:
        """A few lines about whatever the file is called."""
        return f"Notes on {file.name}\n\nEverything as agreed, nothing else to tell.\n".encode()

    async def show_working(self, place: Address, working: bool) -> None:
        """Nobody looks."""
