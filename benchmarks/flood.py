"""One chat floods, others ask: how long their answers take, beside quiet stretches of the run."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median, quantiles

from adapters.chat import Incoming, Outgoing, Receipt
from benchmarks import past, report
from benchmarks.corpus import Corpus
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from benchmarks.world import StampingChat, Stamps, World, living, message

RATE = 500  # messages a second in the chat that floods
ADDRESSED = 20  # of so many messages one is said to the bot
ASKING = range(1, 6)  # rooms in which somebody asks once a second
EVERY_S = 1.0
TARGET = 2.0
PATIENCE_S = 120.0
ORIGINALS = 1_000
ROUNDS = 2
DEBOUNCE = "800ms"  # the default
TEXTS = 20_000  # drawn beforehand, since drawing takes time


class Noting(StampingChat):
    """Takes letters at once, and rings for their room."""

    def __init__(self) -> None:
        super().__init__(Stamps())
        self.said: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    async def send(self, letter: Outgoing) -> Receipt:
        """Note whose it is."""
        self.said[letter.room.chat].set()
        return await super().send(letter)


@dataclass(slots=True)
class Tide:
    """What became of a flood."""

    sent: int = 0
    stored: int = 0
    most: int = 0
    """The most that waited to be stored."""
    meanwhile: int = 0
    """Of those stored, how many were before the flood ended."""
    seconds: float = 0.0
    open: set["asyncio.Task[None]"] = field(default_factory=set)


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """As it is set, with bursts awaited; and our own time alone, with nothing awaited."""
    lines: list[Line] = []
    for debounce, how in ((DEBOUNCE, ""), ("0s", ", no burst awaited")):
        home = folder / debounce
        await past.make(home, rooms=past.HOT, originals=ORIGINALS)
        lines += await _measured(home, scale, how, debounce)
    return lines


async def _measured(home: Path, scale: Scale, how: str, debounce: str) -> list[Line]:
    chat, tide = Noting(), Tide()
    quiet: list[float] = []
    flooded: list[float] = []
    async with living(home, chat=chat, bot__debounce=debounce) as world:
        town = Town(world, chat)
        await town.ask(min(2.0, scale.flood_s))  # what is warm is compared
        for _ in range(min(ROUNDS, scale.rounds)):
            quiet += await town.ask(scale.flood_s)
            with town.flooding(tide):
                flooded += await town.ask(scale.flood_s)
            await asyncio.wait_for(town.calm(tide), PATIENCE_S)
    slow, usual = _p99(flooded), _p99(quiet)
    return [
        Line(
            measure=f"asked → answered while another chat gets {RATE}/s{how}, p99",
            figure=f"{ms(slow)} (p50 {ms(median(flooded))})",
            beside=f"quiet: {ms(usual)} (p50 {ms(median(quiet))}); {len(flooded)} questions each",
            **report.at_most(slow / usual, TARGET),
        ),
        Line(
            measure=f"the flood itself{how}: stored while it lasts",
            figure=f"{tide.meanwhile / tide.seconds:,.0f}/s",
            beside=f"{tide.most:,} waited at most; {tide.sent:,} sent, {tide.stored:,} stored",
        ),
    ]


class Town:
    """Rooms that ask, and one that floods."""

    def __init__(self, world: World, chat: Noting) -> None:
        self._world = world
        self._chat = chat
        self._texts = list(Corpus(seed=5).messages(TEXTS))
        self._number = count()

    async def ask(self, seconds: float) -> list[float]:
        """Questions once a second in every asking room, spread over the second."""
        spread = min(EVERY_S, seconds)
        found = await asyncio.gather(
            *(
                self._asks(room, max(1, int(seconds / EVERY_S)), n * spread / len(ASKING))
                for n, room in enumerate(ASKING)
            )
        )
        return [one for some in found for one in some]

    async def _asks(self, room: int, times: int, first: float) -> list[float]:
        started, took = time.perf_counter() + first, []
        for n in range(times):
            await asyncio.sleep(started + n * EVERY_S - time.perf_counter())
            took.append(await self._answer(self._next(room, addressed=True)))
        return took

    async def _answer(self, incoming: Incoming) -> float:
        said = self._chat.said[incoming.address.chat]
        said.clear()
        asked = time.perf_counter()
        await self._world.house.intake.receive(incoming)
        await asyncio.wait_for(said.wait(), PATIENCE_S)
        return time.perf_counter() - asked

    @contextmanager
    def flooding(self, tide: Tide) -> Iterator[None]:
        """Messages in the first room at a steady rate, until the block ends."""
        began, before = time.perf_counter(), tide.stored
        task = asyncio.create_task(self._flood(tide), name="flood")
        try:
            yield
        finally:
            task.cancel()
            tide.seconds += time.perf_counter() - began
            tide.meanwhile += tide.stored - before

    async def _flood(self, tide: Tide) -> None:
        started = time.perf_counter()
        for n in count():
            await asyncio.sleep(started + n / RATE - time.perf_counter())
            incoming = self._next(0, addressed=n % ADDRESSED == 0)
            task = asyncio.create_task(self._hand_in(incoming, tide))
            tide.open.add(task)
            task.add_done_callback(tide.open.discard)
            tide.sent += 1
            tide.most = max(tide.most, len(tide.open))

    async def _hand_in(self, incoming: Incoming, tide: Tide) -> None:
        await self._world.house.intake.receive(incoming)
        tide.stored += 1

    async def calm(self, tide: Tide) -> None:
        """Return once what was sent is stored and all that follows is done."""
        await asyncio.gather(*tide.open)
        await self._world.rest()

    def _next(self, room: int, *, addressed: bool) -> Incoming:
        n = next(self._number)
        return message(room, f"flood{n}", self._texts[n % TEXTS], addressed=addressed)


def _p99(times: list[float]) -> float:
    return quantiles(times, n=100, method="inclusive")[98] if len(times) > 1 else times[0]
