"""Fixtures for every test: a temp home, settings, a database with all tables, a stage."""

import os
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.chat import legible
from bot.app import PACKAGES, Surroundings
from bot.plays import team
from bot.plays.stage import Stage, open_stage
from bot.setup import config as configuration
from bot.setup.config import Config
from memory import migrations
from memory.db import Database
from memory.moments import to_us
from memory.postgres import Postgres
from tests.fakes import grounds, servers

MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)

ON_SERVER = os.environ.get("LIMEN_TESTS_ON") == "postgres"
"""Houses of tests keep their rows on a PostgreSQL server; `make test ARGS=…` as before."""

MakeConfig = Callable[..., Config]
OpenStage = Callable[..., AbstractAsyncContextManager[Stage]]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let half a sign in a log be reported: tests hand some in, and no process takes them over."""
    report = yield
    report.sections = [(name, legible(text)) for name, text in report.sections]
    return report


@pytest.fixture(autouse=True)
def grounded(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a house of this test said unasked leads back to something that was said."""
    asked = "tmp_path" in request.fixturenames
    folder: Path | None = request.getfixturevalue("tmp_path") if asked else None
    yield
    if folder is not None:
        assert not grounds.groundless(folder)


@pytest.fixture
def server_url() -> Iterator[str]:
    """A database with every table on a PostgreSQL server."""
    url = servers.running().fresh()
    yield url
    servers.running().drop(url)


@pytest.fixture
def make_config(request: pytest.FixtureRequest, tmp_path: Path) -> MakeConfig:
    """Settings with a temp home; keywords are environment keys such as `speaking__daily_quota`."""
    fixed = {
        "LIMEN_BOT__DATA_DIR": str(tmp_path / "home"),
        "LIMEN_BOT__TIMEZONE": "UTC",
        "LIMEN_WEB__TOKEN": "operator-token",
    }
    if ON_SERVER or request.node.get_closest_marker("on_server"):
        fixed["LIMEN_DATABASE__URL"] = request.getfixturevalue("server_url")

    def make(**keys: object) -> Config:
        env = {f"LIMEN_{key.upper()}": str(value) for key, value in keys.items()}
        return configuration.load(None, fixed | env)

    return make


@pytest.fixture(params=("sqlite", "postgres"))
async def db(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """A database with every table, of either kind."""
    if request.param == "postgres":
        async with Database(Postgres(request.getfixturevalue("server_url"))) as database:
            yield database
        return
    async with Database(tmp_path / "test.db") as database:
        steps = migrations.steps(PACKAGES)
        await database.write(migrations.migrate, steps, now_us=to_us(MONDAY))
        yield database


@pytest.fixture
def stage(make_config: MakeConfig) -> OpenStage:
    """`async with stage(...)`: a house on a virtual clock with the default team."""

    def opened(
        around: Surroundings | None = None, **keys: object
    ) -> AbstractAsyncContextManager[Stage]:
        return open_stage(
            make_config(**keys), MONDAY, people=team.PEOPLE, rooms=team.ROOMS, around=around
        )

    return opened
