"""What reached the agency, what it made of it, and what became of that."""

from collections.abc import Iterator

from agency import consents, fires, handoffs, inbox
from agency.fires import Fire, Kind
from agency.handoffs import Handoff, State
from bot import chains, rows, texts
from bot.engine import runs, traces
from bot.engine.runs import Run
from bot.rows import Row
from bot.views.sight import Sight, cut, hidden
from memory import facts, originals

_LEARNT = 5  # facts named in one row
_PRESSING = 0.7  # the salience from which a fire wakes the agency early
_ADMITTED = frozenset({State.ADMITTED, State.DELIVERED, State.SPOKEN, State.DECLINED})
_ENDED = frozenset({State.SPOKEN, State.DECLINED, State.EXPIRED, State.DROPPED})


def fire_rows(sight: Sight, before: int | None, limit: int) -> list[Row]:
    """The newest fires, newest first."""
    return [_fire(sight, one) for one in fires.latest(sight.reader, limit=limit, before=before)]


def run_rows(sight: Sight, before: int | None, limit: int) -> list[Row]:
    """The newest runs of the agency, newest first."""
    found = runs.latest(sight.reader, limit=limit, role="agency", before=before)
    return [run_row(sight, one) for one in found]


def handoff_rows(sight: Sight, before: int | None, limit: int) -> list[Row]:
    """The newest handoffs, newest first."""
    found = handoffs.latest(sight.reader, limit=limit, before=before)
    return [_handoff(sight, one) for one in found]


def _fire(sight: Sight, fire: Fire) -> Row:
    row: Row = {
        "id": f"f{fire.id}",
        "kind": fire.kind.value,
        "state": fire.state.value,
        "at": rows.at(fire.created_at),
        "private": False,
    }
    if fire.agency_run_id is not None:
        row["run"] = f"r{fire.agency_run_id}"
    if not _may_show(sight, fire):
        return hidden(row)
    original = originals.find(sight.reader, fire.original_id) if fire.original_id else None
    row |= {"room": sight.rooms.called(fire.session_id), "text": fire_text(sight, fire)}
    if fire.kind in (Kind.MESSAGE, Kind.OUTPUT):
        row["score"] = round(fire.salience, 2)
    if original is not None:
        row["from"] = rows.name(original.author)
    return row


def _may_show(sight: Sight, fire: Fire) -> bool:
    if fire.kind is Kind.HEARTBEAT:
        return True
    if fire.kind is Kind.INTENTION:
        return sight.everything  # the agency's own words, which may rest on anything
    if fire.kind is Kind.REPORT:
        id = fire.payload.get("handoff")
        return sight.everything or (id is not None and sight.reads(handoffs.get(sight.reader, id)))
    return sight.sees(fire.session_id)


def fire_text(sight: Sight, fire: Fire) -> str:
    """A fire in words; the caller has made sure that they may be shown."""
    if fire.kind is Kind.MEMORY and fire.run_id is not None:
        learnt = facts.of_run(sight.reader, fire.run_id)
        return cut("\n".join(f"{one.kind}: {one.body}" for one in learnt[:_LEARNT]))
    if fire.kind is Kind.REPORT and "handoff" in fire.payload:
        outcome, reason = fire.payload.get("outcome", ""), fire.payload.get("reason", "")
        return cut(f"h{fire.payload['handoff']} {outcome}" + (f": {reason}" if reason else ""))
    if "text" in fire.payload:
        return cut(str(fire.payload["text"]))
    original = originals.find(sight.reader, fire.original_id) if fire.original_id else None
    return cut(original.body) if original else ""


def run_row(sight: Sight, run: Run) -> Row:
    """One run of an inner role; its private words are for the operator."""
    tally = fires.tally(sight.reader, run.id)
    totals = traces.totals(sight.reader, run.id)
    seen = fires.sessions_of_run(sight.reader, run.id)
    row: Row = {
        "id": f"r{run.id}",
        "role": run.role,
        "state": run.state.value,
        "at": rows.at(run.started_at or run.created_at),
        "ended_at": rows.at(run.finished_at) if run.finished_at else None,
        "trigger": _trigger(tally),
        "fires": sum(one.count for one in tally),
        "steps": totals.answers,
        "tokens_in": totals.input_tokens,
        "tokens_out": totals.output_tokens,
        "private": not all(one is None or sight.sees(one) for one in seen),
    }
    own = (run.reason, run.error) if sight.everything else ()
    row["summary"] = cut("\n".join([*_handed(sight, run), *filter(None, own)]))
    return row


def _handed(sight: Sight, run: Run) -> Iterator[str]:
    for handoff in handoffs.by_agency_run(sight.reader, run.id):
        if sight.reads(handoff):
            room = sight.rooms.called(handoff.target_id)
            yield f"h{handoff.id} → {room}: {handoff.subject}, {handoff.state.value}"


def _trigger(tally: list[fires.Tally]) -> str:
    kinds = {one.kind for one in tally}
    if kinds and kinds <= {Kind.HEARTBEAT}:
        return "heartbeat"
    if Kind.INTENTION in kinds:
        return "intention"
    if any(one.salience >= _PRESSING for one in tally):
        return "early"
    return "quiet" if tally else ""


def _handoff(sight: Sight, handoff: Handoff) -> Row:
    row: Row = {
        "id": f"h{handoff.id}",
        "at": rows.at(handoff.created_at),
        "verdict": _verdict(sight, handoff),
        "outcome": handoff.state.value if handoff.state in _ENDED else "",
        "run": f"r{handoff.agency_run_id}",
        "private": False,
    }
    if not sight.reads(handoff):
        return hidden(row)
    sources = [_source(sight, one) for one in sight.rooms.sources(handoff.originals)]
    candid = not any(source["private"] for source in sources)
    ended = bool(row["outcome"])
    return row | {
        "room": sight.rooms.called(handoff.target_id),
        "subject": ": ".join(part for part in (handoff.subject, handoff.subject_state) if part),
        "kind": handoff.kind,
        "grade": handoff.grade.value,
        "confidence": handoff.confidence,
        "text": cut(handoff.body),
        "reason": handoff.reason if candid and not ended else "",
        "outcome_text": handoff.reason if candid and ended else "",
        "gates": chains.gate_rows(
            sight.reader, handoff.id, reasons=candid, lang=texts.language(handoff.body)
        ),
        "deliver_at": rows.at(handoff.not_before) if handoff.not_before else None,
        "expires_at": None if ended else rows.at(handoff.expires_at),
        "sources": sources,
    }


def _verdict(sight: Sight, handoff: Handoff) -> str:
    """What the gates decided first, for those that have moved on since."""
    kept = inbox.of_cause(sight.reader, f"handoff:{handoff.id}")
    if handoff.input_id is None and any(one.kind is inbox.Kind.DIGEST for one in kept):
        return State.DIGEST.value
    if handoff.state in _ADMITTED or (handoff.state in _ENDED and handoff.input_id is not None):
        return State.ADMITTED.value
    if handoff.state in (State.DROPPED, State.EXPIRED):
        asked = consents.of_handoff(sight.reader, handoff.id)
        return State.ASKING.value if asked else State.HELD.value
    if handoff.state is State.REFUSED:
        last = handoffs.gate_records(sight.reader, handoff.id)[-1:]
        if last and last[0].gate == "duplicate":
            return "duplicate"
    return handoff.state.value


def _source(sight: Sight, original: originals.Original) -> Row:
    row: Row = {
        "id": f"o{original.id}",
        "at": rows.at(original.said_at),
        "private": False,
    }
    if not sight.sees(original.session_id):
        return hidden(row)
    return row | {
        "room": sight.rooms.called(original.session_id),
        "from": rows.name(original.author),
        "text": cut(original.body),
    }
