"""Whether what an input is about still stands: nothing is said for words that were taken back."""

from agency import consents, handoffs
from bot.engine.inputs import Input, State, Trigger
from memory import originals
from memory.db import Reader


def stands(reader: Reader, given: Input) -> bool:
    """False when it was taken back, its handoff fell, or its question is settled."""
    if given.state is State.WITHDRAWN:
        return False
    if given.trigger is Trigger.HANDOFF:
        state = handoffs.get(reader, given.metadata["handoff"]).state
        return state in (handoffs.State.ADMITTED, handoffs.State.DELIVERED)
    if given.trigger is Trigger.CONSENT_REQUEST:
        return consents.get(reader, given.metadata["consent"]).state is consents.State.ASKED
    if given.trigger is Trigger.MESSAGE and given.original_id is not None:
        original = originals.find(reader, given.original_id)
        return original is not None and not original.recalled
    return True
