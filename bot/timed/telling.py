"""What a chat's agent is told of the reminders there, and whom somebody may have reminded."""

from datetime import datetime, timedelta

from agency import schedules
from agency.schedules import Schedule
from bot import texts
from bot.engine.inputs import Input, Trigger
from bot.models import sections
from bot.rows import Row
from bot.timed import keeping
from memory import audiences, people
from memory.db import Reader

SHOWN = 20
LATELY = timedelta(days=2)
"""How long a reminder that was said may be spoken of."""
COLLEAGUES = 60


def sections_of(reader: Reader, session: int, given: list[Input], now: datetime) -> list[str]:
    """A section `reminders`, where there are any: those to come, and those said lately."""
    said = [one for one in given if one.trigger is Trigger.MESSAGE and one.person_id is not None]
    if not said:
        return []
    person, lang = said[-1].person_id, texts.language(said[-1].text)
    found = keeping.visible(reader, session, person)[:SHOWN]
    known = {one.id for one in found}
    lately = schedules.lately_given(reader, session, since=now - LATELY, limit=SHOWN)
    fresh = {one.id: one for one in lately if one.id not in known}
    shown = [_row(reader, one, lang, now) for one in (*found, *fresh.values())]
    newest = max((one.id for one in found if one.owner_id == person), default=0)
    for row in shown:
        if row["id"] == f"r{newest}":
            row["newest"] = True
    return [sections.render("reminders", shown)] if shown else []


def around(reader: Reader, session: int) -> Row:
    """In a DM: the rooms its person is in, and who is in them."""
    room = audiences.find(reader, session)
    if room is None or not room.direct or len(room.members) != 1:
        return {}
    person = min(room.members)
    rooms = [
        found
        for id in sorted(audiences.heard_by(reader, person))
        if (found := audiences.find(reader, id)) is not None and not found.direct
    ]
    met = sorted({one for found in rooms for one in found.members} - {person})[:COLLEAGUES]
    names = [one.name for id in met if (one := people.find(reader, id)) is not None]
    return {"rooms": sorted({found.title for found in rooms}), "colleagues": names}


def _row(reader: Reader, schedule: Schedule, lang: texts.Language, now: datetime) -> Row:
    turns = schedules.turns(reader, schedule.id, limit=3)
    said = [f"o{turn.original_id}" for turn in turns if turn.original_id is not None]
    return keeping.row(reader, schedule, lang, now=now) | {"said_as": said}
