"""Two people turn out to be one: every table that names people follows."""

from agency import (
    approvals,
    consents,
    feedback,
    inbox,
    intentions,
    lessons,
    mutes,
    personal,
    schedules,
    waits,
)
from bot.engine import inputs
from memory import audiences, facts, links, originals, people
from memory.db import Tx


def join(tx: Tx, gone: int, kept: int, *, reason: str, now_us: int) -> None:
    """Make `gone` the same person as `kept`; DMs of both accounts stay sessions of their own."""
    if gone == kept:
        return
    people.merge(tx, gone, kept, reason=reason, now_us=now_us)
    audiences.rehome(tx, gone, kept)
    originals.rehome(tx, gone, kept)
    facts.rehome(tx, gone, kept)
    consents.rehome(tx, gone, kept)
    approvals.rehome(tx, gone, kept)
    inbox.rehome(tx, gone, kept)
    feedback.rehome(tx, gone, kept)
    lessons.rehome(tx, gone, kept)
    mutes.rehome(tx, gone, kept)
    personal.rehome(tx, gone, kept)
    waits.rehome(tx, gone, kept)
    schedules.rehome(tx, gone, kept)
    intentions.rehome(tx, gone, kept)
    inputs.rehome(tx, gone, kept)
    links.rehome(tx, gone)
