"""The web chat through its own door: HTTP, the event stream, and the law of `Chat`."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from adapters.chat import Address, Button, EventKind, Incoming, Outgoing, RoomKind
from adapters.errors import AdapterError, Refused, Retry
from adapters.web.chat import WebChat
from adapters.web.rooms import Access, PersonSeed, RoomSeed
from adapters.web.settings import WebSettings
from bot.webrooms import WebRooms
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
            raise RuntimeError("the database is full")
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
    tmp_path: Path, *, heard: Heard | None = None, serve: bool = False
) -> AsyncIterator[World]:
    """A web chat over a real database, its delivery running."""
    clock = Clock()
    heard = heard or Heard()
    views = FakeViews()

    async def sleep(seconds: float) -> None:
        await asyncio.to_thread(lambda: None)

    async with Database(tmp_path / "web.db") as db:
        await db.write(_tables)
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
        settings = WebSettings(token=TOKEN, bot_name="Limen", port=0, serve=serve)
        # An open stream must not see its quiet time pass in no time, again and again.
        chat = WebChat(store, settings, clock, _forever if serve else sleep, views)
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


def _tables(tx: Any) -> None:
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


async def test_what_is_posted_reaches_the_bot_with_its_whole_address(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        first = await say(client, "project", "We ship on Friday", "ana")
        await say(client, "project", "@Limen is that so?", "bo", reply_to=first["id"])
        await there.heard.until(lambda heard: len(heard.said(EventKind.NEW)) == 2)
        plain, asked = there.heard.said(EventKind.NEW)
        assert str(plain.address) == f"web:local/project#{first['id']}"
        assert (plain.author.name, plain.text, plain.addressed) == (
            "Ana",
            "We ship on Friday",
            False,
        )
        assert (plain.room.title, plain.room.kind, plain.room.open) == (
            "#project",
            RoomKind.GROUP,
            True,
        )
        assert [member.id for member in plain.room.members] == ["ana", "bo"]
        assert asked.addressed and asked.reply_to == first["id"]


async def test_a_direct_conversation_is_always_addressed(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.visitor("bo")
        await say(client, "dm-bo", "I finish the script by Friday", "bo")
        await there.heard.until(lambda heard: bool(heard.said(EventKind.NEW)))
        (event,) = there.heard.said(EventKind.NEW)
        assert event.addressed and event.room.kind is RoomKind.DIRECT and not event.room.open


async def test_an_answer_in_a_thread_of_the_bot_is_addressed(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        receipt = await there.chat.send(letter())
        post = await say(client, "project", "why?", "ana", thread=receipt.message)
        await there.heard.until(lambda heard: bool(heard.said(EventKind.NEW)))
        (event,) = there.heard.said(EventKind.NEW)
        assert event.addressed
        assert event.address.thread == receipt.message and event.address.message == post["id"]


async def test_edits_recalls_reactions_and_members_are_events(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        post = await say(client, "project", "legacy-release", "ana")
        path = f"/api/posts/{post['id']}"
        as_ana = {"as": "ana"}
        await client.patch(path, params=as_ana, json={"text": "canary-release"})
        for on in (True, False):
            answer = await client.post(
                f"{path}/reactions", params={"as": "bo"}, json={"emoji": "👍", "on": on}
            )
            assert answer.status_code == 200
        await client.delete(path, params=as_ana)
        await client.post("/api/rooms/project/join", params={"as": "lin"})
        await there.heard.until(lambda heard: len(heard.said(EventKind.MEMBERS)) == 6)
        (edit,) = there.heard.said(EventKind.EDIT)
        assert (edit.text, edit.version) == ("canary-release", 2)
        put, taken = there.heard.said(EventKind.REACTION)
        assert (put.text, taken.text) == ("👍", "") and put.version != taken.version
        (recall,) = there.heard.said(EventKind.RECALL)
        assert (recall.text, recall.version) == ("", 3)
        assert len(there.heard.said(EventKind.MEMBERS)[-1].room.members) == 3


async def test_the_bot_posts_once_for_each_key(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        assert await there.chat.find(letter()) is None
        first = await there.chat.send(letter())
        again = await there.chat.send(letter(text="another try", possible_repeat=True))
        assert first == again == await there.chat.find(letter())
        with pytest.raises(Refused, match="no room 'nowhere'"):
            await there.chat.send(letter("other", room="nowhere"))


async def test_the_first_press_settles_the_buttons(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.visitor("bo")
        choices = (Button(label="Yes", value="c1:yes"), Button(label="No", value="c1:no"))
        receipt = await there.chat.send(letter(room="dm-bo", text="May I?", buttons=choices))
        path = f"/api/posts/{receipt.message}/press"
        wrong = await client.post(path, json={"value": "c9:yes"})
        pressed = await client.post(path, json={"value": "c1:yes"})
        late = await client.post(path, json={"value": "c1:no"})
        assert (wrong.status_code, pressed.status_code, late.status_code) == (400, 200, 409)
        assert pressed.json()["chosen"] == {"label": "Yes", "by": "Bo"}
        assert pressed.json()["buttons"] == []
        await there.heard.until(lambda heard: bool(heard.said(EventKind.ACTION)))
        (action,) = there.heard.said(EventKind.ACTION)
        assert (action.text, action.author.id) == ("c1:yes", "bo")


async def test_what_the_bot_could_not_take_is_handed_in_again(tmp_path: Path) -> None:
    heard = Heard()
    async with world(tmp_path, heard=heard) as there:
        heard.broken = True
        client = await there.operator()
        await say(client, "project", "one", "ana")
        await say(client, "project", "two", "ana")
        await heard.until(lambda heard: heard.tries > 5)
        heard.broken = False
        await heard.until(lambda heard: len(heard.said(EventKind.NEW)) == 2)
        assert [event.text for event in heard.said(EventKind.NEW)] == ["one", "two"]


async def test_one_room_that_is_stuck_holds_up_no_other(tmp_path: Path) -> None:
    class Choosy(Heard):
        async def __call__(self, event: Incoming) -> None:
            self.broken = event.text == "poison"
            await super().__call__(event)

    async with world(tmp_path, heard=Choosy()) as there:
        client = await there.operator()
        await say(client, "project", "poison", "ana")
        await say(client, "project", "behind it", "ana")
        await say(client, "board", "elsewhere", "lin")
        await there.heard.until(lambda heard: bool(heard.said(EventKind.NEW)))
        assert [event.text for event in there.heard.said(EventKind.NEW)] == ["elsewhere"]


async def test_a_full_disk_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        path, as_ana = "/api/rooms/project/posts", {"as": "ana"}
        long = {"text": "x" * 30_000}
        await there.db.write(lambda tx: tx.one("PRAGMA max_page_count = 1"))
        answer = await client.post(path, params=as_ana, json=long)
        assert answer.status_code == 503 and "free space" in answer.json()["error"]
        with pytest.raises(Retry, match="free space"):
            await there.chat.send(letter(text="x" * 30_000))
        assert (await client.get(path, params=as_ana)).status_code == 200
        await there.db.write(lambda tx: tx.one("PRAGMA max_page_count = 1000000"))
        assert (await client.post(path, params=as_ana, json=long)).status_code == 201
        await there.chat.send(letter(text="x" * 30_000))


async def test_a_restart_hands_in_what_is_due(tmp_path: Path) -> None:
    deaf = Heard()
    deaf.broken = True
    async with world(tmp_path, heard=deaf) as there:
        await say(await there.operator(), "project", "before the crash", "ana")
    async with world(tmp_path) as there:
        await there.heard.until(lambda heard: bool(heard.said(EventKind.NEW)))
        (event,) = there.heard.said(EventKind.NEW)
        assert event.text == "before the crash"


async def test_nobody_sees_a_room_they_are_not_in(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        lin, bo = await there.visitor("lin"), await there.visitor("bo")
        post = await say(lin, "board", "the budget is cut", "lin")
        rooms = [room["id"] for room in (await bo.get("/api/state")).json()["rooms"]]
        assert "board" not in rooms and "dm-lin" not in rooms and "project" in rooms
        for answer in (
            await bo.get("/api/rooms/board/posts"),
            await bo.post("/api/rooms/board/posts", json={"text": "hello"}),
            await bo.post("/api/rooms/board/join"),
            await bo.get(f"/api/posts/{post['id']}/why"),
            await bo.post(f"/api/posts/{post['id']}/reactions", json={"emoji": "👍", "on": True}),
            await bo.get("/api/rooms/nowhere/posts"),
        ):
            assert answer.status_code == 404
            assert "budget" not in answer.text
        # The stream of another person carries nothing of it either.
        assert not [event for event in await there.store.events("bo", 0) if event.room == "board"]


async def test_a_personal_link_is_one_person_and_no_console(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        bo = await there.visitor("bo")
        state = (await bo.get("/api/state", params={"as": "ana"})).json()
        assert (state["operator"], state["me"]["id"]) == (False, "bo")
        assert (await bo.get("/api/rooms/dm-ana/posts", params={"as": "ana"})).status_code == 403
        for path in (
            "/api/inside/now",
            "/api/inside/files",
            "/api/stories",
            "/api/people/ana/link",
        ):
            assert (await bo.get(path, params={"view": "all"})).status_code == 403
        assert there.views.asked == []


async def test_the_console_is_seen_with_the_eyes_of_the_acting_person(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        await client.get("/api/inside/fires", params={"as": "ana"})
        await client.get("/api/inside/fires", params={"as": "ana", "view": "all"})
        assert there.views.asked == [("fires", "ana"), ("fires", None)]
        assert (await client.get("/api/inside/files", params={"as": "ana"})).status_code == 403
        receipt = await there.chat.send(letter())
        await client.get(f"/api/posts/{receipt.message}/why", params={"as": "lin"})
        assert there.views.asked[-1] == (f"why web:local/project#{receipt.message}", "lin")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:8765"}, 421),
        ({"host": ""}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
    ],
)
async def test_foreign_names_and_origins_are_refused(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        answer = await client.post(
            "/api/rooms/project/posts", params={"as": "ana"}, json={"text": "x"}, headers=headers
        )
        assert answer.status_code == status
        assert answer.json()["error"]


async def test_a_wrong_token_meets_a_plain_page(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = there.client()
        for path in ("/", "/?token=wrong", "/?token=", "/join/abc", "/join/YW5h.AAAA"):
            answer = await client.get(path)
            assert answer.status_code == 403
            assert answer.headers["content-type"].startswith("text/html")
        assert (await client.get("/api/state")).status_code == 403
        bearer = {"authorization": "Bearer nope"}
        assert (await client.get("/api/state", headers=bearer)).status_code == 403
        right = {"authorization": f"Bearer {TOKEN}", "origin": ""}
        answer = await client.post(
            "/api/rooms/project/posts", params={"as": "ana"}, json={"text": "x"}, headers=right
        )
        assert answer.status_code == 201


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b'{"text": "' + b"x" * 1_000_000 + b'"}', "application/json", 413),
        (json.dumps({"text": "x" * 32_001}).encode(), "application/json", 413),
        (b"\x00\x01\xff\xfe", "application/octet-stream", 415),
        (b"\x00\x01\xff\xfe", "application/json", 400),
        (b'{"text": ', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'["text"]', "application/json", 400),
        (b'{"text": 7}', "application/json", 400),
        (b'{"text": "  \\n "}', "application/json", 400),
        (b'{"text": "\\ud800"}', "application/json", 400),
        (b'{"text": "x", "reply_to": "99999"}', "application/json", 404),
        (b'{"text": "x", "thread": "../1"}', "application/json", 404),
    ],
)
async def test_bad_input_gets_a_clear_answer_and_the_rest_goes_on(
    tmp_path: Path, body: bytes, kind: str, status: int
) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        path = "/api/rooms/project/posts"
        answer = await client.post(
            path, params={"as": "ana"}, content=body, headers={"content-type": kind}
        )
        assert answer.status_code == status, answer.text
        assert answer.json()["error"]
        await say(client, "project", "still here", "ana")


async def test_every_answer_carries_safe_headers(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        for path in ("/", "/api/state", "/static/base.css", "/nowhere"):
            headers = (await client.get(path)).headers
            assert "script-src 'self'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
        cookie = (await client.get("/", params={"token": TOKEN})).headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie
        assert TOKEN not in cookie


async def test_threads_quotes_unread_and_pages(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        root = await say(client, "project", "root", "ana")
        await say(client, "project", "in the thread", "bo", thread=root["id"])
        for number in range(4):
            await say(client, "project", f"post {number}", "bo")
        as_ana = {"as": "ana"}
        page = (
            await client.get("/api/rooms/project/posts", params={**as_ana, "limit": "3"})
        ).json()
        assert [post["text"] for post in page["posts"]] == ["post 1", "post 2", "post 3"]
        assert page["more"]
        older = {**as_ana, "limit": "3", "before": page["posts"][0]["id"]}
        page = (await client.get("/api/rooms/project/posts", params=older)).json()
        assert [post["text"] for post in page["posts"]] == ["root", "post 0"]
        assert page["posts"][0]["replies"] == 1 and not page["more"]
        inside = {**as_ana, "thread": root["id"]}
        thread = (await client.get("/api/rooms/project/posts", params=inside)).json()["posts"]
        assert [post["text"] for post in thread] == ["root", "in the thread"]
        rooms = {
            r["id"]: r for r in (await client.get("/api/state", params=as_ana)).json()["rooms"]
        }
        assert rooms["project"]["unread"] == 5
        await client.post("/api/rooms/project/read", params=as_ana)
        rooms = {
            r["id"]: r for r in (await client.get("/api/state", params=as_ana)).json()["rooms"]
        }
        assert rooms["project"]["unread"] == 0


async def test_rooms_and_people_are_made_in_the_page(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        as_ana = {"as": "ana"}
        made = await client.post("/api/people", json={"name": "小林", "about": "测试"})
        assert made.status_code == 201
        room = await client.post(
            "/api/rooms",
            params=as_ana,
            json={"title": "#发布", "access": "private", "members": [made.json()["id"]]},
        )
        assert room.status_code == 201
        assert room.json()["members"] == ["ana", made.json()["id"]]
        twice = {"title": "发布", "access": "open", "members": []}
        assert (await client.post("/api/rooms", params=as_ana, json=twice)).status_code == 409
        assert (await client.post("/api/people", json={"name": "ana"})).status_code == 409
        await say(client, f"dm-{made.json()['id']}", "你好", made.json()["id"])


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


async def test_the_stream_is_live_and_resumes_after_the_last_event(tmp_path: Path) -> None:
    async with world(tmp_path, serve=True) as there:
        url = f"{await there.chat.started()}/api/events?as=ana"
        bearer = {"authorization": f"Bearer {TOKEN}"}
        events = stream(url + "&after=0", bearer)
        await there.store.say("ana", "project", "first")
        first = await until(events, "post")
        assert json.loads(first["data"])["post"]["text"] == "first"
        await there.chat.show_working(letter().room, True)
        assert json.loads((await until(events, "thinking"))["data"]) == [
            {"room": "project", "thread": None}
        ]
        there.views.change()
        await until(events, "inside")
        await events.aclose()  # type: ignore[attr-defined]
        await there.chat.send(letter())
        resumed = stream(url, {**bearer, "last-event-id": first["id"]})
        again = json.loads((await until(resumed, "post"))["data"])["post"]
        assert again["author"] == {"id": "bot", "name": "Limen"}
        assert "<strong>canary-release</strong>" in again["html"]
        await resumed.aclose()  # type: ignore[attr-defined]


async def test_a_port_in_use_is_told_with_its_key(tmp_path: Path) -> None:
    async with world(tmp_path, serve=True) as there:
        port = int((await there.chat.started()).rpartition(":")[2])
        settings = WebSettings(token=TOKEN, bot_name="Limen", port=port)
        second = WebChat(there.store, settings, Clock(), _forever, FakeViews())
        with pytest.raises(AdapterError, match=rf"port {port} .* web\.port"):
            await second.run(there.heard)
        with pytest.raises(AdapterError, match="in use"):
            await second.started()


async def _forever(seconds: float) -> None:
    await asyncio.Event().wait()


async def test_a_large_body_over_a_real_socket_is_answered(tmp_path: Path) -> None:
    async with world(tmp_path, serve=True) as there:
        url = await there.chat.started()
        headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
        async with httpx.AsyncClient(base_url=url, headers=headers) as client:
            path = "/api/rooms/project/posts?as=ana"
            large = await client.post(path, content=b'{"text": "' + b"x" * 4_000_000 + b'"}')
            assert large.status_code == 413 and "1 MB" in large.json()["error"]
            assert (await client.post(path, json={"text": "fits"})).status_code == 201


async def test_stopping_ends_open_streams_at_once(tmp_path: Path) -> None:
    async with world(tmp_path, serve=True) as there:
        url = f"{await there.chat.started()}/api/events?as=ana&after=0"
        events = stream(url, {"authorization": f"Bearer {TOKEN}"})
        await until(events, "people")
    async with asyncio.timeout(2):
        rest = [event async for event in events]
    assert all(event["event"] in ("people", "rooms") for event in rest)


async def test_without_serving_the_platform_still_works(tmp_path: Path) -> None:
    async with Database(tmp_path / "web.db") as db:
        await db.write(_tables)
        store = WebRooms(db, Clock())
        await store.seed([PersonSeed(id="ana", name="Ana")], [])
        heard = Heard()
        settings = WebSettings(token="", bot_name="Limen", serve=False)
        chat = WebChat(store, settings, Clock(), _forever, FakeViews())
        running = asyncio.create_task(chat.run(heard))
        await store.say("ana", "dm-ana", "你好")
        await heard.until(lambda heard: bool(heard.said(EventKind.NEW)))
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
