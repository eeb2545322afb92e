"""Fixtures of the suite that all four chats pass."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.fakes.four_chats import KINDS, Kind, Lack
from tests.fakes.live import Line, one_chat

Has = Callable[..., None]
OpenLine = Callable[..., AbstractAsyncContextManager[Line]]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture
def has(kind: Kind) -> Callable[..., None]:
    """`has(Lack.X)`: what follows is about something this platform has; skips where it has not."""

    def check(*wanted: Lack) -> None:
        for one in wanted:
            if one in kind.lacks:
                pytest.skip(one.value)

    return check


@pytest.fixture
def opened(kind: Kind, tmp_path: Path) -> OpenLine:
    """`async with opened(...)`: the platform and its adapter, for tests that set more."""
    return lambda **more: one_chat(kind.make(), tmp_path, **more)


@pytest.fixture
async def line(opened: OpenLine) -> AsyncIterator[Line]:
    async with opened() as found:
        yield found
