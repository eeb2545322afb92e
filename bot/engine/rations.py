"""What a run was given to think with when it started."""

from enum import StrEnum


class Ration(StrEnum):
    """It holds until the run ends, also over a restart."""

    UNSET = ""
    """Nothing was chosen: what its role asks for."""
    FULL = "full"
    """What its role asks for."""
    SMALL = "small"
    """The small model."""
    BUILTIN = "builtin"
    """The built-in model, which costs nothing."""
    WAITS = "waits"
    """Nothing yet: it waits for the next day's budget."""
