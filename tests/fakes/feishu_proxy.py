"""A forward proxy on the loopback that hands every connection on and notes what was asked."""

import asyncio
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit


class ForwardProxy:
    """An `http://` proxy for plain HTTP; `asked` holds all that clients sent through it."""

    def __init__(self) -> None:
        self.asked = bytearray()
        self.url = ""
        self._server: asyncio.Server | None = None
        self._relays: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._server is not None
        self._server.close()
        for relay in self._relays:
            relay.cancel()
        await asyncio.gather(*self._relays, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.readline()
        self.asked += first
        target = urlsplit(first.split()[1].decode())
        onward, answers = await asyncio.open_connection(target.hostname, target.port)
        answers.write(first)
        for source, sink, noted in ((reader, answers, self.asked), (onward, writer, None)):
            relay = asyncio.create_task(_relay(source, sink, noted))
            self._relays.add(relay)
            relay.add_done_callback(self._relays.discard)


async def _relay(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, noted: bytearray | None
) -> None:
    try:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if noted is not None:
                    noted += data
                sink.write(data)
                await sink.drain()
    finally:
        sink.close()
