"""Limen's own queues as task queues: a run is a task, and a fire is one for the agency."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial

from agency import coalescing, fires
from benchmarks.places import Place, made
from benchmarks.rivals import Handed, Handler, Put
from bot.app import system_clock
from bot.engine import controller, dispatch, inputs, runs, sessions
from bot.engine.breaker import Breaker
from bot.engine.controller import SessionController
from bot.engine.dispatch import Dispatcher
from bot.engine.inputs import Entry, Input, Trigger
from bot.engine.outages import Outage
from bot.engine.runs import Run
from bot.engine.runtime import Begun, Life, Runtime
from bot.engine.waits import Bell
from bot.wakes import AgencyWakes, Alarm
from memory.db import Database, Reader, Tx
from memory.moments import to_us

AT_ONCE = timedelta(0)
ROOMS = 256  # sessions the tasks are spread over: two runs of one never go on side by side


class _Quiet(Life):
    """Nobody is around a task."""

    def begin(self, tx: Tx, run: Run, taken: list[Input]) -> None:
        pass

    def wanted(self, reader: Reader, run: Run) -> bool:
        return True

    def suspended(self, tx: Tx, run: Run) -> None:
        pass

    def kept_waiting(self, tx: Tx, run: Run, outage: Outage) -> None:
        pass

    def ended(self, tx: Tx, run: Run, outcome: str, reason: str) -> None:
        pass

    def died(self, tx: Tx, run: Run, error: str) -> None:
        raise AssertionError(f"run {run.id} died: {error}")


class _Tasks(Runtime):
    """Runs whose handler is the benchmark's; their inputs are taken at the end."""

    def __init__(self, db: Database, handler: Handler) -> None:
        self._db = db
        self._handler = handler

    def begin(self, tx: Tx, run: Run) -> Begun:
        """See Runtime."""
        given = inputs.take(tx, run.session_id, run=run.id, step=0)
        return Begun(run=run, given=given, steps=[], told=[], wanted=True)

    async def execute(self, begun: Begun) -> None:
        """See Runtime."""
        for one in begun.given:
            self._hand(one)
        await self._db.write(self._end, begun.run)

    def _hand(self, one: Input) -> None:
        for n in one.metadata.get("tasks", ()):
            self._handler(n)

    def _end(self, tx: Tx, run: Run) -> None:
        for one in inputs.take(tx, run.session_id, run=run.id, step=1):
            tx.on_commit(partial(self._hand, one))
        now_us = to_us(system_clock())
        fires.consume(tx, run.id, now_us=now_us)
        runs.settle(tx, run.id, runs.State.SUCCEEDED, now_us=now_us)


class _Fires(_Tasks):
    """The agency's runs: the tasks are the fires they were given."""

    def __init__(self, db: Database, handler: Handler) -> None:
        super().__init__(db, handler)
        self.tasks: dict[int, int] = {}
        """The number of the task that each fire is."""

    def _hand(self, one: Input) -> None:
        for id in one.metadata["fires"]:
            self._handler(self.tasks[id])


class _Commits:
    """The moments at which the writing thread came back from a commit."""

    def __init__(self, db: Database) -> None:
        self._last: deque[float] = deque(maxlen=64)
        self._written: dict[int, float] = {}
        db.timed = self._note

    def _note(self, writes: int, seconds: float) -> None:
        self._last.append(time.perf_counter())

    def writing(self, n: int) -> None:
        """A task is being written, by the thread that will commit it."""
        self._written[n] = time.perf_counter()

    def of(self, n: int) -> float:
        """When a task was committed."""
        written = self._written.pop(n)
        return next(one for one in [*self._last] if one >= written)


@asynccontextmanager
async def run(place: Place, handler: Handler) -> AsyncIterator[Put]:
    """`submit_input`, claimed in the same commit → the handler."""
    made(place)
    async with place.database() as db:
        commits, bell = _Commits(db), Bell()
        gate = SessionController(
            system_clock, bell.ring, settings=controller.Settings(debounce=AT_ONCE)
        )
        homes = await db.write(_homes)

        def submit(tx: Tx, n: int) -> None:
            entry = Entry(
                session_id=homes[n % ROOMS],
                trigger=Trigger.TASK,
                parts=(),
                key=f"task:{n}",
                metadata={"tasks": [n]},
            )
            gate.submit_input(tx, entry)
            commits.writing(n)

        async def put(n: int) -> Handed:
            began = time.perf_counter()
            await db.write(submit, n)
            return Handed(began, commits.of(n))

        async with _dispatching(db, _Tasks(db, handler), gate, bell):
            yield put


@asynccontextmanager
async def fire(place: Place, handler: Handler) -> AsyncIterator[Put]:
    """`fires.observe` → committed → the agency is woken → its run is claimed → the handler."""
    made(place)
    async with place.database() as db:
        commits, bell, woken = _Commits(db), Bell(), Bell()
        gate = SessionController(
            system_clock, bell.ring, settings=controller.Settings(debounce=AT_ONCE)
        )
        settings = coalescing.Settings(quiet_window=AT_ONCE, max_wait=AT_ONCE, early_wake=AT_ONCE)
        wakes = AgencyWakes(gate, system_clock, settings=settings)
        alarm = Alarm(db, system_clock, asyncio.sleep, bell=woken, due=wakes.due, act=wakes.wake)
        tasks = _Fires(db, handler)

        def observe(tx: Tx, n: int) -> None:
            event = fires.Event(kind=fires.Kind.MESSAGE, key=f"task:{n}")
            id = fires.observe(tx, event, now_us=to_us(system_clock()))
            assert id is not None
            tasks.tasks[id] = n
            tx.on_commit(woken.ring)
            commits.writing(n)

        async def put(n: int) -> Handed:
            began = time.perf_counter()
            await db.write(observe, n)
            return Handed(began, commits.of(n))

        ringing = asyncio.create_task(alarm.run())
        try:
            async with _dispatching(db, tasks, gate, bell, then=woken):
                yield put
        finally:
            ringing.cancel()
            await asyncio.gather(ringing, return_exceptions=True)


def _homes(tx: Tx) -> list[int]:
    now_us = to_us(system_clock())
    kind = sessions.Kind.SUBAGENT
    return [sessions.inner(tx, kind, f"task:{n}", now_us=now_us).id for n in range(ROOMS)]


@asynccontextmanager
async def _dispatching(
    db: Database, tasks: _Tasks, gate: SessionController, bell: Bell, then: Bell | None = None
) -> AsyncIterator[None]:
    dispatcher = Dispatcher(
        db,
        tasks,
        gate,
        _Quiet(),
        Breaker(system_clock, bell, patience=timedelta(hours=1)),
        clock=system_clock,
        sleep=asyncio.sleep,
        bell=bell,
        owner="bench",
        settings=replace(dispatch.Settings(), places=8),
    )
    if then is not None:
        db.listen(then.ring)  # the agency's hands may be free again
    task = asyncio.create_task(dispatcher.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
