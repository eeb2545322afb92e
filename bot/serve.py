"""Runs a house until it is told to stop.

signal ─► nothing is taken in or begun ─► steps and letters end, or the time is over ─► handed back
"""

import asyncio
import gc
import logging
import os
import signal
from asyncio import FIRST_COMPLETED
from collections.abc import Callable, Mapping
from datetime import timedelta

from adapters.chat import Chat
from adapters.errors import AdapterError
from bot.app import Surroundings, open_house
from bot.engine.waits import Sleep
from bot.errors import LimenError
from bot.house import House
from bot.operating.notify import Notifier
from bot.operating.server import ANSWER_S, Operations
from bot.parts import Part
from bot.plays import team
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory.errors import StorageError

logger = logging.getLogger(__name__)

LETTERS_S = 3.0  # seconds letters that are being posted have beyond the time that is set
HAND_BACK_S = 5.0  # seconds the database may take for the last write
STANDBY_S = 1.0  # seconds until it is told what another process holds
STARTING_S = 10.0  # seconds a chat may take before it is reported as still starting
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Signals:
    """What the process was told: to stop, and once more to do so at once."""

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.at_once = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self._told)

    def _told(self) -> None:
        if not self.stop.is_set():
            self.stop.set()
            return
        self.at_once.set()
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:  # whoever asks a third time waits for nothing at all
            loop.remove_signal_handler(number)


async def serve(
    config: Config,
    *,
    print_line: Callable[[str], None],
    around: Surroundings | None = None,
    env: Mapping[str, str] = os.environ,
    answer_s: float = ANSWER_S,
) -> None:
    """Open a house, print where it can be reached and `ready`, and live until SIGINT or SIGTERM."""
    around = around or Surroundings()
    with Home(config.bot.data_dir).hold(shared=storage.shared(config)):
        pass  # who runs here already is told of before its port is in the way
    told, notifier = _Signals(), Notifier(env, around.sleep)
    watching = asyncio.create_task(notifier.watch(), name="watchdog")
    operations = Operations(
        config.operations, around.tally, around.clock, around.secrets.hide, answer_s=answer_s
    )
    try:
        async with operations, open_house(config, around) as house:
            operations.watch(house)
            if not _outer(house):  # a team on its own platform needs nobody to play
                await house.rooms.seed(team.PEOPLE, team.ROOMS)
            living = asyncio.create_task(house.live(), name="house")
            saying = _ready(house, print_line, notifier, operations.url)
            ready = asyncio.create_task(saying, name="ready")
            waiting = _tell_waiting(house, print_line, around.sleep)
            standby = asyncio.create_task(waiting, name="standby")
            try:
                await _until_told(told.stop, living, ready)
                operations.close()
                notifier.stopping()
                await _drain(house, living, told.at_once, config.bot.stop_within)
            finally:
                await _end(living, ready, standby)
                await _hand_back(house)
    finally:
        await _end(watching)


async def _until_told(
    stop: asyncio.Event, living: asyncio.Task[None], ready: asyncio.Task[None]
) -> None:
    """Return once it is to stop; raises what the house, or its start, died of."""
    stopped = asyncio.create_task(stop.wait(), name="stop")
    try:
        await asyncio.wait({living, stopped, ready}, return_when=FIRST_COMPLETED)
        if ready.done():
            ready.result()
            await asyncio.wait({living, stopped}, return_when=FIRST_COMPLETED)
        if living.done():
            living.result()
    finally:
        await _end(stopped)


async def _drain(
    house: House, living: asyncio.Task[None], at_once: asyncio.Event, within: timedelta
) -> None:
    """Let what is being done come to the end of its step, while it lasts no longer than that.

    A letter that is broken off is in doubt, so letters have a little longer.
    """
    draining = asyncio.create_task(house.drain(), name="drain")
    hurried = asyncio.create_task(at_once.wait(), name="at once")
    try:
        seconds = within.total_seconds()
        await asyncio.wait(
            {draining, hurried, living}, timeout=seconds, return_when=FIRST_COMPLETED
        )
        if seconds and not draining.done() and not at_once.is_set():
            last = asyncio.create_task(house.outbox.drain(take=False), name="last letters")
            await asyncio.wait({last, hurried}, timeout=LETTERS_S, return_when=FIRST_COMPLETED)
            await _end(last)
        left = house.dispatcher.busy, house.outbox.busy
        if any(left) and not draining.done():
            logger.warning(
                "%d runs and %d letters are broken off, and go on at the next start", *left
            )
        if living.done():
            living.result()
    finally:
        await _end(draining, hurried)


async def _hand_back(house: House) -> None:
    """What is still held goes on elsewhere, or at the next start, at once."""
    try:
        async with asyncio.timeout(HAND_BACK_S):
            await house.dispatcher.hand_back()
    except (StorageError, TimeoutError) as error:
        why = str(error) or "the database does not answer"
        logger.warning("what this process held is taken over as after a crash: %s", why)


async def _end(*tasks: asyncio.Task[object]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _tell_waiting(house: House, print_line: Callable[[str], None], sleep: Sleep) -> None:
    await sleep(STANDBY_S)
    if names := ", ".join(house.keeper.waiting):
        print_line(f"standing by: another process holds {names}; this one follows when it ends")


async def _ready(
    house: House, print_line: Callable[[str], None], notifier: Notifier, operations: str
) -> None:
    where = await _doors(house, print_line) if Part.GATEWAY in house.parts else _only(house.parts)
    if operations:
        print_line(f"operations: {operations}/ready and {operations}/metrics")
    # What has been loaded stays: looking through it for garbage would hold everybody up for 40 ms.
    gc.collect()
    gc.freeze()
    print_line(f"ready {where} model={house.model_name}")
    notifier.ready()


async def _doors(house: House, print_line: Callable[[str], None]) -> str:
    """Wait for the chats to open, say of each how it is, and where the web chat is."""
    where = "no web chat"
    if house.web is not None:
        try:
            async with asyncio.timeout(STARTING_S):
                where = await house.web.started()
            print_line(_address(house, where))
        except AdapterError as error:
            raise LimenError(str(error)) from error
        except TimeoutError:
            if house.supervisor.holds(house.web):
                raise
            where = "the web chat is another process's"
    standing = (house.supervisor.standing(chat, within_s=STARTING_S) for chat in _outer(house))
    for line in await asyncio.gather(*standing):
        print_line(line)
    return where


def _only(parts: frozenset[Part]) -> str:
    return "only " + ", ".join(sorted(parts))


def _address(house: House, where: str) -> str:
    """The way into the web chat; for programs that collect lines without what lets one in."""
    if house.config.log.format == "text":
        return f"Open {where}/?token={house.web_token}"
    if house.config.web.token.get_secret_value():
        return f"Open {where}/ with the token of [web] token"
    return f"Open {where}/ with the token in {Home(house.config.bot.data_dir).token}"


def _outer(house: House) -> list[Chat]:
    return [chat for chat in house.supervisor.chats if chat is not house.web]
