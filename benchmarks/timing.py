"""Interleaved rounds: what is compared runs in turns, so that a busy machine slows both."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

Round = Callable[[], Awaitable[float]]
"""One round of one candidate; the figure it measured."""


async def interleaved(candidates: Mapping[str, Round], rounds: int) -> dict[str, float]:
    """The median figure of each candidate, after one unmeasured round that warms it."""
    for candidate in candidates.values():
        await candidate()
    found: dict[str, list[float]] = {name: [] for name in candidates}
    for n in range(rounds):
        # every other round backwards, so that nobody always comes after the same one
        names = list(candidates)
        for name in names if n % 2 == 0 else reversed(names):
            found[name].append(await candidates[name]())
    return {name: median(figures) for name, figures in found.items()}


def undisturbed(times: Sequence[float]) -> float:
    """The tenth that was delayed least: what the work itself takes, whatever else the machine does.

    For ratios only; where people wait the median is what they feel.
    """
    return sorted(times)[len(times) // 10]


@dataclass(slots=True)
class Span:
    """Wall and processor seconds of a block: `with Span() as span`."""

    wall: float = 0.0
    cpu: float = 0.0

    def __enter__(self) -> "Span":
        self.wall, self.cpu = -time.perf_counter(), -time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall += time.perf_counter()
        self.cpu += time.process_time()
