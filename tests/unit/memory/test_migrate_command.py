"""`limen migrate`: both directions of a mismatch are told, with the version and the way out."""

from pathlib import Path

import pytest

from bot.app import PACKAGES
from bot.errors import DataFolderError, LimenError
from bot.safekeeping import migrating, upgrades
from bot.setup.home import Home
from memory import migrations
from memory.db import Database, Tx, snapshot
from memory.moments import to_us
from tests.conftest import MONDAY, MakeConfig

STEPS = migrations.steps(PACKAGES)
WINGS = ("bot/9999_wings", "CREATE TABLE wings (id TEXT PRIMARY KEY);")


async def made(folder: Path, steps: list[tuple[str, str]], *versions: str) -> None:
    """A database with some migrations, on which some versions have run."""
    folder.mkdir(exist_ok=True)

    def fill(tx: Tx) -> None:
        migrations.migrate(tx, steps, now_us=to_us(MONDAY))
        for version in versions:
            tx.run(
                "INSERT INTO programs (version, first_at) VALUES (:version, :at)",
                version=version,
                at=to_us(MONDAY),
            )

    async with Database(Home(folder).database) as db:
        await db.write(fill)


async def test_a_database_of_this_version_has_nothing_to_do(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    assert migrating.look(make_config())[1], "none yet is none too old"
    await made(tmp_path / "home", STEPS)
    lines, current = migrating.look(make_config())
    assert current and lines == [
        f"the database has {len(STEPS)} migrations, all that Limen {upgrades.own()} knows; there "
        "is nothing to do"
    ]
    assert await migrating.bring_up(make_config(), MONDAY) == lines


async def test_an_older_one_says_what_will_be_applied_and_where_the_copy_lies(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    older = [one for one in STEPS if one[0] < "bot/0008"]
    lacking = [name for name, _ in STEPS if name >= "bot/0008"]
    await made(tmp_path / "home", older)
    lines, current = migrating.look(make_config())
    home = Home(tmp_path / "home")
    assert not current
    assert lines == [
        f"the database has {len(older)} migrations; it lacks {len(lacking)} of Limen "
        f"{upgrades.own()}:",
        *(f"  {name}" for name in lacking),
        "they are applied by the next 'limen run', or now by 'limen migrate'",
        f"the database as it is now is kept first, in {home.backup}",
    ]
    assert await migrating.bring_up(make_config(), MONDAY) == [f"applied {one}" for one in lacking]
    with snapshot(home.database) as reader:
        now = upgrades.standing(reader, STEPS)
    assert now.current and [name for name, _ in now.versions] == [upgrades.own()]
    with snapshot(home.backup) as reader:
        assert upgrades.standing(reader, STEPS).missing == tuple(lacking)


async def test_a_newer_one_names_the_version_that_made_it_and_is_left_alone(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    await made(tmp_path / "home", [*STEPS, WINGS], "7.0.0")
    lines, current = migrating.look(make_config())
    assert not current
    assert lines[1] == "  bot/9999_wings"
    assert "a later version made it, Limen 7.0.0 (since 2026-11-30)" in lines[2]
    assert "put back a backup made before it" in lines[3]
    with pytest.raises(LimenError, match=r"bot/9999_wings[\s\S]*Limen 7\.0\.0"):
        await migrating.bring_up(make_config(), MONDAY)
    assert not Home(tmp_path / "home").backup.exists()


async def test_a_database_that_went_another_way_is_told_both(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    await made(tmp_path / "home", [*STEPS[:-1], WINGS])
    lines, current = migrating.look(make_config())
    assert not current
    assert "  bot/9999_wings" in lines and f"  {STEPS[-1][0]}" in lines
    assert not any("they are applied" in line for line in lines)


async def test_nothing_is_applied_under_a_running_limen(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    await made(tmp_path / "home", STEPS[:-1])
    with Home(tmp_path / "home").hold(), pytest.raises(DataFolderError, match="another Limen"):
        await migrating.bring_up(make_config(), MONDAY)
    assert not migrating.look(make_config())[1]


def test_on_a_server_there_is_no_copy_first_and_that_is_said() -> None:
    older = upgrades.Standing(applied=("a",), missing=("b",), unknown=(), versions=())
    assert "'limen backup' first" in list(older.told(copied_to=None))[-1]
