"""The long connection: one socket at a time, watched, and made anew for ever.

open ──► hello ──► frames ──► lost, silent or asked to leave ──► open …

The official Socket Mode client is not used. It reads a frame into a queue of its own and handles
every message in a task of its own, so the order inside a room is lost; it waits a fixed time after
a failure, without jitter; it tries for ever with a token that was revoked; and it reads the clock
and the environment's proxy itself. What is left after all of that is this loop.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from adapters import network
from adapters.errors import Retry, Unknown
from adapters.pace import Backoff, Clock, Sleep
from adapters.slack.api import Api
from adapters.slack.faults import REVOKED, CallFailed, told

logger = logging.getLogger(__name__)

Json = dict[str, Any]
Acknowledge = Callable[[], Awaitable[None]]
Accept = Callable[[Json, Acknowledge], None]
"""Takes an envelope; acknowledges it when it is stored."""
Room = Callable[[], Awaitable[None]]
"""Returns once another envelope can be taken; until then it stays in the socket."""

PING_S = 5.0
SILENT = timedelta(seconds=13)  # two pongs may be late, the third is not coming
HELLO_S = 15.0
CLOSE_S = 1.0  # how long a farewell may take
HOPELESS = REVOKED | {"missing_scope"}
LARGEST = 16 * 1024 * 1024  # bytes of a frame; longer than any event there can be
FIRST_S, LIMIT_S = 1.0, 60.0  # waits between tries to connect
COUNTED = timedelta(minutes=2)  # how long Slack may count a socket that was left open
BRIEF = timedelta(seconds=10)  # a connection that lasted no longer counts as a failure

SEVERAL = (
    "Slack counts {count} connections of this app: another copy of Limen, or another program with "
    "the same app token, gets a part of the events. Stop it, or give it a Slack app of its own"
)


class Connection:
    """Holds the socket. `up` means that Slack said hello and nothing was lost since."""

    def __init__(
        self,
        api: Api,
        app_token: str,
        accept: Accept,
        room: Room,
        clock: Clock,
        sleep: Sleep,
        jitter: Callable[[], float],
    ) -> None:
        self._api = api
        self._app_token = app_token
        self._accept = accept
        self._room = room
        self._holding = False
        """Whether nothing is read since there is no room: that silence is our own."""
        self._clock = clock
        self._sleep = sleep
        self._backoff = Backoff(sleep, jitter, first_s=FIRST_S, limit_s=LIMIT_S)
        self._leaving: set[asyncio.Task[Any]] = set()
        self._left_open_at: datetime | None = None
        """When a socket was left that Slack may still count."""
        self.up = False
        self.trouble = ""
        self.company = ""
        """Says so when we are not alone."""
        self.heard_at: datetime | None = None

    async def run(
        self, sign_in: Callable[[], Awaitable[None]], connected: Callable[[], None]
    ) -> None:
        """Connect and listen until cancelled; Refused where only another token can help."""
        old, brief = None, False
        try:
            while True:
                try:
                    await sign_in()
                    socket = await self._connect()
                except (Retry, Unknown) as error:
                    self.trouble = str(error)
                    logger.warning("slack: %s", error, extra={"action": "slack_down"})
                    self._leave(old)
                    old = None
                    await self._backoff.wait(least_s=getattr(error, "after", None) or 0.0)
                    continue
                self._leave(old)
                self.up, self.trouble, began = True, "", self._clock()
                connected()
                old = socket
                await self._listen(socket)
                self.up, self.trouble = False, "the connection to Slack is being made anew"
                self._left_open_at = None if socket.closed else self._clock()
                if self._clock() - began > BRIEF:
                    self._backoff.reset()
                    brief = False
                elif brief:
                    await self._backoff.wait()
                else:
                    brief = True  # once may be by chance, so the next try is at once
        finally:
            self.up = False
            self._leave(old)
            await asyncio.gather(*self._leaving, return_exceptions=True)

    async def _connect(self) -> Any:
        """A socket over which Slack said hello."""
        import aiohttp

        url = await self._url()
        try:
            async with asyncio.timeout(HELLO_S):
                socket = await self._api.session.ws_connect(
                    url,
                    autoping=False,
                    max_msg_size=LARGEST,
                    proxy=self._api.proxy,
                    timeout=aiohttp.ClientWSTimeout(ws_close=CLOSE_S),
                )
                try:
                    await self._greeted(socket)
                except BaseException:
                    self._leave(socket)
                    raise
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            what = "no hello came" if isinstance(error, TimeoutError) else network.reason(error)
            raise Retry(f"the connection to Slack's Socket Mode failed: {what}") from error
        return socket

    async def _url(self) -> str:
        try:
            answer = await self._api.call("apps.connections.open", app_token=self._app_token)
        except CallFailed as failed:
            error = told(failed)
            if failed.passing or failed.code in HOPELESS:
                raise error from failed
            # Such as Socket Mode being off: it heals when somebody turns it on.
            raise Retry(
                f"Slack opens no connection ({failed.code}): turn on Settings → Socket Mode "
                "→ Enable Socket Mode at api.slack.com/apps"
            ) from failed
        return str(answer.get("url") or "")

    async def _greeted(self, socket: Any) -> None:
        while True:
            message = await self._next(socket)
            if message is None:
                raise ConnectionResetError("Slack hung up before it said hello")
            if message.get("type") == "hello":
                count = message.get("num_connections")
                self._count(count if isinstance(count, int) else 1)
                return

    def _count(self, connections: int) -> None:
        left = self._left_open_at
        own = 2 if left is not None and self._clock() - left < COUNTED else 1
        if connections <= 1:
            self.company = ""
        elif connections > own:
            self.company = SEVERAL.format(count=connections)
            logger.warning("slack: %s", self.company, extra={"action": "slack_company"})

    async def _listen(self, socket: Any) -> None:
        """Hand in what comes until the socket is of no use any more."""
        tasks = {
            asyncio.create_task(self._read(socket), name="slack reader"),
            asyncio.create_task(self._watch(socket), name="slack watch"),
        }
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, socket: Any) -> None:
        while (message := await self._next_with_room(socket)) is not None:
            if message.get("type") == "disconnect":
                logger.info("slack asks for a new connection: %s", message.get("reason"))
                return
            if envelope := message.get("envelope_id"):
                self._accept(message, _acknowledgement(socket, envelope))
        logger.warning("slack hung up", extra={"action": "slack_lost"})

    async def _next_with_room(self, socket: Any) -> Json | None:
        self._holding = True
        try:
            await self._room()
        finally:
            self._holding = False
        return await self._next(socket)

    async def _next(self, socket: Any) -> Json | None:
        """The next message; None when the socket is closed."""
        from aiohttp import WSMsgType

        while True:
            frame = await socket.receive()
            if frame.type is WSMsgType.ERROR:
                logger.warning("slack sent what cannot be taken: %s", frame.data)
            if frame.type in (
                WSMsgType.CLOSE,
                WSMsgType.CLOSING,
                WSMsgType.CLOSED,
                WSMsgType.ERROR,
            ):
                return None
            self.heard_at = self._clock()
            if frame.type is WSMsgType.PING:
                await socket.pong(frame.data)
            elif frame.type is WSMsgType.TEXT and (message := _parsed(frame.data)) is not None:
                return message

    async def _watch(self, socket: Any) -> None:
        """Return when nothing was heard for too long, whatever the socket says of itself."""
        while True:
            await self._sleep(PING_S)
            if self._holding:
                self.heard_at = self._clock()
            if self.heard_at is not None and self._clock() - self.heard_at > SILENT:
                logger.warning("slack went silent", extra={"action": "slack_silent"})
                return
            try:
                await socket.ping()
            except ConnectionError:
                return

    def _leave(self, socket: Any) -> None:
        """Close a socket aside, since a silent one takes its time."""
        if socket is not None:
            task = asyncio.ensure_future(socket.close())
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)


def _acknowledgement(socket: Any, envelope: str) -> Acknowledge:
    async def acknowledge() -> None:
        await socket.send_str(json.dumps({"envelope_id": envelope}))

    return acknowledge


def _parsed(text: str) -> Json | None:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if isinstance(message, dict):
        return message
    logger.warning("slack sent a frame that is no JSON object", extra={"action": "slack_frame"})
    return None
