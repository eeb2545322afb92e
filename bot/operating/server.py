"""The operations server: `/live`, `/ready` and `/metrics`, for whoever watches over the process.

It stands beside the house: it answers while the house opens and while it stops.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Self

from adapters.chat import Health
from adapters.errors import AdapterError
from adapters.web.server import Server
from bot import health
from bot.engine.waits import Clock
from bot.errors import LimenError
from bot.house import House
from bot.operating import metrics
from bot.operating.lag import Lag
from bot.operating.tally import Tally
from bot.setup.settings import Operations as Settings
from memory.db import Reader
from memory.errors import StorageError

ANSWER_S = 5.0  # seconds the database has for a read and a small write
OPENING = "it is starting: the database is being opened"
STOPPING = "it is stopping"


class Operations(AbstractAsyncContextManager["Operations"]):
    """Answers inside `async with`, where the settings name a port."""

    def __init__(
        self,
        settings: Settings,
        tally: Tally,
        clock: Clock,
        hide: Callable[[str], str],
        *,
        answer_s: float = ANSWER_S,
    ) -> None:
        self._settings = settings
        self._tally = tally
        self._clock = clock
        self.hide = hide
        self._answer_s = answer_s
        self._lag = Lag()
        self._house: House | None = None
        self._stopping = False
        self._met: set[str] = set()
        """The platforms that were connected once."""
        self._trying: asyncio.Task[None] | None = None
        self._running: asyncio.Task[None] | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        if not self._settings.port:
            return self
        server = Server(
            _app(self),
            host=self._settings.host,
            port=self._settings.port,
            closing=_nothing,
            section="operations",
            name="operations server",
        )
        self._running = asyncio.create_task(server.run(), name="operations")
        self._lag.start()
        try:
            self.url = await server.started()
        except AdapterError as error:
            await self._end()
            raise LimenError(str(error)) from error
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._end()

    def watch(self, house: House) -> None:
        """From now on answer for a house."""
        self._house = house
        house.db.timed = self._tally.committed

    def close(self) -> None:
        """From now on it is not ready."""
        self._stopping = True

    async def why_not(self) -> list[str]:
        """Why it is not ready; empty when it is."""
        if self._stopping:
            return [STOPPING]
        if self._house is None:
            return [OPENING]
        reasons = [*await self._database(self._house), *self._absent(self._house)]
        return [self.hide(reason) for reason in reasons]

    async def text(self) -> tuple[bytes, str]:
        """The metrics and their content type; StorageError and TimeoutError without a database."""
        house = self._house
        if house is None:
            raise StorageError(OPENING)
        settings = house.budgeting.settings
        async with asyncio.timeout(self._answer_s):
            moment = await house.db.read(metrics.look, now=self._clock(), settings=settings)
        found = metrics.values(
            moment,
            self._tally,
            house.supervisor.health(),
            settings=settings,
            lag_s=self._lag.worst_s,
        )
        return metrics.render(found, self._tally)

    def platforms(self) -> dict[str, Health]:
        """How the platforms are, as far as there are any."""
        return self._house.supervisor.health() if self._house else {}

    async def _database(self, house: House) -> list[str]:
        """Try it once for all who ask meanwhile: one that hangs is not asked again and again."""
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(_try(house), name="readiness")
        try:
            async with asyncio.timeout(self._answer_s):
                await asyncio.shield(self._trying)
        except TimeoutError:
            return [f"the database has not answered for {self._answer_s:g} s"]
        except StorageError as error:
            return [str(error)]
        return []

    def _absent(self, house: House) -> Iterator[str]:
        for name, one in house.supervisor.health().items():
            if one.up or one.heard_at is not None:
                self._met.add(name)
            if name not in self._met:
                yield f"{name} is not connected yet{f': {one.note}' if one.note else ''}"

    async def _end(self) -> None:
        self._lag.stop()
        tasks = [task for task in (self._running, self._trying) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _try(house: House) -> None:
    await house.db.read(_look)
    await house.db.write(health.probe)


def _look(reader: Reader) -> None:
    health.every(reader)


def _nothing() -> None:
    """No request here waits for anything to be told."""


def _app(operations: Operations) -> Any:
    """The three pages. Starlette is loaded by whoever has this server or the web chat."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, PlainTextResponse, Response
    from starlette.routing import Route

    async def live(_: Request) -> Response:
        return PlainTextResponse("alive\n")

    async def ready(_: Request) -> Response:
        reasons = await operations.why_not()
        told = {"ready": not reasons, "reasons": reasons, "platforms": _shown(operations)}
        return JSONResponse(told, status_code=503 if reasons else 200)

    async def shown(_: Request) -> Response:
        try:
            body, kind = await operations.text()
        except (StorageError, TimeoutError) as error:
            why = operations.hide(str(error) or "the database does not answer")
            return PlainTextResponse(f"{why}\n", status_code=503)
        return Response(body, media_type=kind)

    pages = {"/live": live, "/ready": ready, "/metrics": shown}
    return Starlette(routes=[Route(path, page) for path, page in pages.items()])


def _shown(operations: Operations) -> Mapping[str, Mapping[str, object]]:
    return {
        name: {"up": one.up, "note": operations.hide(one.note)}
        for name, one in operations.platforms().items()
    }
