"""An outage as rows and moments: what begins it, who asks, how often, and who waits how long."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app import PACKAGES
from bot.engine import outages, runs, sessions
from bot.engine.breaker import LIVELY, LONGEST, PAUSE_LIMIT, Breaker, Held, Outlasted, pause_us
from bot.engine.clocks import VirtualClock
from bot.engine.outages import Outage
from bot.engine.rations import Ration
from bot.engine.runs import Priority, Run
from bot.engine.waits import Bell
from bot.errors import ModelError, ModelLocked, ModelRetry
from memory import migrations
from memory.db import Database, Tx
from memory.moments import to_us
from memory.postgres import Postgres
from tests.conftest import MONDAY
from tests.fakes import servers

AWAY = ModelRetry("connection refused")
SECOND = timedelta(seconds=1)


class Desk:
    """A breaker over a database, and runs to try it with."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.clock = VirtualClock(MONDAY)
        self.bell = Bell()
        self.breaker = self.another()

    def another(self) -> Breaker:
        """As a second process has it."""
        return Breaker(self.clock, self.bell, patience=timedelta(hours=12))

    async def queue(self, name: str, *, priority: int = Priority.PERSON) -> int:
        def act(tx: Tx) -> int:
            now_us = to_us(self.clock())
            session = sessions.inner(tx, sessions.Kind.MEMORY, name, now_us=now_us)
            return runs.queue(
                tx, session.id, "memory", priority=priority, due_us=now_us, now_us=now_us
            )

        return await self.db.write(act)

    async def claim(self) -> Run | None:
        """The run that may go next; whoever may not is held, as the dispatcher does it."""

        def act(tx: Tx) -> Run | None:
            outage = self.breaker.look(tx)
            while run := self._claimed(tx):
                try:
                    if outage is not None:
                        self.breaker.admit(tx, outage, run)
                    return run
                except Held:
                    runs.hold(tx, run.id)
            return None

        return await self.db.write(act)

    def _claimed(self, tx: Tx) -> Run | None:
        return runs.claim(
            tx, owner="me", now_us=to_us(self.clock()), lease_us=60_000_000, priorities=range(1000)
        )

    async def fail(self, run: Run, error: ModelError = AWAY) -> Outage | None:
        """The run asked in vain."""
        away = self.breaker.failed()

        def act(tx: Tx) -> Outage | None:
            outage = self.breaker.note(tx, error, away=away)
            if outage is not None:
                runs.hold(tx, run.id, error=str(error), tried=outage.probes + 1, begun=True)
            return outage

        return await self.db.write(act)

    async def run(self, id: int) -> Run:
        return await self.db.read(runs.get, id)


@pytest.fixture
def desk(db: Database) -> Desk:
    return Desk(db)


@pytest.fixture(params=["sqlite", "postgres"])
async def either(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Desk]:
    """On a database of either kind, with every table."""
    if request.param == "sqlite":
        async with Database(tmp_path / "test.db") as db:
            await db.write(migrations.migrate, migrations.steps(PACKAGES), now_us=to_us(MONDAY))
            yield Desk(db)
        return
    url = servers.running().fresh()
    async with Database(Postgres(url)) as db:
        yield Desk(db)
    servers.running().drop(url)


async def claimed(desk: Desk) -> Run:
    run = await desk.claim()
    assert run is not None
    return run


async def test_one_failure_after_a_silence_is_an_outage_and_after_an_answer_it_is_not(
    desk: Desk,
) -> None:
    assert desk.breaker.failed()
    await desk.db.write(desk.breaker.answered)
    assert [desk.breaker.failed() for _ in range(3)] == [False, False, True], "three in a row are"
    await desk.db.write(desk.breaker.answered)
    desk.clock.skip(LIVELY)
    assert desk.breaker.failed()


async def test_while_it_is_away_one_asks_for_all_and_each_time_it_is_another(either: Desk) -> None:
    desk = either
    ids = [await desk.queue(f"room {number}") for number in range(5)]
    await desk.fail(await claimed(desk))
    asked = []
    for _ in range(6):
        assert await desk.claim() is None, "nobody asks before it is time"
        assert await desk.db.read(runs.count_held) == 5
        due = await desk.db.read(desk.breaker.next_look)
        assert due is not None
        desk.clock.skip(timedelta(microseconds=due - to_us(desk.clock())))
        run = await claimed(desk)
        assert await desk.claim() is None, "while one asks nobody else does"
        asked.append(run.id)
        await desk.fail(run)
    assert asked == [*ids[1:], ids[0], ids[1]]


async def test_an_answer_lets_everybody_go_in_the_order_they_came(either: Desk) -> None:
    desk = either
    ids = []
    for number in range(5):
        ids.append(await desk.queue(f"room {number}"))
        desk.clock.skip(SECOND)
    await desk.fail(await claimed(desk))
    desk.clock.skip(timedelta(hours=1))
    run = await claimed(desk)
    await desk.db.write(desk.breaker.answered)
    went = [(await claimed(desk)).id for _ in range(4)]
    assert sorted([run.id, *went]) == ids
    assert went == sorted(went)
    last = await desk.db.read(outages.latest)
    assert last is not None
    assert last.ended_at == desk.clock()
    assert await desk.db.read(desk.breaker.next_look) is None


async def test_the_pause_grows_to_minutes_and_an_endpoint_may_name_a_longer_one() -> None:
    grown = [pause_us(probes, None) / 1e6 for probes in range(9)]
    assert grown == [5, 10, 20, 40, 80, 160, 300, 300, 300]
    assert pause_us(0, 100.0) == 100_000_000
    assert pause_us(99, 1.0) == PAUSE_LIMIT.total_seconds() * 1e6
    assert pause_us(0, 1e9) == LONGEST.total_seconds() * 1e6, "nobody is sent away for years"


async def test_waiting_costs_no_start_and_forgets_no_step(desk: Desk) -> None:
    """DU-12: starts are counted against runs that kill their process, and for nothing else."""
    id = await desk.queue("room")
    for _ in range(3 * runs.MAX_ATTEMPTS):
        run = await claimed(desk)
        await desk.fail(run)
        desk.clock.skip(PAUSE_LIMIT)
    assert (await desk.run(id)).attempts == 1
    assert (await claimed(desk)).attempts == 2, "so that what it did before is looked for"


async def test_what_needs_no_endpoint_is_let_through(desk: Desk) -> None:
    await desk.queue("room")
    await desk.fail(await claimed(desk))
    id = await desk.queue("another room")

    def act(tx: Tx) -> None:
        outage = outages.current(tx)
        assert outage is not None
        runs.give(tx, id, Ration.BUILTIN)
        desk.breaker.admit(tx, outage, runs.get(tx, id))

    await desk.db.write(act)


async def test_another_process_waits_for_the_same_outage_and_is_not_asking_beside(
    desk: Desk,
) -> None:
    await desk.queue("room")
    await desk.fail(await claimed(desk))
    await desk.queue("another room")
    first, desk.breaker = desk.breaker, desk.another()
    assert await desk.claim() is None
    desk.clock.skip(timedelta(seconds=6))
    assert await desk.claim() is not None
    desk.breaker = first
    assert await desk.claim() is None, "the other one is asking"
    await desk.db.write(desk.breaker.answered)
    assert await desk.db.read(outages.current) is None


async def test_a_probe_that_comes_to_no_end_does_not_keep_the_place_for_ever(desk: Desk) -> None:
    for number in range(2):
        await desk.queue(f"room {number}")
    await desk.fail(await claimed(desk))
    desk.clock.skip(timedelta(seconds=6))
    first = await claimed(desk)  # its process dies
    desk.clock.skip(timedelta(minutes=11))
    assert (await claimed(desk)).id != first.id


async def test_patience_is_that_of_whoever_waits(either: Desk) -> None:
    desk = either
    old, background = await desk.queue("old"), await desk.queue("b", priority=Priority.AGENCY)
    await desk.fail(await claimed(desk))
    desk.clock.skip(timedelta(hours=11))
    young = await desk.queue("young")
    await desk.fail(await claimed(desk))
    desk.clock.skip(timedelta(hours=2))
    await desk.fail(await claimed(desk))
    outage = await desk.db.read(outages.current)
    assert outage is not None

    def verdict(tx: Tx, id: int) -> type[Exception]:
        with pytest.raises((Held, Outlasted)) as caught:
            desk.breaker.admit(tx, outage, runs.get(tx, id))
        return caught.type

    verdicts = [await desk.db.write(verdict, id) for id in (old, young, background)]
    assert verdicts == [Outlasted, Held, Held]


@pytest.mark.parametrize("hours", [-6, 6])
async def test_a_clock_that_is_set_puts_off_no_probe(desk: Desk, hours: int) -> None:
    await desk.queue("room")
    await desk.fail(await claimed(desk))
    desk.clock.skip(timedelta(hours=hours))
    await desk.db.write(lambda tx: tx.run("UPDATE runs SET due_at = 0"))
    assert await desk.claim() is not None


async def test_a_key_that_is_refused_is_an_outage_like_any_other(desk: Desk) -> None:
    await desk.queue("room")
    outage = await desk.fail(await claimed(desk), ModelLocked("[model] api_key was not accepted"))
    assert outage is not None
    assert "api_key" in outage.error
