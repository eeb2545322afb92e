"""When a chat and its people may be told something unasked: their zones, hours and pauses."""

from dataclasses import replace
from datetime import datetime

from agency import personal, policy, preferences
from memory import audiences
from memory.db import Reader


def of_person(
    reader: Reader, person: int, *, now: datetime, settings: policy.Settings
) -> policy.Settings:
    """The operator's settings as they hold for one person, wherever they are."""
    own = personal.of(reader, person, now=now)
    return replace(
        settings,
        zone=own.zone or settings.zone,
        quiet=settings.quiet if own.quiet is None else own.quiet,
        paused_until=own.paused_until,
        person_quota=settings.person_quota if own.quota is None else own.quota,
    )


def in_chat(
    reader: Reader, session: int, *, now: datetime, settings: policy.Settings
) -> policy.Settings:
    """The operator's settings as they hold in one chat: in a DM, those of its person.

    What was said for the chat itself goes before what its person said for everywhere.
    """
    wanted = preferences.of(reader, session, now=now)
    person = partner(reader, session)
    if person is None:
        return wanted.applied(settings)
    own = of_person(reader, person, now=now, settings=settings)
    pauses = [end for end in (own.paused_until, wanted.paused_until) if end is not None]
    return replace(wanted.applied(own), paused_until=max(pauses, default=None))


def first(
    reader: Reader,
    session: int,
    *,
    now: datetime,
    settings: policy.Settings,
    timed: bool = False,
) -> datetime:
    """The first moment from now on at which a chat may be told something unasked.

    `timed`: somebody chose the moment, so that only a pause holds it up.
    """
    here = in_chat(reader, session, now=now, settings=settings)
    if timed:
        return max(now, here.paused_until or now)
    return policy.awake(now, here)


def partner(reader: Reader, session: int) -> int | None:
    """The person of a DM; None for a room."""
    room = audiences.find(reader, session)
    direct = room is not None and room.direct and len(room.members) == 1
    return min(room.members) if room is not None and direct else None
