"""Estimates how many tokens a text or a list of messages is, rather too many than too few."""

import json
import math
import re
from collections.abc import Iterable

from bot.model import Block, Message

# What one character of a kind costs at most in practice; JSON is dense in signs and digits.
_DENSE = re.compile(r"[\x00-\x1f!-/0-9:-@\[-`{-\x7f]")
_OTHER_SCRIPTS = re.compile(r"[\u0080-\u2e7f]")
_CJK = re.compile(r"[\u2e80-\uffff]")
_ASTRAL = re.compile(r"[\U00010000-\U0010ffff]")
_LETTER_COST, _DENSE_COST, _OTHER_COST, _CJK_COST, _ASTRAL_COST = 0.25, 0.4, 0.5, 1.0, 2.0
_BLOCK_COST = 8  # tokens; braces and names around a block
_MEDIA_COST = 1_600  # tokens; a picture at the size the API scales it to
_MEDIA = frozenset({"image", "document"})


def estimate_tokens(what: str | Iterable[Message]) -> int:
    """Tokens of a text, or of messages with all their blocks."""
    if isinstance(what, str):
        return _text(what)
    return sum(_message(message) for message in what)


def block_tokens(block: Block) -> int:
    """Tokens of one content block."""
    if block["type"] in _MEDIA:
        return _MEDIA_COST
    if block["type"] == "text":
        return _BLOCK_COST + _text(block["text"])
    content = block.get("content")
    if block["type"] == "tool_result" and not isinstance(content, str):
        return _BLOCK_COST + sum(block_tokens(part) for part in content or [])
    return _BLOCK_COST + _text(json.dumps(block, ensure_ascii=False))


def _message(message: Message) -> int:
    content = message["content"]
    if isinstance(content, str):
        return _BLOCK_COST + _text(content)
    return sum(block_tokens(block) for block in content)


def _text(text: str) -> int:
    if not text:
        return 0
    kinds = [
        (_count(_DENSE, text), _DENSE_COST),
        (_count(_OTHER_SCRIPTS, text), _OTHER_COST),
        (_count(_CJK, text), _CJK_COST),
        (_count(_ASTRAL, text), _ASTRAL_COST),
    ]
    letters = len(text) - sum(number for number, _ in kinds)
    return math.ceil(letters * _LETTER_COST + sum(number * cost for number, cost in kinds))


def _count(kind: re.Pattern[str], text: str) -> int:
    return len(kind.findall(text))
