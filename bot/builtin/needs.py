"""Which room needs to hear what: a remark here that something said elsewhere changes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from agency import concepts, moments, subjects
from agency.salience import Kind
from bot.builtin import claims
from bot.builtin.claims import Claim
from bot.builtin.world import Remark, Room, World

RECENT = timedelta(days=45)


class Why(StrEnum):
    """Why a room needs it; the order is that of urgency."""

    STALE = "stale plan"
    UNBLOCKED = "stale wait"
    RISK = "risk meets deadline"
    ANSWER = "question answered elsewhere"
    DUPLICATE = "duplicate work"
    AWAY = "assigned but away"
    DEADLINE = "deadline that concerns them"
    PROMISED = "promise past its time"
    MORE = "more on what they were told"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing one room should hear."""

    why: Why
    target: Room
    here: Remark | None
    """What was said in the target room."""
    there: Remark
    """What was said elsewhere."""
    claim: Claim | None = None
    major: bool = True

    @property
    def topic(self) -> dict[str, float]:
        """Words that tie further facts to this matter."""
        there = self.claim.terms if self.claim else self.there.terms
        here = self.here.terms if self.here else there
        shared = {t: w for t, w in there.items() if t in here}
        if self.claim:
            shared |= self.claim.fresh_terms | self.claim.old_terms
        return shared or dict(there)


def find(world: World, made: list[Claim]) -> list[Need]:
    """Every need that this wake's messages bring up, the most urgent first."""
    found = [
        *_stale(world, made), *_met(world), *_unblocked(world, made), *_answered(world, made),
        *_duplicates(world), *_away(world), *_expiring(world),
    ]  # fmt: skip
    order = list(Why)
    return sorted(found, key=lambda n: (order.index(n.why), n.there.at), reverse=False)


def _elsewhere(target: Room, source: Remark) -> bool:
    """Whether a room can gain from a remark made in another one."""
    if source.room.session == target.session or source.me or source.idle:
        return False
    if not source.shareable or target.record:
        return False
    # Everyone here sits there too and has read it.
    return not (target.members and target.members <= source.room.members)


def _fits(here: Remark, there: Remark) -> bool:
    return abs(here.at - there.at) <= RECENT and not subjects.contrary(here.terms, there.terms)


def _pairs(
    world: World, here: Callable[[Remark], bool], there: Callable[[Remark], bool]
) -> Iterator[tuple[Remark, Remark]]:
    """Remarks of two rooms of which at least one is news."""
    mine = [r for r in world.remarks if not r.me and not r.idle and here(r)]
    yours = [r for r in world.remarks if not r.me and there(r)]
    for a in mine:
        for b in yours:
            if (a.fresh or b.fresh) and _elsewhere(a.room, b):
                yield a, b


def _stale(world: World, made: list[Claim]) -> Iterator[Need]:
    acting = (
        Kind.PLAN, Kind.COMMITMENT, Kind.START, Kind.WAIT, Kind.QUESTION, Kind.DEADLINE,
        Kind.DECISION, Kind.CHANGE,
    )  # fmt: skip
    for claim in made:
        if claim.replaced or claim.voided:
            continue
        for remark in world.remarks:
            if remark.room.direct or remark.me or remark.idle or not remark.has(*acting):
                continue
            if not (remark.fresh or _news(claim, made)):
                continue
            if not _elsewhere(remark.room, claim.remark):
                continue
            if abs(remark.at - claim.remark.at) > RECENT or not _conflict(claim, remark):
                continue
            if claims.known_in(remark.room, claim, world) or _dropped(remark, world):
                continue
            yield Need(
                why=Why.STALE, target=remark.room, here=remark, there=claim.remark, claim=claim
            )


def _news(claim: Claim, made: list[Claim]) -> bool:
    """Whether the claim, or one it replaced, belongs to this wake."""
    return claim.remark.fresh


def _conflict(claim: Claim, remark: Remark) -> bool:
    if claim.new and claims.means(claim.new, claim.old, remark, claim.remark):
        return False
    newer_claim = remark.has(Kind.DECISION, Kind.CHANGE) and remark.at > claim.remark.at
    tie = subjects.link(claim.terms, remark.terms)
    for old in (claim.old, *claim.stale):
        if old and not moments.find(old):
            words = claims.distinct(old, claim.new)
            hit = sum(w for t, w in words.items() if t in remark.terms)
            if words and hit >= 0.6 * sum(words.values()) and (tie.shared >= 1.9 or hit >= 1.5):
                return True
    if newer_claim:
        return False
    if not claim.new:
        return _cancelled(claim, remark)
    if claim.when:
        return _other_time(claim, remark)
    if _amounts(claim.new):
        return tie.shared >= 1.0 and _other_amount(claim, remark)
    return _other_choice(claim, remark)


def _cancelled(claim: Claim, remark: Remark) -> bool:
    """The remark counts on what was dropped, on the same day where both name one."""
    words = subjects.terms(claim.old)
    hit = {t: w for t, w in words.items() if t in remark.terms}
    if not hit or sum(hit.values()) < 0.6 * sum(words.values()):
        return False
    days = [[d for t in r.times if (d := t.date_from(r.at))] for r in (claim.remark, remark)]
    if days[0] and days[1] and not set(days[0]) & set(days[1]):
        return False
    tie = subjects.link(words, remark.terms)
    return tie.near or len(hit) >= 2


_AMOUNT = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(%|‰|k\b|€|\$|£|元|万|USD|EUR|GB|TB|MB|ms)|([€$£¥])\s*(\d+)", re.I
)


def _amounts(text: str) -> dict[str, str]:
    """Numbers with their unit, by unit."""
    return {(m.group(2) or m.group(3)).lower(): m.group(1) or m.group(4)
            for m in _AMOUNT.finditer(text)}  # fmt: skip


def _other_amount(claim: Claim, remark: Remark) -> bool:
    """The same sort of number, with another value."""
    mine, yours = _amounts(claim.new), _amounts(remark.text)
    return any(unit in yours and yours[unit] != number for unit, number in mine.items())


def _other_time(claim: Claim, remark: Remark) -> bool:
    """The same thing, put at another time."""
    topic = {t: w for t, w in claim.terms.items() if t not in subjects.terms(claim.new)}
    tie = subjects.link(topic, remark.terms)
    if not tie.near or subjects.contrary(topic, remark.terms):
        return False
    if tie.cover < 0.5 or (tie.count < 2 and len(topic) > 1 and len(remark.terms) > 1):
        return False
    return bool(remark.times)


def _other_choice(claim: Claim, remark: Remark) -> bool:
    """The same slot, filled with another member of a set (a database, a place)."""
    chosen = subjects.terms(claim.new)
    for group in concepts.CONTRASTS:
        mine, yours = group & chosen.keys(), group & remark.terms.keys()
        if mine and yours and not mine & yours:
            rest = [
                {t: w for t, w in x.items() if t not in group} for x in (claim.terms, remark.terms)
            ]
            if subjects.link(*rest).shared >= 1.0:
                return True
    return False


def _dropped(remark: Remark, world: World) -> bool:
    """Whether the room itself gave the plan up later."""
    return any(
        later.at > remark.at
        and later.has(Kind.REVERSAL)
        and subjects.link(later.terms, remark.terms).loose
        for later in world.within(remark.room)
    )


def _met(world: World) -> Iterator[Need]:
    """A date here and a risk there that endangers it; each side lacks the other's half."""
    for date, risk in _pairs(world, _binding, lambda r: r.has(Kind.RISK)):
        tie = subjects.link(date.terms, risk.terms)
        if not (tie.strong or tie.count >= 2) or not tie.near or not _fits(date, risk):
            continue
        if not (date.has(Kind.DEADLINE) or tie.strong):
            continue  # a plan for a day counts only when the very thing is named
        if _harmless(date, risk) or _over(risk, world):
            continue
        if not heard(date.room, risk, world) and not _claimed(risk):
            yield Need(why=Why.RISK, target=date.room, here=date, there=risk)
        if risk.has(Kind.CHANGE, Kind.DECISION) or not date.has(Kind.DEADLINE):
            continue
        if _elsewhere(risk.room, date) and not _knows_date(risk, date, world):
            yield Need(why=Why.RISK, target=risk.room, here=risk, there=date, major=False)


def _binding(remark: Remark) -> bool:
    """A date somebody counts on, in a room that can be told."""
    if remark.room.direct or remark.has(Kind.RISK):
        return False
    planned = remark.has(Kind.PLAN, Kind.COMMITMENT, Kind.ASSIGNED) and bool(remark.times)
    deciding = remark.has(Kind.CHANGE) or re.search(r"effective|生效", remark.text, re.I)
    return (remark.has(Kind.DEADLINE) or planned) and not deciding


def _claimed(risk: Remark) -> bool:
    """A change with a new value is told as such, not as a risk."""
    return any(s.kind is Kind.CHANGE and s.new for s in risk.signals)


def _harmless(date: Remark, risk: Remark) -> bool:
    """Whether the risk names a day that is early enough."""
    due = [t.date_from(date.at) for t in date.times]
    late = [t.date_from(risk.at) for t in risk.times]
    days, others = [d for d in due if d], [d for d in late if d]
    return bool(days and others) and max(others) <= max(days)


def _over(risk: Remark, world: World) -> bool:
    return any(
        later.at >= risk.at and later.id != risk.id
        and later.has(Kind.DONE, Kind.RESOLUTION) and not later.has(Kind.RISK)
        and _covers(risk.terms, later.terms | later.room.terms)
        for later in world.remarks
        if not later.me and later.room.open
    )  # fmt: skip


def _knows_date(risk: Remark, date: Remark, world: World) -> bool:
    owners = {s.who for s in date.signals if s.kind is Kind.OWNER} | {date.who}
    if owners & (risk.room.members | {risk.who}):
        return True
    return heard(risk.room, date, world)


def _unblocked(world: World, made: list[Claim]) -> Iterator[Need]:
    old = {c.remark.id for c in made if c.replaced}
    done = (Kind.RESOLUTION, Kind.DONE)
    for wait, news in _pairs(world, lambda r: r.has(Kind.WAIT), lambda r: r.has(*done)):
        if wait.room.direct or news.id in old or not _fits(wait, news):
            continue
        if news.has(Kind.WAIT) or news.at < wait.at - timedelta(days=7):
            continue
        if not _covers(_awaited(wait), news.terms | news.room.terms) or _undone(news, world):
            continue
        if not settled(wait, world) and not heard(wait.room, news, world):
            yield Need(why=Why.UNBLOCKED, target=wait.room, here=wait, there=news)


_AWAITED = re.compile(
    r"(?:wait(?:ing|s)?\s+(?:for|on|until)|(?:blocked|stuck)\s+(?:on|until|by)|until|depend\w*\s+on|"
    r"pending|without|before|once|as soon as|needs?)\s+(.*?)(?:\bbefore\b|\bso\b|\bto (?:start|begin)\b|[,.;]|$)"
    r"|(?:在等|等待|等着|等|依赖|卡在)\s*(.*?)(?:[，。；]|之后|后再|再|才|$)",
    re.I,
)


def _awaited(wait: Remark) -> dict[str, float]:
    for match in _AWAITED.finditer(wait.text):
        words = subjects.terms(match.group(1) or match.group(2) or "", [wait.who])
        known = {t: w for t, w in words.items() if t in wait.terms}
        if known:
            return known
    return wait.terms


def _covers(wanted: dict[str, float], given: dict[str, float]) -> bool:
    """Whether a remark speaks of what is wanted and not only of something near it."""
    hits = [t for t in wanted if t in given]
    if not hits or subjects.contrary(wanted, given):
        return False
    for sort in (_exact, _telling):
        wanted_ids = [t for t, w in wanted.items() if sort(t, w)]
        if wanted_ids and not any(t in given for t in wanted_ids):
            return False
    weight = sum(wanted[t] for t in hits) / sum(wanted.values())
    return weight >= 0.5 and len(hits) * 2 >= len(wanted) and (len(hits) >= 2 or len(wanted) <= 1)


def _exact(term: str, weight: float) -> bool:
    return weight >= 2.5 or (term.isdigit() and len(term) > 1)


def _telling(term: str, weight: float) -> bool:
    return weight >= 2.0


def _undone(news: Remark, world: World) -> bool:
    """Whether what was there is broken or taken back again."""
    return any(
        later.at > news.at
        and later.has(Kind.RISK, Kind.REVERSAL)
        and later.room.session == news.room.session
        and subjects.link(later.terms, news.terms).near
        for later in world.remarks
    )


_SETTLED = re.compile(
    r"\b(?:unblocked|works now|working now|got it|never ?mind|found it|solved|sorted|all good|no longer"
    r" (?:blocked|needed|waiting)|thanks,? (?:that|it)|can continue|moving on|we're good)\b"
    r"|搞定|解决了|通了|好了|可以了|不用了|找到了|解封|不等了|能用了|知道了|不卡了|继续了",
    re.I,
)


def same_matter(a: Remark, b: Remark) -> bool:
    """Whether two remarks are surely about one matter."""
    return subjects.link(a.terms, b.terms).near and not subjects.contrary(a.terms, b.terms)


def settled(open_one: Remark, world: World) -> bool:
    """Whether the room settled its own wait or question."""
    for later in world.within(open_one.room):
        if later.at < open_one.at or later.id == open_one.id or later.me:
            continue
        if later.reply_to == open_one.id and not later.has(Kind.QUESTION):
            return True
        tie = subjects.link(open_one.terms, later.terms)
        closing = bool(_SETTLED.search(later.text))
        if closing and (later.who == open_one.who or tie.shared > 0):
            return True
        if later.has(Kind.DONE, Kind.RESOLUTION, Kind.RELAY) and tie.near:
            return True
    return False


def heard(room: Room, news: Remark, world: World) -> bool:
    """Whether a room already has what is new in a remark."""
    return any(_contains(remark, news) for remark in world.within(room))


def _contains(remark: Remark, news: Remark) -> bool:
    if remark.idle or remark.has(Kind.QUESTION) or not subjects.link(remark.terms, news.terms).near:
        return False
    if news.times:
        return any(claims.same_time(t, news, u, remark) for t in news.times for u in remark.times)
    strong = [t for t, w in news.terms.items() if w >= 2.0]
    if strong:
        return all(t in remark.terms for t in strong) and (
            remark.at >= news.at or remark.has(Kind.RELAY)
        )
    told = remark.me or remark.has(Kind.RELAY, Kind.DONE, Kind.RESOLUTION)
    return told and remark.at >= news.at


def _answered(world: World, made: list[Claim]) -> Iterator[Need]:
    old = {c.remark.id for c in made if c.replaced}
    for asked, said in _pairs(world, _asks, lambda r: not r.has(Kind.WAIT)):
        if said.id in old or said.who == asked.who or not _fits(asked, said):
            continue
        if all(s.kind is Kind.QUESTION for s in said.signals) and said.signals:
            continue
        if not _covers(asked_terms(asked), said.terms | said.room.terms):
            continue
        if not _sure(asked, said):
            continue
        if not informs(asked.text, asked.terms, said) or _replied(asked, said, world):
            continue
        if not heard(asked.room, said, world):
            yield Need(why=Why.ANSWER, target=asked.room, here=asked, there=said, major=False)


def holds_open(remark: Remark) -> bool:
    """A question that keeps a matter open for others too: who approves, who may."""
    return bool(re.search(
        r"\bwho (?:approves?|owns?|signs?|grants?|decides?|is (?:responsible|the owner))|permission|"
        r"谁(?:来)?(?:批|审批|负责|管|拍板|批准|授权)|权限", remark.text, re.I
    ))  # fmt: skip


def closed(remark: Remark, world: World) -> bool:
    """Whether an open risk or question was dealt with since."""
    if remark.has(Kind.QUESTION) and not remark.has(Kind.RISK) and settled(remark, world):
        return True
    return _over(remark, world)


def waits_for(asked: Remark, said: Remark, world: World) -> bool:
    """Whether a room waits for, or asks about, just what was promised."""
    wanted = _awaited(asked) if asked.has(Kind.WAIT) else asked_terms(asked)
    return _covers(wanted, said.terms) and not settled(asked, world)


def _asks(remark: Remark) -> bool:
    return not remark.room.direct and remark.has(Kind.QUESTION) and not remark.has(Kind.ASSIGNED)


def _sure(asked: Remark, said: Remark) -> bool:
    """One everyday word in common is enough only where a name or a date is asked for."""
    tie = subjects.link(asked_terms(asked), said.terms)
    return tie.count >= 2 or tie.strong or bool(PERSON_OR_DATE.search(asked.text))


def asked_terms(asked: Remark) -> dict[str, float]:
    """The words of the question itself, or of the whole message where it has none."""
    parts = [s.text for s in asked.signals if s.kind is Kind.QUESTION]
    words = subjects.terms(" ".join(parts), [asked.who])
    own = {t: w for t, w in words.items() if t in asked.terms}
    return own if sum(own.values()) >= 1.5 else asked.terms


PERSON_OR_DATE = re.compile(
    r"\b(?:who|when|whose)\b(?! knows)|谁(?!知道|清楚|有空)|什么时候|何时|几号|哪天", re.I
)
_YES_NO = re.compile(
    r"^(?:is|are|was|were|did|do|does|has|have|can|will)\b(?! (?:anyone|anybody|someone))|吗|是否|有没有(?!人)",
    re.I,
)


def informs(question: str, wanted: dict[str, float], said: Remark) -> bool:
    """Whether a remark is the sort of thing the question asks for."""
    low = question.lower()
    news = {t for t, w in said.terms.items() if w >= 1.2 and t not in wanted}
    if re.search(r"\bwhen\b|什么时候|何时|几号|哪天|截止", low):
        return bool(said.times)
    if re.search(r"\bhow (?:many|much)\b|多少", low):
        return bool(re.search(r"\d", said.text))
    if re.search(r"\bwho\b(?! knows)|谁(?!知道|清楚|有空|了解)", low):
        return said.has(Kind.OWNER, Kind.ASSIGNED)
    if re.search(r"\b(?:which|where|what)\b|哪|什么", low):
        return bool(news) or "http" in said.text or (bool(said.times) and "time" in low)
    if _YES_NO.search(low):
        return said.has(Kind.DONE, Kind.RESOLUTION, Kind.DECISION, Kind.CHANGE)
    return bool(news) or said.has(Kind.DONE, Kind.DECISION)


def _replied(asked: Remark, said: Remark, world: World) -> bool:
    if settled(asked, world):
        return True
    return any(
        later.at > asked.at and later.who != asked.who and not later.me
        and informs(asked.text, asked.terms, later)
        and subjects.link(asked_terms(asked), later.terms).near
        for later in world.within(asked.room)
    )  # fmt: skip


def _duplicates(world: World) -> Iterator[Need]:
    works = (Kind.START, Kind.DONE)
    for start, other in _pairs(world, lambda r: r.has(Kind.START), lambda r: r.has(*works)):
        if start.room.direct or other.who == start.who or not _fits(start, other):
            continue
        if other.at > start.at and other.has(Kind.START) and not other.has(Kind.DONE):
            continue  # the later starter is told
        if start.who in other.text or not _same_work(start, other):
            continue
        if not settled(start, world) and not heard(start.room, other, world):
            yield Need(why=Why.DUPLICATE, target=start.room, here=start, there=other, major=False)


def _same_work(start: Remark, other: Remark) -> bool:
    verb = start.first(Kind.START)
    words = subjects.terms(verb.text if verb else start.text, [start.who])
    tie = subjects.link(words, other.terms)
    if not (tie.near and (tie.count >= 2 or tie.shared >= 2.0)):
        return False
    return _covers(words, other.terms)


def _away(world: World) -> Iterator[Need]:
    """Somebody was put down for a day on which they cannot."""
    for given in world.remarks:
        signal = given.first(Kind.ASSIGNED)
        if signal is None or given.me or given.room.direct or not given.times:
            continue
        for away in world.remarks:
            if not (given.fresh or away.fresh) or away.who != signal.who or away.me:
                continue
            if not away.has(Kind.UNAVAILABLE) or away.room.session == given.room.session:
                continue
            if not any(
                claims.same_time(t, given, u, away) for t in given.times for u in away.times
            ):
                continue
            if away.room.direct and _theirs(away, given, world):
                yield Need(why=Why.AWAY, target=away.room, here=away, there=given, major=False)
            elif _elsewhere(given.room, away) and not heard(given.room, away, world):
                yield Need(why=Why.AWAY, target=given.room, here=given, there=away, major=False)


def _theirs(away: Remark, given: Remark, world: World) -> bool:
    """Whether the person named is surely the one of this direct chat."""
    same_name = [r for r in world.rooms.values() if r.direct and away.who in r.members]
    return len(same_name) <= 1 or away.who in given.room.members


_DEAL = frozenset({"offer", "contract", "license", "price", "invoice", "order", "certificate"})


def _expiring(world: World) -> Iterator[Need]:
    """A date set by people outside, which the ones who deal with it inside have not heard."""
    for said in world.remarks:
        if not said.fresh or not said.shareable or not said.has(Kind.DEADLINE) or said.me:
            continue
        if not (
            _DEAL & said.terms.keys() and re.search(r"\bour\b|\bwe\b|我们|我方", said.text, re.I)
        ):
            continue
        outside = said.who not in {
            name for room in world.rooms.values() if room.session != said.room.session
            for name in room.members
        }  # fmt: skip
        target = _inside(said, world) if outside else None
        if target and not heard(target, said, world):
            yield Need(why=Why.DEADLINE, target=target, here=None, there=said, major=False)


def _inside(said: Remark, world: World) -> Room | None:
    """The smallest room of colleagues that shares a member with the outsiders' room."""
    insiders = {
        name for room in world.rooms.values() if room.session != said.room.session
        for name in room.members
    } & said.room.members  # fmt: skip
    about = said.terms | said.room.terms
    concerned = {
        r.who
        for r in world.remarks
        if r.room.session != said.room.session and subjects.link(r.terms, about).loose
    }
    rooms = [
        room
        for room in world.rooms.values()
        if not room.direct and room.session != said.room.session and room.members & insiders
        and not room.record and said.who not in room.members
    ]  # fmt: skip
    rooms.sort(key=lambda r: (not r.members & concerned, len(r.members), r.session))
    return rooms[0] if rooms else None
