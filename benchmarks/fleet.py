"""Answers a second with one, two and four processes on one PostgreSQL, as users start them.

People ask over HTTP in the web chat, every room its next question once the last one is answered;
the built-in model answers at once.
"""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import quantiles

import httpx

from benchmarks import processes
from benchmarks.places import POSTGRES, Place, places
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from tests.fakes.process import ROOT, TOKEN, settings

FLEETS: dict[str, tuple[tuple[str, ...], ...]] = {
    "1 process": ((),),
    "2 processes": (("gateway",), ("worker", "agency")),
    "4 processes": (("gateway",), ("worker",), ("worker",), ("agency",)),
}
ROOMS = {"general": "ana", "project": "ana", "architecture": "lin"}
"""Each with the person who asks there."""
STARTING_S = 30.0
ANSWER_S = 60.0
LOOK_S = 0.005


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """Each fleet on a database of its own."""
    lines: list[Line] = []
    with places(folder) as made:
        for name, parts in FLEETS.items():
            async with _started(made.new(POSTGRES), parts) as (http, pids):
                lines.append(await _asked(name, http, pids, scale.questions))
    return lines


@asynccontextmanager
async def _started(
    place: Place, fleet: Sequence[tuple[str, ...]]
) -> AsyncIterator[tuple[httpx.AsyncClient, list[int]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    place.folder.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        keys = {"database__url": place.url, "web__port": port, "model__provider": "builtin"}
        env = settings(place.folder / "home", **keys)
        pids = []
        for parts in fleet:
            only = [f"--only={part}" for part in parts]
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", "run", *only),
                cwd=ROOT,
                env=env,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stack.push_async_callback(process.wait)
            stack.callback(process.terminate)
            pids.append(process.pid)
        http = await stack.enter_async_context(
            httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{port}",
                headers={"authorization": f"Bearer {TOKEN}"},
                timeout=20,
                trust_env=False,
            )
        )
        await _up(http)
        yield http, pids


async def _up(http: httpx.AsyncClient) -> None:
    until = time.monotonic() + STARTING_S
    while True:
        try:
            if (await http.get("/api/rooms/general/posts?as=ana")).status_code < 500:
                return
        except httpx.TransportError:
            if time.monotonic() > until:
                raise
        await asyncio.sleep(0.1)


async def _asked(name: str, http: httpx.AsyncClient, pids: list[int], questions: int) -> Line:
    before = sum(processes.processor_s(pid) for pid in pids)
    started = time.perf_counter()
    rooms = [_room(http, room, who, questions) for room, who in ROOMS.items()]
    times = [took for some in await asyncio.gather(*rooms) for took in some]
    seconds = time.perf_counter() - started
    busy = sum(processes.processor_s(pid) for pid in pids) - before
    cuts = quantiles(times, n=100) if len(times) > 1 else times * 99
    return Line(
        measure=f"{name}, {len(ROOMS)} rooms asking at once: answers a second",
        figure=f"{len(times) / seconds:.1f}/s",
        beside=f"p50 {ms(cuts[49])}, p99 {ms(cuts[98])}; processor {ms(busy / len(times))} each",
    )


async def _room(http: httpx.AsyncClient, room: str, who: str, questions: int) -> list[float]:
    times = []
    path = f"/api/rooms/{room}/posts?as={who}"
    for n in range(questions):
        started = time.perf_counter()
        said = await http.post(path, json={"text": f"Limen, what is the answer to number {n}?"})
        said.raise_for_status()
        until = started + ANSWER_S
        while (await http.get(path)).json()["posts"][-1]["id"] == said.json()["id"]:
            if time.perf_counter() > until:
                raise TimeoutError(f"nobody answered {said.json()['id']} in {ANSWER_S:g} s")
            await asyncio.sleep(LOOK_S)
        times.append(time.perf_counter() - started)
    return times
