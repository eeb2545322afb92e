"""Two processes on one folder, stopping, and a disk that is full for a while."""

import signal
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import pytest

from adapters.web.errors import Unavailable
from bot.app import Surroundings, system_clock
from bot.engine import letters, runs
from bot.plays import team
from bot.plays.stage import DIRECT, open_stage
from bot.setup import config as configuration
from memory.db import Database, Tx
from memory.errors import StorageFull
from tests.conftest import OpenStage
from tests.fakes.process import limen, settings
from tests.fakes.scripted import ScriptedModel, echo

P = ParamSpec("P")
T = TypeVar("T")

STOP_S = 10.0  # seconds `limen run` may take to stop


def test_a_second_process_on_one_folder_refuses_and_the_first_goes_on(tmp_path: Path) -> None:
    env = settings(tmp_path / "home")
    with limen("run", env=env) as first:
        first.until_ready()
        with limen("run", env=env) as second:
            assert second.process.wait(30) == 1
            error = second.errors()
            assert len(error.splitlines()) == 1
            assert f"another Limen (process {first.process.pid})" in error
            assert "data_dir" in error
        assert first.say("lin", "general", "still here").status_code == 201
        assert [post["text"] for post in first.posts("lin", "general")] == ["still here"]
        first.process.send_signal(signal.SIGTERM)
        assert first.process.wait(STOP_S) == 0
        assert first.errors() == ""


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    env = settings(tmp_path / "home")
    with limen("run", env=env) as first:
        first.until_ready()
        first.process.kill()
        first.process.wait()
    with limen("run", env=env) as second:
        second.until_ready()
        second.process.send_signal(signal.SIGINT)
        assert second.process.wait(STOP_S) == 0


async def test_stopping_while_a_run_waits_for_a_slow_model_is_quick_and_loses_nothing(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    with closing(socket.create_server(("127.0.0.1", 0))) as deaf:
        deaf.settimeout(30)
        port = deaf.getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        env = settings(home, model__base_url=url, model__api_key="k" * 20, bot__stop_within="1s")
        with limen("run", env=env) as first:
            first.until_ready()
            first.say("ana", "dm-ana", "hello Limen")
            waiting, _ = deaf.accept()  # the model was asked, and will never answer
            with closing(waiting):
                before = time.monotonic()
                first.process.send_signal(signal.SIGTERM)
                assert first.process.wait(STOP_S) == 0
                assert time.monotonic() - before < STOP_S
            assert "Traceback" not in first.errors()

    config = configuration.load(None, {k: v for k, v in settings(home).items() if "LIMEN" in k})
    start = system_clock() + timedelta(minutes=5)
    async with open_stage(config, start, people=team.PEOPLE, rooms=team.ROOMS) as stage:
        await stage.wait(60)
        posts = await stage.posts(DIRECT, who="ana")
        assert [post.author for post in posts] == ["ana", "bot"]
        run = await stage.house.db.read(lambda reader: runs.latest(reader, limit=9))
        assert run[-1].attempts == 2


def test_stopping_with_open_pages_is_quick(tmp_path: Path) -> None:
    with limen("run", env=settings(tmp_path / "home")) as running:
        running.until_ready()
        with running.http() as http, http.stream("GET", "/api/events?as=ana&after=0") as stream:
            assert stream.status_code == 200
            running.process.send_signal(signal.SIGTERM)
            assert running.process.wait(STOP_S) == 0
        assert "Traceback" not in running.errors()


def test_the_same_database_can_be_read_while_it_runs(tmp_path: Path) -> None:
    env = settings(tmp_path / "home")
    with limen("run", env=env) as running:
        running.until_ready()
        running.say("lin", "general", "hello")
        with closing(sqlite3.connect(tmp_path / "home" / "limen.db")) as other:
            assert other.execute("SELECT COUNT(*) FROM web_posts").fetchone() == (1,)
        with limen("status", env=env) as status:
            assert status.process.wait(30) == 0
        assert running.say("lin", "general", "still there").status_code == 201


class FullDatabase(Database):
    """Takes nothing of what a test names while the disk counts as full."""

    refused: tuple[str, ...] = ()

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if any(name in fn.__qualname__ for name in self.refused):
            raise StorageFull(f"{self.path} could not be written (disk is full); free space")
        return await super().write(fn, *args, **kwargs)


@pytest.mark.parametrize(
    "refused",
    [
        ("Intake",),
        ("claim",),
        ("Runtime._take",),
        ("record_answer",),
        ("Runtime._use_one",),
        ("Runtime._settle",),
        ("WebRooms",),
        ("Outbox._settle",),
        ("again", "Outbox", "WebRooms"),
        ("AgencyWakes", "Bursts"),
        ("",),
    ],
    ids=" ".join,
)
async def test_a_full_disk_delays_and_loses_nothing(
    stage: OpenStage, refused: tuple[str, ...]
) -> None:
    """Whatever cannot be stored waits; the house goes on, and answers once there is room again."""
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model, database=FullDatabase)) as on:
        store = on.house.db
        assert isinstance(store, FullDatabase)
        await on.say("ana", DIRECT, "hello")
        store.refused = refused
        await on.wait(100)
        store.refused = ()
        await on.wait(300)
        posts = await on.posts(DIRECT, who="ana")
        assert [post.text for post in posts] == ["hello", "heard: hello"]
        found = await store.read(lambda reader: runs.latest(reader, limit=9))
        assert {run.state for run in found} == {runs.State.SUCCEEDED}
        assert len(found) >= 3, "the agency and the memory had their runs too"
        assert await store.read(letters.in_doubt) == []


async def test_a_post_that_was_refused_is_not_there_and_one_that_was_taken_is(
    stage: OpenStage,
) -> None:
    async with stage(Surroundings(database=FullDatabase)) as on:
        store = on.house.db
        assert isinstance(store, FullDatabase)
        store.refused = ("",)
        with pytest.raises(Unavailable, match="free space"):
            await on.say("lin", "general", "lost?")
        await on.wait(60)
        store.refused = ()
        await on.say("lin", "general", "kept")
        assert [post.text for post in await on.posts("general")] == ["kept"]
