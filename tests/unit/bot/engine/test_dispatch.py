"""Leases: what nobody renews is taken back, what is carried is kept, what kills is given up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from bot.app import system_sleep
from bot.engine import inputs, runs, sessions
from bot.engine.breaker import Breaker
from bot.engine.clocks import VirtualClock
from bot.engine.controller import SessionController, Settings, Want
from bot.engine.dispatch import Dispatcher
from bot.engine.dispatch import Settings as Places
from bot.engine.inputs import Entry, Input, Trigger
from bot.engine.outages import Outage
from bot.engine.runs import Run
from bot.engine.runtime import Begun, Life, Runtime, Withdrawn
from bot.engine.waits import Bell
from bot.errors import ModelRetry
from memory.db import Database, Reader, Tx
from memory.errors import StorageFull
from memory.moments import to_us
from tests.conftest import MONDAY
from tests.fakes.town import Town


@dataclass
class Deaths(Life):
    """Counts what was given up."""

    errors: list[str] = field(default_factory=list)

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
        self.errors.append(error)


class Work(Runtime):
    """Runs that do what a test says, without a model."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.started: list[int] = []
        self.raises: list[Exception] = []
        self.hold: asyncio.Event | None = None
        self.cannot: Exception | None = None

    def begin(self, tx: Tx, run: Run) -> Begun:
        if self.cannot is not None:
            raise self.cannot
        return Begun(run=run, given=[], steps=[], told=[], wanted=True)

    async def execute(self, begun: Begun) -> None:
        run = begun.run
        self.started.append(run.id)
        if self.hold is not None:
            await self.hold.wait()
        if self.raises:
            raise self.raises.pop(0)
        await self.db.write(self._done, run)

    def _done(self, tx: Tx, run: Run) -> None:
        inputs.take(tx, run.session_id, run=run.id, step=0)
        runs.settle(tx, run.id, runs.State.SUCCEEDED, now_us=to_us(MONDAY))


class Shop:
    """A dispatcher over a database."""

    def __init__(self, db: Database, owner: str = "me") -> None:
        self.db = db
        self.clock = VirtualClock(MONDAY)
        self.work = Work(db)
        self.life = Deaths()
        self.told = 0
        """How often other processes were told that there is something to do."""
        self.bell = Bell(self._tell)
        self.controller = SessionController(
            self.clock, self.bell.ring, settings=Settings(debounce=timedelta(0))
        )
        self.dispatcher = Dispatcher(
            db,
            self.work,
            self.controller,
            self.life,
            Breaker(self.clock, self.bell, patience=timedelta(hours=12)),
            clock=self.clock,
            sleep=self.clock.sleep,
            bell=self.bell,
            owner=owner,
            settings=Places(places=2, background=1, lease=timedelta(seconds=60)),
        )

    def _tell(self) -> None:
        self.told += 1

    async def submit(
        self,
        where: str,
        priority: int = runs.Priority.PERSON,
        *,
        held_by: str = "",
        after: timedelta = timedelta(0),
        thread: str = "",
    ) -> None:
        """Queue a run; `held_by` has claimed it before anybody can see it."""

        def act(tx: Tx) -> None:
            kind = sessions.Kind.MEMORY
            session = sessions.inner(tx, kind, where, now_us=to_us(MONDAY))
            if thread:
                session = sessions.inner(tx, kind, thread, parent=session.id, now_us=to_us(MONDAY))
            entry = Entry(session_id=session.id, trigger=Trigger.BURST, parts=(), key=session.key)
            due = self.clock() + after
            want = Want(role="memory", priority=priority, due=due)
            self.controller.submit_input(tx, entry, want)
            if held_by:
                self._claim(tx, held_by, timedelta(seconds=60))

        await self.db.write(act)

    async def claim_as(self, owner: str, *, lease: timedelta = timedelta(seconds=60)) -> Run:
        return await self.db.write(self._claim, owner, lease)

    def _claim(self, tx: Tx, owner: str, lease: timedelta) -> Run:
        run = runs.claim(
            tx,
            owner=owner,
            now_us=to_us(self.clock()),
            lease_us=int(lease.total_seconds() * 1e6),
            priorities=range(1000),
        )
        assert run is not None
        return run

    async def wait(self, seconds: float) -> None:
        held = self.work.hold is not None and not self.work.hold.is_set()
        await self.clock.pass_time(
            self.clock() + timedelta(seconds=seconds),
            busy=lambda: bool(self.db.busy or (self.dispatcher.busy and not held)),
            breathe=system_sleep,
        )

    async def all(self) -> list[Run]:
        return await self.db.read(lambda reader: runs.latest(reader, limit=99)[::-1])

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.dispatcher.run())
        try:
            await self.wait(0)
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def shop(db: Database) -> Shop:
    return Shop(db)


async def test_what_a_dead_process_held_is_started_again_at_once(shop: Shop) -> None:
    await shop.submit("a")
    run = await shop.claim_as("the dead one")
    async with shop.open():
        await shop.wait(1)
        [again] = await shop.all()
    assert (again.id, again.state, again.attempts) == (run.id, runs.State.SUCCEEDED, 2)


async def test_a_lease_that_ran_out_is_taken_back_while_the_house_lives(shop: Shop) -> None:
    """Its own, too: what could not be noted on a full disk goes on later."""
    async with shop.open():
        await shop.submit("a", held_by="me")
        await shop.wait(50)
        assert shop.work.started == []
        await shop.wait(60)
        [run] = await shop.all()
    assert (run.state, run.attempts) == (runs.State.SUCCEEDED, 2)


async def test_a_run_that_is_carried_keeps_its_lease(shop: Shop) -> None:
    shop.work.hold = asyncio.Event()
    async with shop.open():
        await shop.submit("a")
        await shop.wait(3600)
        [run] = await shop.all()
        assert (run.state, run.attempts) == (runs.State.RUNNING, 1)
        shop.work.hold.set()
        await shop.wait(1)
        [run] = await shop.all()
    assert (run.state, run.attempts) == (runs.State.SUCCEEDED, 1)


async def test_a_run_that_kills_its_process_again_and_again_is_given_up(shop: Shop) -> None:
    await shop.submit("a")
    for number in range(runs.MAX_ATTEMPTS):
        await shop.claim_as(f"process {number}", lease=timedelta(0))
        if number < runs.MAX_ATTEMPTS - 1:
            await shop.db.write(runs.requeue, 1, due_us=to_us(MONDAY), error="died")
    async with shop.open():
        await shop.wait(1)
        found = await shop.all()
    assert found[0].state is runs.State.FAILED
    assert shop.life.errors == [f"the process died {runs.MAX_ATTEMPTS} times in this run"]


async def test_background_runs_have_places_of_their_own(shop: Shop) -> None:
    shop.work.hold = asyncio.Event()
    async with shop.open():
        for number in range(3):
            await shop.submit(f"background {number}", runs.Priority.AGENCY)
        for number in range(3):
            await shop.submit(f"person {number}")
        await shop.wait(1)
        going = [run for run in await shop.all() if run.state is runs.State.RUNNING]
        assert sorted(run.priority for run in going) == [10, 10, 50]
        shop.work.hold.set()
        await shop.wait(5)
        assert {run.state for run in await shop.all()} == {runs.State.SUCCEEDED}


async def test_a_person_is_woken_for_though_background_runs_are_overdue(shop: Shop) -> None:
    shop.work.hold = asyncio.Event()
    async with shop.open():
        for number in range(2):
            await shop.submit(f"background {number}", runs.Priority.AGENCY)
        await shop.wait(5)
        await shop.submit("person", after=timedelta(seconds=1))
        await shop.wait(1.1)
        assert [r.state for r in await shop.all() if r.priority == 10] == [runs.State.RUNNING]
        shop.work.hold.set()
        await shop.wait(1)


async def test_what_is_due_at_once_begins_in_the_commit_that_made_it_so(shop: Shop) -> None:
    shop.work.hold = asyncio.Event()
    async with shop.open():
        commits: list[int] = []
        shop.db.timed = lambda writes, seconds: commits.append(writes)
        await shop.submit("a")
        [run] = await shop.all()
        assert (run.state, run.claimed_by, run.attempts) == (runs.State.RUNNING, "me", 1)
        await shop.wait(1)
        assert (shop.work.started, commits) == ([run.id], [1])
        shop.work.hold.set()
        await shop.wait(1)


async def test_what_finds_no_place_is_kept_and_begins_when_there_is_one(shop: Shop) -> None:
    shop.work.hold = asyncio.Event()
    async with shop.open():
        for number in range(4):
            await shop.submit(f"person {number}")
        await shop.wait(1)
        assert len(shop.work.started) == 2
        shop.work.hold.set()
        await shop.wait(1)
        assert len(shop.work.started) == 4


async def test_others_are_told_of_a_run_whose_chat_has_its_share_here(shop: Shop) -> None:
    shop.work.hold = asyncio.Event()
    async with shop.open():
        await shop.submit("a", thread="one")
        await shop.wait(1)
        told = shop.told
        await shop.submit("a", thread="two")
        assert [run.state for run in await shop.all()] == [runs.State.RUNNING, runs.State.QUEUED]
        assert shop.told == told + 1
        shop.work.hold.set()
        await shop.wait(1)


async def test_a_run_that_cannot_begin_takes_nothing_back_of_what_was_said(
    shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    shop.work.cannot = RuntimeError("a bug")
    async with shop.open():
        await shop.submit("a")
        [run] = await shop.all()
        assert run.state is runs.State.QUEUED
        assert "a bug" in caplog.text
        shop.work.cannot = None
        await shop.wait(60)
        [run] = await shop.all()
    assert run.state is runs.State.SUCCEEDED


async def test_a_run_that_a_full_disk_stopped_holds_no_place(shop: Shop) -> None:
    shop.work.raises = [StorageFull("full"), StorageFull("full")]
    async with shop.open():
        await shop.submit("a")
        await shop.submit("b")
        await shop.wait(1)
        assert [run.state for run in await shop.all()] == [runs.State.RUNNING] * 2
        await shop.submit("c")
        await shop.wait(1)
        assert (await shop.all())[-1].state is runs.State.SUCCEEDED
        await shop.wait(180)
        assert {run.state for run in await shop.all()} == {runs.State.SUCCEEDED}


async def test_nothing_begins_any_more_where_the_house_stops(shop: Shop) -> None:
    async with shop.open():
        await shop.dispatcher.drain()
        await shop.submit("a")
        assert shop.told == 1, "it is for another process"
        await shop.wait(60)
        [run] = await shop.all()
    assert (run.state, shop.work.started) == (runs.State.QUEUED, [])


async def test_tries_back_off_and_respect_the_time_an_endpoint_names(shop: Shop) -> None:
    shop.work.raises = [ModelRetry("529"), ModelRetry("429", after=100.0)]
    async with shop.open():
        await shop.submit("a")
        await shop.wait(4)
        assert len(shop.work.started) == 1
        await shop.wait(2)
        assert len(shop.work.started) == 2
        await shop.wait(90)
        assert len(shop.work.started) == 2
        await shop.wait(20)
        [run] = await shop.all()
    assert (run.state, run.attempts) == (runs.State.SUCCEEDED, 2), "waiting counts as no start"
    assert shop.life.errors == []


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (Withdrawn(), runs.State.CANCELLED),
        (RuntimeError("a bug"), runs.State.FAILED),
        (LookupError(), runs.State.FAILED),
    ],
)
async def test_one_run_that_ends_badly_takes_nobody_with_it(
    shop: Shop, error: Exception, state: runs.State
) -> None:
    shop.work.raises = [error]
    async with shop.open():
        await shop.submit("a")
        await shop.wait(1)
        await shop.submit("b")
        await shop.wait(1)
        bad, *rest = await shop.all()
    assert bad.state is state
    assert rest[-1].state is runs.State.SUCCEEDED
    assert len(shop.life.errors) == 1


async def test_a_run_somebody_else_settled_meanwhile_is_left_alone(shop: Shop) -> None:
    shop.work.hold = asyncio.Event()
    shop.work.raises = [RuntimeError("late")]
    async with shop.open():
        await shop.submit("a")
        await shop.wait(1)
        await shop.db.write(
            runs.settle, 1, runs.State.SUCCEEDED, outcome="spoken", now_us=to_us(MONDAY)
        )
        shop.work.hold.set()
        await shop.wait(1)
        await shop.submit("b")
        await shop.wait(1)
        first, second = await shop.all()
    assert (first.state, first.outcome) == (runs.State.SUCCEEDED, "spoken")
    assert second.state is runs.State.SUCCEEDED
    assert shop.life.errors == []


def test_a_run_that_rests_counts_no_start_and_goes_on_where_it_was(town: Town) -> None:
    room = town.room("project", town.person("Ana"))
    tx, us = town.tx, town.us
    runs.queue(tx, room, "conversation", priority=10, due_us=us, now_us=us)

    def claim(owner: str) -> runs.Run:
        run = runs.claim(
            tx, owner=owner, now_us=us, lease_us=9, priorities=range(runs.ALL), share=runs.ALL
        )
        assert run is not None
        return run

    starts = []
    for _ in range(runs.MAX_ATTEMPTS + 2):
        run = claim("me")
        starts.append(run.attempts)
        assert not runs.rest(tx, run.id, owner="another", now_us=us)
        assert runs.rest(tx, run.id, owner="me", now_us=us)
        assert runs.get(tx, run.id).state is runs.State.QUEUED
    # from the second on it looks for steps of an earlier start, and it is never given up
    assert starts == [1, *[2] * (runs.MAX_ATTEMPTS + 1)]
    claim("me")
    assert runs.rest_all(tx, owner="another", now_us=us) == 0
    assert runs.rest_all(tx, owner="me", now_us=us) == 1
    assert claim("another").attempts == 2
