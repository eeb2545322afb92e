"""The real process with web chat and built-in model: how soon it is ready, how big it is."""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks import processes, report
from benchmarks.report import Line
from benchmarks.scale import Scale

MEMORY_MB = 80.0
START_S = 1.5
SETTLED_S = 2.0  # seconds after `ready` until the process counts as idle
HEAVY = frozenset(
    "PIL aiohttp aiosqlite anthropic apscheduler boto3 httpx httpx2 lark_oapi numpy openai "
    "playwright prometheus_client psycopg pygments pypdf pytest rich slack_bolt slack_sdk "
    "telegram".split()
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
    with tempfile.TemporaryFile("w+") as told:
        with processes.limen(home, "-X", "importtime", env={}, stderr=told) as process:
            processes.until_ready(process)
        told.seek(0)
        lines = told.read().splitlines()
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
    with processes.limen(home, env={}) as process:
        processes.until_ready(process)
        seconds = time.perf_counter() - started
        busy = processes.processor_s(process.pid)
        time.sleep(SETTLED_S if scale.starts > 1 else 0)
        return seconds, busy, processes.resident_mb(process.pid)


def _bare() -> float:
    code = "import re; print(re.search(r'VmRSS:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(told.stdout) / 1024
