"""Answers of the Messages API as they go over the wire, whole or broken, and requests read back."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bot.models.model import Block, Request, Response, Stop, Tier, ToolSpec, Usage

Event = dict[str, Any]
_FRAGMENT = 7  # characters of text or of arguments in one event
_ERROR_TYPES = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class Break(StrEnum):
    """What goes wrong inside a stream."""

    CUT = "cut"
    """The socket closes."""
    END = "end"
    """The body ends, properly, before the answer does."""
    ERROR = "error"
    """An `error` event, then the end."""
    STALL = "stall"
    """Nothing more comes."""
    PINGS = "pings"
    """Nothing but pings comes."""
    GARBAGE = "garbage"
    """An event whose data is no JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as it goes over the wire. A `tool_use` whose `input` is text is sent as that text,
    so that arguments may be cut or broken."""

    content: list[Block]
    stop: str = "end_turn"
    usage: Usage | None = None
    model: str = ""
    """Empty repeats the model asked for."""
    stop_details: dict[str, Any] | None = None
    broken: Break | None = None
    after: int = 0
    """How many events come before the break."""
    pause_s: float = 0.0
    """Seconds between two events."""
    error_type: str = "overloaded_error"
    """The type in the event of `Break.ERROR`."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer with an error status, in the API's shape."""

    status: int
    type: str = ""
    message: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Foreign:
    """An answer of something that is no Messages API."""

    text: str
    content_type: str = "text/html"


Reply = Answer | Failure | Foreign | Response


def says(text: str, **more: Any) -> Answer:
    """An answer of one text."""
    return Answer(content=[{"type": "text", "text": text}], **more)


def calls(*uses: tuple[str, dict[str, Any]], text: str = "", **more: Any) -> Answer:
    """An answer calling tools, perhaps after some words; ids are `toolu_1`, `toolu_2`, …"""
    words = [{"type": "text", "text": text}] if text else []
    blocks = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": arguments}
        for n, (name, arguments) in enumerate(uses, start=1)
    ]
    return Answer(content=[*words, *blocks], **{"stop": "tool_use", **more})


def wired(response: Response) -> Answer:
    """A response of ours as it goes over the wire."""
    usage = None if response.usage == Usage() else response.usage
    stop = "end_turn" if response.stop is Stop.OTHER else response.stop.value
    return Answer(content=response.content, stop=stop, usage=usage, model=response.model)


def reply_of(row: dict[str, Any]) -> Answer | Failure:
    """A reply read back from a recording."""
    if "status" in row:
        return Failure(**row)
    usage = row.get("usage")
    return Answer(**{**row, "usage": Usage(**usage) if usage else None})


def request_of(body: dict[str, Any]) -> Request:
    """The request of ours that a body on the wire was made of; the role is told by its tools."""
    bare = json.loads(json.dumps(body), object_hook=_without_mark)
    tools = [ToolSpec(**tool) for tool in bare.get("tools", [])]
    system = bare.get("system") or []
    role = _role({tool.name for tool in tools})
    return Request(
        role=role,
        purpose="foreground" if role == "conversation" else role,
        tier=Tier.SMALL if "haiku" in body["model"] else Tier.MAIN,
        system=system if isinstance(system, str) else "\n".join(b["text"] for b in system),
        messages=bare["messages"],
        tools=tools,
        max_tokens=body["max_tokens"],
    )


def _without_mark(block: dict[str, Any]) -> dict[str, Any]:
    block.pop("cache_control", None)
    return block


def _role(tools: set[str]) -> str:
    for name, role in (
        ("submit_to_session", "agency"),
        ("say", "conversation"),
        ("remember", "memory"),
    ):
        if name in tools:
            return role
    return "subagent"


def error_of(failure: Failure) -> dict[str, Any]:
    """The body of an error answer."""
    usual = "invalid_request_error" if failure.status < 500 else "api_error"
    kind = failure.type or _ERROR_TYPES.get(failure.status, usual)
    return error_event(kind, failure.message or f"scripted {failure.status}")


def error_event(kind: str, message: str) -> Event:
    """An error, as a body or as an event of a stream."""
    return {
        "type": "error",
        "error": {"type": kind, "message": message},
        "request_id": "req_test",
    }


def size_of(body: dict[str, Any]) -> int:
    """Tokens of a request, counted roughly."""
    return len(json.dumps(body, ensure_ascii=False)) // 4


def message_of(answer: Answer, body: dict[str, Any]) -> dict[str, Any]:
    """The whole message, as an answer without streaming gives it."""
    usage = answer.usage or Usage(input_tokens=size_of(body), output_tokens=7)
    return {
        "id": "msg_test",
        "type": "message",
        "role": "assistant",
        "model": answer.model or body["model"],
        "content": answer.content,
        "stop_reason": answer.stop,
        "stop_sequence": None,
        "stop_details": answer.stop_details,
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cache_read_input_tokens": usage.cache_read_tokens,
            "cache_creation_input_tokens": usage.cache_write_tokens,
            "service_tier": "standard",
        },
    }


def events_of(answer: Answer, message: dict[str, Any]) -> Iterator[Event]:
    """The events a whole message is streamed in."""
    start = {**message, "content": [], "stop_reason": None, "stop_details": None}
    yield {
        "type": "message_start",
        "message": {**start, "usage": {**message["usage"], "output_tokens": 1}},
    }
    yield {"type": "ping"}
    for index, block in enumerate(answer.content):
        empty, deltas = _pieces(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {
            "stop_reason": message["stop_reason"],
            "stop_sequence": None,
            "stop_details": message["stop_details"],
        },
        "usage": {"output_tokens": message["usage"]["output_tokens"]},
    }
    yield {"type": "message_stop"}


def _pieces(block: Block) -> tuple[Block, list[dict[str, Any]]]:
    """A block as it starts, and the deltas that make it whole."""
    match block["type"]:
        case "text":
            texts = _cut(block["text"])
            return {**block, "text": ""}, [{"type": "text_delta", "text": t} for t in texts]
        case "thinking":
            deltas = [{"type": "thinking_delta", "thinking": t} for t in _cut(block["thinking"])]
            signature = {"type": "signature_delta", "signature": block["signature"]}
            return {**block, "thinking": "", "signature": ""}, [*deltas, signature]
        case "tool_use":
            given = block["input"]
            written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
            parts = ["", *_cut("" if written == "{}" else written)]
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in parts]
            return {**block, "input": {}}, deltas
    return block, []


def _cut(text: str) -> list[str]:
    return [text[i : i + _FRAGMENT] for i in range(0, len(text), _FRAGMENT)]


def sse(event: Event) -> bytes:
    """One event on the wire."""
    data = json.dumps(event, ensure_ascii=False)
    return f"event: {event['type']}\ndata: {data}\n\n".encode()
