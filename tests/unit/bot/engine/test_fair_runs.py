"""Places are shared: one chat with all its threads never keeps another chat's question waiting."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from adapters.chat import Address
from bot.app import system_sleep
from bot.engine import inputs, runs, sessions
from bot.engine.breaker import Breaker
from bot.engine.clocks import VirtualClock
from bot.engine.controller import SessionController, Settings, Want
from bot.engine.dispatch import Dispatcher
from bot.engine.dispatch import Settings as Places
from bot.engine.inputs import Entry, Trigger
from bot.engine.runs import Priority, Run
from bot.engine.runtime import Begun, Runtime
from bot.engine.waits import Bell
from memory.db import Database, Tx
from memory.moments import to_us
from tests.conftest import MONDAY
from tests.unit.bot.engine.test_dispatch import Deaths


class Slow(Runtime):
    """Runs that last a second of the clock each, and are noted by their chat."""

    def __init__(self, db: Database, clock: VirtualClock) -> None:
        self.db, self.clock = db, clock
        self.begun: list[str] = []
        self.now: Counter[str] = Counter()
        self.most: Counter[str] = Counter()

    def begin(self, tx: Tx, run: Run) -> Begun:
        session = sessions.find(tx, run.session_id)
        assert session is not None
        room = session.address
        self.begun.append(room.chat if room else session.key)
        return Begun(run=run, given=[], steps=[], told=[], wanted=True)

    async def execute(self, begun: Begun) -> None:
        chat = self.begun[-1]
        self.now[chat] += 1
        self.most[chat] = max(self.most[chat], self.now[chat])
        await self.clock.sleep(1)
        self.now[chat] -= 1
        await self.db.write(self._done, begun.run)

    def _done(self, tx: Tx, run: Run) -> None:
        inputs.take(tx, run.session_id, run=run.id, step=0)
        runs.settle(tx, run.id, runs.State.SUCCEEDED, now_us=to_us(self.clock()))


class Office:
    """A dispatcher over a database; questions come from chats and their threads."""

    def __init__(self, db: Database, places: int = 8, background: int = 2) -> None:
        self.db = db
        self.clock = VirtualClock(MONDAY)
        self.work = Slow(db, self.clock)
        bell = Bell()
        self.controller = SessionController(
            self.clock, bell.ring, settings=Settings(debounce=timedelta(0))
        )
        self.dispatcher = Dispatcher(
            db,
            self.work,
            self.controller,
            Deaths(),
            Breaker(self.clock, bell, patience=timedelta(hours=12)),
            clock=self.clock,
            sleep=self.clock.sleep,
            bell=bell,
            owner="me",
            settings=Places(places=places, background=background),
        )
        self.asked = 0

    async def ask(self, chat: str, *, threads: int = 0, priority: int = Priority.PERSON) -> None:
        """A question in a chat, or one in each of so many threads of it."""
        names: list[str | None] = [f"t{n}" for n in range(threads)] or [None]

        def act(tx: Tx) -> None:
            for thread in names:
                self.asked += 1
                room = Address(platform="web", account="t", chat=chat, thread=thread)
                session = sessions.of_room(tx, room, now_us=to_us(self.clock()))
                key = f"q{self.asked}"
                entry = Entry(session_id=session.id, trigger=Trigger.MESSAGE, parts=(), key=key)
                due = self.clock() - timedelta(seconds=1, microseconds=-self.asked)
                self.controller.submit_input(tx, entry, Want(priority=priority, due=due))

        await self.db.write(act)

    async def wait(self, seconds: float) -> None:
        await self.clock.pass_time(
            self.clock() + timedelta(seconds=seconds),
            busy=lambda: bool(self.db.busy),
            breathe=system_sleep,
        )

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.dispatcher.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def office(db: Database) -> Office:
    return Office(db)


async def test_a_chat_with_many_threads_leaves_places_to_others(office: Office) -> None:
    await office.ask("loud", threads=40)
    async with office.open():
        await office.wait(0.1)
        assert office.work.begun == ["loud"] * 6
        await office.ask("calm")
        await office.wait(0.1)
        assert office.work.begun[6:] == ["calm"]
        await office.wait(20)
    assert office.work.most["loud"] == 6
    assert Counter(office.work.begun) == {"loud": 40, "calm": 1}


async def test_whoever_was_served_least_is_served_next_though_it_asked_last(
    office: Office,
) -> None:
    await office.ask("loud", threads=30)
    await office.ask("second", threads=3)
    await office.ask("third")
    await office.ask("fourth")
    async with office.open():
        await office.wait(0.1)
        first = office.work.begun[:8]
        assert first[:4] == ["loud", "second", "third", "fourth"]
        assert Counter(first[4:]) == {"loud": 2, "second": 2}
        await office.wait(20)
    assert len(office.work.begun) == 35


async def test_five_hundred_chats_are_served_in_the_order_they_asked(office: Office) -> None:
    for n in range(500):
        await office.ask(f"chat{n}")
    async with office.open():
        await office.wait(70)
    assert office.work.begun == [f"chat{n}" for n in range(500)]


async def test_a_persons_question_goes_before_a_nudge_even_in_a_chat_that_is_busy(
    db: Database,
) -> None:
    office = Office(db, places=3)
    await office.ask("loud", threads=2)
    await office.ask("calm", priority=Priority.NUDGE)
    async with office.open():
        await office.wait(0.1)
        assert office.work.begun == ["loud", "loud", "calm"]
        await office.wait(5)


async def test_one_place_is_no_chats_own_and_still_serves_everybody(db: Database) -> None:
    office = Office(db, places=1)
    await office.ask("loud", threads=3)
    await office.ask("calm")
    async with office.open():
        await office.wait(10)
    assert Counter(office.work.begun) == {"loud": 3, "calm": 1}


async def test_background_runs_of_a_chat_take_nothing_from_its_people(office: Office) -> None:
    await office.ask("loud", threads=6, priority=Priority.MEMORY)
    async with office.open():
        await office.wait(0.1)
        assert office.work.begun == ["loud"] * 2
        await office.ask("loud")
        await office.wait(0.1)
        assert office.work.begun == ["loud"] * 3
        await office.wait(10)
    assert len(office.work.begun) == 7


async def test_what_another_process_carries_out_counts_for_nobody_here(office: Office) -> None:
    await office.ask("loud", threads=4)
    for _ in range(4):
        await office.db.write(
            runs.claim,
            owner="another",
            now_us=to_us(MONDAY) + 10_000_000,
            lease_us=10**9,
            priorities=range(runs.BACKGROUND),
            share=4,
        )
    await office.ask("loud")
    found = await office.db.write(
        runs.claim,
        owner="me",
        now_us=to_us(MONDAY) + 10_000_000,
        lease_us=10**9,
        priorities=range(runs.BACKGROUND),
        share=1,
    )
    assert found is not None


async def test_a_chat_at_its_share_is_passed_over_until_one_of_its_runs_ends(
    office: Office,
) -> None:
    await office.ask("loud", threads=3)

    async def claim() -> Run | None:
        return await office.db.write(
            runs.claim,
            owner="me",
            now_us=to_us(MONDAY) + 10_000_000,
            lease_us=10**9,
            priorities=range(runs.BACKGROUND),
            share=2,
        )

    first, second, third = await claim(), await claim(), await claim()
    assert first is not None
    assert second is not None
    assert third is None
    await office.db.write(runs.settle, first.id, runs.State.SUCCEEDED, now_us=to_us(MONDAY))
    assert await claim() is not None
