"""Where the words of a message that was taken back still are, and how they go from there.

What the bot said aloud stays said; what it was told, thought and meant to say does not.
"""

from collections.abc import Iterable

from agency import fires, handoffs, waits
from bot.engine import inputs, runs, sessions, traces
from bot.engine.runs import Run
from memory import originals
from memory.db import Reader, Tx
from memory.moments import to_us
from memory.originals import Original

LEARNT_LATELY = 200  # memory runs of a chat among which those that read a message are looked for


def readers(reader: Reader, original: Original) -> frozenset[int]:
    """The runs that were given a message, or what rests on it."""
    given = (one.run_id for one in inputs.of_original(reader, original.id))
    looked = fires.readers(reader, (one.id for one in fires.of_original(reader, original.id)))
    told = handoffs.readers_of(reader, original.id)
    learnt = (
        burst.run_id
        for burst in _bursts(reader, original)
        if burst.after < original.id <= burst.until
    )
    return frozenset(filter(None, (*given, *looked, *told, *learnt)))


def forget(tx: Tx, original: Original, read: Iterable[int], *, now_us: int) -> None:
    """Drop a message's words wherever they were put; runs under way drop theirs at their end."""
    inputs.SHELF.blank(tx, (one.id for one in inputs.of_original(tx, original.id)), now_us=now_us)
    handoffs.forget(tx, original.id)
    waits.forget(tx, original.id)
    drop_traces(tx, runs.ended_of(tx, read), now_us=now_us)


def rests_on_gone(reader: Reader, run: Run) -> bool:
    """Whether something that a run was given was taken back or erased since."""
    taken = inputs.of_run(reader, run.id)
    if run.role == "memory" and taken:
        since = to_us(run.started_at or run.created_at)
        return originals.recalled_since(reader, int(taken[-1].metadata["session"]), since)
    given = [one.original_id for one in taken]
    if run.role == "agency":
        given += (one.original_id for one in fires.of_run(reader, run.id))
    found = originals.find_many(reader, [id for id in given if id is not None])
    return any(one.recalled for one in found)


def drop_traces(tx: Tx, ended: Iterable[int], *, now_us: int) -> None:
    """Drop what runs thought and looked up."""
    ids = list(ended)
    traces.STEPS.blank(tx, ids, now_us=now_us)
    runs.SHELF.blank(tx, ids, now_us=now_us)


def _bursts(reader: Reader, original: Original) -> list[inputs.Burst]:
    memory = sessions.named(reader, f"memory:{original.session_id}")
    if memory is None:
        return []
    return inputs.bursts_of(reader, memory.id, limit=LEARNT_LATELY)
