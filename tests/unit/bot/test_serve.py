"""What `limen run` prints before it is ready."""

import asyncio

from adapters.errors import Refused
from bot import serve
from bot.app import Surroundings
from tests.conftest import MakeConfig
from tests.fakes.scripted_chat import ScriptedChat


async def test_each_platform_has_its_line_between_the_address_and_ready(
    make_config: MakeConfig,
) -> None:
    lines: list[str] = []
    ready = asyncio.Event()

    def print_line(line: str) -> None:
        lines.append(line)
        if line.startswith("ready "):
            ready.set()

    chats = (
        ScriptedChat(name="slack"),
        ScriptedChat(name="telegram", unreachable=Refused("the token was revoked; set a new one")),
    )
    running = asyncio.create_task(
        serve.serve(
            make_config(web__port=0), print_line=print_line, around=Surroundings(chats=chats)
        )
    )
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
    running.cancel()
    waiting.cancel()
    await asyncio.gather(running, waiting, return_exceptions=True)
    assert lines[0].startswith("Open http://127.0.0.1:")
    assert lines[1:3] == [
        "slack: Slack as @limen",
        "telegram is down: the token was revoked; set a new one",
    ]
    assert lines[3].startswith("ready http://127.0.0.1:")
