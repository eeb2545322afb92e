"""The gates a handoff passes, in this order, each leaving a record with its reason.

live agency run? ─► hops ─► duplicate? ─► sources stand? ─► audience ─► leak guard
                 ─► policy · grade · pause · quota · cool-down ─► quiet hours
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from agency import audience, consents, handoffs, policy, preferences, salience
from agency.audience import Flow
from agency.guard import leak
from agency.handoffs import Handoff, State
from agency.hearing import Hearing
from memory import audiences, originals, people
from memory.audiences import Audience
from memory.db import Tx
from memory.moments import from_us, to_us
from memory.originals import Original

MAX_HOPS = 2  # a handoff caused by what a handoff caused, and no further


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


@dataclass(frozen=True, slots=True)
class _Stop(Exception):  # a turn of the road, not an error
    verdict: Verdict


def judge(tx: Tx, handoff: Handoff, *, live: bool, now: datetime, rules: Rules) -> Verdict:
    """Put a fresh proposal through every gate; `live`: the proposer is a running agency run."""
    gates = _Gates(tx, handoff, now, rules)
    return gates.first(live) or gates.present()


def judge_again(tx: Tx, handoff: Handoff, *, now: datetime, rules: Rules) -> Verdict:
    """Put one that waited through the gates that depend on the present."""
    return _Gates(tx, handoff, now, rules).present()


class _Gates:
    """One passage of one handoff."""

    def __init__(self, tx: Tx, handoff: Handoff, now: datetime, rules: Rules) -> None:
        self._tx = tx
        self._handoff = handoff
        self._now = now
        self._rules = rules

    def first(self, live: bool) -> Verdict | None:
        """The gates of a fresh proposal; None when it passed them."""
        try:
            self._must("live run", live, "only a live agency run hands off")
            near = self._handoff.hop <= MAX_HOPS
            self._must("hops", near, "it came of handoffs alone; that would go round")
            standing = handoffs.standing(self._tx, self._handoff)
            same = standing is not None and handoffs.same_state(standing, self._handoff)
            told = handoffs.relayed(self._tx, self._handoff) is not None
            reason = "the same was" if same else "all of it was"
            self._must("duplicate", not same and not told, f"{reason} handed over before")
        except _Stop as stop:
            return stop.verdict
        return None

    def present(self) -> Verdict:
        """The gates that depend on the present."""
        try:
            sources = self._standing()
            target = audiences.find(self._tx, self._handoff.target_id)
            if target is None:
                raise self._refusal("audience", "nobody hears that session")
            hears = Hearing(self._tx, target, self._rules.privacy)
            self._audience(sources, hears)
            self._leaks(sources, target, hears)
            self._must("leak guard", True)
            return self._policy()
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

    def _audience(self, sources: list[Original], hears: Hearing) -> None:
        flows = {one.id: hears.original(one, handoff=self._handoff.id) for one in sources}
        if any(flow is Flow.NEVER for flow in flows.values()):
            raise self._refusal("audience", "its people could not have heard that")
        wanted = [one for one in sources if flows[one.id] is Flow.CONSENT]
        if any(_sealed(one.body) for one in wanted):
            raise self._refusal("audience", "it was said in confidence")
        if any(consents.declined(self._tx, one.id, self._handoff.target_id) for one in wanted):
            raise self._refusal("audience", "its author does not want it told there")
        if wanted:
            raise self._asking(wanted, sources)
        self._must("audience", True)

    def _asking(self, wanted: list[Original], sources: list[Original]) -> _Stop:
        """A question to everybody whose private words are wanted, if it may be put to them."""
        asked: dict[int, list[Original]] = defaultdict(list)
        for original in wanted:
            author = original.person_id or _partner(self._tx, original.session_id)
            if author is None:
                return self._refusal("audience", "nobody can be asked about it")
            asked[author].append(original)
        for said in asked.values():
            self._hears_the_question(said[-1].session_id, sources)
        # A question nobody would hear the answer of is not worth asking.
        if (never := self._decide()[-1]) and not never.go and never.not_before is None:
            return _Stop(self._policy())
        people_asked = (people.find(self._tx, person) for person in asked)
        names = ", ".join(person.name for person in people_asked if person is not None)
        reason = f"said in a DM; {names} is asked first"
        self._record("audience", False, reason)
        return _Stop(Verdict(state=State.ASKING, reason=reason, ask=tuple(_asks(asked))))

    def _hears_the_question(self, session: int, sources: list[Original]) -> None:
        """Whoever is asked reads the whole text, so they must be free to know all of it."""
        room = audiences.find(self._tx, session)
        if room is None:
            raise self._refusal("audience", "nobody can be asked about it")
        hears = Hearing(self._tx, room, self._rules.privacy)
        if not all(hears(one.session_id) for one in sources):
            raise self._refusal("audience", "who is asked may not know all that it rests on")
        self._leaks(sources, room, hears)

    def _leaks(self, sources: list[Original], target: Audience, hears: Hearing) -> None:
        allowed = frozenset(source.id for source in sources)
        told = self._handoff
        text = f"{told.body}\n{told.subject}\n{told.subject_state}"
        if leak(self._tx, text, target=target, hears=hears, allowed=allowed):
            raise self._refusal("leak guard", "it repeats something said in private")

    def _decide(self) -> list[policy.Answer]:
        wanted = preferences.of(self._tx, self._handoff.target_id, now=self._now)
        settings = wanted.applied(self._rules.speaking)
        since = to_us(policy.day_start(self._now, settings))
        today, last = handoffs.told_since(self._tx, self._handoff.target_id, since_us=since)
        return policy.decide(
            self._handoff.grade,
            today=today,
            last=from_us(last) if last is not None else None,
            now=self._now,
            settings=settings,
        )

    def _policy(self) -> Verdict:
        answers = self._decide()
        for answer in answers:
            self._record(answer.gate, answer.go, "" if answer.go else answer.reason)
        last = answers[-1]
        if last.go:
            return Verdict(state=State.ADMITTED, reason="every gate passed")
        if last.not_before is None:
            return Verdict(state=State.SILENT, reason=last.reason)
        if last.gate != policy.PAUSE and last.not_before >= self._handoff.expires_at:
            return Verdict(state=State.SILENT, reason=f"{last.reason}; its time passes first")
        # A pause may end at any time: what it holds up waits as long as it is worth telling.
        return Verdict(state=State.HELD, reason=last.reason, not_before=last.not_before)

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


def _sealed(text: str) -> bool:
    """Its author asked to keep it, or it is nobody else's business: not even consent is asked."""
    kinds = {signal.kind for signal in salience.read(text)}
    return bool(kinds & {salience.Kind.PRIVATE, salience.Kind.PERSONAL})
