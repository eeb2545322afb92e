"""A database is brought up to date whole, or left as it was."""

import sqlite3
from pathlib import Path

import pytest

from bot.app import PACKAGES, Surroundings, open_house
from memory import errors, migrations
from memory.db import Database
from tests.conftest import MakeConfig

STEPS = migrations.steps(PACKAGES)


def shape(path: Path) -> set[str]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name || ': ' || sql FROM sqlite_master WHERE sql <> ''")
    found = {row[0] for row in rows}
    connection.close()
    return found


async def test_step_by_step_comes_to_the_same_as_all_at_once(tmp_path: Path) -> None:
    async with Database(tmp_path / "fresh.db") as fresh:
        done = await fresh.write(migrations.migrate, STEPS, now_us=1)
        assert done == [name for name, _ in STEPS]
        assert await fresh.write(migrations.migrate, STEPS, now_us=2) == []
    async with Database(tmp_path / "grown.db") as grown:
        for count in range(1, len(STEPS) + 1):
            await grown.write(migrations.migrate, STEPS[:count], now_us=count)
    assert shape(tmp_path / "fresh.db") == shape(tmp_path / "grown.db")


async def test_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    later = [*STEPS, ("bot/9999_later", "CREATE TABLE later (id INTEGER);")]
    async with Database(tmp_path / "a.db") as db:
        await db.write(migrations.migrate, later, now_us=1)
        before = shape(tmp_path / "a.db")
        with pytest.raises(errors.NewerDatabase, match="9999_later"):
            await db.write(migrations.migrate, STEPS, now_us=2)
        with pytest.raises(errors.NewerDatabase):
            await db.read(migrations.outdated, STEPS)
    assert shape(tmp_path / "a.db") == before


async def test_a_step_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    broken = [
        *STEPS,
        ("bot/9999_broken", "CREATE TABLE half (id);\nCREATE TABLE people (id);"),
    ]
    async with Database(tmp_path / "a.db") as db:
        await db.write(migrations.migrate, STEPS, now_us=1)
        before = shape(tmp_path / "a.db")
        with pytest.raises(errors.StorageError):
            await db.write(migrations.migrate, broken, now_us=2)
        assert await db.write(migrations.migrate, STEPS, now_us=3) == []
    assert shape(tmp_path / "a.db") == before


def test_a_file_is_cut_into_statements_and_must_end_one() -> None:
    text = (
        "-- why; not\nCREATE TABLE a (\n    id INTEGER -- note\n);\n\nCREATE INDEX b ON a (id);\n"
    )
    assert len(migrations.statements(text)) == 2
    with pytest.raises(ValueError, match="ends inside"):
        migrations.statements("CREATE TABLE a (id INTEGER);\nCREATE TABLE b (id INTEGER)")


async def test_a_copy_is_whole_while_the_database_is_open(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("an older copy")
    async with Database(tmp_path / "a.db") as db:
        await db.write(migrations.migrate, STEPS, now_us=1)
        migrations.back_up(db.path, copy)
        assert shape(copy) == shape(db.path)
        with pytest.raises(errors.StorageFull, match="could not be copied"):
            migrations.back_up(db.path, tmp_path / "nowhere" / "copy.db")


async def test_a_house_copies_its_database_before_it_changes_it(make_config: MakeConfig) -> None:
    config = make_config()
    around = Surroundings(serve=False)
    folder = Path(config.bot.data_dir)
    async with open_house(config, around):
        pass
    assert not (folder / "limen.before-update.db").exists()
    connection = sqlite3.connect(folder / "limen.db")
    connection.execute("DELETE FROM migrations WHERE name = 'bot/0002_web'")
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'web_*'"
    ).fetchall()
    for (name,) in tables:
        connection.execute(f"DROP TABLE {name}")
    connection.commit()
    connection.close()
    async with open_house(config, around):
        pass
    assert any(line.startswith("people:") for line in shape(folder / "limen.before-update.db"))
