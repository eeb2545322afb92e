"""The gates a handoff passes, in this order, each leaving a record with its reason.

live agency run? ─► hops ─► duplicate? ─► sources stand? ─► audience ─► leak guard
                 ─► the decision's own gates; see `agency.policy`
what waited:        still news? ─► sources stand? ─► …
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from agency import audience, cases, consents, handoffs, policy, present
from agency.audience import Flow
from agency.cases import Place
from agency.guard import leaks_of
from agency.handoffs import Handoff, State
from agency.hearing import Hearing
from memory import audiences, originals, people
from memory.audiences import Audience
from memory.db import Reader, Tx
from memory.moments import to_us
from memory.originals import Original

MAX_HOPS = 2  # a handoff caused by what a handoff caused, and no further

MOST_ASKED = 5  # questions for consent that wait on one person at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the operator set."""

    privacy: audience.Settings
    speaking: policy.Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question the verdict depends on."""

    person_id: int
    session_id: int
    """The DM it was said in."""
    originals: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is to become of a handoff."""

    state: State
    reason: str
    not_before: datetime | None = None
    ask: tuple[Ask, ...] = ()


_LEAK = "it repeats something said in private"
_STATES = {
    policy.Outcome.NOW: State.ADMITTED,
    policy.Outcome.AT: State.HELD,
    policy.Outcome.DIGEST: State.DIGEST,
    policy.Outcome.ASK: State.ASKING,
    policy.Outcome.SILENT: State.SILENT,
}


@dataclass(frozen=True, slots=True)
class _Stop(Exception):  # a turn of the road, not an error
    verdict: Verdict


def judge(
    tx: Tx,
    handoff: Handoff,
    *,
    live: bool,
    now: datetime,
    rules: Rules,
    place: Place | None = None,
) -> Verdict:
    """Put a fresh proposal through every gate; `live`: the proposer is a running agency run."""
    gates = _Gates(tx, handoff, now, rules, place)
    return gates.first(live) or gates.present()


def judge_again(
    tx: Tx, handoff: Handoff, *, now: datetime, rules: Rules, place: Place | None = None
) -> Verdict:
    """Put one that waited through the gates that depend on the present."""
    gates = _Gates(tx, handoff, now, rules, place)
    return gates.waited() or gates.present()


def still_heard(reader: Reader, handoff: Handoff, *, rules: Rules) -> bool:
    """Whether the people of its session, as they are by now, may hear what it rests on."""
    target = audiences.find(reader, handoff.target_id)
    if target is None:
        return False
    hears = Hearing(reader, target, rules.privacy)
    return all(
        hears.original(one, handoff=handoff.id) is Flow.FREE
        for one in originals.find_many(reader, list(handoff.originals))
    )


def knows_of(reader: Reader, person: int, session: int) -> bool:
    """Whether somebody may read that there is such a room, and what it is called."""
    room = audiences.find(reader, session)
    return room is not None and (room.open or room.direct or person in room.members)


def overtaken(reader: Reader, handoff: Handoff, *, rules: Rules, place: Place) -> str:
    """Why a handoff that waited is no longer news in its chat; empty while it is."""
    target = audiences.find(reader, handoff.target_id)
    if target is None:
        return ""
    hears = Hearing(reader, target, rules.privacy)
    return present.overtaken(reader, handoff, sessions=place.sessions, hears=hears)


class _Gates:
    """One passage of one handoff."""

    def __init__(
        self, tx: Tx, handoff: Handoff, now: datetime, rules: Rules, place: Place | None
    ) -> None:
        self._tx = tx
        self._handoff = handoff
        self._now = now
        self._rules = rules
        self._place = place or Place.alone(handoff.target_id)

    def first(self, live: bool) -> Verdict | None:
        """The gates of a fresh proposal; None when it passed them."""
        try:
            self._must("live run", live, "only a live agency run hands off")
            near = self._handoff.hop <= MAX_HOPS
            self._must("hops", near, "it came of handoffs alone; that would go round")
            told = self._told_before()
            self._must("duplicate", not told, told)
        except _Stop as stop:
            return stop.verdict
        return None

    def waited(self) -> Verdict | None:
        """The gate of what waited: it is still news; None when it is."""
        why = overtaken(self._tx, self._handoff, rules=self._rules, place=self._place)
        try:
            self._must("still news", not why, why)
        except _Stop as stop:
            return stop.verdict
        return None

    def _told_before(self) -> str:
        # A condition that holds on is the same each time; how often it is told is decided later.
        if self._handoff.lasting:
            return ""
        return cases.told_before(self._tx, self._handoff, self._place)

    def present(self) -> Verdict:
        """The gates that depend on the present."""
        try:
            sources = self._standing()
            target = audiences.find(self._tx, self._handoff.target_id)
            if target is None:
                raise self._refusal("audience", "nobody hears that session")
            hears = Hearing(self._tx, target, self._rules.privacy)
            wanted = self._audience(sources, hears)
            given_away = self._leaks(sources, target, hears)
            if wanted or given_away:
                raise self._asking(wanted, given_away, sources)
            self._must("audience", True)
            self._must("leak guard", True)
            return self._policy(sources)
        except _Stop as stop:
            return stop.verdict

    def _standing(self) -> list[Original]:
        handoff = self._handoff
        found = originals.find_many(self._tx, list(handoff.originals))
        versions = dict(handoff.sources)
        if not found or len(found) != len(versions):
            raise self._refusal("sources", "it names no known originals")
        if any(original.recalled for original in found):
            raise self._refusal("sources", "a message it rests on was recalled")
        changed = any(original.version != versions[original.id] for original in found)
        self._must("sources", not changed, "a message it rests on was edited since")
        return found

    def _audience(self, sources: list[Original], hears: Hearing) -> list[Original]:
        """The sources whose authors are to be asked first."""
        flows = {one.id: hears.original(one, handoff=self._handoff.id) for one in sources}
        if any(flow is Flow.NEVER for flow in flows.values()):
            raise self._refusal("audience", "its people could not have heard that")
        wanted = [one for one in sources if flows[one.id] is Flow.CONSENT]
        # Whoever asks to have something told wants just that to be known.
        request = self._handoff.metadata.get(handoffs.REQUEST)
        if any(consents.sealed(one.body) for one in wanted if one.id != request):
            raise self._refusal("audience", "it was said in confidence")
        if any(consents.declined(self._tx, one.id, self._handoff.target_id) for one in wanted):
            raise self._refusal("audience", "its author does not want it told there")
        return wanted

    def _asking(
        self, wanted: list[Original], given_away: list[Original], sources: list[Original]
    ) -> _Stop:
        """A question to everybody whose private words are wanted, if it may be put to them."""
        gate = "audience" if wanted else "leak guard"
        if not wanted:
            self._must("audience", True)
        asked: dict[int, list[Original]] = defaultdict(list)
        for original in dict.fromkeys((*wanted, *given_away)):
            author = original.person_id or _partner(self._tx, original.session_id)
            if author is None:
                return self._refusal(gate, "nobody can be asked about it")
            asked[author].append(original)
        for author, said in asked.items():
            self._has_room_for_a_question(author)
            self._knows_of_the_room(author)
            self._hears_the_question(said[-1].session_id, sources)
        # A question nobody would hear the answer of is not worth asking.
        if self._decide(sources, consent=True).outcome is policy.Outcome.SILENT:
            return _Stop(self._policy(sources, consent=True))
        people_asked = (people.find(self._tx, person) for person in asked)
        names = ", ".join(person.name for person in people_asked if person is not None)
        repeats = "" if wanted else "it repeats what was "
        reason = f"{repeats}said in a DM; {names} is asked first"
        self._record(gate, False, reason)
        return _Stop(Verdict(state=State.ASKING, reason=reason, ask=tuple(_asks(asked))))

    def _has_room_for_a_question(self, person: int) -> None:
        """Whoever has that many to answer is asked no more; what they ask for themselves goes."""
        if self._handoff.metadata.get(handoffs.REQUEST) is not None:
            return
        if len(consents.waiting_on(self._tx, person)) >= MOST_ASKED:
            raise self._refusal("audience", "who is asked has enough questions to answer already")

    def _knows_of_the_room(self, person: int) -> None:
        """Whoever is asked reads where it would be told: a closed room is nobody else's to know."""
        if not knows_of(self._tx, person, self._handoff.target_id):
            raise self._refusal("audience", "who is asked may not know of that room")

    def _hears_the_question(self, session: int, sources: list[Original]) -> None:
        """Whoever is asked reads the whole text, so they must be free to know all of it."""
        room = audiences.find(self._tx, session)
        if room is None:
            raise self._refusal("audience", "nobody can be asked about it")
        hears = Hearing(self._tx, room, self._rules.privacy)
        if not all(hears(one.session_id) for one in sources):
            raise self._refusal("audience", "who is asked may not know all that it rests on")
        if self._repeated(self._text(), sources, room, hears):
            raise self._refusal("leak guard", _LEAK)

    def _leaks(self, sources: list[Original], target: Audience, hears: Hearing) -> list[Original]:
        """What it repeats of private words without resting on them: their authors are asked."""
        repeated = self._repeated(self._text(), sources, target, hears)
        if not repeated:
            return []
        found = originals.find_many(self._tx, [id for id in repeated if id is not None])
        asked = [one for one in found if hears.flow(one.session_id) is Flow.CONSENT]
        # Whoever is asked is shown its words: that must be all there is to agree to.
        shown = self._repeated(self._handoff.words, sources, target, hears)
        refused = (
            len(asked) < len(repeated)
            or not repeated <= shown
            or any(consents.sealed(one.body) for one in asked)
            or any(consents.declined(self._tx, one.id, target.session_id) for one in asked)
        )
        if refused:
            self._must("audience", True)
            raise self._refusal("leak guard", _LEAK)
        return asked

    def _repeated(
        self,
        text: str,
        sources: list[Original],
        target: Audience,
        hears: Hearing,
        *,
        told_by_turns: bool = True,
    ) -> set[int | None]:
        """The private originals a text repeats that nobody agreed to; None for one unknown."""
        allowed = frozenset(source.id for source in sources)
        found = leaks_of(self._tx, text, target=target, hears=hears, allowed=allowed, now=self._now)
        ids = {one.private.original for one in found}
        return {id for id in ids if id is None or not self._agreed(id)}

    def _agreed(self, original: int) -> bool:
        return consents.agreed(self._tx, original, handoff=self._handoff.id)

    def _text(self) -> str:
        told = self._handoff
        return f"{told.body}\n{told.subject}\n{told.subject_state}"

    def _decide(self, sources: list[Original], *, consent: bool = False) -> policy.Decision:
        case = cases.of(
            self._tx,
            self._handoff,
            sources,
            place=self._place,
            consent=consent,
            now=self._now,
            settings=self._rules.speaking,
        )
        return policy.decide(case)

    def _policy(self, sources: list[Original], *, consent: bool = False) -> Verdict:
        decision = self._decide(sources, consent=consent)
        for answer in decision.answers:
            self._record(answer.gate, answer.go, answer.reason)
        return Verdict(
            state=_STATES[decision.outcome],
            reason=decision.reason,
            not_before=decision.not_before,
        )

    def _must(self, gate: str, holds: bool, reason: str = "") -> None:
        if not holds:
            raise self._refusal(gate, reason)
        self._record(gate, True, "")

    def _refusal(self, gate: str, reason: str) -> _Stop:
        self._record(gate, False, reason)
        return _Stop(Verdict(state=State.REFUSED, reason=reason))

    def _record(self, gate: str, passed: bool, reason: str) -> None:
        now_us = to_us(self._now)
        handoffs.record_gate(self._tx, self._handoff.id, gate, passed, reason, now_us=now_us)


def _asks(asked: dict[int, list[Original]]) -> Iterable[Ask]:
    for person, said in asked.items():
        ids = tuple(original.id for original in said)
        yield Ask(person_id=person, session_id=said[-1].session_id, originals=ids)


def _partner(tx: Tx, session: int) -> int | None:
    """The one person of a DM, who has read what the bot said there."""
    room = audiences.find(tx, session)
    return min(room.members) if room is not None and len(room.members) == 1 else None
