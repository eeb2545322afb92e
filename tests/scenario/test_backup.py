"""A backup is made while Limen runs, holds one moment whole, and is checked before it is used."""

import asyncio
import io
import shutil
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adapters.chat import Address
from bot.app import PACKAGES
from bot.engine import inputs, leases, letters, sessions
from bot.engine.inputs import Entry, Trigger
from bot.errors import LimenError
from bot.plays.stage import DIRECT
from bot.safekeeping import backup, bundle, restore
from bot.safekeeping.bundle import BackupBroken
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory import migrations, originals, search
from memory.db import Database, Tx, snapshot
from memory.moments import to_us
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes import servers
from tests.fakes.doomed_keeping import back_up, lives, put_back

WRITTEN = 1500  # transactions of the flood before the backup


async def lived(stage: OpenStage, *said: str) -> None:
    """A house in which something was said, and which is closed again."""
    async with stage() as on:
        for text in said or ("remember: the code word is heron",):
            await on.say("ana", DIRECT, text)
            await on.wait(30)


def laid_out(file: Path, folder: Path) -> bundle.Manifest:
    """A backup's files in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return bundle.unpack(file, folder)


def bundle_rows(file: Path, folder: Path) -> dict[str, int]:
    """How many rows of each table a backup has."""
    return laid_out(file, folder / f"{file.stem}-rows").rows


async def test_a_backup_holds_the_house_and_says_what_is_in_it(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path
) -> None:
    home = Home(tmp_path / "home")
    async with stage() as on:
        await on.say("ana", DIRECT, "remember: the code word is heron")
        await on.wait(30)
        home.files.mkdir()
        (home.files / "stray.png").write_bytes(b"of no file")
        lines = await back_up(make_config(), tmp_path, MONDAY)
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
    lines = await back_up(make_config(), None, MONDAY)
    assert "no Limen ran meanwhile" in lines[1]
    file = tmp_path / "home/backups/limen-2026-11-30T100000Z.backup"
    with pytest.raises(LimenError, match=f"{file} is there already; name another"):
        await back_up(make_config(), file, MONDAY)
    with pytest.raises(LimenError, match="there is no folder"):
        await back_up(make_config(), tmp_path / "no/where.backup", MONDAY)


async def test_without_a_database_there_is_nothing_to_back_up(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    with pytest.raises(LimenError, match="start 'limen run' once"):
        await back_up(make_config(), None, MONDAY)
    (tmp_path / "home").mkdir()
    with pytest.raises(LimenError, match="there is no database in"):
        await back_up(make_config(), tmp_path, MONDAY)
    assert not list(tmp_path.glob("*.part"))


def _room(tx: Tx) -> int:
    return sessions.of_room(tx, Address(platform="desk", account="w", chat="ana"), now_us=1).id


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
        session = await db.write(_room)

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
            await back_up(config, tmp_path, MONDAY)
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


BROKEN: dict[str, Callable[[bytes], bytes]] = {
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
    await back_up(make_config(), tmp_path, MONDAY)
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


@pytest.fixture
def url() -> Iterator[str]:
    """A server's database without tables."""
    made = servers.running().empty()
    yield made
    servers.running().drop(made)


def found(config: Config, text: str) -> list[str]:
    """What search finds."""
    with storage.reading(config) as reader:
        seen = search.originals(reader, text, visible=lambda _: True, limit=9)
        return [one.body for one in seen]


async def test_a_house_moves_to_a_server_and_back_with_all_it_has(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path, url: str
) -> None:
    first, second, third = (tmp_path / f"{name}.backup" for name in "abc")
    said = ("remember: the code word is heron", "请记住：暗号是苍鹭搬家")
    await lived(stage, *said)
    file, server = make_config(), make_config(database__url=url)
    await back_up(file, first, MONDAY)
    lines = await put_back(server, first, MONDAY, yes=False, moving=True)
    assert any(line.startswith("the rows are in postgresql:") for line in lines)
    assert found(server, "heron")[0] == said[0] and found(server, "搬家")[0] == said[1]
    with pytest.raises(LimenError, match=r"has content \(\d+ messages\)"):
        await put_back(server, first, MONDAY, yes=False)

    async with Database(storage.place(server)) as db:
        session = await db.write(_room)
        await db.write(_hear, session, 7)  # numbers go on after the highest
    await back_up(server, second, MONDAY)
    one, two = bundle_rows(first, tmp_path), bundle_rows(second, tmp_path)
    assert two["originals"] == one["originals"] + 1
    lines = await put_back(server, first, MONDAY, moving=True)
    assert "are in the schema limen_before_restore_2026_11_30t100000z" in str(lines)
    assert found(server, "harbour") == []

    shutil.rmtree(tmp_path / "home")
    await put_back(file, second, MONDAY, yes=False, moving=True)
    assert found(file, "heron")[0] == said[0] and found(file, "搬家")[0] == said[1]
    assert found(file, "harbour")
    await back_up(file, third, MONDAY)
    three = bundle_rows(third, tmp_path)
    assert three == two | {"restores": two["restores"] + 1}


async def test_a_server_that_others_work_on_is_not_at_rest_and_not_overwritten(
    file: Path, make_config: MakeConfig, tmp_path: Path, url: str
) -> None:
    server = make_config(database__url=url)
    await put_back(server, file, MONDAY, yes=False, moving=True)
    async with Database(storage.place(server)) as db:
        seen = await db.read(leases.find, "agency")
        held = await db.write(leases.take, "agency", "elsewhere", seen=seen, now_us=1)
        assert held is not None
        renewing = True

        async def pass_time(seconds: float) -> None:
            if renewing:
                await db.write(leases.renew, held)

        for name in ("running", "dead"):
            made = tmp_path / f"{name}.backup"
            lines = await backup.make(server, made, now=MONDAY, sleep=pass_time)
            assert ("while Limen ran" in lines[1]) is renewing
            if renewing:
                with pytest.raises(LimenError, match="it holds agency"):
                    await restore.restore(
                        server, file, yes=True, moving=False, now=MONDAY, sleep=pass_time
                    )
            renewing = False
