"""Everything one person can get to see of a house, place by place."""

import asyncio
import json
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from adapters.chat import Address
from adapters.web.rooms import BOT, Room
from bot.app import system_sleep
from bot.engine import runs
from bot.engine.clocks import settle
from bot.plays.stage import Stage

ORIGIN = "http://localhost"
TABS = ("now", "fires", "runs", "handoffs", "letters", "sessions", "approvals", "inbox", "report")
Places = dict[str, str]


async def everything(on: Stage, who: str, rooms: list[str]) -> Places:
    """All that `who` finds: views, why-chains, every answer and the stream of the web chat.

    `rooms` are the ids of all rooms there are, also those `who` must not know of.
    """
    found: Places = {}
    posts = [post for room in rooms for post in await on.house.rooms.posts(room, limit=500)]
    await _views(on, who, found)
    for post in posts:
        if post.author == BOT:
            address = Address(platform="web", account="local", chat=post.room, message=post.id)
            chain = await on.house.views.why(who, address)
            # The post's own words are shown to those who may read it; the chain adds to them.
            found[f"why {post.id}"] = json.dumps(chain, ensure_ascii=False)
    await _answers(on, who, rooms, [post.id for post in posts], found)
    found["events"] = await _stream(on, who)
    return found


async def _views(on: Stage, who: str, found: Places) -> None:
    views = on.house.views
    rows: dict[str, Any] = {"now": await views.now(who), "sessions": await views.sessions(who)}
    rows |= {"approvals": await views.approvals(who, 200)}
    rows |= {"inbox": await views.inbox(who), "report": await views.report(who, None, "en")}
    for tab in ("fires", "runs", "handoffs", "letters"):
        rows[tab] = await getattr(views, tab)(who, None, 200)
    newest = await on.house.db.read(runs.latest, limit=1)
    for number in range(1, newest[0].id + 1 if newest else 1):
        rows[f"run {number}"] = await views.run(who, f"r{number}")
    found |= {f"view {tab}": json.dumps(row, ensure_ascii=False) for tab, row in rows.items()}


async def _answers(on: Stage, who: str, rooms: list[str], posts: list[str], found: Places) -> None:
    async with visitor(on, who) as client:
        paths = [
            "/api/state",
            "/",
            "/api/inbox",
            "/api/report",
            *(f"/api/rooms/{room}/posts?limit=200" for room in rooms),
        ]
        paths += [f"/api/posts/{post}/why" for post in posts]
        paths += [
            f"/api/inside/{tab}{view}" for tab in (*TABS, "files") for view in ("", "?view=all")
        ]
        for path in paths:
            found[f"GET {path}"] = (await client.get(path)).text
    async with _client(on) as operator:
        for tab in TABS:
            path = f"/api/inside/{tab}?as={who}"
            found[f"console {path}"] = (await operator.get(path, headers=_bearer(on))).text


async def forbidden(on: Stage, who: str, rooms: list[Room]) -> dict[str, int]:
    """The status of every request for a room this person must not know of."""
    async with visitor(on, who) as client:
        asked = {}
        for room in rooms:
            own = f"/api/rooms/{room.id}"
            asked[f"GET {own}/posts"] = (await client.get(f"{own}/posts")).status_code
            for path, body in ((f"{own}/posts", {"text": "hello"}), (f"{own}/join", {})):
                answer = await client.post(path, json=body, headers={"origin": ORIGIN})
                asked[f"POST {path}"] = answer.status_code
        return asked


def _client(on: Stage) -> httpx.AsyncClient:
    assert on.house.web is not None
    transport = httpx.ASGITransport(app=on.house.web.app)
    return httpx.AsyncClient(transport=transport, base_url=ORIGIN)


def _bearer(on: Stage) -> dict[str, str]:
    return {"authorization": f"Bearer {on.house.web_token}"}


@asynccontextmanager
async def visitor(on: Stage, who: str) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that came by the personal link."""
    async with _client(on) as operator:
        link = (await operator.get(f"/api/people/{who}/link", headers=_bearer(on))).json()["link"]
    async with _client(on) as client:
        await client.get(link)
        yield client


async def _stream(on: Stage, who: str) -> str:
    """The whole event stream from its beginning, as far as it goes now."""
    assert on.house.web is not None
    parts: list[bytes] = []
    scope: MutableMapping[str, Any] = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/api/events",
        "raw_path": b"/api/events",
        "query_string": f"as={who}&after=0".encode(),
        "headers": [
            (b"host", b"localhost"),
            (b"authorization", f"Bearer {on.house.web_token}".encode()),
        ],
        "server": ("localhost", 80),
    }
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if asked:
            await asyncio.Event().wait()
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        parts.append(message.get("body", b""))

    following = asyncio.create_task(on.house.web.app(scope, receive, send))
    await settle(on.house.busy, system_sleep)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    return b"".join(parts).decode()
