"""Whom a reminder is for, and where it is said.

It is said where it was asked for: in a room with a mention, in a DM there. A colleague is reminded
in their own DM, and only by somebody who is in a room with them; another room only by one of its
people.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from agency import personal
from bot.engine import sessions
from bot.engine.waits import Clock
from bot.texts import Language
from bot.timed import wording
from memory import audiences, people
from memory.db import Reader

_ME = frozenset("me i myself my 我 自己 我自己 本人".split())
_ALL = frozenset(
    "us we everyone everybody all team theteam here channel theroom room group".split()
    + "我们 咱们 大家 所有人 全员 全体 团队 各位 群里 本群 这里".split()
)
Admits = Callable[[Reader, int], bool]
"""Whether a person may talk with the bot."""


class NoPlace(ValueError):
    """Somebody or somewhere that nobody may be reminded of anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where words go, and whom they are for."""

    session_id: int
    person_id: int | None
    """None for everybody there."""


def place(
    reader: Reader, session: int, owner: int, who: str, admits: Admits, lang: Language
) -> Place:
    """Where to remind whom; NoPlace says why not."""
    name = who.strip().strip("@＠").strip()
    folded = re.sub(r"[\s#]+", "", name.casefold())
    here = audiences.find(reader, session)
    if not folded or folded in _ME or (folded in _ALL and here is not None and here.direct):
        return Place(session_id=session, person_id=owner)
    if folded in _ALL:
        return Place(session_id=session, person_id=None)
    room = None if who.strip().startswith("@") else _room(reader, owner, name, lang)
    if room is not None:
        return Place(session_id=room, person_id=None)
    person = person_called(reader, owner, name, lang)
    if person == owner:
        return Place(session_id=session, person_id=owner)
    if not admits(reader, person):
        raise NoPlace(wording.text("not admitted", lang, name=name))
    return _of_colleague(reader, session, person, name, lang)


def names(who: str) -> list[str]:
    """The people or rooms that are named together."""
    found = re.split(r"\s*(?:,|，|、|&|\band\b|和)\s*", who.strip())
    return [name for name in found if name] or [""]


def shared(reader: Reader, one: int, other: int) -> bool:
    """Whether two people are in a room together."""
    both = audiences.heard_by(reader, one) & audiences.heard_by(reader, other)
    found = (audiences.find(reader, session) for session in both)
    return any(room is not None and not room.direct for room in found)


def zone_of(reader: Reader, person: int, clock: Clock, team: ZoneInfo) -> ZoneInfo:
    """The zone a person lives by."""
    own = personal.of(reader, person, now=clock()).zone
    return own if isinstance(own, ZoneInfo) else team


def _of_colleague(reader: Reader, session: int, person: int, name: str, lang: Language) -> Place:
    own = direct(reader, person, near=session)
    if own is not None:
        return Place(session_id=own, person_id=person)
    here = audiences.find(reader, session)
    if here is not None and person in here.members:
        return Place(session_id=session, person_id=person)
    raise NoPlace(wording.text("no dm", lang, name=name))


def direct(reader: Reader, person: int, *, near: int) -> int | None:
    """A person's own DM, on the platform of another session if there are several."""
    found: list[tuple[bool, int]] = []
    beside = sessions.find(reader, near)
    platform = beside.address.platform if beside and beside.address else ""
    for id in audiences.heard_by(reader, person):
        room, session = audiences.find(reader, id), sessions.find(reader, id)
        if room is None or session is None or session.address is None:
            continue
        if room.direct and room.members == {person}:
            found.append((session.address.platform == platform, id))
    return max(found)[1] if found else None


def _room(reader: Reader, owner: int, name: str, lang: Language) -> int | None:
    titles = (name, re.sub(r"\s*(?:room|channel|group|chat|群|频道)$", "", name, flags=re.I))
    found = {id for title in titles for id in audiences.titled(reader, title.lstrip("#"))}
    whole = [
        id
        for id in sorted(found)
        if (session := sessions.find(reader, id)) is not None and session.parent_id is None
    ]
    rooms = [room for id in whole if (room := audiences.find(reader, id)) and not room.direct]
    own = [room.session_id for room in rooms if owner in room.members]
    if rooms and not own:
        raise NoPlace(wording.text("not in", lang, name=name))
    return own[0] if own else None


def person_called(reader: Reader, owner: int, name: str, lang: Language) -> int:
    """Who is meant by a name among those in a room with somebody; NoPlace without exactly one."""
    name = name.strip().strip("@＠").strip()
    known = [one for one in people.mentioned(reader, name) if not one.is_bot]
    folded = name.casefold()
    same = [one for one in known if one.name.casefold() == folded]
    first = same or [one for one in known if one.name.casefold().split()[:1] == [folded]]
    near = [one for one in first if one.id == owner or shared(reader, owner, one.id)]
    if not near:
        raise NoPlace(wording.text("nobody", lang, name=name))
    if len(near) > 1:
        names = ", ".join(one.name for one in near)
        raise NoPlace(wording.text("several", lang, name=name, names=names))
    return near[0].id
