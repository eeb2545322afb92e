"""The web chat by the law of `Chat`, and its live stream, through its own door."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import pytest

from adapters.chat import Button, EventKind, Incoming, RoomKind
from adapters.errors import AdapterError, Refused
from adapters.web.chat import WebChat
from adapters.web.errors import Unavailable
from adapters.web.rooms import PersonSeed
from adapters.web.settings import WebSettings
from bot.web.rooms import WebRooms
from memory.db import Database
from tests.fakes.web_views import FakeViews
from tests.fakes.web_world import (
    TOKEN,
    Clock,
    Heard,
    forever,
    letter,
    say,
    stream,
    tables,
    until,
    world,
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


async def test_a_person_posts_once_for_each_key(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        first = await say(client, "project", "On Friday.", "ana", key="k1")
        again = await say(client, "project", "On Friday.", "ana", key="k1")
        other = await say(client, "project", "On Friday.", "ana", key="k2")
        assert first["id"] == again["id"] != other["id"]
        assert again["text"] == "On Friday."
        path, taken = "/api/rooms/project/posts", {"text": "Mine", "key": "k1"}
        answer = await client.post(path, params={"as": "bo"}, json=taken)
        assert answer.status_code == 409 and "Friday" not in answer.text
        await there.heard.until(lambda heard: len(heard.said(EventKind.NEW)) == 2)
        sql = "SELECT COUNT(*) AS n FROM web_events WHERE kind = 'new'"
        rows = await there.db.read(lambda reader: reader.all(sql))
        assert rows[0]["n"] == 2


async def test_nothing_of_a_key_is_kept(tmp_path: Path) -> None:
    async with world(tmp_path) as there:
        client = await there.operator()
        await say(client, "project", "On Friday.", "ana", key="Ana at the lighthouse")
        sql = "SELECT letter FROM web_posts WHERE letter IS NOT NULL"
        (kept,) = await there.db.read(lambda reader: reader.all(sql))
        assert "lighthouse" not in kept["letter"]


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


async def test_what_can_never_be_taken_holds_up_its_room_for_a_few_tries(tmp_path: Path) -> None:
    class Allergic(Heard):
        async def __call__(self, event: Incoming) -> None:
            if event.text == "poison":
                self.tries += 1
                raise ValueError("this can never be read")
            await super().__call__(event)

    async with world(tmp_path, heard=Allergic()) as there:
        client = await there.operator()
        await say(client, "project", "poison", "ana")
        await say(client, "project", "behind it", "ana")
        await there.heard.until(lambda heard: bool(heard.said(EventKind.NEW)))
        assert [event.text for event in there.heard.said(EventKind.NEW)] == ["behind it"]
        posts = await there.store.posts("project")
        assert [post.text for post in posts] == ["poison", "behind it"], "nothing is lost"


async def test_a_store_that_cannot_be_read_for_a_while_loses_nothing(tmp_path: Path) -> None:
    class Away(Heard):
        async def __call__(self, event: Incoming) -> None:
            self.tries += 1
            if self.tries <= 9:
                raise Unavailable("the disk is away")
            await super().__call__(event)

    async with world(tmp_path, heard=Away()) as there:
        client = await there.operator()
        await say(client, "project", "one", "ana")
        await there.heard.until(lambda heard: bool(heard.said(EventKind.NEW)))
        assert [event.text for event in there.heard.said(EventKind.NEW)] == ["one"]


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


async def test_a_restart_hands_in_what_is_due(tmp_path: Path) -> None:
    deaf = Heard()
    deaf.broken = True
    async with world(tmp_path, heard=deaf) as there:
        await say(await there.operator(), "project", "before the crash", "ana")
    async with world(tmp_path) as there:
        await there.heard.until(lambda heard: bool(heard.said(EventKind.NEW)))
        (event,) = there.heard.said(EventKind.NEW)
        assert event.text == "before the crash"


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
        for taken in ("ana", "limen"):  # and nobody is called like the bot
            answer = await client.post("/api/people", json={"name": taken})
            assert answer.status_code == 409
        await say(client, f"dm-{made.json()['id']}", "你好", made.json()["id"])


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
        second = WebChat(there.store, settings, Clock(), forever, FakeViews())
        with pytest.raises(AdapterError, match=rf"port {port} .* web\.port"):
            await second.run(there.heard)
        with pytest.raises(AdapterError, match="in use"):
            await second.started()


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
        await db.write(tables)
        store = WebRooms(db, Clock())
        await store.seed([PersonSeed(id="ana", name="Ana")], [])
        heard = Heard()
        settings = WebSettings(token="", bot_name="Limen", serve=False)
        chat = WebChat(store, settings, Clock(), forever, FakeViews())
        running = asyncio.create_task(chat.run(heard))
        await store.say("ana", "dm-ana", "你好")
        await heard.until(lambda heard: bool(heard.said(EventKind.NEW)))
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def test_two_seeded_people_of_one_name_are_told_apart(tmp_path: Path) -> None:
    async with Database(tmp_path / "web.db") as db:
        await db.write(tables)
        store = WebRooms(db, Clock())
        people = [PersonSeed(id="anna-k", name="Anna"), PersonSeed(id="anna-m", name="Anna")]
        for _ in range(2):  # a second start changes nothing
            await store.seed(people, [])
        assert [one.name for one in await store.people()] == ["Anna", "Anna (anna-m)"]
