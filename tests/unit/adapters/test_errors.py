"""Errors that leave the tasks of a chat."""

import asyncio

import pytest

from adapters.errors import Refused, bared


async def fail(*errors: Exception) -> None:
    async with asyncio.TaskGroup() as outer:

        async def inner() -> None:
            async with asyncio.TaskGroup() as tasks:
                for error in errors:
                    tasks.create_task(_raise(error))

        outer.create_task(inner())


async def _raise(error: Exception) -> None:
    raise error


async def test_an_adapters_own_error_comes_bare_however_deep_it_was() -> None:
    with pytest.raises(Refused, match="the token"), bared():
        await fail(Refused("the token"))


async def test_a_fault_beside_it_is_not_hidden() -> None:
    with pytest.raises(ExceptionGroup), bared():
        await fail(Refused("the token"), KeyError("ts"))
