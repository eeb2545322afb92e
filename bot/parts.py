"""The parts of Limen that one process may do alone: `limen run --only gateway`."""

from collections.abc import Iterable
from enum import StrEnum

from bot.errors import LimenError


class Part(StrEnum):
    """What a process does."""

    GATEWAY = "gateway"
    """Holds platform connections: takes in what people say, and posts."""
    WORKER = "worker"
    """Carries out runs that people wait for."""
    AGENCY = "agency"
    """The one background mind: connects, remembers, keeps times; one process at a time."""


ALL = frozenset(Part)
MIND = "agency"  # the lease of the one background mind
FILES = "files"  # the lease of whoever fetches what people send along


def parse(words: Iterable[str], *, shared: bool) -> frozenset[Part]:
    """The parts named on a command line, all without a word; LimenError when that cannot be."""
    named = [word.strip() for some in words for word in some.split(",") if word.strip()]
    if not named:
        return ALL
    known = ", ".join(Part)
    if unknown := [word for word in named if word not in frozenset(Part)]:
        raise LimenError(f"--only is one of {known}, got {unknown[0]!r}")
    parts = frozenset(Part(word) for word in named)
    if parts != ALL and not shared:
        raise LimenError(
            f"--only {' --only '.join(sorted(parts))} divides Limen over several processes, which "
            "needs a PostgreSQL server: name it in [database] url, or run without --only"
        )
    return parts
