"""The outbox: order in a room, four outcomes, and what a crash left in doubt."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from adapters.chat import Address, Author, Button, Chat, Health, Outgoing, Receipt, Receive
from adapters.errors import Refused, Retry, Unknown
from bot.app import system_sleep
from bot.engine import letters, sessions
from bot.engine.clocks import VirtualClock
from bot.engine.letters import Draft, Letter, State
from bot.engine.outbox import GIVE_UP, Outbox
from bot.engine.waits import Bell
from memory.db import Database, Tx
from memory.moments import to_us
from tests.conftest import MONDAY


class Pigeon(Chat):
    """A platform that does what a test says, letter by letter."""

    name = "pigeon"

    def __init__(self) -> None:
        self.sent: list[Outgoing] = []
        self.arrived: dict[str, str] = {}
        self.troubles: list[Exception] = []
        self.losses = 0
        """Letters that arrive though their answer is lost."""
        self.search: list[Exception] = []
        self.lost: set[str] = set()
        """Texts that arrive though their answer is lost."""
        self.piece = 0
        """The most signs a message has; 0 for any."""

    @property
    def health(self) -> Health:
        return Health(up=True)

    async def started(self) -> str:
        return self.name

    async def run(self, receive: Receive) -> None:
        raise NotImplementedError

    def parts(self, text: str) -> list[str]:
        size = self.piece or len(text)
        return [text[i : i + size] for i in range(0, len(text), size)]

    async def send(self, letter: Outgoing) -> Receipt:
        self.sent.append(letter)
        if self.losses or letter.text in self.lost:
            self.losses = max(0, self.losses - 1)
            self.arrived[letter.key] = f"m{len(self.sent)}"
            raise Unknown("the answer was lost")
        if self.troubles:
            raise self.troubles.pop(0)
        self.arrived[letter.key] = f"m{len(self.sent)}"
        return Receipt(message=self.arrived[letter.key], at=MONDAY)

    async def find(self, letter: Outgoing) -> Receipt | None:
        if self.search:
            raise self.search.pop(0)
        message = self.arrived.get(letter.key)
        return Receipt(message=message, at=MONDAY) if message else None

    async def show_working(self, room: Address, working: bool) -> None:
        raise NotImplementedError


class Post:
    """An outbox with one platform."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.clock = VirtualClock(MONDAY)
        self.chat = Pigeon()
        self.people: tuple[Author, ...] = ()
        self.placed: list[tuple[int, str]] = []
        self.outbox = self._outbox()

    def _outbox(self) -> Outbox:
        return Outbox(
            self.db,
            {"pigeon": self.chat},
            self.clock,
            self.clock.sleep,
            bell=Bell(),
            placed=self._place,
            people=lambda reader, letter: self.people,
        )

    def _place(self, tx: Tx, letter: Letter, message: str) -> None:
        self.placed.append((letter.id, message))

    async def write(
        self, key: str, room: str = "a", *, platform: str = "pigeon", at: datetime | None = None
    ) -> int | None:
        def act(tx: Tx) -> int | None:
            address = Address(platform=platform, account="t", chat=room)
            session = sessions.of_room(tx, address, now_us=to_us(MONDAY))
            draft = Draft(
                key=key,
                session_id=session.id,
                address=address,
                body=key,
                buttons=(Button(label="Yes", value="yes"),),
            )
            later = to_us(at) if at else None
            return letters.post(tx, draft, now_us=to_us(self.clock()), not_before_us=later)

        found = await self.db.write(act)
        self.outbox.bell.ring()
        return found

    async def wait(self, seconds: float) -> None:
        await self.clock.pass_time(
            self.clock() + timedelta(seconds=seconds),
            busy=lambda: bool(self.db.busy or self.outbox.busy),
            breathe=system_sleep,
        )

    async def states(self) -> list[State]:
        found = await self.db.read(lambda reader: letters.latest(reader, limit=50))
        return [letter.state for letter in found[::-1]]

    @property
    def texts(self) -> list[str]:
        return [letter.text for letter in self.chat.sent]

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.outbox.run())
        try:
            await self.wait(0)
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def post(db: Database) -> Post:
    return Post(db)


async def test_a_letter_is_sent_once_and_its_place_is_noted(post: Post) -> None:
    async with post.open():
        await post.write("hello")
        await post.write("hello")
        await post.wait(60)
    assert post.texts == ["hello"]
    assert await post.states() == [State.SENT]
    assert post.placed == [(1, "m1")]


async def test_a_room_keeps_its_order_and_rooms_do_not_wait_for_each_other(post: Post) -> None:
    post.chat.troubles = [Retry("429", after=30.0)]
    async with post.open():
        for key in ("a1", "a2", "a3"):
            await post.write(key, "a")
        await post.wait(0)
        await post.write("b1", "b")
        await post.wait(5)
        assert post.texts == ["a1", "b1"]
        await post.wait(60)
    assert post.texts == ["a1", "b1", "a1", "a2", "a3"]
    assert set(await post.states()) == {State.SENT}


async def test_a_refused_letter_is_failed_and_the_next_goes_out(post: Post) -> None:
    post.chat.troubles = [Refused("channel is archived")]
    async with post.open():
        await post.write("one")
        await post.write("two")
        await post.wait(10)
    assert post.texts == ["one", "two"]
    assert await post.states() == [State.FAILED, State.SENT]


async def test_tries_end_at_last(post: Post) -> None:
    """DU-05: days later the words would come out of nowhere."""
    post.chat.troubles = [Retry("away")] * 1000
    async with post.open():
        await post.write("one")
        await post.wait(GIVE_UP.total_seconds() - 600)
        assert await post.states() == [State.PENDING]
        await post.wait(1200)
    assert await post.states() == [State.FAILED]


async def test_a_letter_waits_for_its_time(post: Post) -> None:
    async with post.open():
        await post.write("later", at=MONDAY + timedelta(minutes=10))
        await post.wait(599)
        assert post.texts == []
        await post.wait(2)
    assert post.texts == ["later"]


async def test_a_lost_answer_is_looked_up_and_not_sent_again(post: Post) -> None:
    post.chat.losses = 1
    async with post.open():
        await post.write("one")
        await post.wait(60)
    assert post.texts == ["one"]
    assert await post.states() == [State.SENT]
    assert post.placed == [(1, "m1")]


async def test_a_letter_that_certainly_did_not_arrive_is_sent_again(post: Post) -> None:
    post.chat.troubles = [Unknown("the answer was lost")]
    async with post.open():
        await post.write("one")
        await post.wait(60)
    assert [letter.possible_repeat for letter in post.chat.sent] == [False, False]
    assert [letter.key for letter in post.chat.sent] == ["one", "one"]


async def test_where_a_platform_can_never_tell_a_second_try_is_marked_and_the_last(
    post: Post,
) -> None:
    post.chat.troubles = [Unknown("the answer was lost")] * 2
    post.chat.search = [Unknown("there is no history")] * 2
    async with post.open():
        await post.write("one")
        await post.write("two")
        await post.wait(60)
    assert [letter.possible_repeat for letter in post.chat.sent] == [False, True, False]
    assert post.texts == ["one", "one", "two"]
    assert await post.states() == [State.FAILED, State.SENT]


async def test_a_long_letter_goes_out_in_pieces_before_whatever_came_later(post: Post) -> None:
    post.chat.piece = 3
    async with post.open():
        await post.write("abcdefgh")
        await post.write("xy")
        await post.wait(60)
    assert post.texts == ["abc", "def", "gh", "xy"]
    assert len({letter.key for letter in post.chat.sent}) == 4
    assert [[one.label for one in letter.buttons] for letter in post.chat.sent] == [
        [], [], ["Yes"], ["Yes"],
    ]  # fmt: skip


async def test_pieces_that_were_posted_are_not_posted_again(post: Post) -> None:
    post.chat.piece = 3
    post.chat.lost = {"def"}
    async with post.open():
        await post.write("abcdefgh")
        await post.wait(60)
    assert post.texts == ["abc", "def", "gh"]
    assert set(await post.states()) == {State.SENT}


async def test_a_fault_of_an_adapter_stops_neither_the_outbox_nor_the_letter(post: Post) -> None:
    post.chat.troubles = [ZeroDivisionError("a bug")]
    post.chat.search = [KeyError("another")]
    async with post.open():
        await post.write("one")
        await post.write("two", "b")
        await post.wait(60)
    assert sorted(post.texts) == ["one", "one", "two"]
    assert await post.states() == [State.SENT, State.SENT]


async def test_a_letter_is_told_when_it_was_written_and_whom_it_may_mention(post: Post) -> None:
    post.people = (Author(id="U1", name="Mo"),)
    async with post.open():
        await post.write("hello @Mo")
        await post.write("hello Mo")
        await post.wait(10)
    assert [letter.people for letter in post.chat.sent] == [post.people, ()]
    assert post.chat.sent[0].written == MONDAY


async def test_what_waits_for_a_room_goes_where_the_room_goes_on(post: Post) -> None:
    post.chat.troubles = [Retry("migrated")]
    async with post.open():
        await post.write("one")
        await post.wait(0)
        old = Address(platform="pigeon", account="t", chat="a")
        await post.db.write(sessions.move, old, replace(old, chat="b"))
        await post.db.write(letters.readdress, old, replace(old, chat="b"))
        await post.wait(10)
    assert [letter.room.chat for letter in post.chat.sent] == ["a", "b"]


async def test_while_nobody_can_tell_whether_it_arrived_it_is_not_said_twice(post: Post) -> None:
    post.chat.losses = 1
    post.chat.search = [Retry("away"), Retry("away"), Retry("away")]
    async with post.open():
        await post.write("one")
        await post.write("two")
        await post.wait(15)
        assert post.texts == ["one"], "and the next one waits its turn"
        await post.wait(60)
    assert post.texts == ["one", "two"]
    assert await post.states() == [State.SENT, State.SENT]


@pytest.mark.parametrize("arrived", [True, False])
async def test_what_a_crash_left_being_sent_is_looked_up_first(post: Post, arrived: bool) -> None:
    """DU-05: nobody knows whether it arrived, so the platform is asked."""
    await post.write("one")
    await post.db.write(letters.claim, limit=1, now_us=to_us(MONDAY))
    if arrived:
        post.chat.arrived["one"] = "m9"
    async with post.open():
        await post.wait(60)
    assert post.texts == ([] if arrived else ["one"])
    assert await post.states() == [State.SENT]
    assert post.placed == [(1, "m9" if arrived else "m1")]


async def test_a_letter_to_a_chat_that_is_off_fails_by_name(post: Post) -> None:
    async with post.open():
        await post.write("one", platform="slack")
        await post.wait(1)
        [letter] = await post.db.read(lambda reader: letters.latest(reader, limit=9))
    assert letter.state is State.FAILED
    assert "slack" in letter.error


async def test_many_rooms_at_once_all_get_theirs(post: Post) -> None:
    async with post.open():
        for number in range(60):
            await post.write(f"k{number}", f"room {number}")
        await post.wait(5)
    assert sorted(post.texts) == sorted(f"k{number}" for number in range(60))
