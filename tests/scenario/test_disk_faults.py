"""A disk that is really full, read-only or gone, and a database that is held or damaged."""

import asyncio
import contextlib
import os
import resource
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from adapters.errors import AdapterError
from adapters.web.errors import Unavailable
from bot.app import Surroundings
from bot.engine import letters, runs
from bot.errors import DataFolderError
from bot.plays.stage import DIRECT, Stage
from memory.errors import StorageBroken, StorageFull
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.scripted_chat import ScriptedChat

KB, MB = 1024, 1024 * 1024


class Disk:
    """A file system of a few megabytes that can be filled, emptied and made read-only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Take all that is left."""
        with self._ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4 * KB)

    def shrink(self, by: int) -> None:
        """Give some of it back."""
        os.truncate(self._ballast, self._ballast.stat().st_size - by)

    def free(self) -> None:
        """Give all of it back."""
        self._ballast.unlink()

    def unmount(self) -> None:
        """Take it away, whoever uses it."""
        subprocess.run(["umount", "-l", str(self.folder)], check=False, timeout=20)

    def remount(self, how: str) -> None:
        _mount("-o", f"remount,{how}", str(self.folder))


def _mount(*args: str) -> None:
    subprocess.run(["mount", *args], check=True, capture_output=True, timeout=20)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Eight megabytes; skipped where nobody may mount anything."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    try:
        _mount("-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder))
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no file system may be mounted here")
    try:
        yield Disk(folder)
    finally:
        Disk(folder).unmount()


async def _talk(on: Stage, chat: ScriptedChat, words: range) -> list[str]:
    """People write on two platforms; what was taken of it."""
    taken = []
    for number in words:
        text = f"word {number} " + "filling " * 400
        with contextlib.suppress(AdapterError, Unavailable):
            if number % 2:
                await on.say("ana", DIRECT, text)
            else:
                await chat.say("mira", text)
            taken.append(f"word {number} ")
        await on.wait(3)
    return taken


async def test_a_disk_that_fills_up_delays_and_loses_nothing_du_07(
    stage: OpenStage, disk: Disk
) -> None:
    """Full in the middle of everything, and freed again: it all goes on by itself."""
    chat = ScriptedChat()
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        taken = await _talk(on, chat, range(4))
        disk.fill()
        taken += await _talk(on, chat, range(4, 60))
        assert len(taken) < 60, "the disk did fill up"
        await on.wait(600)
        disk.free()
        taken += await _talk(on, chat, range(60, 64))
        await on.wait(600)
        said = [post.text for post in await on.posts(DIRECT, who="ana") if post.author == "bot"]
        heard = " ".join([*said, *chat.said("mira")])
        assert [heard.count(word) for word in taken] == [1] * len(taken)
        found = await on.house.db.read(lambda reader: runs.latest(reader, limit=999))
        assert {run.state for run in found} == {runs.State.SUCCEEDED}
        assert await on.house.db.read(letters.in_doubt) == []


async def test_little_room_is_kept_for_messages_and_admins_are_told_du_07(
    stage: OpenStage, disk: Disk
) -> None:
    chat = ScriptedChat(name="slack")
    model = ScriptedModel(conversation=echo)
    keys = {"bot__spare_room": "3MB", "access__admins": "slack:boss"}
    async with stage(Surroundings(model=model, chats=(chat,)), **keys) as on:
        await chat.say("boss", "hello")
        await on.wait(100)
        disk.fill()
        disk.shrink(1 * MB)
        await on.wait(20)
        thought = len(model.of("agency"))
        await on.say("ana", "project", "We decided to ship on the release path.")
        await chat.say("boss", "are you there?")
        await on.wait(300)
        assert chat.said("boss")[-1] == "heard: are you there?" or "admin" in chat.said("boss")[-1]
        assert "heard: are you there?" in chat.said("boss"), "whoever asks is answered"
        assert len(model.of("agency")) == thought, "what can wait waits"
        [told] = [text for text in chat.said("boss") if "as an admin" in text]
        assert "MB are free" in told and str(disk.folder) in told
        disk.free()
        await on.wait(300)
        assert len(model.of("agency")) > thought, "and goes on by itself"
        assert len([text for text in chat.said("boss") if "as an admin" in text]) == 1


async def test_admins_hear_of_a_full_disk_once_they_can_du_07(stage: OpenStage, disk: Disk) -> None:
    chat = ScriptedChat(name="slack")
    around = Surroundings(model=ScriptedModel(conversation=echo), chats=(chat,))
    keys = {"bot__spare_room": "100kB", "access__admins": "slack:boss"}
    async with stage(around, **keys) as on:
        await chat.say("boss", "hello")
        await on.wait(100)
        disk.fill()
        with pytest.raises((Unavailable, StorageFull), match="free space"):
            for number in range(400):
                await on.say("ana", DIRECT, f"{number} " + "filling " * 400)
        await on.wait(300)
        disk.free()
        await on.wait(100)
        [told] = [text for text in chat.said("boss") if "as an admin" in text]
        assert "for a while" in told and "everything goes on" in told


async def test_a_first_start_on_a_full_disk_says_what_to_do(stage: OpenStage, disk: Disk) -> None:
    disk.fill()
    with pytest.raises((StorageFull, DataFolderError), match="free space"):
        async with stage():
            pass
    disk.free()
    async with stage(Surroundings(model=ScriptedModel(conversation=echo))) as on:
        await on.say("ana", DIRECT, "hello")
        await on.wait(60)
        assert [post.author for post in await on.posts(DIRECT, who="ana")] == ["ana", "bot"]


@pytest.mark.parametrize("room", [40 * KB, 80 * KB, 160 * KB])
async def test_a_start_on_a_full_disk_waits_for_room_and_answers_what_was_asked(
    stage: OpenStage, disk: Disk, room: int
) -> None:
    """Everything it finds to do at a start waits, whatever loop it belongs to."""
    around = Surroundings(model=ScriptedModel(conversation=echo))
    async with stage(around) as on:
        await on.say("ana", DIRECT, "hello")  # and it ends before it can answer
    disk.fill()
    with pytest.raises(StorageFull, match="free space"):  # not even its index of the log fits
        async with stage(around):
            pass
    disk.shrink(room)
    async with stage(around) as on:
        await on.wait(300)
        disk.free()
        await on.wait(300)
        said = [post.text for post in await on.posts(DIRECT, who="ana") if post.author == "bot"]
        assert said == ["heard: hello"]


async def test_a_folder_that_is_read_only_is_named_at_the_start(
    stage: OpenStage, disk: Disk
) -> None:
    async with stage():
        pass
    disk.remount("ro")
    with pytest.raises(DataFolderError, match=r"Read-only .* data_dir"):
        async with stage():
            pass
    disk.remount("rw")
    async with stage() as on:
        await on.say("ana", "general", "taken again")


@pytest.mark.parametrize("how", ["deleted", "replaced"])
async def test_a_data_folder_that_goes_away_ends_the_house_with_a_word(
    stage: OpenStage, tmp_path: Path, how: str
) -> None:
    """What is written into a file without a name is kept by nobody: better no house than that."""
    async with stage() as on:
        await on.wait(20)
        on.house.footing.look()
        shutil.move(tmp_path / "home", tmp_path / "moved")
        if how == "replaced":
            shutil.copytree(tmp_path / "moved", tmp_path / "home")
        with pytest.raises(Unavailable, match="is gone, or another file lies there"):
            await on.say("lin", "general", "nobody would find this again")
        living = asyncio.create_task(on.house.live())
        with pytest.raises(ExceptionGroup) as caught:
            await living
        named, unknown = caught.value.split((DataFolderError, StorageBroken))
        assert named is not None and unknown is None, "each is told in one line"
        assert "limen restore" in str(first(named))
        shutil.rmtree(tmp_path / "home", ignore_errors=True)
        shutil.move(tmp_path / "moved", tmp_path / "home")


def first(group: ExceptionGroup[Exception]) -> Exception:
    """What the first of its tasks died of."""
    one = group.exceptions[0]
    return first(one) if isinstance(one, ExceptionGroup) else one


async def test_an_unmounted_data_folder_is_noticed(stage: OpenStage, disk: Disk) -> None:
    async with stage() as on:
        await on.wait(20)
        disk.unmount()
        with pytest.raises(DataFolderError, match="unmounted"):
            on.house.footing.look()


@contextmanager
def held(path: Path) -> Iterator[Callable[[], None]]:
    """Another program writes to the database, as a tool does that copies it under a lock."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")

        def let_go() -> None:
            if other.in_transaction:
                other.execute("ROLLBACK")

        try:
            yield let_go
        finally:
            let_go()


async def test_a_lock_of_another_program_is_waited_out_and_readers_go_on(
    stage: OpenStage, caplog: pytest.LogCaptureFixture
) -> None:
    async with stage(Surroundings(model=ScriptedModel(conversation=echo))) as on:
        await on.say("ana", DIRECT, "before")
        await on.wait(60)
        with held(on.house.db.path) as let_go:
            timer = threading.Timer(5.5, let_go)
            timer.start()
            waiting = asyncio.create_task(on.say("ana", DIRECT, "meanwhile"))
            posts = await on.posts("general")
            assert posts == [] and not waiting.done(), "reading does not wait"
            await waiting
            timer.join()
        await on.wait(60)
        said = [post.text for post in await on.posts(DIRECT, who="ana") if post.author == "bot"]
        assert said == ["heard: before", "heard: meanwhile"]
        assert any("writes wait for the database" in line for line in caplog.messages)
        assert any("held by another program" in line for line in caplog.messages)


def _damaged(path: Path) -> None:
    """Write over what lies in the middle, as a bad disk does."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(size - 4096))


async def test_a_damaged_database_says_what_to_do(stage: OpenStage, tmp_path: Path) -> None:
    async with stage():
        pass
    _damaged(tmp_path / "home" / "limen.db")
    with pytest.raises(StorageBroken, match=r"limen\.db is damaged .* 'limen restore'"):
        async with stage():
            pass


async def test_a_copy_without_its_log_lacks_the_newest_and_nothing_else(
    stage: OpenStage, tmp_path: Path
) -> None:
    """Who copies limen.db alone has the state of the last checkpoint: whole, only older."""
    home, copy = tmp_path / "home", tmp_path / "copy.db"
    async with stage() as on:
        await on.say("lin", "general", "old")
    async with stage() as on:
        await on.say("lin", "general", "new")
        shutil.copyfile(home / "limen.db", copy)
    copy.replace(home / "limen.db")
    async with stage() as on:
        assert [post.text for post in await on.posts("general")] == ["old"]


async def test_a_file_that_may_not_grow_any_more_is_a_full_disk_du_07(stage: OpenStage) -> None:
    """As under a quota: the disk has room, and the process may not write."""
    around = Surroundings(model=ScriptedModel(conversation=echo), chats=(chat := ScriptedChat(),))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    async with stage(around) as on:
        taken = await _talk(on, chat, range(2))
        wal = on.house.db.path.with_name("limen.db-wal")
        resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 64 * KB, hard))
        try:
            taken += await _talk(on, chat, range(2, 40))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert len(taken) < 40, "the limit was met"
        await on.wait(600)
        said = [post.text for post in await on.posts(DIRECT, who="ana") if post.author == "bot"]
        heard = " ".join([*said, *chat.said("mira")])
        assert [heard.count(word) for word in taken] == [1] * len(taken)
