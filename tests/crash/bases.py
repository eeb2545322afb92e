"""Where the databases of the lives are: a file each, or a database each of a PostgreSQL server."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from memory.postgres import Postgres
from tests.fakes import servers

_TEMPLATE = "limen_crash_template"


class Base:
    """SQLite: the file of the data folder."""

    full: Exception = sqlite3.OperationalError("database or disk is full")
    """What the engine raises when the disk takes no more."""

    settings: Mapping[str, str] = {}
    """What tells a house where it is."""

    @contextmanager
    def fresh(self) -> Iterator["Base"]:
        """A new database for one chain of lives."""
        yield self


class Server(Base):
    """A database of a PostgreSQL server."""

    full = psycopg.errors.DiskFull("could not extend file: No space left on device")

    def __init__(self, url: str) -> None:
        self._url = url
        self.settings = {"DATABASE__URL": url}

    @contextmanager
    def fresh(self) -> Iterator[Base]:
        name = f"limen_crash_{os.getpid()}"
        self._admin(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE} STRATEGY FILE_COPY")
        try:
            yield Server(self._at(name))
        finally:
            self._admin(f"DROP DATABASE {name} WITH (FORCE)")

    def prepare(self) -> None:
        """Make what the databases are copied from."""
        self._admin(f"DROP DATABASE IF EXISTS {_TEMPLATE} WITH (FORCE)")
        self._admin(
            f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0 LOCALE 'C.UTF-8' ENCODING 'UTF8'"
        )
        with closing(Postgres(self._at(_TEMPLATE)).writer()) as session:
            servers.migrate(session)

    def _at(self, name: str) -> str:
        return urlsplit(self._url)._replace(path=f"/{name}").geturl()

    def _admin(self, statement: str) -> None:
        with psycopg.connect(self._url, autocommit=True) as admin:
            admin.execute(statement.encode())


@contextmanager
def opened(kind: str, url: str) -> Iterator[Base]:
    """What databases are made in, while it is needed."""
    if kind == "sqlite":
        yield Base()
    elif url:
        yield _prepared(url)
    else:
        with tempfile.TemporaryDirectory(prefix="limen-postgres-") as folder:
            server = servers.Server(Path(folder))
            try:
                yield _prepared(server.url())
            finally:
                server.close()


def _prepared(url: str) -> Server:
    server = Server(url)
    server.prepare()
    return server
