"""Puts a restored data folder in the place of the old one, so that a crash leaves either whole.

restore.part (being laid out) ─► restore.ready ─► moved in, file by file; what was there moves aside

Up to the renaming nothing of the old has been touched; from then on the new is moved in, if need be
by the next start. Where the rows go into a server, they decide: what lies ready moves in if they
are there.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.safekeeping.bundle import ALONE, DATABASE, FOLDERS, TOKEN, sync
from bot.setup.home import Home

Came = Callable[[int], bool]

_PART = "restore.part"
_READY = "restore.ready"
_PLAN = "plan.json"
_LOGS = (f"{DATABASE}-wal", f"{DATABASE}-shm")
"""What lies beside an open database of SQLite's, and must go with it."""


def layout(home: Home) -> Path:
    """A fresh folder to lay a backup out in."""
    folder = home.folder / _PART
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder


def drop(home: Home) -> None:
    """Nothing comes of what was laid out."""
    shutil.rmtree(home.folder / _PART, ignore_errors=True)


def make_ready(home: Home, aside: str, *, stamp: int | None) -> None:
    """Let what was laid out be moved in, come what may. The folder must be held.

    `stamp` is that of the rows that a server is about to be given: without them nothing moves in.
    """
    part = home.folder / _PART
    fresh = [name for name in (*ALONE, *FOLDERS) if (part / name).exists()]
    stays = {*fresh, TOKEN, *(() if DATABASE in fresh else (DATABASE,))}
    gone = [name for name in (*ALONE, *FOLDERS) if name not in stays]
    if DATABASE in fresh:
        gone = [*_LOGS, *gone]
    noted = json.dumps({"aside": aside, "fresh": fresh, "gone": gone, "stamp": stamp})
    (part / _PLAN).write_text(noted, encoding="utf-8")
    for folder in {path.parent for path in part.rglob("*")}:
        sync(folder)
    part.rename(home.folder / _READY)
    sync(home.folder)


def finish(home: Home, came: Came) -> bool:
    """Move in what lies ready; False when nothing does. The folder must be held.

    `came` tells whether the rows with a stamp are in the database.
    """
    ready = home.folder / _READY
    if not (ready / _PLAN).exists():
        return False
    plan = json.loads((ready / _PLAN).read_text(encoding="utf-8"))
    if plan["stamp"] is None or came(plan["stamp"]):
        _move_in(home, plan)
    shutil.rmtree(ready)
    return True


def _move_in(home: Home, plan: dict[str, Any]) -> None:
    ready, aside = home.folder / _READY, home.folder / str(plan["aside"])
    aside.mkdir(mode=0o700, exist_ok=True)
    for name in plan["gone"]:
        _put_aside(home.folder / name, aside / name)
    for name in plan["fresh"]:
        if (ready / name).exists():  # else it has moved in already
            _put_aside(home.folder / name, aside / name)
            (ready / name).rename(home.folder / name)
    for folder in (aside, home.folder):
        sync(folder)


def _put_aside(place: Path, old: Path) -> None:
    if place.exists() and not old.exists():
        place.rename(old)
