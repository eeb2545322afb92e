"""What comes late, twice, half or from somebody who may not does no more than it may."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from adapters.chat import Address, Author, EventKind, File, Incoming, Room, RoomKind
from agency import fires
from bot.app import Surroundings
from bot.engine import inputs, letters, runs, sessions
from bot.engine.letters import Draft
from bot.plays.stage import Stage
from memory import originals, search
from memory.db import Reader, Tx
from memory.moments import to_us
from tests.conftest import MONDAY, OpenStage
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.scripted_chat import ScriptedChat

HOURS = 6 * 3600.0
ANA = Author(id="ana", name="Ana")
DM = Room(title="Ana", kind=RoomKind.DIRECT, open=False, workspace="w", members=(ANA,))
SAID = Incoming(
    address=Address(platform="slack", account="w", chat="ana", message="m100"),
    kind=EventKind.NEW,
    author=ANA,
    room=DM,
    text="when does the zeppelin leave?",
    at=MONDAY,
    addressed=True,
)


@asynccontextmanager
async def house(stage: OpenStage, **keys: str) -> AsyncIterator[tuple[Stage, ScriptedChat]]:
    chat = ScriptedChat(name="slack")
    around = Surroundings(model=ScriptedModel(conversation=echo), chats=(chat,))
    async with stage(around, access__admins="slack:boss", **keys) as on:
        yield on, chat


async def told(on: Stage, *events: Incoming, wait: float = 10) -> None:
    for event in events:
        await on.house.intake.receive(event)
    await on.wait(wait)


async def conversations(on: Stage) -> list[runs.Run]:
    return await on.house.db.read(lambda r: runs.latest(r, limit=50, role="conversation"))


class TestTheSameHoursLater:
    async def test_what_was_said_in_a_pause_is_not_answered_by_its_repeat(
        self, stage: OpenStage
    ) -> None:
        async with house(stage) as (on, chat):
            await chat.say("ana", "pause")
            await told(on, SAID)
            await chat.say("ana", "resume")
            await told(on, SAID, wait=HOURS)
            await told(on, SAID)
            assert await conversations(on) == []

    async def test_an_order_is_no_question_once_it_was_obeyed(self, stage: OpenStage) -> None:
        """`resume` is an order only while there is a pause."""
        async with house(stage) as (on, chat):
            await chat.say("ana", "pause")
            resume = replace(SAID, text="resume")
            await told(on, resume, resume)
            assert await conversations(on) == []
            assert chat.said("ana")[-1] == "I am back."

    async def test_a_strangers_words_are_not_taken_up_once_they_are_let_in(
        self, stage: OpenStage
    ) -> None:
        async with house(stage, access__mode="allowlist") as (on, chat):
            stop = replace(SAID, text="forget that", address=replace(SAID.address, message="m99"))
            await told(on, SAID, stop)
            await chat.say("boss", "allow slack:ana")
            await told(on, SAID, stop)
            assert await conversations(on) == []
            assert [text[:5] for text in chat.said("ana")] == ["Sorry"]

    async def test_a_room_that_now_looks_at_everything_answers_no_repeat(
        self, stage: OpenStage
    ) -> None:
        async with house(stage) as (on, _):
            room = replace(DM, kind=RoomKind.GROUP)
            plain = replace(SAID, room=room, addressed=False)
            await told(on, plain)

            def look_at_all(tx: Tx) -> None:
                found = sessions.named(tx, str(SAID.address.room))
                assert found is not None
                sessions.set_attention(tx, found.id, sessions.Attention.ALL)

            await on.house.db.write(look_at_all)
            await told(on, plain)
            assert await conversations(on) == []
            await told(on, replace(plain, address=replace(SAID.address, message="m101")))
            assert len(await conversations(on)) == 1

    async def test_an_edit_before_its_message_is_answered_in_a_room_of_all(
        self, stage: OpenStage
    ) -> None:
        async with house(stage) as (on, chat):
            edit = replace(
                SAID, kind=EventKind.EDIT, text="when does the airship leave?", version=9
            )
            await told(on, edit, SAID, edit, SAID)
            assert chat.said("ana") == ["heard: when does the airship leave?"]


class TestSomebodyDenied:
    async def test_their_edits_reach_nobody_any_more(self, stage: OpenStage) -> None:
        async with house(stage) as (on, chat):
            room = replace(DM, kind=RoomKind.GROUP, title="plans", open=True)
            plain = replace(SAID, room=room, addressed=False, text="We decided: red.")
            edit = replace(plain, kind=EventKind.EDIT, text="We decided: zeppelins.", version=2)
            await told(on, plain, wait=400)
            before = len(await on.house.db.read(lambda r: fires.latest(r, limit=99)))
            await chat.say("boss", "deny slack:ana")
            await told(on, replace(edit, files=(File(id="f", name="secret.txt"),)), wait=400)

            def look(reader: Reader) -> tuple[int, list[str], list[str]]:
                one = originals.at_address(reader, str(SAID.address))
                assert one is not None
                history = [o.body for o in originals.recent(reader, one.session_id, limit=9)]
                words = "decided zeppelins red secret"
                found = search.originals(reader, words, visible=lambda _: True, limit=9)
                return len(fires.latest(reader, limit=99)), history, [o.body for o in found]

            after, history, found = await on.house.db.read(look)
            assert after == before
            assert found == []
            assert history == ["We decided: zeppelins."], "it is history of the room itself"

    async def test_what_is_news_already_is_not_told_in_their_new_words(
        self, stage: OpenStage
    ) -> None:
        chat, model = ScriptedChat(name="slack"), ScriptedModel(conversation=echo)
        around = Surroundings(model=model, chats=(chat,))
        async with stage(around, access__admins="slack:boss") as on:
            room = replace(DM, kind=RoomKind.GROUP, title="plans", open=True)
            plain = replace(SAID, room=room, addressed=False, text="We decided: red.")
            edit = replace(plain, kind=EventKind.EDIT, text="We decided: zeppelins.", version=2)
            await on.house.intake.receive(plain)
            await chat.say("boss", "deny slack:ana")
            await told(on, edit, wait=400)
            agency = [one for one in model.calls if one.role == "agency"]
            assert agency
            assert not any("zeppelin" in str(one.messages) for one in agency)


class TestOddWords:
    HALF = "\ud83d"

    async def test_half_a_sign_anywhere_loses_no_message(self, stage: OpenStage) -> None:
        """Clients cut texts, names and titles in the middle of an emoji."""
        async with house(stage) as (on, chat):
            odd = replace(
                SAID,
                author=Author(id="ana", name=self.HALF),
                room=replace(DM, title=self.HALF, members=()),
                quoted=f"> In reply to Bo:\n> {self.HALF}",
                reply_to="m1",
                files=(File(id=f"f{self.HALF}", name=self.HALF, mime=self.HALF),),
            )
            await told(on, odd, wait=30)
            assert len(chat.said("ana")) == 1

    async def test_an_edit_keeps_what_the_message_answers(self, stage: OpenStage) -> None:
        async with house(stage) as (on, _):
            answer = replace(SAID, quoted="> In reply to Bo:\n> Friday?", reply_to="m1", text="yes")
            edit = replace(answer, kind=EventKind.EDIT, text="no", version=2)
            await told(on, answer, edit)
            found = await on.house.db.read(originals.at_address, str(SAID.address))
            assert found is not None
            assert found.body == "> In reply to Bo:\n> Friday?\n\nno"


async def test_a_room_whose_new_address_was_heard_first_gets_the_letters_of_the_old(
    stage: OpenStage,
) -> None:
    async with house(stage) as (on, chat):
        group = replace(DM, kind=RoomKind.GROUP, title="plans")
        old = replace(SAID, room=group, addressed=False)
        new = replace(old, address=replace(SAID.address, chat="bigger", message="1"))
        await told(on, old, new)

        def write(tx: Tx) -> None:
            session = sessions.named(tx, str(old.address.room))
            assert session is not None
            draft = Draft(
                key="k", session_id=session.id, address=old.address.room, body="good news"
            )
            later = to_us(on.clock()) + 60_000_000
            letters.post(tx, draft, now_us=to_us(on.clock()), not_before_us=later)

        await on.house.db.write(write)
        moved = replace(
            old,
            kind=EventKind.MOVED,
            address=new.address.room,
            moved_from=old.address.room,
            text="",
        )
        await told(on, moved, moved, wait=120)
        assert (chat.said("ana"), chat.said("bigger")) == ([], ["good news"])


@pytest.mark.parametrize("kind", [EventKind.RECALL, EventKind.EDIT, EventKind.REACTION])
async def test_news_of_a_message_that_never_comes_wakes_nobody(
    stage: OpenStage, kind: EventKind
) -> None:
    async with house(stage) as (on, chat):
        await told(on, replace(SAID, kind=kind, version=3), replace(SAID, kind=kind, version=3))
        assert chat.sent == []
        assert await on.house.db.read(lambda r: inputs.unread(r, 1)) == []
