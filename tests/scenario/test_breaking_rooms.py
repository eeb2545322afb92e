"""Rooms of which little is known, people who come under several names: who hears what then."""

from dataclasses import replace
from typing import Any

import pytest

from adapters.chat import Address, Author, EventKind, Incoming, Room, RoomKind
from bot.app import Surroundings
from bot.plays.stage import Stage
from memory import audiences, people
from memory.db import Reader
from tests.conftest import MONDAY, OpenStage
from tests.fakes.recording import Recording
from tests.fakes.scripted_chat import ScriptedChat

DECIDED = "We decided: the release path moves from legacy-release to canary-release."
ASKED = "Which release path did we decide on?"
EMAIL = "mo@example.org"


def event(platform: str, who: str, text: str, *, number: int = 1, **room: Any) -> Incoming:
    """Somebody says something to the bot, in their DM or in a room."""
    author = Author(id=who, name=who.capitalize(), email=room.pop("email", None))
    place = str(room.pop("place", who))
    shown = Room(
        title=place,
        kind=RoomKind.DIRECT if place == who else RoomKind.GROUP,
        open=place != who,
        workspace="w",
        members=(author,),
    )
    return Incoming(
        address=Address(platform=platform, account="w", chat=place, message=f"{who}{number}"),
        kind=EventKind.NEW,
        author=author,
        room=replace(shown, **room),
        text=text,
        at=MONDAY,
        addressed=True,
    )


def around(model: Recording) -> Surroundings:
    names = ("slack", "feishu", "telegram")
    return Surroundings(model=model, chats=tuple(ScriptedChat(name=name) for name in names))


async def told(on: Stage, model: Recording, incoming: Incoming) -> bool:
    """Whether what was decided is shown to the model for the room that asks."""
    before = len(model.requests)
    await on.house.intake.receive(incoming)
    await on.wait(20)
    asked = [one for one in model.requests[before:] if one.role == "conversation"]
    assert asked, "nobody was asked"
    return any("canary" in one.text for one in asked)


LITTLE: dict[str, Any] = {
    "open": False,
    "complete": False,
    "partial": True,
    "title": "",
    "members": (),
}


@pytest.mark.parametrize(
    ("platform", "room", "hears"),
    [
        ("slack", {}, True),
        ("slack", LITTLE, False),
        ("slack", {"outsiders": True}, False),
        ("slack", LITTLE | {"place": "plans"}, False),
        ("slack", {"place": "plans", "outsiders": True}, False),
        ("slack", {"place": "plans"}, True),
        ("feishu", LITTLE, False),
        ("telegram", {}, False),
        ("telegram", {"place": "plans", "complete": False}, False),
    ],
    ids=[
        "a colleague", "somebody unknown", "a guest", "an unknown room", "a room with guests",
        "a room of the team", "somebody unknown on Feishu", "somebody on Telegram",
        "a group on Telegram",
    ],
)  # fmt: skip
async def test_what_was_said_in_the_open_is_told_inside_the_team_only(
    stage: OpenStage, platform: str, room: dict[str, Any], hears: bool
) -> None:
    model = Recording()
    async with stage(around(model)) as on:
        await on.say("lin", "architecture", DECIDED)
        await on.wait(60)
        assert await told(on, model, event(platform, "ghost", ASKED, **room)) is hears


async def test_somebody_unknown_hears_as_soon_as_they_are_known(stage: OpenStage) -> None:
    model = Recording()
    async with stage(around(model)) as on:
        await on.say("lin", "architecture", DECIDED)
        await on.wait(60)
        assert not await told(on, model, event("slack", "mo", ASKED, **LITTLE))
        full = event("slack", "mo", "")
        members = replace(full, kind=EventKind.MEMBERS, address=full.address.room)
        await on.house.intake.receive(members)
        assert await told(on, model, event("slack", "mo", ASKED, number=2))


async def test_a_private_room_is_told_nothing_of_another_once_somebody_new_speaks_there(
    stage: OpenStage,
) -> None:
    """The event names the speaker and nothing else, so the rest has to be concluded."""
    model = Recording()
    mo, ana = Author(id="mo", name="Mo"), Author(id="ana", name="Ana")
    both: dict[str, Any] = {"open": False, "members": (mo, ana)}
    async with stage(around(model)) as on:
        await on.house.intake.receive(event("slack", "mo", DECIDED, place="secret", **both))
        await on.wait(60)
        for place, newcomer in (("talk", False), ("lobby", True)):
            await on.house.intake.receive(event("slack", "mo", "hi", place=place, **both))
            if newcomer:
                said = event("slack", "ghost", "hi", **LITTLE | {"place": place})
                await on.house.intake.receive(said)
            await on.wait(20)
            question = event("slack", "ana", ASKED, number=len(place), **LITTLE | {"place": place})
            assert await told(on, model, question) is not newcomer, place


async def _people(on: Stage) -> list[tuple[str, int]]:
    """Those of the chat platforms, and how many accounts each has."""

    def look(reader: Reader) -> list[tuple[str, int]]:
        found = [(one.name, people.accounts(reader, one.id)) for one in people.everyone(reader)]
        return [(name, len(a)) for name, a in found if a and a[0].platform != "web"]

    return await on.house.db.read(look)


@pytest.mark.parametrize("first", ["slack", "feishu"])
@pytest.mark.parametrize("late", [True, False], ids=["learnt late", "known at once"])
async def test_one_address_is_one_person_whatever_came_first(
    stage: OpenStage, first: str, late: bool
) -> None:
    """Each platform's event may name the person by their id alone, and tell the address later."""
    second = "feishu" if first == "slack" else "slack"
    async with stage(around(Recording())) as on:
        for platform in (first, second):
            if late:
                await on.house.intake.receive(event(platform, f"mo-{platform}", "hi", **LITTLE))
        assert len(await _people(on)) == (2 if late else 0)
        for platform in (first, second):
            known = event(platform, f"mo-{platform}", "again", number=2, email=EMAIL.upper())
            await on.house.intake.receive(known)
        assert [count for _, count in await _people(on)] == [2]

        def rooms(reader: Reader) -> list[int]:
            [mo] = [one.id for one in people.everyone(reader) if one.name.startswith("Mo-")]
            return [len(audiences.heard_by(reader, mo)), len(people.accounts(reader, mo))]

        assert await on.house.db.read(rooms) == [2, 2]


async def test_linked_by_code_and_then_by_address_stays_one_person(stage: OpenStage) -> None:
    """Telegram by a code, Feishu by an address that Slack told only after the link."""
    slack, telegram = ScriptedChat(name="slack"), ScriptedChat(name="telegram")
    async with stage(Surroundings(model=Recording(), chats=(slack, telegram))) as on:
        await on.house.intake.receive(event("feishu", "mo-f", "hi", email=EMAIL))
        await slack.say("mo", "link")
        await on.wait(5)
        code = slack.said("mo")[0].split("`link ")[1][:8]
        await telegram.say("mo", f"link {code}")
        await on.wait(5)
        assert sorted(count for _, count in await _people(on)) == [1, 2]
        await on.house.intake.receive(event("slack", "mo", "hello", number=9, email=EMAIL))
        assert [count for _, count in await _people(on)] == [3]
