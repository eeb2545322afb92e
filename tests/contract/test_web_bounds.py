"""How many changes the web chat works on at one time: over real sockets to a real server.

A change is held on its way by a body that has not come to its end.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from adapters.web.errors import Busy, TooSlow
from adapters.web.settings import Bounds
from tests.fakes.web_world import TOKEN, World, world

FEW = Bounds(together=5, share=2)
PATH = "/api/rooms/project/posts"
CHINESE = {"accept-language": "zh-CN,zh;q=0.9,en;q=0.8"}
BEARER = {"authorization": f"Bearer {TOKEN}"}


class Held:
    """A change whose body has not ended."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def end(self) -> int:
        """Send the rest; the status of the answer."""
        self._writer.write(b'"}')
        return await self.answered()

    async def answered(self) -> int:
        line = await self._reader.readline()
        return int(line.split()[1])

    async def hang_up(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def closed(self) -> bool:
        """Whether the server ends the connection after its answer."""
        await self._reader.read()
        return True


class Door:
    """A served web chat, and those who send to it."""

    def __init__(self, there: World, url: str, http: httpx.AsyncClient) -> None:
        self.there = there
        self.http = http
        self._port = urlsplit(url).port
        self._open: list[Held] = []

    async def hold(self, who: str, text: str = "held") -> Held:
        """Begin a change of somebody's and do not end it; returns once it is being worked on."""
        body = json.dumps({"text": text}).encode()
        head = (
            f"POST {PATH}?as={who} HTTP/1.1\r\nhost: 127.0.0.1:{self._port}\r\n"
            f"authorization: Bearer {TOKEN}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nexpect: 100-continue\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        held = Held(reader, writer)
        self._open.append(held)
        writer.write(head.encode() + body[:-2])
        # Whoever asks for it is told to go on once the body is read.
        assert await held.answered() == 100
        assert await reader.readline() == b"\r\n"
        return held

    async def say(self, who: str, text: str = "hello", **headers: str) -> httpx.Response:
        return await self.http.post(
            PATH, params={"as": who}, json={"text": text}, headers=BEARER | headers
        )

    async def texts(self) -> Counter[str]:
        """What is stored, and how often."""
        sql = "SELECT body FROM web_posts"
        rows: list[Any] = await self.there.db.read(lambda reader: list(reader.all(sql)))
        return Counter(row["body"] for row in rows)

    async def aclose(self) -> None:
        for held in self._open:
            await held.hang_up()


@asynccontextmanager
async def served(tmp_path: Path, bounds: Bounds) -> AsyncIterator[Door]:
    async with asyncio.timeout(60), world(tmp_path, serve=True, bounds=bounds) as there:
        url = await there.chat.started()
        # as many connections as asked for
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=url, limits=limits, trust_env=False) as http:
            door = Door(there, url, http)
            try:
                yield door
            finally:
                await door.aclose()


async def test_one_above_is_told_to_come_again_and_is_not_stored(tmp_path: Path) -> None:
    async with served(tmp_path, FEW) as door:
        held = [await door.hold("ana", f"held {n}") for n in range(FEW.share)]
        refused = await door.say("ana", "once more")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert refused.json() == {"error": str(Busy())}
        # Whoever stands beside them is not held up, and reading never is.
        assert (await door.say("bo", "beside")).status_code == 201
        read = await door.http.get(PATH, params={"as": "ana"}, headers=BEARER)
        assert [post["text"] for post in read.json()["posts"]] == ["beside"]
        assert [await one.end() for one in held] == [201, 201]
        assert (await door.say("ana", "once more")).status_code == 201
        assert await door.texts() == Counter(["held 0", "held 1", "beside", "once more"])


async def test_all_together_are_bounded_too(tmp_path: Path) -> None:
    async with served(tmp_path, Bounds(together=2, share=2)) as door:
        held = [await door.hold(who) for who in ("ana", "bo")]
        assert (await door.say("ana")).status_code == 429
        assert await held[0].end() == 201
        assert (await door.say("ana")).status_code == 201


async def test_a_person_and_the_operator_who_acts_as_them_count_apart(tmp_path: Path) -> None:
    async with served(tmp_path, FEW) as door:
        link = await door.http.get("/api/people/ana/link", headers=BEARER)
        entered = await door.http.get(link.json()["link"])
        cookie = entered.headers["set-cookie"].partition(";")[0]
        own = {"cookie": cookie, "origin": str(door.http.base_url).rstrip("/")}
        for _ in range(FEW.share):
            await door.hold("ana")
        assert (await door.say("ana")).status_code == 429
        answer = await door.http.post(PATH, json={"text": "myself"}, headers=own)
        assert answer.status_code == 201


@pytest.mark.parametrize("path", [PATH, "/"])
async def test_it_is_told_in_the_language_of_the_reader(tmp_path: Path, path: str) -> None:
    async with served(tmp_path, Bounds(together=1, share=1)) as door:
        await door.hold("ana")
        for headers, words in (({}, str(Busy())), (CHINESE, Busy.chinese)):
            answer = await door.http.post(path, params={"as": "ana"}, headers=BEARER | headers)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
            assert (answer.json()["error"] if path == PATH else answer.text).count(words) == 1
        assert path == PATH or '<html lang="zh">' in answer.text


async def test_a_body_that_trickles_in_gives_its_place_back(tmp_path: Path) -> None:
    bounds = Bounds(together=1, share=1, body_s=0.05)
    async with served(tmp_path, bounds) as door:
        slow = await door.hold("ana")
        assert await slow.answered() == TooSlow.status
        assert await slow.closed()
        assert (await door.say("ana")).status_code == 201
        assert await door.texts() == Counter(["hello"])


async def test_who_hangs_up_gives_their_place_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(tmp_path, Bounds(together=1, share=1)) as door:
        gone = await door.hold("ana")
        assert (await door.say("ana")).status_code == 429
        await gone.hang_up()
        while (await door.say("ana")).status_code == 429:
            pass
        assert await door.texts() == Counter(["hello"])
    assert "Traceback" not in caplog.text
    assert caplog.text.count("told to wait") == 1, "said once, however often it is refused"


async def test_who_is_refused_by_the_chat_itself_holds_no_place(tmp_path: Path) -> None:
    async with served(tmp_path, Bounds(together=1, share=1)) as door:
        for _ in range(3):
            assert (await door.say("nobody")).status_code == 404
            stranger = await door.http.post(PATH, headers={"authorization": "Bearer wrong"})
            assert stranger.status_code == 403
        assert (await door.say("ana")).status_code == 201


async def test_a_loop_that_sends_again_what_was_refused_stores_each_once(tmp_path: Path) -> None:
    async with served(tmp_path, FEW) as door:
        refused = 0

        async def insist(who: str, text: str) -> None:
            nonlocal refused
            while (status := (await door.say(who, text)).status_code) == 429:
                refused += 1
            assert status == 201

        texts = [f"number {n}" for n in range(60)]
        await asyncio.gather(*(insist(("ana", "bo")[n % 2], text) for n, text in enumerate(texts)))
        assert refused > 0
        assert await door.texts() == Counter(texts)


async def test_people_and_their_browsers_never_meet_it(tmp_path: Path) -> None:
    async with served(tmp_path, Bounds()) as door:
        said = [door.say(who, f"{n}") for who in ("ana", "bo") for n in range(Bounds().share)]
        answers = await asyncio.gather(*said)
        assert {answer.status_code for answer in answers} == {201}
