"""Waiting for news, but not for ever."""

import asyncio
from collections.abc import Awaitable, Callable


async def news_within(
    woken: asyncio.Event, seconds: float, sleep: Callable[[float], Awaitable[None]]
) -> bool:
    """Wait until `woken` is set; False when `seconds` passed first."""
    news = asyncio.ensure_future(woken.wait())
    tired = asyncio.ensure_future(sleep(seconds))
    try:
        await asyncio.wait({news, tired}, return_when=asyncio.FIRST_COMPLETED)
        return woken.is_set()
    finally:
        news.cancel()
        tired.cancel()
