"""Fixtures: Telegram on loopback."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.telegram_api import TelegramApi


@pytest.fixture
async def api() -> AsyncIterator[TelegramApi]:
    """A server whose bot bears the name the cases use."""
    async with TelegramApi(username="acme_helper_bot") as server:
        yield server
