"""One run from its inputs to its end: what it was given, thought, did and was answered."""

import json
from collections.abc import Iterator
from datetime import datetime

from agency import fires, handoffs
from bot import rows
from bot.engine import inputs, letters, runs, sessions, traces
from bot.engine.inputs import Input, Trigger
from bot.engine.runs import Run
from bot.engine.traces import Step, ToolResult
from bot.models.model import Block
from bot.rows import Row
from bot.views.agency import fire_text, run_row
from bot.views.sight import Sight, cut
from memory import originals

LONGEST = 8000  # signs of one step


def traced(sight: Sight, id: int) -> Row | None:
    """A run and its trace; None when there is none, or none this viewer may know of.

    What a run read and thought may rest on what only its room of that day could hear, so all but
    what was said to it and by it is for the operator.
    """
    try:
        run = runs.get(sight.reader, id)
    except LookupError:
        return None
    session = sessions.find(sight.reader, run.session_id)
    inner = session is None or session.kind is not sessions.Kind.CONVERSATION
    if not inner and not sight.sees(run.session_id):
        return None
    row = run_row(sight, run) | {"room": sight.rooms.called(run.session_id)}
    candid = sight.everything or not inner
    row["private"] = not candid
    return row | {"trace": list(_steps(sight, run, candid))}


def _steps(sight: Sight, run: Run, candid: bool) -> Iterator[Row]:
    steps = traces.steps(sight.reader, run.id)
    results = traces.results(sight.reader, run.id)
    said = _said(sight, run)
    for given in inputs.of_run(sight.reader, run.id):
        shown = candid and _may_show(sight, given)
        row = _step("input", given.created_at, given.trigger.value)
        yield row | (_open(_input_text(sight, given)) if shown else _shut())
    for step in steps:
        yield from _turn(sight, run, step, said)
        yield from (_result(sight, one) for one in results if one.n == step.n)
    if run.error:
        moment = run.finished_at or run.created_at
        yield _step("error", moment, "") | {"ok": False} | _guarded(sight, run.error)


def _may_show(sight: Sight, given: Input) -> bool:
    if given.trigger is not Trigger.HANDOFF:
        return True
    return sight.reads(handoffs.get(sight.reader, given.metadata["handoff"]))


def _input_text(sight: Sight, given: Input) -> str:
    if ids := given.metadata.get("fires"):
        found = (fires.find(sight.reader, id) for id in ids)
        return "\n".join(
            f"f{one.id} {one.kind.value} {sight.rooms.called(one.session_id)}: "
            f"{fire_text(sight, one)}"
            for one in found
            if one is not None
        )
    who = sight.rooms.person(given.person_id) if given.person_id is not None else ""
    return f"{who}: {given.text}" if who else given.text


def _said(sight: Sight, run: Run) -> frozenset[str]:
    """The keys of the letters whose words a run's whole room has really heard."""
    found = letters.of_run(sight.reader, run.id)
    ids = {one.key: one.original_id for one in found if one.original_id is not None}
    said = {key: originals.find(sight.reader, id) for key, id in ids.items()}
    return frozenset(key for key, one in said.items() if one is not None and not one.recalled)


def _turn(sight: Sight, run: Run, step: Step, said: frozenset[str]) -> Iterator[Row]:
    if step.role == "user":
        told = "\n".join(str(block.get("text", "")) for block in step.content)
        yield _step("input", step.started_at, "told") | _guarded(sight, told)
        return
    spent = f"{step.input_tokens} in · {step.output_tokens} out"
    took = (step.finished_at - step.started_at).total_seconds()
    yield _step("model", step.started_at, step.model) | _open(f"{spent} · {took:.1f} s")
    for block in step.content:
        if block.get("type") == "text" and block["text"].strip():
            yield _step("text", step.finished_at, "") | _guarded(sight, block["text"])
        elif block.get("type") == "tool_use":
            heard = letters.key_of(run.id, step.n, block["id"]) in said
            yield _tool(sight, step, block, heard=heard)


def _tool(sight: Sight, step: Step, block: Block, *, heard: bool) -> Row:
    row = _step("tool", step.finished_at, block["name"])
    text = json.dumps(block["input"], ensure_ascii=False, indent=2)
    # What a model wanted to say and was kept from saying was heard by nobody.
    return row | (_open(text) if heard else _guarded(sight, text))


def _result(sight: Sight, result: ToolResult) -> Row:
    row = _step("result", result.finished_at, result.name) | {"ok": not result.failed}
    return row | _guarded(sight, result.body)


def _guarded(sight: Sight, text: str) -> Row:
    return _open(text) if sight.everything else _shut()


def _open(text: str) -> Row:
    return {"text": cut(text, LONGEST), "private": False}


def _shut() -> Row:
    return {"text": "", "private": True}


def _step(step: str, at: datetime, title: str) -> Row:
    return {"step": step, "at": rows.at(at), "title": title, "ok": True}
