"""Names what the Messages API or the way to it did wrong, in the three words the runtime knows.

foreign error ─► may work later: ModelRetry · never will: ModelRefused · too big: ContextTooLong
"""

import math
import re
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from adapters import network
from bot.errors import ContextTooLong, ModelError, ModelLocked, ModelRefused, ModelRetry

_TOO_LONG = re.compile(
    r"(prompt|input|request|context)\b.*\b(too long|too large|exceeds?)\b"
    r"|exceeds?\b.*\bcontext|maximum context length",
    re.I | re.S,
)
_UNPAID = re.compile(r"credit balance|billing", re.I)
_THINKING = re.compile(r"\b(thinking|signature)\b", re.I)
_PICTURE = re.compile(r"\bimages?\b", re.I)
_RETRIED = frozenset({408, 409, 425, 429})
_RETRIED_TYPES = frozenset(
    {"overloaded_error", "api_error", "timeout_error", "rate_limit_error", "conflict_error"}
)
_TYPE_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
}
_WORDS_SHOWN = 300  # characters of the endpoint's own message


class StaleThinking(ModelRefused):
    """The endpoint will not take thinking blocks back; without them the request may pass."""


class PicturesRefused(ModelRefused):
    """The endpoint will not take a picture; without them the request may pass."""


class TooManyBytes(ContextTooLong):
    """The request is too large in bytes, as only pictures make it; its words may well fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Whom we asked, for the texts of errors."""

    url: str
    model: str
    api_key: str = field(repr=False)
    """Only known here so that it can be struck out of what the endpoint says."""


def named(error: Exception, endpoint: Endpoint) -> ModelError | None:
    """Our word for a foreign error; None if neither the endpoint nor the way to it failed."""
    # The client is heavy and loaded by the first call, so only a call that failed comes here.
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return _status(error, endpoint)
    if isinstance(error, anthropic.APIConnectionError) and isinstance(
        error.__cause__, httpx2.UnsupportedProtocol | httpx2.LocalProtocolError | UnicodeError
    ):
        return ModelRefused(
            f"the request to {endpoint.url!r} cannot be written; check that [model] base_url "
            "begins with http:// or https://"
        )
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return ModelRetry(f"{endpoint.url} kept silent for too long")
    if isinstance(error, anthropic.APIError | httpx2.HTTPError | httpx2.StreamError):
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
        return ModelRetry(f"the connection to {endpoint.url} broke ({_way(cause)})")
    if isinstance(error, ValueError):
        return ModelRetry(f"{endpoint.url} sent an event that is not valid JSON")
    return None


def _way(cause: Exception) -> str:
    """The kind of what broke the connection, and what to do where that is known."""
    kind, told = type(cause).__name__, network.reason(cause)
    return f"{kind}: {told}" if "; " in told else kind


def _status(error: Any, endpoint: Endpoint) -> ModelError:
    kind = error.type or ""
    status = error.status_code
    if status < 400:  # an error event inside a stream that had begun well
        status = _TYPE_STATUS.get(kind, 500)
    words = _words(error, endpoint)
    if status == 400 and _PICTURE.search(words):
        return PicturesRefused(f"a picture was not accepted by {endpoint.url} ({words})")
    if status == 413 or (status == 400 and _TOO_LONG.search(words)):
        kind_of = TooManyBytes if status == 413 else ContextTooLong
        return kind_of(f"the request is too long for {endpoint.model!r}: {words}")
    if status >= 500 or status in _RETRIED or kind in _RETRIED_TYPES:
        headers = error.response.headers
        return ModelRetry(f"{endpoint.url} answered {status}: {words}", after=retry_after(headers))
    return _refused(status, words, endpoint)


def _refused(status: int, words: str, endpoint: Endpoint) -> ModelRefused:
    where = f"{endpoint.url} ({status}: {words})"
    if status == 401:
        return ModelLocked(
            f"[model] api_key was not accepted by {where}; set a valid key there or in "
            "ANTHROPIC_API_KEY"
        )
    if status == 402 or _UNPAID.search(words):
        return ModelLocked(f"the account of [model] api_key cannot pay at {where}; see its billing")
    if status == 403:
        return ModelRefused(
            f"[model] api_key may not use {endpoint.model!r} at {where}; check the key's "
            "permissions or choose another name"
        )
    if status == 404:
        return ModelRefused(
            f"the model {endpoint.model!r} was not found at {where}; check [model] name, "
            "small_name and base_url"
        )
    kind = StaleThinking if status == 400 and _THINKING.search(words) else ModelRefused
    return kind(f"the request was not accepted by {where}")


def _words(error: Any, endpoint: Endpoint) -> str:
    words = " ".join(str(error.api_message or error.message).split())
    if endpoint.api_key:
        words = words.replace(endpoint.api_key, "***")
    return words[:_WORDS_SHOWN]


def retry_after(headers: Any) -> float | None:
    """Seconds the endpoint asks us to wait; a date is read against the answer's own date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else None
    until, sent = _date(headers.get("retry-after")), _date(headers.get("date"))
    return max(0.0, (until - sent).total_seconds()) if until and sent else None


def _date(text: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(text) if text else None
    except ValueError:
        return None
