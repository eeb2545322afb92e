"""Claiming what is next beside few and many finished rows, and how soon the agency wakes.

Claims are compared by the tenth that was delayed least: one takes a fraction of a millisecond, and
the server shares the machine with whoever asks it.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from statistics import median

from adapters.chat import Address
from agency import coalescing, fires
from benchmarks import past, report
from benchmarks.observe import Messages
from benchmarks.places import SQLITE, Place, Places, places, prefix
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from benchmarks.timing import interleaved, undisturbed
from benchmarks.world import settings
from bot.app import Surroundings, open_house, system_clock
from bot.engine import controller, letters, runs, sessions
from bot.engine.controller import SessionController
from bot.engine.waits import Bell
from bot.intake import Intake
from bot.intake import Settings as IntakeSettings
from bot.wakes import AgencyWakes, Alarm
from memory.db import Database, Tx
from memory.moments import to_us

TARGET = 1.3
WAKE_MS = 5.0
ROOMS = 16


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """Claims of each queue, then the wake-up, on each database."""
    lines: list[Line] = []
    with places(folder) as made:
        for kind in scale.databases:
            sizes = scale if kind == SQLITE else scale.on_a_server()
            lines += await _claims(made, kind, sizes)
            lines.append(await _wake(made.new(kind), kind, scale))
    return lines


async def _claims(made: Places, kind: str, scale: Scale) -> list[Line]:
    lines: list[Line] = []
    few, many = scale.consumed
    async with AsyncExitStack() as stack:
        opened: dict[int, Database] = {}
        for finished in scale.consumed:
            home = made.new(kind)
            await past.make(home.folder, rooms=ROOMS, finished=finished, **home.keys)
            opened[finished] = await stack.enter_async_context(home.database())
        for name, claim in (("fire", _fires), ("run", _runs), ("letter", _letters)):
            found = await interleaved(
                {str(n): _round(db, claim, scale.claims) for n, db in opened.items()}, scale.rounds
            )
            lines.append(
                Line(
                    measure=f"{prefix(kind)}claim the next {name} beside {many:,} finished",
                    figure=ms(found[str(many)]),
                    beside=f"beside {few:,}: {ms(found[str(few)])}",
                    **report.at_most(found[str(many)] / found[str(few)], TARGET),
                )
            )
    return lines


def _round(
    db: Database, claim: Callable[[Tx, int], float], count: int
) -> Callable[[], "asyncio.Future[float]"]:
    return lambda: asyncio.ensure_future(db.write(claim, count))


def _fires(tx: Tx, count: int) -> float:
    now_us = to_us(system_clock())
    for n in range(count):
        event = fires.Event(kind=fires.Kind.MESSAGE, key=f"fire:{now_us}:{n}", session_id=1)
        fires.observe(tx, event, now_us=now_us)
    times = []
    for _ in range(count):
        started = time.perf_counter()
        found = fires.pending(tx, limit=1)
        fires.hand_over(tx, [found[0].id], run=1, how=fires.State.SUBMITTED)
        times.append(time.perf_counter() - started)
    fires.consume(tx, 1, now_us=now_us)
    return undisturbed(times)


def _runs(tx: Tx, count: int) -> float:
    now_us = to_us(system_clock())
    for n in range(count):
        room = Address(platform="bench", account="team", chat=f"claim{n}")
        session = sessions.of_room(tx, room, now_us=now_us)
        runs.queue(tx, session.id, "conversation", priority=10, due_us=now_us, now_us=now_us)
    times = []
    for _ in range(count):
        started = time.perf_counter()
        run = runs.claim(
            tx, owner="bench", now_us=now_us, lease_us=60_000_000, priorities=range(2**31)
        )
        times.append(time.perf_counter() - started)
        assert run is not None
        runs.settle(tx, run.id, runs.State.SUCCEEDED, now_us=now_us)
    return undisturbed(times)


def _letters(tx: Tx, count: int) -> float:
    now_us = to_us(system_clock())
    for n in range(count):
        address = Address(platform="bench", account="team", chat=f"claim{n}")
        key = f"letter:{now_us}:{n}"
        home = sessions.of_room(tx, address, now_us=now_us).id
        draft = letters.Draft(key=key, session_id=home, address=address, body="Noted.")
        letters.post(tx, draft, now_us=now_us)
    times = []
    for _ in range(count):
        started = time.perf_counter()
        claimed = letters.claim(tx, limit=1, now_us=now_us)
        times.append(time.perf_counter() - started)
        letters.sent(tx, claimed[0].id, f"{now_us}-{claimed[0].id}", now_us=now_us)
    return undisturbed(times)


async def _wake(home: Place, kind: str, scale: Scale) -> Line:
    """From the commit of a fire to the commit of the run it is handed to, with no window."""
    times: list[float] = []
    config = settings(home.folder, web__enabled=False, **home.keys)
    async with open_house(config, Surroundings(serve=False)) as house:
        woken, bell = asyncio.Event(), Bell()
        gate = SessionController(system_clock, woken.set, settings=controller.Settings())
        patience = coalescing.Settings(
            quiet_window=timedelta(0), max_wait=timedelta(0), early_wake=timedelta(0)
        )
        wakes = AgencyWakes(gate, system_clock, settings=patience)
        alarm = Alarm(
            house.db, system_clock, asyncio.sleep, bell=bell, due=wakes.due, act=wakes.wake
        )
        intake = Intake(
            house.db,
            gate,
            house.intake._withdrawals,  # no message of the run is taken back or has buttons
            house.intake._presses,
            house.reception,
            house.news,
            house.responses,
            system_clock,
            bells=(bell,),
            settings=IntakeSettings(),
        )
        task = asyncio.create_task(alarm.run(), name="alarm")
        for incoming in Messages(ROOMS, "wake").draw(max(scale.messages // 2, 4)):
            woken.clear()
            await intake.receive(incoming)
            committed = time.perf_counter()
            await asyncio.wait_for(woken.wait(), 30)
            times.append(time.perf_counter() - committed)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    p50 = median(times)
    return Line(
        measure=f"{prefix(kind)}fire committed → agency woken, p50",
        figure=ms(p50),
        beside=f"p95 {ms(sorted(times)[int(len(times) * 0.95)])}",
        **(report.within(p50 * 1e3, WAKE_MS, "ms") if kind == SQLITE else {}),
    )
