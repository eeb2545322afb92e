"""Keeps a list of messages valid for the Messages API, and small enough for the window.

stored messages ─► repair (pairs, order, blanks) ─► fit (budget) ─► request
"""

from collections.abc import Iterable, Sequence

from bot.models import window
from bot.models.model import Block, Message
from bot.models.tokens import estimate_tokens
from memory.words import is_blank

__all__ = ["estimate_tokens", "fit", "repair", "without_thinking"]

INTERRUPTED = "interrupted, outcome unknown"
"""Told to the model where a tool was called and its result was lost."""
NO_OUTPUT = "(no output)"
GO_ON = "Reminder: go on from here."
"""Follows an assistant turn at the end of the list, which the API would not take."""

_THINKING = frozenset({"thinking", "redacted_thinking"})
_FOREIGN = {
    "assistant": frozenset({"tool_result"}),
    "user": frozenset({"tool_use", *_THINKING}),
}


def repair(messages: Iterable[Message]) -> list[Message]:
    """The same conversation in a form the API accepts; valid messages come back equal.

    A tool call without a result gets a failed one saying its outcome is unknown (the tool is not
    run again), a result without its call is dropped, results come before text, blank texts and
    turns left without content go, turns of one role are joined, and a user turn begins and ends.
    The input is not changed; repairing twice changes nothing more.
    """
    turns = _joined(_clean(message) for message in messages)
    while turns and (turns[0]["role"] != "user" or not _others(turns[0]["content"])):
        del turns[0]  # results at the very beginning have lost their calls
    turns = _joined(_paired(turns))
    if turns and turns[-1]["role"] == "assistant":
        turns.append({"role": "user", "content": [_text(GO_ON)]})
    return turns


def fit(messages: Iterable[Message], budget: int) -> list[Message]:
    """Repaired messages of at most `budget` tokens, as estimated.

    Cut are, in this order and only as far as needed: old tool results; rows at the old end of the
    first turn's longest sections; whole old steps; long texts. Every cut leaves a visible note.
    The first turn, the last step, and what people said in between stay. Raises `ContextTooLong`
    when even that is too much.
    """
    return window.shrink(repair(messages), budget)


def without_thinking(messages: Iterable[Message]) -> list[Message]:
    """The messages with every thinking block left out whole; repaired again."""
    return repair(
        {**message, "content": [b for b in message["content"] if b["type"] not in _THINKING]}
        for message in repair(messages)
    )


def _clean(message: Message) -> Message:
    content = message["content"]
    blocks = [_text(content)] if isinstance(content, str) else content
    unwanted = _FOREIGN[message["role"]]
    kept = [_filled(b) for b in blocks if b["type"] not in unwanted and not _useless(b)]
    return {"role": message["role"], "content": _not_ending_in_thought(kept)}


def _useless(block: Block) -> bool:
    if block["type"] == "tool_use":
        return not isinstance(block.get("input"), dict)  # cut off while it was written
    return block["type"] == "text" and is_blank(str(block.get("text") or ""))


def _filled(block: Block) -> Block:
    if block["type"] != "tool_result":
        return block
    content = block.get("content")
    if isinstance(content, list):
        inner = [part for part in content if not _useless(part)]
        return block if inner and inner == content else {**block, "content": inner or NO_OUTPUT}
    return {**block, "content": NO_OUTPUT} if is_blank(str(content or "")) else block


def _not_ending_in_thought(blocks: list[Block]) -> list[Block]:
    """An assistant turn may not end in thinking, and thinking is dropped whole or not at all."""
    while blocks and blocks[-1]["type"] in _THINKING:
        blocks = blocks[:-1]
    return blocks


def _joined(turns: Iterable[Message]) -> list[Message]:
    joined: list[Message] = []
    for turn in turns:
        if not turn["content"]:
            continue
        if joined and joined[-1]["role"] == turn["role"]:
            joined[-1] = {**joined[-1], "content": [*joined[-1]["content"], *turn["content"]]}
        else:
            joined.append(turn)
    return joined


def _paired(turns: Sequence[Message]) -> Iterable[Message]:
    """Each user turn begins with exactly the results its assistant turn asked for, in its order."""
    called: list[str] = []
    for turn in turns:
        if turn["role"] == "assistant":
            content, called = _called_once(turn["content"])
            yield {**turn, "content": content}
            continue
        yield {**turn, "content": [*_results(called, turn["content"]), *_others(turn["content"])]}
        called = []
    if called:
        yield {"role": "user", "content": [_unknown(use_id) for use_id in called]}


def _called_once(content: Sequence[Block]) -> tuple[list[Block], list[str]]:
    called: list[str] = []
    kept: list[Block] = []
    for block in content:
        if block["type"] == "tool_use":
            if block["id"] in called:
                continue
            called.append(block["id"])
        kept.append(block)
    return _not_ending_in_thought(kept), called


def _results(called: Sequence[str], content: Sequence[Block]) -> list[Block]:
    given: dict[str, Block] = {}
    for block in content:
        if block["type"] == "tool_result":
            given.setdefault(block["tool_use_id"], block)
    return [given.get(use_id) or _unknown(use_id) for use_id in called]


def _others(content: Sequence[Block]) -> list[Block]:
    return [block for block in content if block["type"] != "tool_result"]


def _unknown(use_id: str) -> Block:
    return {
        "type": "tool_result",
        "tool_use_id": use_id,
        "content": INTERRUPTED,
        "is_error": True,
    }


def _text(text: str) -> Block:
    return {"type": "text", "text": text}
