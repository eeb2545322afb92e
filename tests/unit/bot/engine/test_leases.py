"""A lease has one owner at a time, passes on when that one is gone, and a late one does no harm."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app import system_sleep
from bot.engine import leases
from bot.engine.clocks import VirtualClock
from bot.engine.keeper import RENEW, SURE, TERM, Shared
from bot.errors import LeaseLost
from memory.db import Database, Reader, Tx
from memory.engine import Engine
from memory.postgres import Postgres
from tests.conftest import MONDAY
from tests.fakes import servers
from tests.fakes.town import Town

MIND = "agency"


class Process:
    """A process that wants the agency: its own clock, its own connections."""

    def __init__(self, db: Database, name: str) -> None:
        self.db = db
        self.clock = VirtualClock(MONDAY)
        self.keeper = Shared(db, self.clock, self.clock.sleep, owner=name)
        self.working = 0
        self.begun = 0
        self.fails: Exception | None = None
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.task = asyncio.create_task(self.keeper.while_held(MIND, self.work))

    async def work(self) -> None:
        self.begun += 1
        self.working += 1
        try:
            if self.fails:
                raise self.fails
            await asyncio.Event().wait()
        finally:
            self.working -= 1

    async def passes(self, span: timedelta) -> None:
        """Its clock goes on by so much."""
        until = self.clock() + span
        await self.clock.pass_time(until, busy=lambda: bool(self.db.busy), breathe=system_sleep)

    async def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)


@pytest.fixture
def url() -> Iterator[str]:
    made = servers.running().fresh()
    yield made
    servers.running().drop(made)


@asynccontextmanager
async def process(place: Path | Engine, name: str) -> AsyncIterator[Process]:
    async with Database(place) as db:
        made = Process(db, name)
        try:
            yield made
        finally:
            await made.stop()


@asynccontextmanager
async def two(url: str) -> AsyncIterator[tuple[Process, Process]]:
    async with process(Postgres(url), "one") as one, process(Postgres(url), "other") as other:
        one.start()
        await one.passes(timedelta(0))
        assert one.working == 1
        other.start()
        await other.passes(timedelta(0))
        yield one, other


async def test_one_has_it_and_keeps_it_while_it_renews(url: str) -> None:
    async with two(url) as (one, other):
        for _ in range(20):
            await one.passes(RENEW)
            await other.passes(RENEW)
            assert (one.working, other.working) == (1, 0)


async def test_one_that_ends_gives_it_up_at_once(url: str) -> None:
    async with two(url) as (one, other):
        assert (one.keeper.waiting, other.keeper.waiting) == ([], [MIND])
        await one.stop()
        await other.passes(RENEW)
        assert (one.working, other.working) == (0, 1)
        assert other.keeper.waiting == []


async def test_one_that_vanishes_is_followed_within_seconds(url: str) -> None:
    async with two(url) as (one, other):
        # The clock of the first stands still from here on: it does nothing more.
        await other.passes(TERM - timedelta(seconds=1))
        assert (one.begun, other.working) == (1, 0), "it may still be alive"
        await other.passes(timedelta(seconds=3))
        assert other.working == 1


async def test_one_that_was_stopped_in_its_tracks_writes_nothing_more(url: str) -> None:
    async with two(url) as (one, other):
        store = one.keeper.store(MIND)
        await store.write(note, "while it has it")
        await other.passes(TERM + RENEW)  # the first one's clock stands still
        assert other.working == 1
        with pytest.raises(LeaseLost):
            await store.write(note, "too late")
        await one.passes(SURE)
        assert (one.working, other.working) == (0, 1)
        assert one.begun == 1
        assert await other.db.read(notes) == ["while it has it"]


async def test_one_that_was_frozen_knows_before_it_does_anything(url: str) -> None:
    """What it was about to do may run before its renewal wakes."""
    async with two(url) as (one, _):
        assert one.keeper.holds(MIND)
        one.clock.skip(SURE)
        assert one.working == 1
        assert not one.keeper.holds(MIND)


async def test_one_that_cannot_renew_stops_before_another_may_begin(url: str) -> None:
    async with two(url) as (one, _):
        with suppress(Exception):
            servers.running().disconnect(url)
        servers.running().refuse(url, True)
        try:
            waited = asyncio.create_task(one.passes(SURE + RENEW))
            async with asyncio.timeout(20):
                while one.working:
                    await system_sleep(0.01)
                    one.clock.skip(timedelta(milliseconds=200))
                    one.clock._wake()
            assert one.clock() - MONDAY < TERM + RENEW
        finally:
            servers.running().refuse(url, False)
            waited.cancel()
            await asyncio.gather(waited, return_exceptions=True)


async def test_what_the_work_raises_is_raised_and_the_lease_is_free(url: str) -> None:
    async with process(Postgres(url), "one") as one:
        one.fails = RuntimeError("broken")
        with pytest.raises(RuntimeError, match="broken"):
            await one.keeper.while_held(MIND, one.work)
        lease = await one.db.read(leases.find, MIND)
        assert lease is not None
        assert lease.owner == ""


async def test_many_that_want_a_free_one_at_one_time_are_one(url: str) -> None:
    async with Database(Postgres(url)) as db, Database(Postgres(url)) as far:
        taken = await asyncio.gather(
            *[
                one.write(leases.take, MIND, f"p{n}", seen=None, now_us=1)
                for n in range(20)
                for one in (db, far)
            ]
        )
        assert len([lease for lease in taken if lease]) == 1


def test_a_lease_is_taken_only_as_it_was_seen(town: Town) -> None:
    first = leases.take(town.tx, MIND, "one", seen=None, now_us=1)
    assert first is not None
    assert leases.take(town.tx, MIND, "other", seen=None, now_us=2) is None
    assert leases.renew(town.tx, first)
    assert leases.take(town.tx, MIND, "other", seen=first, now_us=3) is None, "it was renewed since"
    seen = leases.find(town.tx, MIND)
    second = leases.take(town.tx, MIND, "other", seen=seen, now_us=4)
    assert second is not None
    assert (second.owner, second.epoch, second.renewals) == ("other", 2, 0)
    assert not leases.renew(town.tx, first)
    with pytest.raises(LeaseLost):
        leases.hold(town.tx, first)
    leases.hold(town.tx, second)
    leases.give_up(town.tx, first)
    assert leases.every(town.tx) == [second], "a late owner gives nothing away"
    leases.give_up(town.tx, second)
    third = leases.take(town.tx, MIND, "one", seen=leases.find(town.tx, MIND), now_us=5)
    assert third is not None
    assert third.epoch == 3


def note(tx: Tx, text: str) -> None:
    tx.schema.define("CREATE TABLE IF NOT EXISTS noted (id INTEGER PRIMARY KEY, said TEXT)")
    tx.run("INSERT INTO noted (said) VALUES (:said)", said=text)


def notes(reader: Reader) -> list[str]:
    return [row["said"] for row in reader.all("SELECT said FROM noted ORDER BY id")]
