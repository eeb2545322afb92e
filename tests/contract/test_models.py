"""The contract of a model, over every maker: rooms in English and Chinese, and each role's tools.

To add a maker, write an async context manager that yields the model and put it into `MAKERS`.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from bot.models import sections, transcript
from bot.models.anthropic_model import AnthropicModel, ModelSettings
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Message, Model, Request, Response, Stop, Tier, ToolSpec
from tests.fakes import messages_rules
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Answer, calls, says

Maker = Callable[[], AbstractAsyncContextManager[Model]]

BLOCKS = frozenset({"text", "tool_use", "thinking", "redacted_thinking"})
TEXTS = {
    "en": ("Limen, who writes the release script?", "I will have the script by Friday."),
    "zh": ("Limen，发布脚本谁来写？", "我周五之前写好脚本。"),
}


def _answered(body: dict[str, Any]) -> Answer:
    """The least an able model does: use the tool the role is about, then end."""
    last = body["messages"][-1]["content"]
    if any(block["type"] == "tool_result" for block in last):
        return says("Done.")
    tools = {tool["name"] for tool in body.get("tools", [])}
    if "say" in tools:
        return calls(("say", {"text": "Bo does, by Friday. 小博写。"}), text="Answering.")
    if "remember" in tools:
        fact = {"kind": "commitment", "text": "script by Friday", "sources": ["o2"]}
        return calls(("remember", {"facts": [fact]}))
    return says("Nothing to do.")


@asynccontextmanager
async def anthropic_model() -> AsyncIterator[Model]:
    """The real client against the API on the loopback."""
    async with MessagesApi(_answered) as api:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        yield model
        await model.aclose()


@asynccontextmanager
async def relayed_model() -> AsyncIterator[Model]:
    """The rules behind the wire, as an endpoint of somebody else's would be."""
    async with MessagesApi.of(BuiltinModel()) as api:
        model = AnthropicModel(ModelSettings(base_url=api.url, api_key=api.key))
        yield model
        await model.aclose()


@asynccontextmanager
async def builtin_model() -> AsyncIterator[Model]:
    """The rules, asked directly."""
    yield BuiltinModel()


MAKERS: dict[str, Maker] = {
    "anthropic": anthropic_model,
    "builtin": builtin_model,
    "relayed": relayed_model,
}


@pytest.fixture(params=MAKERS)
async def model(request: pytest.FixtureRequest) -> AsyncIterator[Model]:
    async with MAKERS[request.param]() as made:
        yield made


def _spec(name: str, required: dict[str, str]) -> ToolSpec:
    properties = {key: {"type": kind} for key, kind in required.items()}
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(name=name, description=f"The tool {name}.", input_schema=schema)


TOOLS = {
    "conversation": [
        _spec("say", {"text": "string"}),
        _spec("stay_silent", {"reason": "string"}),
        _spec("search_memory", {"query": "string"}),
    ],
    "agency": [
        _spec(
            "submit_to_session",
            {
                "session": "string",
                "text": "string",
                "kind": "string",
                "subject": "string",
                "grade": "string",
                "confidence": "number",
                "sources": "array",
            },
        ),
        _spec("log_action", {"text": "string"}),
    ],
    "memory": [_spec("remember", {"facts": "array"})],
}
JSON_TYPES = {"string": str, "number": int | float, "array": list}
NOW = "2026-11-30T10:00:00+00:00"
ME = {
    "name": "Limen",
    "now": NOW,
    "timezone": "Europe/Berlin",
    "language": "auto",
    "model": "a model",
}
MEMBERS = [{"id": "p1", "name": "Ana"}, {"id": "p2", "name": "Bo"}]
ROOM = {"session": "s3", "title": "#project", "kind": "group", "open": True, "members": MEMBERS}


def _said(number: int, name: str, text: str) -> dict[str, Any]:
    person = {"Ana": "p1", "Bo": "p2"}[name]
    base = {"id": f"o{number}", "at": NOW, "from": name, "person": person, "me": False}
    return {**base, "text": text}


def _conversation(question: str, promise: str) -> list[tuple[str, list[dict[str, Any]]]]:
    asked = {
        "id": "i9",
        "trigger": "message",
        "at": NOW,
        "from": "Ana",
        "person": "p1",
        "original": "o3",
        "text": question,
        "addressed": True,
    }
    return [
        ("me", [ME]),
        ("room", [ROOM]),
        ("history", [_said(2, "Bo", promise), _said(3, "Ana", question)]),
        ("recalled", []),
        ("facts", []),
        ("consents", []),
        ("inputs", [asked]),
    ]


def _agency(question: str, promise: str) -> list[tuple[str, list[dict[str, Any]]]]:
    seen = {
        "fire": "f12",
        "kind": "message_observed",
        "session": "s2",
        "room": "#architecture",
        "open": True,
        "direct": False,
        "original": "o2",
        **{key: value for key, value in _said(2, "Bo", promise).items() if key != "id"},
    }
    other = {**ROOM, "workspace": "w", "members": ["Ana", "Bo"], "last_at": NOW}
    return [
        ("me", [ME]),
        ("sessions", [{**other, "session": "s2", "title": "#architecture"}, other]),
        ("attention", []),
        ("handoffs", []),
        ("intentions", []),
        ("background", [{**_said(1, "Ana", question), "session": "s3", "room": "#project"}]),
        ("fires", [seen]),
        ("inputs", [{"id": "i5", "trigger": "agency_fire", "at": NOW, "fires": ["f12"]}]),
    ]


def _memory(question: str, promise: str) -> list[tuple[str, list[dict[str, Any]]]]:
    messages = [_said(1, "Ana", question), _said(2, "Bo", promise)]
    return [("me", [ME]), ("room", [ROOM]), ("messages", messages), ("facts", [])]


CONTEXTS = {"conversation": _conversation, "agency": _agency, "memory": _memory}


def request_of(role: str, language: str) -> Request:
    context = CONTEXTS[role](*TEXTS[language])
    words = "\n".join(sections.render(name, rows) for name, rows in context)
    return Request(
        role=role,
        purpose="foreground" if role == "conversation" else role,
        tier=Tier.SMALL if role == "memory" else Tier.MAIN,
        system=f"You are Limen, in the role {role}.",
        messages=[{"role": "user", "content": [{"type": "text", "text": words}]}],
        tools=TOOLS[role],
        max_tokens=1_000,
    )


@pytest.fixture(params=[(role, language) for role in CONTEXTS for language in TEXTS], ids="-".join)
def asked(request: pytest.FixtureRequest) -> Request:
    return request_of(*request.param)


def _uses(response: Response) -> list[dict[str, Any]]:
    return [block for block in response.content if block["type"] == "tool_use"]


def _next(asked: Request, response: Response) -> list[Message]:
    results = [
        {"type": "tool_result", "tool_use_id": use["id"], "content": "ok"}
        for use in _uses(response)
    ]
    answer: Message = {"role": "assistant", "content": response.content}
    return transcript.repair([*asked.messages, answer, {"role": "user", "content": results}])


async def test_it_says_what_it_is(model: Model) -> None:
    assert model.name
    assert model.context_tokens >= 1_000


async def test_an_answer_is_whole_and_well_formed(model: Model, asked: Request) -> None:
    response = await model.complete(asked)
    uses = _uses(response)
    assert {block["type"] for block in response.content} <= BLOCKS
    assert (response.stop is Stop.TOOL_USE) == bool(uses)
    assert len({use["id"] for use in uses}) == len(uses)
    assert response.model
    assert json.loads(json.dumps(response.content)) == response.content


async def test_tools_are_called_as_their_schemas_say(model: Model, asked: Request) -> None:
    schemas = {tool.name: tool.input_schema for tool in asked.tools}
    for use in _uses(await model.complete(asked)):
        schema = schemas[use["name"]]
        assert set(schema["required"]) <= set(use["input"])
        for key in schema["required"]:
            assert isinstance(use["input"][key], JSON_TYPES[schema["properties"][key]["type"]])


async def test_the_request_is_left_alone(model: Model, asked: Request) -> None:
    before = deepcopy((asked.messages, asked.tools))
    await model.complete(asked)
    assert (asked.messages, asked.tools) == before


async def test_its_answer_can_be_sent_back_and_gone_on_from(model: Model, asked: Request) -> None:
    response = await model.complete(asked)
    turns = _next(asked, response)
    body = {"model": "m", "max_tokens": 1, "messages": turns}
    assert list(messages_rules.faults(body)) == []
    second = await model.complete(replace(asked, messages=turns))
    ids = {use["id"] for use in _uses(response)} & {use["id"] for use in _uses(second)}
    assert not ids, "a later step has ids of its own"


@pytest.mark.parametrize("language", TEXTS)
async def test_who_is_addressed_answers(model: Model, language: str) -> None:
    response = await model.complete(request_of("conversation", language))
    assert {use["name"] for use in _uses(response)} & {"say", "search_memory"}


async def test_only_tools_of_the_request_are_called(model: Model, asked: Request) -> None:
    response = await model.complete(replace(asked, tools=[]))
    assert _uses(response) == []


async def test_tokens_are_never_negative(model: Model, asked: Request) -> None:
    usage = (await model.complete(asked)).usage
    counts = (usage.input_tokens, usage.output_tokens)
    assert min(*counts, usage.cache_read_tokens, usage.cache_write_tokens) >= 0


async def test_several_calls_at_once_do_not_mix(model: Model) -> None:
    roles = [*CONTEXTS] * 3
    responses = await asyncio.gather(*(model.complete(request_of(role, "en")) for role in roles))
    for role, response in zip(roles, responses, strict=True):
        assert {use["name"] for use in _uses(response)} <= {tool.name for tool in TOOLS[role]}


async def test_the_wire_neither_adds_nor_loses(asked: Request) -> None:
    async with builtin_model() as near, relayed_model() as far:
        direct, relayed = await near.complete(asked), await far.complete(asked)
    assert (relayed.content, relayed.stop) == (direct.content, direct.stop)
    assert (relayed.model, relayed.usage) == (direct.model, direct.usage)


async def test_it_may_be_closed_twice(model: Model) -> None:
    await model.complete(request_of("conversation", "en"))
    await model.aclose()
    await model.aclose()
