"""What `limen doctor` finds, and how it tells it."""

import json
import socket
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters import findings
from adapters.findings import Finding, Level
from bot.setup import checkups, doctor
from bot.setup.checkups import PACKAGES
from bot.setup.home import Home
from memory import migrations
from memory.db import Tx
from memory.sqlite import SqliteSession
from tests.fakes.messages_api import MessagesApi

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir(mode=0o700)
    return {"LIMEN_BOT__DATA_DIR": str(tmp_path / "data"), "LIMEN_WEB__PORT": "0", "TZ": "UTC"}


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def database(env: dict[str, str], extra: str = "") -> Path:
    """A real database, with every migration applied."""
    path = Home(Path(env["LIMEN_BOT__DATA_DIR"])).database
    packages = [PACKAGES / name for name in ("memory", "agency", "bot")]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrations.migrate(Tx(SqliteSession(connection)), migrations.steps(packages), now_us=0)
        if extra:
            connection.execute("INSERT INTO migrations VALUES (?, 0)", (extra,))
    return path


async def only(env: dict[str, str], area: str) -> Finding:
    """The worst finding of an area."""
    found = [one for one in await doctor.examine(None, env, clock=lambda: NOW) if one.area == area]
    return max(found, key=lambda one: list(Level).index(one.level))


async def test_a_fresh_machine_is_well(env: dict[str, str]) -> None:
    found = await doctor.examine(None, env, clock=lambda: NOW)
    assert {one.level for one in found} == {Level.OK}
    assert not doctor.failed(found)
    areas = {"python", "sqlite", "clock", "settings", "timezone", "data folder", "disk", "database"}
    assert areas | {"web", "model"} == {one.area for one in found}
    assert list(Path(env["LIMEN_BOT__DATA_DIR"]).iterdir()) == []


async def test_broken_settings_are_findings_one_each(env: dict[str, str]) -> None:
    env |= {"LIMEN_WEB__PORT": "x", "LIMEN_FOO": "1"}
    found = [
        one for one in await doctor.examine(None, env, clock=lambda: NOW) if one.area == "settings"
    ]
    assert len(found) == 2
    assert doctor.failed(found)


async def test_an_empty_allowlist_is_named(env: dict[str, str]) -> None:
    env["LIMEN_ACCESS__MODE"] = "allowlist"
    assert "nobody is on the list" in (await only(env, "settings")).text


async def test_a_file_in_place_of_the_data_folder(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    env["LIMEN_BOT__DATA_DIR"] = str(tmp_path / "file" / "data")
    assert (await only(env, "data folder")).level is Level.FAIL


async def test_a_folder_others_can_look_into(env: dict[str, str]) -> None:
    Path(env["LIMEN_BOT__DATA_DIR"]).chmod(0o755)
    finding = await only(env, "data folder")
    assert (finding.level, finding.remedy[:11]) == (Level.WARN, "chmod o-rwx")


async def test_a_running_limen_holds_folder_and_port(env: dict[str, str], taken_port: int) -> None:
    env["LIMEN_WEB__PORT"] = str(taken_port)
    assert (await only(env, "web")).level is Level.FAIL
    with Home(Path(env["LIMEN_BOT__DATA_DIR"])).hold():
        assert "used by the running Limen" in (await only(env, "web")).text
        assert (await only(env, "running")).level is Level.OK


async def test_a_host_that_is_not_ours(env: dict[str, str]) -> None:
    env["LIMEN_WEB__HOST"] = "192.0.2.1"
    finding = await only(env, "web")
    assert "is no address of this machine" in finding.text


async def test_a_port_for_everybody_is_worth_a_look(env: dict[str, str]) -> None:
    env["LIMEN_WEB__HOST"] = "0.0.0.0"
    assert (await only(env, "web")).level is Level.WARN


async def test_a_sound_database(env: dict[str, str]) -> None:
    database(env)
    finding = await only(env, "database")
    assert finding.level is Level.OK
    assert finding.text.endswith("sound")


async def test_a_database_of_a_later_version(env: dict[str, str]) -> None:
    database(env, extra="memory/9999_later")
    finding = await only(env, "database")
    assert finding.level is Level.FAIL
    assert "later version (it has memory/9999_later)" in finding.text


async def test_a_damaged_database(env: dict[str, str]) -> None:
    path = database(env)
    content = bytearray(path.read_bytes())
    content[4096 : 4096 * 3] = b"\xff" * 4096 * 2
    path.write_bytes(content)
    finding = await only(env, "database")
    assert (finding.level, "put a copy back" in finding.remedy) == (Level.FAIL, True)


async def test_a_file_that_is_no_database(env: dict[str, str]) -> None:
    Home(Path(env["LIMEN_BOT__DATA_DIR"])).database.write_text("hello " * 1000)
    assert (await only(env, "database")).level is Level.FAIL


NAME = "claude-sonnet-5-5"
KNOWS_IT, KEEPS_NO_LIST = frozenset({NAME}), None


@pytest.mark.parametrize(
    ("key", "models", "level", "says"),
    [
        ("test-key", KNOWS_IT, Level.OK, f"takes the key and has {NAME}"),
        ("test-key", KEEPS_NO_LIST, Level.OK, "keeps no list"),
        ("old-key", KNOWS_IT, Level.FAIL, "api_key was not accepted"),
        ("test-key", frozenset({"another"}), Level.FAIL, f"{NAME!r} was not found"),
    ],
)
async def test_an_endpoint_is_asked_about_key_and_model_and_for_nothing_that_costs(
    env: dict[str, str], key: str, models: frozenset[str] | None, level: Level, says: str
) -> None:
    async with MessagesApi([], models=models) as api:
        env |= {"LIMEN_MODEL__BASE_URL": api.url, "ANTHROPIC_API_KEY": key}
        found = [o for o in await doctor.examine(None, env, clock=lambda: NOW) if o.area == "model"]
        assert api.requests == []
    assert [one.level for one in found[:-1]] == [Level.OK, Level.OK]
    assert (found[-1].level, says in found[-1].text) == (level, True)
    assert key not in doctor.render(found)


async def test_an_endpoint_that_is_down(env: dict[str, str]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        env["LIMEN_MODEL__BASE_URL"] = f"http://127.0.0.1:{unused.getsockname()[1]}"
        finding = await only(env, "model")
    assert finding.level is Level.FAIL
    assert "cannot be reached" in finding.text


async def test_a_proxy_is_named_without_its_password(env: dict[str, str]) -> None:
    env |= {"ANTHROPIC_API_KEY": "sk-1", "HTTPS_PROXY": "http://user:secret@proxy.example:3128"}
    text = doctor.render(await doctor.examine(None, env, clock=lambda: NOW))
    assert "the proxy proxy.example; not tried" in text
    assert "secret" not in text
    assert "sk-1" not in text


def test_a_transcriber_that_is_not_there_is_worth_a_look() -> None:
    assert checkups.transcriber("") == []
    [there] = checkups.transcriber(f"{sys.executable} -f {{file}}")
    assert (there.level, sys.executable in there.text) == (Level.OK, True)
    [missing] = checkups.transcriber("no-such-whisper -f {file}")
    assert (missing.level, "no-such-whisper" in missing.text) == (Level.WARN, True)


def test_a_clock_before_the_program_was_installed() -> None:
    (finding,) = checkups.moment(datetime(1970, 1, 1, tzinfo=UTC))
    assert finding.level is Level.WARN


def test_old_pythons_and_sqlites_are_refused() -> None:
    python, sqlite = checkups.runtime(python=(3, 10, 1), sqlite=(3, 34, 0))
    assert (python.level, sqlite.level) == (Level.FAIL, Level.FAIL)


FOUND = [findings.ok("web", "free"), findings.fail("data folder", "full", "free space")]


def test_table_puts_the_remedy_below() -> None:
    assert doctor.render(FOUND).splitlines() == [
        "ok    web          free",
        "FAIL  data folder  full",
        "                   → free space",
        "1 ok, 0 to look at, 1 failed",
    ]


def test_json_is_for_programs() -> None:
    told = json.loads(doctor.render_json(FOUND))
    assert told["ok"] is False
    assert told["findings"][1] == {
        "level": "fail",
        "area": "data folder",
        "text": "full",
        "remedy": "free space",
    }


async def test_a_model_without_a_price_is_named(env: dict[str, str]) -> None:
    paid = env | {"LIMEN_MODEL__BASE_URL": "http://127.0.0.1:9", "LIMEN_BUDGET__DAILY_COST": "2"}
    assert (await only(paid, "budget")).level is Level.OK
    found = await only(paid | {"LIMEN_MODEL__NAME": "mine"}, "budget")
    assert found.level is Level.WARN
    assert "'mine'" in found.text and '[budget.prices."mine"]' in found.remedy
