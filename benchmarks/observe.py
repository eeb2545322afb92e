"""Observing a message durably: the real intake beside the same statements, a commit each."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Concatenate, ParamSpec, TypeVar

import aiosqlite

from adapters.chat import Incoming
from benchmarks import past, report
from benchmarks.corpus import Corpus
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from benchmarks.timing import interleaved
from benchmarks.world import message, settings
from bot.app import Surroundings, open_house
from bot.house import House
from memory.db import Database, Row, Tx
from memory.engine import Engine

P = ParamSpec("P")
T = TypeVar("T")
Statement = tuple[str, dict[str, Any]]

CALLERS = 50
ROOMS = 10
TARGET = 5.0


class NotingTx(Tx):
    """Executes as ever, and writes down what."""

    def __init__(self, inner: Tx, noted: list[Statement]) -> None:
        super().__init__(inner.schema)
        self._noted = noted
        self._inner = inner

    def on_commit(self, hook: Callable[[], None]) -> None:
        """See Tx."""
        self._inner.on_commit(hook)

    def one(self, sql: str, **params: Any) -> Row | None:
        """See Reader."""
        self._noted.append((sql, params))
        return super().one(sql, **params)

    def all(self, sql: str, **params: Any) -> list[Row]:
        """See Reader."""
        self._noted.append((sql, params))
        return super().all(sql, **params)

    def run(self, sql: str, **params: Any) -> int:
        """See Tx."""
        self._noted.append((sql, params))
        return super().run(sql, **params)


class NotingDatabase(Database):
    """A database that keeps the statements of every write, so that they can be repeated."""

    def __init__(self, place: Path | Engine) -> None:
        super().__init__(place)
        self.writes: list[list[Statement]] = []

    async def write(
        self, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """See Database."""
        noted: list[Statement] = []

        def write(tx: Tx) -> T:
            return fn(NotingTx(tx, noted), *args, **kwargs)

        result = await super().write(write)
        self.writes.append(noted)
        return result


class Messages:
    """An endless supply of fresh ones, spread over the rooms."""

    def __init__(self, rooms: int, prefix: str) -> None:
        self._corpus = Corpus(seed=3)
        self._rooms = rooms
        self._prefix = prefix
        self._n = 0

    def draw(self, count: int, *, addressed: bool = False, rooms: int = 0) -> list[Incoming]:
        """The next ones; in the first `rooms` only, where that is given."""
        found = []
        for text in self._corpus.messages(count):
            self._n += 1
            # a stride that is prime to the rooms, so that neighbours are not hit in turn
            n = self._n * 7919 % (rooms or self._rooms)
            found.append(message(n, f"{self._prefix}{self._n}", text, addressed=addressed))
        return found


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """50 callers at once, and one alone."""
    homes = [folder / name for name in ("ours", "noted", "theirs")]
    for home in homes:
        await past.make(home, rooms=ROOMS)
    around = Surroundings(serve=False)
    noting = Surroundings(serve=False, database=NotingDatabase)
    config = [settings(home, web__enabled=False) for home in homes]
    async with (
        open_house(config[0], around) as house,
        open_house(config[1], noting) as noted,
        aiosqlite.connect(homes[2] / "limen.db", isolation_level=None) as plain,
    ):
        await _prepare(plain)
        many = _Pair(house, noted, plain, scale.messages, CALLERS)
        found = await interleaved({"ours": many.ours, "theirs": many.theirs}, scale.rounds)
        one = _Pair(house, noted, plain, max(8, scale.messages // 4), 1, prefix="one")
        alone = await interleaved({"ours": one.ours, "theirs": one.theirs}, scale.rounds)
        statements = median(len(write) for write in _writes(noted))
    return [
        Line(
            measure=f"observe a message, {CALLERS} at once",
            figure=f"{1 / found['ours']:,.0f}/s",
            beside=f"aiosqlite, a commit each: {1 / found['theirs']:,.0f}/s",
            **report.at_least(found["theirs"] / found["ours"], TARGET),
        ),
        Line(
            measure="observe a message, one caller",
            figure=ms(alone["ours"]),
            beside=f"aiosqlite: {ms(alone['theirs'])}",
            ratio=alone["theirs"] / alone["ours"],
        ),
        Line(measure="statements to observe a message", figure=f"{statements:.0f}"),
    ]


class _Pair:
    """The two candidates over the same messages; figures are seconds a message."""

    def __init__(
        self,
        house: House,
        noted: House,
        plain: aiosqlite.Connection,
        count: int,
        callers: int,
        prefix: str = "many",
    ) -> None:
        self._house, self._noted, self._plain = house, noted, plain
        self._count, self._callers = count, callers
        self._ours = Messages(ROOMS, prefix)
        self._theirs = Messages(ROOMS, prefix)

    async def ours(self) -> float:
        """Through `Intake.receive`."""
        waiting = deque(self._ours.draw(self._count))

        async def call() -> None:
            while waiting:
                await self._house.intake.receive(waiting.popleft())

        return await self._time(call)

    async def theirs(self) -> float:
        """The same statements, one transaction and one commit a message."""
        writes = _writes(self._noted)
        writes.clear()
        for incoming in self._theirs.draw(self._count):
            await self._noted.intake.receive(incoming)
        waiting, turn = deque(writes), asyncio.Lock()

        async def call() -> None:
            while waiting:
                async with turn:  # one connection carries one transaction at a time
                    if waiting:
                        await _replay(self._plain, waiting.popleft())

        return await self._time(call)

    async def _time(self, call: Callable[[], Any]) -> float:
        started = time.perf_counter()
        await asyncio.gather(*(call() for _ in range(self._callers)))
        return (time.perf_counter() - started) / self._count


async def _replay(connection: aiosqlite.Connection, write: list[Statement]) -> None:
    await connection.execute_fetchall("BEGIN IMMEDIATE")
    for sql, params in write:
        await connection.execute_fetchall(sql, params)
    await connection.execute_fetchall("COMMIT")


async def _prepare(connection: aiosqlite.Connection) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -8192"):
        await connection.execute_fetchall(f"PRAGMA {pragma}")
    await connection.execute_fetchall("PRAGMA fullfsync = ON")
    await connection.execute_fetchall("PRAGMA foreign_keys = ON")


def _writes(house: House) -> list[list[Statement]]:
    assert isinstance(house.db, NotingDatabase)
    return house.db.writes
