"""Rooms take their turns, platforms have places of their own: what is slow holds up itself only."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from adapters.chat import Address, Chat, Health, Outgoing, Receipt, Receive
from adapters.errors import Retry
from bot.app import system_sleep
from bot.engine import letters, sessions
from bot.engine.clocks import VirtualClock
from bot.engine.letters import Draft, State
from bot.engine.outbox import BATCH, Outbox
from bot.engine.waits import Bell
from memory.db import Database, Tx
from memory.moments import to_us
from tests.conftest import MONDAY


class Slow(Chat):
    """Takes so many seconds of the clock for a letter, and notes which came when."""

    def __init__(self, name: str, clock: VirtualClock, seconds: float) -> None:
        self.name = name
        self.clock, self.seconds = clock, seconds
        self.sent: list[str] = []
        self.at: dict[str, float] = {}
        self.beside = 0
        self.most = 0
        self.hang = asyncio.Event()
        """Looks in the history return once it is set."""
        self.troubles: Counter[str] = Counter()
        """How often a room asks to come back later."""

    @property
    def health(self) -> Health:
        return Health(up=True)

    async def started(self) -> str:
        return self.name

    async def run(self, receive: Receive) -> None:
        raise NotImplementedError

    async def send(self, letter: Outgoing) -> Receipt:
        self.beside += 1
        self.most = max(self.most, self.beside)
        try:
            if self.seconds:
                await self.clock.sleep(self.seconds)
        finally:
            self.beside -= 1
        if self.troubles[letter.room.chat]:
            self.troubles[letter.room.chat] -= 1
            raise Retry("too fast", after=30)
        self.sent.append(letter.text)
        self.at[letter.text] = (self.clock() - MONDAY).total_seconds()
        return Receipt(message=f"m{len(self.sent)}", at=MONDAY)

    async def find(self, letter: Outgoing) -> Receipt | None:
        await self.hang.wait()
        return None

    async def show_working(self, room: Address, working: bool) -> None:
        raise NotImplementedError


class Counters:
    """An outbox with a slow platform and a quick one."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.clock = VirtualClock(MONDAY)
        self.snail = Slow("snail", self.clock, 1)
        self.swift = Slow("swift", self.clock, 0)
        self.outbox = Outbox(
            db,
            {"snail": self.snail, "swift": self.swift},
            self.clock,
            self.clock.sleep,
            bell=Bell(),
            placed=lambda tx, letter, message: None,
            people=lambda reader, letter: (),
        )

    async def write(self, platform: str, room: str, *names: str) -> None:
        """Letters to one room, whose texts are their names."""

        def act(tx: Tx) -> None:
            address = Address(platform=platform, account="t", chat=room)
            session = sessions.of_room(tx, address, now_us=to_us(MONDAY))
            for name in names:
                draft = Draft(key=name, session_id=session.id, address=address, body=name)
                letters.post(tx, draft, now_us=to_us(self.clock()))

        await self.db.write(act)
        self.outbox.bell.ring()

    async def wait(self, seconds: float) -> None:
        await self.clock.pass_time(
            self.clock() + timedelta(seconds=seconds),
            busy=lambda: bool(self.db.busy),
            breathe=system_sleep,
        )

    async def states(self) -> Counter[State]:
        found = await self.db.read(lambda reader: letters.latest(reader, limit=500))
        return Counter(letter.state for letter in found)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.outbox.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def counters(db: Database) -> Counters:
    return Counters(db)


async def test_a_slow_platform_holds_no_place_of_another(counters: Counters) -> None:
    for room in range(40):
        await counters.write("snail", f"r{room}", *[f"s{room}.{n}" for n in range(3)])
    async with counters.open():
        await counters.wait(0.5)
        assert counters.snail.beside == BATCH
        await counters.write("swift", "calm", "now")
        await counters.wait(0.1)
        assert counters.swift.sent == ["now"]
        await counters.wait(12)
    assert counters.snail.most == BATCH
    assert await counters.states() == {State.SENT: 121}


async def test_a_room_that_comes_late_waits_for_no_backlog(counters: Counters) -> None:
    for room in range(BATCH):
        await counters.write("snail", f"loud{room}", *[f"l{room}.{n}" for n in range(20)])
    async with counters.open():
        await counters.wait(2.5)
        await counters.write("snail", "calm", "late")
        await counters.wait(3)
    assert counters.snail.at["late"] == 4.0  # the place that was free at three, a second to send


async def test_rooms_take_their_turns_and_each_keeps_its_order(counters: Counters) -> None:
    for room in range(2 * BATCH):
        await counters.write("snail", f"r{room}", *[f"{room}.{n}" for n in range(3)])
    async with counters.open():
        await counters.wait(8)
    turns = [counters.snail.sent[i : i + BATCH] for i in range(0, 6 * BATCH, BATCH)]
    firsts, seconds = {*turns[0], *turns[1]}, {*turns[2], *turns[3]}
    assert firsts == {f"{room}.0" for room in range(2 * BATCH)}
    assert seconds == {f"{room}.1" for room in range(2 * BATCH)}


async def test_a_room_that_is_told_to_slow_down_holds_no_place(counters: Counters) -> None:
    for room in range(BATCH):
        counters.snail.troubles[f"loud{room}"] = 1
        await counters.write("snail", f"loud{room}", f"l{room}")
    async with counters.open():
        await counters.wait(1.5)
        await counters.write("snail", "calm", "calm")
        await counters.wait(1.5)
        assert counters.snail.sent == ["calm"]
        await counters.wait(60)
    assert len(counters.snail.sent) == BATCH + 1


async def test_looking_up_what_is_in_doubt_keeps_no_letter_waiting(counters: Counters) -> None:
    await counters.write("snail", "doubtful", "was it said?")
    await counters.db.write(letters.claim, limit=1, now_us=to_us(MONDAY))
    await counters.write("snail", "calm", "one")
    await counters.write("snail", "doubtful", "after it")
    await counters.write("swift", "calm", "two")
    async with counters.open():
        await counters.wait(2)
        assert counters.snail.sent == ["one"]
        assert counters.swift.sent == ["two"]
        counters.snail.hang.set()
        await counters.wait(10)
    assert counters.snail.sent == ["one", "was it said?", "after it"]


async def test_a_letter_for_no_platform_takes_nobodys_place(counters: Counters) -> None:
    await counters.write("gone", "r", *[f"g{n}" for n in range(30)])
    await counters.write("swift", "calm", "now")
    async with counters.open():
        await counters.wait(1)
    assert counters.swift.sent == ["now"]
    assert await counters.states() == {State.FAILED: 30, State.SENT: 1}
