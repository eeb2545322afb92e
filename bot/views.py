"""What the page shows of the house: read-only rows for the console and the why-chain."""

from collections.abc import Callable

from adapters.chat import Address
from adapters.web.views import Row, Views
from agency.attention import Attention
from agency.gates import Rules
from bot.waits import Clock
from memory.db import Database


class HouseViews(Views):
    """The views over the database."""

    def __init__(self, db: Database, clock: Clock, attention: Attention, *, rules: Rules) -> None:
        self._db = db
        self._clock = clock
        self._attention = attention
        self._rules = rules
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def changed(self) -> None:
        """Tell the pages that something may look different now."""
        for listener in self._listeners:
            listener()

    async def now(self, viewer: str | None) -> Row:
        return {}

    async def fires(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return []

    async def runs(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return []

    async def run(self, viewer: str | None, id: str) -> Row | None:
        return None

    async def handoffs(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return []

    async def letters(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return []

    async def sessions(self, viewer: str | None) -> list[Row]:
        return []

    async def files(self) -> list[Row]:
        return []

    async def why(self, viewer: str | None, message: Address) -> list[Row]:
        return []

    async def stories(self) -> list[Row]:
        return []

    async def play(self, story: str) -> Row:
        return {}
