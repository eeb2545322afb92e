"""Every event of a message in every order, several times and at once: one message, one answer."""

import asyncio
import random
from dataclasses import replace

import pytest

from adapters.chat import Address, Author, EventKind, Incoming, Room, RoomKind
from agency import fires
from bot.app import Surroundings
from bot.engine import letters
from bot.plays.stage import Stage
from memory import originals
from memory.db import Reader
from tests.conftest import MONDAY, OpenStage
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.scripted_chat import ScriptedChat

PEOPLE = 12
ROOM = Address(platform="slack", account="w", chat="")


def life(number: int, *, recalled: bool) -> list[Incoming]:
    """All that is ever heard of one message, in a DM of its own, each twice."""
    who = Author(id=f"p{number}", name=f"P{number}")
    said = Incoming(
        address=replace(ROOM, chat=who.id, message="m1"),
        kind=EventKind.NEW,
        author=who,
        room=Room(title=who.name, kind=RoomKind.DIRECT, open=False, workspace="w", members=(who,)),
        text="first",
        at=MONDAY,
        addressed=True,
    )
    little = Room(
        title="", kind=RoomKind.DIRECT, open=False, workspace="w", complete=False, partial=True
    )
    events = [
        said,
        replace(said, room=little),
        replace(said, kind=EventKind.EDIT, text="second", version=2, room=little),
        replace(said, kind=EventKind.EDIT, text="third", version=3),
        replace(said, kind=EventKind.REACTION, text="👍", version=4),
        replace(said, kind=EventKind.MEMBERS, address=said.address.room, text=""),
    ]
    if recalled:
        events.append(replace(said, kind=EventKind.RECALL, text="", version=5))
    return events * 2


async def stands(on: Stage, number: int) -> tuple[str, bool, int, int]:
    """A message's words, whether it is gone, its answers, and how often it was news as new."""
    address = replace(ROOM, chat=f"p{number}", message="m1")

    def look(reader: Reader) -> tuple[str, bool, int, int]:
        found = originals.at_address(reader, str(address))
        assert found is not None
        said = letters.latest(reader, limit=500)
        answers = [one for one in said if one.address == address.room]
        news = [one for one in fires.of_original(reader, found.id) if not one.payload]
        return found.body, found.recalled, len(answers), len(news)

    return await on.house.db.read(look)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("recalled", [False, True], ids=["stays", "is recalled"])
async def test_in_any_order_with_any_time_between(
    stage: OpenStage, seed: int, recalled: bool
) -> None:
    dice = random.Random(seed)
    chat, model = ScriptedChat(name="slack"), ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        lives = [life(number, recalled=recalled) for number in range(PEOPLE)]
        for one in lives:
            dice.shuffle(one)
        while any(lives):
            one = dice.choice([one for one in lives if one])
            await on.house.intake.receive(one.pop())
            if dice.random() < 0.2:
                await on.wait(dice.choice((0.1, 2, 30)))
        await on.wait(3600)
        for one in (life(number, recalled=recalled) for number in range(PEOPLE)):
            for event in one:
                await on.house.intake.receive(event)
        await on.wait(3600)
        for number in range(PEOPLE):
            body, gone, answers, news = await stands(on, number)
            assert (body, gone) == (("", True) if recalled else ("third", False))
            assert answers <= 1 if recalled else answers == 1
            assert news <= 1


async def test_all_at_once(stage: OpenStage) -> None:
    """Events of one platform may be handed in side by side."""
    chat, model = ScriptedChat(name="slack"), ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        events = [event for number in range(PEOPLE) for event in life(number, recalled=False)]
        random.Random(1).shuffle(events)
        await asyncio.gather(*(on.house.intake.receive(event) for event in events))
        await on.wait(60)
        for number in range(PEOPLE):
            assert (await stands(on, number))[:3] == ("third", False, 1)
        assert sorted(chat.said("p3")) == ["heard: third"]
