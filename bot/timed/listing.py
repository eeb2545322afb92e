"""Everything that is set at a time and waited for, for the operator's console."""

from collections.abc import Iterator
from datetime import datetime

from agency import intentions, schedules
from bot import rows
from bot.rows import Rooms
from bot.timed import keeping
from memory.db import Reader


def lines(reader: Reader, *, now: datetime) -> Iterator[str]:
    """One line each, next first."""
    rooms = Rooms(reader)
    for one in schedules.still_open(reader):
        row = keeping.row(reader, one, "en", now=now)
        kind = "does" if one.kind is schedules.Kind.TASK else f"reminds {row['for']}"
        late = f", missed {one.missed}" if one.missed else ""
        held = ", waits" if one.held else ""
        yield (
            f"{row['id']}  {row['when']} ({row['zone']})  {kind} in {row['in']}: {row['text']}"
            f"  [by {row['by']}{late}{held}]"
        )
    for intention in intentions.current(reader, limit=1000):
        wish = intention.wish
        if wish is not None:
            who, until = rooms.person(wish.person_id), rows.at(wish.expires_at)
            yield f"n{intention.id}  once {wish.condition}  tells {who}  [until {until}]"
