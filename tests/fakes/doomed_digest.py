"""A house that is killed (SIGKILL) while it gives somebody their digest; see `tests.fakes.doomed`.

{"folder": …, "points": [POINT, …]}     one line in: one life after the other, around nine o'clock
─► {"ends": [how each life ended], "digests": [what Bo was told at last]}
"""

import asyncio
import json
import logging
import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.app import Surroundings
from bot.plays import team
from bot.plays.stage import DIRECT, open_stage
from bot.setup import config as configuration
from tests.fakes import newsroom
from tests.fakes.doomed import TOO_LONG_S, DoomedDatabase
from tests.fakes.doomed_points import Doom

START = datetime(2026, 11, 30, 8, 50, tzinfo=UTC)
BETWEEN_LIVES = timedelta(minutes=20)


async def live(folder: Path, point: str, start: datetime, *, first: bool) -> list[str]:
    """The first life hears of news; every one lives on past nine o'clock of two days."""

    class Doomed(DoomedDatabase):
        """A database of this life."""

    Doomed.doom = Doom.parse(point)
    given = {
        "BOT__DATA_DIR": str(folder),
        "BOT__TIMEZONE": "UTC",
        "WEB__TOKEN": "operator-token",
        "SPEAKING__MINOR": "digest",
        "AGENCY__MEMORY": "false",
    }
    config = configuration.load(None, {f"LIMEN_{key}": value for key, value in given.items()})
    around = Surroundings(database=Doomed, model=newsroom.model())
    async with open_stage(config, start, people=team.PEOPLE, rooms=team.ROOMS, around=around) as on:
        if first:
            await on.say("bo", DIRECT, "good morning")
            await on.say("bo", "project", "good morning")
            await on.say("lin", "architecture", "News: the demo is on Thursday")
            await on.wait(60)
            on.clock.skip(START.replace(hour=9, minute=0) - on.clock())
        await on.wait(120)
        on.clock.skip(timedelta(days=1))
        await on.wait(120)
        return await newsroom.digests(on, "bo")


def run_lives(folder: Path, points: list[str]) -> dict[str, Any]:
    """Live once for every point, each time in a fresh process."""
    ends = []
    report = folder.with_suffix(".json")
    for number, point in enumerate(points):
        child = os.fork()
        if child == 0:
            signal.alarm(TOO_LONG_S)
            start = START + number * BETWEEN_LIVES
            told = asyncio.run(live(folder, point, start, first=number == 0))
            report.write_text(json.dumps(told), encoding="utf-8")
            os._exit(0)
        ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    return {"ends": ends, "digests": json.loads(report.read_text(encoding="utf-8"))}


if __name__ == "__main__":
    logging.basicConfig(level=logging.CRITICAL)
    for line in sys.stdin:
        request = json.loads(line)
        told = run_lives(Path(request["folder"]), request["points"])
        print(json.dumps(told), flush=True)  # noqa: T201
