"""`limen backup`: everything Limen keeps in one file, made while it runs."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

from bot.app import PACKAGES
from bot.engine.waits import Sleep
from bot.errors import LimenError
from bot.safekeeping import bundle, copying, elsewhere, upgrades
from bot.safekeeping.bundle import DATABASE, FOLDERS, BackupBroken, Manifest
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory import errors, files, migrations
from memory.db import Database, Reader, Tx, snapshot
from memory.moments import to_us

FOLDER = "backups"
"""Where in the data folder backups are put unless another place is named."""


async def make(config: Config, to: Path | None, *, now: datetime, sleep: Sleep) -> list[str]:
    """Write a backup; where it is and what is in it."""
    home = Home(config.bot.data_dir)
    target = _target(home, to, now)
    at_rest = home.owner() is None and not await elsewhere.at_work(config, sleep)
    try:
        with bundle.workplace(target) as folder:
            copy = folder / DATABASE
            engine = await _copy(config, copy, now)
            manifest = await asyncio.to_thread(_write, home, target, copy, engine, now, at_rest)
    except errors.StorageFull as error:
        raise LimenError(f"no backup was made: {error}") from error
    except OSError as error:
        raise LimenError(
            f"{target} cannot be written ({error.strerror or error}); free space, or name another "
            "place with --to"
        ) from error
    size = f"{target.stat().st_size / 2**20:.1f} MiB"
    return [f"wrote {target} ({size})", *described(manifest)]


def check(file: Path) -> list[str]:
    """Read a backup whole and look whether all of it is sound; BackupBroken when it is not."""
    with tempfile.TemporaryDirectory(prefix="limen-check-") as folder:
        manifest = bundle.unpack(file, Path(folder))
        sound(file, Path(folder) / DATABASE, manifest)
        with snapshot(Path(folder) / DATABASE) as reader:
            standing = upgrades.standing(reader, migrations.steps(PACKAGES))
    lines = [f"{file} is whole: {len(manifest.members)} files, every checksum right"]
    lines += described(manifest)
    if standing.unknown:
        lines.append(f"it is of a later version: Limen {upgrades.own()} cannot put it back")
    elif standing.missing:
        lines.append(f"{len(standing.missing)} migrations are applied when it is put back")
    return lines


def described(manifest: Manifest) -> Iterator[str]:
    """What a backup says of itself."""
    how = "no Limen ran meanwhile" if manifest.at_rest else "while Limen ran"
    yield f"made {manifest.made:%Y-%m-%d %H:%M:%S} UTC by Limen {manifest.limen}, {how}"
    rows = sum(manifest.rows.values())
    heard = manifest.rows.get("originals", 0)
    pictures = sum(name.startswith("files/") for name in manifest.members)
    yield f"{manifest.engine}: {heard} messages, {rows} rows in all; {pictures} pictures"


def sound(file: Path, database: Path, manifest: Manifest) -> None:
    """Look whether the database of a backup is what its manifest says; BackupBroken if not."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            verdict = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            stray = connection.execute("PRAGMA foreign_key_check").fetchone()
        with snapshot(database) as reader:
            rows = copying.counts(reader)
    except (sqlite3.Error, errors.StorageError) as error:
        raise BackupBroken(f"the database in {file} cannot be read ({error})") from error
    if verdict != "ok" or stray is not None:
        said = verdict if verdict != "ok" else f"a row of {stray[0]} refers to nothing"
        raise BackupBroken(f"the database in {file} is damaged: {said}")
    if rows != manifest.rows:
        raise BackupBroken(f"the database in {file} has other rows than its manifest says")


def _target(home: Home, to: Path | None, now: datetime) -> Path:
    name = bundle.named(now)
    if to is None:
        if not home.folder.is_dir():
            raise LimenError(f"there is no data folder {home.folder}; start 'limen run' once")
        to = home.folder / FOLDER
        to.mkdir(mode=0o700, exist_ok=True)
    target = to / name if to.is_dir() else to
    if target.exists():
        raise LimenError(f"{target} is there already; name another file with --to")
    if not target.parent.is_dir():
        raise LimenError(f"there is no folder {target.parent}; make it, or name another with --to")
    return target.absolute()


async def _copy(config: Config, target: Path, now: datetime) -> str:
    """Copy the database into a file as it is at this moment; which engine it was of."""
    place = storage.existing(config)
    if isinstance(place, Path):
        await asyncio.to_thread(copying.whole, place, target)
        return "sqlite"

    def fill(tx: Tx) -> None:
        steps = migrations.steps(PACKAGES)
        migrations.migrate(tx, steps, now_us=to_us(now))
        with storage.reading(config) as source:
            if not upgrades.standing(source, steps).current:
                raise LimenError("the database is of another version; see 'limen migrate --check'")
            copying.copy(source, tx, copying.tables(tx))

    async with Database(target) as db:
        await db.write(fill)
    return "postgresql"


def _write(
    home: Home, target: Path, copy: Path, engine: str, now: datetime, at_rest: bool
) -> Manifest:
    with snapshot(copy) as reader:
        rows, applied = copying.counts(reader), migrations.applied(reader)
        members = [(DATABASE, copy), *_beside(home, reader if "files" in rows else None)]

    def manifest(sums: dict[str, str]) -> Manifest:
        return Manifest(
            format=bundle.FORMAT,
            limen=upgrades.own(),
            engine=engine,
            made=now,
            at_rest=at_rest and home.owner() is None,
            migrations=tuple(sorted(applied)),
            rows=rows,
            members=sums,
        )

    return bundle.pack(target, copy.parent, members, manifest)


def _beside(home: Home, reader: Reader | None) -> Iterator[tuple[str, Path]]:
    """What lies in the data folder beside the database and belongs to it."""
    for name in bundle.ALONE:
        if name != DATABASE and (home.folder / name).is_file():
            yield name, home.folder / name
    pictures, attention = FOLDERS
    for name in files.pictures(reader) if reader is not None else []:
        yield f"{pictures}/{name}", home.files / name
    for path in sorted((home.folder / attention).rglob("*.md")):
        name = path.relative_to(home.folder).as_posix()
        if path.is_file() and bundle.belongs(name):
            yield name, path
