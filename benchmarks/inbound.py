"""An event of each platform: sent → durable → acknowledged, beside an echo bot on its SDK.

The platforms are served on loopback by this process, the house and the echo bots run in one of
their own. Nobody speaks to the bot, so what is measured is hearing.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from statistics import quantiles
from subprocess import Popen

from benchmarks import processes, report
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.platform import PLACES, Platform
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi

PLATFORMS: tuple[Callable[[], Platform], ...] = (SlackApi, FeishuApi, TelegramApi)
RATE = 200  # events a second
LIMIT_MS = 10.0
BESIDE = 2.0  # times the echo bot's
WARM = 20  # events before the clock counts
TOGETHER_MB = 200.0
SETTLED_S = 1.0  # seconds until rooms and people are known

Figures = tuple[float, float, float]
"""p50 and p99 of the way there and back in seconds, and how many events a second came through."""


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """Both ways of every platform, then how soon and how big the house is with each and all."""
    lines: list[Line] = []
    for make in PLATFORMS:
        async with make() as platform:
            with processes.limen(folder / platform.name, env=platform.env) as process:
                ours = await _heard(platform, process, scale)
        async with make() as platform:
            echo = processes.started("-m", "benchmarks.echo", platform.name, env=_bare(platform))
            with echo as process:
                theirs = await _heard(platform, process, scale)
        lines.append(_line(platform.name, ours, theirs))
    lines += [await _connected(folder, (make,)) for make in PLATFORMS]
    return [*lines, await _connected(folder, PLATFORMS)]


def _line(name: str, ours: Figures, theirs: Figures) -> Line:
    ratio = ours[0] / theirs[0]
    met = ours[0] * 1e3 <= LIMIT_MS and ratio <= BESIDE and ours[2] >= 0.95 * RATE
    return Line(
        measure=f"{name}: event → durable → acknowledged, at {RATE}/s, p50",
        figure=f"{ms(ours[0])} (p99 {ms(ours[1])}, {ours[2]:.0f}/s)",
        beside=f"an echo bot on its SDK, nothing kept: {ms(theirs[0])} (p99 {ms(theirs[1])})",
        ratio=ratio,
        target=f"≤ {LIMIT_MS:g} ms and ≤ {BESIDE:g} ×",
        met=met,
    )


async def _heard(platform: Platform, process: "Popen[str]", scale: Scale) -> Figures:
    await asyncio.to_thread(processes.until_ready, process)
    await platform.until(partial(_is_connected, platform))
    for n in range(min(WARM, scale.events)):
        await _way(platform, n)
    started = time.perf_counter()
    ways = [
        await task
        for task in [
            asyncio.create_task(_at(started + n / RATE, platform, n)) for n in range(scale.events)
        ]
    ]
    seconds = time.perf_counter() - started
    cuts = quantiles(ways, n=100) if len(ways) > 1 else ways * 99
    return cuts[49], cuts[98], len(ways) / seconds


async def _at(moment: float, platform: Platform, n: int) -> float:
    await asyncio.sleep(moment - time.perf_counter())
    return await _way(platform, n)


async def _way(platform: Platform, n: int) -> float:
    place = PLACES[n % len(PLACES)]
    text = f"the {n}th thing that was said, and nobody was asked"
    started = time.perf_counter()
    message = await platform.say(place.members[0], place.id, text)
    await platform.until(lambda: platform.acknowledged(message))
    return time.perf_counter() - started


async def _connected(folder: Path, makers: tuple[Callable[[], Platform], ...]) -> Line:
    async with AsyncExitStack() as stack:
        platforms = [await stack.enter_async_context(make()) for make in makers]
        name = "all three" if len(platforms) > 1 else platforms[0].name
        env = {key: value for platform in platforms for key, value in platform.env.items()}
        started = time.perf_counter()
        with processes.limen(folder / f"connected {name}", env=env) as process:
            await asyncio.to_thread(processes.until_ready, process)
            for platform in platforms:
                await platform.until(partial(_is_connected, platform))
            seconds = time.perf_counter() - started
            await asyncio.sleep(SETTLED_S)
            size = processes.resident_mb(process.pid)
    return Line(
        measure=f"{name}: exec → connected; resident memory",
        figure=f"{seconds:.2f} s; {size:.0f} MB",
        **(report.within(size, TOGETHER_MB, "MB") if len(platforms) > 1 else {}),
    )


def _is_connected(platform: Platform) -> bool:
    return platform.connections > 0


def _bare(platform: Platform) -> dict[str, str]:
    return processes.environment(Path("unused")) | platform.env
