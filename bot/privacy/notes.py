"""What was erased, noted beside the database too: a backup that is put back knows nothing of it."""

from collections.abc import Iterable

from bot.errors import LimenError
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory import erasing, migrations
from memory.db import Reader
from memory.erasing import Record
from memory.errors import StorageError

TABLE_OF = "memory/0004_erasures"
"""The migration before which nothing was erased."""


def add(home: Home, record: Record) -> None:
    """Note an erasure, at the end."""
    home.erasures.touch(mode=0o600)
    with home.erasures.open("a", encoding="utf-8") as file:
        file.write(record.written() + "\n")


def known(config: Config) -> list[Record]:
    """Every erasure that the database or the notes beside it tell of, in order.

    To be read before a backup takes the place of that database.
    """
    home = Home(config.bot.data_dir)
    found = {_key(one): one for one in (*_written(home), *_stored(config))}
    return sorted(found.values(), key=lambda one: one.at)


def _key(record: Record) -> tuple[object, ...]:
    return record.kind, record.subject_id, record.at


def _written(home: Home) -> Iterable[Record]:
    if home.erasures.exists():
        for line in home.erasures.read_text(encoding="utf-8").splitlines():
            try:
                yield Record.parse(line)
            except ValueError as error:
                raise LimenError(
                    f"{home.erasures}: {error}; mend or take out that line, so that nothing that "
                    "was erased comes back unseen"
                ) from error


def _stored(config: Config) -> list[Record]:
    try:
        with storage.reading(config) as reader:
            return of(reader)
    except (LimenError, StorageError):
        return []  # nothing is there, or nothing that can be read


def of(reader: Reader) -> list[Record]:
    """The erasures a database knows of; none where it is older than that."""
    if TABLE_OF not in migrations.applied(reader):
        return []
    return erasing.records(reader)
