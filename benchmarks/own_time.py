"""Limen's own time in an addressed message, beside a bare call of the vendor's client."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

from anthropic import AsyncAnthropic

from benchmarks import past, report
from benchmarks.observe import Messages
from benchmarks.places import SQLITE, Place, places, prefix
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from benchmarks.timing import interleaved, undisturbed
from benchmarks.world import World, living

ORIGINALS = 1_000
LIMIT_MS = 5.0


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """Both halves of the way, and the client alone, in turns, on each database."""
    lines: list[Line] = []
    with places(folder) as made:
        for kind in scale.databases:
            lines += await _measured(made.new(kind), kind, scale)
    return lines


async def _measured(home: Place, kind: str, scale: Scale) -> list[Line]:
    await past.make(home.folder, rooms=past.HOT, originals=ORIGINALS, **home.keys)
    async with living(home.folder, **home.keys) as world, loopback() as url:
        client = AsyncAnthropic(base_url=url, api_key="none", max_retries=0)
        own = Addressed(world, scale.addressed, prefix="own")

        async def bare() -> float:
            return median([await _call(client) for _ in range(scale.addressed)])

        found = await interleaved({"own": own.round, "bare": bare}, scale.rounds)
        await client.close()
    return [
        _line("accepted → request leaves", own.before, found["bare"], kind),
        _line("answer → letter handed over", own.after, found["bare"], kind),
    ]


def _line(way: str, took: float, bare: float, kind: str) -> Line:
    limit = report.within(took * 1e3, LIMIT_MS, "ms") if kind == SQLITE else {}
    return Line(
        measure=f"{prefix(kind)}addressed: {way}, p50",
        figure=ms(took),
        beside=f"a bare SDK call on loopback: {ms(bare)}",
        ratio=took / bare,
        **limit,
    )


class Addressed:
    """Rounds of addressed messages; all times are kept."""

    def __init__(self, world: World, count: int, prefix: str, *, rooms: int = past.HOT) -> None:
        self._world = world
        self._count = count
        self._messages = Messages(rooms, prefix)
        self._times: list[tuple[float, float]] = []

    @property
    def before(self) -> float:
        """From accepted to asked, the median of the later half: the first ones warm caches."""
        return median(before for before, _ in self._times[len(self._times) // 2 :])

    @property
    def after(self) -> float:
        """From answered to handed over."""
        return median(after for _, after in self._times[len(self._times) // 2 :])

    async def round(self) -> float:
        """Seconds of our own a message, both halves together, to compare with other rounds."""
        times = []
        for incoming in self._messages.draw(self._count, addressed=True):
            times.append(await self._world.answer(incoming))
            await self._world.rest()
        self._times += times
        return undisturbed([before + after for before, after in times])


@asynccontextmanager
async def loopback() -> AsyncIterator[str]:
    """The address of a server in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.loopback", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


async def _call(client: AsyncAnthropic) -> float:
    started = time.perf_counter()
    stream = await client.messages.create(
        model="claude-loopback",
        max_tokens=100,
        messages=[{"role": "user", "content": "Did anybody see the release notes?"}],
        stream=True,
    )
    async for _ in stream:
        pass
    return time.perf_counter() - started
