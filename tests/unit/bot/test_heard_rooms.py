"""Who hears a room is taken from every event, for the room and all its threads."""

from datetime import UTC, datetime

from adapters.chat import Address, Author, EventKind, Incoming, Room, RoomKind
from bot.engine import sessions
from bot.engine.controller import SessionController
from bot.engine.controller import Settings as Joining
from bot.intake import Intake, Settings
from bot.responses import Responses
from bot.withdrawals import Withdrawals
from memory import audiences
from memory.audiences import Audience
from memory.db import Database, Reader
from tests.fakes.front_desk import front_desk, keeping, presses
from tests.fakes.town import Town

ANA, BO, LIN = (Author(id=name, name=name) for name in ("ana", "bo", "lin"))
CHANNEL = Address(platform="slack", account="T1", chat="C1")
LITTLE = {"open": False, "complete": False, "partial": True}
"""What an event tells by itself."""
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


class Desk:
    """An intake over a real database."""

    def __init__(self, db: Database, town: Town) -> None:
        self.db = db
        controller = SessionController(town.clock, lambda: None, settings=Joining())
        speaking = town.speaking()
        reception, news = front_desk(speaking, controller, town.clock)
        self.intake = Intake(
            db, controller, Withdrawals(speaking, keeping(speaking, town.clock), town.clock),
            presses(speaking, controller, town.clock), reception, news,
            Responses(town.clock, enabled=True), town.clock, bells=(), settings=Settings(),
        )  # fmt: skip
        self.count = 0

    async def event(
        self, author: Author, *members: Author, thread: str | None = None,
        kind: EventKind = EventKind.NEW, title: str = "#c", direct: bool = False,
        gone: tuple[Author, ...] = (), little: bool = False, **room: bool,
    ) -> None:  # fmt: skip
        self.count += 1
        shown = (LITTLE if little else {"open": True}) | room
        address = Address(
            platform="slack", account="T1", chat="C1", thread=thread,
            message=None if kind is EventKind.MEMBERS else str(self.count),
        )  # fmt: skip
        await self.intake.receive(
            Incoming(
                address=address, kind=kind, author=author, text="hello", at=NOW,
                room=Room(
                    title="" if little else title,
                    kind=RoomKind.DIRECT if direct else RoomKind.GROUP,
                    workspace="T1", members=members, gone=gone, **shown,
                ),
            )
        )  # fmt: skip

    async def heard(self, thread: str | None = None) -> Audience:
        room = Address(platform="slack", account="T1", chat="C1", thread=thread)

        def look(reader: Reader) -> Audience | None:
            session = sessions.named(reader, str(room))
            return audiences.find(reader, session.id) if session else None

        found = await self.db.read(look)
        assert found is not None
        return found


async def test_a_thread_is_heard_by_its_room_as_it_is_now(db: Database, town: Town) -> None:
    desk = Desk(db, town)
    await desk.event(ANA, ANA, BO, thread="17", title="#c, a thread")
    assert len((await desk.heard()).members) == 2, "the room was never seen itself"
    await desk.event(ANA, ANA, BO, LIN, kind=EventKind.MEMBERS, open=False)
    thread, room = await desk.heard("17"), await desk.heard()
    assert len(thread.members) == 3
    assert not thread.open
    assert thread.members == room.members
    await desk.event(ANA, ANA, thread="18", open=False)
    assert len((await desk.heard("17")).members) == len((await desk.heard()).members) == 1
    assert (await desk.heard("17")).title == "#c, a thread"


async def test_whoever_speaks_in_a_room_hears_it(db: Database, town: Town) -> None:
    desk = Desk(db, town)
    await desk.event(LIN, ANA, BO)
    assert len((await desk.heard()).members) == 3
    await desk.event(ANA, ANA, BO)
    assert len((await desk.heard()).members) == 2
    await desk.event(Author(id="b", name="b", is_bot=True), ANA, BO)
    assert len((await desk.heard()).members) == 2


async def test_a_dm_that_lists_nobody_is_heard_by_who_writes(db: Database, town: Town) -> None:
    desk = Desk(db, town)
    await desk.event(ANA, direct=True, open=False)
    heard = await desk.heard()
    assert heard.direct
    assert len(heard.members) == 1


async def test_outsiders_and_incomplete_lists_are_kept(db: Database, town: Town) -> None:
    desk = Desk(db, town)
    await desk.event(ANA, ANA, outsiders=True, complete=False)
    heard = await desk.heard()
    assert heard.outsiders
    assert not heard.complete


async def test_a_room_nobody_has_told_of_may_hold_guests(db: Database, town: Town) -> None:
    desk = Desk(db, town)
    await desk.event(ANA, direct=True, little=True)
    unknown = await desk.heard()
    assert unknown.outsiders
    assert not unknown.open
    assert not unknown.complete
    await desk.event(ANA, ANA, direct=True, open=False, kind=EventKind.MEMBERS)
    assert not (await desk.heard()).outsiders


async def test_whoever_speaks_hears_also_where_the_event_tells_little(
    db: Database, town: Town
) -> None:
    desk = Desk(db, town)
    await desk.event(ANA, ANA, BO, open=False)
    await desk.event(LIN, little=True)
    heard = await desk.heard()
    assert (len(heard.members), heard.title, heard.complete) == (3, "#c", True)
    await desk.event(LIN, thread="17", little=True)
    assert (await desk.heard("17")).members == heard.members
    await desk.event(Author(id="kai", name="kai"), thread="17", little=True)
    assert len((await desk.heard()).members) == 4


async def test_a_guest_is_noticed_also_where_the_event_tells_little(
    db: Database, town: Town
) -> None:
    desk = Desk(db, town)
    await desk.event(ANA, ANA, BO)
    await desk.event(ANA, outsiders=True, little=True)
    assert (await desk.heard()).outsiders
    await desk.event(BO, little=True)
    assert (await desk.heard()).outsiders, "knowing less is no reason to trust more"


async def test_who_was_seen_to_leave_is_forgotten_where_nobody_lists_the_members(
    db: Database, town: Town
) -> None:
    """Telegram lists nobody, so all who were ever seen count as hearing, but not for ever."""
    desk = Desk(db, town)
    await desk.event(ANA, ANA, BO, LIN, complete=False)
    await desk.event(ANA, ANA, complete=False, kind=EventKind.MEMBERS, gone=(BO,))
    assert len((await desk.heard()).members) == 2
    await desk.event(BO, ANA, BO, complete=False)
    assert len((await desk.heard()).members) == 3


async def test_what_another_process_saw_of_a_room_is_not_taken_for_its_own(
    db: Database, town: Town
) -> None:
    here, there = Desk(db, town), Desk(db, town)
    there.count = 100
    await here.event(ANA, ANA, BO)
    await there.event(ANA, ANA, BO, LIN)
    here.intake.took_over()
    await here.event(ANA, ANA, BO)
    assert len((await here.heard()).members) == 2
