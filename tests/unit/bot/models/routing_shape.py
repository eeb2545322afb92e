"""The shape of a routing story: rooms, what was said, and who must hear it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message; `wake` is the agency's wake that first sees it."""

    wake: int
    room: str
    who: str
    id: str
    en: str
    zh: str
    edits: str = ""
    """The message it is a later version of."""
    recalls: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hears:
    """A room that must hear certain facts, each given as a pattern for either language."""

    room: str
    facts: tuple[str, ...]
    sources: tuple[str, ...] = ()
    major: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Rooms with their people, what was said, who must hear it, and what must never be told."""

    name: str
    kind: str
    rooms: dict[str, str]
    """Members separated by spaces; a room whose name begins with "dm" is a direct chat."""
    said: tuple[Said, ...]
    hears: tuple[Hears, ...] = ()
    secret: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    """Values no longer true: an error in any message."""
    asks: tuple[str, ...] = ()
    """Rooms for which a direct chat must be asked for consent."""
    now: str = ""
    """Time of a last wake with only a heartbeat."""


def said(wake: int, room: str, who: str, id: str, en: str, zh: str, **more: str) -> Said:
    return Said(wake=wake, room=room, who=who, id=id, en=en, zh=zh, **more)
