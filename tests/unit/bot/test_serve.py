"""What `limen run` prints before it is ready, and whom a first start finds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from adapters.chat import Chat
from adapters.errors import Refused
from bot import serve
from bot.app import Surroundings
from bot.setup.config import Config
from tests.conftest import MakeConfig
from tests.fakes.scripted_chat import ScriptedChat


@asynccontextmanager
async def served(config: Config, *chats: Chat) -> AsyncIterator[list[str]]:
    """A house that runs; the lines it printed up to `ready`."""
    lines: list[str] = []
    ready = asyncio.Event()

    def print_line(line: str) -> None:
        lines.append(line)
        if line.startswith("ready "):
            ready.set()

    around = Surroundings(chats=chats)
    running = asyncio.create_task(serve.serve(config, print_line=print_line, around=around))
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
    try:
        yield lines
    finally:
        running.cancel()
        waiting.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)


async def test_each_platform_has_its_line_between_the_address_and_ready(
    make_config: MakeConfig,
) -> None:
    chats = (
        ScriptedChat(name="slack"),
        ScriptedChat(name="telegram", unreachable=Refused("the token was revoked; set a new one")),
    )
    async with served(make_config(web__port=0), *chats) as lines:
        assert lines[0].startswith("Open http://127.0.0.1:")
        assert lines[1:3] == [
            "slack: Slack as @limen",
            "telegram is down: the token was revoked; set a new one",
        ]
        assert lines[3].startswith("ready http://127.0.0.1:")


@pytest.mark.parametrize("own", [False, True], ids=["the web chat alone", "beside a platform"])
async def test_people_to_play_are_there_only_while_there_is_no_team_elsewhere(
    make_config: MakeConfig, own: bool
) -> None:
    chats = (ScriptedChat(name="slack"),) if own else ()
    async with served(make_config(web__port=0), *chats) as lines:
        url = lines[-1].split()[1]
        headers = {"authorization": "Bearer operator-token"}
        async with httpx.AsyncClient(base_url=url, headers=headers, trust_env=False) as http:
            state = (await http.get("/api/state")).json()
    assert bool(state["people"]) is not own
