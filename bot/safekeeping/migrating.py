"""`limen migrate`: tells how the database stands to this version, and brings it up to date."""

from datetime import datetime
from functools import partial
from pathlib import Path

from bot.app import PACKAGES
from bot.errors import LimenError
from bot.safekeeping import doubts, places, upgrades
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory import errors, migrations


def look(config: Config) -> tuple[list[str], bool]:
    """What there is to do about a database, and whether there is nothing."""
    place = storage.place(config)
    on_disk = isinstance(place, Path)
    if isinstance(place, Path) and not place.exists():
        return [f"there is no database {place}; the next 'limen run' makes one"], True
    with storage.reading(config) as reader:
        standing = upgrades.standing(reader, migrations.steps(PACKAGES))
    if not standing.applied and not standing.unknown:
        return ["the database is empty; the next 'limen run' makes its tables"], True
    kept = Home(config.bot.data_dir).backup if on_disk else None
    return list(standing.told(copied_to=kept)), standing.current


async def bring_up(config: Config, now: datetime) -> list[str]:
    """Apply what the database lacks, as a start does; what was done."""
    lines, current = look(config)
    if current:
        return lines
    home = Home(config.bot.data_dir)
    with home.hold():
        places.finish(home, partial(doubts.came, config))
        try:
            async with storage.database(config) as db:
                applied = await upgrades.bring_up(db, home, migrations.steps(PACKAGES), now)
        except errors.NewerDatabase as error:
            raise LimenError("\n".join(lines)) from error
    return [f"applied {name}" for name in applied]
