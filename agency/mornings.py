"""When a person may be asked something, and when they are reminded of it."""

from dataclasses import replace
from datetime import datetime, time, timedelta

from agency import grid, personal, policy, preferences
from memory.db import Reader

MORNING = time(9, 0)
"""When the day of somebody without quiet hours begins."""
REST = timedelta(hours=4)
"""Between a question and the morning in which it is asked again."""


def settings_of(
    reader: Reader, person: int, session: int, *, now: datetime, settings: policy.Settings
) -> policy.Settings:
    """The operator's settings as they hold for a person who is told something in a session."""
    here = preferences.of(reader, session, now=now).applied(settings)
    own = personal.of(reader, person, now=now)
    pauses = [end for end in (here.paused_until, own.paused_until) if end is not None]
    return replace(
        here,
        zone=own.zone or here.zone,
        quiet=own.quiet or here.quiet,
        paused_until=max(pauses, default=None),
    )


def awake(moment: datetime, wanted: policy.Settings) -> datetime:
    """The first moment at which somebody is neither asleep nor has asked for silence."""
    return policy.awake(moment, wanted)


def next_morning(after: datetime, wanted: policy.Settings) -> datetime:
    """The beginning of somebody's next day, not too soon after they were asked."""
    quiet = wanted.quiet
    begins = quiet[1] if quiet is not None and quiet[0] != quiet[1] else MORNING
    return grid.next_daily(after + REST, begins, wanted.zone)
