"""Engagement: how a chat and its people took what they were told unasked."""

from dataclasses import dataclass
from datetime import datetime

from memory.db import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Engagement:
    """What is known of how the next message would be taken."""

    ignored: bool = False
    """They let what they were told pass without a word; they get less, never nothing."""
    unwanted: str = ""
    """The word of somebody who called this subject not useful; empty where nobody did."""


def of(
    reader: Reader, session: int, persons: tuple[int, ...], subject: str, *, now: datetime
) -> Engagement:
    """How a chat, and the people it would concern, took what they were told of a subject."""
    return Engagement()
