"""Work that goes on as long as what began it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

Work = Callable[[], Coroutine[Any, Any, None]]


async def lasting(name: str, work: Work) -> None:
    """Do some work, and be cancelled with it; RuntimeError when somebody else broke it off.

    A group takes a task that was cancelled for one that has ended well, and goes on without it:
    one task of a library that lets its own end through would leave a house that looks alive and
    does not do its work.
    """
    task = asyncio.create_task(work(), name=name)
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error from None
        raise
    if task.cancelled():
        raise RuntimeError(f"the task {name!r} was broken off, and nobody had told it to end")
    task.result()
