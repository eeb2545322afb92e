"""Estimates how many tokens a text or a list of messages is, rather too many than too few."""

import json
import math
from collections.abc import Iterable

from bot.models.model import Block, Message

# What one character costs at most in practice, told by the first byte of its UTF-8 form: counting
# bytes is many times faster than matching characters. JSON is dense in signs and digits.
_LETTER_COST = 0.25
_COSTS = (
    (bytes(b for b in range(0x80) if not (chr(b).isalpha() or b == 0x20)), 0.4),
    (bytes(range(0xC0, 0xE0)), 0.5),  # accents, Cyrillic, Greek, Arabic, Hebrew
    (bytes(range(0xE0, 0xF0)), 1.0),  # Chinese, Japanese, Korean, Indic scripts, typographic signs
    (bytes(range(0xF0, 0xF8)), 2.0),  # emoji
)
_FOLLOWING = bytes(range(0x80, 0xC0))  # the bytes of a character after its first
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
    data = text.encode("utf-8", "surrogatepass").translate(None, _FOLLOWING)
    tokens, letters = 0.0, len(data)
    for kind, cost in _COSTS:
        number = len(data) - len(data.translate(None, kind))
        tokens += number * cost
        letters -= number
    return math.ceil(tokens + letters * _LETTER_COST)
