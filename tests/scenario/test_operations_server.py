"""`/live`, `/ready` and `/metrics` of a served house: over HTTP, with and without a web chat."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.chat import Health
from bot import serve
from bot.app import Surroundings, system_clock
from bot.errors import LimenError
from bot.models.model import Model
from bot.operating.redaction import GONE, Secrets
from bot.operating.server import ANSWER_S, OPENING, Operations
from bot.operating.tally import Tally
from bot.setup.config import Config
from bot.setup.home import Home
from memory.db import Database, Tx
from memory.errors import StorageFull
from tests.conftest import MakeConfig
from tests.fakes.process import ROOT
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.scripted_chat import ScriptedChat
from tests.scenario.test_graceful_stop import free_port, within

P = ParamSpec("P")
T = TypeVar("T")
TOKEN = "xoxb-77-limen-secret"


class Moody(Database):
    """Its small write of readiness can be refused, or kept waiting."""

    full = False
    stuck: asyncio.Event | None = None
    asked = 0

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if fn.__name__ == "probe":
            type(self).asked += 1
            if self.stuck is not None:
                await self.stuck.wait()
            if self.full:
                raise StorageFull(f"{self.path} could not be written (disk is full); free space")
        return await super().write(fn, *args, **kwargs)


@dataclass
class Watched:
    """A served house, and its operations server."""

    http: httpx.AsyncClient
    lines: list[str]

    async def ready(self) -> tuple[int, dict[str, Any]]:
        answer = await self.http.get("/ready")
        return answer.status_code, answer.json()

    async def metrics(self) -> dict[tuple[str, ...], float]:
        """Samples by their name and the values of their labels, in the order of these' names."""
        answer = await self.http.get("/metrics")
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("text/plain; version=")
        return {
            (one.name, *(one.labels[name] for name in sorted(one.labels))): one.value
            for family in text_string_to_metric_families(answer.text)
            for one in family.samples
        }


@pytest.fixture
def config(make_config: MakeConfig) -> Config:
    """No web chat, and an operations server."""
    return make_config(
        web__enabled="false",
        operations__port=free_port(),
        bot__debounce="1ms",
        slack__bot_token=TOKEN,
        slack__app_token="xapp-1-A77-1-secret",
        slack__base_url="http://127.0.0.1:1/api/",
    )


@asynccontextmanager
async def watched(
    config: Config,
    *chats: ScriptedChat,
    model: Model | None = None,
    database: type[Database] = Database,
    answer_s: float = ANSWER_S,
) -> AsyncIterator[Watched]:
    lines: list[str] = []
    around = Surroundings(
        chats=chats, model=model or ScriptedModel(conversation=echo), database=database
    )
    running = asyncio.create_task(
        serve.serve(config, print_line=lines.append, around=around, env={}, answer_s=answer_s)
    )
    url = f"http://127.0.0.1:{config.operations.port}"
    try:
        async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=10) as http:
            here = Watched(http, lines)
            await within(8, lambda: running.done() or any(chat.starts for chat in chats))
            yield here
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def desk(**more: Any) -> ScriptedChat:
    """It takes the place of the configured one, and asks nobody."""
    return ScriptedChat(name="slack", **more)


async def test_it_answers_without_a_web_chat_and_tells_what_was_done(config: Config) -> None:
    chat = desk()
    async with watched(config, chat) as here:
        assert (await here.http.get("/live")).text == "alive\n"
        assert await here.ready() == (
            200,
            {"ready": True, "reasons": [], "platforms": {"slack": {"up": True, "note": ""}}},
        )
        await within(8, lambda: any("/metrics" in line for line in here.lines))
        before = await here.metrics()
        await chat.say("ana", "how are you?")
        await within(8, lambda: chat.sent)
        async with asyncio.timeout(8):
            while not (found := await here.metrics()).get(
                ("limen_deliveries_total", "sent", "slack")
            ):
                pass
    assert found["limen_runs_total", "spoken", "conversation"] == 1
    assert found["limen_deliveries_total", "sent", "slack"] == 1
    assert found["limen_tokens_total", "input", "scripted", "foreground"] == 100
    assert found["limen_queue_items", "inputs"] == found["limen_queue_items", "runs_running"] == 0
    assert found["limen_platform_up", "slack"] == 1
    commits = ("limen_database_commit_seconds_count",)
    assert found[commits] > before[commits] > 0
    assert ("limen_runs_total", "spoken", "conversation") not in before


async def test_a_platform_counts_from_its_first_connection_on(config: Config) -> None:
    chat = desk(state=Health(up=False, note=f"Slack said no to {TOKEN}"))
    async with watched(config, chat) as here:
        status, told = await here.ready()
        assert (status, told["ready"]) == (503, False)
        assert told["reasons"] == [f"slack is not connected yet: Slack said no to {GONE}"]
        assert told["platforms"]["slack"] == {"up": False, "note": f"Slack said no to {GONE}"}
        chat.state = Health(up=True)
        assert (await here.ready())[0] == 200
        # an outage is the platform's: it is told, and nobody has to start this process again
        chat.state = Health(up=False, note="Slack is away")
        status, told = await here.ready()
        assert (status, told["platforms"]["slack"]["up"]) == (200, False)
        assert (await here.metrics())["limen_platform_up", "slack"] == 0


async def test_a_disk_that_takes_nothing_is_a_reason(config: Config) -> None:
    class Full(Moody):
        full = True

    async with watched(config, desk(), database=Full) as here:
        status, told = await here.ready()
        assert status == 503
        assert "disk is full" in told["reasons"][0]
        assert (await here.http.get("/live")).status_code == 200
        assert (await here.http.get("/metrics")).status_code == 200
        Full.full = False
        assert (await here.ready())[0] == 200


async def test_a_database_that_hangs_is_asked_once_by_all_who_ask(config: Config) -> None:
    class Stuck(Moody):
        stuck = asyncio.Event()

    async with watched(config, desk(), database=Stuck, answer_s=0.05) as here:
        for _ in range(5):
            status, told = await here.ready()
            assert (status, told["reasons"]) == (503, ["the database has not answered for 0.05 s"])
        assert Stuck.asked == 1
        Stuck.stuck.set()
        async with asyncio.timeout(8):
            while (await here.ready())[0] != 200:
                pass


async def test_it_answers_while_the_house_opens_and_tells_so(config: Config) -> None:
    operations = Operations(config.operations, Tally(), system_clock, Secrets().hide)
    async with operations, httpx.AsyncClient(base_url=operations.url, trust_env=False) as http:
        assert (await http.get("/live")).status_code == 200
        answer = await http.get("/ready")
        assert (answer.status_code, answer.json()["reasons"]) == (503, [OPENING])
        shown = await http.get("/metrics")
        assert (shown.status_code, shown.text) == (503, f"{OPENING}\n")
        assert (await http.get("/")).status_code == 404


async def test_a_port_that_is_taken_is_named_with_its_setting(config: Config) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", config.operations.port))
        taken.listen()
        with pytest.raises(LimenError, match=r"is in use.*set operations\.port to another"):
            await serve.serve(config, print_line=print, env={})


async def test_whoever_starts_it_twice_is_told_so_and_not_of_a_port(config: Config) -> None:
    with socket.socket() as taken, Home(config.bot.data_dir).hold():
        taken.bind(("127.0.0.1", config.operations.port))
        taken.listen()
        with pytest.raises(LimenError, match=r"another Limen .* runs on"):
            await serve.serve(config, print_line=print, env={})


async def test_without_a_port_there_is_none_and_its_libraries_are_not_loaded(
    make_config: MakeConfig,
) -> None:
    operations = Operations(make_config().operations, Tally(), system_clock, Secrets().hide)
    async with operations:
        assert operations.url == ""
    code = "import sys, bot.cli; print('prometheus_client' in sys.modules)"
    asked = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert asked.stdout.strip() == "False", asked.stderr
