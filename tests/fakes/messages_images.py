"""What the Messages API refuses about pictures (platform.claude.com/docs, vision, read 2026-11)."""

import base64
import binascii
import io
from collections.abc import Iterator
from typing import Any

from PIL import Image

MOST_BYTES = 5 * 1024 * 1024  # of one picture in base64
_LONGEST = 8000  # pixels
_LONGEST_OF_MANY = 2000  # pixels, where a request has more than so many pictures:
_MANY = 20
_FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}


def faults(messages: list[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with the pictures of a request, in their order."""
    found = [
        (f"messages.{m}.content.{n}.image", block)
        for m, message in enumerate(messages)
        for n, block in enumerate(message["content"])
        if isinstance(block, dict) and block["type"] == "image"
    ]
    longest = _LONGEST if len(found) <= _MANY else _LONGEST_OF_MANY
    for path, block in found:
        yield from _faults(f"{path}.source", block.get("source") or {}, longest)


def _faults(path: str, source: dict[str, Any], longest: int) -> Iterator[str]:
    if source.get("type") != "base64":
        yield f"{path}.type: Input should be 'base64', got {source.get('type')!r}"
        return
    if source.get("media_type") not in _FORMATS:
        yield f"{path}.media_type: Input should be one of {sorted(_FORMATS)}"
        return
    if len(source["data"]) > MOST_BYTES:
        yield f"{path}.base64: image exceeds 5 MB maximum"
        return
    try:
        data = base64.b64decode(source["data"], validate=True)
        with Image.open(io.BytesIO(data)) as image:
            if image.format != _FORMATS[source["media_type"]]:
                yield f"{path}: image is {image.format}, not {source['media_type']}"
            if max(image.size) > longest:
                yield f"{path}: image dimensions exceed max allowed size: {longest} pixels"
    except (binascii.Error, OSError):
        yield f"{path}: Could not process image"
