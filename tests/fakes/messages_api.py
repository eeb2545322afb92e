"""A Messages API on the loopback: the real wire, scripted or delegated answers, and its faults.

    async with MessagesApi([says("hello"), Failure(529)]) as api:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))

What the real API refuses (`messages_rules`) is refused here with the same shape of error.
"""

import asyncio
import inspect
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, StreamingResponse
from starlette.responses import Response as HttpResponse
from starlette.routing import Route

from bot.models.model import Model, Response
from tests.fakes import messages_rules
from tests.fakes.messages_wire import (
    Answer,
    Break,
    Failure,
    Foreign,
    Reply,
    error_event,
    error_of,
    events_of,
    message_of,
    reply_of,
    request_of,
    size_of,
    sse,
    wired,
)

VERSION = "2026-10-21"
Author = Callable[[dict[str, Any]], Reply | Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request as it came."""

    headers: dict[str, str]
    body: dict[str, Any]


class MessagesApi:
    """The server; `answer` is a list played in order, or a function of the request's body."""

    def __init__(
        self,
        answer: Iterable[Reply] | Author,
        *,
        key: str = "test-key",
        models: Iterable[str] | None = None,
        context_tokens: int | None = None,
        port: int = 0,
    ) -> None:
        self.key = key
        self._port = port
        self.requests: list[Recorded] = []
        self.replies: list[Answer | Failure] = []
        """What was answered, apart from what the rules refused."""
        self.ports: set[int] = set()
        """The callers' ports: one for each connection."""
        self.streaming = asyncio.Event()
        """Set once a first stream has begun."""
        self.left = asyncio.Event()
        """Set once a caller has left a stream before its end."""
        self._author = answer if callable(answer) else _played(answer)
        self._models = set(models) if models is not None else None
        self._context_tokens = context_tokens
        self._signed: dict[str, str] = {}
        self._closing = asyncio.Event()

    @classmethod
    def of(cls, model: Model, **options: Any) -> Self:
        """Answers by asking any model of ours."""

        async def author(body: dict[str, Any]) -> Response:
            return await model.complete(request_of(body))

        return cls(author, **options)

    @classmethod
    def recorded(cls, path: Path, **options: Any) -> Self:
        """Plays a JSON file: a list of `{"content": […], "stop": …}` or `{"status": 429, …}`."""
        return cls(map(reply_of, json.loads(path.read_text(encoding="utf-8"))), **options)

    def recording(self) -> str:
        """The replies so far, as JSON that `recorded` plays again."""
        return json.dumps([asdict(r) for r in self.replies], ensure_ascii=False, indent=1)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The bodies of all requests so far."""
        return [request.body for request in self.requests]

    async def __aenter__(self) -> Self:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self._port))
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        routes = [Route("/v1/messages", self._receive, methods=["POST"])]
        if self._models is not None:  # other endpoints keep no list
            routes.append(Route("/v1/models/{name}", self._described))
        app = Starlette(routes=routes)
        config = uvicorn.Config(app, log_config=None, lifespan="off", ws="none", access_log=False)
        config.load()
        self._server = uvicorn.Server(config)
        self._server.lifespan = config.lifespan_class(config)
        await self._server.startup(sockets=[listener])
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # The server's own shutdown would wait on the wall clock.
        self._closing.set()
        for server in self._server.servers:
            server.close()
        for connection in list(self._server.server_state.connections):
            connection.transport.close()
        tasks = list(self._server.server_state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _receive(self, http: HttpRequest) -> HttpResponse:
        body = json.loads(await http.body())
        self.requests.append(Recorded(dict(http.headers), body))
        self.ports.add(http.client.port if http.client else 0)
        failure = self._refusal(http, body)
        if failure:
            return _failed(failure)
        reply = self._author(body)
        if inspect.isawaitable(reply):
            reply = await reply
        match reply:
            case Foreign():
                return HttpResponse(reply.text, media_type=reply.content_type)
            case Response():
                reply = wired(reply)
        self.replies.append(reply)
        if isinstance(reply, Failure):
            return _failed(reply)
        return self._answered(http, reply, body)

    async def _described(self, http: HttpRequest) -> HttpResponse:
        name = http.path_params["name"]
        failure = self._stranger(http)
        if failure is None and name not in (self._models or ()):
            failure = Failure(404, "not_found_error", f"model: {name}")
        if failure:
            return _failed(failure)
        shown = {"type": "model", "id": name, "display_name": name}
        return JSONResponse(shown | {"created_at": "2026-10-01T00:00:00Z"})

    def _stranger(self, http: HttpRequest) -> Failure | None:
        if http.headers.get("authorization") != f"Bearer {self.key}":
            return Failure(401, "authentication_error", "invalid bearer token")
        if http.headers.get("anthropic-version") != VERSION:
            return Failure(400, message="anthropic-version: header is required")
        return None

    def _refusal(self, http: HttpRequest, body: dict[str, Any]) -> Failure | None:
        if refused := self._stranger(http):
            return refused
        if self._models is not None and body.get("model") not in self._models:
            return Failure(404, "not_found_error", f"model: {body.get('model')}")
        fault = next(messages_rules.faults(body), None) or self._bad_thinking(body)
        if fault:
            return Failure(400, message=fault)
        size, limit = size_of(body), self._context_tokens
        if limit is not None and size > limit:
            return Failure(400, message=f"prompt is too long: {size} tokens > {limit} maximum")
        return None

    def _bad_thinking(self, body: dict[str, Any]) -> str | None:
        for n, message in enumerate(body["messages"]):
            content = message["content"] if isinstance(message["content"], list) else []
            for m, block in enumerate(content):
                if block["type"] != "thinking":
                    continue
                signed = self._signed.get(block["signature"])
                if signed is None:
                    return f"messages.{n}.content.{m}: Invalid `signature` in `thinking` block"
                if signed != block["thinking"]:
                    return (
                        f"messages.{n}.content.{m}: `thinking` or `redacted_thinking` blocks in "
                        "the latest assistant message cannot be modified"
                    )
        return None

    def _answered(self, http: HttpRequest, answer: Answer, body: dict[str, Any]) -> HttpResponse:
        for block in answer.content:
            if block["type"] == "thinking":
                self._signed[block["signature"]] = block["thinking"]
        message = message_of(answer, body)
        if not body.get("stream"):
            return JSONResponse(message)
        stream = self._stream(http, answer, message)
        return StreamingResponse(stream, media_type="text/event-stream")

    async def _stream(
        self, http: HttpRequest, answer: Answer, message: dict[str, Any]
    ) -> AsyncIterator[bytes]:
        try:
            for sent, event in enumerate(events_of(answer, message)):
                if answer.broken and sent == answer.after:
                    async for piece in self._broken(http, answer):
                        yield piece
                    return
                yield sse(event)
                self.streaming.set()
                if answer.pause_s:
                    await asyncio.sleep(answer.pause_s)
        except (asyncio.CancelledError, GeneratorExit):
            self.left.set()
            raise

    async def _broken(self, http: HttpRequest, answer: Answer) -> AsyncIterator[bytes]:
        match answer.broken:
            case Break.CUT:
                await asyncio.sleep(0)  # what was said before goes out
                raise ConnectionAbortedError("the script cuts the stream here")
            case Break.ERROR:
                yield sse(error_event(answer.error_type, "scripted"))
            case Break.GARBAGE:
                yield b'event: content_block_delta\ndata: {"type":\n\n'
            case Break.STALL:
                await self._until_left(http)
            case Break.PINGS:
                while not self._closing.is_set():
                    yield sse({"type": "ping"})
                    await asyncio.sleep(0.005)

    async def _until_left(self, http: HttpRequest) -> None:
        left = asyncio.ensure_future(http.receive())
        closing = asyncio.create_task(self._closing.wait())
        try:
            await asyncio.wait({left, closing}, return_when=asyncio.FIRST_COMPLETED)
            if left.done():
                self.left.set()
        finally:
            left.cancel()
            closing.cancel()


def _played(replies: Iterable[Reply]) -> Author:
    rest = iter(list(replies))
    over = Failure(400, message="the script of this test has no more answers")
    return lambda body: next(rest, over)


def _failed(failure: Failure) -> JSONResponse:
    return JSONResponse(error_of(failure), failure.status, headers=failure.headers)
