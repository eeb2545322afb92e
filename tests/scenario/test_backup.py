"""A backup is made while Limen runs, holds one moment whole, and is checked before it is used."""

import asyncio
import io
import tarfile
import time
from pathlib import Path

import pytest

from bot.app import PACKAGES
from bot.engine import inputs, letters, sessions
from bot.engine.inputs import Entry, Trigger
from bot.errors import LimenError
from bot.plays.stage import DIRECT
from bot.safekeeping import backup, bundle
from bot.safekeeping.bundle import BackupBroken
from bot.setup.home import Home
from memory import migrations, originals
from memory.db import Database, Tx, snapshot
from memory.moments import to_us
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes.doomed_keeping import lives

WRITTEN = 1500  # transactions of the flood before the backup


async def lived(stage: OpenStage, *said: str) -> None:
    """A house in which something was said, and which is closed again."""
    async with stage() as on:
        for text in said or ("remember: the code word is heron",):
            await on.say("ana", DIRECT, text)
            await on.wait(30)


def laid_out(file: Path, folder: Path) -> bundle.Manifest:
    """A backup's files in a folder."""
    folder.mkdir()
    return bundle.unpack(file, folder)


async def test_a_backup_holds_the_house_and_says_what_is_in_it(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path
) -> None:
    home = Home(tmp_path / "home")
    async with stage() as on:
        await on.say("ana", DIRECT, "remember: the code word is heron")
        await on.wait(30)
        home.files.mkdir()
        (home.files / "stray.png").write_bytes(b"of no file")
        lines = await backup.make(make_config(), tmp_path, now=MONDAY)
    file = tmp_path / "limen-2026-11-30T100000Z.backup"
    assert lines[0].startswith(f"wrote {file} (")
    assert "while Limen ran" in lines[1]
    assert file.stat().st_mode & 0o777 == 0o600
    manifest = laid_out(file, tmp_path / "out")
    assert set(manifest.members) == {"limen.db", "AGENCY.md"}
    assert manifest.engine == "sqlite" and not manifest.at_rest
    with snapshot(tmp_path / "out" / "limen.db") as reader:
        assert [o.body for o in originals.latest(reader, limit=9) if "heron" in o.body]
    assert backup.check(file)[0].startswith(f"{file} is whole: 2 files")


async def test_a_house_at_rest_is_told_apart_and_a_file_is_never_overwritten(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path
) -> None:
    await lived(stage)
    lines = await backup.make(make_config(), None, now=MONDAY)
    assert "no Limen ran meanwhile" in lines[1]
    file = tmp_path / "home/backups/limen-2026-11-30T100000Z.backup"
    with pytest.raises(LimenError, match=f"{file} is there already; name another"):
        await backup.make(make_config(), file, now=MONDAY)
    with pytest.raises(LimenError, match="there is no folder"):
        await backup.make(make_config(), tmp_path / "no/where.backup", now=MONDAY)


async def test_without_a_database_there_is_nothing_to_back_up(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    with pytest.raises(LimenError, match="start 'limen run' once"):
        await backup.make(make_config(), None, now=MONDAY)
    (tmp_path / "home").mkdir()
    with pytest.raises(LimenError, match="there is no database in"):
        await backup.make(make_config(), tmp_path, now=MONDAY)
    assert not list(tmp_path.glob("*.part"))


def _hear(tx: Tx, session: int, n: int) -> None:
    """A message, its input and its answer, in one transaction: three rows or none."""
    found = sessions.find(tx, session)
    address = found.address if found else None
    saying = originals.Saying(
        session_id=session,
        kind=originals.Kind.MESSAGE,
        author="Ana",
        body=f"message {n} about the harbour " * 40,
        said_us=n,
        address=f"{address}#{n}",
    )
    id = originals.keep(tx, saying, now_us=n)
    assert id is not None and address is not None
    entry = Entry(
        session_id=session, trigger=Trigger.MESSAGE, parts=(), key=f"o{id}", original_id=id
    )
    inputs.add(tx, entry, now_us=n)
    draft = letters.Draft(key=f"a{n}", session_id=session, address=address, body="yes")
    letters.post(tx, draft, now_us=n)


async def test_a_backup_in_a_flood_of_writes_is_one_moment_and_holds_nobody_up(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    config = make_config()
    home = Home(config.bot.data_dir)
    home.folder.mkdir()
    slowest, count, enough, stop = 0.0, 0, asyncio.Event(), asyncio.Event()

    async with Database(home.database) as db:
        await db.write(migrations.migrate, migrations.steps(PACKAGES), now_us=to_us(MONDAY))

        def room(tx: Tx) -> int:
            from_desk = sessions.Address(platform="desk", account="w", chat="ana")
            return sessions.of_room(tx, from_desk, now_us=1).id

        session = await db.write(room)

        async def flood() -> None:
            nonlocal slowest, count
            while not stop.is_set():
                count += 1
                began = time.perf_counter()
                await db.write(_hear, session, count)
                slowest = max(slowest, time.perf_counter() - began)
                if count >= WRITTEN:
                    enough.set()

        async with asyncio.TaskGroup() as group:
            writers = [group.create_task(flood()) for _ in range(8)]
            await enough.wait()
            slowest = 0.0
            before = count
            await backup.make(config, tmp_path, now=MONDAY)
            after = count
            stop.set()
            await asyncio.gather(*writers)
    assert after > before, "the flood went on meanwhile"
    assert slowest < 2.0, "no write waited for the backup"
    file = tmp_path / bundle.named(MONDAY)
    backup.check(file)  # foreign keys, pages, counts
    rows = laid_out(file, tmp_path / "out").rows
    assert rows["originals"] == rows["inputs"] == rows["letters"]
    assert before - 8 <= rows["originals"] <= after


BROKEN = {
    "cut in the middle": lambda data: data[: len(data) // 2],
    "cut before the manifest": lambda data: data[: data.rindex(b"manifest.json")],
    "a byte of the database changed": lambda data: data[:60_000] + b"\x00\x01" + data[60_002:],
    "a byte of the manifest changed": lambda data: data.replace(
        b'"originals": ', b'"originals":1', 1
    ),
    "not a tar": lambda data: b"hello" * 1000,
    "empty": lambda data: b"",
    "of a form to come": lambda data: data.replace(b'"format": 1', b'"format": 2', 1),
}


@pytest.fixture
async def file(stage: OpenStage, make_config: MakeConfig, tmp_path: Path) -> Path:
    """A sound backup."""
    await lived(stage)
    await backup.make(make_config(), tmp_path, now=MONDAY)
    return tmp_path / bundle.named(MONDAY)


async def test_whatever_is_not_the_backup_it_was_is_refused(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    backup.check(file)
    for n, (name, change) in enumerate(BROKEN.items()):
        other = tmp_path / f"broken-{n}.backup"
        other.write_bytes(change(data))
        with pytest.raises(BackupBroken) as refused:
            backup.check(other)
        assert str(other) in str(refused.value), name
    with pytest.raises(BackupBroken, match="cannot be read"):
        backup.check(tmp_path / "nothing.backup")


@pytest.mark.parametrize(
    "name", ["../stray", "/etc/stray", "agency/../../stray", "files/", "other.db"]
)
async def test_nothing_in_a_backup_leads_out_of_its_folder(
    file: Path, tmp_path: Path, name: str
) -> None:
    with tarfile.open(file, "a") as tar:
        info = tarfile.TarInfo(name)
        info.size = 5
        tar.addfile(info, io.BytesIO(b"stray"))
    with pytest.raises(BackupBroken, match="belongs in no backup"):
        backup.check(file)
    assert not list(tmp_path.parent.rglob("stray"))


async def test_killed_at_any_step_a_backup_leaves_no_half_and_no_litter(
    stage: OpenStage, tmp_path: Path
) -> None:
    await lived(stage)
    home, target = tmp_path / "home", tmp_path / "out" / "x.backup"
    target.parent.mkdir()
    with lives() as live:
        steps = live("backup", home, target, 0)["steps"]
        assert steps >= 5
        for at in range(1, steps + 1):
            target.unlink(missing_ok=True)
            assert live("backup", home, target, at)["end"] == -9
            if target.exists():
                backup.check(target)
        target.unlink(missing_ok=True)
        assert live("backup", home, target, 0)["end"] == 0
    backup.check(target)
    assert [path.name for path in target.parent.iterdir()] == ["x.backup"]
