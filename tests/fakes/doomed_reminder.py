"""A house that is killed (SIGKILL) while it gives somebody a reminder; see `tests.fakes.doomed`.

{"folder": …, "points": [POINT, …]}     one line in: one life after the other, around half past ten
─► {"ends": [how each life ended], "said": [what Ana was reminded of at last]}
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
from tests.fakes.doomed import TOO_LONG_S, DoomedDatabase
from tests.fakes.doomed_points import Doom
from tests.fakes.memos import told

START = datetime(2026, 11, 30, 10, 20, tzinfo=UTC)
BETWEEN_LIVES = timedelta(minutes=20)
ASKED = "remind me in 10 minutes to call Jon"


async def live(folder: Path, point: str, start: datetime) -> list[str]:
    """Whoever finds nothing asked for asks; every life goes on for a quarter of an hour."""

    class Doomed(DoomedDatabase):
        """A database of this life."""

    Doomed.doom = Doom.parse(point)
    given = {
        "BOT__DATA_DIR": str(folder),
        "BOT__TIMEZONE": "UTC",
        "WEB__TOKEN": "operator-token",
        "AGENCY__MEMORY": "false",
    }
    config = configuration.load(None, {f"LIMEN_{key}": value for key, value in given.items()})
    around = Surroundings(database=Doomed)
    async with open_stage(config, start, people=team.PEOPLE, rooms=team.ROOMS, around=around) as on:
        if not await on.posts(DIRECT, who="ana"):
            await on.say("ana", DIRECT, ASKED)
        await on.wait(900)
        return await told(on)


def run_lives(folder: Path, points: list[str]) -> dict[str, Any]:
    """Live once for every point, each time in a fresh process."""
    ends = []
    report = folder.with_suffix(".json")
    for number, point in enumerate(points):
        child = os.fork()
        if child == 0:
            signal.alarm(TOO_LONG_S)
            said = asyncio.run(live(folder, point, START + number * BETWEEN_LIVES))
            report.write_text(json.dumps(said), encoding="utf-8")
            os._exit(0)
        ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    return {"ends": ends, "said": json.loads(report.read_text(encoding="utf-8"))}


if __name__ == "__main__":
    logging.basicConfig(level=logging.CRITICAL)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(run_lives(Path(request["folder"]), request["points"])), flush=True)  # noqa: T201
