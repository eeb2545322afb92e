"""Every place where words that people said may have led to, and the words that are there."""

from collections.abc import Mapping

from agency import (
    approvals,
    consents,
    feedback,
    fires,
    handoffs,
    inbox,
    intentions,
    lessons,
    repeats,
    schedules,
    waits,
)
from bot.engine import inputs, letters, runs, traces
from memory import facts, originals
from memory.erasing import Shelf

SAID = "messages"
"""What was said, by people and by the bot; it goes by `originals.erase`."""

SHELVES: Mapping[str, Shelf] = {
    "facts": facts.SHELF,
    "summaries": facts.SUMMARIES,
    "fires": fires.SHELF,
    "handoffs": handoffs.SHELF,
    "gate records": handoffs.GATES,
    "consents": consents.SHELF,
    "approvals": approvals.SHELF,
    "inbox entries": inbox.SHELF,
    "intentions": intentions.SHELF,
    "lessons": lessons.SHELF,
    "tellings": feedback.SHELF,
    "notes on tellings": feedback.NOTES,
    "lasting conditions": repeats.SHELF,
    "reminders": schedules.SHELF,
    "promises and questions": waits.SHELF,
    "inputs": inputs.SHELF,
    "runs": runs.SHELF,
    "traces": traces.STEPS,
    "tool results": traces.RESULTS,
    "letters": letters.SHELF,
}
"""Rows that go, by the kind an operator reads of."""

READ: Mapping[str, Shelf] = {
    name: shelf
    for name, shelf in {**SHELVES, SAID: originals.OWN_WORDS}.items()
    if name != "reminders"
}
"""Where words are looked for that nothing leads to; reminders are in their owners' own words."""
