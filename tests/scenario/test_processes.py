"""Limen divided over several processes on one PostgreSQL, as people start it."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from memory.db import snapshot
from memory.postgres import Postgres
from tests.fakes import servers
from tests.fakes.process import Running, limen, settings

STOP_S = 15.0  # seconds a process may take to stop
PATIENCE_S = 30.0


@pytest.fixture
def url() -> Iterator[str]:
    made = servers.running().fresh()
    yield made
    servers.running().drop(made)


def until(seen: Callable[[], object]) -> None:
    """Look again until it is so."""
    end = time.monotonic() + PATIENCE_S
    while not seen():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_question_goes_from_the_gateway_over_a_worker_and_back(tmp_path: Path, url: str) -> None:
    env = settings(tmp_path / "home", database__url=url)
    with ExitStack() as stack:
        parts = ("gateway", "worker", "agency")
        started = [stack.enter_context(limen("run", "--only", part, env=env)) for part in parts]
        for one in started:
            one.until_ready()
        gateway = started[0]
        gateway.say("lin", "general", "The staging password rotates every Monday.")
        gateway.say("ana", "general", "Limen, when does the staging password rotate?")
        until(lambda: "every Monday" in _answers(gateway))
        gateway.say("lin", "general", "发布窗口改到周四晚上八点。")
        gateway.say("ana", "general", "Limen，发布窗口是什么时候？")
        until(lambda: "周四" in _answers(gateway))
        with limen("status", env=env) as status:
            out, _ = status.process.communicate(timeout=30)
        assert "process   running; who holds what:\nheld      agency         by " in out
        assert "chat:web       by " in out
        until(lambda: _weighed(url))  # the process with the agency has seen it all
        for one in started:
            one.process.send_signal(signal.SIGTERM)
        assert [one.process.wait(STOP_S) for one in started] == [0, 0, 0]
        assert [one.errors() for one in started] == ["", "", ""]
    with snapshot(Postgres(url)) as reader:
        held = reader.all("SELECT name FROM leases WHERE owner <> ''")
        by = reader.all("SELECT DISTINCT claimed_by FROM runs WHERE role = 'conversation'")
    assert held == [], "all was given up"
    assert len(by) == 1


def test_one_that_stops_is_followed_by_one_that_waited(tmp_path: Path, url: str) -> None:
    env = settings(tmp_path / "home", database__url=url)
    with limen("run", env=env) as first:
        first.until_ready()
        with limen("run", env=env) as second:
            assert second.line() == (
                "standing by: another process holds agency, chat:web, files; "
                "this one follows when it ends"
            )
            assert _holder(url, "chat:web") == _holder(url, "agency") == first.process.pid
            first.process.send_signal(signal.SIGTERM)
            assert first.process.wait(STOP_S) == 0
            until(lambda: _holder(url, "chat:web") == _holder(url, "agency") == second.process.pid)
            second.process.send_signal(signal.SIGTERM)
            assert second.process.wait(STOP_S) == 0


def _answers(gateway: Running) -> str:
    posts = gateway.posts("ana", "general")
    return "\n".join(post["text"] for post in posts if post["author"]["id"] == "bot")


def _weighed(url: str) -> bool:
    with snapshot(Postgres(url)) as reader:
        return reader.one("SELECT 1 FROM fires WHERE salience IS NULL") is None


def _holder(url: str, name: str) -> int:
    with snapshot(Postgres(url)) as reader:
        row = reader.one("SELECT owner FROM leases WHERE name = :name", name=name)
    return int(row["owner"].split(":")[1]) if row and row["owner"] else 0
