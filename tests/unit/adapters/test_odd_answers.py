"""Answers that are no platform's: every call of a chat ends in one of the three kinds of error."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from aiohttp import web

from adapters.chat import Address, Chat, File, Outgoing
from adapters.errors import Refused, Retry, Unknown
from adapters.findings import Level
from tests.fakes.four_chats import KINDS
from tests.fakes.live import QuickClock, adapter, adapter_settings

NAMES = ("slack", "telegram", "feishu")
JSON = "application/json"
ANSWERS: dict[str, tuple[int, str, bytes, dict[str, str]]] = {
    "a page to sign in": (200, "text/html", b"<html>Welcome to our hotel</html>", {}),
    "a list": (200, JSON, b"[]", {}),
    "ok and no more": (200, JSON, b'{"ok": true, "code": 0}', {}),
    "ok with odd parts": (
        200,
        JSON,
        b'{"ok": true, "code": 0, "ts": 5, "message": "x", "result": {"message_id": "x"},'
        b' "tenant_access_token": 7, "expire": "soon", "data": {"message_id": 4}, "file": null}',
        {},
    ),
    "no with odd parts": (200, JSON, b'{"ok": false, "error": "x", "response_metadata": 5}', {}),
    "half a sign": (200, JSON, b'\xff\xfe{"ok"', {}),
    "an abyss": (200, JSON, b"[" * 100_000, {}),
    "an endless wait": (429, JSON, b"{}", {"Retry-After": "inf", "x-ogw-ratelimit-reset": "1e99"}),
    "a bad gateway": (502, "text/html", b"<h1>502</h1>", {}),
    "the way to a stranger": (302, "text/html", b"", {"Location": "http://127.0.0.1:9/"}),
    "the way in a circle": (307, "text/html", b"", {"Location": "/again"}),
}


@asynccontextmanager
async def answering(name: str, answer: str) -> AsyncIterator[dict[str, Any]]:
    """A server that knows one answer; yields the settings that lead an adapter to it."""
    status, kind, body, headers = ANSWERS[answer]

    async def say(request: web.BaseRequest) -> web.Response:
        return web.Response(status=status, body=body, headers=headers | {"Content-Type": kind})

    runner = web.ServerRunner(web.Server(say))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield {
            "slack": {"base_url": f"{url}/api/"},
            "telegram": {"base_url": f"{url}/bot", "base_file_url": f"{url}/file/bot"},
            "feishu": {"domain": url},
        }[name]
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("name", NAMES)
async def test_it_waits_for_a_better_answer_or_says_what_is_wrong(name: str, answer: str) -> None:
    platform, clock = KINDS[name].make(), QuickClock(1000)
    async with platform, answering(name, answer) as settings:
        chat = adapter(platform, clock, **settings)
        running = asyncio.create_task(chat.run(lambda event: asyncio.sleep(0)))
        async with asyncio.timeout(10):
            while not running.done() and len(clock.slept) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.002)
        assert not chat.health.up and chat.health.note
        await _calls(chat, clock)
        running.cancel()
        (end,) = await asyncio.gather(running, return_exceptions=True)
        assert isinstance(end, asyncio.CancelledError | Refused)
        examine = import_module(f"adapters.{name}.checkup").examine
        findings = await examine(adapter_settings(platform, **settings), clock)
        assert any(one.level is not Level.OK and one.remedy for one in findings)


async def _calls(chat: Chat, clock: QuickClock) -> None:
    room = Address(platform=chat.name, account="a", chat="7")
    letter = Outgoing(key="k", room=room, text="**hi**", written=clock())
    asked: list[Callable[[], Awaitable[object]]] = [
        lambda: chat.send(letter),
        lambda: chat.send(replace(letter, room=replace(room, thread="8"), reply_to="9")),
        lambda: chat.fetch(File(id="om/file/k", name="plan.txt"), limit=1000),
    ]
    for ask in asked:
        with pytest.raises((Retry, Refused, Unknown)) as told:
            await ask()
        after = getattr(told.value, "after", None)
        assert after is None or 0 <= after <= 86_400
    await chat.show_working(replace(room, message="9"), True)
    await chat.show_progress(room, "Reading", None)
    await chat.show_progress(room, "", "9")
