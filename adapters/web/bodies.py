"""Reading what a page sends: one JSON object of bounded size, every field checked."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from adapters.web.errors import Invalid, TooLarge, WrongType

BODY_LIMIT = 1_000_000  # bytes of a request
TEXT_LIMIT = 32_000  # signs of a message
_DRAIN_LIMIT = 16_000_000  # bytes read and dropped, so that the sender hears the answer


class Body:
    """The fields of one request."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def text(self, name: str, *, limit: int = 200, default: str | None = None) -> str:
        """A non-empty text; `default` where it may be absent or empty."""
        value = self._fields.get(name)
        if value is None or value == "":
            if default is None:
                raise Invalid(f"{name!r} is missing")
            return default
        if not isinstance(value, str):
            raise Invalid(f"{name!r} must be a text, got {type(value).__name__}")
        if len(value) > limit:
            raise TooLarge(f"{name!r} has {len(value)} signs; {limit} is the most")
        return _clean(name, value)

    def optional(self, name: str) -> str | None:
        """A text, or None when it is absent or empty."""
        return self.text(name, default="") or None

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._fields.get(name)
        if not isinstance(value, bool):
            raise Invalid(f"{name!r} must be true or false")
        return value

    def texts(self, name: str, *, most: int = 200) -> list[str]:
        """A list of texts; empty when absent."""
        value = self._fields.get(name) or []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise Invalid(f"{name!r} must be a list of texts")
        if len(value) > most:
            raise TooLarge(f"{name!r} has {len(value)} entries; {most} is the most")
        return [_clean(name, item) for item in value]


async def read_body(request: Request) -> Body:
    """The JSON object in a request; WrongType, TooLarge or Invalid otherwise."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    raw = await _bounded(request)
    if kind != "application/json":
        raise WrongType(f"send application/json, not {kind[:60] or 'an unnamed type'!r}")
    try:
        fields = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Invalid("the body is not UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        raise Invalid(f"the body is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise Invalid("the body must be a JSON object")
    return Body(fields)


async def _bounded(request: Request) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= BODY_LIMIT:
            chunks.append(chunk)
        elif size > _DRAIN_LIMIT:
            break
    if size > BODY_LIMIT:
        raise TooLarge(f"the request is larger than {BODY_LIMIT // 1_000_000} MB, the most we take")
    return b"".join(chunks)


def _clean(name: str, value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise Invalid(f"{name!r} holds half a character (a lone surrogate)") from error
    # Databases refuse the zero sign; what stood there is seen to have stood there.
    return value.replace("\x00", "\ufffd")
