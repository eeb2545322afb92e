"""Who is let in to the web chat, what they may see, and what bad input is told."""

import json
from pathlib import Path

import httpx
import pytest

from adapters.errors import Retry
from tests.fakes.web_world import TOKEN, letter, say, world


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
            "/api/inside/budget",
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
        for tab in ("files", "budget"):
            path = f"/api/inside/{tab}"
            assert (await client.get(path, params={"as": "ana"})).status_code == 403
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


async def test_a_large_body_over_a_real_socket_is_answered(tmp_path: Path) -> None:
    async with world(tmp_path, serve=True) as there:
        url = await there.chat.started()
        headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
        async with httpx.AsyncClient(base_url=url, headers=headers) as client:
            path = "/api/rooms/project/posts?as=ana"
            large = await client.post(path, content=b'{"text": "' + b"x" * 4_000_000 + b'"}')
            assert large.status_code == 413 and "1 MB" in large.json()["error"]
            assert (await client.post(path, json={"text": "fits"})).status_code == 201
