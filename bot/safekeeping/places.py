"""Puts a restored data folder in the place of the old one, so that a crash leaves either whole.

restore.part (being laid out) ─► restore.ready ─► moved in, file by file; what was there moves aside

Up to the renaming nothing of the old has been touched; from then on the new is moved in, if need be
by the next start.
"""

import json
import shutil
from pathlib import Path

from bot.safekeeping.bundle import ALONE, DATABASE, FOLDERS, TOKEN, sync
from bot.setup.home import Home

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


def move_in(home: Home, aside: str) -> Path:
    """Put what was laid out into place; where the old lies now. The folder must be held."""
    part = home.folder / _PART
    fresh = [name for name in (*ALONE, *FOLDERS) if (part / name).exists()]
    stays = {*fresh, TOKEN, *(() if DATABASE in fresh else (DATABASE,))}
    gone = [name for name in (*ALONE, *FOLDERS) if name not in stays]
    if DATABASE in fresh:
        gone = [*_LOGS, *gone]
    noted = json.dumps({"aside": aside, "fresh": fresh, "gone": gone})
    (part / _PLAN).write_text(noted, encoding="utf-8")
    for folder in {path.parent for path in part.rglob("*")}:
        sync(folder)
    part.rename(home.folder / _READY)
    sync(home.folder)
    finish(home)
    return home.folder / aside


def finish(home: Home) -> bool:
    """Move in what lies ready from a restore that was cut off; False when nothing does.

    The folder must be held.
    """
    ready = home.folder / _READY
    if not (ready / _PLAN).exists():
        return False
    plan = json.loads((ready / _PLAN).read_text(encoding="utf-8"))
    aside = home.folder / str(plan["aside"])
    aside.mkdir(mode=0o700, exist_ok=True)
    for name in plan["gone"]:
        _put_aside(home.folder / name, aside / name)
    for name in plan["fresh"]:
        if (ready / name).exists():  # else it has moved in already
            _put_aside(home.folder / name, aside / name)
            (ready / name).rename(home.folder / name)
    for folder in (aside, home.folder):
        sync(folder)
    shutil.rmtree(ready)
    return True


def _put_aside(place: Path, old: Path) -> None:
    if place.exists() and not old.exists():
        place.rename(old)
