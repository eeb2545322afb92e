"""`limen run` told to stop: steps and letters end, nothing new begins, the next start goes on."""

import asyncio
import os
import signal
import socket
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from adapters.chat import Chat, Outgoing, Receipt
from bot import serve
from bot.app import Surroundings, open_house, system_sleep
from bot.models.model import Model
from bot.parts import Part
from bot.setup.config import Config
from tests.conftest import MakeConfig
from tests.fakes import servers
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Answer, calls, says
from tests.fakes.process import Running, limen, settings
from tests.fakes.scripted import ScriptedModel, echo, say, use
from tests.fakes.scripted_chat import ScriptedChat

Body = dict[str, Any]
QUESTION = "Limen, who is on call this week?"
LATER = "And who is on call next week?"


class Brain:
    """The model of the house: a call of a conversation waits until it is let go on."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.gate = asyncio.Event()
        self.answers: list[Answer] = []
        self.talks: list[Body] = []

    async def author(self, body: Body) -> Answer:
        if not any(tool["name"] == "say" for tool in body.get("tools", [])):
            return says("Nothing to do.")
        self.talks.append(body)
        self.asked.set()
        await self.gate.wait()
        return self.answers.pop(0) if self.answers else calls(("say", {"text": "It is Mo."}))


@dataclass
class Served:
    """A house that is served inside this process."""

    running: "asyncio.Task[None]"
    url: str

    async def ask(self, text: str) -> None:
        """Ana writes in her DM."""
        headers = {"authorization": "Bearer operator-token"}
        async with httpx.AsyncClient(base_url=self.url, headers=headers, trust_env=False) as http:
            answer = await http.post("/api/rooms/dm-ana/posts?as=ana", json={"text": text})
            assert answer.status_code == 201


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@asynccontextmanager
async def thinking() -> AsyncIterator[tuple[Brain, dict[str, str]]]:
    """A model behind the real wire, and the settings of a house that asks it."""
    brain = Brain()
    async with MessagesApi(brain.author) as api:
        keys = {
            "model__provider": "anthropic",
            "model__base_url": api.url,
            "model__api_key": api.key,
            "operations__port": str(free_port()),
            "agency__enabled": "false",
        }
        try:
            yield brain, keys
        finally:
            brain.gate.set()


@contextmanager
def started(home: Path, keys: dict[str, str]) -> Iterator[Running]:
    with limen("run", env=settings(home, **keys)) as process:
        process.until_ready()
        yield process


@asynccontextmanager
async def systemd(path: Path) -> AsyncIterator[list[str]]:
    """What a process tells the one that started it: the first line of each word."""
    told: list[str] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(path))
        line.setblocking(False)
        loop = asyncio.get_running_loop()
        loop.add_reader(line, lambda: told.append(line.recv(200).decode().split("\n")[0]))
        try:
            yield told
        finally:
            loop.remove_reader(line)


async def within(seconds: float, said: Callable[[], Any]) -> None:
    async with asyncio.timeout(seconds):
        while not said():
            await system_sleep(0.02)


async def end(process: Running, seconds: float = 8) -> int:
    return await asyncio.to_thread(process.process.wait, seconds)


def reasons(keys: dict[str, str]) -> list[str]:
    url = f"http://127.0.0.1:{keys['operations__port']}/ready"
    found: list[str] = httpx.get(url, trust_env=False).json()["reasons"]
    return found


def rows(home: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(home / "limen.db")) as database:
        return database.execute(sql).fetchall()


RUNS = "SELECT state, attempts, claimed_by FROM runs WHERE role = 'conversation'"
SAID = "SELECT body FROM web_posts WHERE author_id IS NULL AND body LIKE '%It is Mo%'"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


async def test_a_step_ends_nothing_new_begins_and_the_next_start_goes_on(home: Path) -> None:
    async with thinking() as (brain, keys):
        with started(home, keys) as process:
            await asyncio.to_thread(process.say, "ana", "dm-ana", QUESTION)
            await asyncio.wait_for(brain.asked.wait(), 8)
            process.process.send_signal(signal.SIGTERM)
            await within(8, lambda: reasons(keys) == ["it is stopping"])
            await asyncio.to_thread(process.say, "bo", "dm-bo", LATER)
            brain.answers = [calls(("search_memory", {"query": "on call"}))]
            brain.gate.set()
            assert await end(process) == 0
            [line] = process.errors().splitlines()
            assert "waits: Limen is stopping; it is taken in at the next start" in line
        assert len(brain.talks) == 1, "it asked on after its step"
        assert rows(home, RUNS) == [("queued", 1, "")]
        assert rows(home, "SELECT COUNT(*) FROM tool_results") == [(1,)]
        assert rows(home, "SELECT body FROM originals") == [(QUESTION,)], "it took something in"
        with started(home, keys) as process:
            await within(10, lambda: len(rows(home, SAID)) == 2)  # far sooner than a lease ends
            process.process.terminate()
            assert await end(process) == 0
        first = next(body for body in brain.talks[1:] if "tool_result" in str(body["messages"]))
        assert "on call this week" in str(first["messages"])
        assert len(brain.talks) == 3, "a step was done twice"
        assert {state for state, *_ in rows(home, RUNS)} == {"succeeded"}


@asynccontextmanager
async def serving(
    config: Config, model: Model, env: dict[str, str], *chats: Chat
) -> AsyncIterator[Served]:
    """`limen run` inside this process: the real signals, and a model in the test's hand."""
    lines: list[str] = []
    around = Surroundings(model=model, chats=chats)
    running = asyncio.create_task(
        serve.serve(config, print_line=lines.append, around=around, env=env)
    )
    try:
        await within(8, lambda: running.done() or any(one.startswith("ready") for one in lines))
        yield Served(running, lines[-1].split()[1])
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().remove_signal_handler(number)


async def test_a_last_word_is_posted_before_the_end_and_systemd_is_told(
    make_config: MakeConfig, home: Path, tmp_path: Path
) -> None:
    model = ScriptedModel(conversation=lambda _: [say("It is Mo.")])
    let_go = model.hold("conversation")
    config = make_config(web__port=0, bot__debounce="1ms")
    async with systemd(tmp_path / "notify") as told:
        env = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "20000"}
        async with serving(config, model, env) as house:
            await house.ask(QUESTION)
            await within(8, lambda: model.held)
            os.kill(os.getpid(), signal.SIGINT)
            await within(8, lambda: "STOPPING=1" in told)
            assert not house.running.done()
            let_go()
            await asyncio.wait_for(house.running, 8)
    assert rows(home, SAID) == [("It is Mo.",)]
    assert rows(home, "SELECT state FROM letters") == [("sent",)]
    assert rows(home, RUNS)[0][0] == "succeeded"
    assert told.count("WATCHDOG=1") > 2
    assert [word for word in told if word != "WATCHDOG=1"] == ["READY=1", "STOPPING=1"]


@pytest.mark.parametrize("span", ["100ms", "0s"])
async def test_what_takes_too_long_is_broken_off_and_handed_back(
    span: str, make_config: MakeConfig, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = ScriptedModel(conversation=echo)
    model.hold("conversation")
    config = make_config(web__port=0, bot__debounce="1ms", bot__stop_within=span)
    async with serving(config, model, {}) as house:
        await house.ask(QUESTION)
        await within(8, lambda: model.held)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(house.running, 8)
    assert "1 runs and 0 letters are broken off" in caplog.text
    assert rows(home, RUNS) == [("queued", 1, "")]
    assert rows(home, "SELECT COUNT(*) FROM steps") == [(0,)]


class Slow(ScriptedChat):
    """A letter is handed over when a test says so."""

    async def send(self, letter: Outgoing) -> Receipt:
        await self.gate.wait()
        return await super().send(letter)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.gate = asyncio.Event()


async def test_a_letter_that_is_being_posted_is_not_broken_off(
    make_config: MakeConfig, home: Path
) -> None:
    """It would be in doubt; what waits behind it goes out at the next start."""
    chat, model = Slow(name="desk"), ScriptedModel(conversation=echo)
    config = make_config(web__port=0, bot__debounce="1ms", bot__stop_within="50ms")
    async with serving(config, model, {}, chat) as house:
        await chat.say("mira", "how are you?")
        await within(8, lambda: rows(home, "SELECT 1 FROM letters WHERE state = 'sending'"))
        await chat.say("mira", "and you?")
        await within(8, lambda: rows(home, "SELECT 1 FROM letters WHERE state = 'pending'"))
        os.kill(os.getpid(), signal.SIGTERM)
        await system_sleep(0.3)
        assert not house.running.done()
        chat.gate.set()
        await asyncio.wait_for(house.running, 8)
    assert rows(home, "SELECT state FROM letters ORDER BY id") == [("sent",), ("pending",)]


async def test_a_second_signal_waits_for_nothing(make_config: MakeConfig, home: Path) -> None:
    model = ScriptedModel(conversation=echo)
    model.hold("conversation")
    config = make_config(web__port=0, bot__debounce="1ms", bot__stop_within="1h")
    async with serving(config, model, {}) as house:
        await house.ask(QUESTION)
        await within(8, lambda: model.held)
        os.kill(os.getpid(), signal.SIGTERM)
        await system_sleep(0.1)
        assert not house.running.done()
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(house.running, 8)
    assert rows(home, RUNS) == [("queued", 1, "")]


@pytest.fixture
def url() -> Iterator[str]:
    """A database that several processes may share."""
    made = servers.running().fresh()
    yield made
    servers.running().drop(made)


async def test_another_process_goes_on_at_once_with_what_one_hands_back(
    make_config: MakeConfig, url: str
) -> None:
    config = make_config(database__url=url, web__enabled="false", bot__debounce="1ms")
    chat = ScriptedChat(name="desk")
    first = ScriptedModel(conversation=lambda _: [use("search_memory", query="on call")])
    second = ScriptedModel(conversation=lambda _: [say("It is Mo.")])
    let_go = first.hold("conversation")
    here = Surroundings(model=first, chats=(chat,))
    there = Surroundings(model=second, parts=frozenset({Part.WORKER}))
    async with open_house(config, here) as one, open_house(config, there) as other:
        lives = [asyncio.create_task(one.live())]
        try:
            await within(8, lambda: chat.starts)
            await chat.say("mira", QUESTION)
            await within(8, lambda: first.held)
            lives.append(asyncio.create_task(other.live()))
            draining = asyncio.create_task(one.drain())
            let_go()
            await within(8, lambda: second.calls)  # a lease would last far longer
            await asyncio.wait_for(draining, 8)
            assert len(first.of("conversation")) == 1
            told = str(second.of("conversation")[0].messages)
            assert QUESTION in told and "tool_result" in told
        finally:
            for life in lives:
                life.cancel()
            await asyncio.gather(*lives, return_exceptions=True)
