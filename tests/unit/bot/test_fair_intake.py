"""What comes in takes turns by chat: a crowd from one chat holds up no other, and none is lost."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from adapters.chat import Address, Author, EventKind, Incoming, Room, RoomKind
from adapters.errors import Retry
from adapters.slack.hearing import IN_HAND, Hearing
from bot.app import Surroundings, open_house
from bot.house import House
from bot.intake import SHARE, TOGETHER
from bot.plays import team
from bot.turns import Turns
from memory.db import Database, Reader
from memory.engine import Engine
from tests.conftest import MONDAY, MakeConfig

ANA = Author(id="ana", name="Ana")


class Counting(Database):
    """A database that notes the most writes that waited at one moment."""

    def __init__(self, engine: Path | Engine) -> None:
        super().__init__(engine)
        self.most = 0

    async def write(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        writing = asyncio.ensure_future(super().write(fn, *args, **kwargs))
        await asyncio.sleep(0)
        self.most = max(self.most, self.busy)
        return await writing


def heard(chat: str, id: str, *, thread: str | None = None) -> Incoming:
    return Incoming(
        address=Address(platform="web", account="t", chat=chat, thread=thread, message=id),
        kind=EventKind.NEW,
        author=ANA,
        room=Room(title=chat, kind=RoomKind.GROUP, open=True, workspace="t", members=(ANA,)),
        text=f"The {id} thing that was said",
        at=MONDAY,
    )


@pytest.fixture
def open_counting(make_config: MakeConfig) -> Callable[[], Any]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[House]:
        around = Surroundings(clock=lambda: MONDAY, database=Counting, serve=False)
        async with open_house(make_config(web__enabled=False), around) as house:
            yield house

    return opened


async def until(done: Callable[[], bool]) -> None:
    """Return once it is so, within a bounded time."""
    async with asyncio.timeout(20):
        while not done():  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def order(house: House) -> list[str]:
    """The messages in the order they were stored."""

    def read(reader: Reader) -> list[str]:
        rows = reader.all("SELECT address FROM originals ORDER BY id")
        return [Address.parse(row["address"]).message or "" for row in rows]

    return await house.db.read(read)


async def test_a_crowd_from_one_chat_holds_up_no_other_and_nothing_is_lost(
    open_counting: Callable[[], Any],
) -> None:
    async with open_counting() as house:
        flood = [
            asyncio.create_task(house.intake.receive(heard("loud", f"l{n}"))) for n in range(200)
        ]
        await asyncio.sleep(0)
        await house.intake.receive(heard("calm", "calm"))
        stored = await order(house)
        assert "calm" in stored[: 2 * SHARE + 1]
        await asyncio.gather(*flood)
        stored = await order(house)
        assert house.db.most <= SHARE + 2  # another chat's, and one read
    assert [one for one in stored if one != "calm"] == [f"l{n}" for n in range(200)]


async def test_a_chats_threads_share_its_turns(open_counting: Callable[[], Any]) -> None:
    async with open_counting() as house:
        flood = [
            asyncio.create_task(house.intake.receive(heard("loud", f"l{n}", thread=f"t{n % 50}")))
            for n in range(200)
        ]
        await asyncio.sleep(0)
        await house.intake.receive(heard("calm", "calm"))
        assert "calm" in (await order(house))[: 2 * SHARE + 1]
        await asyncio.gather(*flood)
        assert len(await order(house)) == 201


async def test_many_loud_chats_go_round_and_the_queue_stays_short(
    open_counting: Callable[[], Any],
) -> None:
    async with open_counting() as house:
        flood = [
            asyncio.create_task(house.intake.receive(heard(f"loud{n % 40}", f"l{n}")))
            for n in range(600)
        ]
        await asyncio.sleep(0)
        await house.intake.receive(heard("calm", "calm"))
        # before it: those on their way, and one more round
        assert "calm" in (await order(house))[: 2 * TOGETHER]
        await asyncio.gather(*flood)
        assert house.db.most <= TOGETHER + 1  # and one read
        assert len(await order(house)) == 601


class Ring:
    """Turns whose holders leave when a test says so."""

    def __init__(self, together: int, share: int) -> None:
        self.turns = Turns(together=together, share=share)
        self.inside: list[str] = []
        self.leave: dict[str, asyncio.Event] = {}

    def come(self, chat: str, name: str) -> asyncio.Task[None]:
        self.leave[name] = asyncio.Event()

        async def hold() -> None:
            async with self.turns.turn(chat):
                self.inside.append(name)
                await self.leave[name].wait()

        return asyncio.create_task(hold())

    async def settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)


async def test_turns_go_round_between_chats_and_keep_the_order_inside_one() -> None:
    ring = Ring(together=2, share=1)
    tasks = [ring.come("a", f"a{n}") for n in range(3)]
    tasks += [ring.come("b", f"b{n}") for n in range(3)]
    tasks += [ring.come("c", "c0")]
    await ring.settle()
    assert ring.inside == ["a0", "b0"]
    assert ring.turns.waiting == 5
    for name in ("a0", "b0", "a1", "b1", "c0", "a2", "b2"):
        ring.leave[name].set()
        await ring.settle()
    assert ring.inside == ["a0", "b0", "a1", "b1", "c0", "a2", "b2"]
    await asyncio.gather(*tasks)
    assert (ring.turns.busy, ring.turns.waiting) == (0, 0)


async def test_whoever_goes_away_while_waiting_takes_nobodys_turn() -> None:
    ring = Ring(together=1, share=1)
    first, second, third = (ring.come("a", name) for name in ("a0", "a1", "a2"))
    await ring.settle()
    second.cancel()
    ring.leave["a0"].set()  # leaves in the same turn of the loop
    await ring.settle()
    assert ring.inside == ["a0", "a2"]
    ring.leave["a2"].set()
    await asyncio.gather(first, third)
    assert second.cancelled()
    assert (ring.turns.busy, ring.turns.waiting) == (0, 0)


async def test_whoever_is_let_in_and_goes_away_at_once_gives_the_turn_on() -> None:
    ring = Ring(together=1, share=1)
    first, second, third = (ring.come("a", name) for name in ("a0", "a1", "a2"))
    await ring.settle()
    ring.leave["a0"].set()
    await asyncio.sleep(0)  # the first leaves and lets the second in, which has not come yet
    second.cancel()
    await ring.settle()
    assert ring.inside == ["a0", "a2"]
    ring.leave["a2"].set()
    await asyncio.gather(first, third)
    assert (ring.turns.busy, ring.turns.waiting) == (0, 0)


async def test_the_web_chat_hands_in_a_few_of_every_room_at_a_time(
    make_config: MakeConfig,
) -> None:
    around = Surroundings(clock=lambda: MONDAY, serve=False)
    async with open_house(make_config(), around) as house:
        await house.rooms.seed(team.PEOPLE, team.ROOMS)
        for n in range(60):
            await house.rooms.say("ana", "general", f"one of many, {n}")
        calm = await house.rooms.say("bo", "project", "the calm one")
        assert house.web is not None
        handing = asyncio.create_task(house.web.run(house.intake.receive))
        stored: list[str] = []
        async with asyncio.timeout(20):
            while len(stored) < 61:
                stored = await order(house)
        handing.cancel()
    assert calm.id in stored[:10]
    loud = [int(one) for one in stored if one != calm.id]
    assert loud == sorted(loud)


async def test_a_room_that_cannot_be_told_now_keeps_no_other_one_waiting(
    make_config: MakeConfig,
) -> None:
    around = Surroundings(clock=lambda: MONDAY, serve=False)
    taken: list[str] = []
    healed = asyncio.Event()

    async def receive(incoming: Incoming) -> None:
        if incoming.address.chat == "general" and not healed.is_set():
            raise Retry("not now")
        if incoming.kind is EventKind.NEW:
            taken.append(incoming.text)

    async with open_house(make_config(), around) as house:
        await house.rooms.seed(team.PEOPLE, team.ROOMS)
        for n in range(30):
            await house.rooms.say("ana", "general", f"g{n}")
            await house.rooms.say("bo", "project", f"p{n}")
        assert house.web is not None
        handing = asyncio.create_task(house.web.run(receive))
        await until(lambda: len(taken) == 30)
        assert taken == [f"p{n}" for n in range(30)]
        healed.set()
        await house.rooms.say("bo", "project", "and on")
        await until(lambda: len(taken) == 61)
        handing.cancel()
    assert [one for one in taken if one.startswith("g")] == [f"g{n}" for n in range(30)]


async def test_slacks_socket_is_read_no_further_than_there_is_room() -> None:
    hold = asyncio.Event()
    taken: list[str] = []

    async def receive(incoming: Incoming) -> None:
        await hold.wait()
        taken.append(incoming.address.message or "")

    async def acknowledge() -> None: ...

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(0)

    hearing = Hearing(
        lambda kind, payload: heard(payload["channel"], payload["event_id"]),
        lambda kind, payload, incoming: None,
        lambda: MONDAY,
        sleep,
        lambda: 0.5,
    )
    hearing.listen(receive)
    read = 0

    async def socket() -> None:
        nonlocal read
        for n in range(3 * IN_HAND):
            await hearing.room()
            payload = {"event_id": f"m{n}", "channel": "loud"}
            hearing.accept({"envelope_id": f"e{n}", "payload": payload}, acknowledge)
            read += 1

    reading = asyncio.create_task(socket())
    for _ in range(20):
        await asyncio.sleep(0)
    assert read == IN_HAND
    hold.set()
    await reading
    await until(lambda: len(taken) == 3 * IN_HAND)
    assert taken == [f"m{n}" for n in range(3 * IN_HAND)]
    await hearing.close()
