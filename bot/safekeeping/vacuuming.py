"""`limen vacuum`: gives back the space of what was cleared away."""

from functools import partial
from pathlib import Path

from bot.errors import LimenError
from bot.safekeeping import doubts, places, trimming
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory import sweeping
from memory.sqlite import Sqlite


def vacuum(config: Config) -> list[str]:
    """Write the database anew without its gaps; how large it was and is."""
    place = storage.existing(config)
    if not isinstance(place, Path):
        return [f"{place.where} is a server's, which vacuums by itself; there is nothing to do"]
    home = Home(config.bot.data_dir)
    with home.hold():
        places.finish(home, partial(doubts.came, config))
        before = _size(place)
        if not sweeping.sweep(Sqlite(place)):
            raise LimenError(f"{place} is read by another program; end that, and vacuum again")
    return [f"{place}: {before / 2**20:.1f} MiB before, {_size(place) / 2**20:.1f} after"]


def _size(path: Path) -> int:
    return path.stat().st_size + trimming.length(path)
