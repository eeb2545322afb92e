"""The listener weighs what was said, and no words stop it."""

import asyncio
import logging
from datetime import timedelta

import pytest

from agency import fires
from bot.app import system_sleep
from bot.engine import sessions
from bot.engine.clocks import VirtualClock
from bot.engine.waits import Bell
from bot.listener import Listener
from memory import originals
from memory.db import Database, Tx
from memory.moments import to_us
from tests.conftest import MONDAY

NOW_US = to_us(MONDAY)


def said(tx: Tx, text: str) -> int:
    session = sessions.inner(tx, sessions.Kind.MEMORY, "here", now_us=NOW_US)
    saying = originals.Saying(
        session_id=session.id,
        kind=originals.Kind.MESSAGE,
        author="Ana",
        body=text,
        said_us=NOW_US,
    )
    original = originals.keep(tx, saying, now_us=NOW_US)
    event = fires.Event(kind=fires.Kind.MESSAGE, key=text, original_id=original, salience=None)
    fire = fires.observe(tx, event, now_us=NOW_US)
    assert fire is not None
    return fire


def odd(text: str) -> float:
    if text == "odd":
        raise RecursionError("too deep")
    return 0.5


async def test_words_that_cannot_be_weighed_count_as_ordinary_and_stop_nothing(
    db: Database, caplog: pytest.LogCaptureFixture
) -> None:
    clock = VirtualClock(MONDAY)
    bell, weighed = Bell(), Bell()
    listener = Listener(db, clock.sleep, bell=bell, weighed=weighed, score=odd)
    with caplog.at_level(logging.CRITICAL):
        task = asyncio.create_task(listener.run())
        try:
            first, second = await db.write(said, "odd"), await db.write(said, "plain")
            bell.ring()
            await clock.pass_time(
                clock() + timedelta(seconds=2),
                busy=lambda: bool(db.busy or listener.busy),
                breathe=system_sleep,
            )
            assert not task.done()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    found = [await db.read(fires.find, id) for id in (first, second)]
    assert [one.salience for one in found if one] == [0.0, 0.5]
    assert await db.read(fires.unread, limit=9) == []
