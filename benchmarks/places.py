"""Where a measured house keeps its rows: a file, or a PostgreSQL server of the benchmark's own.

The server runs as it comes: `fsync` and `synchronous_commit` are on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from memory.db import Database
from memory.postgres import Postgres
from tests.fakes.servers import Server, migrate

SQLITE = "sqlite"
POSTGRES = "postgres"
TITLES = {SQLITE: "SQLite", POSTGRES: "PostgreSQL"}


def prefix(kind: str) -> str:
    """What a line of a database begins with; nothing for SQLite, which every figure is known of."""
    return "" if kind == SQLITE else f"{TITLES[kind]}: "


@dataclass(frozen=True, slots=True)
class Place:
    """A data folder, and the address of a database where that is on a server."""

    folder: Path
    url: str = ""

    @property
    def keys(self) -> dict[str, Any]:
        """What `world.settings` is told of it."""
        return {"database__url": self.url} if self.url else {}

    def database(self) -> Database:
        """The database itself, unopened."""
        return Database(Postgres(self.url) if self.url else self.folder / "limen.db")


@dataclass(slots=True)
class Places:
    """Makes places; the server is started with the first one that needs it."""

    folder: Path
    _server: Server | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    def new(self, kind: str) -> Place:
        """One with nothing in it; on a server with every table."""
        folder = self.folder / f"place-{next(self._numbers)}"
        return Place(folder, self.server.fresh() if kind == POSTGRES else "")

    @property
    def server(self) -> Server:
        """The running server."""
        if self._server is None:
            self._server = Server(self.folder / "server", settings=())
        return self._server

    def close(self) -> None:
        """Stop the server."""
        if self._server is not None:
            self._server.close()


@contextmanager
def places(folder: Path) -> Iterator[Places]:
    """Places in a folder, until the block ends."""
    made = Places(folder)
    try:
        yield made
    finally:
        made.close()


def made(place: Place) -> None:
    """Bring every table into a place that no house is opened on."""
    place.folder.mkdir(parents=True, exist_ok=True)
    session = place.database().engine.writer()
    migrate(session)
    session.close()
