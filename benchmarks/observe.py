"""Observing a message durably: the real intake beside the same statements, a commit each."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any, Concatenate, ParamSpec, TypeVar

import aiosqlite
import psycopg

from adapters.chat import Incoming
from benchmarks import past, report
from benchmarks.corpus import Corpus
from benchmarks.places import POSTGRES, SQLITE, TITLES, Place, places
from benchmarks.report import Line, ms
from benchmarks.scale import Scale
from benchmarks.timing import interleaved
from benchmarks.world import message, settings
from bot.app import Surroundings, open_house
from bot.house import House
from memory import engine
from memory.db import Database, Row, Tx
from memory.engine import Engine
from memory.postgres import translated

P = ParamSpec("P")
T = TypeVar("T")
Statement = tuple[str, dict[str, Any]]
Replay = Callable[[list[Statement]], Awaitable[None]]
"""Executes the statements of one message again, in a transaction of their own."""

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
    """50 callers at once, and one alone, on each database."""
    lines: list[Line] = []
    with places(folder) as made:
        for kind in scale.databases:
            lines += await _measured([made.new(kind) for _ in range(3)], kind, scale)
    return lines


async def _measured(homes: list[Place], kind: str, scale: Scale) -> list[Line]:
    for home in homes:
        await past.make(home.folder, rooms=ROOMS, **home.keys)
    around = Surroundings(serve=False)
    noting = Surroundings(serve=False, database=NotingDatabase)
    config = [settings(home.folder, web__enabled=False, **home.keys) for home in homes]
    async with (
        open_house(config[0], around) as house,
        open_house(config[1], noting) as noted,
        PLAIN[kind](homes[2]) as plain,
    ):
        many = _Pair(house, noted, plain, scale.messages, CALLERS)
        found = await interleaved({"ours": many.ours, "theirs": many.theirs}, scale.rounds)
        one = _Pair(house, noted, plain, max(8, scale.messages // 4), 1, prefix="one")
        alone = await interleaved({"ours": one.ours, "theirs": one.theirs}, scale.rounds)
        statements = median(len(write) for write in _writes(noted))
    library, on = ("aiosqlite", "") if kind == SQLITE else ("psycopg", f", {TITLES[kind]}")
    return [
        Line(
            measure=f"observe a message, {CALLERS} at once{on}",
            figure=f"{1 / found['ours']:,.0f}/s",
            beside=f"{library}, a commit each: {1 / found['theirs']:,.0f}/s",
            **report.at_least(found["theirs"] / found["ours"], TARGET),
        ),
        Line(
            measure=f"observe a message, one caller{on}",
            figure=ms(alone["ours"]),
            beside=f"{library}: {ms(alone['theirs'])}",
            ratio=alone["theirs"] / alone["ours"],
        ),
        Line(measure=f"statements to observe a message{on}", figure=f"{statements:.0f}"),
    ]


class _Pair:
    """The two candidates over the same messages; figures are seconds a message."""

    def __init__(
        self,
        house: House,
        noted: House,
        plain: Replay,
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
                        await self._plain(waiting.popleft())

        return await self._time(call)

    async def _time(self, call: Callable[[], Any]) -> float:
        started = time.perf_counter()
        await asyncio.gather(*(call() for _ in range(self._callers)))
        return (time.perf_counter() - started) / self._count


@asynccontextmanager
async def _aiosqlite(home: Place) -> AsyncIterator[Replay]:
    path = home.folder / "limen.db"
    async with aiosqlite.connect(path, isolation_level=None) as connection:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -8192"):
            await connection.execute_fetchall(f"PRAGMA {pragma}")
        await connection.execute_fetchall("PRAGMA fullfsync = ON")
        await connection.execute_fetchall("PRAGMA foreign_keys = ON")

        async def replay(write: list[Statement]) -> None:
            await connection.execute_fetchall("BEGIN IMMEDIATE")
            for sql, params in write:
                await connection.execute_fetchall(sql, params)
            await connection.execute_fetchall("COMMIT")

        yield replay


@asynccontextmanager
async def _psycopg(home: Place) -> AsyncIterator[Replay]:
    async with await psycopg.AsyncConnection.connect(home.url, autocommit=True) as connection:

        async def replay(write: list[Statement]) -> None:
            await connection.execute(b"BEGIN")
            for sql, params in write:
                text = sql.postgres if isinstance(sql, engine.Statement) else sql
                cursor = await connection.execute(translated(text).encode(), _plainly(params))
                if cursor.description:
                    await cursor.fetchall()
            await connection.execute(b"COMMIT")

        yield replay


def _plainly(params: dict[str, Any]) -> dict[str, Any]:
    """Values as psycopg takes them by itself: truth as a number, a word of a list as a word."""
    return {
        name: int(value)
        if isinstance(value, bool)
        else str(value)
        if isinstance(value, str)
        else value
        for name, value in params.items()
    }


PLAIN = {SQLITE: _aiosqlite, POSTGRES: _psycopg}


def _writes(house: House) -> list[list[Statement]]:
    assert isinstance(house.db, NotingDatabase)
    return house.db.writes
