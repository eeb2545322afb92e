"""The fake Messages API is as strict as the real one, seen by the official client."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anthropic
import pytest

from bot.models.anthropic_model import AnthropicModel, ModelSettings
from bot.models.model import Model, Request, Response, Stop, Usage
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Break, Failure, Reply, calls, request_of, says

USE = {"type": "tool_use", "id": "t1", "name": "say", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
HELLO = {"role": "user", "content": "hello"}


class Echo(Model):
    """Repeats the last text of a request."""

    name = "echo"
    context_tokens = 1_000

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Response:
        self.asked.append(request)
        content = [request.messages[-1]["content"][-1]]
        return Response(content=content, stop=Stop.END_TURN, usage=Usage(), model=self.name)


@asynccontextmanager
async def client_of(api: MessagesApi, key: str = "") -> AsyncIterator[anthropic.AsyncAnthropic]:
    client = anthropic.AsyncAnthropic(api_key=key or api.key, base_url=api.url, max_retries=0)
    async with client:
        yield client


async def refused(*messages: dict[str, Any], **changes: Any) -> str:
    body = {"model": "claude-sonnet-5-5", "max_tokens": 100, "messages": messages, **changes}
    async with MessagesApi([says("ok")], context_tokens=500) as api, client_of(api) as client:
        with pytest.raises(anthropic.BadRequestError) as caught:
            await client.post("/v1/messages", body=body, cast_to=object)
    assert caught.value.type == "invalid_request_error"
    return str(caught.value.api_message)


async def test_it_answers_without_streaming_too() -> None:
    async with MessagesApi([calls(("say", {"text": "hi"}))]) as api, client_of(api) as client:
        messages: Any = [HELLO]
        message = await client.messages.create(model="m", max_tokens=10, messages=messages)
        assert message.content[0].type == "tool_use"
        assert message.stop_reason == "tool_use"
        assert message.usage.input_tokens > 0
        assert "authorization" in api.requests[0].headers


async def test_its_stream_is_what_the_client_expects() -> None:
    answer = calls(("say", {"text": "你好"}), text="Hello there.")
    async with MessagesApi([answer]) as api, client_of(api) as client:
        messages: Any = [HELLO]
        async with client.messages.stream(model="m", max_tokens=10, messages=messages) as stream:
            message = await stream.get_final_message()
    assert [block.to_dict() for block in message.content] == answer.content


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([], "at least one message"),
        ([{"role": "assistant", "content": "a"}, HELLO], "first message must use the user role"),
        ([HELLO, HELLO], "roles must alternate"),
        ([HELLO, {"role": "assistant", "content": "a"}], "prefill"),
        ([{"role": "user", "content": ""}], "must be non-empty"),
        ([{"role": "user", "content": " "}], "non-whitespace"),
        ([{"role": "user", "content": []}], "content must be non-empty"),
        ([{"role": "user", "content": [RESULT]}], "unexpected `tool_use_id`"),
        ([HELLO, {"role": "assistant", "content": [USE]}, HELLO], "without `tool_result`"),
        ([{"role": "user", "content": "x" * 9_000}], "prompt is too long"),
        (
            [
                HELLO,
                {"role": "assistant", "content": [USE]},
                {"role": "user", "content": [{"type": "text", "text": "a"}, RESULT]},
            ],
            "must come before",
        ),
        (
            [
                HELLO,
                {
                    "role": "assistant",
                    "content": [
                        {"type": "thinking", "thinking": "forged", "signature": "x"},
                        {"type": "text", "text": "a"},
                    ],
                },
                HELLO,
            ],
            "Invalid `signature`",
        ),
    ],
)
async def test_it_refuses_what_the_api_refuses(messages: list[Any], words: str) -> None:
    assert words in await refused(*messages)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"temperature": 1.0}, "temperature"),
        ({"purpose": "foreground"}, "Extra inputs"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"system": [{"type": "text", "text": ""}]}, "system.0"),
        ({"tools": [{"name": "say it", "input_schema": {"type": "object"}}]}, "tools.0.name"),
        ({"tools": [{"name": "say", "input_schema": {}}]}, "input_schema"),
    ],
)
async def test_it_refuses_wrong_fields(changes: dict[str, Any], words: str) -> None:
    assert words in await refused(HELLO, **changes)


async def test_it_knows_its_key_and_its_models() -> None:
    messages: Any = [HELLO]
    async with MessagesApi([], models=["known"]) as api:
        async with client_of(api, "wrong") as client:
            with pytest.raises(anthropic.AuthenticationError):
                await client.messages.create(model="known", max_tokens=9, messages=messages)
        async with client_of(api) as client:
            with pytest.raises(anthropic.NotFoundError):
                await client.messages.create(model="other", max_tokens=9, messages=messages)
            with pytest.raises(anthropic.BadRequestError, match="no more answers"):
                await client.messages.create(model="known", max_tokens=9, messages=messages)


async def test_any_model_can_stand_behind_it() -> None:
    echo = Echo()
    async with MessagesApi.of(echo) as api:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        asked = request_of(
            {
                "model": "claude-haiku-5-5",
                "max_tokens": 50,
                "system": "You are Limen.",
                "messages": [{"role": "user", "content": [{"type": "text", "text": "你好"}]}],
                "tools": [
                    {"name": "say", "description": "Speaks.", "input_schema": {"type": "object"}}
                ],
            }
        )
        response = await model.complete(asked)
        await model.aclose()
    assert response.content == [{"type": "text", "text": "你好"}]
    assert response.model == "echo"
    assert echo.asked == [asked]
    assert asked.role == "conversation"


async def test_a_recording_plays_again(tmp_path: Path) -> None:
    script: list[Reply] = [says("one", usage=Usage(output_tokens=3)), Failure(529), says("two")]
    file = tmp_path / "answers.json"
    seen: list[list[str]] = []
    for again in (False, True):
        played = MessagesApi.recorded(file) if again else MessagesApi(script)
        async with played as api, client_of(api) as client:
            texts = []
            for _ in script:
                messages: Any = [HELLO]
                try:
                    answer = await client.messages.create(
                        model="m", max_tokens=9, messages=messages
                    )
                    texts.append(answer.content[0].to_json())
                except anthropic.APIStatusError as error:
                    texts.append(str(error.status_code))
            seen.append(texts)
            file.write_text(api.recording(), encoding="utf-8")
    assert seen[0] == seen[1]


async def test_it_closes_while_a_stream_hangs() -> None:
    async with MessagesApi([says("text", broken=Break.STALL, after=2)]) as api:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        asked = request_of(
            {
                "model": "m",
                "max_tokens": 5,
                "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}],
            }
        )
        task = asyncio.create_task(model.complete(asked))
        await api.streaming.wait()
    [error] = await asyncio.gather(task, return_exceptions=True)
    assert type(error).__name__ == "ModelRetry"
    await model.aclose()
