"""Shows people that a run they wait for goes on: a sign at once, and a line once it takes long.

answering ─► sign at the newest message ─► after a while one line, edited ─► ended: both taken away
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from adapters.chat import Address, Chat
from bot import texts
from bot.engine import sessions
from bot.engine.inputs import Input
from bot.engine.runs import Priority, Run
from bot.engine.signs import Signs
from bot.engine.waits import Bell, Clock, Sleep
from memory import originals
from memory.db import Database, Reader

logger = logging.getLogger(__name__)

FIRST = timedelta(seconds=15)  # a run that ends sooner needs no line
LEAST = timedelta(seconds=3)  # between two edits, however fast the steps are
MOST = timedelta(seconds=20)  # between two edits, so that the time shown moves
BESIDE = 64  # runs accompanied at once; where signs are slow, others go without
CLOSING_S = 3.0  # seconds that the signs may take to go away when the house closes


@dataclass(slots=True, kw_only=True)
class _Going:
    """A run people wait for."""

    run: Run
    began: datetime
    newest: Input
    """What it answers."""
    bell: Bell = field(default_factory=Bell)
    steps: int = 0
    tool: str = ""
    over: bool = False


@dataclass(slots=True, kw_only=True)
class _Shown:
    """What stands in the chat for one run; known to this process alone."""

    chat: Chat
    room: Address
    sign: Address | None = None
    """The message that bears the sign."""
    line: str | None = None
    """The chat's word for the line; after a crash nobody can take that line away."""
    at: datetime | None = None
    """When the line was last written."""
    steps: int = 0
    """How many it told."""


class Progress(Signs):
    """Signs in the chats, for runs people wait for; a background run shows none."""

    def __init__(
        self,
        db: Database,
        chats: Mapping[str, Chat],
        clock: Clock,
        sleep: Sleep,
        *,
        language: str,
        ours: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """Build it; it shows nothing on platforms that are not `ours`."""
        self._ours = ours
        self._db = db
        self._chats = chats
        self._clock = clock
        self._sleep = sleep
        self._language = language
        self._going: dict[int, _Going] = {}
        self._begun: asyncio.Queue[_Going] = asyncio.Queue()
        self._accompanied = 0

    def answering(self, run: Run, given: Sequence[Input]) -> None:
        asked = [one for one in given if one.waited_for]
        if not asked or run.priority > Priority.PERSON:
            return
        one = self._going.get(run.id)
        if one is None:
            if self._accompanied >= BESIDE:
                return
            self._accompanied += 1
            one = _Going(run=run, began=self._clock(), newest=asked[-1])
            self._going[run.id] = one
            self._begun.put_nowait(one)
        one.newest = asked[-1]
        one.bell.ring()

    def using(self, run: Run, tools: Sequence[str]) -> None:
        one = self._going.get(run.id)
        if one is not None and tools:
            one.steps += 1
            one.tool = tools[-1]
            one.bell.ring()

    def ended(self, run: Run) -> None:
        one = self._going.pop(run.id, None)
        if one is not None:
            one.over = True
            one.bell.ring()

    async def run(self) -> None:
        """Show what is told until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                one = await self._begun.get()
                task = group.create_task(self._accompany(one), name=f"signs-{one.run.id}")
                task.add_done_callback(self._left)

    def _left(self, _: "asyncio.Task[None]") -> None:
        self._accompanied -= 1

    async def _accompany(self, one: _Going) -> None:
        shown = None
        try:
            if (shown := await self._place(one)) is not None:
                await self._show(one, shown)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(CLOSING_S):
                    await _take_away(shown)
            raise
        except Exception:
            logger.exception("what run %d is at could not be shown", one.run.id)
        try:
            await _take_away(shown)
        except Exception:
            logger.exception("the signs of run %d could not be taken away", one.run.id)

    async def _place(self, one: _Going) -> _Shown | None:
        session = await self._db.read(sessions.find, one.run.session_id)
        room = session.address if session else None
        chat = self._chats.get(room.platform) if room and self._ours(room.platform) else None
        return _Shown(chat=chat, room=room) if chat is not None and room is not None else None

    async def _show(self, one: _Going, shown: _Shown) -> None:
        while not one.over:
            await self._move_sign(one, shown)
            if self._due(one, shown) <= self._clock():
                await self._write_line(one, shown)
            wait = self._due(one, shown) - self._clock()
            await one.bell.wait(wait.total_seconds(), self._sleep)

    def _due(self, one: _Going, shown: _Shown) -> datetime:
        """When the line is to be written next."""
        if shown.at is None:
            return one.began + FIRST
        return shown.at + (LEAST if one.steps > shown.steps else MOST)

    async def _move_sign(self, one: _Going, shown: _Shown) -> None:
        place = await self._db.read(_address, one.newest) or shown.room
        if place == shown.sign:
            return
        if shown.sign is not None:
            await shown.chat.show_working(shown.sign, False)
        shown.sign = place
        await shown.chat.show_working(place, True)

    async def _write_line(self, one: _Going, shown: _Shown) -> None:
        shown.at, shown.steps = self._clock(), one.steps
        line = texts.progress(
            texts.language(one.newest.text, setting=self._language),
            tool=one.tool,
            steps=one.steps,
            seconds=int((shown.at - one.began).total_seconds()),
        )
        shown.line = await shown.chat.show_progress(shown.room, line, shown.line)


async def _take_away(shown: _Shown | None) -> None:
    if shown is None:
        return
    if shown.line is not None:
        await shown.chat.show_progress(shown.room, "", shown.line)
    if shown.sign is not None:
        await shown.chat.show_working(shown.sign, False)


def _address(reader: Reader, given: Input) -> Address | None:
    """Where on its platform the message of an input is."""
    original = originals.find(reader, given.original_id) if given.original_id else None
    return Address.parse(original.address) if original and original.address else None
