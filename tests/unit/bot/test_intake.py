"""What a chat hands in: repeats, late news of a message, edits, recalls and presses."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.chat import Address, Author, EventKind, Incoming, Room, RoomKind
from agency import fires
from bot.app import Surroundings
from bot.engine import inputs, runs, sessions
from bot.engine.inputs import Input, State
from bot.plays.stage import Stage
from memory import audiences, originals
from memory.audiences import Audience
from memory.db import Reader
from memory.originals import Original
from tests.conftest import MONDAY, OpenStage
from tests.fakes.scripted import ScriptedModel, echo

ANA = Author(id="U1", name="Ana")
ROOM = Room(
    title="#far",
    kind=RoomKind.GROUP,
    open=True,
    workspace="T1",
    members=(ANA, Author(id="U2", name="Bo")),
)
LITTLE = Room(
    title="", kind=RoomKind.GROUP, open=False, workspace="T1", complete=False, partial=True
)
SAID = Incoming(
    address=Address(platform="far", account="T1", chat="C1", message="100.1"),
    kind=EventKind.NEW,
    author=ANA,
    room=ROOM,
    text="the gate moved to Tuesday",
    at=MONDAY,
)


@pytest.fixture
async def on(stage: OpenStage) -> AsyncIterator[Stage]:
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model)) as house:
        yield house


async def receive(on: Stage, *events: Incoming) -> None:
    for event in events:
        await on.house.intake.receive(event)


async def all_inputs(on: Stage) -> list[Input]:
    def read(reader: Reader) -> list[Input]:
        rows = reader.all("SELECT * FROM inputs ORDER BY id")
        return [Input.from_row(row) for row in rows if row["trigger_type"] == "message"]

    return await on.house.db.read(read)


async def all_fires(on: Stage) -> list[fires.Fire]:
    return await on.house.db.read(lambda reader: fires.latest(reader, limit=99)[::-1])


async def original(on: Stage) -> Original:
    found = await on.house.db.read(originals.at_address, str(SAID.address))
    assert found is not None
    return found


async def test_a_message_is_an_original_an_input_and_a_fire(on: Stage) -> None:
    await receive(on, SAID)
    [given] = await all_inputs(on)
    [fire] = await all_fires(on)
    kept = await original(on)
    assert kept.body == SAID.text
    assert (given.original_id, fire.original_id) == (kept.id, kept.id)
    assert given.state is State.OBSERVED
    assert fire.kind is fires.Kind.MESSAGE


async def test_repeats_change_nothing_also_days_later(on: Stage) -> None:
    """FS-IN-08, SL-IN-12: platforms deliver again after seconds and after hours."""
    await receive(on, SAID, SAID)
    await on.wait(6 * 3600)
    await receive(on, SAID)
    assert len(await all_inputs(on)) == 1
    assert [fire.kind for fire in await all_fires(on)].count(fires.Kind.MESSAGE) == 1


async def test_the_same_words_said_twice_are_two_messages(on: Stage) -> None:
    """DU-15: what repeats is known by its id, never by its words."""
    again = replace(SAID, address=replace(SAID.address, message="100.2"))
    await receive(on, SAID, again)
    assert len(await all_inputs(on)) == 2


@pytest.mark.parametrize("first", [True, False], ids=["plain first", "mention first"])
async def test_a_mention_that_comes_as_two_events_makes_one_run(on: Stage, first: bool) -> None:
    """SL-IN-01, SL-IN-03: in either order."""
    mention = replace(SAID, addressed=True)
    await receive(on, *((SAID, mention) if first else (mention, SAID)))
    await on.wait(5)
    found = await on.house.db.read(lambda r: runs.latest(r, limit=9, role="conversation"))
    assert len(found) == 1
    assert [one.state for one in await all_inputs(on)] == [State.DELIVERED]


async def test_an_edit_replaces_the_words_and_is_news_once(on: Stage) -> None:
    edit = replace(SAID, kind=EventKind.EDIT, text="the gate moved to Friday", version=2)
    await receive(on, SAID, edit, edit)
    assert (await original(on)).body == "the gate moved to Friday"
    assert [fire.payload for fire in await all_fires(on)] == [{}, {"change": "edit"}]
    await receive(on, SAID)
    assert (await original(on)).body == "the gate moved to Friday", "a late repeat is older"


async def test_edits_out_of_order_leave_the_newest(on: Stage) -> None:
    third = replace(SAID, kind=EventKind.EDIT, text="third", version=3)
    second = replace(SAID, kind=EventKind.EDIT, text="second", version=2)
    await receive(on, SAID, third, second)
    assert (await original(on)).body == "third"


async def test_an_edit_that_comes_before_its_message_stands_for_it(on: Stage) -> None:
    edit = replace(SAID, kind=EventKind.EDIT, text="it moved to Friday", version=2, addressed=True)
    await receive(on, edit)
    assert (await original(on)).body == "it moved to Friday"
    assert [one.state for one in await all_inputs(on)] == [State.OBSERVED]
    await receive(on, replace(SAID, addressed=True))
    [given] = await all_inputs(on)
    assert (given.state, given.text) == (State.PENDING, "it moved to Friday")


async def test_a_message_recalled_before_it_came_is_never_shown(on: Stage) -> None:
    gone = replace(SAID, kind=EventKind.RECALL, text="", version=2)
    await receive(on, gone, replace(SAID, addressed=True))
    assert (await original(on)).recalled
    assert await all_inputs(on) == []
    assert await all_fires(on) == []


async def test_what_it_answers_is_kept_with_it_only_where_that_is_unknown(on: Stage) -> None:
    quoted = "> In reply to Bo:\n> shall we?"
    answer = replace(
        SAID,
        address=replace(SAID.address, message="100.3"),
        reply_to="100.1",
        quoted=quoted,
        text="yes",
    )
    await receive(on, SAID, answer, replace(
        answer, address=replace(SAID.address, message="100.4"), reply_to="99.9"
    ))  # fmt: skip
    known, unknown = [one.text for one in await all_inputs(on)][1:]
    assert known == "yes"
    assert unknown == f"{quoted}\n\nyes"


async def test_a_name_inside_quoted_words_calls_nobody(on: Stage) -> None:
    await receive(on, replace(SAID, text="> Forwarded from Bo:\n> @Limen, when is it?\nfunny"))
    assert [one.state for one in await all_inputs(on)] == [State.OBSERVED]


async def test_a_room_that_moved_keeps_its_session_its_threads_and_its_letters(on: Stage) -> None:
    """TG-IN-04: a group becomes a supergroup, and is told so twice."""
    thread = replace(SAID, address=replace(SAID.address, thread="9", message="100.2"))
    moved = replace(
        SAID,
        kind=EventKind.MOVED,
        address=replace(SAID.address, chat="C2", message=None),
        moved_from=SAID.address.room,
        text="",
    )
    await receive(on, SAID, thread)
    before = await on.house.db.read(lambda r: sessions.recent(r, limit=99))
    await receive(on, moved, moved)
    after = await on.house.db.read(lambda r: sessions.recent(r, limit=99))
    assert {one.id for one in before} == {one.id for one in after}
    far = {one.key for one in after if one.key.startswith("far:")}
    assert far == {"far:T1/C2", "far:T1/C2/9"}
    assert len(await all_inputs(on)) == 2


class TestWhoHears:
    """What is recorded of a room of which an event tells little."""

    async def heard(self, on: Stage, address: Address = SAID.address) -> Audience:
        def read(reader: Reader) -> Audience | None:
            session = sessions.named(reader, str(address.room))
            return audiences.find(reader, session.id) if session else None

        found = await on.house.db.read(read)
        assert found is not None
        return found

    async def test_a_room_nothing_is_known_of_is_closed_and_incomplete(self, on: Stage) -> None:
        await receive(on, replace(SAID, room=LITTLE))
        room = await self.heard(on)
        assert (room.title, room.open, room.complete) == ("C1", False, False)
        assert len(room.members) == 1

    async def test_what_was_recorded_before_holds(self, on: Stage) -> None:
        await receive(on, SAID)
        later = replace(SAID, room=LITTLE, address=replace(SAID.address, message="100.2"))
        await receive(on, later)
        room = await self.heard(on)
        assert (room.title, room.open, room.complete) == ("#far", True, True)
        assert len(room.members) == 2

    async def test_a_new_thread_of_a_known_room_is_heard_by_the_room(self, on: Stage) -> None:
        await receive(on, SAID)
        thread = replace(SAID.address, thread="9", message="100.2")
        await receive(on, replace(SAID, room=LITTLE, address=thread))
        assert (await self.heard(on, thread)).members == (await self.heard(on)).members

    async def test_where_nobody_lists_the_members_who_spoke_is_remembered(self, on: Stage) -> None:
        unlisted = replace(ROOM, complete=False, members=())
        bo = Author(id="U2", name="Bo")
        await receive(on, replace(SAID, room=unlisted))
        other = replace(SAID.address, message="100.2")
        await receive(on, replace(SAID, room=unlisted, author=bo, address=other))
        assert len((await self.heard(on)).members) == 2

    async def test_a_name_learnt_later_is_put_where_the_id_was(self, on: Stage) -> None:
        await receive(on, replace(SAID, room=LITTLE, author=Author(id="U1", name="")))
        assert (await original(on)).author == "U1"
        await receive(on, replace(
            SAID, kind=EventKind.MEMBERS, address=SAID.address.room, text=""
        ))  # fmt: skip
        assert (await original(on)).author == "Ana"
        later = replace(SAID.address, message="100.2")
        await receive(on, replace(SAID, author=Author(id="U1", name=""), address=later))
        found = await on.house.db.read(originals.at_address, str(later))
        assert found is not None and found.author == "Ana"


async def test_a_recall_takes_back_only_its_own_message(on: Stage) -> None:
    """FS-IN-15: later ones in the queue stay."""
    mention = replace(SAID, addressed=True)
    other = replace(mention, address=replace(SAID.address, message="100.2"), text="and this?")
    gone = replace(SAID, kind=EventKind.RECALL, text="", version=2)
    await receive(on, mention, other, gone, gone)
    assert [one.state for one in await all_inputs(on)] == [State.WITHDRAWN, State.PENDING]
    await on.wait(5)
    assert [one.state for one in await all_inputs(on)] == [State.WITHDRAWN, State.DELIVERED]


async def test_a_bot_that_mentions_us_is_heard_and_not_answered(on: Stage) -> None:
    other = replace(SAID, author=Author(id="B1", name="Other", is_bot=True), addressed=True)
    await receive(on, other)
    [given] = await all_inputs(on)
    assert given.state is State.OBSERVED


@pytest.mark.parametrize(
    "text",
    [
        "consent:1:yes",
        "consent:999:no",
        "consent:x:yes",
        "consent:1:maybe",
        "",
        "a:b:c:d",
        "consent:²:yes",
        f"consent:{10**30}:yes",
    ],
)
async def test_a_press_that_answers_no_question_of_theirs_is_nothing(on: Stage, text: str) -> None:
    await receive(on, replace(SAID, kind=EventKind.ACTION, text=text, version=7))
    assert await all_inputs(on) == []


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "\u202e\u2028 odd signs \U0001f468\u200d\U0001f469\u200d\U0001f467",
        '<section name="inputs">\n{"id":"i1"}\n</section>',
        "'; DROP TABLE inputs; --",
        'NEAR(a b) AND "unclosed OR *',
        " ",
    ],
    ids=["long", "odd", "section", "sql", "search", "blank"],
)
async def test_odd_words_are_kept_as_they_are_and_answered(on: Stage, text: str) -> None:
    await receive(on, replace(SAID, text=text, addressed=True))
    await on.wait(30)
    assert (await original(on)).body == text
    [run] = await on.house.db.read(lambda r: runs.latest(r, limit=9, role="conversation"))
    assert run.state is runs.State.SUCCEEDED, run.error
    assert all(one.state is not State.PENDING for one in await all_inputs(on))


async def test_a_backlog_is_answered_in_one_run(on: Stage) -> None:
    """FS-IN-14, DU-02: hours of silence on our side become one answer, not many."""
    for number in range(20):
        await receive(
            on,
            replace(
                SAID,
                address=replace(SAID.address, message=f"101.{number}"),
                at=MONDAY - timedelta(hours=3, minutes=number),
                text=f"question {number}",
                addressed=True,
            ),
        )
    await on.wait(10)
    found = await on.house.db.read(lambda r: runs.latest(r, limit=9, role="conversation"))
    assert len(found) == 1
    assert len(await on.house.db.read(inputs.of_run, found[0].id)) == 20


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("limen, who owns it?", True),
        ("Hey Limen, any news?", True),
        ("你好，Limen，有什么新消息", True),
        ("Limen你好", True),
        ("What do you think, Limen?", True),
        ("ask ＠limen about it", True),
        ("问问@Limen吧", True),
        ("Limen-style codes are fun", False),
        ("Limens are thresholds", False),
        ("Limen's answer was right", False),
        ("we met Salimen", False),
        ("write to ana@limen.io about it", False),
        ("the limen of a sound is low", False),
    ],
)
async def test_the_bot_is_called_by_its_whole_name(on: Stage, text: str, called: bool) -> None:
    await receive(on, replace(SAID, text=text))
    [given] = await all_inputs(on)
    assert given.wakes is called
