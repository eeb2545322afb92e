"""Names that are not found, proxies that refuse, certificates nobody trusts: for each platform and
the model, on real sockets, with certificates made here."""

import asyncio
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from adapters.chat import Chat
from bot.app import system_sleep
from bot.errors import ModelRetry
from bot.models.anthropic_model import AnthropicModel, ModelSettings
from bot.models.model import Request, Tier
from bot.setup import config as configuration
from bot.setup.doctor import examine
from tests.conftest import MONDAY
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.live import Heard, QuickClock, adapter, live_house
from tests.fakes.platform import Platform
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi

MAKERS: tuple[type[Platform], ...] = (SlackApi, TelegramApi, FeishuApi)
PLACE = {"slack": ("base_url", "/api/"), "telegram": ("base_url", "/bot"), "feishu": ("domain", "")}
"""Which setting leads to a platform, and what stands behind the host there."""
NOBODY = "https://limen-test.invalid"
PATIENCE_S = 20.0
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@asynccontextmanager
async def server(
    serve: Serve, *, port: int = 0, cert: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Whatever a caller meets on the loopback; the port."""
    served: set[asyncio.Task[None]] = set()

    async def each(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        one = asyncio.create_task(serve(reader, writer))
        served.add(one)
        await asyncio.wait({one})
        writer.close()

    running = await asyncio.start_server(each, "127.0.0.1", port, ssl=cert)
    try:
        yield running.sockets[0].getsockname()[1]
    finally:
        running.close()
        for one in served:
            one.cancel()
        await asyncio.gather(*served, return_exceptions=True)


async def _hangs(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def _asks_who(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(
        b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\n"
        b"Content-Length: 0\r\nConnection: close\r\n\r\n"
    )
    await writer.drain()


async def _looks(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read(1)


def relay(to: str) -> Serve:
    """Pass everything on to an address, both ways."""
    host, _, port = to.rpartition("//")[2].partition("/")[0].partition(":")

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        try:
            await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
        finally:
            far_writer.close()

    return pass_on


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(65536):
        writer.write(piece)
        await writer.drain()
    writer.close()


class Authority:
    """Signs certificates for the loopback, good ones and others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "ca.pem"
        self._openssl(f"req -x509 {_KEY} -keyout ca.key -out ca.pem -days 9 -subj /CN=Test")

    def signed(self, name: str, host: str, days: int = 9) -> ssl.SSLContext:
        """A certificate for a host, over in so many days."""
        (self.folder / "ext").write_text(f"subjectAltName={host}\n")
        self._openssl(f"req {_KEY} -keyout {name}.key -out {name}.csr -subj /CN=x")
        self._openssl(
            f"x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -out {name}.pem -extfile ext "
            f"-days {days}"
        )
        return self._context(name)

    def self_signed(self) -> ssl.SSLContext:
        """A certificate that speaks for itself."""
        self._openssl(f"req -x509 {_KEY} -keyout self.key -out self.pem -days 9 -subj /CN=x")
        return self._context("self")

    def _context(self, name: str) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        return context

    def _openssl(self, line: str) -> None:
        subprocess.run(
            ["openssl", *line.split()], cwd=self.folder, check=True, capture_output=True, timeout=20
        )


_KEY = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    if shutil.which("openssl") is None:
        pytest.skip("certificates are made with openssl, which is not installed")
    return Authority(tmp_path_factory.mktemp("authority"))


def leading(name: str, url: str) -> dict[str, str]:
    key, tail = PLACE[name]
    return {key: url + tail}


async def told_by(platform: Platform, **settings: str) -> str:
    """What an adapter says of itself as soon as it knows."""
    clock = QuickClock()
    chat = adapter(platform, clock, **settings)
    running = asyncio.create_task(chat.run(Heard(platform)))
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not chat.health.note:
                await system_sleep(0.01)
        assert not chat.health.up
        assert not running.done(), "it tries for ever"
        return chat.health.note
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("maker", MAKERS)
async def test_what_is_in_the_way_of_a_platform_is_told_with_what_to_do(
    maker: type[Platform], authority: Authority
) -> None:
    async with AsyncExitStack() as stack:
        platform = await stack.enter_async_context(maker())
        asking = await stack.enter_async_context(server(_asks_who))
        alone = await stack.enter_async_context(server(_looks, cert=authority.self_signed()))
        nothing, name = f"http://127.0.0.1:{free_port()}", platform.name

        note = await told_by(platform, **leading(name, NOBODY))
        assert "check the network and the DNS of this machine" in note
        note = await told_by(platform, **leading(name, nothing))
        assert "nothing listens there: check the address" in note
        note = await told_by(platform, proxy=nothing, **leading(name, NOBODY))
        assert "nothing listens there" in note and "proxy" in note
        note = await told_by(platform, proxy=f"http://127.0.0.1:{asking}", **leading(name, NOBODY))
        assert "the proxy wants a name and a password (407)" in note
        note = await told_by(platform, **leading(name, f"https://127.0.0.1:{alone}"))
        assert "certificate was not accepted (self-signed certificate)" in note
        assert "SSL_CERT_FILE" in note


async def _asked(url: str) -> str:
    """What the model's client says of the way to its endpoint."""
    model = AnthropicModel(
        ModelSettings(base_url=url, api_key="k" * 20, connect_timeout_s=0.5, idle_timeout_s=0.2)
    )
    words = [{"role": "user", "content": [{"type": "text", "text": "hello"}]}]
    request = Request(
        role="conversation",
        purpose="foreground",
        tier=Tier.MAIN,
        system="",
        messages=words,
        tools=[],
        max_tokens=9,
    )
    try:
        with pytest.raises(ModelRetry) as caught:
            await model.complete(request)
    finally:
        await model.aclose()
    return str(caught.value)


async def test_what_is_in_the_way_of_the_model_is_told_and_may_pass(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these is an outage, so the work waits."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    kinds = {
        "self-signed certificate": authority.self_signed(),
        "certificate has expired": authority.signed("old", "IP:127.0.0.1", -1),
        "certificate is not valid for": authority.signed("other", "IP:127.0.0.2"),
    }
    assert "DNS of this machine" in await _asked(NOBODY)
    assert "nothing listens there" in await _asked(f"http://127.0.0.1:{free_port()}")
    async with server(_hangs) as port:
        assert "kept silent" in await _asked(f"http://127.0.0.1:{port}")
    for words, cert in kinds.items():
        async with server(_looks, cert=cert) as port:
            assert words in await _asked(f"https://127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("host", "days", "words", "remedy"),
    [
        ("IP:127.0.0.1", -1, "certificate has expired", "the clock of this machine"),
        ("IP:127.0.0.2", 9, "IP address mismatch", "check the address in the settings"),
    ],
    ids=["expired", "wrong host"],
)
async def test_a_certificate_of_an_own_authority_is_told_apart(
    authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    days: int,
    words: str,
    remedy: str,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    cert = authority.signed("cert", host, days)
    async with TelegramApi() as platform, server(_looks, cert=cert) as port:
        note = await told_by(platform, **leading("telegram", f"https://127.0.0.1:{port}"))
        assert words in note and remedy in note


async def test_an_own_authority_is_trusted_by_its_file(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    cert = authority.signed("good", "IP:127.0.0.1")
    async with TelegramApi() as platform:
        behind = platform.env["LIMEN_TELEGRAM__BASE_URL"]
        async with server(relay(behind), cert=cert) as port:
            chat = adapter(
                platform, QuickClock(), **leading("telegram", f"https://127.0.0.1:{port}")
            )
            running = asyncio.create_task(chat.run(Heard(platform)))
            async with asyncio.timeout(PATIENCE_S):
                assert await chat.started()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("maker", MAKERS)
async def test_a_platform_that_is_not_there_at_the_start_comes_by_itself_once_it_is(
    maker: type[Platform],
) -> None:
    """However long it takes: the pauses end at a few minutes, and the tries never."""
    port = free_port()
    async with maker() as platform:
        key, tail = PLACE[platform.name]
        behind = platform.env[f"LIMEN_{platform.name.upper()}__{key.upper()}"]
        clock = QuickClock(speed=200.0)
        chat = adapter(platform, clock, **{key: f"http://127.0.0.1:{port}{tail}"})
        running = asyncio.create_task(chat.run(Heard(platform)))
        try:
            await _until(lambda: len(clock.slept) >= 8)
            assert not chat.health.up and not running.done()
            assert max(clock.slept) > 4 * min(clock.slept), "it asks less and less often"
            async with server(relay(behind), port=port):
                async with asyncio.timeout(PATIENCE_S):
                    await chat.started()
                await _until(lambda: chat.health.up)
                assert chat.health.note == "" or "nothing listens" not in chat.health.note
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def _until(seen: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not seen():
            await system_sleep(0.01)


async def test_platforms_that_cannot_be_reached_hold_up_neither_the_start_nor_the_others(
    tmp_path: Path,
) -> None:
    """One has no name, one a proxy that hangs; the third one answers all the same."""
    async with AsyncExitStack() as stack:
        telegram = await stack.enter_async_context(TelegramApi())
        slack = await stack.enter_async_context(SlackApi())
        feishu = await stack.enter_async_context(FeishuApi())
        port = await stack.enter_async_context(server(_hangs))
        env = (
            slack.env
            | feishu.env
            | {
                "LIMEN_SLACK__BASE_URL": f"{NOBODY}/api/",
                "LIMEN_FEISHU__PROXY": f"http://127.0.0.1:{port}",
            }
        )
        model = ScriptedModel(conversation=echo)
        home = tmp_path / "home"
        async with live_house(home, telegram, model=model, settings=env) as live:
            await telegram.say("ana", "direct", "are you there?")
            await telegram.until_posts("direct:ana")
            health = live.house.supervisor.health()
            up = {name for name, one in health.items() if one.up}
            assert up == {"telegram"}
            assert "DNS" in health["slack"].note
            heard = health["telegram"]
            assert heard.heard_at is not None and heard.event_at is not None
            chats: dict[str, Chat] = {c.name: c for c in live.house.supervisor.chats}
            line = await live.house.supervisor.standing(chats["feishu"], within_s=0.1)
            assert "not connected yet" in line


async def test_doctor_says_the_same_of_each(authority: Authority, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        env = {"LIMEN_BOT__DATA_DIR": str(tmp_path / "home"), "LIMEN_WEB__PORT": "0"}
        port = await stack.enter_async_context(server(_looks, cert=authority.self_signed()))
        url = f"https://127.0.0.1:{port}"
        for maker in MAKERS:
            platform = await stack.enter_async_context(maker())
            key, tail = PLACE[platform.name]
            env |= platform.env | {f"LIMEN_{platform.name.upper()}__{key.upper()}": url + tail}
        env |= {"LIMEN_MODEL__BASE_URL": url, "LIMEN_MODEL__API_KEY": "k" * 20}
        assert configuration.load(None, env).slack.configured
        found = await examine(None, env, clock=lambda: MONDAY)
        told = {one.area: f"{one.text} {one.remedy}" for one in found if one.level.value == "fail"}
        for area in ("slack", "telegram", "feishu", "model"):
            assert "certificate" in told[area], area
