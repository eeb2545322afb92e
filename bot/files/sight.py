"""Puts kept pictures into requests when a model is asked, and a word where one is gone."""

import asyncio
import base64
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bot.files.enclosures import MOST_PICTURES
from bot.models.model import Block, Message, Model, Request, Response

_MOST_BYTES = 20_000_000  # of all pictures of a request in base64; the API takes 32 MB in all
_KEPT = re.compile(r"\d+\.(?:png|jpg)")
_MIME = {".png": "image/png", ".jpg": "image/jpeg"}
_GONE = "(This picture is no longer kept.)"
_TOO_MANY = "(An earlier picture; not shown again.)"


class Sighted(Model):
    """Another model, shown the pictures that its requests only name.

    So no picture is stored with a run, and one that is taken back leaves no request broken.
    """

    def __init__(self, model: Model, folder: Path) -> None:
        self.name = model.name
        self.context_tokens = model.context_tokens
        self.sees = model.sees
        self._model = model
        self._folder = folder

    async def complete(self, request: Request) -> Response:
        """Ask the model with the pictures in their places."""
        if any(map(_named, _blocks(request.messages))):
            shown = await asyncio.to_thread(self._shown, request.messages)
            request = replace(request, messages=shown)
        return await self._model.complete(request)

    async def aclose(self) -> None:
        """Close the model."""
        await self._model.aclose()

    def _shown(self, messages: Sequence[Message]) -> list[Message]:
        """The newest pictures in their places, as many as a request may hold."""
        left = _MOST_BYTES
        turns: list[Message] = []
        number = 0
        for message in reversed(messages):
            if isinstance(message["content"], str):
                turns.append(message)
                continue
            content: list[Block] = []
            for block in reversed(message["content"]):
                if _named(block):
                    number += 1
                    block = self._picture(block) if number <= MOST_PICTURES else _text(_TOO_MANY)
                    left -= len(block.get("source", {}).get("data", ""))
                    block = block if left >= 0 else _text(_TOO_MANY)
                content.append(block)
            turns.append({**message, "content": content[::-1]})
        return turns[::-1]

    def _picture(self, block: Block) -> Block:
        name = str(block["source"].get("name"))
        try:
            data = (self._folder / name).read_bytes() if _KEPT.fullmatch(name) else b""
        except OSError:
            data = b""
        if not data:
            return _text(_GONE)
        source = {
            "type": "base64",
            "media_type": _MIME[Path(name).suffix],
            "data": base64.b64encode(data).decode("ascii"),
        }
        return {"type": "image", "source": source}


def _blocks(messages: Sequence[Message]) -> list[Block]:
    return [b for m in messages if not isinstance(m["content"], str) for b in m["content"]]


def _named(block: Block) -> bool:
    return block["type"] == "image" and bool(block["source"].get("type") == "kept")


def _text(text: str) -> Block:
    return {"type": "text", "text": text}
