"""`limen run` as people start it: a process of its own, spoken to over HTTP."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).parents[2]
TOKEN = "operator-token"


class Running:
    """A started process; `url` is where its web chat answers."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.url = ""

    def line(self) -> str:
        """The next line it prints; empty at its end."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def until_ready(self) -> None:
        """Read what it prints until `ready`."""
        while line := self.line():
            if line.startswith("ready "):
                self.url = line.split()[1]
                return
        raise AssertionError(f"it ended with {self.process.wait()}: {self.errors()}")

    def errors(self) -> str:
        """All it wrote to standard error, once it has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().strip()

    def http(self, **headers: str) -> httpx.Client:
        """A client with the operator's token."""
        given = {"authorization": f"Bearer {TOKEN}"} | headers
        return httpx.Client(base_url=self.url, headers=given, timeout=20, trust_env=False)

    def say(self, who: str, room: str, text: str) -> httpx.Response:
        """Somebody posts."""
        with self.http() as http:
            return http.post(f"/api/rooms/{room}/posts?as={who}", json={"text": text})

    def posts(self, who: str, room: str) -> list[dict[str, Any]]:
        """What stands in a room."""
        with self.http() as http:
            answer = http.get(f"/api/rooms/{room}/posts?as={who}")
            found: list[dict[str, Any]] = answer.json()["posts"]
            return found


def settings(folder: Path, **keys: str) -> dict[str, str]:
    """An environment with nothing of ours in it but these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LIMEN_")}
    for secret in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        kept.pop(secret, None)
    fixed = {
        "LIMEN_BOT__DATA_DIR": str(folder),
        "LIMEN_BOT__TIMEZONE": "UTC",
        "LIMEN_BOT__DEBOUNCE": "1ms",
        "LIMEN_WEB__PORT": "0",
        "LIMEN_WEB__TOKEN": TOKEN,
    }
    return kept | fixed | {f"LIMEN_{key.upper()}": value for key, value in keys.items()}


@contextmanager
def limen(*args: str, env: dict[str, str]) -> Iterator[Running]:
    """A process; killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *args],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield Running(process)
        finally:
            process.kill()
