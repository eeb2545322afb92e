"""Why something was said: the chain from the originals to the letter, step by step.

original ─► fire ─► agency run ─► handoff and its gates ─► consent, approval ─► run ─► delivery
                                                        └► inbox ─► digest ─► delivery
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from agency import approvals, audience, consents, fires, handoffs, inbox, leaks, schedules
from agency.approvals import Approval
from agency.consents import Consent
from agency.handoffs import Handoff
from agency.hearing import Hearing
from agency.knowing import Knows, may_read
from bot import rows, texts
from bot.engine import inputs, letters, runs
from bot.engine.inputs import Input, Trigger
from bot.engine.letters import Letter
from bot.engine.runs import Run
from bot.reasons import told
from bot.rows import Rooms, Row
from bot.texts import Language
from memory import audiences, erasing, files, originals, search
from memory.db import Reader
from memory.originals import Original

ALIKE = 12  # earlier messages whose words are compared with an answer
ENCLOSED = 50_000  # signs of a message's files that are compared with an answer
QUOTED = 3  # of them shown as what the answer rests on, those with most of its words


@dataclass(frozen=True, slots=True)
class _View:
    """What is told to whom, in which language."""

    reader: Reader
    rooms: Rooms
    knows: Knows | None
    lang: Language

    def sees(self, session: int) -> bool:
        return self.knows is None or self.knows(session)


def rows_of(reader: Reader, original: int, *, hears: Knows | None) -> list[Row]:
    """The chain of something the bot said, first cause first.

    Words the reader may not hear are replaced; `hears` None shows everything. Empty when the
    original is not the bot's own.
    """
    letter = letters.of_original(reader, original)
    return of_letter(reader, letter, hears=hears) if letter is not None else []


def of_letter(reader: Reader, letter: Letter, *, hears: Knows | None) -> list[Row]:
    """The chain of a letter; see `rows_of`."""
    spoken = letter.body.partition("\n")[0] if letter.run_id is None else letter.body
    view = _View(reader, Rooms(reader), hears, texts.language(spoken))
    if letter.run_id is None:
        return [*_about(view, letter), *_told(view, letter), _letter_row(view, letter)]
    run = runs.get(reader, letter.run_id)
    given = inputs.of_run(reader, run.id)
    chain: list[Row] = []
    for handoff in handoffs.of_run(reader, run.id):
        chain.extend(_handoff(view, handoff))
        chain.extend(_consent_row(view, one) for one in consents.of_handoff(reader, handoff.id))
    questions = [
        consents.get(reader, one.metadata["consent"])
        for one in given
        if one.trigger is Trigger.CONSENT_REQUEST
    ]
    for question in questions:
        chain.extend(_handoff(view, handoffs.get(reader, question.handoff_id)))
    for task in (one for one in given if one.trigger is Trigger.SCHEDULE):
        chain.extend(_schedule(view, task.metadata["schedule"]))
    if asked := [one for one in given if one.trigger is Trigger.MESSAGE]:
        chain.extend(_question(view, letter, asked))
    chain.extend(_approval_row(view, one) for one in approvals.of_run(reader, run.id))
    said = [_run_row(view, run, given), _letter_row(view, letter)]
    return [*chain, *said, *(_consent_row(view, question) for question in questions)]


def _about(view: _View, letter: Letter) -> Iterator[Row]:
    """What led to a letter that no run wrote."""
    kind, _, id = letter.about.partition(":")
    if kind == "consent" and (question := consents.find(view.reader, int(id))):
        yield from _handoff(view, handoffs.get(view.reader, question.handoff_id))
        yield _consent_row(view, question)
    elif kind == "handoff":
        yield from _handoff(view, handoffs.get(view.reader, int(id)))
    elif kind == "schedule":
        yield from _schedule(view, int(id))
    elif kind == "approval" and (wanted := approvals.find(view.reader, int(id))):
        for given in inputs.of_run(view.reader, wanted.run_id):
            asked = originals.find(view.reader, given.original_id) if given.original_id else None
            if asked is not None:
                yield _original_row(view, asked)
        yield _approval_row(view, wanted)


def _schedule(view: _View, id: int) -> Iterator[Row]:
    """Who asked for something at a time, in which words."""
    found = schedules.find(view.reader, id)
    if found is None:
        return
    asked = originals.find(view.reader, found.original_id) if found.original_id else None
    if asked is not None:
        yield _original_row(view, asked)
    text = texts.step("schedule", view.lang, who=view.rooms.person(found.owner_id))
    yield _row("schedule", f"r{found.id}", found.created_at, text) | {"state": found.state.value}


def _told(view: _View, letter: Letter) -> Iterator[Row]:
    """What led to each line of a digest; a piece of a long one tells of all of it."""
    for entry in inbox.told_in(view.reader, letter.key.partition("~")[0]):
        handoff = entry.caused_by("handoff")
        if handoff is not None:
            yield from _handoff(view, handoffs.get(view.reader, handoff))
            found = consents.of_handoff(view.reader, handoff)
            yield from (_consent_row(view, one) for one in found)
        else:
            for original in view.rooms.sources(entry.originals):
                yield _original_row(view, original)
        if entry.kind is inbox.Kind.DIGEST:
            text = texts.step("inbox", view.lang)
            yield _row("inbox", f"e{entry.id}", entry.created_at, text)


def _approval_row(view: _View, approval: Approval) -> Row:
    may = approvals.approvers(view.reader, approval.id)
    rooms = {approval.session_id, *(one.session_id for one in may)}
    party = any(view.sees(one) for one in rooms)
    names = [view.rooms.person(approval.answered_by)] if approval.answered_by is not None else []
    names = names or [view.rooms.person(one.person_id) for one in may]
    who = ("、" if view.lang == "zh" else ", ").join(names)
    text = texts.step(
        f"approval {approval.state.value}",
        view.lang,
        who=who if party else texts.step("somebody", view.lang),
        question=approval.question if party else texts.private(view.lang),
    )
    moment = approval.answered_at or approval.asked_at
    return _row("approval", f"a{approval.id}", moment, text) | {"state": approval.state.value}


def _handoff(view: _View, handoff: Handoff) -> Iterator[Row]:
    for original in view.rooms.sources(handoff.originals):
        yield _original_row(view, original, handoff)
        for fire in fires.of_original(view.reader, original.id)[:1]:
            text = texts.step("fire", view.lang, salience=f"{fire.salience:.1f}")
            yield _row("fire", f"f{fire.id}", fire.created_at, text)
    yield _agency_row(view, handoff)
    yield _handoff_row(view, handoff)


def _original_row(view: _View, original: Original, handoff: Handoff | None = None) -> Row:
    # A consent covers what was asked, not all the words it was drawn from.
    id, moment = f"o{original.id}", original.said_at
    if view.sees(original.session_id):
        gone = texts.erased if original.author == erasing.MARK else texts.recalled
        text = original.body or _enclosed(view, original) or gone(view.lang)
        if original.body == originals.NO_LONGER_KEPT:
            text = texts.let_go(view.lang)
        room = view.rooms.called(original.session_id)
        return _row("original", id, moment, text) | {
            "from": rows.name(original.author),
            "room": room,
        }
    told = handoff is not None and consents.agreed(view.reader, original.id, handoff=handoff.id)
    hidden = texts.consented(view.lang) if told else texts.private(view.lang)
    return _row("original", id, moment, hidden) | {"private": True}


def _enclosed(view: _View, original: Original) -> str:
    """What was sent without words."""
    names = (rows.name(one.name) for one in files.of_original(view.reader, original.id))
    return ", ".join(f"[{name}]" for name in names)


def _agency_row(view: _View, handoff: Handoff) -> Row:
    agency = runs.get(view.reader, handoff.agency_run_id)
    moment = agency.finished_at or agency.started_at or agency.created_at
    count = sum(one.count for one in fires.tally(view.reader, agency.id))
    if agency.role == "conversation":
        return _row("run", f"r{agency.id}", moment, texts.step("request", view.lang))
    text = texts.step("agency run", view.lang, count=count)
    if view.knows is None and agency.reason:
        text = f"{text} {agency.reason}"  # its private words may rest on anything
    return _row("agency run", f"r{agency.id}", moment, text)


def _handoff_row(view: _View, handoff: Handoff) -> Row:
    moment = handoff.created_at
    row = _row("handoff", f"h{handoff.id}", moment, "") | {"state": handoff.state.value}
    if not may_read(view.reader, handoff, view.knows):
        return row | {"text": texts.step("handoff hidden", view.lang), "private": True}
    what = ": ".join(part for part in (handoff.subject, handoff.subject_state) if part)
    room = view.rooms.called(handoff.target_id)
    text = texts.step("handoff", view.lang, room=room, what=what)
    sources = view.rooms.sources(handoff.originals)
    open_to_all = all(view.sees(source.session_id) for source in sources)
    return row | {
        "text": text,
        "gates": gate_rows(view.reader, handoff.id, reasons=open_to_all, lang=view.lang),
    }


def gate_rows(reader: Reader, handoff: int, *, reasons: bool, lang: Language = "en") -> list[Row]:
    """What the gates said of a handoff, each once as it was last; `reasons` may name people."""
    last = {one.gate: one for one in handoffs.gate_records(reader, handoff)}
    return [
        {
            "gate": one.gate,
            "passed": one.passed,
            "reason": told(one.reason, lang) if reasons else "",
            "at": rows.at(one.at),
        }
        for one in last.values()
    ]


def _consent_row(view: _View, consent: Consent) -> Row:
    party = view.sees(consent.source_id)
    who = view.rooms.person(consent.person_id) if party else texts.step("author", view.lang)
    known = view.sees(consent.target_id) or party
    room = view.rooms.called(consent.target_id) if known else ""
    text = texts.step(
        f"consent {consent.state.value}",
        view.lang,
        who=who,
        room=room or texts.step("another room", view.lang),
    )
    moment = consent.answered_at or consent.asked_at
    return _row("consent", f"c{consent.id}", moment, text) | {"state": consent.state.value}


def _question(view: _View, letter: Letter, asked: list[Input]) -> Iterator[Row]:
    """What was asked, after the earlier messages whose very words the answer repeats."""
    questions = [
        found
        for one in asked
        if one.original_id is not None
        and (found := originals.find(view.reader, one.original_id)) is not None
    ]
    for original in [*_quoted(view, letter, {one.id for one in questions}), *questions]:
        yield _original_row(view, original)


def _quoted(view: _View, letter: Letter, questions: set[int]) -> list[Original]:
    room = audiences.find(view.reader, letter.session_id)
    if room is None or letter.original_id is None:
        return []
    own = Hearing(view.reader, room, audience.Settings())
    found = search.originals(
        view.reader,
        letter.body,
        visible=lambda session: own(session) and view.sees(session),
        limit=ALIKE,
        exclude=frozenset(questions),
    )
    enclosed = files.words_of(view.reader, (one.id for one in found))
    shared = {
        one.id: sum(
            map(len, leaks.fragments(letter.body, one.body + enclosed.get(one.id, "")[:ENCLOSED]))
        )
        for one in found
        if one.id < letter.original_id and one.kind is not originals.Kind.OUTPUT
    }
    enough = max(1, max(shared.values(), default=0) // 2)
    telling = (id for id in shared if shared[id] >= enough)
    best = sorted(telling, key=lambda id: -shared[id])[:QUOTED]
    return [one for one in sorted(found, key=lambda one: one.id) if one.id in best]


def _run_row(view: _View, run: Run, given: list[Input]) -> Row:
    moment = run.finished_at or run.started_at or run.created_at
    triggers = {one.trigger for one in given}
    for trigger in (Trigger.MESSAGE, Trigger.SCHEDULE, Trigger.CONSENT_REQUEST, Trigger.HANDOFF):
        if trigger in triggers:
            text = texts.step(f"run {trigger.value}", view.lang)
            break
    else:
        text = texts.step("run", view.lang)
    if run.state is runs.State.FAILED:
        text = texts.step("run failed", view.lang)
    return _row("run", f"r{run.id}", moment, text) | {"state": run.outcome or run.state.value}


def _letter_row(view: _View, letter: Letter) -> Row:
    row = _row("delivery", f"l{letter.id}", letter.settled_at or letter.created_at, letter.body)
    row |= {"state": letter.state.value}
    if not view.sees(letter.session_id):
        return row | {"text": texts.private(view.lang), "private": True}
    return row | {"room": view.rooms.called(letter.session_id)}


def _row(step: str, id: str, moment: datetime, text: str) -> Row:
    return {"step": step, "id": id, "at": rows.at(moment), "text": text}
