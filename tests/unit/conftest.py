"""Fixtures of unit tests: a team in a database of either kind."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from memory.engine import Engine, Session
from memory.postgres import Postgres
from tests.fakes import servers
from tests.fakes.town import Town

ENGINES = ("sqlite", "postgres")


@pytest.fixture(params=ENGINES)
def town(request: pytest.FixtureRequest) -> Iterator[Town]:
    """A database with every table and nobody in it yet."""
    if request.param == "sqlite":
        made = Town()
        yield made
        made.session.close()
        return
    session = _shared()
    session.begin()
    session.resequence()
    yield Town(session)
    session.roll_back()


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | Engine]:
    """Where an empty database may be, of either kind."""
    if request.param == "sqlite":
        yield tmp_path / "store.db"
        return
    url = servers.running().empty()
    yield Postgres(url)
    servers.running().drop(url)


@cache
def _shared() -> Session:
    """One connection for all: what a test does is never committed."""
    return Postgres(servers.running().fresh()).writer()
