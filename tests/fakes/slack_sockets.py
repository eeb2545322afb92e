"""Slack's Socket Mode: live connections, envelopes, acknowledgements, redelivery."""

import asyncio
import itertools
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import WSMsgType, web

Json = dict[str, Any]


@dataclass(slots=True)
class Delivery:
    """One thing the app has to acknowledge."""

    kind: str
    """events_api, slash_commands or interactive."""
    payload: Json
    message: str | None
    """The message it is about."""
    envelope: str
    tries: int = 0
    acked: bool = False
    answer: Any = None
    """What came with the acknowledgement."""


class Link:
    """One live connection."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.silent = False
        self.sent: set[str] = set()
        """Envelopes that went over it."""


class Sockets:
    """All live connections of the app, and what is under way to it."""

    def __init__(self, app: str, tell: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._tell = tell
        self._counter = itertools.count(1)
        self._turn = itertools.count()
        self.links: list[Link] = []
        self.deliveries: list[Delivery] = []
        self.about: defaultdict[str | None, list[Delivery]] = defaultdict(list)
        """The deliveries by the message they are about."""
        self.others = 0
        """Connections of another copy of the app, which are only counted."""
        self.events: dict[str, int] = {}
        self.mute = False
        """New connections open, and no hello comes."""

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """One connection from its upgrade to its end."""
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        link = Link(socket)
        self.links.append(link)
        try:
            if not self.mute:
                await socket.send_json(self._hello())
            await self._tell()
            await self._redeliver()
            await self._listen(link)
        except ConnectionError:
            pass
        finally:
            self.links.remove(link)
            await self._tell()
        return socket

    async def deliver(self, kind: str, payload: Json, message: str | None) -> Delivery:
        """Hand something to the app: now, or when it is connected."""
        delivery = Delivery(kind, payload, message, self._envelope())
        self._note(delivery)
        await self._send(delivery)
        return delivery

    async def pass_on(self, raw: Json) -> None:
        """Deliver a whole envelope as it stands."""
        delivery = Delivery(raw["type"], raw["payload"], None, raw["envelope_id"])
        delivery.message = (raw["payload"].get("event") or {}).get("ts")
        self._note(delivery)
        await self._send(delivery, raw)

    def _note(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)
        self.about[delivery.message].append(delivery)

    async def again(self, delivery: Delivery) -> None:
        """Deliver once more, whether or not it was acknowledged: the same event, a new envelope."""
        delivery.acked = False
        delivery.envelope = self._envelope()
        await self._send(delivery)

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        """Ask the app to come back by another connection; the old one stays until it leaves."""
        message = {"type": "disconnect", "reason": reason, "debug_info": {"host": "loopback"}}
        for link in list(self.links):
            await link.socket.send_json(message)

    async def close(self) -> None:
        """Hang up every connection."""
        await asyncio.gather(*(link.socket.close() for link in list(self.links)))

    async def _listen(self, link: Link) -> None:
        async for frame in link.socket:
            if link.silent:
                continue
            if frame.type is WSMsgType.PING:
                await link.socket.pong(frame.data)
            elif frame.type is WSMsgType.TEXT:
                await self._acknowledge(json.loads(frame.data))

    async def _acknowledge(self, ack: Json) -> None:
        for delivery in reversed(self.deliveries):
            if delivery.envelope == ack["envelope_id"]:
                delivery.acked = True
                delivery.answer = ack.get("payload")
                break
        await self._tell()

    async def _redeliver(self) -> None:
        for delivery in [d for d in self.deliveries if not d.acked]:
            if delivery.tries:
                delivery.envelope = self._envelope()
            await self._send(delivery)

    async def _send(self, delivery: Delivery, raw: Json | None = None) -> None:
        if not self.links:
            return
        link = self.links[next(self._turn) % len(self.links)]
        envelope = raw or {
            "envelope_id": delivery.envelope,
            "type": delivery.kind,
            "accepts_response_payload": delivery.kind != "events_api",
            "retry_attempt": delivery.tries,
            "retry_reason": "timeout" if delivery.tries else "",
            "payload": delivery.payload,
        }
        delivery.tries += 1
        if link.silent:
            return
        try:
            await link.socket.send_str(json.dumps(envelope))
        except ConnectionError:
            return  # it is redelivered by the next connection

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self.links) + self.others,
            "debug_info": {"host": "loopback", "approximate_connection_time": 18060},
            "connection_info": {"app_id": self._app},
        }

    def _envelope(self) -> str:
        return f"11111111-0000-4000-8000-{next(self._counter):012d}"
