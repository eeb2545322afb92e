"""The built-in web chat as a `Platform`: people act over its HTTP API, its store shows what stands.

Its server lives in the house, so it is told where that is: `platform.serves(url)`.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx

from adapters.web.chat import WebChat
from adapters.web.markdown import Markdown
from adapters.web.rooms import BOT, Access, Person, PersonSeed, Post, RoomSeed
from adapters.web.settings import WebSettings
from bot.app import system_sleep
from bot.engine.waits import Clock, Sleep
from bot.web import rows
from bot.web.rooms import WebRooms
from memory import errors
from memory.db import Database, Reader, Tx, snapshot
from memory.engine import Engine
from tests.fakes.doomed import name_of
from tests.fakes.platform import DIRECT, MEMBERS, PLACES, Fault, Platform, Posted
from tests.fakes.web_views import FakeViews
from tests.fakes.web_world import tables

P = ParamSpec("P")
T = TypeVar("T")

TOKEN = "operator-token"
LOOK_S = 0.003  # between two looks into the store, which tells nobody outside that it changed
PEOPLE = tuple(PersonSeed(id=one.id, name=one.name) for one in MEMBERS)
ROOMS = tuple(
    RoomSeed(
        id=place.id,
        title=place.title,
        access=Access.OPEN if place.open else Access.PRIVATE,
        members=place.members,
    )
    for place in PLACES
)


class WebPlatform(Platform):
    """The web chat of a house, or of a chat that stands alone."""

    name = "web"
    cannot = frozenset({Fault.LIMITED, Fault.UNFORMATTED, Fault.EXPIRED, Fault.GONE})
    """What cannot befall a platform that lives in the house."""

    store: WebRooms

    def __init__(self) -> None:
        super().__init__()
        self.path = Path()
        self._faults: deque[Fault] = deque()
        self._posts = 0

    async def __aenter__(self) -> Self:
        self._http = httpx.AsyncClient(
            headers={"authorization": f"Bearer {TOKEN}"}, timeout=20, trust_env=False, verify=False
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._http.aclose()

    def database(self, place: Path | Engine) -> Database:
        """The store of the house, which the faults befall."""
        if not isinstance(place, Path):
            raise TypeError(f"these faults befall a file, not {place.where}")
        self.path = place
        return _Faulty(place, self)

    @asynccontextmanager
    async def alone(self, path: Path, clock: Clock, sleep: Sleep) -> AsyncIterator[WebChat]:
        """A web chat without a house around it."""
        async with self.database(path) as db:
            await db.write(tables)
            self.store = WebRooms(db, clock)
            await self.store.seed(PEOPLE, ROOMS)
            settings = WebSettings(token=TOKEN, bot_name=self.bot_name, port=0)
            yield WebChat(self.store, settings, clock, sleep, FakeViews())

    def serves(self, url: str) -> None:
        """Its server answers from now on."""
        self._http.base_url = httpx.URL(url)

    @property
    def env(self) -> dict[str, str]:
        return {"LIMEN_WEB__TOKEN": TOKEN, "LIMEN_WEB__PORT": "0"}

    # people act

    async def say(
        self,
        who: str,
        room: str,
        text: str,
        *,
        mention: bool = False,
        thread: str | None = None,
        reply_to: str | None = None,
    ) -> str:
        words = f"@{self.bot_name} {text}".strip() if mention else text
        more = {"thread": thread, "reply_to": reply_to}
        body = {"text": words} | {key: value for key, value in more.items() if value}
        made = await self._do("POST", f"rooms/{_room(room, who)}/posts", who, body)
        return str(made["id"])

    async def edit(self, who: str, room: str, message: str, text: str) -> None:
        await self._do("PATCH", f"posts/{message}", who, {"text": text})

    async def recall(self, who: str, room: str, message: str) -> None:
        await self._do("DELETE", f"posts/{message}", who)

    async def react(self, who: str, room: str, message: str, emoji: str) -> None:
        await self._do("POST", f"posts/{message}/reactions", who, {"emoji": emoji, "on": True})

    async def press(self, who: str, room: str, message: str, label: str) -> None:
        there = self._look(lambda reader: rows.post(reader, message))
        value = next(button.value for button in there.buttons if button.label == label)
        await self._do("POST", f"posts/{message}/press", who, {"value": value})

    async def send_file(
        self, who: str, room: str, name: str, mime: str, content: bytes, text: str = ""
    ) -> str:
        raise NotImplementedError("the web chat takes no files")

    async def join(self, who: str, room: str) -> None:
        await self._do("POST", f"rooms/{room}/join", who)

    async def leave(self, who: str, room: str) -> None:
        await self._do("POST", f"rooms/{room}/leave", who)

    async def _do(
        self, method: str, path: str, who: str, body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        answer = await self._http.request(method, f"/api/{path}", params={"as": who}, json=body)
        assert answer.is_success, answer.text
        found: dict[str, Any] = answer.json()
        return found

    # what stands there

    def posts(self, room: str | None = None) -> list[Posted]:
        people = self._look(rows.people)
        places = [place.id for place in PLACES] + [f"dm-{one.id}" for one in MEMBERS]
        found = [post for place in places for post in self._in(place) if post.author == BOT]
        shown = [_posted(post, people) for post in sorted(found, key=lambda post: int(post.id))]
        return [post for post in shown if room in (None, post.room)]

    def _in(self, place: str) -> list[Post]:
        def look(reader: Reader) -> list[Post]:
            roots = rows.posts(reader, place, None, None, 500)
            inside = [rows.posts(reader, place, r.id, None, 500)[1:] for r in roots if r.replies]
            return [*roots, *(post for thread in inside for post in thread)]

        return self._look(look)

    def acknowledged(self, message: str) -> bool:
        def look(reader: Reader) -> tuple[int, int]:
            sql = "SELECT COUNT(*), COALESCE(SUM(due), 0) FROM web_events WHERE post_id = :id"
            all, due = reader.all(sql, id=int(message))[0]
            return all, due

        told, due = self._look(look)
        return told > 0 and due == 0

    def _look(self, fn: Callable[[Reader], T]) -> T:
        with snapshot(self.path) as reader:
            return fn(reader)

    def calls(self, method: str = "") -> list[str]:
        """The one thing the bot does there is to post."""
        return [name for name in ["post_as_bot"] * self._posts if method in name]

    @property
    def connections(self) -> int:
        return 0

    # faults

    def befall(self, fault: Fault, *, times: int = 1) -> None:
        assert fault not in self.cannot, f"{fault} cannot befall the web chat"
        self._faults.extend([fault] * times)

    async def redeliver(self, message: str) -> None:
        with closing(sqlite3.connect(self.path, timeout=5, isolation_level=None)) as other:
            other.execute("UPDATE web_events SET due = 1 WHERE post_id = ?", (int(message),))
        self.store.happened()

    async def hang_up(self) -> None:
        raise NotImplementedError("there is no connection that could end")

    async def go_silent(self) -> None:
        raise NotImplementedError("there is no connection that could be silent")

    async def send_garbage(self) -> None:
        raise NotImplementedError("it refuses what it cannot read before it stores it")

    def revoke(self) -> None:
        raise NotImplementedError("the bot needs no credentials there")

    # for tests

    async def until(self, holds: Callable[[], bool], seconds: float = 20.0) -> None:
        async with asyncio.timeout(seconds):
            while not holds():
                await system_sleep(LOOK_S)

    def strike(self) -> Fault | None:
        """What befalls the post that is made now."""
        self._posts += 1
        return self._faults.popleft() if self._faults else None


class _Faulty(Database):
    def __init__(self, path: Path, platform: WebPlatform) -> None:
        super().__init__(path)
        self._platform = platform

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        posts = name_of(fn, args, kwargs) == "web.post_as_bot"
        fault = self._platform.strike() if posts else None
        if fault is Fault.BROKEN:
            raise errors.StorageBroken("the store is away for a moment")
        done = await super().write(fn, *args, **kwargs)
        if fault is Fault.LOST:
            raise errors.StorageBroken("the store went away before it answered")
        return done


def _room(room: str, who: str) -> str:
    if room == DIRECT:
        return f"dm-{who}"
    return room.replace("direct:", "dm-")


def _posted(post: Post, people: list[Person]) -> Posted:
    seen = _Seen()
    seen.feed(Markdown().html(post.text, people))
    return Posted(
        id=post.id,
        room=post.room.replace("dm-", "direct:"),
        text="".join(seen.words).strip(),
        thread=post.thread,
        reply_to=post.quote.id if post.quote else None,
        buttons=tuple(button.label for button in post.buttons),
        mentions=tuple(seen.mentions),
    )


class _Seen(HTMLParser):
    """What a reader sees of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.mentions: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if person := dict(attrs).get("data-person"):
            self.mentions.append(person)

    def handle_data(self, data: str) -> None:
        self.words.append(data)
