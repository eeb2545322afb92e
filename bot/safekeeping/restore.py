"""`limen restore`: puts a backup in the place of the database, whichever engine either is of."""

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

from agency.attention import Attention
from bot import derived
from bot.app import PACKAGES
from bot.engine.waits import Sleep
from bot.errors import LimenError
from bot.privacy import erasing, notes
from bot.safekeeping import backup, bundle, copying, doubts, elsewhere, places, upgrades
from bot.safekeeping.bundle import DATABASE, Manifest
from bot.safekeeping.doubts import Restored
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory import errors, migrations, originals, sweeping
from memory.db import Database, Tx, snapshot
from memory.engine import Statement
from memory.erasing import Record
from memory.moments import to_us
from memory.sqlite import Sqlite

Doubts = dict[str, list[int]]

_TABLES = Statement(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
)


@dataclass(frozen=True, slots=True)
class _Ready:
    """What was done to a copy before it is put to use."""

    applied: list[str]
    erased: list[Record]
    doubts: Doubts


async def restore(
    config: Config, file: Path, *, yes: bool, moving: bool, now: datetime, sleep: Sleep
) -> list[str]:
    """Put a backup back; what was done, what lies aside, and what is in doubt.

    Without `yes` a database with content is left alone. `moving` is the word of the operator that
    nothing ran since the backup was made: then what waits in it goes on as after a pause.
    """
    home = Home(config.bot.data_dir)
    with home.hold(), home.named_errors():
        places.finish(home, partial(doubts.came, config))
        await _free(config, yes=yes, sleep=sleep)
        folder = places.layout(home)
        try:
            manifest = await asyncio.to_thread(_unpacked, file, folder)
            if moving and not manifest.at_rest:
                raise LimenError(
                    f"{file} was made while Limen ran, so that more may have been said since; stop "
                    "Limen, make a backup anew, and move that one"
                )
            ready = await _make_ready(config, folder, file.name, manifest, moving, now)
            aside = _aside(home, now)
            if storage.shared(config):
                put = await _fill_server(config, home, folder, aside, now)
            else:
                put = []
                await asyncio.to_thread(places.make_ready, home, aside, stamp=None)
            await asyncio.to_thread(places.finish, home, partial(doubts.came, config))
        finally:
            places.drop(home)
    return [
        f"put back {file.name}",
        *backup.described(manifest),
        *([f"brought up to date: {', '.join(ready.applied)}"] if ready.applied else []),
        *([f"erased anew what was erased since: {len(ready.erased)}"] if ready.erased else []),
        *put,
        f"what was there before lies in {home.folder / aside}",
        *_doubtful(ready.doubts, moving=moving),
    ]


async def _free(config: Config, *, yes: bool, sleep: Sleep) -> None:
    """LimenError while a database is used, or has content and there is no `yes` to that."""
    if held := await elsewhere.at_work(config, sleep):
        raise LimenError(
            f"Limen runs on this database elsewhere (it holds {', '.join(held)}); stop all its "
            "processes first"
        )
    if not yes and (content := _content(config)):
        raise LimenError(
            f"{Database(storage.place(config)).engine.where} has content ({content}); say --yes to "
            "put the backup in its place, and what is there aside"
        )


def _aside(home: Home, now: datetime) -> str:
    """A name nothing has yet."""
    name = f"before-restore-{now.astimezone(UTC):%Y-%m-%dT%H%M%SZ}"
    return next(
        one
        for n in count(1)
        if not (home.folder / (one := name if n == 1 else f"{name}-{n}")).exists()
    )


def _doubtful(found: Doubts, *, moving: bool) -> Iterator[str]:
    if moving:
        yield "what waited when the backup was made goes on at the next 'limen run'"
    elif not found:
        yield "nothing waited when the backup was made, so nothing is in doubt"
    else:
        yield "may have been said or done since the backup was made, and is not repeated:"
        yield from (f"  {line}" for line in doubts.told(found))


def _content(config: Config) -> str:
    """What a database holds that would be missed; empty for none."""
    place = storage.place(config)
    if isinstance(place, Path) and not place.exists():
        return ""
    try:
        with storage.reading(config) as reader:
            if not migrations.applied(reader):
                return "tables of another program" if reader.all(_TABLES) else ""
            newest = originals.newest_id(reader)
            return f"{newest} messages" if newest else ""
    except errors.StorageBroken as error:
        return f"though it cannot be read: {error}"


def _unpacked(file: Path, folder: Path) -> Manifest:
    manifest = bundle.unpack(file, folder)
    backup.sound(file, folder / DATABASE, manifest)
    with snapshot(folder / DATABASE) as reader:
        standing = upgrades.standing(reader, migrations.steps(PACKAGES))
    if standing.unknown:
        raise errors.NewerDatabase(
            f"{file} was made by Limen {manifest.limen}, and this is Limen {upgrades.own()}, which "
            f"does not know {', '.join(standing.unknown)}; put it back with the version that made "
            "it, or a later one"
        )
    return manifest


async def _make_ready(
    config: Config, folder: Path, name: str, manifest: Manifest, moving: bool, now: datetime
) -> _Ready:
    """Bring a copy up to date and leave undone what is in doubt, all before it is put to use."""
    known = await asyncio.to_thread(notes.known, config)

    def act(tx: Tx) -> _Ready:
        applied = migrations.migrate(tx, migrations.steps(PACKAGES), now_us=to_us(now))
        upgrades.note(tx, now=now)
        erased = erasing.again(tx, known, Attention(folder), now=now)
        found: Doubts = {}
        if not moving:
            found = doubts.settle(
                tx,
                made=manifest.made,
                now=now,
                rules=derived.rules(config),
                digests=derived.digests(config),
            )
        doubts.note(tx, Restored(source=name, made=manifest.made, at=now, doubts=found))
        return _Ready(applied, erased, found)

    async with Database(folder / DATABASE) as db:
        ready = await db.write(act)
    if ready.erased:
        await asyncio.to_thread(sweeping.sweep, Sqlite(folder / DATABASE))
    return ready


async def _fill_server(
    config: Config, home: Home, folder: Path, aside: str, now: datetime
) -> list[str]:
    """Put the rows into a database on a server, in one transaction; the files wait for them."""
    schema = f"limen_{aside.replace('-', '_').lower()}"
    with tempfile.TemporaryDirectory(dir=home.folder, prefix="rows-") as apart:
        rows = (folder / DATABASE).rename(Path(apart) / DATABASE)
        await asyncio.to_thread(places.make_ready, home, aside, stamp=to_us(now))

        def fill(tx: Tx) -> bool:
            old = [row["name"] for row in tx.all(_TABLES)]
            if old:
                tx.schema.define(f"CREATE SCHEMA {schema}")
            for name in old:
                tx.schema.define(f"ALTER TABLE {name} SET SCHEMA {schema}")
            migrations.migrate(tx, migrations.steps(PACKAGES), now_us=to_us(now))
            with snapshot(rows) as source:
                copying.copy(source, tx, copying.tables(source))
            tx.schema.resequence()
            tx.schema.take_stock()
            return bool(old)

        async with Database(storage.place(config)) as db:
            moved = await db.write(fill)
            where = db.engine.where
    apart_in = f"; the tables that were there are in the schema {schema}" if moved else ""
    return [f"the rows are in {where}{apart_in}"]
