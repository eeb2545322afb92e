"""What nobody should send or leave lying about: one clear line each, and the rest goes on."""

import json
import os
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes.process import TOKEN, Running, limen, settings

JSON = {"content-type": "application/json"}
POSTS = "/api/rooms/general/posts?as=lin"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One `limen run` for all that is only asked over HTTP."""
    with limen("run", env=settings(tmp_path_factory.mktemp("bad") / "home")) as process:
        process.until_ready()
        yield process


def assert_goes_on(running: Running, word: str) -> None:
    assert running.say("lin", "general", word).status_code == 201
    assert running.posts("lin", "general")[-1]["text"] == word


def told(answer: httpx.Response) -> str:
    error = answer.json()["error"]
    assert isinstance(error, str)
    assert len(error.splitlines()) == 1, error
    assert "Traceback" not in error
    return error


@pytest.mark.parametrize(
    ("body", "kind", "status", "says"),
    [
        (json.dumps({"text": "x" * 1_000_000}).encode(), "application/json", 413, "larger than"),
        (json.dumps({"text": "x" * 900_000}).encode(), "application/json", 413, "is the most"),
        (b"\x00\xff\xfe\x89PNG\r\n" * 100, "application/octet-stream", 415, "application/json"),
        (b'{"text": "\xff\xfe"}', "application/json", 400, "not UTF-8"),
        (b'{"text": "half a ', "application/json", 400, "not JSON"),
        (b"", "application/json", 400, "not JSON"),
        (b"[1, 2]", "application/json", 400, "must be a JSON object"),
        (b'{"text": 7}', "application/json", 400, "must be a text"),
        (b'{"words": "no text"}', "application/json", 400, "'text' is missing"),
        (b'{"text": " \\n "}', "application/json", 400, "empty"),
        (b'{"text": "\\ud83d"}', "application/json", 400, "half a character"),
        (b"[" * 100_000, "application/json", 400, "not JSON"),
        (b'{"text": "re", "reply_to": "999999"}', "application/json", 404, "999999"),
        (b'{"text": "re", "reply_to": "no id"}', "application/json", 404, "no id"),
    ],
)
def test_a_broken_body_is_refused_with_a_line(
    running: Running, body: bytes, kind: str, status: int, says: str
) -> None:
    with running.http() as http:
        answer = http.post(POSTS, content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert says in told(answer)
    assert_goes_on(running, f"after {says}")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/rooms/nowhere/posts?as=lin", 404),
        ("/api/rooms/hiring/posts?as=bo", 404),
        ("/api/rooms/general/posts?as=nobody", 404),
        ("/api/rooms/general/posts", 400),
        ("/api/rooms/..%2f..%2fetc/posts?as=lin", 404),
        ("/api/nothing", 404),
    ],
)
def test_what_is_not_there_is_said(running: Running, path: str, status: int) -> None:
    with running.http() as http:
        answer = http.post(path, json={"text": "hello"})
    assert answer.status_code == status
    told(answer)
    assert_goes_on(running, f"after {status}")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"authorization": "Bearer wrong-token"}, 403),
        ({"authorization": "Bearer"}, 403),
        ({"authorization": "Basic bGltZW46bGltZW4="}, 403),
        ({"authorization": f"Bearer {TOKEN}", "host": "evil.example"}, 421),
        ({"authorization": f"Bearer {TOKEN}", "host": "127.0.0.1.evil.example"}, 421),
        ({"origin": "https://evil.example"}, 403),
    ],
)
def test_strangers_are_kept_out(running: Running, headers: dict[str, str], status: int) -> None:
    with httpx.Client(base_url=running.url, trust_env=False) as http:
        if "origin" in headers:
            http.get("/", params={"token": TOKEN})  # the operator's own browser, led astray
        answer = http.post(POSTS, json={"text": "let me in"}, headers=headers)
    assert answer.status_code == status
    assert TOKEN not in told(answer)
    assert all(post["text"] != "let me in" for post in running.posts("lin", "general"))


def test_noise_on_the_port_disturbs_nobody(running: Running) -> None:
    host, port = running.url.removeprefix("http://").split(":")
    for noise in (b"\x16\x03\x01\x02\x00", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 4096):
        with closing(socket.create_connection((host, int(port)), timeout=10)) as wire:
            wire.sendall(noise)
    assert_goes_on(running, "after noise")


def test_the_longest_message_is_taken_whole(running: Running) -> None:
    text = "字" * 32_000
    assert running.say("lin", "general", text).status_code == 201
    assert running.posts("lin", "general")[-1]["text"] == text


def refused(env: dict[str, str]) -> str:
    """What `limen run` says when it will not start."""
    with limen("run", env=env) as process:
        assert process.process.wait(60) == 1
        error = process.errors()
    assert "Traceback" not in error, error
    *logged, last = error.splitlines()
    assert last.startswith("limen: "), error
    assert len(logged) <= 1, error
    return last


def test_a_port_in_use_is_named_with_its_key(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        error = refused(settings(tmp_path / "home", web__port=str(port)))
    assert str(port) in error
    assert "in use" in error
    assert "web.port" in error


def test_a_data_folder_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert "cannot be used" in refused(settings(tmp_path / "file" / "home"))


def test_a_data_folder_nobody_may_write_is_refused() -> None:
    assert "cannot be used" in refused(settings(Path("/proc/limen-home")))


@contextmanager
def small_disk(folder: Path, *options: str) -> Iterator[Path]:
    """A file system of its own; skips where it may not be mounted."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "limen-test", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("no file system may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "size=4m") as disk:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        assert "cannot be used" in refused(settings(disk / "home"))
        assert "cannot be used" in refused(settings(disk))


def test_a_folder_that_became_read_only_is_refused(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "size=8m") as disk:
        with limen("run", env=settings(disk)) as first:
            first.until_ready()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        assert str(disk) in refused(settings(disk))


def test_a_disk_that_is_full_at_the_start_is_named(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "size=64k") as disk:
        with (disk / "ballast").open("wb", buffering=0) as ballast:
            fill(ballast)
        error = refused(settings(disk / "home"))
        assert str(disk) in error


def fill(ballast: Any) -> None:
    """Write until the disk takes no more."""
    with pytest.raises(OSError, match="No space left"):
        while True:
            ballast.write(b"\0" * 4096)


def test_a_disk_that_fills_up_loses_nothing(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "size=8m") as disk:
        env = settings(disk / "home")
        with limen("run", env=env) as process:
            process.until_ready()
            assert process.say("lin", "general", "before").status_code == 201
            with (disk / "ballast").open("wb", buffering=0) as ballast:
                fill(ballast)
            answers = [process.say("ana", "dm-ana", f"q{n} " + "x" * 20_000) for n in range(30)]
            full = [answer for answer in answers if answer.status_code != 201]
            assert {answer.status_code for answer in full} == {503}
            assert "free space" in told(full[0])
            assert process.process.poll() is None, process.errors()

            (disk / "ballast").unlink()
            assert process.say("ana", "dm-ana", "hello Limen").status_code == 201
            kept = [n for n, answer in enumerate(answers) if answer.status_code == 201]
            posts = process.posts("ana", "dm-ana")
            asked = [post["text"].split()[0] for post in posts if post["text"].startswith("q")]
            assert asked == [f"q{n}" for n in kept], "what was accepted is kept, nothing else"
            process.process.terminate()
            assert process.process.wait(10) == 0
        with closing(sqlite3.connect(disk / "home" / "limen.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """A data folder in which a Limen has run."""
    home = tmp_path / "home"
    with limen("run", env=settings(home)) as process:
        process.until_ready()
        process.say("lin", "general", "We decided to use canary-release.")
    return home


def test_a_database_of_a_later_version_is_left_alone(used: Path) -> None:
    with closing(sqlite3.connect(used / "limen.db")) as database:
        database.execute("INSERT INTO migrations VALUES ('bot/9999_future', 1)")
        database.commit()
    error = refused(settings(used))
    assert "later version" in error
    assert "9999_future" in error


@pytest.mark.parametrize("broken", ["garbage", "inside", "torn"])
def test_a_damaged_database_is_named(used: Path, broken: str) -> None:
    path = used / "limen.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    whole = path.read_bytes()
    if broken == "garbage":
        path.write_bytes(b"this is no database" * 1000)
    elif broken == "inside":
        path.write_bytes(whole[:100] + b"\xa5" * (len(whole) - 100))
    else:
        path.write_bytes(whole[: len(whole) // 3])
    error = refused(settings(used))
    assert str(path) in error


def test_attention_files_with_broken_content_stop_nothing(used: Path) -> None:
    (used / "AGENCY.md").write_bytes(b"\xff\xfe\x00 broken \x80 bytes" * 50)
    (used / "agency" / "episodes" / "odd.md").mkdir()
    (used / "agency" / "ACTION_LOG.md").write_bytes(b"\xc3\x28")
    with limen("run", env=settings(used, agency__quiet_window="10ms")) as process:
        process.until_ready()
        for _ in range(3):
            assert_goes_on(process, "Let's plan with legacy-release.")
        with process.http() as http:
            answer = http.get("/api/inside/files?view=all")
        assert answer.status_code in (200, 404)
        process.process.terminate()
        assert process.process.wait(10) == 0
        assert "Traceback" not in process.errors()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"short"])
def test_a_token_file_that_was_cut_short_is_made_anew(used: Path, content: bytes) -> None:
    (used / "web-token").write_bytes(content)
    with limen("run", env=settings(used, web__token="")) as process:
        process.until_ready()
        assert len((used / "web-token").read_text().strip()) >= 8


@pytest.mark.parametrize("name", ["agency", "web-token", "AGENCY.md"])
def test_what_is_in_the_way_of_a_file_of_ours_is_named(tmp_path: Path, name: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    if name == "agency":
        (home / name).write_text("a file where a folder belongs")
    else:
        (home / name).mkdir()
    if name == "AGENCY.md":
        with limen("run", env=settings(home)) as process:
            process.until_ready()
            assert_goes_on(process, "Morning all")
        return
    error = refused(settings(home, web__token=""))
    assert str(home / name) in error
