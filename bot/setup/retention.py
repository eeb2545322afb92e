"""The `[retention]` section: how long what is kept stays, where that is not for ever."""

from datetime import timedelta
from typing import Annotated

from pydantic import BeforeValidator

from bot.setup.durations import parse_duration
from bot.setup.settings import Section

FOREVER = "forever"
LEAST = timedelta(days=1)


def _span(value: object) -> timedelta | None:
    """Read `90d` or `forever`."""
    if value is None or (isinstance(value, str) and value.strip().lower() == FOREVER):
        return None
    try:
        span = parse_duration(value)
    except ValueError:
        raise ValueError("must be a span such as '90d', or 'forever'") from None
    if span < LEAST:
        raise ValueError("is shorter than a day; write '1d' or more, or 'forever'")
    return span


Span = Annotated[timedelta | None, BeforeValidator(_span)]


class Retention(Section):
    """How long things stay; None means for ever."""

    originals: Span = None
    """What people and the bot said; afterwards it is as if it had been taken back."""
    traces: Span = timedelta(days=90)
    """What runs thought and looked up; that they ran, and why, stays."""
