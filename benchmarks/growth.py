"""What a message costs when there are many sessions, or a long history: it should not matter."""

import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median

from benchmarks import past, report
from benchmarks.observe import Messages
from benchmarks.own_time import Addressed
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from benchmarks.timing import Span, interleaved, undisturbed
from benchmarks.world import World, living

TARGET = 1.5
ROOMS = 20  # where only the number of originals differs
ORIGINALS = 20_000  # where only the number of sessions differs


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """One row of figures for many sessions, one for a long history."""
    rooms = {
        f"{n:,} sessions": (folder / f"rooms-{n}", n, min(ORIGINALS, max(scale.originals)))
        for n in scale.sessions
    }
    history = {
        f"{n:,} originals": (folder / f"originals-{n}", min(ROOMS, max(scale.sessions)), n)
        for n in scale.originals
    }
    return [*await _compare(rooms, scale), *await _compare(history, scale)]


async def _compare(homes: Mapping[str, tuple[Path, int, int]], scale: Scale) -> list[Line]:
    async with AsyncExitStack() as stack:
        observed: dict[str, Observed] = {}
        addressed: dict[str, Addressed] = {}
        for name, (home, rooms, originals) in homes.items():
            await past.make(home, rooms=rooms, originals=originals)
            world = await stack.enter_async_context(living(home))
            await past.show_rooms(world.house, rooms)
            observed[name] = Observed(world, scale.messages // 4 or 2, rooms)
            addressed[name] = Addressed(world, scale.addressed, prefix="asked")
        seen = await interleaved({n: one.round for n, one in observed.items()}, scale.rounds)
        asked = await interleaved({n: one.round for n, one in addressed.items()}, scale.rounds)
    cost = {name: one.cpu for name, one in observed.items()}
    return [
        *_lines("observe", seen),
        *_lines("observe, processor time with all that follows", cost),
        *_lines("addressed, own time", asked),
    ]


def _lines(what: str, found: Mapping[str, float]) -> list[Line]:
    least, *more = found
    return [
        Line(
            measure=f"{what}: {name}",
            figure=ms(found[name]),
            beside=f"{least}: {ms(found[least])}",
            **report.at_most(found[name] / found[least], TARGET),
        )
        for name in more
    ]


class Observed:
    """Rounds of messages nobody asks the bot about, in a living house."""

    def __init__(self, world: World, count: int, rooms: int) -> None:
        self._world = world
        self._count = count
        self._messages = Messages(rooms, "seen")
        self._costs: list[float] = []

    @property
    def cpu(self) -> float:
        """Processor seconds a message, with everything it sets off."""
        return median(self._costs[1:] or self._costs)

    async def round(self) -> float:
        """Seconds until a message is durable."""
        times = []
        with Span() as span:
            for incoming in self._messages.draw(self._count):
                started = time.perf_counter()
                await self._world.house.intake.receive(incoming)
                times.append(time.perf_counter() - started)
            await self._world.rest()
        self._costs.append(span.cpu / self._count)
        return undisturbed(times)
