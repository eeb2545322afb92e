"""Leaves pictures out of a conversation where the endpoint or the window will not take them.

What stays in their place is a text, so that the model knows of them and no request stays broken.
"""

from collections.abc import Iterable

from bot.models.model import Block, Message
from bot.models.tokens import block_tokens

REFUSED = "(A picture stood here; it could not be shown to you.)"
_LEFT_OUT = "(A picture stood here; it was left out to fit the window.)"


def without(messages: Iterable[Message]) -> list[Message]:
    """The messages with a word in place of every picture."""
    return [_replaced(message, REFUSED) for message in messages]


def fewer(messages: Iterable[Message], excess: int) -> list[Message]:
    """The messages without the oldest pictures, as many as it takes to save `excess` tokens."""
    kept: list[Message] = []
    for message in messages:
        content: list[Block] = []
        for block in message["content"]:
            text = _text(_LEFT_OUT)
            if block["type"] == "image" and excess > 0:
                excess -= block_tokens(block) - block_tokens(text)
                block = text
            content.append(block)
        kept.append({**message, "content": content})
    return kept


def _replaced(message: Message, note: str) -> Message:
    content = message["content"]
    if isinstance(content, str) or not any(block["type"] == "image" for block in content):
        return message
    blocks = [_text(note) if block["type"] == "image" else block for block in content]
    return {**message, "content": blocks}


def _text(text: str) -> Block:
    return {"type": "text", "text": text}
