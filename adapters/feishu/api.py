"""Feishu's REST interface: one session, one cached token, one place where answers are judged."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from adapters import network
from adapters.errors import Refused, Retry, Unknown
from adapters.feishu.errors import SECRET_CODES, TOKEN_CODES, Rejected, bad_secret, verdict
from adapters.feishu.settings import FeishuSettings
from adapters.pace import seconds_told

logger = logging.getLogger(__name__)

TOKEN_PATH = "/open-apis/auth/v3/tenant_access_token/internal"
MARGIN_S = 300.0  # a token is renewed so long before its end
PAGES = 50  # at most so many of one list are read
_LARGEST_NO = 100_000  # bytes of an answer that says why there is no file


class Api:
    """Calls Feishu; `Rejected` is its no, Retry and Unknown are the network's."""

    def __init__(self, settings: FeishuSettings, clock: Callable[[], datetime]) -> None:
        self.settings = settings
        self._clock = clock
        self._session: Any = None
        self._closed = False
        self.proxy: str | None = None
        """To be named with each call over the session."""
        self._token = ""
        self._good_until: datetime | None = None
        self._renewing = asyncio.Lock()
        self.heard_at: datetime | None = None
        """When Feishu last answered anything."""
        self.server_time: datetime | None = None
        """What time that answer said it was."""

    async def call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
        posting: bool = False,
    ) -> dict[str, Any]:
        """The `data` of an answer. With `posting`, an answer that got lost is Unknown, not Retry.

        An invalid token is dropped, and the call made once more with a fresh one.
        """
        token = await self.token()
        try:
            return await self._once(method, path, token, params, body, posting)
        except Rejected as error:
            if error.code not in TOKEN_CODES:
                raise
            logger.info("Feishu refused the token (code %d); asking for another", error.code)
            self._drop(token)
        return await self._once(method, path, await self.token(), params, body, posting)

    async def pages(
        self, path: str, params: Mapping[str, str], *, pages: int = PAGES
    ) -> AsyncIterator[dict[str, Any]]:
        """The `data` of every page of a list."""
        asked = dict(params)
        for _ in range(pages):
            data = await self.call("GET", path, params=asked)
            yield data
            if not data.get("has_more") or not data.get("page_token"):
                return
            asked["page_token"] = str(data["page_token"])

    async def download(self, path: str, params: Mapping[str, str], *, limit: int) -> bytes:
        """The bytes behind a path; Refused when there are more than `limit`."""
        token = await self.token()
        try:
            return await self._bytes(path, token, params, limit)
        except Rejected as error:
            if error.code not in TOKEN_CODES:
                raise
            self._drop(token)
        return await self._bytes(path, await self.token(), params, limit)

    async def token(self) -> str:
        """The app's token; only one caller at a time asks for a new one."""
        async with self._renewing:
            if self._good_until is None or self._clock() >= self._good_until:
                await self._renew()
            return self._token

    async def renew(self) -> None:
        """Ask for a token now; Refused when app and secret do not belong together."""
        async with self._renewing:
            await self._renew()

    async def post_plain(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """A call without a token, as the ones that begin everything are."""
        return await self._once("POST", path, "", None, body, posting=False)

    async def session(self) -> Any:
        """The one aiohttp session, on the loop that asks first."""
        if self._closed:
            raise Retry("Feishu is not connected")
        if self._session is None:
            self._session, self.proxy = network.way_out(self.settings.proxy)
        return self._session

    def open(self) -> None:
        """Take calls again after `close`."""
        self._closed = False

    async def close(self) -> None:
        """Let every connection go and open no other."""
        self._closed = True
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _drop(self, token: str) -> None:
        if token == self._token:  # else somebody has a fresh one already
            self._good_until = None

    async def _renew(self) -> None:
        body = {"app_id": self.settings.app_id, "app_secret": self.settings.app_secret}
        try:
            answer = await self._once("POST", TOKEN_PATH, "", None, body, posting=False)
        except Rejected as error:
            if error.code in SECRET_CODES:
                raise bad_secret(self.settings.app_id, error) from error
            raise verdict(error) from error
        token, seconds = answer.get("tenant_access_token"), answer.get("expire")
        if not isinstance(token, str) or not isinstance(seconds, int):
            raise Retry("Feishu's answer holds no token; is [feishu] domain its address?")
        self._token = token
        self._good_until = self._clock() + timedelta(seconds=max(seconds - MARGIN_S, 1.0))

    async def _once(
        self,
        method: str,
        path: str,
        token: str,
        params: Mapping[str, str] | None,
        body: Mapping[str, Any] | None,
        posting: bool,
    ) -> dict[str, Any]:
        status, headers, raw = await self._exchange(method, path, token, params, body, posting)
        answer = _answer(status, headers, raw)
        if answer is None:
            what = f"Feishu answered {method} {path} with HTTP {status} and no JSON"
            raise Unknown(what) if posting else Retry(what)
        return answer

    async def _exchange(
        self,
        method: str,
        path: str,
        token: str,
        params: Mapping[str, str] | None,
        body: Mapping[str, Any] | None,
        posting: bool,
    ) -> tuple[int, Mapping[str, str], bytes]:
        import aiohttp

        session = await self.session()
        sent = json.dumps(body, ensure_ascii=False).encode() if body is not None else None
        headers = {"Content-Type": "application/json; charset=utf-8"} | _bearer(token)
        url = self.settings.domain.rstrip("/") + path
        try:
            async with session.request(
                method,
                url,
                params=params,
                data=sent,
                headers=headers,
                proxy=self.proxy,
                allow_redirects=False,  # a body may hold the secret
            ) as response:
                raw = await response.read()
                self._heard(response.headers)
                return response.status, response.headers, raw
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            why = network.reason(error)
            if network.never_left(error):
                raise Retry(f"Feishu cannot be reached at {self.settings.domain}: {why}") from error
            what = f"the answer to {method} {path} was lost: {why}"
            raise (Unknown(what) if posting else Retry(what)) from error

    async def _bytes(self, path: str, token: str, params: Mapping[str, str], limit: int) -> bytes:
        import aiohttp

        session = await self.session()
        url = self.settings.domain.rstrip("/") + path
        try:
            async with session.get(
                url, params=params, headers=_bearer(token), proxy=self.proxy
            ) as response:
                self._heard(response.headers)
                raw = await _at_most(response, limit if response.status == 200 else _LARGEST_NO)
                if response.status != 200 or _is_no(raw):
                    _answer(response.status, response.headers, raw)
                    raise Retry(f"Feishu answered {path} with HTTP {response.status}")
                return raw
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            why = network.reason(error)
            raise Retry(f"the file could not be read from Feishu: {why}") from error

    def _heard(self, headers: Mapping[str, str]) -> None:
        self.heard_at = self._clock()
        self.server_time = network.time_told(headers.get("Date", "")) or self.server_time


def _answer(status: int, headers: Mapping[str, str], raw: bytes) -> dict[str, Any] | None:
    """What an answer holds; None when it is no answer of Feishu's. Raises Rejected."""
    try:
        answer = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict) or not isinstance(answer.get("code"), int):
        return None
    if answer["code"] != 0:
        raise Rejected(
            answer["code"], str(answer.get("msg", "")), status=status, after=_wait_s(headers)
        )
    data = answer.get("data")
    return data if isinstance(data, dict) else answer


def _wait_s(headers: Mapping[str, str]) -> float | None:
    told = (seconds_told(headers.get(name)) for name in ("x-ogw-ratelimit-reset", "Retry-After"))
    return next((seconds for seconds in told if seconds is not None), None)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _is_no(raw: bytes) -> bool:
    """Whether this is an error of Feishu's and no file, for it may say no with HTTP 200."""
    if not raw.startswith(b"{") or len(raw) > _LARGEST_NO:
        return False
    try:
        answer = json.loads(raw)
    except ValueError:
        return False
    return isinstance(answer.get("code"), int) and "msg" in answer


async def _at_most(response: Any, limit: int) -> bytes:
    kept = bytearray()
    async for piece in response.content.iter_any():
        kept += piece
        if len(kept) > limit:
            raise Refused(f"the file is larger than {limit} bytes")
    return bytes(kept)
