"""The processes that are measured: started, waited for, looked at, ended."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def started(
    *command: str, env: Mapping[str, str], stderr: int | IO[str] = subprocess.PIPE
) -> Iterator["subprocess.Popen[str]"]:
    """A Python process; ended at the end if it still runs.

    One that says more than a pipe holds before anybody reads it needs a file as `stderr`.
    """
    process = subprocess.Popen(
        [sys.executable, *command],
        env=dict(env),
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def limen(
    home: Path, *options: str, env: dict[str, str], stderr: int | IO[str] = subprocess.PIPE
) -> Iterator["subprocess.Popen[str]"]:
    """`limen run` on a folder of its own, with the built-in model."""
    command = (*options, "-m", "bot", "run")
    with started(*command, env=environment(home) | env, stderr=stderr) as process:
        yield process


def until_ready(process: "subprocess.Popen[str]") -> None:
    """Read what it prints until `ready`; RuntimeError with its own words when it ends before."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("ready"):
            return
    said = process.stderr.read()[-2000:] if process.stderr else "see its log"
    raise RuntimeError(f"it ended before it was ready: {said}")


def environment(home: Path) -> dict[str, str]:
    """The environment without anything of ours but what a measured house needs."""
    ours = ("LIMEN_", "ANTHROPIC_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    own = {"LIMEN_BOT__DATA_DIR": str(home), "LIMEN_WEB__PORT": str(_free_port())}
    return kept | own | {"LIMEN_MODEL__PROVIDER": "builtin"}


def resident_mb(pid: int) -> float:
    """The memory a process holds; Linux only."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.M)
    return int(found[1]) / 1024 if found else 0.0


def processor_s(pid: int) -> float:
    """The processor seconds a process has used; Linux only."""
    after_name = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
