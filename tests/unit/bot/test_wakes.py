"""Alarms: they wait, never spin, and wake the agency in measure."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from agency import coalescing, fires
from bot.app import system_sleep
from bot.engine import inputs, runs, sessions
from bot.engine.clocks import VirtualClock
from bot.engine.controller import SessionController, Settings
from bot.engine.waits import Bell
from bot.wakes import REST, AgencyWakes, Alarm, Heartbeats
from memory.db import Database, Reader, Tx
from memory.errors import StorageFull
from memory.moments import to_us
from tests.conftest import MONDAY


class Bench:
    """A clock, a database, and alarms over them."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.clock = VirtualClock(MONDAY)
        self.controller = SessionController(self.clock, lambda: None, settings=Settings())
        self.wakes = AgencyWakes(
            self.controller, self.clock, settings=coalescing.Settings(batch=10)
        )
        self.acts = 0

    def alarm(
        self, due: Callable[[Reader], int | None], act: Callable[[Tx], None] | None = None
    ) -> Alarm:
        def counted(tx: Tx) -> None:
            self.acts += 1
            if act is not None:
                act(tx)

        return Alarm(self.db, self.clock, self.clock.sleep, bell=Bell(), due=due, act=counted)

    async def wait(self, seconds: float) -> None:
        await self.clock.pass_time(
            self.clock() + timedelta(seconds=seconds),
            busy=lambda: bool(self.db.busy),
            breathe=system_sleep,
        )

    @asynccontextmanager
    async def open(self, alarm: Alarm) -> AsyncIterator[None]:
        task = asyncio.create_task(alarm.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def observe(self, count: int, *, kind: fires.Kind = fires.Kind.MESSAGE) -> None:
        def act(tx: Tx) -> None:
            now_us = to_us(self.clock())
            for number in range(count):
                event = fires.Event(kind=kind, key=f"{kind}:{now_us}:{number}")
                fires.observe(tx, event, now_us=now_us)

        await self.db.write(act)

    async def states(self) -> dict[fires.State, int]:
        return await self.db.read(fires.counts)

    async def run(self) -> runs.Run:
        return (await self.db.read(lambda reader: runs.latest(reader, limit=1)))[0]

    async def end(self, run: runs.Run, state: runs.State) -> None:
        def act(tx: Tx) -> None:
            now_us = to_us(self.clock())
            tx.run("UPDATE runs SET state = 'running' WHERE id = :id", id=run.id)
            inputs.take(tx, run.session_id, run=run.id, step=0)
            runs.settle(tx, run.id, state, now_us=now_us)
            if state is runs.State.SUCCEEDED:
                fires.consume(tx, run.id, now_us=now_us)
            else:
                fires.release(tx, run.id, "it died", now_us=now_us)

        await self.db.write(act)


@pytest.fixture
def bench(db: Database) -> Bench:
    return Bench(db)


async def test_a_moment_that_stays_though_it_was_acted_on_does_not_spin(bench: Bench) -> None:
    alarm = bench.alarm(lambda _: to_us(MONDAY))
    async with bench.open(alarm):
        await bench.wait(3600)
    assert 1 <= bench.acts <= 70, "once, and then at most once a minute"


async def test_it_acts_at_its_moment(bench: Bench) -> None:
    moments = [to_us(MONDAY + timedelta(seconds=s)) for s in (5, 5.5, 700)]
    alarm = bench.alarm(
        lambda _: moments[0] if moments else None, lambda _: moments.remove(moments[0])
    )
    async with bench.open(alarm):
        await bench.wait(5)
        assert bench.acts == 1
        await bench.wait(1)
        assert bench.acts == 2
        await bench.wait(693)
        assert bench.acts == 2
        await bench.wait(2)
        assert bench.acts == 3


async def test_a_full_disk_puts_it_off(bench: Bench) -> None:
    full = [True, True]
    done: list[int] = []

    def act(tx: Tx) -> None:
        if full:
            full.pop()
            raise StorageFull("no space")
        done.append(1)

    alarm = bench.alarm(lambda _: None if done else to_us(MONDAY), act)
    async with bench.open(alarm):
        await bench.wait(60)
    assert (bench.acts, done) == (3, [1])


async def test_the_agency_is_given_a_batch_at_a_time(bench: Bench) -> None:
    await bench.observe(25)
    async with bench.open(bench.alarm(bench.wakes.due, bench.wakes.wake)):
        await bench.wait(200)
        assert await bench.states() == {fires.State.PENDING: 15, fires.State.SUBMITTED: 10}
        await bench.end(await bench.run(), runs.State.SUCCEEDED)
        await bench.wait(200)
        assert await bench.states() == {fires.State.PENDING: 5, fires.State.SUBMITTED: 10}


async def test_after_a_failure_the_agency_rests_before_it_tries_again(bench: Bench) -> None:
    await bench.observe(1)
    async with bench.open(bench.alarm(bench.wakes.due, bench.wakes.wake)):
        await bench.wait(30)
        first = await bench.run()
        await bench.end(first, runs.State.FAILED)
        await bench.wait(REST.total_seconds() - 2)
        assert await bench.states() == {fires.State.PENDING: 1}
        await bench.wait(70)
        assert await bench.states() == {fires.State.SUBMITTED: 1}
        assert (await bench.run()).id != first.id


async def test_a_wake_at_the_same_instant_with_the_same_fires_is_not_lost(bench: Bench) -> None:
    await bench.observe(1)
    await bench.db.write(bench.wakes.wake)
    await bench.end(await bench.run(), runs.State.FAILED)
    await bench.db.write(bench.wakes.wake)
    assert await bench.states() == {fires.State.SUBMITTED: 1}


async def test_no_heartbeat_while_the_agency_is_looking(bench: Bench) -> None:
    hearts = Heartbeats(bench.clock, interval=timedelta(minutes=10))
    await bench.observe(1)
    await bench.db.write(bench.wakes.wake)
    async with bench.open(bench.alarm(hearts.due, hearts.beat)):
        await bench.wait(3600)
        assert bench.acts == 0
        await bench.end(await bench.run(), runs.State.SUCCEEDED)
        await bench.wait(3600)
    assert bench.acts == 1
    assert await bench.states() == {fires.State.PENDING: 1}


async def test_there_is_one_agency(bench: Bench) -> None:
    for _ in range(3):
        await bench.observe(1)
        await bench.db.write(bench.wakes.wake)
        bench.clock._now += timedelta(seconds=1)
    found = await bench.db.read(lambda reader: runs.latest(reader, limit=9))
    assert len(found) == 1
    named = await bench.db.read(sessions.named, "agency")
    assert named is not None
    assert found[0].session_id == named.id
