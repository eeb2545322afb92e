"""Whether other processes work on a shared database: nobody else can tell on this machine."""

from bot.engine import leases
from bot.engine.keeper import RENEW
from bot.engine.waits import Sleep
from bot.setup import storage
from bot.setup.config import Config
from memory import migrations
from memory.db import Reader
from memory.engine import Engine

MARGIN_S = 1.5  # seconds beside the time between two renewals
LEASES = "bot/0009_leases"
"""The migration before which no database was shared."""

_Held = dict[str, tuple[int, int]]


async def at_work(config: Config, sleep: Sleep) -> list[str]:
    """What other processes hold of the configured database; to be sure takes some seconds.

    A lease that a dead process left is held by nobody: it is not renewed meanwhile.
    """
    before = _held(config)
    if not before:
        return []
    await sleep(RENEW.total_seconds() + MARGIN_S)
    return sorted(name for name, stood in _held(config).items() if before.get(name) != stood)


def _held(config: Config) -> _Held:
    if not isinstance(storage.place(config), Engine):
        return {}
    with storage.reading(config) as reader:
        return _of(reader)


def _of(reader: Reader) -> _Held:
    if LEASES not in migrations.applied(reader):
        return {}
    return {one.name: (one.epoch, one.renewals) for one in leases.every(reader) if one.owner}
