"""A simulated month of a team of forty: nothing piles up, nothing leaks, nothing is said twice.

Team ──► Deed … ──► a house on a virtual clock, closed, killed and opened again ──► Look a day
"""

import asyncio
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from statistics import linear_regression
from time import process_time
from types import TracebackType
from typing import Self

from benchmarks import report, soak_looks
from benchmarks.report import Line
from benchmarks.scale import Scale
from benchmarks.soak_looks import Look, Process
from benchmarks.soak_team import CHATS, PEOPLE, START, Habits, Team
from benchmarks.soak_town import Town, Wire
from benchmarks.world import settings
from bot.app import Surroundings, system_sleep
from bot.plays.stage import Stage, open_stage
from memory.db import Tx
from memory.moments import to_us

KILLED = frozenset({2, 5, 9})
"""Days in the midst of which the house dies."""
CLOSED = frozenset({3, 8, 12})
"""Days after which it is closed and opened again; then it lives on without a pause."""
SETTLED = 14
"""From this day on memory has to be flat."""
DOWN = timedelta(minutes=3)  # between a death and the next start
LAST = timedelta(seconds=30)  # of the clock, what a house is doing when it dies
LAST_S = 2.0  # the same on the real clock, at most
FIRST = 3  # the day whose processor time the last one's is compared with
MB = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a month came to."""

    looks: tuple[Look, ...]
    lives: int
    """How often the house was opened."""
    deaths: int
    faults: dict[str, int]
    """What must never happen, and how often it did."""


class Month:
    """A house through all its lives. `async with` opens it; one at a time."""

    def __init__(self, folder: Path, team: Team, *, start: datetime | None = None) -> None:
        self._start = start or _midnight(START)
        self._home = folder / "home-1"
        self._folder = folder
        self._team = team
        self._town = Town()
        self._said = 0
        self.lives = 0
        """How often it was opened."""
        self.deaths = 0

    async def __aenter__(self) -> Self:
        await self._open(self._start)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    async def live(self, day: int, *, rest: timedelta | None = None) -> Look:
        """Live through a day, from 1 on; with `rest` only so long after the last deed."""
        began_s = process_time()
        deeds = self._team.day(day - 1)
        dies_at = len(deeds) // 2 if day in KILLED else len(deeds)
        for number, deed in enumerate(deeds):
            await self._until(deed.at)
            await self._stage.house.intake.receive(deed.incoming)
            if number >= dies_at and deed.incoming.addressed:
                dies_at = len(deeds)
                await self._die()
        midnight = _midnight(START + timedelta(days=day))
        await self._until(midnight if rest is None else self._stage.clock() + rest)
        cpu_s = process_time() - began_s
        said = sum(deed.said for deed in deeds)
        self._said += said
        look = await self._look(day, said, cpu_s)
        if day in CLOSED:
            await self._stack.aclose()
            await self._open(self._stage.clock() + timedelta(seconds=1))
        return look

    async def faults(self) -> dict[str, int]:
        """What must never happen, over all the days so far."""
        found = await self._stage.house.db.read(soak_looks.counts, soak_looks.FAULTS, 0)
        kept = await self._stage.house.db.read(soak_looks.counts, soak_looks.ROWS, 0)
        lost = self._said - kept["messages"]
        return {"messages lost": lost, "letters posted twice": len(self._town.twice), **found}

    async def _open(self, now: datetime) -> None:
        self._wire = Wire(self._town)
        around = Surroundings(chats=(self._wire,), sleep=system_sleep)
        config = settings(self._home, web__enabled=False)
        self._stack = AsyncExitStack()
        self._stage: Stage = await self._stack.enter_async_context(
            open_stage(config, now, people=(), rooms=(), around=around)
        )
        self._wire.timed(self._stage.clock)
        self.lives += 1

    async def _until(self, moment: datetime) -> None:
        left_s = (moment - self._stage.clock()).total_seconds()
        if left_s > 0:
            await self._stage.wait(left_s)

    async def _die(self) -> None:
        """Go on with what is on the disk in the midst of its work; nobody tidies up."""
        self._wire.dying = True
        self.deaths += 1
        working = asyncio.create_task(self._stage.wait(LAST.total_seconds()), name="last moments")
        posted = asyncio.create_task(self._wire.lost.wait(), name="a letter nobody hears of")
        await asyncio.wait({working, posted}, timeout=LAST_S, return_when=asyncio.FIRST_COMPLETED)
        image = self._folder / f"home-{self.lives + 1}"
        # in the writer's thread, so that no other commit comes between the files
        await self._stage.house.db.write(_copy, self._home, image)
        for task in (working, posted):
            task.cancel()
        await asyncio.gather(working, posted, return_exceptions=True)
        now = self._stage.clock() + DOWN
        await self._stack.aclose()
        shutil.rmtree(self._home)
        self._home = image
        await self._open(now)

    async def _look(self, day: int, said: int, cpu_s: float) -> Look:
        read, now_us = self._stage.house.db.read, to_us(self._stage.clock())
        beside, log = soak_looks.beside(self._home)
        return Look(
            day=day,
            said=said,
            overdue=await read(soak_looks.counts, soak_looks.OVERDUE, now_us),
            waiting=await read(soak_looks.counts, soak_looks.WAITING, now_us),
            rows=await read(soak_looks.counts, soak_looks.ROWS, now_us),
            bytes=await read(soak_looks.used) + beside,
            log=log,
            cpu_s=cpu_s,
            process=Process.now(),
        )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(0), UTC)


def _copy(tx: Tx, home: Path, image: Path) -> None:
    shutil.copytree(home, image)


async def live(folder: Path, team: Team, *, days: int) -> Account:
    """Live through a number of days, telling how each ended."""
    looks: list[Look] = []
    async with Month(folder, team) as month:
        for day in range(1, days + 1):
            looks.append(await month.live(day))
            print(_told(looks[-1]), file=sys.stderr, flush=True)
        faults = await month.faults()
        return Account(looks=tuple(looks), lives=month.lives, deaths=month.deaths, faults=faults)


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """Thirty days, or five where little time is given."""
    account = await live(folder, Team(Habits()), days=scale.soaked)
    return list(lines(account))


def _told(look: Look) -> str:
    held = look.process
    return (
        f"day {look.day}: {look.said} said; overdue: {_named(look.overdue) or 'nothing'}; "
        f"waiting: {_named(look.waiting) or 'nothing'}; {_named(look.rows)}; "
        f"{look.bytes / MB:.1f} MB and a log of {look.log / MB:.1f} MB; {look.cpu_s:.1f} s; "
        f"{held.resident / MB:.1f} MB resident, {held.blocks:,} blocks, {held.tasks} tasks, "
        f"{held.threads} threads, {held.files} files"
    )


def lines(account: Account) -> Iterator[Line]:
    """The account as lines of the table."""
    looks = account.looks
    last, settled = looks[-1], [look for look in looks if look.day >= SETTLED] or looks
    said = sum(look.said for look in looks)
    yield Line(
        measure=f"{len(looks)} days of a team of {PEOPLE} in {CHATS} chats",
        figure=f"{said:,} messages",
        beside=f"{', '.join(f'{n:,} {name}' for name, n in last.rows.items())};"
        f" opened {account.lives} times, {account.deaths} of them after a death",
    )
    yield Line(
        measure="lost, unanswered, failed, or said twice",
        figure=f"{sum(account.faults.values())}",
        beside=_named(account.faults) or "nothing",
        **report.within(sum(account.faults.values()), 0, "in all"),
    )
    yield from _queues(looks)
    yield from _sizes(looks)
    yield from _memory(settled)
    if len(looks) >= FIRST:
        each = [look.cpu_s / look.said for look in (last, looks[FIRST - 1])]
        yield Line(
            measure=f"processor time a message, day {last.day}",
            figure=report.ms(each[0]),
            beside=f"day {FIRST}: {report.ms(each[1])}",
            **report.at_most(each[0] / each[1], 1.5),
        )


def _queues(looks: Sequence[Look]) -> Iterator[Line]:
    late = Counter[str]()
    for look in looks:
        late.update(look.overdue)
    yield Line(
        measure="overdue at the ends of days, all queues",
        figure=f"{late.total()}",
        beside=_named(late) or f"{len(soak_looks.OVERDUE)} queues looked at",
        **report.within(late.total(), 0, "in all"),
    )
    half = len(looks) // 2
    most = [max((sum(look.waiting.values()) for look in part), default=0)
            for part in (looks[half:], looks[:half])]  # fmt: skip
    yield Line(
        measure="waiting for their time, most at the end of a day",
        figure=f"{most[0]}",
        beside=f"first half: {most[1]}; at the end {_named(looks[-1].waiting) or 'nothing'}",
    )


def _sizes(looks: Sequence[Look]) -> Iterator[Line]:
    """What the first week says a message costs on the disk, and what it says of the last day."""
    last, early = looks[-1], looks[1 : max(3, len(looks) // 4)]
    if len(early) < 2 or last in early:
        return
    each, base = linear_regression(
        [look.rows["messages"] for look in early], [look.bytes for look in early]
    )
    foretold = base + each * last.rows["messages"]
    kinds = ", ".join(f"{each * last.rows['messages'] / n:,.0f} a {name[:-1]}"
                      for name, n in last.rows.items() if n)  # fmt: skip
    ratio = last.bytes / foretold
    yield Line(
        measure=f"data folder after day {last.day}",
        figure=f"{last.bytes / MB:.1f} MB",
        beside=f"foretold by days {early[0].day} to {early[-1].day}: {foretold / MB:.1f} MB"
        f" (bytes: {kinds}); log at most {max(look.log for look in looks) / MB:.1f} MB",
        ratio=ratio,
        target="within 15 %",
        met=abs(ratio - 1) <= 0.15,
    )


def _memory(looks: Sequence[Look]) -> Iterator[Line]:
    """How memory and handles moved over the days without a restart."""
    if len(looks) < 2:
        return
    days = [look.day for look in looks]
    span = f"days {days[0]} to {days[-1]}"
    resident = [look.process.resident / MB for look in looks]
    blocks = [look.process.blocks / 1000 for look in looks]
    for name, values, unit, limit in (
        # the database's own caches, 12 MB in all, fill as its file grows
        ("resident memory", resident, "MB", 1.0),
        ("memory blocks of the interpreter", blocks, "thousand", 1.0),
    ):
        slope = linear_regression(days, values).slope
        yield Line(
            measure=f"{name}, change a day",
            figure=f"{slope:+.2f} {unit}",
            beside=f"{span}: {values[0]:.1f} to {values[-1]:.1f} {unit}",
            **report.within(slope, limit, unit),
        )
    held = [(look.process.tasks, look.process.threads, look.process.files) for look in looks]
    moved = [max(kind) - min(kind) for kind in zip(*held, strict=True)]
    yield Line(
        measure="tasks, threads and open files",
        figure=", ".join(map(str, held[-1])),
        beside=f"{span}: moved by {', '.join(map(str, moved))}",
        **report.within(max(moved), 2, "up and down"),
    )


def _named(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items() if n)
