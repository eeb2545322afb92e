"""A real house in a process of its own that kills itself (SIGKILL) at a chosen point.

    {"folder": …, "story": …, "points": [POINT, …]}     one line in: one life after the other
    ─► {"ends": [how each life ended], "found": what stands in the store after the last}

Every life is a process of its own, forked before anything is opened, so starts cost little.

Points are those of `tests.fakes.doomed_points`.
"""

import asyncio
import inspect
import json
import logging
import os
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from adapters.web.errors import WebError
from adapters.web.rooms import BOT, Post
from bot.app import Surroundings
from bot.engine.letters import NO_FAULTS
from bot.engine.runtime import Begun
from bot.errors import ModelRetry
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Model, Request, Response, Stop, Usage
from bot.plays import team
from bot.plays.stage import DIRECT, Stage, open_stage
from bot.setup import config as configuration
from memory import errors
from memory.db import Database, Reader, Tx
from tests.fakes.doomed_points import Doom, Fate, die

P = ParamSpec("P")
T = TypeVar("T")

START = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
BETWEEN_LIVES = timedelta(minutes=20)
POLLS = ("begin", "claim")  # writes that found nothing to do, where they keep these names
VAGUE = frozenset(
    "act apply beat begin give_up keep open record remove renew take tell write".split()
)
"""Names of writes that say little without their owner's."""
TOO_LONG_S = 30  # real seconds a life may take: one that never rests is a finding, not a hang
REST_S = 900.0  # virtual seconds after the last act in which everything must come to rest


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What somebody does; done again by a later life only if it left no trace."""

    who: str
    room: str
    text: str = ""
    """Empty presses Yes under the open question of the DM."""
    wait: float = 5.0
    """Seconds until the next act."""


STORIES: dict[str, tuple[Act, ...]] = {
    "question": (
        Act(who="lin", room="general", text="The staging password rotates every Monday."),
        Act(who="ana", room=DIRECT, text="When does the staging password rotate?"),
    ),
    "nudge": (
        Act(
            who="lin",
            room="architecture",
            text="We decided: the release path moves from legacy-release to canary-release.",
        ),
        Act(who="bo", room="project", text="Let's plan the rollout with legacy-release.", wait=60),
    ),
    "consent": (
        Act(
            who="bo",
            room="project",
            text="The rollout waits for the migration script. Who is on the migration script?",
        ),
        Act(
            who="mo",
            room=DIRECT,
            text="I will finish the migration script by Friday.",
            wait=60,
        ),
        Act(who="mo", room=DIRECT, wait=60),
    ),
    "approval": (
        Act(who="lin", room="general", text="We decided: the demo moves from Tuesday to Thursday."),
        Act(who="ana", room="project", text="@Limen ask Bo whether we may move the launch"),
        Act(who="bo", room=DIRECT, wait=60),
    ),
}


class DoomedDatabase(Database):
    """Passes points around every write; can also refuse the bot's posts for a while."""

    doom: Doom
    full: Exception = sqlite3.OperationalError("database or disk is full")
    """What the engine says when the disk takes no more."""
    refusals = 0
    writes = 0

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        doom, name = self.doom, name_of(fn, args, kwargs)
        type(self).writes += 1
        if name == "web.post_as_bot" and self.refusals:
            type(self).refusals -= 1
            raise errors.StorageBroken("the store is away for a moment")
        full = errors.StorageFull("the disk took no more; free space")
        first = len(doom.passed)
        await doom.meet("before", name, "any", error=full)
        second = len(doom.passed)
        inside = doom.strike("inside", name, "any")
        task = asyncio.current_task()
        durable = ""

        def told() -> None:
            if durable in POLLS:
                doom.idle |= {first, second, len(doom.passed)}
            if durable and doom.fate is Fate.KILL and doom.strike("after", durable, "any"):
                die()

        def act(tx: Tx) -> T:
            nonlocal inside, durable
            tx.on_commit(told)  # before whatever the write itself wants to be told
            done = fn(tx, *args, **kwargs)
            durable = _named_by(name, done, tx)
            tx.last[:] = [self._doomed_end(one) for one in tx.last]
            if inside:
                inside = False
                self._strike_inside(task)
            return done

        result = await super().write(act)
        if doom.fate is not Fate.KILL:
            await doom.meet("after", durable, "any")
        return result

    def _doomed_end(self, last: Callable[[Tx], None]) -> Callable[[Tx], None]:
        """What ends a commit, with points; the same one is the same again."""
        if not hasattr(self, "_ends"):
            self._ends: dict[Callable[[Tx], None], Callable[[Tx], None]] = {}
        return self._ends.setdefault(last, partial(self._end, last))

    def _end(self, last: Callable[[Tx], None], tx: Tx) -> None:
        doom, name, durable = self.doom, name_of(last, (), {}), ""
        place = len(doom.passed)

        def told() -> None:
            if durable in POLLS:
                doom.idle |= {place, len(doom.passed)}
            if not doom.strike("after", durable, "any"):
                return
            if doom.fate is Fate.KILL:
                die()
            if doom.fate is Fate.STOP and doom.house is not None:
                doom.house.cancel()  # no task stands here that could be cancelled or wait

        inside = doom.strike("inside", name, "any")
        tx.on_commit(told)
        last(tx)
        durable = _named_by(name, None, tx)
        if inside:
            self._strike_inside(None)

    def _strike_inside(self, task: "asyncio.Task[Any] | None") -> None:
        tasks = {Fate.CANCEL: task, Fate.STOP: self.doom.house}
        if (struck := tasks.get(self.doom.fate)) is not None:
            self._loop.call_soon_threadsafe(struck.cancel)
        self.doom.blocked(self.full)


def _named_by(name: str, result: Any, tx: Tx) -> str:
    """The word for a write that is told by what came of it."""
    hooks = [hook.args for hook in tx.hooks if isinstance(hook, partial)]
    begun = [args[0] for args in hooks if args and isinstance(args[0], Begun)]
    if name == "begin" and begun:
        return f"begin.{begun[0].run.role}"
    if name == "claim" and result:
        return "claim.letter"
    return name


def name_of(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """A short word for a write: `accept.new`, `tool.say`, `web.told`, `begin.agency` …"""
    while isinstance(fn, partial) or hasattr(fn, "__wrapped__"):
        fn = fn.func if isinstance(fn, partial) else inspect.unwrap(fn)
    bound = dict(inspect.getclosurevars(fn).nonlocals) if hasattr(fn, "__closure__") else {}
    last: str = fn.__qualname__.rpartition(".")[2].strip("_")
    match fn.__qualname__:
        case "Outbox._claimed":
            return "claim"
        case "Intake._accept":
            return f"accept.{args[0].kind.value}"
        case "WebRooms._write.<locals>.act":
            return f"web.{bound['fn'].__name__}"
        case "Dispatcher._begin_due" | "Dispatcher._also":
            return "begin"
        case "Runtime._act":
            return f"tool.{args[1].uses[0]['name']}"
        case "Runtime._end_silent":
            return f"end.{args[0].run.role}"
        case "Runtime._record":
            return f"answer.{args[0].role.purpose}"
        case _ if last in VAGUE:
            owner = fn.__qualname__.partition(".")[0] if "." in fn.__qualname__ else fn.__module__
            return f"{owner.rpartition('.')[2].lower()}.{last}"
        case _:
            return last


class DoomedModel(Model):
    """Passes a point before and after every answer of a model."""

    def __init__(self, doom: Doom, inner: Model | None = None) -> None:
        self._doom = doom
        self._inner = inner or LookingModel()
        self.name = self._inner.name
        self.context_tokens = self._inner.context_tokens
        self.sees = self._inner.sees
        self.calls = 0

    async def complete(self, request: Request) -> Response:
        self.calls += 1
        what = f"ask.{request.role}"
        if self._doom.when == "call":
            await self._doom.meet("call", request.role)
        else:
            away = ModelRetry("the connection to the model was lost")
            await self._doom.meet("before", what, error=away)
        answer = await self._inner.complete(request)
        await self._doom.meet(
            "after", what, error=ModelRetry("the connection to the model was lost")
        )
        return answer


class LookingModel(BuiltinModel):
    """The built-in one, but it looks things up before it speaks."""

    async def complete(self, request: Request) -> Response:
        if request.role == "conversation" and len(request.messages) == 1:
            look: dict[str, Any] = {
                "type": "tool_use",
                "id": "toolu_look",
                "name": "search_memory",
                "input": {"query": "staging password"},
            }
            usage = Usage(input_tokens=11, output_tokens=7)
            return Response(content=[look], stop=Stop.TOOL_USE, usage=usage, model=self.name)
        return await super().complete(request)


async def live(folder: Path, story: str, point: str, start: datetime) -> dict[str, Any]:
    """One life: what of the story has not happened yet happens, then everything comes to rest."""
    doom = Doom.parse(point)
    model = DoomedModel(doom)

    class Doomed(DoomedDatabase):
        """A database of this life."""

    Doomed.doom = doom
    Doomed.refusals = 2 if doom.what == "again" else 0
    config = configuration.load(
        None,
        {
            "LIMEN_BOT__DATA_DIR": str(folder),
            "LIMEN_BOT__TIMEZONE": "UTC",
            "LIMEN_WEB__TOKEN": "operator-token",
        },
    )
    around = Surroundings(database=Doomed, model=model)
    async with open_stage(
        config, start, people=team.PEOPLE, rooms=team.ROOMS, around=around
    ) as stage:
        for act in STORIES[story]:
            await _perform(stage, act)
            await stage.wait(act.wait)
        await stage.wait(REST_S)
        found = await stage.house.db.read(_found)
        rooms = {room.id for room in team.ROOMS} | {"dm-ana", "dm-mo", "dm-bo"}
        said = {room: await _said(stage, room) for room in sorted(rooms)}
    said = {room: posts for room, posts in said.items() if posts}
    return {"said": said, "writes": Doomed.writes, "calls": model.calls, **found}


async def _perform(stage: Stage, act: Act) -> None:
    there = await stage.posts(act.room, who=act.who)
    if not act.text:
        await stage.press(act.who, True)
    elif all(post.author != act.who or post.text != act.text for post in there):
        await stage.say(act.who, act.room, act.text)


async def _said(stage: Stage, room: str) -> list[str]:
    posts: list[Post] = []
    with suppress(WebError):  # nobody opened that DM
        posts = await stage.house.rooms.posts(room, limit=500)
    return [post.text for post in posts if post.author == BOT]


def _found(reader: Reader) -> dict[str, Any]:
    def count(sql: str) -> dict[str, int]:
        return {row[0]: row[1] for row in reader.all(sql)}

    posted = reader.all("SELECT state, error FROM letters")
    return {
        "due": reader.all("SELECT COUNT(*) FROM web_events WHERE due = 1")[0][0],
        "posts": reader.all("SELECT COUNT(*) FROM web_posts WHERE author_id IS NOT NULL")[0][0],
        "originals": reader.all("SELECT COUNT(*) FROM originals WHERE kind = 'message'")[0][0],
        "inputs": count("SELECT state, COUNT(*) FROM inputs GROUP BY state"),
        "runs": count("SELECT state, COUNT(*) FROM runs GROUP BY state"),
        "errors": [row[0] for row in reader.all("SELECT error FROM runs WHERE error <> ''")],
        "fires": count("SELECT state, COUNT(*) FROM fires GROUP BY state"),
        "handoffs": count("SELECT state, COUNT(*) FROM handoffs GROUP BY state"),
        "consents": count("SELECT state, COUNT(*) FROM consents GROUP BY state"),
        "approvals": count("SELECT state, COUNT(*) FROM approvals GROUP BY state"),
        "letters": dict(Counter(row[0] for row in posted if row[1] not in NO_FAULTS)),
        "repeats": reader.all("SELECT COUNT(*) FROM letters WHERE possible_repeat = 1")[0][0],
        "facts": reader.all("SELECT COUNT(*) FROM facts")[0][0],
    }


def main() -> None:
    """Answer every request line with a report line."""
    for line in sys.stdin:
        request = json.loads(line)
        report = run_lives(Path(request["folder"]), request["story"], request["points"])
        print(json.dumps(report), flush=True)  # noqa: T201


def run_lives(folder: Path, story: str, points: list[str]) -> dict[str, Any]:
    """Live once for every point, each time in a fresh process."""
    ends = []
    for number, point in enumerate(points):
        child = os.fork()
        if child == 0:
            signal.alarm(TOO_LONG_S)
            start = START + number * BETWEEN_LIVES
            found = asyncio.run(live(folder, story, point, start))
            (folder / "found.json").write_text(json.dumps(found), encoding="utf-8")
            os._exit(0)
        ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    report = folder / "found.json"
    found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    return {"ends": ends, "found": found}


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    main()
