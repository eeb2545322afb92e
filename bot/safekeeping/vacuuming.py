"""`limen vacuum`: gives back the space of what was cleared away, and leaves no trace of it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.safekeeping import places
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory import errors

FULL_TEXT = ("originals_text", "facts_text")


def vacuum(config: Config) -> list[str]:
    """Write the database anew without its gaps; how large it was and is."""
    place = storage.existing(config)
    if not isinstance(place, Path):
        return [f"{place.where} is a server's, which vacuums by itself; there is nothing to do"]
    home = Home(config.bot.data_dir)
    with home.hold():
        places.finish(home)
        before = _size(place)
        compact(place)
    return [f"{place}: {before / 2**20:.1f} MiB before, {_size(place) / 2**20:.1f} after"]


def compact(path: Path) -> None:
    """Write a file of SQLite's anew; nobody else may have it open."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for table in FULL_TEXT:
                # Words that were taken out of an index stay in it until it is joined up.
                connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise errors.StorageFull(
            f"{path} could not be vacuumed ({error}); it needs as much free space as the file has"
        ) from error


def _size(path: Path) -> int:
    beside = (path, path.with_name(f"{path.name}-wal"))
    return sum(one.stat().st_size for one in beside if one.exists())
