"""The server's side of Feishu's long connection: deliveries, acknowledgements, repeats."""

import asyncio
import json
from base64 import b64decode
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from adapters.feishu.frames import CONTROL, DATA, Frame, decode, encode

CHUNK = 64 * 1024  # bytes of an event in one frame


@dataclass(slots=True, eq=False)
class Delivery:
    """One event on its way, until it is acknowledged with 200."""

    payload: bytes
    message: str
    """Whose message it tells of, empty if none."""
    acked: bool = False
    refused: int = 0
    """How often it was acknowledged with something else."""
    answer: dict[str, Any] = field(default_factory=dict)
    settled: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """Every live connection of one app; each event goes to exactly one of them."""

    def __init__(self, tell: Callable[[], Awaitable[None]]) -> None:
        self._tell = tell
        self.sockets: list[web.WebSocketResponse] = []
        self.silent: set[web.WebSocketResponse] = set()
        self.deliveries: list[Delivery] = []
        self.about: defaultdict[str, list[Delivery]] = defaultdict(list)
        """The deliveries by the message they are about."""
        self.acks: list[dict[str, Any]] = []
        self.pings = 0
        self.config = {
            "ReconnectCount": -1, "ReconnectInterval": 2, "ReconnectNonce": 0, "PingInterval": 1,
        }  # fmt: skip
        self.chunk = CHUNK
        self.patience_s = 0.05
        """How long an event waits that was acknowledged with an error."""
        self._turn = 0
        self._numbers = 0
        self._on_way: dict[str, Delivery] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def deliver(self, event: dict[str, Any] | bytes, message: str = "") -> Delivery:
        """Send an event now, or keep it until somebody connects."""
        payload = event if isinstance(event, bytes) else json.dumps(event).encode()
        delivery = Delivery(payload, message)
        self.deliveries.append(delivery)
        self.about[message].append(delivery)
        await self._send(delivery)
        return delivery

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """One connection from handshake to end."""
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        self.sockets.append(socket)
        await self._tell()
        for delivery in [d for d in self.deliveries if not d.acked]:
            await self._send(delivery)
        try:
            async for message in socket:
                if message.type is WSMsgType.BINARY and socket not in self.silent:
                    await self._take(socket, decode(message.data))
        finally:
            self.sockets.remove(socket)
            self.silent.discard(socket)
            await self._tell()
        return socket

    async def hang_up(self) -> None:
        """Close every connection."""
        for socket in list(self.sockets):
            await socket.close()

    async def close(self) -> None:
        """End everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.hang_up()

    async def send_raw(self, data: bytes) -> None:
        """Put bytes on every live connection."""
        for socket in self.sockets:
            await socket.send_bytes(data)

    async def _send(self, delivery: Delivery) -> None:
        live = [socket for socket in self.sockets if socket not in self.silent]
        if not live:
            return
        self._turn += 1
        socket = live[self._turn % len(live)]
        self._numbers += 1
        id = f"msg-{self._numbers}"
        self._on_way[id] = delivery
        payload = delivery.payload
        pieces = [payload[at : at + self.chunk] for at in range(0, len(payload), self.chunk)]
        for number, piece in enumerate(pieces):
            headers = (
                ("type", "event"), ("message_id", id), ("trace_id", f"trace-{id}"),
                ("sum", str(len(pieces))), ("seq", str(number)),
            )  # fmt: skip
            frame = Frame(
                seq_id=self._numbers, log_id=1, service=7, method=DATA, headers=headers,
                payload=piece, log_id_new="log",
            )  # fmt: skip
            with suppress(ConnectionError):
                await socket.send_bytes(encode(frame))

    async def _take(self, socket: web.WebSocketResponse, frame: Frame) -> None:
        if frame.method == CONTROL and frame.header("type") == "ping":
            self.pings += 1
            pong = Frame(
                service=frame.service, method=CONTROL, headers=(("type", "pong"),),
                payload=json.dumps(self.config).encode(),
            )  # fmt: skip
            with suppress(ConnectionError):
                await socket.send_bytes(encode(pong))
        elif frame.method == DATA:
            await self._acknowledge(frame)

    async def _acknowledge(self, frame: Frame) -> None:
        ack = json.loads(frame.payload or b"{}")
        self.acks.append(ack)
        delivery = self._on_way.pop(frame.header("message_id"), None)
        if delivery is not None and ack["code"] == 200:
            delivery.acked = True
            if ack.get("data"):
                delivery.answer = json.loads(b64decode(ack["data"]))
            delivery.settled.set()
        elif delivery is not None:
            delivery.refused += 1
            task = asyncio.create_task(self._again(delivery))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await self._tell()

    async def _again(self, delivery: Delivery) -> None:
        await asyncio.sleep(self.patience_s)
        await self._send(delivery)
