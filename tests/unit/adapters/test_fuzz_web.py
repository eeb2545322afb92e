"""Requests bent by hypothesis, over real sockets to a real house: answered or refused by name.

Every example is one request as it stands on the wire. No answer may be a server error, a refusal
under `/api/` is JSON with one line, and an ordinary message is posted and stored afterwards.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app import system_sleep
from tests.fakes.live import Live, live_house
from tests.fakes.mutations import bent, example_settings, nasty_text
from tests.fakes.web_platform import TOKEN, WebPlatform

LONG_S, SHORT_S = 20.0, 0.05
"""How long an answer is waited for; not long where it may be the server that waits."""
LENGTHS = {"content-length", "transfer-encoding"}
EXAMPLES = example_settings(80)
RAW = example_settings(40)

CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("GET", "/api/state", {}),
    ("POST", "/api/people", {"name": "Zoe", "about": "designs"}),
    ("GET", "/api/people/ana/link", {}),
    ("POST", "/api/rooms", {"title": "garden", "access": "open", "members": ["ana", "lin"]}),
    ("POST", "/api/rooms/general/join", {}),
    ("POST", "/api/rooms/general/leave", {}),
    ("POST", "/api/rooms/general/members", {"person": "lin"}),
    ("POST", "/api/rooms/general/read", {}),
    ("GET", "/api/rooms/general/posts", {}),
    ("POST", "/api/rooms/general/posts", {"text": "hello", "thread": "1", "reply_to": "1"}),
    ("PATCH", "/api/posts/1", {"text": "hello again"}),
    ("DELETE", "/api/posts/1", {}),
    ("POST", "/api/posts/1/reactions", {"emoji": "👍", "on": True}),
    ("POST", "/api/posts/1/press", {"value": "yes"}),
    ("GET", "/api/posts/1/why", {}),
    ("GET", "/api/inside/now", {}),
    ("GET", "/api/inside/fires", {}),
    ("GET", "/api/inside/report", {}),
    ("GET", "/api/inside/run/r1", {}),
    ("GET", "/api/inbox", {}),
    ("GET", "/api/report", {}),
    ("GET", "/api/stories", {}),
    ("POST", "/api/stories/play", {"story": "release-path"}),
    ("GET", "/api/events", {}),
    ("GET", "/join/YW5h.abc", {}),
    ("GET", "/", {}),
    ("GET", "/static/app.js", {}),
]
METHODS = ("PUT", "HEAD", "OPTIONS", "TRACE", "BREW")
NAMES = ("as", "view", "before", "thread", "limit", "day", "language", "after", "token")
HEADERS = ("last-event-id", "authorization", "cookie", "host", "origin", "content-type", "accept",
           "x-forwarded-host", "content-length", "transfer-encoding", "sec-fetch-site")  # fmt: skip
KINDS = (
    b"application/json", b"application/json; charset=utf-8", b"multipart/form-data; boundary=x",
    b"application/x-www-form-urlencoded", b"text/plain", b"", b"\xff", None,
)  # fmt: skip
VALUES = {
    "host": (b"localhost:99999999", b"localhost:x", b"[::1", b"[", b"", b"127.0.0.1:-1", None),
    "origin": (b"http://[", b"null", b"http://127.0.0.1:99999999", b"//", b"http://\xff"),
    "cookie": (b"limen-80=a.b", b"limen-80=\xff.\xff", b"=;=;", b"limen-80=====."),
    "authorization": (b"Bearer", b"Bearer \xff", b"Basic eA==", b"", None),
    "last-event-id": (b"0", b"999999999999999999", b"-1", "²".encode(), b"9" * 400),
    "content-length": (b"0", b"1", b"-1", b"1e3", b"99999999999999999999", None),
    "transfer-encoding": (b"chunked", b"gzip", b"identity"),
}


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    kind: str
    body: bytes
    cookie: str = ""


class Door:
    """A house with its web server, alive from example to example."""

    def __init__(self, folder: Path) -> None:
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._said = 0
        self._live: Live = self._runner.run(self._open(folder))
        assert self._live.house.web is not None
        url = urlsplit(self._runner.run(self._live.house.web.started()))
        self.host, self._port = url.netloc, url.port
        self.cookie = self._enter()
        """The operator's, as a browser sends it."""

    async def _open(self, folder: Path) -> Live:
        platform = await self._stack.enter_async_context(WebPlatform())
        house = live_house(folder, platform, agency__enabled="false")
        return await self._stack.enter_async_context(house)

    def _enter(self) -> bytes:
        answer = self.ask(request("GET", f"/?token={TOKEN}".encode(), self.host))
        assert answer is not None and answer.status == 303
        return answer.cookie.encode()

    def ask(self, raw: bytes, *, patience_s: float = LONG_S) -> Answer | None:
        """What comes back; None where the connection was closed without a word."""
        return self._runner.run(self._ask(raw, patience_s))

    async def _ask(self, raw: bytes, patience_s: float) -> Answer | None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            async with asyncio.timeout(patience_s):
                writer.write(raw)
                return await _answer(reader, raw.startswith(b"HEAD "))
        except (ConnectionError, TimeoutError, asyncio.IncompleteReadError):
            return None
        finally:
            writer.close()

    def say(self, text: str) -> None:
        """An ordinary message is posted."""
        body = json.dumps({"text": text}).encode()
        answer = self.ask(request("POST", b"/api/rooms/general/posts?as=lin", self.host, body))
        assert answer is not None and answer.status == 201, answer

    def follow(self, last: bytes, text: str) -> bytes:
        """What a page that saw so much is told once somebody says something."""
        return self._runner.run(self._follow(last, text))

    async def _follow(self, last: bytes, text: str) -> bytes:
        target = b"/api/events?as=ana"
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            async with asyncio.timeout(10):
                writer.write(request("GET", target, self.host, **{"last-event-id": last}))
                await reader.readuntil(b"retry: 1000")
                await self._live.house.rooms.say("lin", "general", text)
                return await reader.readuntil(b"event: post") + await reader.readuntil(b"html")
        finally:
            writer.close()

    def goes_on(self) -> None:
        """An ordinary message is posted and stored by the house."""
        self._said += 1
        text = f"ordinary message {self._said}"
        self.say(text)
        self._runner.run(self._kept(text))

    async def _kept(self, text: str) -> None:
        async with asyncio.timeout(20):
            sql = "SELECT 1 FROM originals WHERE body = :text"
            while not await self._live.rows(sql, text=text):
                await system_sleep(0.002)
        assert not self._live.living.done()

    def close(self) -> None:
        self._runner.run(self._stack.aclose())
        self._runner.close()


async def _answer(reader: asyncio.StreamReader, head_only: bool) -> Answer | None:
    first = await reader.readline()
    if not first:
        return None
    headers = {}
    while line := (await reader.readline()).strip():
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    kind = headers.get("content-type", "")
    if kind.startswith("text/event-stream"):
        body = await reader.readline()  # the rest never ends
    elif head_only or "content-length" not in headers:
        body = b""
    else:
        body = await reader.readexactly(int(headers["content-length"]))
    cookie = headers.get("set-cookie", "").partition(";")[0]
    return Answer(int(first.split()[1]), kind, body, cookie)


def request(
    method: str, target: bytes, host: str, body: bytes = b"", /, **headers: bytes | None
) -> bytes:
    """A request as it stands on the wire; a header that is None is left out."""
    given: dict[str, bytes | None] = {
        "host": host.encode(),
        "authorization": f"Bearer {TOKEN}".encode(),
        "content-type": b"application/json",
        "content-length": str(len(body)).encode(),
        "connection": b"close",
    }
    given |= headers
    lines = [name.encode() + b": " + value for name, value in given.items() if value is not None]
    return b"\r\n".join([method.encode() + b" " + target + b" HTTP/1.1", *lines, b"", body])


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    made = Door(tmp_path_factory.mktemp("door"))
    yield made
    made.close()


def assert_told(answer: Answer, target: bytes) -> None:
    """It is no server error, and a refusal says in one line what is wrong."""
    assert answer.status < 500, answer
    if answer.status < 400 or answer.body.startswith(b"Invalid HTTP request received"):
        return
    if target.startswith(b"/api/") and answer.body:
        error = json.loads(answer.body)["error"]
        assert isinstance(error, str) and error and len(error) < 1000
        assert "Traceback" not in error


def path_bytes(text: str) -> bytes:
    return quote(text.encode("utf-8", "surrogatepass"), safe="").encode()


def header_bytes(text: str) -> bytes:
    raw = text[:4000].encode("utf-8", "surrogatepass")
    return raw.translate(None, b"\r\n\0")


@EXAMPLES
@given(data=st.data())
def test_a_bent_body_is_taken_or_refused(door: Door, data: st.DataObject) -> None:
    method, path, whole = data.draw(st.sampled_from([call for call in CALLS if call[2]]))
    body = json.dumps(data.draw(bent([whole]))).encode()
    cut = data.draw(st.none() | st.integers(0, min(len(body), 60)))
    body = body if cut is None else body[:cut] + data.draw(st.binary(max_size=8)) + body[cut:]
    target = f"{path}?as=ana".encode()
    kind = data.draw(st.sampled_from(KINDS))
    answer = door.ask(request(method, target, door.host, body, **{"content-type": kind}))
    assert answer is not None
    assert_told(answer, target)
    door.goes_on()


@EXAMPLES
@given(data=st.data())
def test_a_bent_path_query_or_header_is_answered(door: Door, data: st.DataObject) -> None:
    usual, path, body = data.draw(st.sampled_from(CALLS))
    method = data.draw(st.just(usual) | st.sampled_from(METHODS))
    parts = path.split("/")[1:]
    if data.draw(st.booleans()):
        parts[data.draw(st.integers(0, len(parts) - 1))] = "\0"
    odd = nasty_text().map(lambda text: text[:3000])
    target = b"/" + b"/".join(
        path_bytes(data.draw(odd)) if part == "\0" else part.encode() for part in parts
    )
    query = [b"as=ana"] if data.draw(st.booleans()) else []
    named = data.draw(st.lists(st.sampled_from(NAMES), max_size=3))
    query += [name.encode() + b"=" + path_bytes(data.draw(odd)) for name in named]
    target += b"?" + b"&".join(query) if query else b""
    names = data.draw(st.lists(st.sampled_from(HEADERS), min_size=1, max_size=2, unique=True))
    browser: dict[str, bytes | None] = {"authorization": None, "cookie": door.cookie}
    browser |= {"origin": f"http://{door.host}".encode()}
    headers = browser if data.draw(st.booleans()) else {}
    headers = headers | {name: _value(data, name) for name in names}
    raw = request(method, target, door.host, json.dumps(body).encode(), **headers)
    answer = door.ask(raw, patience_s=SHORT_S if LENGTHS & set(names) else LONG_S)
    if answer is None:
        assert LENGTHS & set(names), "only a body whose end is not told may be waited for"
    else:
        assert_told(answer, target)
    door.goes_on()


def _value(data: st.DataObject, name: str) -> bytes | None:
    if name in VALUES and data.draw(st.booleans()):
        return data.draw(st.sampled_from(VALUES[name]))
    return header_bytes(data.draw(nasty_text()))


@RAW
@given(data=st.data())
def test_bytes_that_are_no_request_disturb_nobody(door: Door, data: st.DataObject) -> None:
    body = b'{"text": "hello"}'
    whole = request("POST", b"/api/rooms/general/posts?as=ana", door.host, body)
    cut, gap = data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, 5))
    raw = whole[:cut] + data.draw(st.binary(max_size=30)) + whole[cut + gap :]
    answer = door.ask(raw, patience_s=SHORT_S)
    assert answer is None or answer.status < 500, answer
    door.goes_on()


@pytest.mark.parametrize("origin", [b"http://[", b"http://[::1", b"null", b""])
def test_an_origin_that_is_none_is_refused(door: Door, origin: bytes) -> None:
    headers: dict[str, bytes | None] = {"authorization": None, "cookie": door.cookie}
    target, body = b"/api/rooms/general/posts?as=ana", b'{"text": "hello"}'
    answer = door.ask(request("POST", target, door.host, body, **headers, origin=origin))
    assert answer is not None and answer.status == 403, answer
    assert "own page" in json.loads(answer.body)["error"]


def test_a_zero_sign_is_seen_to_have_been_there(door: Door) -> None:
    target, body = b"/api/rooms/general/posts?as=lin", b'{"text": "one\\u0000two"}'
    answer = door.ask(request("POST", target, door.host, body))
    assert answer is not None and json.loads(answer.body)["text"] == "one\ufffdtwo"


def test_a_page_that_remembers_more_than_there_is_hears_what_comes(door: Door) -> None:
    assert b"after the end" in door.follow(b"999999999999999999", "after the end")
