"""Why something was said: the chain from the originals to the letter, step by step.

original ─► fire ─► agency run ─► handoff and its gates ─► consent ─► run ─► delivery
"""

from collections.abc import Iterator
from datetime import datetime

from agency import consents, fires, handoffs
from agency.handoffs import Handoff
from agency.hearing import Hearing
from bot import inputs, letters, rows, runs, texts
from bot.letters import Letter
from bot.rows import Rooms, Row
from bot.runs import Run
from memory import originals
from memory.db import Reader
from memory.originals import Original


def rows_of(reader: Reader, original: int, *, hears: Hearing | None) -> list[Row]:
    """The chain of something the bot said, first cause first.

    Words the reader may not hear are replaced; `hears` None shows everything. Empty when the
    original is not the bot's own.
    """
    letter = letters.of_original(reader, original)
    if letter is None or letter.run_id is None:
        return []
    run = runs.get(reader, letter.run_id)
    told = handoffs.of_run(reader, run.id)
    chain = [row for handoff in told for row in _handoff_rows(reader, handoff, hears)]
    if not told:
        chain.extend(_asked_rows(reader, run, hears))
    return [*chain, _run_row(run), _letter_row(reader, letter)]


def _handoff_rows(reader: Reader, handoff: Handoff, hears: Hearing | None) -> Iterator[Row]:
    rooms = Rooms(reader)
    for original in rooms.sources(handoff.originals):
        yield _original_row(rooms, original, hears)
        for fire in fires.of_original(reader, original.id):
            if fire.agency_run_id == handoff.agency_run_id:
                yield _row("fire", f"f{fire.id}", fire.created_at, fire.kind.value)
    agency = runs.get(reader, handoff.agency_run_id)
    moment = agency.finished_at or agency.started_at or agency.created_at
    yield _row("agency run", f"r{agency.id}", moment, agency.reason or "connected what was said")
    subject = f"{handoff.subject}: {handoff.subject_state}"
    yield _row(
        "handoff",
        f"h{handoff.id}",
        handoff.created_at,
        f"{subject} → {rooms.title(handoff.target_id)}",
    ) | {"verdict": handoff.state.value, "gates": _gates(reader, handoff)}
    for consent in consents.of_handoff(reader, handoff.id):
        who = rooms.person(consent.person_id)
        yield _row("consent", f"c{consent.id}", consent.asked_at, f"{who}: {consent.state.value}")


def _gates(reader: Reader, handoff: Handoff) -> list[Row]:
    return [
        {"gate": one.gate, "passed": one.passed, "reason": one.reason, "at": rows.at(one.at)}
        for one in handoffs.gate_records(reader, handoff.id)
    ]


def _asked_rows(reader: Reader, run: Run, hears: Hearing | None) -> Iterator[Row]:
    rooms = Rooms(reader)
    for given in inputs.of_run(reader, run.id):
        original = originals.find(reader, given.original_id) if given.original_id else None
        if original is not None:
            yield _original_row(rooms, original, hears)
        yield _row("input", f"i{given.id}", given.created_at, given.trigger.value)


def _original_row(rooms: Rooms, original: Original, hears: Hearing | None) -> Row:
    # A consent covers what was asked, not all the words it was drawn from.
    heard = hears is None or hears(original.session_id)
    row = _row("original", f"o{original.id}", original.said_at, original.body)
    if not heard:
        hidden = texts.private(texts.language(original.body))
        return row | {"text": hidden, "private": True}
    return row | {"from": rows.name(original.author), "room": rooms.title(original.session_id)}


def _run_row(run: Run) -> Row:
    moment = run.finished_at or run.started_at or run.created_at
    return _row("run", f"r{run.id}", moment, f"{run.role}: {run.outcome or run.state.value}")


def _letter_row(reader: Reader, letter: Letter) -> Row:
    title = Rooms(reader).title(letter.session_id)
    row = _row("delivery", f"l{letter.id}", letter.settled_at or letter.created_at, letter.body)
    return row | {"state": letter.state.value, "room": title}


def _row(step: str, id: str, moment: datetime, text: str) -> Row:
    return {"step": step, "id": id, "at": rows.at(moment), "text": text}
