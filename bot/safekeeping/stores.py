"""The configured database, opened in one place for all of safekeeping."""

from contextlib import AbstractContextManager

from bot.setup.config import Config
from bot.setup.home import Home
from memory.db import Database, Reader, snapshot
from memory.sqlite import Sqlite

__all__ = ["Sqlite", "database", "reading"]


def database(config: Config) -> Database:
    """The database, not yet opened."""
    return Database(Home(config.bot.data_dir).database)


def reading(config: Config) -> AbstractContextManager[Reader]:
    """A snapshot of it."""
    return snapshot(Home(config.bot.data_dir).database)
