"""Feishu's long connection: kept up for ever, each event acknowledged after it was handled.

endpoint ──► open ──► frames ──► handle() ──► ack 200        500 asks for a redelivery
   ▲                    │
   └─── backoff ◄── closed, or silent for three ping intervals
"""

import asyncio
import json
import logging
from base64 import b64encode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from adapters import network
from adapters.errors import Refused, Retry
from adapters.feishu.api import Api
from adapters.feishu.chunks import Chunks
from adapters.feishu.errors import LIMIT_CODE, SECRET_CODES, Rejected, bad_secret
from adapters.feishu.frames import CONTROL, DATA, Frame, Garbled, decode, encode
from adapters.pace import Backoff, Sleep

logger = logging.getLogger(__name__)

ENDPOINT = "/callback/ws/endpoint"
LIMIT_NOTE = (
    "the app has as many long connections as Feishu allows; stop another Limen that runs with "
    "the same app_id"
)
SILENT_INTERVALS = 3  # ping intervals without any frame until the link counts as dead
_PING_S, _RECONNECT_S, _NONCE_S = 120.0, 120.0, 30.0
_SETTLED_S = 5.0  # a connection that ends sooner counts as a failure
_LARGEST_FRAME = 8 * 1024 * 1024
_IN_HAND = 256  # events handled at once; more wait in the socket
_OPEN_S = 20.0
_WRITE_S = 10.0


@dataclass(frozen=True, slots=True)
class Ack:
    """What Feishu is told of an event."""

    code: int = 200
    answer: dict[str, Any] | None = None
    """To a pressed button: a toast, another card."""


NOT_NOW = Ack(500)
Handle = Callable[[bytes], Awaitable[Ack]]


@dataclass(frozen=True, slots=True)
class Config:
    """What the server wants of its clients, in seconds."""

    ping_s: float = _PING_S
    reconnect_s: float = _RECONNECT_S
    nonce_s: float = _NONCE_S

    @classmethod
    def of(cls, raw: object) -> "Config":
        """Read a ClientConfig; what it leaves out keeps its default."""
        given = raw if isinstance(raw, dict) else {}

        def seconds(key: str, default: float, least: float) -> float:
            value = given.get(key)
            return max(least, float(value)) if isinstance(value, int | float) else default

        return cls(
            ping_s=seconds("PingInterval", _PING_S, 1.0),
            reconnect_s=seconds("ReconnectInterval", _RECONNECT_S, 1.0),
            nonce_s=seconds("ReconnectNonce", _NONCE_S, 0.0),
        )


class LongConnection:
    """One connection at a time; a new one is open before a silent one is closed."""

    def __init__(
        self,
        api: Api,
        handle: Handle,
        clock: Callable[[], datetime],
        sleep: Sleep,
        jitter: Callable[[], float],
        opened: Callable[[datetime | None], None],
    ) -> None:
        self._api = api
        self._handle = handle
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._opened = opened
        """Told at every opening since when nothing was heard; None at the first one."""
        self._config = Config()
        self._chunks = Chunks()
        self._in_hand: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(_IN_HAND)
        self.up = False
        self.note = ""
        """Why it is not up."""
        self.heard_at: datetime | None = None

    async def run(self) -> None:
        """Stay connected until cancelled; raises Refused where only other settings help."""
        backoff = Backoff(self._sleep, self._jitter, first_s=1.0, limit_s=_RECONNECT_S)
        silent: Any = None
        try:
            while True:
                try:
                    socket, service = await self._open()
                except (Retry, OSError, TimeoutError) as error:
                    self.note = str(error) or "Feishu did not answer in time"
                    logger.warning("Feishu's long connection did not open: %s", self.note)
                    await backoff.wait()
                    continue
                opened_at = self._clock()
                await _close(silent)
                silent = await self._serve(socket, service)
                if (self._clock() - opened_at).total_seconds() < _SETTLED_S:
                    await backoff.wait()
                    continue
                backoff = Backoff(
                    self._sleep, self._jitter, first_s=1.0, limit_s=self._config.reconnect_s
                )
                # Every client of a restarted server comes back: Feishu asks them to spread out.
                await self._sleep(self._jitter() * self._config.nonce_s)
        finally:
            self.up = False
            await self._stop_handling()
            await _close(silent)

    async def _open(self) -> tuple[Any, int]:
        import aiohttp

        settings = self._api.settings
        body = {"AppID": settings.app_id, "AppSecret": settings.app_secret}
        try:
            async with asyncio.timeout(_OPEN_S):
                data = await self._api.post_plain(ENDPOINT, body)
                self._config = Config.of(data.get("ClientConfig"))
                url = str(data["URL"])
                session = await self._api.session()
                socket = await session.ws_connect(
                    url, proxy=self._api.proxy, max_msg_size=_LARGEST_FRAME
                )
        except Rejected as error:
            raise await self._judged(error) from error
        except aiohttp.WSServerHandshakeError as error:
            raise await self._judged(handshake_error(error)) from error
        except (aiohttp.ClientError, KeyError) as error:
            why = network.reason(error)
            raise Retry(f"Feishu's long connection could not be opened: {why}") from error
        service = parse_qs(urlsplit(url).query).get("service_id", ["0"])[0]
        return socket, int(service) if service.isdigit() else 0

    async def _judged(self, error: Rejected) -> Retry | Refused:
        """Only a wrong secret is for good: what else is in the way, somebody may still mend."""
        if error.code in SECRET_CODES:
            return bad_secret(self._api.settings.app_id, error)
        if error.code == LIMIT_CODE:
            return Retry(LIMIT_NOTE)
        await self._api.renew()  # raises Refused if the secret is what is wrong
        return Retry(
            f"Feishu refuses the long connection (code {error.code}: {error.msg}); choose "
            '"Receive events through persistent connection" under Events & Callbacks '
            "(事件与回调 → 使用长连接接收事件) and publish a version"
        )

    async def _serve(self, socket: Any, service: int) -> Any:
        """Handle what comes until it is over; returns the socket if it still has to be closed."""
        gap, self.heard_at = self.heard_at, self._clock()
        self.up, self.note = True, ""
        logger.info("Feishu's long connection is open", extra={"action": "feishu_open"})
        self._opened(gap)
        reader = asyncio.create_task(self._read(socket), name="feishu frames")
        keeper = asyncio.create_task(self._keep_alive(socket, service), name="feishu pings")
        try:
            await asyncio.wait((reader, keeper), return_when=asyncio.FIRST_COMPLETED)
        except BaseException:
            await _close(socket)
            raise
        finally:
            self.up = False
            reader.cancel()
            keeper.cancel()
            ended = await asyncio.gather(reader, keeper, return_exceptions=True)
        for end in ended:
            if isinstance(end, Exception):
                logger.warning("Feishu's long connection broke: %r", end)
        self.note = "the long connection was lost; connecting again"
        return socket

    async def _keep_alive(self, socket: Any, service: int) -> None:
        """Ping at the server's interval; ends when nothing at all has come for too long."""
        ping = encode(Frame(service=service, method=CONTROL, headers=(("type", "ping"),)))
        while True:
            await _write(socket, ping)
            await self._sleep(self._config.ping_s)
            heard = self.heard_at or self._clock()
            if (self._clock() - heard).total_seconds() >= SILENT_INTERVALS * self._config.ping_s:
                logger.warning("Feishu was silent for too long; opening another connection")
                return

    async def _read(self, socket: Any) -> None:
        import aiohttp

        async for message in socket:
            self.heard_at = self._clock()
            if message.type is aiohttp.WSMsgType.ERROR:
                logger.warning("Feishu sent what cannot be taken: %s", message.data)
            if message.type is not aiohttp.WSMsgType.BINARY:
                continue
            try:
                frame = decode(message.data)
            except Garbled as error:
                logger.warning("Feishu sent what is no frame: %s", error)
                continue
            if frame.method == CONTROL:
                self._control(frame)
            elif frame.method == DATA:
                await self._room.acquire()
                task = asyncio.create_task(self._event(socket, frame), name="feishu event")
                self._in_hand.add(task)
                task.add_done_callback(self._handled)

    def _control(self, frame: Frame) -> None:
        if frame.header("type") != "pong" or not frame.payload:
            return
        try:
            self._config = Config.of(json.loads(frame.payload))
        except ValueError:
            logger.warning("Feishu sent a configuration nobody can read")

    async def _event(self, socket: Any, frame: Frame) -> None:
        began = self._clock()
        total, number = _count(frame.header("sum")), _count(frame.header("seq"))
        whole = self._chunks.add(frame.header("message_id"), total, number, frame.payload or b"")
        if whole is None:
            return
        ack = await self._handle(whole) if frame.header("type") == "event" else Ack()
        body: dict[str, Any] = {"code": ack.code}
        if ack.answer is not None:
            body["data"] = b64encode(json.dumps(ack.answer, ensure_ascii=False).encode()).decode()
        took_ms = int((self._clock() - began).total_seconds() * 1000)
        answer = frame.answered(json.dumps(body).encode(), biz_rt=str(max(0, took_ms)))
        try:
            await _write(socket, encode(answer))
        except (ConnectionError, TimeoutError) as error:
            # It is stored; Feishu will send it again, and the house knows it then.
            logger.info("an acknowledgement did not get through: %r", error)

    def _handled(self, task: asyncio.Task[None]) -> None:
        self._in_hand.discard(task)
        self._room.release()
        if not task.cancelled() and (error := task.exception()):
            logger.error("a frame of Feishu's was not handled", exc_info=error)

    async def _stop_handling(self) -> None:
        for task in self._in_hand:
            task.cancel()
        await asyncio.gather(*self._in_hand, return_exceptions=True)


def handshake_error(error: Any) -> Rejected:
    """What the server said in the headers of a handshake it refused."""
    headers = error.headers or {}
    code = _count(headers.get("handshake-autherrcode", "")) or _count(
        headers.get("handshake-status", "")
    )
    return Rejected(code or error.status, headers.get("handshake-msg", "") or error.message)


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


async def _write(socket: Any, data: bytes) -> None:
    async with asyncio.timeout(_WRITE_S):
        await socket.send_bytes(data)


async def _close(socket: Any) -> None:
    if socket is None or socket.closed:
        return
    try:
        async with asyncio.timeout(2):  # a dead peer answers no closing handshake
            await socket.close()
    except TimeoutError:
        logger.info("the silent connection did not say goodbye")
