"""One running web chat over a real database, and the ways into it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from adapters.chat import Address, EventKind, Incoming, Outgoing
from adapters.errors import Retry
from adapters.web.chat import WebChat
from adapters.web.rooms import Access, PersonSeed, RoomSeed
from adapters.web.settings import Bounds, WebSettings
from bot.web.rooms import WebRooms
from memory.db import Database
from memory.migrations import statements
from tests.fakes.web_views import FakeViews

TOKEN = "a-token-for-tests"
SCHEMA = Path(__file__).parents[2] / "bot/schema/0002_web.sql"


class Clock:
    """A clock that moves a second a look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 10, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Heard:
    """A `receive` that keeps what it was given; it fails as long as `broken` is set."""

    def __init__(self) -> None:
        self.events: list[Incoming] = []
        self.broken = False
        self.tries = 0
        self._more = asyncio.Event()

    async def __call__(self, event: Incoming) -> None:
        self.tries += 1
        self._more.set()
        if self.broken:
            raise Retry("the database is full")
        self.events.append(event)

    async def until(self, done: Callable[["Heard"], bool]) -> None:
        """Wait until something was heard often enough."""
        async with asyncio.timeout(10):
            while not done(self):
                self._more.clear()
                await self._more.wait()

    def said(self, kind: EventKind) -> list[Incoming]:
        """The events of one kind."""
        return [event for event in self.events if event.kind is kind]


class World:
    """One running web chat."""

    def __init__(
        self, chat: WebChat, db: Database, store: WebRooms, views: FakeViews, heard: Heard
    ) -> None:
        self.chat = chat
        self.db = db
        self.store = store
        self.views = views
        self.heard = heard
        self.clients: list[httpx.AsyncClient] = []

    def client(self, **headers: str) -> httpx.AsyncClient:
        """A browser without a cookie yet."""
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.chat.app),
            base_url="http://127.0.0.1:8765",
            headers={"origin": "http://127.0.0.1:8765", **headers},
        )
        self.clients.append(client)
        return client

    async def operator(self) -> httpx.AsyncClient:
        """The operator's browser."""
        client = self.client()
        answer = await client.get("/", params={"token": TOKEN})
        assert answer.status_code == 303 and answer.headers["location"] == "/"
        return client

    async def visitor(self, person: str) -> httpx.AsyncClient:
        """The browser of somebody with a personal link."""
        operator = await self.operator()
        link = (await operator.get(f"/api/people/{person}/link")).json()["link"]
        client = self.client()
        assert (await client.get(link)).status_code == 303
        return client


@asynccontextmanager
async def world(
    tmp_path: Path,
    *,
    heard: Heard | None = None,
    serve: bool = False,
    bounds: Bounds | None = None,
) -> AsyncIterator[World]:
    """A web chat over a real database, its delivery running."""
    clock = Clock()
    heard = heard or Heard()
    views = FakeViews()

    async def sleep(seconds: float) -> None:
        await asyncio.to_thread(lambda: None)

    async with Database(tmp_path / "web.db") as db:
        await db.write(tables)
        store = WebRooms(db, clock)
        await store.seed(
            [
                PersonSeed(id="ana", name="Ana", about="product"),
                PersonSeed(id="bo", name="Bo"),
                PersonSeed(id="lin", name="Lin"),
            ],
            [
                RoomSeed(id="project", title="project", access=Access.OPEN, members=("ana", "bo")),
                RoomSeed(id="board", title="board", access=Access.PRIVATE, members=("lin",)),
            ],
        )
        settings = WebSettings(
            token=TOKEN, bot_name="Limen", port=0, serve=serve, bounds=bounds or Bounds()
        )
        # An open stream must not see its quiet time pass in no time, again and again.
        chat = WebChat(store, settings, clock, forever if serve else sleep, views)
        running = asyncio.create_task(chat.run(heard))
        found = World(chat, db, store, views, heard)
        try:
            yield found
        finally:
            for client in found.clients:
                await client.aclose()
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


def tables(tx: Any) -> None:
    """Make the web chat's own tables; harmless when they are there."""
    if tx.one("SELECT 1 FROM sqlite_master WHERE name = 'web_rooms'") is None:
        for statement in statements(SCHEMA.read_text(encoding="utf-8")):
            tx.run(statement)


async def say(client: httpx.AsyncClient, room: str, text: str, as_: str, **more: str) -> Any:
    """Post and give the answer's JSON."""
    answer = await client.post(
        f"/api/rooms/{room}/posts", params={"as": as_}, json={"text": text, **more}
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def letter(key: str = "run-1-0", room: str = "project", **more: Any) -> Outgoing:
    """A letter of the bot."""
    address = Address(platform="web", account="local", chat=room)
    return Outgoing(
        key=key, room=address, **{"text": "The path is **canary-release** now.", **more}
    )


async def stream(url: str, headers: dict[str, str]) -> AsyncIterator[dict[str, str]]:
    """The events of a real stream, one dict each."""
    async with httpx.AsyncClient() as client, client.stream("GET", url, headers=headers) as answer:
        assert answer.status_code == 200
        event: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
            elif event:
                yield event
                event = {}


async def until(events: AsyncIterator[dict[str, str]], name: str) -> dict[str, str]:
    """The next event of that name."""
    async with asyncio.timeout(10):
        async for event in events:
            if event.get("event") == name:
                return event
    raise AssertionError(f"the stream ended before {name!r}")


async def forever(seconds: float) -> None:
    """A sleep that never ends."""
    await asyncio.Event().wait()
