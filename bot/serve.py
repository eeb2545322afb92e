"""Runs a house until it is told to stop."""

import asyncio
import gc
import signal
from collections.abc import Callable

from adapters.chat import Chat
from adapters.errors import AdapterError
from bot.app import Surroundings, open_house
from bot.errors import LimenError
from bot.house import House
from bot.plays import team
from bot.setup.config import Config

STARTING_S = 10.0  # seconds a chat may take before it is reported as still starting
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


async def serve(
    config: Config, *, print_line: Callable[[str], None], around: Surroundings | None = None
) -> None:
    """Open a house, print where it can be reached and `ready`, and live until SIGINT or SIGTERM."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, stopping.set)
    async with open_house(config, around) as house:
        if not _outer(house):  # a team on its own platform needs nobody to play
            await house.rooms.seed(team.PEOPLE, team.ROOMS)
        living = asyncio.create_task(house.live(), name="house")
        ready = asyncio.create_task(_ready(house, print_line), name="ready")
        stop = asyncio.create_task(stopping.wait(), name="stop")
        try:
            await asyncio.wait({living, stop, ready}, return_when=asyncio.FIRST_COMPLETED)
            if ready.done():
                ready.result()
                await asyncio.wait({living, stop}, return_when=asyncio.FIRST_COMPLETED)
            if living.done():
                living.result()
        finally:
            for task in (living, ready, stop):
                task.cancel()
            await asyncio.gather(living, ready, stop, return_exceptions=True)


async def _ready(house: House, print_line: Callable[[str], None]) -> None:
    where = "no web chat"
    if house.web is not None:
        try:
            async with asyncio.timeout(STARTING_S):
                where = await house.web.started()
        except AdapterError as error:
            raise LimenError(str(error)) from error
        print_line(f"Open {where}/?token={house.web_token}")
    standing = (house.supervisor.standing(chat, within_s=STARTING_S) for chat in _outer(house))
    for line in await asyncio.gather(*standing):
        print_line(line)
    # What has been loaded stays: looking through it for garbage would hold everybody up for 40 ms.
    gc.collect()
    gc.freeze()
    print_line(f"ready {where} model={house.model_name}")


def _outer(house: House) -> list[Chat]:
    return [chat for chat in house.supervisor.chats if chat is not house.web]
