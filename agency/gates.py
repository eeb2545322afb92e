"""The gates a handoff passes, in this order, each leaving a record with its reason.

live agency run? ─► duplicate? ─► sources stand? ─► audience ─► leak guard
                 ─► grade × policy × quota × cool-down ─► quiet hours
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from agency import audience, handoffs, leaks, policy, salience
from agency.audience import Flow
from agency.handoffs import Handoff, State
from agency.hearing import Hearing
from memory import audiences, originals, people, search
from memory.audiences import Audience
from memory.db import Reader, Tx
from memory.moments import from_us, to_us
from memory.originals import Original

PRIVATES = 40  # private originals a text is compared with, those closest in words
OPENS = 80  # open originals in which a shared fragment may have been met
WORDS = 200  # words of a text that are looked for


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


def judge(
    tx: Tx, handoff: Handoff, *, live: bool, known: bool, now: datetime, rules: Rules
) -> Verdict:
    """Put a fresh proposal through every gate.

    `live`: the proposer is a running agency run. `known`: the same subject and state was proposed
    to this session before.
    """
    try:
        _must(tx, handoff, "live run", live, "only a live agency run hands off", now)
        _must(tx, handoff, "duplicate", not known, "the same was handed over before", now)
        earlier = handoffs.relayed(tx, handoff.target_id, handoff.originals)
        told = earlier is not None and earlier.id != handoff.id
        _must(tx, handoff, "duplicate", not told, "all of it was handed over before", now)
        _passed(tx, handoff, "duplicate", now)
        return judge_again(tx, handoff, now=now, rules=rules)
    except _Stop as stop:
        return stop.verdict


def judge_again(tx: Tx, handoff: Handoff, *, now: datetime, rules: Rules) -> Verdict:
    """Put one that waited through the gates that depend on the present."""
    try:
        sources = _standing(tx, handoff, now)
        target = audiences.find(tx, handoff.target_id)
        if target is None:
            raise _Stop(Verdict(state=State.REFUSED, reason="nobody hears that session"))
        hears = Hearing(tx, target, rules.privacy)
        _pass_audience(tx, handoff, sources, hears, now)
        _pass_leaks(tx, handoff, sources, target, hears, now)
        return _pass_policy(tx, handoff, now, rules.speaking)
    except _Stop as stop:
        return stop.verdict


def _standing(tx: Tx, handoff: Handoff, now: datetime) -> list[Original]:
    found = originals.find_many(tx, list(handoff.originals))
    named = bool(found) and len(found) == len(handoff.sources)
    _must(tx, handoff, "sources", named, "it names no known originals", now)
    recalled = any(original.recalled for original in found)
    _must(tx, handoff, "sources", not recalled, "a message it rests on was recalled", now)
    versions = dict(handoff.sources)
    changed = any(original.version != versions[original.id] for original in found)
    _must(tx, handoff, "sources", not changed, "a message it rests on was edited since", now)
    _passed(tx, handoff, "sources", now)
    return found


def _pass_audience(
    tx: Tx, handoff: Handoff, sources: list[Original], hears: Hearing, now: datetime
) -> None:
    flows = {original.id: hears.original(original) for original in sources}
    never = any(flow is Flow.NEVER for flow in flows.values())
    _must(tx, handoff, "audience", not never, "its people could not have heard that", now)
    wanted = [original for original in sources if flows[original.id] is Flow.CONSENT]
    sealed = any(_sealed(original.body) for original in wanted)
    _must(tx, handoff, "audience", not sealed, "it was said in confidence", now)
    if wanted:
        raise _Stop(_asking(tx, handoff, wanted, now))
    _passed(tx, handoff, "audience", now)


def _asking(tx: Tx, handoff: Handoff, wanted: list[Original], now: datetime) -> Verdict:
    asked: dict[tuple[int, int], list[int]] = defaultdict(list)
    for original in wanted:
        if original.person_id is not None:
            asked[original.person_id, original.session_id].append(original.id)
    names = ", ".join(
        found.name for person, _ in asked if (found := people.find(tx, person)) is not None
    )
    reason = f"said in a DM; {names} is asked first"
    handoffs.record_gate(tx, handoff.id, "audience", False, reason, now_us=to_us(now))
    return Verdict(
        state=State.ASKING,
        reason=reason,
        ask=tuple(
            Ask(person_id=person, session_id=session, originals=tuple(ids))
            for (person, session), ids in asked.items()
        ),
    )


def _pass_leaks(
    tx: Tx,
    handoff: Handoff,
    sources: list[Original],
    target: Audience,
    hears: Hearing,
    now: datetime,
) -> None:
    allowed = frozenset(source.id for source in sources)
    found = leak(tx, handoff.body, target=target, hears=hears, allowed=allowed)
    _must(tx, handoff, "leak guard", found is None, "it repeats something said in private", now)
    _passed(tx, handoff, "leak guard", now)


def leak(
    reader: Reader,
    text: str,
    *,
    target: Audience,
    hears: Hearing,
    allowed: frozenset[int] = frozenset(),
) -> str | None:
    """The first thing a text gives away to a room that may not know it; None when there is none.

    `allowed` are originals that may be told there: open ones and those with consent.
    """
    found = search.originals(
        reader,
        text,
        visible=lambda session: not hears(session),
        limit=PRIVATES,
        exclude=allowed,
        words=WORDS,
    )
    # The bot's own words rest on what people said there, and that is compared itself.
    privates = [one.body for one in found if one.kind is not originals.Kind.OUTPUT]
    if not privates:
        return None
    opens = search.originals(reader, text, visible=hears, limit=OPENS, words=WORDS)
    known = [original.body for original in [*opens, *originals.find_many(reader, sorted(allowed))]]
    names = [person.name for id in target.members if (person := people.find(reader, id))]
    met = "\n".join(leaks.squeeze(body) for body in [*known, *names, target.title])
    return leaks.leaked(text, privates, lambda piece: leaks.squeeze(piece) in met)


def _pass_policy(tx: Tx, handoff: Handoff, now: datetime, settings: policy.Settings) -> Verdict:
    since = to_us(policy.day_start(now, settings))
    today, last = handoffs.told_since(tx, handoff.target_id, since_us=since)
    answer = policy.decide(
        handoff.grade,
        today=today,
        last=from_us(last) if last is not None else None,
        now=now,
        settings=settings,
    )
    handoffs.record_gate(tx, handoff.id, answer.gate, answer.go, answer.reason, now_us=to_us(now))
    if answer.go:
        return Verdict(state=State.ADMITTED, reason="every gate passed")
    if answer.not_before is None:
        return Verdict(state=State.SILENT, reason=answer.reason)
    if answer.not_before >= handoff.expires_at:
        return Verdict(state=State.SILENT, reason=f"{answer.reason}; its time passes first")
    return Verdict(state=State.HELD, reason=answer.reason, not_before=answer.not_before)


def _sealed(text: str) -> bool:
    """Its author asked to keep it, or it is nobody else's business: not even consent is asked."""
    kinds = {signal.kind for signal in salience.read(text)}
    return bool(kinds & {salience.Kind.PRIVATE, salience.Kind.PERSONAL})


def _must(tx: Tx, handoff: Handoff, gate: str, holds: bool, reason: str, now: datetime) -> None:
    if holds:
        return
    handoffs.record_gate(tx, handoff.id, gate, False, reason, now_us=to_us(now))
    raise _Stop(Verdict(state=State.REFUSED, reason=reason))


def _passed(tx: Tx, handoff: Handoff, gate: str, now: datetime) -> None:
    handoffs.record_gate(tx, handoff.id, gate, True, "", now_us=to_us(now))
