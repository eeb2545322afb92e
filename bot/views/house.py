"""The views over the database: every method one read of one snapshot."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Concatenate, ParamSpec, TypeVar

from adapters.chat import Address
from adapters.web.views import Row, Views
from agency import coalescing
from agency.attention import Attention
from agency.gates import Rules
from bot import chains, rows
from bot.costs import Costs
from bot.engine.waits import Clock
from bot.inbox import pages
from bot.plays.theatre import Theatre
from bot.views import agency, asked, mailboxes, pulse, rooms, trace
from bot.views.sight import MOST, TENANT, Sight, number
from memory import originals
from memory.db import Database, Reader

P = ParamSpec("P")
T = TypeVar("T")

DAYS = 14  # of which the costs are shown
FILES = 200  # attention files shown


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewSettings:
    """What the state line says of the house."""

    model: str
    agency: bool = True
    """False when background work is switched off."""
    workspace: str = TENANT
    """The one the people of the web chat belong to."""
    digests: pages.Settings = field(default_factory=pages.Settings)
    patience: coalescing.Settings = field(default_factory=coalescing.Settings)


class HouseViews(Views):
    """The house as the page may show it."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        attention: Attention,
        theatre: Theatre,
        costs: Costs,
        *,
        rules: Rules,
        settings: ViewSettings,
    ) -> None:
        self._db = db
        self._clock = clock
        self._attention = attention
        self._theatre = theatre
        self._privacy = rules.privacy
        self._rules = rules
        self._costs = costs
        self._settings = settings

    def listen(self, listener: Callable[[], None]) -> None:
        self._db.listen(listener)

    async def now(self, viewer: str | None) -> Row:
        row = await self._look(
            viewer,
            pulse.pulse,
            now=self._clock(),
            costs=self._costs,
            enabled=self._settings.agency,
            patience=self._settings.patience,
        )
        playing = {"playing": self._theatre.playing} if self._theatre.playing else {}
        return row | {"model": self._settings.model, **playing}

    async def fires(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return await self._look(viewer, agency.fire_rows, number(before, "f"), _most(limit))

    async def runs(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return await self._look(viewer, agency.run_rows, number(before, "r"), _most(limit))

    async def run(self, viewer: str | None, id: str) -> Row | None:
        return await self._look(viewer, trace.traced, number(id, "r") or -1)

    async def handoffs(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return await self._look(viewer, agency.handoff_rows, number(before, "h"), _most(limit))

    async def letters(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return await self._look(viewer, rooms.letter_rows, number(before, "l"), _most(limit))

    async def sessions(self, viewer: str | None) -> list[Row]:
        return await self._look(viewer, rooms.session_rows)

    async def inbox(self, viewer: str | None) -> list[Row]:
        return await self._look(
            viewer,
            mailboxes.inbox_rows,
            viewer,
            rules=self._rules,
            settings=self._settings.digests,
            now=self._clock(),
        )

    async def approvals(self, viewer: str | None, limit: int) -> list[Row]:
        return await self._look(viewer, asked.asked_rows, _most(limit))

    async def report(self, viewer: str | None, day: date | None, language: str) -> Row:
        return await self._look(
            viewer,
            mailboxes.report_row,
            viewer,
            rules=self._rules,
            now=self._clock(),
            day=day,
            lang=language,
        )

    async def budget(self) -> list[Row]:
        costs, now = self._costs, self._clock()
        return await self._db.read(lambda reader: costs.cards(reader, days=DAYS, now=now))

    async def files(self) -> list[Row]:
        return await asyncio.to_thread(self._files)

    async def why(self, viewer: str | None, message: Address) -> list[Row]:
        return await self._look(viewer, _chain, str(message))

    async def stories(self) -> list[Row]:
        return await asyncio.to_thread(self._theatre.stories)

    async def play(self, story: str) -> Row:
        return {"room": await self._theatre.begin(story)}

    async def _look(
        self,
        viewer: str | None,
        fn: Callable[Concatenate[Sight, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        def look(reader: Reader) -> T:
            return fn(
                Sight(reader, viewer, self._privacy, workspace=self._settings.workspace),
                *args,
                **kwargs,
            )

        return await self._db.read(look)

    def _files(self) -> list[Row]:
        found = []
        for name in self._attention.names()[:FILES]:
            changed = self._attention.changed_at(name)
            row = {"file": name, "text": self._attention.read(name)}
            found.append(row | ({"changed_at": rows.at(changed)} if changed else {}))
        return found


def _chain(sight: Sight, message: str) -> list[Row]:
    original = originals.at_address(sight.reader, message)
    return chains.rows_of(sight.reader, original.id, hears=sight.knows) if original else []


def _most(limit: int) -> int:
    return max(1, min(limit, MOST))
