"""`limen erase`: takes somebody's words, or a chat's, out of everything, also while Limen runs.

plan ─► asked ─► rows, piece by piece ─► notebook, pictures ─► what was written since ─► swept files
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from agency.attention import Attention
from bot import inspection
from bot.engine import runs
from bot.engine.waits import Clock
from bot.errors import LimenError
from bot.files import fetching
from bot.privacy import erasing, notes, subjects
from bot.privacy.erasing import Strikes, Subject
from bot.privacy.own_words import OwnWords, Whose
from bot.privacy.scope import Scope, follow, written_since
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory import files, sweeping
from memory.db import Database, Reader
from memory.engine import Engine
from memory.moments import to_us
from memory.sqlite import Sqlite

ENDING = timedelta(seconds=60)
"""So long runs under way are waited for: what they are thinking with is in them alone."""
LOOK_S = 0.5
REMOVED = 1_000_000  # pictures; all there are

Ask = Callable[[str], bool]
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Plan:
    subject: Subject
    whose: Whose
    scope: Scope
    own: OwnWords
    strikes: Strikes
    busy: frozenset[int]
    """Runs under way, which may write down more."""


async def erase(config: Config, who: str, *, ask: Ask, clock: Clock, sleep: Sleep) -> list[str]:
    """Erase a person or a chat once `ask` says yes; what went, and what stays where."""
    home = Home(config.bot.data_dir)
    with inspection.opened(config) as reader:
        subjects.named(reader, who)  # another version is refused before anything is written
    async with storage.database(config) as db:
        plan = await db.read(_plan, who, clock())
        counts = plan.scope.counts()
        name = subjects.described(plan.subject)
        if not ask("\n".join([f"this goes of {name}, for good:", *_counted(counts)])):
            raise LimenError(f"nothing of {name} was erased")
        now = clock()
        await _blank(db, plan, plan.scope, to_us(now))
        struck = await db.read(_strike, plan, Attention(home.folder))
        record = await db.write(erasing.finish, plan.subject, plan.whose, counts, at=now, now=now)
        notes.add(home, record)
        await _take_off_disk(db, home.files, alone=not storage.shared(config))
        late = await _written_since(db, plan, clock, sleep)
        engine = db.engine
    lines = [f"erased {name}", *_counted(counts | {"lines of the notebook": struck})]
    if late:
        going = ", ".join(f"r{id}" for id in sorted(late))
        again = subjects.code(plan.subject)
        lines.append(f"still under way: {going}; erase {again} once more when they ended")
    return [*lines, *await sweep(engine, home), *_left(home)]


async def sweep_only(config: Config) -> list[str]:
    """Rewrite the files without what was deleted, and erase nothing more."""
    async with storage.database(config) as db:
        engine = db.engine
    return await sweep(engine, Home(config.bot.data_dir))


async def sweep(engine: Engine, home: Home) -> list[str]:
    """Rewrite the files without what was deleted; what is to be said of it."""
    if isinstance(engine, Sqlite):
        home.backup.unlink(missing_ok=True)  # the database as an older version left it
    if await asyncio.to_thread(sweeping.sweep, engine):
        return [f"swept {engine.where}"]
    return [
        f"{engine.where} was swept, and its log is not cut short yet, since somebody reads it; "
        "say 'limen erase --sweep' again in a minute"
    ]


def _plan(reader: Reader, who: str, now: datetime) -> _Plan:
    subject = subjects.named(reader, who)
    whose = erasing.whose(reader, subject)
    scope, own = follow(reader, whose, until_us=to_us(now))
    return _Plan(
        subject=subject,
        whose=whose,
        scope=scope,
        own=own,
        strikes=erasing.strikes(reader, own, whose, subject),
        busy=frozenset(runs.under_way(reader)),
    )


async def _blank(db: Database, plan: _Plan, scope: Scope, now_us: int) -> None:
    """Piece by piece, so that nobody waits long; a crash in between is mended by doing it again."""
    for part in scope.parts():
        await db.write(erasing.blank, part, plan.whose, now_us)
    await db.write(erasing.give_up, scope, now_us)


def _strike(reader: Reader, plan: _Plan, notebook: Attention) -> int:
    plan.own.reader = reader
    return notebook.strike(plan.strikes)


async def _take_off_disk(db: Database, folder: Path, *, alone: bool) -> None:
    """Where other machines have pictures of their own, they take theirs off by themselves."""
    gone = await db.read(files.gone, limit=REMOVED)
    await asyncio.to_thread(fetching.remove, folder, fetching.pictures_of(gone))
    if alone:
        await db.write(files.remove, list(gone))


async def _written_since(db: Database, plan: _Plan, clock: Clock, sleep: Sleep) -> frozenset[int]:
    """Take out what runs wrote down that were under way; those that have not ended yet."""
    until = clock() + ENDING
    while (late := plan.busy & await db.read(_under_way)) and clock() < until:
        await sleep(LOOK_S)
    more = await db.read(_found_again, plan)
    await _blank(db, plan, more, to_us(clock()))
    return late


def _under_way(reader: Reader) -> frozenset[int]:
    return frozenset(runs.under_way(reader))


def _found_again(reader: Reader, plan: _Plan) -> Scope:
    plan.own.reader = reader
    return written_since(reader, plan.own, plan.scope)


def _counted(counts: dict[str, int]) -> Iterator[str]:
    found = {kind: count for kind, count in counts.items() if count}
    if not found:
        yield "  nothing"
    for kind in sorted(found):
        yield f"  {found[kind]:>8}  {kind}"


def _left(home: Home) -> Iterator[str]:
    """Copies that are older: they are cleaned when they are put back, not where they lie."""
    copies = [*sorted((home.folder / "backups").glob("*")), *home.folder.glob("before-restore-*")]
    if copies:
        yield "these still hold the words; delete them, or they are cleaned when they are put back:"
        yield from (f"  {path}" for path in copies)
    yield "copies elsewhere, and the platforms themselves, keep what they have"
