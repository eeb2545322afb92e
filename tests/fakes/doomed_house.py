"""A real house on real platforms in a process of its own that is killed at a chosen point.

    {"folder": …, "env": {LIMEN_…}, "point": POINT, "later_s": …}     one line in, one life
    ─► {"pid": …}                  it lives
    ─► {"end": …, "found": …}      how it ended, and what stood in the store if it ended by itself

Points are those of `tests.fakes.doomed_points`; the platforms are in the process that asks. SIGTERM
lets a life finish what it is at, tell what it found, and end. Every life is forked before anything
is opened, with all that it needs imported, so starts cost little.
"""

import asyncio
import importlib
import json
import logging
import os
import signal
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.fakes.doomed import TOO_LONG_S, DoomedDatabase, DoomedModel
from tests.fakes.doomed_points import Doom
from tests.fakes.live import Live, QuickClock, live_house

WARM = ("aiohttp", "httpx", "telegram.ext", "telegram.request", "slack_sdk.web.async_client")
"""What the adapters import only once they are used."""
STOP = {signal.SIGTERM}
PATIENT = {"LIMEN_BOT__BEHIND_AFTER": "0s"}
"""Nobody is told that they wait, so that what is said is the answer alone."""


async def live(request: dict[str, Any]) -> dict[str, Any]:
    """One life, until it is told to stop or dies."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP)
    doom = Doom.parse(request["point"])

    class Doomed(DoomedDatabase):
        """A database of this life."""

    Doomed.doom = doom
    clock = QuickClock()
    clock.skip(timedelta(seconds=request["later_s"]))
    async with live_house(
        Path(request["folder"]),
        clock=clock,
        model=DoomedModel(doom),
        database=Doomed,
        settings=PATIENT | request["env"],
    ) as house:
        await house.started()
        await stop.wait()
        await house.rest()
        return await found(house)


async def found(house: Live) -> dict[str, Any]:
    """How everything in the store stands."""

    async def states(table: str) -> dict[str, int]:
        rows = await house.rows(f"SELECT state, COUNT(*) AS n FROM {table} GROUP BY state")  # noqa: S608
        return {row["state"]: row["n"] for row in rows}

    heard = await house.rows("SELECT body FROM originals WHERE kind = 'message' ORDER BY id")
    return {
        "heard": [row["body"] for row in heard],
        "inputs": await states("inputs"),
        "runs": await states("runs"),
        "letters": await states("letters"),
    }


def run(request: dict[str, Any]) -> None:
    """Live once, in a fresh process."""
    report = Path(request["folder"]).with_suffix(".json")
    report.unlink(missing_ok=True)
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP)  # until the life can hear it
    child = os.fork()
    if child == 0:
        signal.alarm(TOO_LONG_S)
        result = asyncio.run(live(request))
        report.write_text(json.dumps(result), encoding="utf-8")
        os._exit(0)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP)
    tell({"pid": child})
    end = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    told = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    tell({"end": end, "found": told})


def tell(what: dict[str, Any]) -> None:
    """One line to whoever asked."""
    print(json.dumps(what), flush=True)  # noqa: T201


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    for name in WARM:
        importlib.import_module(name)
    for line in sys.stdin:
        run(json.loads(line))
