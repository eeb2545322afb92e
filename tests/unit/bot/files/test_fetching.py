"""Files are fetched beside each other, later where it has to be, and given up in words."""

import asyncio
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.chat import Address
from adapters.chat import File as Sendable
from adapters.errors import Refused, Retry, Unknown
from bot.app import system_sleep
from bot.engine import inputs, runs, sessions
from bot.engine.clocks import VirtualClock
from bot.engine.inputs import Entry, Trigger
from bot.engine.runs import Run
from bot.engine.waits import Bell
from bot.files.fetching import MAX_ATTEMPTS, PATIENCE, Files, Settings
from bot.files.reading import Reader
from memory import files, originals
from memory.db import Database, Tx
from memory.files import File, Sent, State
from memory.moments import to_us
from tests.conftest import MONDAY
from tests.fakes import papers
from tests.fakes.courier import Courier

ROOM = Address(platform="courier", account="test", chat="project")


@dataclass(frozen=True, slots=True)
class Desk:
    """The loop on a virtual clock, with a chat in the test's hand."""

    db: Database
    clock: VirtualClock
    chat: Courier
    files: Files
    folder: Path

    async def send(self, *sent: Sendable, number: int = 1) -> int:
        original = await self.db.write(self._keep, sent, number)
        self.files.bell.ring()
        return original

    def _keep(self, tx: Tx, sent: tuple[Sendable, ...], number: int) -> int:
        now_us = to_us(self.clock())
        session = sessions.of_room(tx, ROOM, now_us=now_us)
        address = f"courier:test/project#m{number}"
        original = originals.keep(
            tx,
            originals.Saying(
                session_id=session.id, kind=originals.Kind.MESSAGE, author="Mo", body="see",
                said_us=now_us, address=address,
            ),
            now_us=now_us,
        )  # fmt: skip
        assert original is not None
        with originals.reindexing(tx, original):
            told = [
                Sent(locator=one.id, name=one.name, mime=one.mime, size=one.size) for one in sent
            ]
            files.keep(tx, original, told, now_us=now_us)
        entry = Entry(
            session_id=session.id, trigger=Trigger.MESSAGE, parts=(), key=address,
            original_id=original,
        )  # fmt: skip
        inputs.add(tx, entry, now_us=now_us)
        return original

    async def wait(self, seconds: float) -> None:
        await self.clock.pass_time(
            self.clock() + timedelta(seconds=seconds),
            busy=lambda: bool(self.db.busy or self.files.busy),
            breathe=system_sleep,
        )

    async def read(self, original: int) -> list[File]:
        return await self.db.read(files.of_original, original)

    async def run(self) -> Run:
        return await self.db.write(self._run)

    def _run(self, tx: Tx) -> Run:
        session = sessions.of_room(tx, ROOM, now_us=to_us(self.clock()))
        runs.queue(tx, session.id, "conversation", priority=10, due_us=0, now_us=0)
        run = runs.open_of(tx, session.id)
        assert run is not None
        return run


@asynccontextmanager
async def opened(db: Database, folder: Path, **settings: Any) -> AsyncIterator[Desk]:
    clock = VirtualClock(MONDAY)
    chat = Courier(clock)
    loop = Files(
        db,
        {chat.name: chat},
        Reader(clock=clock),
        clock,
        clock.sleep,
        bell=Bell(),
        news=Bell(),
        settings=Settings(folder=folder, **settings),
    )
    task = asyncio.create_task(loop.run())
    try:
        yield Desk(db, clock, chat, loop, folder)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(5000):
        if holds():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it never came to that")


@pytest.fixture
async def desk(db: Database, tmp_path: Path) -> AsyncIterator[Desk]:
    async with opened(db, tmp_path / "files") as made:
        yield made


async def test_a_file_is_fetched_read_and_kept(desk: Desk) -> None:
    original = await desk.send(desk.chat.file("a.txt", b"The lease ends in May."))
    await desk.wait(0)
    [file] = await desk.read(original)
    assert (file.state, file.text) == (State.READ, "The lease ends in May.")


async def test_a_picture_is_kept_for_its_owner_only_and_goes_with_its_message(desk: Desk) -> None:
    original = await desk.send(desk.chat.file("a.png", papers.picture()))
    await desk.wait(0)
    [file] = await desk.read(original)
    kept = desk.folder / file.picture
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(desk.folder.stat().st_mode) == 0o700
    await desk.db.write(originals.recall, "courier:test/project#m1", now_us=1)
    desk.files.bell.ring()
    await desk.wait(0)
    assert list(desk.folder.iterdir()) == []


async def test_a_picture_that_a_crash_left_unnoted_goes_with_its_message(desk: Desk) -> None:
    """It was written, and the process died before the database knew of it."""
    [file] = await desk.read(await desk.send(desk.chat.file("a.png", Retry("away", after=3600))))
    await desk.wait(0)
    desk.folder.mkdir(exist_ok=True)
    for name in (f"{file.id}.png", f"{file.id}.jpg.new", f"{file.id}0.png"):
        (desk.folder / name).write_bytes(b"x")
    await desk.db.write(originals.recall, "courier:test/project#m1", now_us=1)
    desk.files.bell.ring()
    await desk.wait(0)
    assert [one.name for one in desk.folder.iterdir()] == [f"{file.id}0.png"]


async def test_what_is_recalled_while_it_is_fetched_leaves_nothing(desk: Desk) -> None:
    sent = desk.chat.file("a.png", papers.picture())
    go_on = desk.chat.hold(sent)
    await desk.send(sent)
    await until(lambda: bool(desk.chat.fetched))
    await desk.db.write(originals.recall, "courier:test/project#m1", now_us=1)
    go_on()
    await desk.wait(0)
    assert not desk.folder.exists() or list(desk.folder.iterdir()) == []
    stored = await desk.db.read(lambda reader: reader.all("SELECT * FROM files"))
    assert [row["state"] for row in stored] == ["removed"]


async def test_what_cannot_be_fetched_now_is_fetched_later(desk: Desk) -> None:
    sent = desk.chat.file("a.txt", Retry("busy", after=40), Unknown("cut off"), b"here it is")
    original = await desk.send(sent)
    await desk.wait(39)
    assert len(desk.chat.fetched) == 1
    await desk.wait(60)
    [file] = await desk.read(original)
    assert (file.state, file.text, len(desk.chat.fetched)) == (State.READ, "here it is", 3)


async def test_what_fails_again_and_again_is_given_up_with_the_reason(desk: Desk) -> None:
    original = await desk.send(desk.chat.file("a.txt", Retry("the server is down")))
    await desk.wait(7200)
    [file] = await desk.read(original)
    assert len(desk.chat.fetched) == MAX_ATTEMPTS
    assert (file.state, file.note) == (
        State.UNREADABLE,
        "not fetched: the server is down",
    )


async def test_a_refused_file_is_not_asked_for_again(desk: Desk) -> None:
    original = await desk.send(desk.chat.file("a.txt", Refused("it was deleted")))
    await desk.wait(600)
    [file] = await desk.read(original)
    assert (file.note, len(desk.chat.fetched)) == ("not fetched: it was deleted", 1)


async def test_one_that_fails_or_hangs_holds_up_no_other(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    stuck = desk.chat.file("stuck.txt", b"late")
    go_on = desk.chat.hold(stuck)
    sent = [stuck, desk.chat.file("odd.txt", RuntimeError("odd")), *(
        desk.chat.file(f"{n}.txt", f"number {n}".encode()) for n in range(8)
    )]  # fmt: skip
    with caplog.at_level("CRITICAL"):
        original = await desk.send(*sent)
        for _ in range(400):
            found = await desk.read(original)
            if sum(one.state is State.READ for one in found) == 8:
                break
            await asyncio.sleep(0.005)
        assert [one.name for one in found if one.state is not State.READ] == [
            "stuck.txt",
            "odd.txt",
        ]
        go_on()
        await desk.wait(0)
    assert (await desk.read(original))[0].text == "late"


async def test_a_large_file_is_not_even_fetched(db: Database, tmp_path: Path) -> None:
    async with opened(db, tmp_path, max_size=1_000_000) as desk:
        told = desk.chat.file("film.txt", b"", size=48_200_000)
        untold = desk.chat.file("film.bin", b"x" * 1_000_001)
        original = await desk.send(told, untold)
        await desk.wait(0)
        first, second = await desk.read(original)
        assert first.note == "too large: 48.2 MB, where 1 MB are the limit"
        assert second.note.startswith("too large:")
        assert desk.chat.fetched == [untold.id]


async def test_switched_off_nothing_is_fetched(db: Database, tmp_path: Path) -> None:
    async with opened(db, tmp_path, enabled=False) as desk:
        original = await desk.send(desk.chat.file("a.txt", b"x"))
        await desk.wait(0)
        [file] = await desk.read(original)
        assert file.note == "files are not read here: [files] enabled is false"
        assert desk.chat.fetched == []


async def test_a_file_that_killed_the_process_again_and_again_is_given_up(
    db: Database, tmp_path: Path
) -> None:
    async with opened(db, tmp_path) as desk:
        sent = desk.chat.file("a.txt", b"x")

        def killed(tx: Tx) -> int:
            original = desk._keep(tx, (sent,), 1)
            [file] = files.of_original(tx, original)
            for _ in range(MAX_ATTEMPTS):
                files.begin(tx, file.id)
            return original

        original = await db.write(killed)
        desk.files.bell.ring()
        await desk.wait(0)
        [file] = await desk.read(original)
        assert (file.state, desk.chat.fetched) == (State.UNREADABLE, [])


async def test_a_slow_download_is_tried_again(db: Database, tmp_path: Path) -> None:
    async with opened(db, tmp_path, fetch_s=0.01) as desk:
        sent = desk.chat.file("a.txt", b"here")
        go_on = desk.chat.hold(sent)
        original = await desk.send(sent)
        await desk.wait(0)
        [file] = await desk.read(original)
        assert (file.state, file.attempts) == (State.WAITING, 1)
        go_on()
        await desk.wait(10)
        assert (await desk.read(original))[0].text == "here"


async def test_a_run_waits_for_the_files_of_its_inputs_and_no_longer_than_that(desk: Desk) -> None:
    sent = desk.chat.file("a.txt", b"here")
    go_on = desk.chat.hold(sent)
    original = await desk.send(sent)
    waiting = asyncio.create_task(desk.files.ready(await desk.run()))
    await until(lambda: bool(desk.files.waited_for))
    assert not waiting.done()
    go_on()
    await waiting
    assert (await desk.read(original))[0].state is State.READ
    assert desk.clock() == MONDAY
    assert not desk.files.waited_for


async def test_a_run_does_not_wait_for_what_comes_too_late(desk: Desk) -> None:
    await desk.send(desk.chat.file("a.txt", Retry("busy", after=3600)))
    await desk.wait(0)
    await desk.files.ready(await desk.run())
    assert desk.clock() == MONDAY


async def test_a_run_waits_for_a_while_at_most(desk: Desk) -> None:
    sent = desk.chat.file("a.txt", b"here")
    desk.chat.hold(sent)
    await desk.send(sent)
    waiting = asyncio.create_task(desk.files.ready(await desk.run()))
    await until(lambda: bool(desk.files.waited_for))
    await desk.clock.pass_time(
        MONDAY + PATIENCE, busy=lambda: bool(desk.db.busy), breathe=system_sleep
    )
    await waiting


async def test_another_rooms_files_are_not_waited_for(desk: Desk) -> None:
    run = await desk.run()
    await desk.db.write(lambda tx: inputs.take(tx, run.session_id, run=run.id, step=0))
    sent = desk.chat.file("a.txt", b"here")
    desk.chat.hold(sent)
    await desk.send(sent)
    other = await desk.db.write(
        lambda tx: sessions.of_room(tx, Address(platform="courier", account="x", chat="y"),
                                    now_us=0)
    )  # fmt: skip
    await desk.db.write(
        lambda tx: runs.queue(tx, other.id, "conversation", priority=10, due_us=0, now_us=0)
    )
    elsewhere = await desk.db.read(runs.open_of, other.id)
    assert elsewhere is not None
    await desk.files.ready(elsewhere)
    assert desk.clock() == MONDAY
