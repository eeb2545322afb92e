"""What somebody waits for overtakes the rest; the rest is neither lost nor forgotten."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from memory.db import MOMENT_S, Database, Reader, Tx
from memory.engine import Engine
from memory.lanes import Lanes, Way, presses, pressing


@pytest.fixture
async def store(place: Path | Engine) -> AsyncIterator[Database]:
    async with Database(place) as database:
        await database.write(
            lambda tx: tx.schema.define("CREATE TABLE things (id INTEGER PRIMARY KEY, n INTEGER)")
        )
        yield database


def add(n: int) -> Callable[[Tx], int]:
    return lambda tx: tx.insert("INSERT INTO things (n) VALUES (:n) RETURNING id", n=n)


def in_order(reader: Reader) -> list[int]:
    return [row["n"] for row in reader.all("SELECT n FROM things ORDER BY id")]


class Held:
    """A function that stands still until it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self._go = threading.Event()

    def run(self, _: Reader) -> None:
        self.begun.set()
        assert self._go.wait(10)

    def let_go(self) -> None:
        self._go.set()


def queued(store: Database, *writes: Callable[[Tx], object]) -> list[asyncio.Future[object]]:
    return [asyncio.ensure_future(store.write(write)) for write in writes]


async def begun(held: Held) -> None:
    assert await asyncio.to_thread(held.begun.wait, 10)


async def test_what_presses_is_written_first_and_each_lane_keeps_its_order(store: Database) -> None:
    held = Held()
    writes = queued(store, held.run)
    await begun(held)
    writes += queued(store, add(1), add(2), pressing(add(3)), pressing(add(4)))
    await asyncio.sleep(0)
    held.let_go()
    await asyncio.gather(*writes)
    assert await store.read(in_order) == [3, 4, 1, 2]


async def test_a_long_batch_ends_where_something_presses_and_goes_on_behind_it(
    store: Database,
) -> None:
    first, long = Held(), Held()

    def fails(_: Tx) -> None:
        raise LookupError("changed my mind")

    writes = queued(store, first.run)
    await begun(first)
    writes += queued(store, add(1), long.run, add(2), fails, add(3))
    await asyncio.sleep(0)
    first.let_go()
    await begun(long)
    writes += queued(store, pressing(add(4)))
    await asyncio.sleep(0.005)  # a batch of any length is long by now
    long.let_go()
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert await store.read(in_order) == [1, 4, 2, 3]
    assert [type(result) for result in results].count(LookupError) == 1


async def test_the_rest_gets_a_share_of_every_commit_however_much_presses(store: Database) -> None:
    held, commits = Held(), list[int]()
    store.timed = lambda writes, seconds: commits.append(writes)

    def long(moments: int) -> Callable[[Tx], None]:
        return lambda tx: time.sleep(moments * MOMENT_S)

    writes = queued(store, held.run)
    await begun(held)
    writes += queued(store, add(1), long(20), add(2), pressing(long(5)))
    await asyncio.sleep(0)
    held.let_go()
    await asyncio.gather(*writes)
    assert commits == [1, 3, 1], "one goes in any case, and the second has as long as what pressed"


async def test_the_rest_goes_on_though_something_presses_without_an_end(store: Database) -> None:
    held = Held()
    endless = asyncio.ensure_future(store.read(pressing(held.run)))
    await begun(held)
    await store.write(add(1))
    assert await store.read(in_order) == [1]
    assert await store.read(pressing(in_order)) == [1], "it has threads of its own"
    assert not endless.done()
    held.let_go()
    await endless


async def test_reads_without_number_hold_up_none_that_presses(store: Database) -> None:
    held = Held()
    crowd = [asyncio.ensure_future(store.read(held.run)) for _ in range(20)]
    await begun(held)
    assert await store.read(pressing(in_order)) == []
    assert not any(one.done() for one in crowd)
    held.let_go()
    await asyncio.gather(*crowd)


async def test_both_lanes_are_written_to_the_end_when_the_house_closes(
    place: Path | Engine,
) -> None:
    held = Held()
    async with Database(place) as store:
        await store.write(
            lambda tx: tx.schema.define("CREATE TABLE things (id INTEGER PRIMARY KEY, n INTEGER)")
        )
        writes = queued(store, held.run)
        await begun(held)
        writes += queued(store, *map(add, range(200)), pressing(add(-1)))
        await asyncio.sleep(0)
        held.let_go()
    await asyncio.gather(*writes)
    async with Database(place) as store:
        assert await store.read(in_order) == [-1, *range(200)]


async def test_nothing_is_under_way_once_it_is_done_failed_or_given_up(store: Database) -> None:
    def fails(_: Reader) -> None:
        raise LookupError("no")

    for one in (store.write(pressing(fails)), store.read(pressing(fails))):
        with pytest.raises(LookupError):
            await one
    held = Held()
    waiting = asyncio.ensure_future(store.write(pressing(held.run)))
    await begun(held)
    assert store.way.taken == 1
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    held.let_go()
    await store.read(pressing(in_order))
    assert (store.way.taken, store.busy) == (0, 0)


def test_work_in_a_thread_stands_still_while_something_presses() -> None:
    way, went_on = Way(patience_s=10), threading.Event()
    way.enter()
    way.enter()
    answers: list[bool] = []

    def work() -> None:
        answers.append(way.give())
        went_on.set()

    thread = threading.Thread(target=work)
    thread.start()
    way.leave()
    assert not went_on.wait(0.01), "one of the two is still under way"
    way.leave()
    thread.join(10)
    assert answers == [True]


def test_it_stands_still_for_a_while_only() -> None:
    way = Way(patience_s=0)
    assert way.give()
    way.enter()
    assert not way.give()


async def test_a_read_that_stood_still_too_long_does_not_again(store: Database) -> None:
    asked: list[int] = []

    class Blocked(Way):
        def give(self) -> bool:
            asked.append(1)
            return len(asked) < 2

    store.way = Blocked()

    def several(reader: Reader) -> None:
        for n in range(5):
            reader.one("SELECT :n AS n", n=n)

    await store.read(several)
    assert len(asked) == 2
    await store.read(pressing(several))
    assert len(asked) == 2, "what presses gives way to nobody"


def test_a_queue_that_is_closed_is_emptied_first() -> None:
    lanes: Lanes[int] = Lanes(Way())
    for n in range(3):
        lanes.put(n)
    lanes.put(9, pressing=True)
    lanes.close()
    assert [lanes.take(2), lanes.take(2), lanes.take(2)] == [[9, 0], [1, 2], []]


def test_whether_it_presses_is_known_of_what_wraps_it() -> None:
    assert presses(pressing(in_order)) and not presses(in_order)
    assert pressing(in_order).__name__ == "in_order"
