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
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from benchmarks.timing import interleaved, undisturbed
from benchmarks.world import World, living

ORIGINALS = 1_000
LIMIT_MS = 5.0


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """Both halves of the way, and the client alone, in turns."""
    home = folder / "home"
    await past.make(home, rooms=past.HOT, originals=ORIGINALS)
    async with living(home) as world, loopback() as url:
        client = AsyncAnthropic(base_url=url, api_key="none", max_retries=0)
        own = Addressed(world, scale.addressed, prefix="own")

        async def bare() -> float:
            return median([await _call(client) for _ in range(scale.addressed)])

        found = await interleaved({"own": own.round, "bare": bare}, scale.rounds)
        await client.close()
    before, after = own.before, own.after
    beside = f"a bare SDK call on loopback: {ms(found['bare'])}"
    return [
        Line(
            measure="addressed: accepted → request leaves, p50",
            figure=ms(before),
            beside=beside,
            ratio=before / found["bare"],
            **report.within(before * 1e3, LIMIT_MS, "ms"),
        ),
        Line(
            measure="addressed: answer → letter handed over, p50",
            figure=ms(after),
            beside=beside,
            ratio=after / found["bare"],
            **report.within(after * 1e3, LIMIT_MS, "ms"),
        ),
    ]


class Addressed:
    """Rounds of addressed messages; all times are kept."""

    def __init__(self, world: World, count: int, prefix: str) -> None:
        self._world = world
        self._count = count
        self._messages = Messages(past.HOT, prefix)
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
        for incoming in self._messages.draw(self._count, addressed=True, rooms=past.HOT):
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
