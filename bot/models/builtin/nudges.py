"""One handoff for each room that needs one, completed with what else bears on the matter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agency import salience, subjects
from agency.salience import Kind
from bot.models.builtin import claims, plain_words, questions, telling, ties, wording
from bot.models.builtin.claims import Claim
from bot.models.builtin.context import Row
from bot.models.builtin.needs import Need, Why
from bot.models.builtin.world import Remark, Room, World

_KINDS = {
    Why.STALE: "decision", Why.UNBLOCKED: "context", Why.RISK: "risk", Why.ANSWER: "answer",
    Why.DUPLICATE: "context", Why.AWAY: "context", Why.DEADLINE: "context",
    Why.PROMISED: "reminder", Why.MORE: "risk",
}  # fmt: skip
_SURE = {Why.STALE: 0.9, Why.UNBLOCKED: 0.85, Why.RISK: 0.8, Why.ANSWER: 0.8, Why.PROMISED: 0.8}
_OPEN = (Kind.RISK, Kind.QUESTION)
_COMPLETING = (Kind.OWNER, Kind.DEADLINE, *_OPEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge:
    """A handoff to be submitted."""

    need: Need
    sources: tuple[Remark, ...]
    arguments: Row


def compose(world: World, found: Sequence[Need], made: list[Claim]) -> list[Nudge]:
    """Handoffs for the needs: one for each room, then private promises in handoffs of their own."""
    chosen: dict[str, list[Need]] = {}
    for need in found:
        if not _told(need, world):
            chosen.setdefault(need.target.session, []).append(need)
    nudges = [
        _nudge(matter, world, made) for group in chosen.values() for matter in _matters(group)
    ]
    nudges += [_nudge(group, world, made) for group in _more(world, made, chosen)]
    return [*nudges, *_private(world, nudges)]


def _matters(group: list[Need]) -> Iterator[list[Need]]:
    """The needs of one room by matter, the most urgent of each first."""
    left = list(group)
    while left:
        first = left[0]
        same = [n for n in left if n.there.id == first.there.id or _joins(first, n)]
        yield same
        left = [n for n in left if n not in same]


def _told(need: Need, world: World) -> bool:
    """Whether this room was handed the same before."""
    state = state_of(need)
    for row in world.handoffs:
        if str(row.get("target")) != need.target.session:
            continue
        if need.there.id in (row.get("sources") or ()):
            return True
        about = subjects.terms(f"{row.get('subject', '')} {row.get('text', '')}")
        same = str(row.get("state", "")).lower() == state.lower()
        if same and subjects.link(about, need.topic).shared > 0:
            return True
    return False


def state_of(need: Need) -> str:
    """The newest value of the matter, in a word or two."""
    if need.claim:
        return need.claim.new or f"no {need.claim.old}"
    owner = need.there.first(Kind.OWNER)
    if need.why is Why.ANSWER and owner and owner.who:
        return owner.who
    if need.there.times:
        return need.there.times[0].text
    news = {t: w for t, w in need.there.terms.items() if need.here and t not in need.here.terms}
    if news and max(news.values()) >= 1.5:
        return max(news, key=lambda t: news[t])
    return {Why.UNBLOCKED: "done", Why.PROMISED: "overdue"}.get(need.why, need.why.value)


def _nudge(group: list[Need], world: World, made: list[Claim]) -> Nudge:
    need = group[0]
    zh = world.chinese(need.target)
    extra = list({n.there.id: n.there for n in group[1:]}.values())
    extra += [r for r in _completing(need, world, made) if r not in extra]
    sources = (need.there, *(r for r in extra if r.id != need.there.id))
    subject = _subject(need)
    spoken = telling.speak(
        "clash" if _clash(need, made) else _wording(need),
        [_source(r) for r in sources],
        subject=subject,
        now=world.now,
        zh=zh,
    )
    return Nudge(need=need, sources=sources, arguments={
        "session": need.target.session,
        "text": "\n".join([spoken, *_reason(need, zh)]),
        "kind": "conflict" if _clash(need, made) else _KINDS[need.why],
        "subject": subject,
        "state": state_of(need),
        "grade": "major" if need.major else "minor",
        "confidence": _SURE.get(need.why, 0.7),
        "sources": [id for r in sources for id in r.sources],
        "people": [need.here.person] if need.here and need.here.person else [],
        "tags": [need.why.value.replace(" ", "-")],
        "expires_in_hours": 24,
    })  # fmt: skip


def _clash(need: Need, made: list[Claim]) -> bool:
    """Whether the room decided the same matter itself, and differently."""
    here = need.here
    own = next((c for c in made if here and c.remark.id == here.id), None)
    return bool(need.claim and own and claims.rivals(need.claim, own))


def _wording(need: Need) -> str:
    if need.why is Why.RISK:
        return "risk" if need.major else "date"
    if need.why is Why.AWAY:
        return "away_self" if need.target.direct else "away_room"
    if need.why is Why.PROMISED:
        return "remind_self" if need.target.direct else "remind_here"
    return {
        Why.STALE: "lead", Why.UNBLOCKED: "unblocked", Why.ANSWER: "answer",
        Why.DUPLICATE: "duplicate", Why.DEADLINE: "deadline",
    }.get(need.why, "more")  # fmt: skip


def _reason(need: Need, zh: bool) -> list[str]:
    lines: list[str] = []
    here = need.here
    if here and not here.room.direct:
        lines.append(wording.text(
            "why_now", zh, target=need.target.title, here=telling.retold(here.text), who=here.who
        ))  # fmt: skip
    return [*lines, wording.text("suggest", zh, sure=_SURE.get(need.why, 0.7))]


def _subject(need: Need) -> str:
    named = telling.subject_phrase(need.there.text) if need.claim else ""
    return named or telling.subject_words(_common(need), (need.here or need.there).text)


def _common(need: Need) -> dict[str, float]:
    shared = need.topic
    if need.claim:
        values = subjects.terms(need.claim.new) | subjects.terms(need.claim.old)
        return {t: w for t, w in shared.items() if t not in values} or shared
    return shared


def _source(remark: Remark) -> telling.Source:
    return telling.Source(
        id=remark.id, room=remark.room.title, who=remark.who, at=remark.at, text=remark.text
    )


def _joins(first: Need, other: Need) -> bool:
    """A second need of the same room goes into the same message if it is the same matter."""
    return subjects.link(first.topic, other.there.terms).shared >= 1.0


def _completing(need: Need, world: World, made: list[Claim]) -> list[Remark]:
    """The newest owner or date, and open risks or questions, of the same matter."""
    if need.target.direct or need.why in (Why.PROMISED, Why.AWAY, Why.DEADLINE):
        return []
    stale = {c.remark.id for c in made if c.replaced}
    facts: list[Remark] = []
    risks: list[Remark] = []
    for remark in reversed(world.remarks):
        if remark.id in stale or remark.id == need.there.id or not _bears(remark, need, world):
            continue
        if remark.has(*_OPEN) or _troubles(remark, need):
            risks.append(remark)
        elif not facts or (not any(f.has(Kind.OWNER) for f in facts) and remark.has(Kind.OWNER)):
            facts.append(remark)
    return [*facts[:2], *risks[:2]]


def _bears(remark: Remark, need: Need, world: World) -> bool:
    if remark.me or remark.idle or not remark.shareable:
        return False
    if not (remark.has(*_COMPLETING) or _troubles(remark, need)):
        return False
    if ties.taken_back(remark, world) or ties.bygone(remark):
        return False
    if remark.room.session == need.target.session or (
        need.target.members and (need.target.members <= remark.room.members)
    ):
        return False
    there = need.there
    before = remark.room.session == there.room.session and remark.at <= there.at
    if before and there.has(Kind.CORRECTION, Kind.REVERSAL):
        return False  # weighed where the matter was settled
    if _troubles(remark, need):
        return not ties.heard(need.target, remark, world)
    tie = subjects.link(need.topic, remark.terms)
    wide = need.why is Why.STALE
    if not (tie.near or (wide and tie.shared >= 1.0)):
        return False
    if remark.has(*_OPEN) and (
        questions.closed(remark, world) or _same_room_question(remark, need)
    ):
        return False
    return not ties.heard(need.target, remark, world)


def _troubles(remark: Remark, need: Need) -> bool:
    """Whether something is wrong with the very value that is news."""
    here = need.here.terms if need.here else {}
    news = need.claim.fresh_terms if need.claim else need.there.terms
    both = (t for t in remark.terms if t in news and t not in here)
    named = sum(max(remark.terms[t], news[t]) for t in both)
    return named >= 1.0 and bool(plain_words.TROUBLE.search(remark.text))


def _same_room_question(remark: Remark, need: Need) -> bool:
    """A plain question says nothing to another room unless it holds the matter open."""
    return not remark.has(Kind.RISK) and not questions.holds_open(remark) and bool(need)


def _more(world: World, made: list[Claim], chosen: dict[str, list[Need]]) -> Iterator[list[Need]]:
    """New owners, dates, risks or open questions on something a room was told before."""
    for row in world.handoffs:
        room = world.rooms.get(str(row.get("target")))
        if (
            room is None
            or room.direct
            or row.get("kind", "decision") not in ("decision", "conflict")
        ):
            continue
        if room.session in chosen or str(row.get("verdict")) in ("refused", "silent"):
            continue
        need = _earlier(row, room, world, made)
        news = [r for r in world.remarks if need and _adds(r, need, world)]
        if need is None or not news:
            continue
        chosen[room.session] = []
        news.sort(key=lambda r: r.has(*_OPEN))  # what is settled first, then what is not
        yield [
            Need(why=Why.MORE, target=room, here=need.here, there=r, major=r.has(*_OPEN))
            for r in news[:3]
        ]


def _adds(remark: Remark, need: Need, world: World) -> bool:
    """Whether a message just heard completes what a room was told."""
    if not remark.fresh or not _bears(remark, need, world):
        return False
    if remark.has(Kind.DECISION, Kind.CHANGE) and not remark.has(Kind.OWNER):
        return False  # a decision is weighed for itself
    return not _handed(remark, need.target, world)


def _earlier(row: Row, room: Room, world: World, made: list[Claim]) -> Need | None:
    ids = set(row.get("sources") or ())
    claim = next((c for c in made if c.remark.id in ids and not c.replaced), None)
    source = next((r for r in world.remarks if r.id in ids), None)
    here = next((r for r in reversed(world.within(room)) if not r.me and r.has(Kind.PLAN)), None)
    if source is None or here is None:
        return None
    return Need(why=Why.STALE, target=room, here=here, there=source, claim=claim)


def _handed(remark: Remark, room: Room, world: World) -> bool:
    return any(
        str(row.get("target")) == room.session and remark.id in (row.get("sources") or ())
        for row in world.handoffs
    )


def _private(world: World, nudges: list[Nudge]) -> Iterator[Nudge]:
    """Promises from direct chats that a room is waiting for: each alone, so that consent is "
    "asked."""
    for said in world.remarks:
        if not said.room.direct or said.me or said.guarded or not said.has(Kind.COMMITMENT):
            continue
        signal = said.first(Kind.COMMITMENT)
        text = telling.third_person(signal.text, said.who) if signal and signal.when else ""
        if not text:
            continue
        target = _waiting_room(said, world, nudges)
        if target and not _handed(said, target, world):
            yield _private_nudge(said, text, target, world)


def _waiting_room(said: Remark, world: World, nudges: list[Nudge]) -> Room | None:
    for nudge in nudges:
        need = nudge.need
        if need.target.direct or need.why not in (Why.STALE, Why.UNBLOCKED, Why.MORE):
            continue
        tie = subjects.link(need.topic, said.terms)
        if tie.near and said.who not in need.target.members:
            return need.target
    if said.fresh:
        for row in world.handoffs:
            room = world.rooms.get(str(row.get("target")))
            about = subjects.terms(f"{row.get('subject', '')} {row.get('state', '')}")
            told = row.get("kind", "decision") == "decision" and row.get("verdict") != "refused"
            outside = room is not None and not room.direct and said.who not in room.members
            if told and outside and subjects.link(about, said.terms).near:
                return room
    return _asking_room(said, world)


def _asking_room(said: Remark, world: World) -> Room | None:
    for asked in world.remarks:
        if asked.room.direct or asked.me or not (asked.fresh or said.fresh):
            continue
        if asked.has(Kind.WAIT, Kind.QUESTION) and questions.waits_for(asked, said, world):
            return asked.room
    return None


def _private_nudge(said: Remark, text: str, target: Room, world: World) -> Nudge:
    subject = telling.subject_words(said.terms, said.text)
    need = Need(why=Why.MORE, target=target, here=None, there=said, major=False)
    when = said.times[0].text if said.times else "promised"
    return Nudge(need=need, sources=(said,), arguments={
        "session": target.session,
        "text": text.rstrip(".。") + ("。" if salience.is_chinese(text) else "."),
        "kind": "commitment",
        "subject": subject,
        "state": when,
        "grade": "minor",
        "confidence": 0.8,
        "sources": list(said.sources),
        "people": [said.person] if said.person else [],
        "tags": ["promise"],
        "expires_in_hours": 48,
    })  # fmt: skip
