"""Work that lasts is cancelled with what began it, and by nobody else unnoticed."""

import asyncio

import pytest

from adapters.lasting import lasting


async def test_work_that_a_stranger_cancels_ends_its_group_loudly() -> None:
    began = asyncio.Event()
    tasks: list[asyncio.Task[None]] = []

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.append(task)
        began.set()
        await asyncio.Event().wait()

    async def group() -> None:
        async with asyncio.TaskGroup() as inside:
            inside.create_task(lasting("outbox", work))
            inside.create_task(asyncio.Event().wait())

    living = asyncio.create_task(group())
    await began.wait()
    tasks[0].cancel()
    with pytest.raises(ExceptionGroup) as caught:
        await living
    assert "'outbox' was broken off" in str(caught.value.exceptions[0])


async def test_it_ends_with_what_began_it_and_before_it_began() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    never = asyncio.create_task(lasting("never", work))
    never.cancel()
    await asyncio.gather(never, return_exceptions=True)
    assert never.cancelled() and not ended.is_set()

    begun = asyncio.create_task(lasting("begun", work))
    for _ in range(3):
        await asyncio.sleep(0)
    begun.cancel()
    await asyncio.gather(begun, return_exceptions=True)
    assert begun.cancelled() and ended.is_set()


async def test_what_it_raises_is_raised_also_while_it_is_being_ended() -> None:
    async def fails() -> None:
        raise ValueError("no")

    async def fails_late() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError("not tidied up")

    with pytest.raises(ValueError, match="no"):
        await lasting("a", fails)
    late = asyncio.create_task(lasting("b", fails_late))
    for _ in range(3):
        await asyncio.sleep(0)
    late.cancel()
    with pytest.raises(ValueError, match="not tidied up"):
        await late
