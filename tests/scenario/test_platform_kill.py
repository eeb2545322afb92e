"""The process is killed with SIGKILL while it serves a real platform; the next one loses nothing.

Slack and Feishu are asked whether a letter arrived, so there nothing is said twice. On Telegram
nobody can ask, so one more copy may come, and it says what it is.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.four_chats import KINDS
from tests.fakes.platform import Platform

ROOT = Path(__file__).parents[2]
ROOM = "project"
FACT = "The staging password rotates every Monday."
QUESTION = "When does the staging password rotate?"
ANSWER = "rotates every Monday"
MARK = "possibly a repeat"
POINTS = {
    "before the commit": "inside:accept.new@2",
    "after the commit, before the ack": "after:accept.new@2",
    "before the first model call": "call:conversation",
    "between two model calls": "call:conversation@2",
    "after say, before the delivery": "after:tool.say",
    "letter claimed, not sent": "after:claim.letter",
    "sent, not recorded": "before:settle",
}
BETWEEN_S = 20 * 60
HOURS_S = 3 * 60 * 60  # later than any key of a platform's is good


@dataclass
class Life:
    """A house in a process of its own."""

    pid: int
    told: "asyncio.Task[dict[str, Any]]"

    async def end(self) -> dict[str, Any]:
        """How it ended, and what it found."""
        return await asyncio.shield(self.told)

    def kill(self) -> None:
        """End it like a machine that lost its power."""
        os.kill(self.pid, signal.SIGKILL)

    def finish(self) -> None:
        """Let it come to rest, report, and end."""
        os.kill(self.pid, signal.SIGTERM)


@dataclass
class Houses:
    """Starts one house after the other on one folder, each on the same platform."""

    process: "subprocess.Popen[str]"
    folder: Path
    platform: Platform
    lives: list[Life] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    """The messages people sent."""

    async def live(self, point: str, *, later_s: int = 0, **env: str) -> Life:
        """Begin a life that ends at a point; by a clock that is so much later."""
        given = {
            "folder": str(self.folder),
            "env": self.platform.env | env,
            "point": point,
            "later_s": later_s,
        }
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(given) + "\n")
        self.process.stdin.flush()
        life = Life((await self._line())["pid"], asyncio.create_task(self._line()))
        self.lives.append(life)
        return life

    async def _line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        read: dict[str, Any] = json.loads(await asyncio.to_thread(self.process.stdout.readline))
        return read

    async def close(self) -> None:
        """End what a failed test left alive."""
        for life in self.lives:
            if not life.told.done():
                life.kill()
            await life.told

    async def ask(self) -> None:
        """Somebody tells a fact in a room, and then somebody there asks the bot about it."""
        fact = await self.platform.say("bo", ROOM, FACT)
        await self.platform.until(lambda: self.platform.acknowledged(fact))
        question = await self.platform.say("ana", ROOM, QUESTION, mention=True)
        self.heard = [fact, question]

    async def finished(self, life: Life) -> dict[str, Any]:
        """Let a life do what is left to do; what stands in its store then."""
        for message in self.heard:
            await self.platform.until(lambda id=message: self.platform.acknowledged(id))  # type: ignore[misc]
        await self.platform.until_posts(ROOM)
        life.finish()
        told = await life.end()
        assert told["end"] == 0
        found: dict[str, Any] = told["found"]
        return found


@pytest.fixture(scope="module")
def process() -> Iterator["subprocess.Popen[str]"]:
    """The process that starts the houses, each in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.doomed_house"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as started:
        yield started


@pytest.fixture(params=("slack", "telegram", "feishu"))
async def houses(
    request: pytest.FixtureRequest, process: "subprocess.Popen[str]", tmp_path: Path
) -> AsyncIterator[Houses]:
    async with KINDS[request.param].make() as platform:
        found = Houses(process, tmp_path / "home", platform)
        yield found
        await found.close()


def assert_whole(houses: Houses, found: dict[str, Any], *, doubt: bool) -> None:
    """Everything was heard, answered once, and has come to rest."""
    said = [post.text for post in houses.platform.posts(ROOM)]
    assert ANSWER in said[0]
    assert len(said) <= (2 if doubt and houses.platform.name == "telegram" else 1), said
    for copy in said[1:]:
        assert MARK in copy and ANSWER in copy
    assert len(houses.platform.posts()) == len(said), "nobody else was told anything"
    assert found["heard"] == [FACT, f"@Limen {QUESTION}"]
    assert set(found["inputs"]) <= {"delivered", "observed"}
    assert set(found["runs"]) == {"succeeded"}
    assert found["letters"] == {"sent": 1}


@pytest.mark.parametrize("point", POINTS.values(), ids=POINTS)
async def test_killed_it_loses_nothing_and_says_nothing_twice(houses: Houses, point: str) -> None:
    """DU-01: killed at every step between an update and its answer."""
    first = await houses.live(point)
    await houses.ask()
    assert (await first.end())["end"] == -signal.SIGKILL

    second = await houses.live("none", later_s=BETWEEN_S)

    found = await houses.finished(second)
    assert_whole(houses, found, doubt=point in ("after:claim.letter", "before:settle"))


async def test_killed_after_the_ack_with_its_run_queued_it_answers_in_its_next_life(
    houses: Houses,
) -> None:
    """DU-04: the run is a row, with its question and its chat."""
    first = await houses.live("none", LIMEN_BOT__DEBOUNCE="10m")
    await houses.ask()
    for message in houses.heard:
        await houses.platform.until(lambda id=message: houses.platform.acknowledged(id))  # type: ignore[misc]
    first.kill()
    assert (await first.end())["end"] == -signal.SIGKILL
    assert houses.platform.posts() == []

    second = await houses.live("none", later_s=BETWEEN_S)

    assert_whole(houses, await houses.finished(second), doubt=False)


async def test_killed_and_back_hours_later_it_still_says_it_once(houses: Houses) -> None:
    """Feishu has forgotten the key of the letter by then, and its history is looked through."""
    first = await houses.live("before:settle")
    await houses.ask()
    assert (await first.end())["end"] == -signal.SIGKILL

    second = await houses.live("none", later_s=HOURS_S)

    assert_whole(houses, await houses.finished(second), doubt=True)


async def test_killed_again_and_again_it_says_it_once(houses: Houses) -> None:
    for life, point in enumerate(("after:accept.new@2", "call:conversation", "after:tool.say")):
        one = await houses.live(point, later_s=life * BETWEEN_S)
        if not life:
            await houses.ask()
        assert (await one.end())["end"] == -signal.SIGKILL
    last = await houses.live("none", later_s=4 * BETWEEN_S)
    assert_whole(houses, await houses.finished(last), doubt=False)
