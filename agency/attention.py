"""The agency's long-term attention, in files a person can read and edit.

AGENCY.md · agency/ACTION_LOG.md · agency/episodes · agency/intentions · agency/archive
"""

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

INDEX = "AGENCY.md"
LOG = "agency/ACTION_LOG.md"
_WRITABLE = re.compile(r"AGENCY\.md|agency/(episodes|intentions|archive)/[\w.\- ]{1,80}\.md")
_WELCOME = "# What I keep an eye on\n\nNothing yet.\n"


class AttentionError(Exception):
    """An attention file cannot be read or written as asked."""


class Attention:
    """The files, under one folder. Broken content is shown as it is and never stops anything."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def prepare(self) -> None:
        """Make the folders and the index where they are missing."""
        for folder in ("episodes", "intentions", "archive"):
            (self._home / "agency" / folder).mkdir(parents=True, exist_ok=True)
        if not (self._home / INDEX).exists():
            self._replace(INDEX, _WELCOME)

    def read(self, name: str, *, limit: int = 8000) -> str:
        """A file's newest `limit` signs; the old end is cut, with a mark. Empty when missing."""
        path = self._home / name
        try:
            text = path.read_bytes().decode("utf-8", errors="replace")
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"[{name} cannot be read: {error.strerror}]"
        return text if len(text) <= limit else f"[… older lines cut]\n{text[-limit:]}"

    def write(self, name: str, text: str) -> bool:
        """Replace a file whole; False when it already says just that, so nothing is touched."""
        if not _WRITABLE.fullmatch(name):
            raise AttentionError(
                f"{name!r} is not an attention file; write AGENCY.md or "
                "agency/{episodes,intentions,archive}/<name>.md"
            )
        text = text.rstrip() + "\n"
        if self.read(name, limit=10**9) == text:
            return False
        self._replace(name, text)
        return True

    def log(self, text: str, at: datetime) -> None:
        """Append one dated line to the action log."""
        line = " ".join(text.split())
        path = self._home / LOG
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"- {at:%Y-%m-%d %H:%M}Z {line}\n")

    def strike(self, gone: Callable[[str], bool]) -> int:
        """Take out every line that a rule is true of; how many there were."""
        struck = 0
        for name in self.names():
            lines = self.read(name, limit=10**9).splitlines()
            kept = [line for line in lines if not gone(line)]
            if len(kept) < len(lines):
                struck += len(lines) - len(kept)
                self._replace(name, "".join(f"{line}\n" for line in kept))
        return struck

    def names(self) -> list[str]:
        """The files there are, the index first."""
        found = sorted(
            path.relative_to(self._home).as_posix()
            for path in (self._home / "agency").rglob("*.md")
        )
        return ([INDEX] if (self._home / INDEX).exists() else []) + found

    def changed_at(self, name: str) -> datetime | None:
        """When a file was last written, by the disk's clock; None when it cannot be told."""
        try:
            return datetime.fromtimestamp((self._home / name).stat().st_mtime, UTC)
        except OSError:
            return None

    def _replace(self, name: str, text: str) -> None:
        path = self._home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
