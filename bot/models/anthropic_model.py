"""The model behind any endpoint that speaks the Anthropic Messages API, by the official client.

Request ─► repair ─► cache marks ─► stream ─► Answer ─► Response
                        └─ whatever fails ─► anthropic_errors.named
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.errors import ModelError, ModelRefused, ModelRetry
from bot.models import images, transcript
from bot.models.anthropic_errors import (
    Endpoint,
    PicturesRefused,
    StaleThinking,
    TooManyBytes,
    named,
)
from bot.models.anthropic_stream import Answer, Event
from bot.models.model import Message, Model, Request, Response, Tier, ToolSpec

_CLOUD = "https://api.anthropic.com"
_NO_KEY = "none"  # a local server wants a header, not a secret
_CACHED = {"cache_control": {"type": "ephemeral"}}
_CACHEABLE = frozenset({"text", "tool_result", "tool_use", "image", "document"})
_DRAIN_S = 1.0  # seconds; what follows the last event is the end of the body, at once or never


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """The `[model]` section."""

    name: str = "claude-sonnet-5-5"
    small_name: str = "claude-haiku-5-5"
    base_url: str | None = None
    """None is the provider's cloud."""
    api_key: str = field(default="", repr=False)
    """May be empty where `base_url` names a server that wants none."""
    connect_timeout_s: float = 10.0
    idle_timeout_s: float = 60.0
    """Longest silence of the connection, before the answer and in it; a ping ends it."""
    progress_timeout_s: float = 180.0
    """Longest time without a new piece of the answer, pings or not."""
    total_timeout_s: float = 600.0
    """Longest time for the whole answer."""
    context_tokens: int = 200_000
    output_tokens: int = 32_000
    """The most a request may ask for in one answer."""


class AnthropicModel(Model):
    """Answers over the Messages API, always streaming, one attempt a call.

    The client's own retries are off: the runtime retries, with a record of it and a clock of its
    own, and would otherwise multiply with them. The client is loaded by the first call.
    """

    sees = True

    def __init__(self, settings: ModelSettings) -> None:
        self.name = settings.name
        self.context_tokens = settings.context_tokens
        self._settings = settings
        self._client: Any = None
        self._loading = asyncio.Lock()

    async def complete(self, request: Request) -> Response:
        """Answer one request; thinking and pictures the endpoint will not take are left out."""
        messages = transcript.repair(request.messages)
        while True:
            try:
                return await self._ask(request, messages)
            except StaleThinking:
                lighter = transcript.without_thinking(messages)
                if lighter == messages:
                    raise
            except (PicturesRefused, TooManyBytes):
                lighter = images.without(messages)
                if lighter == messages:
                    raise
            messages = lighter

    async def known(self) -> bool:
        """Whether the endpoint takes the key and has the model: asked without using it, for free.

        False where it keeps no list of models, as many gateways do. Raises ModelRefused or
        ModelRetry.
        """
        try:
            client = await self._connected()
            await client.models.retrieve(self.name)
        except ModelError:
            raise
        except Exception as exc:
            if getattr(exc, "status_code", 0) in (404, 405) and not getattr(exc, "type", None):
                return False
            error = named(exc, self._endpoint(Tier.MAIN))
            if error is None:
                raise
            raise error from exc
        return True

    async def aclose(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _ask(self, request: Request, messages: Sequence[Message]) -> Response:
        body, total_s = self._body(request, messages), self._settings.total_timeout_s
        try:
            client = await self._connected()
            async with asyncio.timeout(total_s):
                return await self._stream(client, body)
        except ModelError:
            raise
        except TimeoutError as exc:
            raise ModelRetry(f"the answer was not whole after {total_s:g} s") from exc
        except Exception as exc:
            error = named(exc, self._endpoint(request.tier))
            if error is None:
                raise
            raise error from exc

    async def _stream(self, client: Any, body: dict[str, Any]) -> Response:
        answer = Answer()
        async with await client.messages.create(**body, stream=True) as stream:
            _check_is_stream(stream.response.headers, str(client.base_url))
            events = aiter(stream)
            while (event := await self._next(events)) is not None:
                if answer.feed(event):
                    await _drain(events)
                    break
        return answer.response()

    async def _next(self, events: AsyncIterator[Any]) -> Event | None:
        """The next event that is not a ping; None at the end of the stream."""
        limit_s = self._settings.progress_timeout_s
        try:
            async with asyncio.timeout(limit_s):
                event = await anext(events, None)
            # Blocks newer than the client are no fault; they are left out of the answer.
            return event if event is None else event.to_dict(warnings=False)
        except TimeoutError as exc:
            raise ModelRetry(f"the answer did not grow for {limit_s:g} s") from exc
        except (AttributeError, LookupError, RecursionError, TypeError) as exc:
            # The client takes any JSON for an event, and stumbles later over what is none.
            raise ModelRetry(f"the model's answer came malformed ({str(exc)[:200]!r})") from exc

    async def _connected(self) -> Any:
        async with self._loading:
            if self._client is None:
                self._client = await asyncio.to_thread(_client, self._settings)
            return self._client

    def _body(self, request: Request, messages: Sequence[Message]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model(request.tier),
            "max_tokens": min(request.max_tokens, self._settings.output_tokens),
            "messages": mark_stable(messages),
        }
        if request.tools:
            tools = [_tool(spec) for spec in request.tools]
            body["tools"] = [*tools[:-1], tools[-1] | _CACHED]
        if request.system.strip():
            body["system"] = [{"type": "text", "text": request.system} | _CACHED]
        return body

    def _model(self, tier: Tier) -> str:
        return self._settings.small_name if tier is Tier.SMALL else self._settings.name

    def _endpoint(self, tier: Tier) -> Endpoint:
        url = self._settings.base_url or _CLOUD
        return Endpoint(url=url, model=self._model(tier), api_key=self._settings.api_key)


def mark_stable(messages: Sequence[Message]) -> list[Message]:
    """Copies with a cache mark at the end of the first and of the last user turn.

    The first holds what every step of a run is told, the last all steps so far; with the tools
    and the role's prompt that makes the four marks the API allows.
    """
    turns = [index for index, message in enumerate(messages) if message["role"] == "user"]
    marked = [dict(message) for message in messages]
    for index in {turns[0], turns[-1]} if turns else ():
        *before, last = marked[index]["content"]
        if last["type"] in _CACHEABLE:
            marked[index]["content"] = [*before, last | _CACHED]
    return marked


def _tool(spec: ToolSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "description": spec.description,
        "input_schema": spec.input_schema,
    }


def _client(settings: ModelSettings) -> Any:
    """Load and build the client; takes a second the first time, so it runs on a thread."""
    import anthropic  # 50 MB that a house without this model need not load

    key = settings.api_key.strip()
    if not key and not settings.base_url:
        raise ModelRefused("[model] api_key is empty; set it or ANTHROPIC_API_KEY, or a base_url")
    if not (key.isascii() and key.isprintable()):
        raise ModelRefused("[model] api_key holds signs no key has; copy it again, on one line")
    return anthropic.AsyncAnthropic(
        api_key=key or _NO_KEY,
        base_url=(settings.base_url or _CLOUD).rstrip("/").removesuffix("/v1"),
        max_retries=0,
        timeout=anthropic.Timeout(settings.idle_timeout_s, connect=settings.connect_timeout_s),
    )


def _check_is_stream(headers: Any, url: str) -> None:
    kind = headers.get("content-type", "")
    if not kind.startswith("text/event-stream"):
        raise ModelRefused(
            f"{url} answered with {kind!r} and not with a stream of events; check that [model] "
            "base_url is an endpoint of the Messages API"
        )


async def _drain(events: AsyncIterator[Any]) -> None:
    """Read to the end of the body, so that the connection can serve the next call."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(_DRAIN_S):
            async for _ in events:
                pass
