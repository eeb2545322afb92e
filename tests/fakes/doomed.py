"""A real house in a process of its own that kills itself (SIGKILL) at a chosen point.

    {"folder": …, "story": …, "points": [POINT, …]}     one line in: one life after the other
    ─► {"ends": [how each life ended], "found": what stands in the store after the last}

Every life is a process of its own, forked before anything is opened, so starts cost little.

A point is `WHEN:WHAT[@NTH]`: `before`, `inside` (its transaction) or `after` (it is durable, nobody
was told) a write, or `call` (the model is about to be asked). `none` lets a life end by itself.
"""

import asyncio
import inspect
import json
import logging
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from adapters.web.errors import WebError
from adapters.web.rooms import BOT, Post
from bot.app import Surroundings
from bot.engine.runtime import Begun
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Request, Response, Stop, Usage
from bot.plays import team
from bot.plays.stage import DIRECT, Stage, open_stage
from bot.setup import config as configuration
from memory import errors
from memory.db import Database, Reader, Tx

P = ParamSpec("P")
T = TypeVar("T")

START = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
BETWEEN_LIVES = timedelta(minutes=20)
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


def die() -> None:
    """End like a machine that lost its power."""
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(slots=True)
class Doom:
    """The point at which to die."""

    when: str
    what: str
    left: int

    @classmethod
    def parse(cls, text: str) -> "Doom":
        when, _, rest = text.partition(":")
        what, _, nth = rest.rpartition("@") if "@" in rest else (rest, "", "1")
        return cls(when, what, int(nth))

    def strike(self, when: str, *names: str) -> bool:
        """Whether it comes now; every match counts once."""
        if when != self.when or self.what not in names:
            return False
        self.left -= 1
        return self.left == 0


class DoomedDatabase(Database):
    """Dies around the write it was told of; can also refuse the bot's posts for a while."""

    doom: Doom
    refusals = 0
    writes = 0

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        names = (name_of(fn, args, kwargs), "any")
        type(self).writes += 1
        if names[0] == "web.post_as_bot" and self.refusals:
            type(self).refusals -= 1
            raise errors.StorageBroken("the store is away for a moment")
        if self.doom.strike("before", *names):
            die()
        inside = self.doom.strike("inside", *names)

        def act(tx: Tx) -> T:
            done = fn(tx, *args, **kwargs)
            if inside:
                die()
            return done

        result = await super().write(act)
        if names[0] == "begin" and isinstance(result, Begun):
            names = (f"begin.{result.run.role}", "any")
        if names[0] == "claim" and result:
            names = ("claim.letter", "any")
        if self.doom.strike("after", *names):
            die()
        return result


def name_of(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """A short word for a write: `accept.new`, `tool.say`, `web.told`, `begin.agency` …"""
    bound = dict(inspect.getclosurevars(fn).nonlocals) if hasattr(fn, "__closure__") else {}
    last: str = fn.__qualname__.rpartition(".")[2].strip("_")
    match fn.__qualname__:
        case "Intake._accept":
            return f"accept.{args[0].kind.value}"
        case "WebRooms._write.<locals>.act":
            return f"web.{bound['fn'].__name__}"
        case "Runtime._act":
            return f"tool.{args[1].uses[0]['name']}"
        case "Runtime._end_silent":
            return f"end.{args[0].run.role}"
        case "Runtime._record":
            return f"answer.{args[0].role.purpose}"
        case _:
            return last


class DoomedModel(BuiltinModel):
    """The built-in one, but it looks things up before it speaks, and may die when asked."""

    def __init__(self, doom: Doom) -> None:
        self._doom = doom
        self.calls = 0

    async def complete(self, request: Request) -> Response:
        self.calls += 1
        if self._doom.strike("call", request.role):
            die()
        if request.role == "conversation" and len(request.messages) == 1:
            look: dict[str, Any] = {
                "type": "tool_use",
                "id": "toolu_look",
                "name": "search_memory",
                "input": {"query": "staging password"},
            }
            return Response(content=[look], stop=Stop.TOOL_USE, usage=Usage(), model=self.name)
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
        "letters": count("SELECT state, COUNT(*) FROM letters GROUP BY state"),
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
