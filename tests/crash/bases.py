"""Where the databases of the lives are: a file each, or a database each of a PostgreSQL server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memory.db import Database
from tests.fakes.doomed import DoomedDatabase


class Base:
    """SQLite: the file of the data folder."""

    def opener(self, made: type[DoomedDatabase]) -> Callable[[Path], Database]:
        """What opens a database of a class in a life."""
        return made

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """A new database for one chain of lives."""
        yield


@contextmanager
def opened(kind: str, url: str) -> Iterator[Base]:
    """What databases are made in, while it is needed."""
    yield Base()
