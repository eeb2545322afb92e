"""What reading a file comes to: its text or its picture, or in one line why neither."""

from dataclasses import dataclass
from enum import StrEnum

TEXT_LIMIT = 100_000  # signs of one file that are kept


class Why(StrEnum):
    """Why a file is not read, as its note begins."""

    OFF = "files are not read here"
    LARGE = "too large"
    NOT_FETCHED = "not fetched"
    LOCKED = "needs a password"
    SCANNED = "holds no text"
    DAMAGED = "damaged"
    UNKNOWN = "unknown kind"
    VOICE = "voice was not transcribed"
    SLOW = "took too long"
    WAITING = "being fetched"


class Unreadable(Exception):
    """A file will never be read; the text is its note."""

    def __init__(self, why: Why, detail: str) -> None:
        super().__init__(f"{why}: {detail}")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a model may be shown it."""

    data: bytes
    suffix: str
    """`.png` or `.jpg`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a file holds."""

    text: str = ""
    picture: Picture | None = None
    note: str = ""
    """What of it was left out."""


def written(text: str, *, rest: bool = False) -> Found:
    """A text cut to what is kept; `rest` tells that there was more than was read."""
    text = text.strip()
    cut = rest or len(text) > TEXT_LIMIT
    note = f"only the first {min(len(text), TEXT_LIMIT):,} signs were read" if cut else ""
    return Found(text=text[:TEXT_LIMIT].rstrip(), note=note)
