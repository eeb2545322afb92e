"""What lets Limen in is told to the platform alone: to no log, error, note or finding."""

import asyncio
import logging
from importlib import import_module
from pathlib import Path

import pytest
from aiohttp import web

from adapters.errors import AdapterError
from tests.fakes.four_chats import KINDS
from tests.fakes.live import QuickClock, adapter, adapter_settings, one_chat
from tests.fakes.platform import Fault, Platform

NAMES = ("slack", "telegram", "feishu")
PASSWORD = "hunter2"


def secrets_of(platform: Platform) -> list[str]:
    """Every word nobody else may see."""
    hidden = [v for k, v in platform.env.items() if k.endswith(("TOKEN", "SECRET")) and v]
    assert hidden
    return [*hidden, PASSWORD, "ticket="]


async def no(request: web.BaseRequest) -> web.Response:
    """A proxy that lets nobody through."""
    return web.Response(status=407)


@pytest.mark.parametrize("name", NAMES)
async def test_a_day_full_of_faults_tells_no_secret(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.ERROR, "aiohttp.access")  # the servers' own
    told: list[str] = []
    async with one_chat(KINDS[name].make(), tmp_path) as line:
        secrets = secrets_of(line.platform)
        letter = await line.letter("ana", "project")
        for fault in (Fault.BROKEN, Fault.LOST, Fault.GONE, Fault.UNFORMATTED):
            line.platform.befall(fault)
            try:
                await line.chat.send(letter)
            except AdapterError as error:
                told += [str(error), repr(error.__cause__)]
        await line.platform.send_garbage()
        await line.platform.hang_up()
        await line.platform.say("ana", "project", "still there?")
        await line.hear("still there?")
        line.platform.revoke()
        await line.platform.hang_up()
        async with asyncio.timeout(15):
            await asyncio.wait({line.running})
        told += [line.chat.health.note, str(line.running.exception())]
    seen = "\n".join([*told, caplog.text])
    assert [secret for secret in secrets if secret in seen] == []


@pytest.mark.parametrize("name", NAMES)
async def test_a_proxy_that_refuses_tells_not_how_to_enter_it(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.ERROR, "aiohttp.access")  # the servers' own
    server = web.Server(no)
    runner = web.ServerRunner(server)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    proxy = f"http://me:{PASSWORD}@127.0.0.1:{runner.addresses[0][1]}"
    platform, clock = KINDS[name].make(), QuickClock()
    secure = {
        "slack": {"base_url": "https://slack.test/api/"},
        "telegram": {"base_url": "https://telegram.test/bot"},
        "feishu": {"domain": "https://feishu.test"},
    }
    async with platform:
        secrets = secrets_of(platform)
        given = {"proxy": proxy} | secure[name]
        chat, settings = adapter(platform, clock, **given), adapter_settings(platform, **given)
        running = asyncio.create_task(chat.run(lambda event: asyncio.sleep(0)))
        async with asyncio.timeout(10):
            while not chat.health.note:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        note = chat.health.note
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        examine = import_module(f"adapters.{name}.checkup").examine
        findings = await examine(settings, clock)
    await runner.cleanup()
    assert "407" in note or "proxy" in note.lower()
    seen = "\n".join([note, repr(findings), repr(settings), caplog.text])
    assert [secret for secret in secrets if secret in seen] == []
