"""What the Messages API refuses: the rules a request is checked by before it is answered."""

import re
from collections.abc import Iterator
from typing import Any

from tests.fakes import messages_images

FIELDS = frozenset(
    {
        "cache_control",
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "output_config",
        "stop_sequences",
        "stream",
        "system",
        "thinking",
        "tool_choice",
        "tools",
    }
)
_REMOVED = ("temperature", "top_p", "top_k")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_USE_ID = re.compile(r"[a-zA-Z0-9_-]+")
_INVISIBLE = re.compile(r"[\s\u200b-\u200f\u2060-\u2064\ufeff]")
_THINKING = ("thinking", "redacted_thinking")
MARKS = 4


def faults(body: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a request, in the order the API would say it."""
    for field in _REMOVED:
        if field in body:
            yield f"{field}: this parameter was removed"
    for field in sorted(set(body) - FIELDS - set(_REMOVED)):
        yield f"{field}: Extra inputs are not permitted"
    if not body.get("model"):
        yield "model: Field required"
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
        yield "max_tokens: must be at least 1"
    yield from _system(body.get("system"))
    yield from _tools(body.get("tools", []))
    yield from _messages(body.get("messages") or [])
    yield from messages_images.faults(body.get("messages") or [])
    if str(body).count("'cache_control'") > MARKS:
        yield f"A maximum of {MARKS} blocks with cache_control may be provided"


def _system(system: Any) -> Iterator[str]:
    for index, block in enumerate(system if isinstance(system, list) else []):
        yield from _text(f"system.{index}", block)


def _tools(tools: list[dict[str, Any]]) -> Iterator[str]:
    names = [tool.get("name", "") for tool in tools]
    if len(set(names)) < len(names):
        yield "tools: Tool names must be unique"
    for index, tool in enumerate(tools):
        if not _NAME.fullmatch(names[index]):
            yield f"tools.{index}.name: should match the pattern"
        if tool.get("input_schema", {}).get("type") != "object":
            yield f"tools.{index}.input_schema.type: should be 'object'"


def _messages(messages: list[dict[str, Any]]) -> Iterator[str]:
    if not messages:
        yield "messages: at least one message is required"
        return
    if messages[0]["role"] != "user":
        yield "messages: first message must use the user role"
    if messages[-1]["role"] != "user":
        yield "This model does not support assistant message prefill; end with a user message"
    called: list[str] = []
    for index, message in enumerate(messages):
        if index and messages[index - 1]["role"] == message["role"]:
            yield "messages: roles must alternate between user and assistant"
        blocks = _blocks(message["content"])
        if not blocks:
            yield f"messages.{index}: content must be non-empty"
        check = _user if message["role"] == "user" else _assistant
        yield from check(f"messages.{index}", blocks, called)
        called = [block["id"] for block in blocks if block["type"] == "tool_use"]


def _blocks(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _user(path: str, blocks: list[dict[str, Any]], called: list[str]) -> Iterator[str]:
    kinds = [block["type"] for block in blocks]
    answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    for use_id in called:
        if use_id not in answered:
            yield f"{path}: `tool_use` ids were found without `tool_result` blocks: {use_id}"
    for use_id in answered:
        if use_id not in called:
            yield f"{path}: unexpected `tool_use_id` found in `tool_result` blocks: {use_id}"
    if len(set(answered)) < len(answered):
        yield f"{path}: each `tool_use` must have a single result"
    if kinds[: len(answered)] != ["tool_result"] * len(answered):
        yield f"{path}: `tool_result` blocks must come before other content"
    for index, block in enumerate(blocks):
        where = f"{path}.content.{index}"
        if block["type"] in ("tool_use", *_THINKING):
            yield f"{where}: {block['type']} blocks are not allowed in user messages"
        yield from _text(where, block)
        if block["type"] == "tool_result":
            yield from _result(where, block)


def _result(path: str, block: dict[str, Any]) -> Iterator[str]:
    content = block.get("content")
    if block.get("is_error") and not content:
        yield f"{path}: content cannot be empty if `is_error` is true"
    for index, part in enumerate(content if isinstance(content, list) else []):
        yield from _text(f"{path}.content.{index}", part)


def _assistant(path: str, blocks: list[dict[str, Any]], _: list[str]) -> Iterator[str]:
    ids = [block.get("id", "") for block in blocks if block["type"] == "tool_use"]
    if len(set(ids)) < len(ids):
        yield f"{path}: `tool_use` ids must be unique"
    if blocks and blocks[-1]["type"] in _THINKING:
        yield f"{path}: The final block in an assistant message cannot be `thinking`"
    for index, block in enumerate(blocks):
        where = f"{path}.content.{index}"
        yield from _text(where, block)
        if block["type"] == "tool_result":
            yield f"{where}: `tool_result` blocks can only be in `user` messages"
        if block["type"] == "tool_use":
            if not _USE_ID.fullmatch(block["id"]):
                yield f"{where}.id: should match the pattern"
            if not isinstance(block.get("input"), dict):
                yield f"{where}.input: Input should be an object"
        if block["type"] in _THINKING and "cache_control" in block:
            yield f"{where}: cache_control is not allowed on thinking blocks"


def _text(path: str, block: dict[str, Any]) -> Iterator[str]:
    if block["type"] != "text":
        return
    if not block["text"]:
        yield f"{path}: text content blocks must be non-empty"
    elif not _INVISIBLE.sub("", block["text"]):
        yield f"{path}: text content blocks must contain non-whitespace text"
