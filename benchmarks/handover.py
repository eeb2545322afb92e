"""From a committed task to its handler, beside task queues that keep theirs on the disk as well.

Ours goes the product's own way: `submit_input` and `fires.observe` hand in, the dispatcher claims,
the agency's alarm wakes. The handler only notes the moment and ends its task. All is in one
process, each queue on a database of its own, one queue at a time, in turns.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from benchmarks import ours, report, rivals
from benchmarks.places import POSTGRES, SQLITE, TITLES, Place, Places, places
from benchmarks.report import Line, ms
from benchmarks.rivals import Contender, Handler, Put
from benchmarks.scale import Scale

ROUNDS = 3
CALLERS = 8  # tasks handed in side by side, where it is about how many come through
LONG_S = 0.5  # a queue that looks more seldom is given fewer tasks
OURS = (
    Contender("a run", SQLITE, ours.run),
    Contender("a fire", SQLITE, ours.fire),
    Contender("a run", POSTGRES, ours.run),
    Contender("a fire", POSTGRES, ours.fire),
)
THEIRS = rivals.EVERY


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """Every queue on each database; one that is not installed is named and left out."""
    lines: list[Line] = []
    with places(folder) as made:
        for kind in scale.databases:
            own = [one for one in OURS if one.kind == kind]
            rest = [one for one in THEIRS if one.kind == kind]
            lines += await compared(made, own, rest, scale)
    return lines


async def compared(
    made: Places, own: Sequence[Contender], rest: Sequence[Contender], scale: Scale
) -> list[Line]:
    """The lines of one database: ours alone first, then each of the others beside our run."""
    there = [one for one in rest if find_spec(one.needs)]
    times: dict[Contender, list[_Times]] = defaultdict(list)
    rates: dict[Contender, list[float]] = defaultdict(list)
    for n in range(min(ROUNDS, scale.rounds)):
        everybody = [*own, *there]
        for one in everybody if n % 2 == 0 else reversed(everybody):
            await _round(made, one, scale, times[one], rates[one])
    figures = {one: _Figures(times[one], median(rates[one])) for one in (*own, *there)}
    best = own[0]
    return [
        *(_own(one, figures[one]) for one in own),
        *(_beside(one, figures[one], figures[best]) for one in there),
        *(_whole(one, figures[one], figures[best]) for one in there),
        *(_more(one, figures[one], figures[best]) for one in there),
        *(_missing(one) for one in rest if one not in there),
    ]


class _Times(NamedTuple):
    """Seconds until the handler of a task began."""

    committed: float
    handed: float


class _Spread:
    def __init__(self, times: Sequence[float]) -> None:
        cuts = quantiles(times, n=100) if len(times) > 1 else [*times] * 99
        self.p50, self.p99 = cuts[49], cuts[98]

    def __str__(self) -> str:
        return f"{ms(self.p50)} (p99 {ms(self.p99)})"


class _Figures:
    def __init__(self, times: Sequence[_Times], rate: float) -> None:
        self.committed = _Spread([one.committed for one in times])
        self.handed = _Spread([one.handed for one in times])
        self.rate = rate


async def _round(
    made: Places, one: Contender, scale: Scale, times: list[_Times], rates: list[float]
) -> None:
    handler = Handler()
    count = scale.handed if one.pause < LONG_S else max(2, scale.handed // 10)
    random = Random(len(times))
    async with _opened(made.new(one.kind), one, handler) as put:
        await put(0)
        await handler.until(0)
        for n in range(1, count + 1):
            # at any moment of its rest, as tasks come
            await asyncio.sleep(0.002 + random.random() * one.pause)
            handed = await put(n)
            await handler.until(n)
            at = handler.began[n]
            times.append(_Times(max(0.0, at - handed.committed), at - handed.began))
        rates.append(await _stream(put, handler, range(count + 1, count + 1 + scale.handed * 2)))


def _opened(place: Place, one: Contender, handler: Handler) -> AbstractAsyncContextManager[Put]:
    place.folder.mkdir(parents=True, exist_ok=True)
    return one.open(place, handler)


async def _stream(put: Put, handler: Handler, tasks: range) -> float:
    """Tasks handled in a second, of many that were handed in at once."""
    waiting = iter(tasks)

    async def hand_in() -> None:
        for n in waiting:
            await put(n)

    started = time.perf_counter()
    await asyncio.gather(*(hand_in() for _ in range(CALLERS)))
    for n in tasks:
        await handler.until(n)
    return len(tasks) / (max(handler.began[n] for n in tasks) - started)


def _own(one: Contender, figures: _Figures) -> Line:
    return Line(
        measure=f"{TITLES[one.kind]}: {one.name} committed → its handler, p50",
        figure=str(figures.committed),
        beside=f"from handing it in {figures.handed}; {figures.rate:,.0f} handled a second",
    )


def _beside(one: Contender, theirs: _Figures, run: _Figures) -> Line:
    return Line(
        measure=f"{TITLES[one.kind]}: {_named(one)}, p50",
        figure=str(theirs.committed),
        beside=f"our run: {run.committed}",
        **report.at_least(theirs.committed.p50 / run.committed.p50, 1),
    )


def _whole(one: Contender, theirs: _Figures, run: _Figures) -> Line:
    return Line(
        measure=f"{TITLES[one.kind]}: {_named(one)}, from handing it in, p50",
        figure=str(theirs.handed),
        beside=f"our run: {run.handed}",
        **report.at_least(theirs.handed.p50 / run.handed.p50, 1),
    )


def _more(one: Contender, theirs: _Figures, run: _Figures) -> Line:
    return Line(
        measure=f"{TITLES[one.kind]}: {_named(one)}, handled a second",
        figure=f"{theirs.rate:,.0f}/s",
        beside=f"our runs: {run.rate:,.0f}/s",
        **report.at_least(run.rate / theirs.rate, 1),
    )


def _missing(one: Contender) -> Line:
    return Line(measure=f"{TITLES[one.kind]}: {one.name}", figure="not installed, not measured")


def _named(one: Contender) -> str:
    return one.name.replace(one.package, f"{one.package} {metadata.version(one.package)}", 1)
