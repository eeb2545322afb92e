"""Passes a point before every change of a file of the house, on whatever thread it is made."""

import errno
import os
import sys
from pathlib import Path
from typing import Any

from tests.fakes.doomed_points import Doom

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_EVENTS = {"os.rename": "rename", "os.remove": "remove"}
_OWN = ("limen.db", "limen.lock")
"""Those the database looks after, and the lock, which ends with the process."""


def watch(home: Path, doom: Doom) -> None:
    """Begin; it ends with the process."""

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(args[0], str) and args[2] & _WRITES:
            what = "open"
        elif event in _EVENTS:
            what = _EVENTS[event]
        else:
            return
        path = Path(os.fspath(args[0]))
        if path.is_relative_to(home) and not path.name.startswith(_OWN):
            name = f"{what}.{_kind(path.relative_to(home))}"
            if doom.strike("before", name, "any"):
                full = OSError(errno.ENOSPC, "No space left on device", str(path))
                doom.blocked(full)

    sys.addaudithook(hook)


def _kind(path: Path) -> str:
    if path.parts[0] == "files":
        return "picture"
    if path.name == "ACTION_LOG.md":
        return "log"
    return "attention" if path.suffix in (".md", ".new") and "token" not in path.name else path.stem
