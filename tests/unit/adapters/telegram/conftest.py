"""Fixtures: Telegram on loopback, and its updates without a server."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.telegram_api import TelegramApi
from tests.fakes.telegram_reader import Reader


@pytest.fixture
async def api() -> AsyncIterator[TelegramApi]:
    """A server whose bot bears the name the cases use."""
    async with TelegramApi(username="acme_helper_bot") as server:
        yield server


@pytest.fixture
def reader() -> Reader:
    """Nothing was read yet."""
    return Reader()
