"""Fixtures of the Feishu adapter: a server, a standing clock, a connected chat."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.feishu_api import FeishuApi
from tests.fakes.feishu_house import Running, Time, running


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def feishu(time: Time) -> AsyncIterator[FeishuApi]:
    async with FeishuApi(clock=time.clock) as server:
        yield server


@pytest.fixture
async def here(feishu: FeishuApi, time: Time) -> AsyncIterator[Running]:
    """A chat that is connected."""
    async with running(feishu, time) as made:
        yield made
