"""A whole house with a chat and a model of the benchmark's own, and people who talk in it."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from adapters.chat import (
    Address,
    Author,
    Chat,
    EventKind,
    Health,
    Incoming,
    Outgoing,
    Receipt,
    Receive,
    Room,
    RoomKind,
)
from bot.app import Surroundings, open_house
from bot.house import House
from bot.models.model import Block, Model, Request, Response, Stop, Usage
from bot.setup import config as configuration
from bot.setup.config import Config

PLATFORM = "bench"
PEOPLE = tuple(Author(id=f"u{n}", name=f"Person {n}") for n in range(24))
MEMBERS = 6  # people in a room
START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def settings(folder: Path, **keys: object) -> Config:
    """Settings with a folder of their own; keywords are environment keys: `bot__debounce="0s"`."""
    env = {f"LIMEN_{key.upper()}": str(value) for key, value in keys.items()}
    fixed = {
        "LIMEN_BOT__DATA_DIR": str(folder),
        "LIMEN_BOT__TIMEZONE": "UTC",
        "LIMEN_WEB__TOKEN": "operator-token",
    }
    return configuration.load(None, fixed | env)


def room_address(n: int) -> Address:
    """The address of the n-th room."""
    return Address(platform=PLATFORM, account="team", chat=f"room{n}")


def room(n: int) -> Room:
    """The n-th room as its platform shows it."""
    members = tuple(PEOPLE[(n + i) % len(PEOPLE)] for i in range(MEMBERS))
    return Room(
        title=f"room {n}", kind=RoomKind.GROUP, open=True, workspace="team", members=members
    )


def message(
    n: int, id: str, text: str, *, addressed: bool = False, at: datetime = START
) -> Incoming:
    """A message in the n-th room."""
    return Incoming(
        address=Address(platform=PLATFORM, account="team", chat=f"room{n}", message=id),
        kind=EventKind.NEW,
        author=room(n).members[len(id) % MEMBERS],
        room=room(n),
        text=text,
        at=at,
        addressed=addressed,
    )


@dataclass(slots=True)
class Stamps:
    """When an addressed message passed which point; seconds of `perf_counter`."""

    accepted: float = 0.0
    asked: float = 0.0
    answered: float = 0.0
    sent: float = 0.0
    posted: asyncio.Event = field(default_factory=asyncio.Event)


class StampingModel(Model):
    """Answers at once, and notes when it was asked."""

    name = "stamping"
    context_tokens = 200_000

    def __init__(self, stamps: Stamps) -> None:
        self._stamps = stamps

    async def complete(self, request: Request) -> Response:
        """Say something in conversations; elsewhere nothing is done."""
        if request.role != "conversation":
            return _answer({"type": "text", "text": "Nothing to do."}, Stop.END_TURN)
        self._stamps.asked = time.perf_counter()
        use = {
            "type": "tool_use",
            "id": "use_1",
            "name": "say",
            "input": {"text": "Noted, thanks."},
        }
        answer = _answer(use, Stop.TOOL_USE)
        self._stamps.answered = time.perf_counter()
        return answer


class StampingChat(Chat):
    """Takes every letter at once, and notes when."""

    name = PLATFORM

    def __init__(self, stamps: Stamps) -> None:
        self._stamps = stamps
        self._sent = 0

    @property
    def health(self) -> Health:
        """Always well."""
        return Health(up=True)

    async def started(self) -> str:
        """At once."""
        return self.name

    async def run(self, receive: Receive) -> None:
        """Nothing comes in by itself."""
        await asyncio.Event().wait()

    async def send(self, letter: Outgoing) -> Receipt:
        """Note the moment."""
        self._stamps.sent = time.perf_counter()
        self._stamps.posted.set()
        self._sent += 1
        return Receipt(message=f"b{self._sent}-{letter.key}", at=START)

    async def find(self, letter: Outgoing) -> Receipt | None:
        """Nothing is ever in doubt."""
        return None

    async def show_working(self, room: Address, working: bool) -> None:
        """Nobody looks."""


@dataclass(frozen=True, slots=True)
class World:
    """A living house and what its chat and model noted."""

    house: House
    stamps: Stamps

    async def rest(self) -> None:
        """Return once everything that was set off is done."""
        calm = 0
        while calm < 5:
            calm = 0 if self.house.busy() else calm + 1
            await asyncio.sleep(0.001)

    async def answer(self, incoming: Incoming) -> tuple[float, float]:
        """Have an addressed message answered; seconds before the model, and seconds after it."""
        self.stamps.posted.clear()
        await self.house.intake.receive(incoming)
        self.stamps.accepted = time.perf_counter()
        await asyncio.wait_for(self.stamps.posted.wait(), 60)
        before = self.stamps.asked - self.stamps.accepted
        return before, self.stamps.sent - self.stamps.answered


@asynccontextmanager
async def living(
    folder: Path, *, model: Model | None = None, chat: Chat | None = None, **keys: object
) -> AsyncIterator[World]:
    """A house on the real clock that runs until the block ends."""
    stamps = Stamps()
    around = Surroundings(
        model=model or StampingModel(stamps), chats=(chat or StampingChat(stamps),), serve=False
    )
    defaults: dict[str, object] = {"bot__debounce": "0s", "web__enabled": False}
    async with open_house(settings(folder, **(defaults | keys)), around) as house:
        task = asyncio.create_task(house.live(), name="house")
        gc.collect()
        gc.freeze()  # as `limen run` does
        try:
            yield World(house, stamps)
        finally:
            gc.unfreeze()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _answer(block: Block, stop: Stop) -> Response:
    usage = Usage(input_tokens=1, output_tokens=1)
    return Response(content=[block], stop=stop, usage=usage, model="stamping")
