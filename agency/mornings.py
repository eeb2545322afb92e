"""When somebody who was asked something is reminded of it."""

from datetime import datetime, time, timedelta

from agency import grid, policy

MORNING = time(9, 0)
"""When the day of somebody without quiet hours begins."""
REST = timedelta(hours=4)
"""Between a question and the morning in which it is asked again."""


def next_morning(after: datetime, wanted: policy.Settings) -> datetime:
    """The beginning of somebody's next day, not too soon after they were asked."""
    quiet = wanted.quiet
    begins = quiet[1] if quiet is not None and quiet[0] != quiet[1] else MORNING
    return grid.next_daily(after + REST, begins, wanted.zone)
