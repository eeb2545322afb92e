"""Calls of Slack's Web API through the official client, at the pace each method allows.

The client's own retries are off: a retry after a lost answer would post twice, and who waits how
long is decided in one place, by whoever called.
"""

from collections.abc import Callable
from typing import Any

from adapters import network
from adapters.pace import Limit, Pace, seconds_told
from adapters.slack.faults import LOST, REVOKED, UNREACHABLE, CallFailed
from adapters.slack.settings import SlackSettings

Json = dict[str, Any]

_QUESTIONS = {
    "conversations.info": Limit(50, 60.0),
    "conversations.members": Limit(100, 60.0),
    "conversations.history": Limit(50, 60.0),
    "conversations.replies": Limit(50, 60.0),
    "users.info": Limit(100, 60.0),
    "users.list": Limit(20, 60.0),
    "users.conversations": Limit(50, 60.0),
}
"""What Slack promises for each method and workspace; those that post are paced by channel."""


class Api:
    """The Web API of one app; usable inside `async with`."""

    def __init__(self, settings: SlackSettings, pace: Pace) -> None:
        self._settings = settings
        self._pace = pace
        self._client: Any = None
        self.session: Any = None
        """The aiohttp session, for downloads and the socket as well."""
        self.proxy: str | None = None
        self.on_revoked: Callable[[CallFailed], None] = lambda failed: None
        """Called when the bot token turns out to be worth nothing."""

    async def __aenter__(self) -> "Api":
        from slack_sdk.web.async_client import AsyncWebClient

        self.session, self.proxy = network.way_out(self._settings.proxy)
        self._client = AsyncWebClient(
            token=self._settings.bot_token,
            base_url=self._settings.base_url,
            session=self.session,
            retry_handlers=[],
        )
        # The client takes a proxy of the environment where none is given, and ignores NO_PROXY.
        self._client.proxy = self.proxy
        return self

    async def __aexit__(self, *error: object) -> None:
        self._client = None
        session, self.session = self.session, None
        if session is not None:
            await session.close()

    async def call(self, method: str, **arguments: Any) -> Json:
        """The answer's content; raises CallFailed."""
        return (await self.ask(method, **arguments))[0]

    async def ask(self, method: str, **arguments: Any) -> tuple[Json, dict[str, str]]:
        """The answer's content and its headers in small letters.

        Raises CallFailed, and Retry while Slack wants to be left alone for long.
        """
        if limit := _QUESTIONS.get(method):
            await self._pace.wait({method: (limit,)})
        try:
            return await self._ask(method, arguments)
        except CallFailed as failed:
            if failed.after is not None and limit:
                self._pace.close(method, failed.after)
            if failed.code in REVOKED and method != "apps.connections.open":
                self.on_revoked(failed)
            raise

    async def _ask(self, method: str, arguments: Json) -> tuple[Json, dict[str, str]]:
        import aiohttp
        from slack_sdk.errors import SlackApiError

        if self._client is None:
            raise CallFailed(method, UNREACHABLE, "the connection is not open yet")
        try:
            answer = await getattr(self._client, method.replace(".", "_"))(**arguments)
        except SlackApiError as error:
            raise _failed(method, error.response) from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            code = UNREACHABLE if network.never_left(error) else LOST
            raise CallFailed(method, code, network.reason(error)) from error
        except (AttributeError, ValueError, RecursionError) as error:
            # The client trips over an answer that is no JSON object, or no text at all.
            raise CallFailed(method, LOST, "the answer is not Slack's") from error
        return answer.data, {key.lower(): value for key, value in answer.headers.items()}


def _failed(method: str, response: Any) -> CallFailed:
    """What an unhappy answer says; the client hands in its own kind of answer or aiohttp's."""
    data = getattr(response, "data", None)
    status = int(getattr(response, "status_code", 0) or getattr(response, "status", 200))
    body: Json = data if isinstance(data, dict) else {}
    if status == 429 or body.get("error") == "ratelimited":
        return CallFailed(method, "ratelimited", after=_seconds(response.headers))
    if status >= 500:
        return CallFailed(method, f"http_{status}", str(body.get("error") or ""))
    if not body.get("error"):
        return CallFailed(method, LOST, f"an answer with status {status} that is not Slack's")
    metadata = body.get("response_metadata")
    messages = metadata.get("messages") if isinstance(metadata, dict) else None
    detail = str(body.get("needed") or "; ".join(map(str, messages or ())))
    return CallFailed(method, str(body["error"]), detail)


def _seconds(headers: Any) -> float:
    seconds = seconds_told(headers.get("Retry-After", "1"))
    return 30.0 if seconds is None else max(1.0, seconds)
