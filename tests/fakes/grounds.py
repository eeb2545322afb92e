"""Whether everything the bot said unasked leads back to something that was really said.

after any test that ran a house ─► its database ─► the letters whose chain ends in no original
"""

from pathlib import Path

from bot import chains
from bot.engine import letters
from memory.db import snapshot
from memory.errors import StorageError

LOOKED_AT = 2000  # letters of one test
_RELEASED = "letters"
"""A table that only a house's database has."""


def groundless(folder: Path) -> list[str]:
    """What stands without a ground, in any data folder below a folder."""
    return [found for path in folder.rglob("limen.db") for found in _of(path)]


def _of(path: Path) -> list[str]:
    try:
        return _in(path)
    except StorageError:
        return []  # the test has damaged it


def _in(path: Path) -> list[str]:
    with snapshot(path) as reader:
        if reader.one("SELECT 1 FROM sqlite_master WHERE name = :name", name=_RELEASED) is None:
            return []
        said = [
            one
            for one in letters.latest(reader, limit=LOOKED_AT)
            if one.proactive and one.error != letters.WITHDRAWN
        ]
        return [
            f"{one.key}: {one.body}"
            for one in said
            if not any(
                row["step"] == "original" for row in chains.of_letter(reader, one, hears=None)
            )
        ]
