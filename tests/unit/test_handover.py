"""From a task to its handler: every queue is measured alike, and what is not there is said."""

import asyncio
import queue
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks import handover
from benchmarks.places import SQLITE, Place, places
from benchmarks.rivals import Contender, Handed, Handler, Put
from benchmarks.scale import SMOKE


@asynccontextmanager
async def plain(place: Place, handler: Handler) -> AsyncIterator[Put]:
    """A queue that keeps nothing, with a handler in a thread."""
    tasks: queue.SimpleQueue[int | None] = queue.SimpleQueue()

    def work() -> None:
        while (n := tasks.get()) is not None:
            handler(n)

    async def put(n: int) -> Handed:
        began = time.perf_counter()
        tasks.put(n)
        return Handed(began, time.perf_counter())

    thread = threading.Thread(target=work)
    thread.start()
    yield put
    tasks.put(None)
    thread.join()


async def test_ours_go_the_way_of_the_product_and_others_are_put_beside_them(
    tmp_path: Path,
) -> None:
    here = Contender("a plain queue", SQLITE, plain, needs="queue", package="pytest")
    gone = Contender("a lost queue", SQLITE, plain, needs="no_such_module", package="lost")
    own = [one for one in handover.OURS if one.kind == SQLITE]
    with places(tmp_path) as made:
        lines = await handover.compared(made, own, [here, gone], SMOKE)
    ours, beside = lines[:2], lines[2:5]
    assert [line.target for line in ours] == ["", ""]
    assert all("handled a second" in line.beside for line in ours)
    assert [line.target for line in beside] == ["≥ 1 ×"] * 3
    assert all(line.ratio is not None and line.ratio > 0 for line in beside)
    assert (lines[5].measure, lines[5].figure) == (
        "SQLite: a lost queue",
        "not installed, not measured",
    )


async def test_a_handler_is_waited_for_from_any_thread() -> None:
    handler = Handler()
    waiting = [asyncio.create_task(handler.until(n)) for n in (1, 2)]
    for n in (2, 1, 1):
        await asyncio.to_thread(handler, n)
    await asyncio.gather(*waiting)
    assert handler.began[2] < handler.began[1]
