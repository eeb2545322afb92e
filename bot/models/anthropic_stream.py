"""Collects the events of one Messages API stream into a whole response, or says why it is none."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from adapters.chat import legible
from bot.errors import ModelRefused, ModelRetry
from bot.models.model import Block, Response, Stop, Usage

Event = dict[str, Any]

logger = logging.getLogger(__name__)

KEPT = frozenset({"text", "tool_use", "thinking", "redacted_thinking"})
"""Block types we know how to collect and to send back; others are left out of the answer."""

_STOPS = {
    "end_turn": Stop.END_TURN,
    "stop_sequence": Stop.END_TURN,
    "tool_use": Stop.TOOL_USE,
    "max_tokens": Stop.MAX_TOKENS,
    "model_context_window_exceeded": Stop.MAX_TOKENS,
}
_GROWING = {"text_delta": "text", "thinking_delta": "thinking"}


class Answer:
    """The answer as far as it has come."""

    def __init__(self) -> None:
        self._blocks: dict[int, Block] = {}
        self._json: dict[int, list[str]] = {}
        self._open: set[int] = set()
        self._usage: dict[str, Any] = {}
        self._model = ""
        self._stop: str | None = None
        self._details: dict[str, Any] = {}

    def feed(self, event: Event) -> bool:
        """Take one event; true when it was the last. Event types we do not know are passed over."""
        with _well_formed():
            return self._take(event)

    def _take(self, event: Event) -> bool:
        match event.get("type"):
            case "message_start":
                message = event.get("message") or {}
                self._model = message.get("model") or ""
                self._count(message.get("usage"))
            case "content_block_start":
                self._start(event["index"], event["content_block"])
            case "content_block_delta":
                self._grow(event["index"], event["delta"])
            case "content_block_stop":
                self._open.discard(event["index"])
            case "message_delta":
                self._end(event.get("delta") or {}, event.get("usage"))
            case "message_stop":
                return True
        return False

    def response(self) -> Response:
        """The whole response; raises `ModelRetry` if broken, `ModelRefused` for a refusal."""
        with _well_formed():
            return self._whole()

    def _whole(self) -> Response:
        if self._stop == "refusal":
            raise ModelRefused(self._refusal())
        if self._stop is None or self._open:
            raise ModelRetry("the model's answer ended before it was whole")
        stop = _STOPS.get(self._stop, Stop.OTHER)
        content = self._content(cut=stop is Stop.MAX_TOKENS)
        if stop is Stop.END_TURN and any(block["type"] == "tool_use" for block in content):
            stop = Stop.TOOL_USE  # some servers of this format end every answer with end_turn
        return Response(content=content, stop=stop, usage=self._used(), model=self._model)

    def _start(self, index: int, block: Block) -> None:
        self._blocks[index] = dict(block)
        self._open.add(index)

    def _grow(self, index: int, delta: dict[str, Any]) -> None:
        block, kind = self._blocks[index], delta.get("type", "")
        if kind in _GROWING:
            field = _GROWING[kind]
            block[field] = (block.get(field) or "") + delta[field]
        elif kind == "input_json_delta":
            self._json.setdefault(index, []).append(delta["partial_json"])
        elif kind == "signature_delta":
            block["signature"] = delta["signature"]
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta["citation"]]
        else:
            logger.debug("Passed over a delta of type %r", kind)

    def _end(self, delta: dict[str, Any], usage: dict[str, Any] | None) -> None:
        self._stop = delta.get("stop_reason") or self._stop
        self._details = delta.get("stop_details") or {}
        self._count(usage)

    def _count(self, usage: dict[str, Any] | None) -> None:
        # Counts are running totals; one that is absent later keeps its earlier value.
        self._usage.update({key: n for key, n in (usage or {}).items() if isinstance(n, int)})

    def _content(self, *, cut: bool) -> list[Block]:
        last = max(self._blocks, default=-1)
        content = []
        for index, block in sorted(self._blocks.items()):
            kind = block.get("type")
            if kind not in KEPT:
                logger.info("Left out an answer block of type %r", kind)
            elif kind != "tool_use":
                content.append(block)
            elif not (cut and index == last):
                # The last tool call of an answer cut by its length may lack arguments and
                # still be valid JSON, so it is never handed on.
                content.append({**block, "input": self._arguments(index, block)})
        return [_storable(block) for block in content]

    def _arguments(self, index: int, block: Block) -> dict[str, Any]:
        written = "".join(self._json.get(index, []))
        try:
            arguments = json.loads(written) if written.strip() else block.get("input") or {}
        except (ValueError, RecursionError) as exc:
            raise ModelRetry("the model wrote tool arguments that are not valid JSON") from exc
        if not isinstance(arguments, dict):
            raise ModelRetry("the model wrote tool arguments that are not an object")
        return arguments

    def _used(self) -> Usage:
        return Usage(
            input_tokens=self._usage.get("input_tokens", 0),
            output_tokens=self._usage.get("output_tokens", 0),
            cache_read_tokens=self._usage.get("cache_read_input_tokens", 0),
            cache_write_tokens=self._usage.get("cache_creation_input_tokens", 0),
        )

    def _refusal(self) -> str:
        reasons = [self._details.get("category"), self._details.get("explanation")]
        said = ": ".join(reason for reason in reasons if reason)
        return f"the model declined to answer ({said or 'it gave no reason'})"


@contextmanager
def _well_formed() -> Iterator[None]:
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError) as exc:
        raise ModelRetry(f"the model's answer came malformed ({str(exc)[:200]!r})") from exc


def _storable(value: Any) -> Any:
    """The same with every text legible: a model may write half a sign as well as anybody."""
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, dict):
        return {_storable(key): _storable(one) for key, one in value.items()}
    return [_storable(one) for one in value] if isinstance(value, list) else value
