"""The real process with web chat and built-in model: how soon it is ready, how big it is."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from benchmarks import report
from benchmarks.report import Line
from benchmarks.scale import Scale

MEMORY_MB = 80.0
START_S = 1.5
SETTLED_S = 2.0  # seconds after `ready` until the process counts as idle
HEAVY = frozenset(
    "aiosqlite anthropic apscheduler boto3 httpx httpx2 lark_oapi numpy openai playwright psycopg "
    "pygments pytest rich slack_bolt slack_sdk telegram".split()
)
"""Packages that nothing needs before somebody configures it or asks for it."""
_IMPORT = re.compile(r"^import time: +(\d+) \| +(\d+) \| ( *)(\S+)$")


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """Start it a few times; Linux only, elsewhere the lines say that nothing was measured."""
    if sys.platform != "linux":
        return [Line(measure="idle memory and start", figure="only measured on Linux")]
    seen = [
        await asyncio.to_thread(_start, folder / f"home{n}", scale) for n in range(scale.starts)
    ]
    loaded = await asyncio.to_thread(imported, folder / "traced")
    heavy = sorted(HEAVY & {name.split(".")[0] for name in loaded})
    start_s, busy_s, size_mb = (median(figures) for figures in zip(*seen, strict=True))
    return [
        Line(
            measure="idle memory, web chat and built-in model",
            figure=f"{size_mb:.1f} MB",
            beside=f"a bare interpreter: {_bare():.1f} MB",
            **report.within(size_mb, MEMORY_MB, "MB"),
        ),
        Line(
            measure="start: exec → ready, empty folder",
            figure=f"{start_s:.2f} s",
            beside=f"processor time {busy_s:.2f} s, {len(loaded):,} modules",
            **report.within(start_s, START_S, "s"),
        ),
        Line(
            measure="heavy packages loaded without need",
            figure=", ".join(heavy) or "none",
            target="none",
            met=not heavy,
        ),
    ]


def imported(home: Path) -> dict[str, int]:
    """The modules a start loads, each with its own microseconds."""
    with _limen(home, "-X", "importtime") as process:
        _until_ready(process)
        process.terminate()
        assert process.stderr is not None
        lines = process.stderr.read().splitlines()
    found = (_IMPORT.match(line) for line in lines)
    return {match[4]: int(match[1]) for match in found if match}


def slowest_imports(limit: int) -> list[str]:
    """The modules that cost most, without what they load in turn."""
    command = [sys.executable, "-X", "importtime", "-c", "import bot.cli"]
    traced = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    found = [match for line in traced.splitlines() if (match := _IMPORT.match(line))]
    found.sort(key=lambda match: -int(match[1]))
    return [f"{int(match[1]) / 1000:8.1f} ms  {match[4]}" for match in found[:limit]]


def _start(home: Path, scale: Scale) -> tuple[float, float, float]:
    """Seconds until `ready`, processor seconds until then, and MB when it is idle."""
    started = time.perf_counter()
    with _limen(home) as process:
        _until_ready(process)
        seconds = time.perf_counter() - started
        busy = _processor_s(process.pid)
        time.sleep(SETTLED_S if scale.starts > 1 else 0)
        return seconds, busy, _resident_mb(process.pid)


@contextmanager
def _limen(home: Path, *options: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, *options, "-m", "bot", "run"]
    process = subprocess.Popen(
        command,
        env=_environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def _until_ready(process: "subprocess.Popen[str]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("ready"):
            return
    assert process.stderr is not None
    raise RuntimeError(f"limen run ended before it was ready: {process.stderr.read()[-2000:]}")


def _environment(home: Path) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LIMEN_")}
    kept = {name: value for name, value in kept.items() if not name.startswith("ANTHROPIC_")}
    own = {"LIMEN_BOT__DATA_DIR": str(home), "LIMEN_WEB__PORT": str(_free_port())}
    return kept | own | {"LIMEN_MODEL__PROVIDER": "builtin"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.M)
    return int(found[1]) / 1024 if found else 0.0


def _processor_s(pid: int) -> float:
    after_name = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _bare() -> float:
    code = "import re; print(re.search(r'VmRSS:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(told.stdout) / 1024
