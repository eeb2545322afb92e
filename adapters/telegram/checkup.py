"""Looks whether Telegram and the bot's account are set up for Limen, for `limen doctor`."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from adapters import network
from adapters.findings import Finding, fail, of_clocks, ok, warn
from adapters.telegram.api import hush
from adapters.telegram.polling import privacy_remedy
from adapters.telegram.refusals import REVOKED
from adapters.telegram.settings import TelegramSettings

Json = dict[str, Any]

AREA = "telegram"
ANSWER_S = 15.0
POLL_S = 1  # seconds of listening for somebody else who polls


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a method said; `body` is empty where it was no JSON."""

    status: int
    body: Mapping[str, Any]
    date: datetime | None

    @property
    def result(self) -> Json:
        found = self.body.get("result")
        return found if isinstance(found, dict) else {}

    @property
    def description(self) -> str:
        return str(self.body.get("description") or f"status {self.status}")


Call = Callable[..., Awaitable[_Answer]]
"""A method by its name and parameters."""


async def examine(
    settings: TelegramSettings, clock: Callable[[], datetime], *, running: bool = False
) -> list[Finding]:
    """Look at everything that could keep the bot from hearing and speaking.

    What is broken gives one finding; what cannot be looked at because of it gives none. Nothing is
    confirmed or changed. A Limen that is `running` is left its poll.
    """
    import httpx

    hush()
    try:
        client = httpx.AsyncClient(timeout=ANSWER_S, trust_env=False, proxy=settings.proxy or None)
    except (ImportError, ValueError) as error:
        return [_proxy_finding(error)]
    async with client:

        async def call(method: str, **given: Any) -> _Answer:
            address = f"{settings.base_url}{settings.token}/{method}"
            return _read(await client.post(address, data=given))

        try:
            return await _examine(call, clock, running)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return [_unreachable(settings, error)]


async def _examine(call: Call, clock: Callable[[], datetime], running: bool) -> list[Finding]:
    me = await call("getMe")
    if me.status in (401, 404) and me.body:
        return [fail(AREA, "Telegram does not know the token", REVOKED)]
    if not me.body.get("ok"):
        remedy = "Look whether [telegram] base_url is right and whether a proxy stands in between."
        return [fail(AREA, f"getMe failed: {me.description}", remedy)]
    username = str(me.result.get("username", ""))
    return [
        ok(AREA, f"reachable as @{username}"),
        of_clocks(AREA, "Telegram", me.date, clock()),
        _groups_finding(me, username),
        _privacy_finding(me, username),
        *await _listening(call, running),
    ]


def _groups_finding(me: _Answer, username: str) -> Finding:
    if me.result.get("can_join_groups"):
        return ok(AREA, "may be added to groups")
    return warn(
        AREA,
        "the bot may not be added to groups",
        f"In @BotFather send /setjoingroups, choose @{username}, then Enable.",
    )


def _privacy_finding(me: _Answer, username: str) -> Finding:
    if me.result.get("can_read_all_group_messages"):
        return ok(AREA, "privacy mode is off")
    remedy = privacy_remedy(username)
    return warn(AREA, "privacy mode is on", f"{remedy[0].upper()}{remedy[1:]}.")


async def _listening(call: Call, running: bool) -> list[Finding]:
    hook = await call("getWebhookInfo")
    if url := hook.result.get("url"):
        host = urlsplit(str(url)).hostname or "?"
        return [
            fail(
                AREA,
                f"a webhook at {host} takes this bot's messages",
                "Limen removes it when it starts; switch off the program that set it.",
            )
        ]
    if running:
        return [ok(AREA, "the running Limen reads its messages")]
    # Without an offset nothing is confirmed.
    poll = await call("getUpdates", timeout=POLL_S, limit=1)
    if poll.status == 409:
        return [
            warn(
                AREA,
                "another program is reading this bot's messages",
                "If that is Limen itself, all is well. Otherwise stop the other one, or take a new "
                "token from @BotFather (/revoke).",
            )
        ]
    if not poll.body.get("ok"):
        return [fail(AREA, f"getUpdates failed: {poll.description}", "Try again in a minute.")]
    return [ok(AREA, "nobody else reads its messages")]


def _unreachable(settings: TelegramSettings, error: Exception) -> Finding:
    host = urlsplit(settings.base_url).hostname or settings.base_url
    way = "through the proxy" if settings.proxy else "directly"
    return fail(
        AREA,
        f"{host} cannot be reached {way}: {network.reason(error)}",
        "Look at the network of this machine. Where Telegram is blocked, set [telegram] proxy.",
    )


def _proxy_finding(error: Exception) -> Finding:
    if isinstance(error, ImportError):
        return fail(
            AREA,
            "a socks proxy needs one more package",
            'Run: pip install "python-telegram-bot[socks]"',
        )
    return fail(
        AREA,
        "[telegram] proxy is no address of a proxy",
        "Write it as http://host:port or socks5://host:port.",
    )


def _read(response: Any) -> _Answer:
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        body = {}
    date = network.time_told(response.headers.get("Date", ""))
    return _Answer(response.status_code, body if isinstance(body, dict) else {}, date)
