"""Where the rows of a configuration are: SQLite in the data folder, or a PostgreSQL server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import LimenError
from bot.setup.config import Config
from bot.setup.home import Home
from memory.db import Database, Reader, snapshot
from memory.engine import Engine
from memory.postgres import Postgres


def shared(config: Config) -> bool:
    """Whether several processes may work on it."""
    return bool(config.database.url.get_secret_value())


def place(config: Config) -> Path | Engine:
    """What `Database` opens."""
    if url := config.database.url.get_secret_value():
        return Postgres(url)
    return Home(config.bot.data_dir).database


def existing(config: Config) -> Path | Engine:
    """The same; LimenError when Limen was never started on it."""
    found = place(config)
    if isinstance(found, Path) and not found.exists():
        raise LimenError(
            f"there is no database in {config.bot.data_dir}; start 'limen run' once, or name the "
            "data folder in [bot] data_dir or LIMEN_BOT__DATA_DIR"
        )
    return found


def database(config: Config) -> Database:
    """One that is there, to be opened and written, also while Limen runs."""
    return Database(existing(config))


@contextmanager
def reading(config: Config) -> Iterator[Reader]:
    """Read one that is there, also while Limen runs."""
    with snapshot(existing(config)) as reader:
        yield reader
