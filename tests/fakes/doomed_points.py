"""The points a life passes between two durable states, and what befalls it at one of them.

A point is `WHEN:WHAT[@NTH]`, such as `after:settle@2`:

- a write: `before`, `inside` (its transaction) or `after` (it is durable, and nobody was told);
- a model's answer `ask.ROLE`, what a platform does, such as `send.blind`: `before` or `after`;
- a file on disk, such as `rename.picture`: `before`;
- `call:ROLE` is a model about to be asked, `any:any@17` the seventeenth point of whatever kind,
  and `none` is never passed.

What befalls it stands in front, `raise=before:settle@2`; without it the process is killed.
"""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum

AGAIN = "leases.renew"  # what is written every few seconds, whatever happens
MOST = 2  # of these that are points
DELAY_S = 150.0  # seconds by the house's clock: longer than any lease


class Fate(StrEnum):
    """What befalls a life at a point."""

    KILL = "kill"
    """The process ends like a machine that lost its power."""
    RAISE = "raise"
    """What is done there fails, with an error of the kind that may happen there."""
    CANCEL = "cancel"
    """The task that is there is cancelled."""
    STOP = "stop"
    """The whole house is told to close."""
    DELAY = "delay"
    """What is done there takes longer than a lease."""


def die() -> None:
    """End like a machine that lost its power."""
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(slots=True)
class Doom:
    """What is to befall a life, and the record of what it passed."""

    when: str
    what: str
    left: int
    fate: Fate = Fate.KILL
    passed: list[str] = field(default_factory=list)
    """Every point in order, by its name."""
    idle: set[int] = field(default_factory=set)
    """The places in it of those that came to nothing, such as a look at an empty queue."""
    struck: bool = False
    delayed: int = 0
    """Tasks that are being delayed now."""
    sleep: Callable[[float], Awaitable[None]] | None = None
    """The house's clock, for delays."""
    house: "asyncio.Task[None] | None" = None
    """What is cancelled when the house is told to close."""

    @classmethod
    def parse(cls, text: str) -> "Doom":
        fate, _, point = text.rpartition("=")
        when, _, rest = point.partition(":")
        what, _, nth = rest.rpartition("@") if "@" in rest else (rest, "", "1")
        return cls(when, what, int(nth), Fate(fate or Fate.KILL))

    def strike(self, when: str, *names: str) -> bool:
        """Whether it comes now; every match counts once."""
        self.passed.append(f"{when}:{names[0]}")
        if self.when != "any" and (when != self.when or self.what not in names):
            return False
        self.left -= 1
        self.struck = self.struck or self.left == 0
        return self.left == 0

    async def meet(self, when: str, *names: str, error: Exception | None = None) -> None:
        """Pass a point in a task; what may fail there fails with `error`."""
        if self.strike(when, *names):
            await self.befall(error)

    async def befall(self, error: Exception | None) -> None:
        """Let it come in a task."""
        match self.fate:
            case Fate.KILL:
                die()
            case Fate.RAISE if error is not None:
                raise error
            case Fate.CANCEL:
                task = asyncio.current_task()
                assert task is not None
                task.cancel()
                await asyncio.sleep(0)
            case Fate.STOP if self.house is not None:
                self.house.cancel()
                await asyncio.sleep(0)
            case Fate.DELAY if self.sleep is not None:
                self.delayed += 1
                try:
                    await self.sleep(DELAY_S)
                finally:
                    self.delayed -= 1

    def blocked(self, error: Exception) -> None:
        """Let it come on a thread, where nothing can wait and no task is."""
        match self.fate:
            case Fate.KILL:
                die()
            case Fate.RAISE:
                raise error

    def points(self, since: int = 0) -> list[str]:
        """Those between two durable states, by the names that tell each from all others.

        The first `since` that were passed are left out.
        """
        counts: Counter[str] = Counter()
        found = []
        for place, name in enumerate(self.passed):
            counts[name] += 1
            often = name.endswith(AGAIN) and counts[name] > MOST
            if place >= since and place not in self.idle and not often:
                found.append(f"{name}@{counts[name]}" if counts[name] > 1 else name)
        return found
