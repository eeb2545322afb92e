"""How it ends: a chat that is stopped at any moment, or cut off again and again, leaves nothing."""

import asyncio
import gc
from functools import partial

import pytest

from adapters.errors import Retry
from tests.contract.conftest import Has, OpenLine
from tests.fakes.four_chats import Kind, Lack
from tests.fakes.live import Heard, Line, QuickClock, adapter

MOMENTS = (*range(10), *range(10, 50, 5), 60, 80, 120, 200)
"""How many turns of the loop a chat is given before it is stopped."""

SERVERS = ("RequestHandler", "_accept_connection")
CONNECTS = {"slack": "connections.open", "telegram": "getUpdates", "feishu": "ws.endpoint"}
MANY = 12  # tasks of one chat


def left() -> list[str]:
    """Every task but the test's own and those of the servers on loopback."""
    mine = asyncio.current_task()
    coroutines = [str(task.get_coro()) for task in asyncio.all_tasks() if task is not mine]
    return [one for one in coroutines if not any(server in one for server in SERVERS)]


def tried(line: Line, times: int) -> bool:
    """Whether it asked so often for a connection."""
    return len(line.platform.calls(CONNECTS[line.platform.name])) >= times


async def test_stopped_at_any_moment_it_leaves_nothing_behind(kind: Kind, has: Has) -> None:
    has(Lack.CONNECTION)
    clock = QuickClock(200)
    async with kind.make() as platform:
        await platform.say("ana", "project", "anybody there?")
        for turns in MOMENTS:
            chat = adapter(platform, clock)
            running = asyncio.create_task(chat.run(Heard(platform)), name="chat")
            for _ in range(turns):
                await asyncio.sleep(0)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert left() == [], f"after {turns} turns"
            assert not chat.health.up
        await platform.until(lambda: platform.connections == 0)
        gc.collect()  # what was not closed warns now


async def test_stopped_while_it_posts_it_leaves_nothing_behind(
    kind: Kind, has: Has, opened: OpenLine
) -> None:
    has(Lack.CONNECTION)
    async with opened(speed=200) as line:
        letter = await line.letter("ana", "project", "on its way")
        for turns in (*range(12), 15, 20, 30, 50):
            sending = asyncio.create_task(line.chat.send(letter))
            for _ in range(turns):
                await asyncio.sleep(0)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        line.running.cancel()
        await asyncio.gather(line.running, return_exceptions=True)
        with pytest.raises(Retry, match=r"not connected|not open yet"):
            await line.chat.send(letter)
        assert left() == []
        gc.collect()


async def test_a_storm_of_broken_connections_piles_nothing_up(
    kind: Kind, has: Has, opened: OpenLine
) -> None:
    has(Lack.CONNECTION)
    async with opened(speed=5000) as line:
        for _ in range(30):
            await line.platform.hang_up()
            tries = len(line.platform.calls(CONNECTS[line.platform.name]))
            await line.platform.until(partial(tried, line, tries + 1))
        await line.platform.say("ana", "project", "after the storm")
        await line.hear("after the storm")
        await line.platform.until(lambda: line.platform.connections == 1)
        assert len(left()) < MANY, left()


async def test_letters_sent_at_once_keep_their_order(kind: Kind, opened: OpenLine) -> None:
    async with opened(speed=100) as line:
        letters = [await line.letter("ana", "project", f"letter {number}") for number in range(6)]
        await asyncio.gather(*map(line.chat.send, letters))
        said = [post.text for post in line.platform.posts("project")]
    assert said == [f"letter {number}" for number in range(6)]
