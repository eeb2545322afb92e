"""What a message costs with many sessions, many people or a long history: it should not matter."""

import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from benchmarks import past, report
from benchmarks.observe import Messages
from benchmarks.own_time import Addressed
from benchmarks.places import SQLITE, Places, places, prefix
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from benchmarks.timing import Span, interleaved, undisturbed
from benchmarks.world import World, living

TARGET = 1.5
ROOMS = 20  # where only the number of originals differs
FEW_PEOPLE = 5  # rooms whose members are ten people, where only the number of people differs
ORIGINALS = 20_000  # where the number of originals does not differ


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much there is of what."""

    rooms: int
    originals: int
    people: int = 0


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """On each database figures for many sessions, for many people, and for a long history."""
    lines: list[Line] = []
    with places(folder) as made:
        for kind in scale.databases:
            some = scale if kind == SQLITE else scale.on_a_server()
            for sizes in _sizes(some):
                lines += await _compare(made, kind, sizes, some)
    return lines


def _sizes(scale: Scale) -> list[dict[str, Size]]:
    rooms, originals = min(ROOMS, max(scale.sessions)), min(ORIGINALS, max(scale.originals))
    return [
        {f"{n:,} sessions": Size(rooms=n, originals=originals) for n in scale.sessions},
        {
            f"{n:,} people": Size(rooms=FEW_PEOPLE, originals=originals, people=n)
            for n in scale.people
        },
        {f"{n:,} originals": Size(rooms=rooms, originals=n) for n in scale.originals},
    ]


async def _compare(made: Places, kind: str, sizes: Mapping[str, Size], scale: Scale) -> list[Line]:
    async with AsyncExitStack() as stack:
        observed: dict[str, Observed] = {}
        addressed: dict[str, Addressed] = {}
        for name, size in sizes.items():
            home = made.new(kind)
            await past.make(home.folder, **asdict(size), **home.keys)
            world = await stack.enter_async_context(living(home.folder, **home.keys))
            await past.show_rooms(world.house, size.rooms)
            observed[name] = Observed(world, scale.messages // 4 or 2, size.rooms)
            hot = min(past.HOT, size.rooms)
            addressed[name] = Addressed(world, scale.addressed, prefix="asked", rooms=hot)
        seen = await interleaved({n: one.round for n, one in observed.items()}, scale.rounds)
        asked = await interleaved({n: one.round for n, one in addressed.items()}, scale.rounds)
    cost = {name: one.cpu for name, one in observed.items()}
    return [
        *_lines(f"{prefix(kind)}observe", seen),
        *_lines(f"{prefix(kind)}observe, processor time with all that follows", cost),
        *_lines(f"{prefix(kind)}addressed, own time", asked),
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
