"""A flood in one chat: others are answered as on a quiet day, nothing is lost, no queue grows."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.chat import Address, Author, EventKind, Incoming, Room, RoomKind
from bot.app import Surroundings, open_house, system_sleep
from bot.engine import letters
from bot.engine.clocks import VirtualClock
from bot.intake import TOGETHER
from bot.models.builtin import context
from bot.models.model import Request, Response
from bot.plays.stage import Stage
from memory.db import Database, Tx
from memory.engine import Engine
from memory.lanes import presses
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes.scripted import ScriptedModel, echo, pass_time

TAKES_S = 2.0  # what a call of the model takes
EVENTS = 4_000
HANDS = 600  # events a platform hands in at once
ANA = Author(id="ana", name="Ana")


class Slow(ScriptedModel):
    """A call takes its time on the clock of the stage; whose turn it was is kept."""

    clock: VirtualClock

    def __init__(self) -> None:
        super().__init__(conversation=echo)
        self.turns: list[str] = []

    async def complete(self, request: Request) -> Response:
        if request.role == "conversation":
            self.turns += [
                str(row["title"]).strip("#") for row in context.read(request).section("room")
            ]
            self.held += 1
            try:
                await self.clock.sleep(TAKES_S)
            finally:
                self.held -= 1
        return await super().complete(request)


async def answers(on: Stage, chat: str) -> list[float]:
    """When a chat was answered, in seconds since the stage began."""
    found = await on.house.db.read(lambda reader: letters.latest(reader, limit=500))
    return sorted(
        (one.settled_at - MONDAY).total_seconds()
        for one in found
        if one.address.chat == chat and one.settled_at and one.key.startswith("r")
    )


async def test_a_question_is_served_next_though_a_chat_floods_with_threads(
    stage: OpenStage,
) -> None:
    model = Slow()
    async with stage(Surroundings(model=model), bot__max_parallel_runs=4) as on:
        model.clock = on.clock
        roots = [await on.say("ana", "general", f"Topic {n}") for n in range(20)]
        for root in roots:
            await on.house.rooms.say("bo", "general", "@Limen what of this?", thread=root.id)
        await pass_time(on, model, 1)
        assert model.turns == ["general"] * 3, "a place is left for others"
        await on.say("kai", "release", "@Limen is it Friday?")
        await on.say("wei", "project", "@Limen is it Monday?")
        await pass_time(on, model, 4.5)
        # the first takes the place that was left, the other one the first that is free
        assert model.turns[3] == "release"
        assert "project" in model.turns[4:7]
        assert (await answers(on, "release"))[0] == pytest.approx(1 + 0.8 + TAKES_S, abs=0.3)
        assert (await answers(on, "project"))[0] <= 1 + 0.8 + 2 * TAKES_S
        await pass_time(on, model, 60)
        assert len(await answers(on, "general")) == 20
        assert model.turns.count("general") == 20


async def test_a_quiet_chat_is_answered_as_soon_as_without_the_flood(
    stage: OpenStage, tmp_path: Path
) -> None:
    took: list[float] = []
    for flood in (0, 300):
        model = Slow()
        async with stage(Surroundings(model=model), bot__data_dir=tmp_path / str(flood)) as on:
            model.clock = on.clock
            for n in range(flood):
                said = f"@Limen and what of {n}?" if n % 20 == 0 else f"Something else, {n}"
                await on.say("ana", "general", said)
            await on.say("wei", "project", "@Limen is it Monday?")
            await pass_time(on, model, 30)
            took.append((await answers(on, "project"))[-1])
    quiet, flooded = took
    assert flooded <= quiet + 0.1


class Noting(Database):
    """A database that notes which steps of runs went before the rest."""

    def __init__(self, place: Path | Engine) -> None:
        super().__init__(place)
        self.steps: list[tuple[str, bool]] = []

    async def write(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if fn.__name__ in ("_act", "_end_silent"):
            self.steps.append((fn.__name__, presses(fn)))
        return await super().write(fn, *args, **kwargs)


async def test_runs_of_a_chat_that_crowds_in_and_those_behind_the_scenes_go_with_the_rest(
    stage: OpenStage,
) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model, database=Noting), bot__debounce="0s") as on:
        assert isinstance(on.house.db, Noting)
        steps = on.house.db.steps
        await on.say("ana", "general", "@Limen is it Friday?")
        await pass_time(on, model, 0.1)
        await on.say("ana", "general", "@Limen or is it Monday?")
        await on.say("wei", "project", "@Limen 今天星期几？")
        await pass_time(on, model, 0.1)
        assert [first for name, first in steps if name == "_act"].count(True) == 2
        assert [first for name, first in steps if name == "_act"].count(False) == 1
        await pass_time(on, model, 1)
        await on.say("ana", "general", "@Limen and tomorrow?")
        await pass_time(on, model, 0.1)
        assert [one for one in steps if one[0] == "_act"][-1] == ("_act", True)
        await pass_time(on, model, 600)  # the agency has looked at it by now
        assert ("_end_silent", False) in steps
        assert ("_end_silent", True) not in steps


def event(n: int) -> Incoming:
    """One of many in one chat: every tenth is a message, some of them for the bot."""
    kind = {0: EventKind.NEW, 5: EventKind.REACTION}.get(n % 10, EventKind.MEMBERS)
    message = f"m{n - n % 10}" if kind is not EventKind.MEMBERS else None
    return Incoming(
        address=Address(platform="slack", account="t", chat="loud", message=message),
        kind=kind,
        author=ANA,
        room=Room(title="loud", kind=RoomKind.GROUP, open=True, workspace="t", members=(ANA,)),
        text=f"Number {n} of what is said here" if kind is EventKind.NEW else "👍",
        at=MONDAY,
        addressed=n % 500 == 0,
    )


async def test_no_queue_grows_while_thousands_of_events_come(make_config: MakeConfig) -> None:
    model = ScriptedModel(conversation=echo)
    around = Surroundings(model=model, serve=False, sleep=system_sleep)
    most = tasks = 0
    async with open_house(make_config(web__enabled=False), around) as house:
        living = asyncio.create_task(house.live())
        waiting = iter(range(EVENTS))

        async def hand() -> None:
            nonlocal most, tasks
            for n in waiting:
                await house.intake.receive(event(n))
                most = max(most, house.db.busy)
                tasks = max(tasks, len(asyncio.all_tasks()))

        before = len(asyncio.all_tasks())
        await asyncio.gather(*(hand() for _ in range(HANDS)))
        stored = await house.db.read(
            lambda reader: reader.all("SELECT COUNT(*) AS n FROM originals WHERE kind = 'message'")
        )
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
    assert stored[0]["n"] == EVENTS // 10
    assert most <= TOGETHER, "writes and reads that wait"
    assert tasks <= before + HANDS + 100, "what goes on beside each other"


async def test_a_message_of_a_quiet_chat_is_stored_before_those_of_a_flood(
    make_config: MakeConfig,
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def hold(_: Tx) -> None:
        begun.set()
        assert go_on.wait(10)

    async with open_house(
        make_config(web__enabled=False), Surroundings(serve=False, clock=lambda: MONDAY)
    ) as house:
        held = asyncio.ensure_future(house.db.write(hold))
        assert await asyncio.to_thread(begun.wait, 10)
        flood = [asyncio.ensure_future(house.intake.receive(said("loud", n))) for n in range(5)]
        await asyncio.sleep(0)
        calm = asyncio.ensure_future(house.intake.receive(said("calm", 9)))
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(held, calm, *flood)
        stored = await house.db.read(
            lambda reader: reader.all("SELECT address FROM originals ORDER BY id")
        )
    order = [Address.parse(row["address"]).message for row in stored]
    assert order == ["m0", "m9", "m1", "m2", "m3", "m4"], "the first of a chat came after a lull"


def said(chat: str, n: int) -> Incoming:
    return replace(
        event(0), address=Address(platform="slack", account="t", chat=chat, message=f"m{n}")
    )
