"""A backup or a restore that is killed (SIGKILL) at one of its steps on the disk.

{"act": "backup" | "restore", "folder": …, "file": …, "at": N, "url": …}   in: die at step N
─► {"end": how it ended, "steps": how many there are}
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from bot.safekeeping import backup, restore
from bot.setup import config as configuration
from bot.setup.config import Config
from tests.conftest import MONDAY

TOO_LONG_S = 60
STEPS = frozenset({"os.mkdir", "os.rename", "os.remove", "os.rmdir", "sqlite3.connect"})


async def back_up(config: Config, to: Path | None, now: datetime) -> list[str]:
    """`limen backup`."""
    return await backup.make(config, to, now=now, sleep=asyncio.sleep)


async def put_back(
    config: Config, file: Path, now: datetime, *, yes: bool = True, moving: bool = False
) -> list[str]:
    """`limen restore`."""
    return await restore.restore(config, file, yes=yes, moving=moving, now=now, sleep=asyncio.sleep)


def do(act: str, folder: Path, file: Path, url: str) -> None:
    """What the command does."""
    env = {"LIMEN_BOT__DATA_DIR": str(folder), "LIMEN_BOT__TIMEZONE": "UTC"}
    config = configuration.load(None, env | ({"LIMEN_DATABASE__URL": url} if url else {}))
    if act == "backup":
        asyncio.run(back_up(config, file, MONDAY))
    else:
        asyncio.run(put_back(config, file, MONDAY))


def killed(act: str, folder: Path, file: Path, at: int, url: str) -> dict[str, int]:
    """Do it in a process of its own that dies at a step; 0 lets it live."""
    counted, told = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(TOO_LONG_S)
        steps = 0

        def count(event: str, args: tuple[object, ...]) -> None:
            nonlocal steps
            if event in STEPS:
                steps += 1
                if steps == at:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        do(act, folder, file, url)
        os.write(told, str(steps).encode())
        os._exit(0)
    os.close(told)
    end = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with os.fdopen(counted) as text:
        return {"end": end, "steps": int(text.read() or 0)}


class Live(Protocol):
    """Does it, or dies at a step of it."""

    def __call__(
        self, act: str, folder: Path, file: Path, at: int, url: str = ""
    ) -> dict[str, int]: ...


@contextmanager
def lives() -> Iterator[Live]:
    """A process from which others are forked to do it."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.doomed_keeping"],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        asks, answers = process.stdin, process.stdout
        assert asks is not None and answers is not None

        def live(act: str, folder: Path, file: Path, at: int, url: str = "") -> dict[str, int]:
            given = {"act": act, "folder": str(folder), "file": str(file), "at": at, "url": url}
            print(json.dumps(given), file=asks, flush=True)
            done: dict[str, int] = json.loads(answers.readline())
            return done

        yield live
        asks.close()


if __name__ == "__main__":
    for line in sys.stdin:
        given = json.loads(line)
        paths = Path(given["folder"]), Path(given["file"])
        done = killed(given["act"], *paths, given["at"], given["url"])
        print(json.dumps(done), flush=True)  # noqa: T201
