"""The outbox when a platform does what it should not, and a long letter broken off anywhere."""

import asyncio

import pytest

from adapters.chat import Outgoing, Receipt
from adapters.errors import Refused, Retry, Unknown
from adapters.pace import Pace
from bot.app import system_clock, system_sleep
from bot.engine import leases, letters
from bot.engine.keeper import Shared
from bot.engine.letters import State
from bot.engine.outbox import GIVE_UP, Outbox, lease_of
from bot.engine.waits import Bell
from memory.db import Database
from memory.moments import to_us
from memory.postgres import Postgres
from tests.fakes import servers
from tests.unit.bot.engine.test_outbox import Pigeon, Post


class Odd(Pigeon):
    """A pigeon whose other methods can fail too."""

    def __init__(self) -> None:
        super().__init__()
        self.cuts: list[Exception] = []
        """What `parts` raises, one each time."""
        self.ends: list[BaseException] = []
        """What ends a call of `send` after the letter was taken."""

    def parts(self, text: str) -> list[str]:
        if self.cuts:
            raise self.cuts.pop(0)
        return super().parts(text)

    async def send(self, letter: Outgoing) -> Receipt:
        receipt = await super().send(letter)
        if self.ends:
            raise self.ends.pop(0)
        return receipt


@pytest.fixture
def post(db: Database) -> Post:
    made = Post(db)
    made.chat = Odd()
    made.outbox = made._outbox()
    return made


def odd(post: Post) -> Odd:
    assert isinstance(post.chat, Odd)
    return post.chat


async def test_an_adapter_that_loses_its_task_holds_up_its_room_only_a_moment(post: Post) -> None:
    odd(post).ends = [asyncio.CancelledError()]
    async with post.open():
        await post.write("one")
        await post.write("two")
        await post.wait(60)
    assert post.texts == ["one", "two"]
    assert await post.states() == [State.SENT, State.SENT]


async def test_what_was_never_handed_over_is_no_possible_repeat(post: Post) -> None:
    odd(post).cuts = [ValueError("a bug in the cutting")]
    odd(post).search = [Unknown("there is no history")]
    async with post.open():
        await post.write("one")
        await post.wait(60)
    assert [letter.possible_repeat for letter in post.chat.sent] == [False]


@pytest.mark.parametrize(  # half a day each: what the number is, is nothing to the database
    ("db", "after"),
    [("sqlite", float("inf")), ("sqlite", float("nan")), ("sqlite", 1e18), ("postgres", -5.0)],
    indirect=["db"],
)
async def test_an_absurd_wait_stops_nothing(post: Post, after: float) -> None:
    post.chat.troubles = [Retry("slow down", after=after)]
    async with post.open():
        await post.write("one")
        await post.write("two", "b")
        await post.wait(60)
        assert "two" in post.texts
        await post.wait(GIVE_UP.total_seconds())
    assert (await post.states())[0] in (State.SENT, State.FAILED)


async def test_a_room_is_not_held_up_for_ever_by_what_nobody_can_find(post: Post) -> None:
    post.chat.losses = 1
    post.chat.search = [KeyError("a bug")] * 10_000
    async with post.open():
        await post.write("one")
        await post.wait(GIVE_UP.total_seconds() - 60)
        assert await post.states() == [State.UNKNOWN]
        await post.wait(400)
        post.chat.search = []
        await post.write("two")
        await post.wait(10)
    assert post.texts == ["one", "two"]
    assert await post.states() == [State.FAILED, State.SENT]


async def test_what_lay_for_half_a_day_is_not_said_out_of_nowhere(post: Post) -> None:
    """The house was down over night."""
    await post.write("one")
    await post.wait(GIVE_UP.total_seconds())
    async with post.open():
        await post.wait(10)
        await post.write("two")
        await post.wait(10)
    assert post.texts == ["two"]
    assert await post.states() == [State.FAILED, State.SENT]


@pytest.mark.parametrize("late", [False, True])
async def test_what_was_on_its_way_to_a_chat_that_is_off_now_is_given_up_in_time(
    post: Post, late: bool
) -> None:
    """Until then it may be switched on again, and tell."""
    await post.write("one", platform="slack")
    await post.db.write(letters.claim, limit=1, now_us=to_us(post.clock()))
    await post.wait(GIVE_UP.total_seconds() if late else 60)
    async with post.open():
        await post.wait(10)
        await post.write("two")
        await post.wait(10)
    assert await post.states() == [State.FAILED if late else State.SENDING, State.SENT]


@pytest.mark.parametrize("error", [Retry, Refused, Unknown, RuntimeError])
async def test_a_reason_with_half_a_sign_can_be_noted(post: Post, error: type[Exception]) -> None:
    post.chat.troubles = [error("no \ud83d here\0")]
    async with post.open():
        await post.write("one")
        await post.write("two")
        await post.wait(30)
    assert (await post.states())[1] is State.SENT


class TestALongLetterBrokenOff:
    """`kill -9` leaves the letter as it stood; the next start goes on from there."""

    async def leave(self, post: Post) -> letters.Letter:
        """Claimed and cut, and nothing of it posted."""
        post.chat.piece = 3
        await post.write("abcdefgh")
        [letter] = await post.db.write(letters.claim, limit=1, now_us=to_us(post.clock()))
        return await post.db.write(letters.split, letter, post.chat.parts(letter.body))

    async def test_between_the_cutting_and_the_first_piece(self, post: Post) -> None:
        await self.leave(post)
        async with post.open():
            await post.wait(60)
        assert post.texts == ["abc", "def", "gh"]
        assert not any(one.possible_repeat for one in post.chat.sent)

    async def test_after_the_first_piece_was_posted_and_not_noted(self, post: Post) -> None:
        first = await self.leave(post)
        post.chat.arrived[first.key] = "m7"
        async with post.open():
            await post.wait(60)
        assert post.texts == ["def", "gh"]
        assert post.placed[0] == (first.id, "m7")

    async def test_a_piece_in_doubt_is_marked_alone(self, post: Post) -> None:
        await self.leave(post)
        post.chat.search = [Unknown("there is no history")]
        async with post.open():
            await post.wait(60)
        assert post.texts == ["abc", "def", "gh"]
        assert [one.possible_repeat for one in post.chat.sent] == [True, False, False]
        assert [bool(one.buttons) for one in post.chat.sent] == [False, False, True]

    @pytest.mark.parametrize("troubles", [0, 2])
    async def test_no_piece_is_cut_once_more(self, post: Post, troubles: int) -> None:
        """What was cut with little room to spare may be cut again when it is looked at alone."""
        post.chat.piece = 3
        await post.write("abcdefgh")
        post.chat.troubles = [Retry("away") for _ in range(troubles)]
        async with post.open():
            await post.wait(0)
            post.chat.piece = 2
            await post.wait(60)
        assert post.texts == ["abc"] * (troubles + 1) + ["def", "gh"]
        assert set(await post.states()) == {State.SENT}


async def test_a_letter_that_waits_for_its_turn_when_the_house_closes_is_in_no_doubt(
    post: Post,
) -> None:
    waits = asyncio.Event()
    pace = Pace(post.clock, post.clock.sleep)
    pace.close("a", 30.0)

    class Patient(Odd):
        async def send(self, letter: Outgoing) -> Receipt:
            waits.set()
            await pace.wait({"a": ()})
            return await super().send(letter)

    post.chat = Patient()
    post.outbox = post._outbox()
    async with post.open():
        await post.write("one")
        await waits.wait()
    assert await post.states() == [State.PENDING]
    post.chat = Odd()
    post.outbox = post._outbox()
    async with post.open():
        await post.wait(60)
    assert [(one.text, one.possible_repeat) for one in post.chat.sent] == [("one", False)]


async def test_whenever_the_house_closes_only_what_was_handed_over_is_in_doubt(post: Post) -> None:
    for moment in range(60):
        post.outbox = post._outbox()
        async with post.open():
            await post.write(f"letter {moment}")
            await system_sleep(moment / 10_000)
        doubted = await post.db.read(letters.in_doubt)
        assert {letter.body for letter in doubted} <= set(post.texts)


async def test_closing_does_not_wait_for_a_database_that_is_away() -> None:
    server = servers.running()
    url = server.fresh()
    async with Database(Postgres(url)) as database:
        outbox = Outbox(
            database,
            {},
            system_clock,
            lambda seconds: system_sleep(seconds / 50),
            bell=Bell(),
            placed=lambda tx, letter, message: None,
            people=lambda reader, letter: (),
        )
        running = asyncio.create_task(outbox.run())
        await system_sleep(0.2)
        server.refuse(url, True)
        server.disconnect(url)
        outbox.bell.ring()
        await system_sleep(0.1)
        assert database.busy, "it waits for the database"
        running.cancel()
        async with asyncio.timeout(5):
            await asyncio.wait({running})
        assert running.cancelled()
    server.refuse(url, False)
    server.drop(url)


async def for_ever() -> None:
    await asyncio.Event().wait()


async def test_what_another_process_posts_by_now_is_not_claimed(post: Post) -> None:
    """This one was frozen, and has not noticed that it lost the platform."""
    db, name = post.db, lease_of("pigeon")
    keeper = Shared(db, post.clock, post.clock.sleep, owner="one")
    holding = asyncio.create_task(keeper.while_held(name, for_ever))
    while not keeper.holds(name):
        await system_sleep(0.001)
    seen = await db.read(leases.find, name)
    assert await db.write(leases.take, name, "other", seen=seen, now_us=1)
    post.outbox._keeper = keeper
    await post.write("one")
    before = await post.states()
    running = asyncio.create_task(post.outbox.run())
    await post.wait(0.5)
    assert await post.states() == before
    assert post.texts == []
    for task in (running, holding):
        task.cancel()
    await asyncio.gather(running, holding, return_exceptions=True)
