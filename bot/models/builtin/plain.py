"""News told in plain words: no verb of change or result is asked for, only the same matter.

here waits, asks or counts on it · there, newer and asserted, says what it lacks or upsets it
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from agency import moments, subjects
from agency.salience import Kind
from bot.models.builtin import kinship, plain_words, questions, rivals, ties, values
from bot.models.builtin.claims import Claim
from bot.models.builtin.needs import Need, Why
from bot.models.builtin.pair import Pair, has_come, intends, pending, rare, waits
from bot.models.builtin.world import Remark, World

_MUCH, _SURE, _LIKELY, _ENOUGH, _LITTLE = 3.2, 2.6, 2.0, 1.6, 1.2


def find(world: World, told: list[Need], made: list[Claim]) -> Iterator[Need]:
    """Needs that no rule with words of its own has found."""
    known = {(n.target.session, n.there.id) for n in told}
    changes = {claim.remark.id: claim for claim in made}
    busy = {n.here.id for n in told if n.here}
    for here in world.remarks:
        if here.me or here.idle or here.room.direct or here.id in busy or here.has(Kind.PRIVATE):
            continue
        if ties.taken_back(here, world):
            continue
        best: tuple[float, Need] | None = None
        for there in world.remarks:
            if (here.room.session, there.id) in known or not _may_tell(here, there, world):
                continue
            if not _goes_by(here, changes.get(there.id)):
                continue
            need, weight = _weigh(here, there, world)
            if need and (best is None or weight >= best[0]):
                best = weight, need
        if best:
            yield best[1]
            yield from _other_half(best[1], world)


def _other_half(need: Need, world: World) -> Iterator[Need]:
    """Those who know of a delay may not know of the date that it endangers."""
    here, there = need.here, need.there
    if need.why is not Why.RISK or here is None or not here.times or not ties.bound(here):
        return
    change = there.first(Kind.CHANGE)
    moved = plain_words.MOVED.search(there.text)
    if moved or there.has(Kind.DECISION) or (change and moments.find(change.new)):
        return  # who moves a date knows it
    if ties.elsewhere(there.room, here) and not ties.heard(there.room, here, world):
        yield Need(why=Why.RISK, target=there.room, here=there, there=here, major=False)


def _goes_by(here: Remark, claim: Claim | None) -> bool:
    """Whether a change that names the value given up is about what is said here."""
    if claim is None or claim.replaced or claim.voided:
        return claim is None
    if claim.old and claim.old not in claim.remark.text:
        return True  # what was given up before that is not what is told
    if claim.about and claim.old_terms and not any(term in here.terms for term in claim.about):
        return False
    return not claim.old_terms or any(term in here.terms for term in claim.old_terms)


def _may_tell(here: Remark, there: Remark, world: World) -> bool:
    if not (here.fresh or there.fresh) or not ties.elsewhere(here.room, there):
        return False
    if here.has(Kind.RELAY) or plain_words.SECOND_HAND.search(there.text):
        return False
    if plain_words.SAYS.search(there.text) and here.room.terms.keys() & there.terms.keys():
        return False  # it comes from here
    if ties.taken_back(there, world):
        return False
    if (
        there.who == here.who
        or not _asserted(there, here, asked=here.has(Kind.QUESTION))
        or not _fits(here, there)
    ):
        return False
    return here.who not in there.room.members


def _fits(here: Remark, there: Remark) -> bool:
    """Other numbers may be what is new; other members of a set are another matter."""
    mine, yours = ({t: w for t, w in r.terms.items() if not t.isdigit()} for r in (here, there))
    if abs(here.at - there.at) > ties.RECENT or subjects.contrary(mine, yours):
        return False
    return not rivals.two_of_a_kind(here, there)


def _said_of(remark: Remark, about: Remark) -> str:
    """The sentences that speak of the same as another remark does, or all where none does."""
    wanted = about.terms.keys()
    same = [s for s in _SENTENCE.split(remark.text) if wanted & subjects.terms(f"x {s}").keys()]
    return " ".join(same) or remark.text


_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


def _asserted(remark: Remark, about: Remark, *, asked: bool = False) -> bool:
    if remark.has(Kind.QUESTION, Kind.BANTER, Kind.SMALLTALK, Kind.PRIVATE, Kind.INJECTION):
        return False
    if (not asked and plain_words.AS_WAS.search(remark.text)) or ties.bygone(remark):
        return False
    return not plain_words.DOUBTFUL.search(_said_of(remark, about))


def _weigh(here: Remark, there: Remark, world: World) -> tuple[Need | None, float]:
    need, weight = _weigh_as(Pair(here, there, world))
    before = ties.amended(there, world) if need is None else None
    if before is None or there.has(Kind.REVERSAL) or here.has(Kind.QUESTION, Kind.WAIT):
        return need, weight
    whole = replace(
        there,
        text=f"{subjects.timeless(before.text)} {there.text}",
        terms={t: w for t, w in before.terms.items() if not t.isdigit()} | there.terms,
    )
    need, weight = _weigh_as(Pair(here, whole, world))
    about = Pair(here, whole, world).words
    return (replace(need, there=there, about=about) if need else None), weight


def _weigh_as(pair: Pair) -> tuple[Need | None, float]:
    asked = pair.here.has(Kind.QUESTION) or waits(pair.here)
    if pair.weight < (_LITTLE if asked else _ENOUGH):
        return None, 0.0
    why = _why(pair)
    if why is None and _overruled(pair):
        why = Why.STALE
    if why is None or _knows(pair):
        return None, 0.0
    major = why not in (Why.ANSWER, Why.DUPLICATE)
    need = Need(why=why, target=pair.here.room, here=pair.here, there=pair.there, major=major)
    return need, pair.weight


def _why(pair: Pair) -> Why | None:
    here, there = pair.here, pair.there
    if ties.bygone(here):
        return None
    if _made_already(pair):
        return Why.DUPLICATE
    if ties.MUSING.search(there.text) or (pair.trouble and pair.in_time):
        return None
    if here.has(Kind.QUESTION):
        return Why.ANSWER if _answers(pair) else None
    if pair.later and there.who in here.room.members and pair.cover_there >= 0.5:
        return None  # whoever says it there sits here
    if rivals.siblings(here, there) and pair.best < 2.0:
        return None  # each has its own
    if pair.later and _has_come_for(pair):
        return Why.UNBLOCKED
    if pair.trouble and pair.trouble_here and not pair.other_value:
        return None  # they know
    if pair.too_late and not has_come_only(here) and (pair.trouble or pair.weight >= _SURE):
        return Why.RISK
    if waits(here) and pending(there):
        return None
    if waits(here) and not pair.other_value:
        come = has_come(there) and not pair.names_room
        bad = pair.trouble and pair.later and not pending(there) and not come
        sure = pair.weight >= (_LIKELY if pair.names_room else _MUCH)
        return Why.RISK if bad and sure else None
    return Why.STALE if _upset(pair) else None


def has_come_only(remark: Remark) -> bool:
    """Whether a remark only reports what has come."""
    return remark.has(Kind.DONE) and not remark.has(Kind.DEADLINE, Kind.PLAN, Kind.COMMITMENT)


def _made_already(pair: Pair) -> bool:
    """Whether what somebody here is about to make is there already."""
    if pair.weight < _LIKELY or not intends(pair.here) or pair.cover_here < 0.4:
        return False
    exists = plain_words.EXISTS.search(pair.there.text)
    return bool(exists) and not pair.trouble and not pending(pair.there)


def _has_come_for(pair: Pair) -> bool:
    """Whether what is awaited here has come, or what was broken here works again."""
    if pending(pair.there) or not has_come(pair.there) or (pair.trouble and not pair.works):
        return False
    if waits(pair.here):
        return _awaited(pair)
    return pair.trouble_here and pair.works and pair.weight >= _LIKELY


def _awaited(pair: Pair) -> bool:
    """Whether it is the very thing that is awaited, and not only something near it."""
    spans = questions.awaited_spans(pair.here)
    if pair.names_room and pair.best >= 1.0:
        return True
    if not spans:
        return pair.cover_here >= 0.5
    given = pair.words | dict.fromkeys(pair.there.room.terms, 1.0)
    for span in spans:
        wanted = kinship.weigh(span, subjects.terms(f"x {span}"), pair.world)
        wanted.pop("x", None)
        had = sum(w for t, w in wanted.items() if t in given or kinship.partly(t, given))
        shared = any(t in pair.words or kinship.partly(t, pair.words) for t in wanted)
        if shared and (had >= 0.6 * sum(wanted.values()) or (had >= 2.0 and len(span) > 60)):
            return True
    return False


_LINK = re.compile(r"\b(?:url|link|address|number|path|login)\b|网址|链接|地址|号码|账号", re.I)
_LINKED = re.compile(r"https?:|\w[./]\w|\d{3,}", re.I)
_WHETHER = re.compile(r"\bknows? (?:if|whether)\b|有没有|会不会|能不能", re.I)
_WHICH = re.compile(r"\bwhich\b|哪个|哪[组台条家款版位]", re.I)


def _answers(pair: Pair) -> bool:
    here, there = pair.here, pair.there
    if plain_words.NO_QUESTION.search(here.text) or pending(there):
        return False
    if max(pair.cover_here, pair.cover_there) < 0.4:
        return False
    whole = pair.cover_here >= 0.6 and len(pair.words) > 1
    named = _LINK.search(here.text) and _LINKED.search(there.text) and pair.cover_there >= 0.5
    if named and pair.weight >= _LIKELY:
        return True
    if pair.weight < _SURE and pair.best < 1.0 and not whole:
        return False
    whether = questions.YES_NO.search(here.text) or _WHETHER.search(here.text)
    if whether and min(pair.cover_here, pair.cover_there) >= 0.6:
        return True
    informs = pair.weight >= _LIKELY and questions.informs(
        here.text, questions.asked_terms(here), there
    )
    which = _WHICH.search(here.text) and pair.adds and pair.cover_there >= 0.5
    return _fills(here, there) or informs or bool(which)


def _upset(pair: Pair) -> bool:
    """Whether what people here go by does not hold any more."""
    here, there = pair.here, pair.there
    if there.has(Kind.WAIT) or plain_words.HELD.search(there.text):
        return False
    if not (_counts(here) or pair.weight >= _MUCH) or (not pair.later and has_come(here)):
        return False
    if here.has(Kind.DONE) and intends(there):
        return False  # who begins with what is done here is the one to be told
    decided = (Kind.DECISION, Kind.CHANGE)
    weighty = there.has(*decided, Kind.CORRECTION, Kind.REVERSAL)
    risky = there.has(Kind.RISK) and not there.has(Kind.PLAN)
    if here.has(*decided) and not weighty and not risky:
        return False  # what only goes by the old does not upset what is decided
    that_day = pair.same_day and pair.best >= 1.0
    new = pair.trouble and not pair.trouble_here and not pending(there)
    new = new and not here.has(*decided)  # who decides weighs that himself
    if new and (pair.weight >= _LIKELY or that_day):
        acting = here.has(Kind.START, Kind.COMMITMENT) and rare(pair)
        if pair.several or acting or (pair.later and pair.best >= 1.0):
            return True
    if not pair.later:
        return False
    told = there.has(Kind.CHANGE, Kind.DECISION)
    if pair.other_value and pair.weight >= (_ENOUGH if told and pair.best >= 1.0 else _LIKELY):
        sure = pair.weight >= _MUCH and pair.several and not values.other_time(here, there)
        return pair.bare or sure or (pair.otherwise and there_changes(there))
    if pair.weight >= _SURE and pair.otherwise and pair.adds and not here.has(Kind.RESOLUTION):
        return pair.several and 0.3 <= pair.cover_there < 0.9
    return False


def there_changes(remark: Remark) -> bool:
    """Whether a change is told and not only how things are."""
    return bool(plain_words.CHANGES.search(remark.text)) or remark.has(Kind.CHANGE, Kind.DECISION)


def _counts(remark: Remark) -> bool:
    """Whether people go by it: a plan, a date, a value."""
    return ties.counts_on(remark) and not ties.bygone(remark) and not remark.has(Kind.PERSONAL)


def _overruled(pair: Pair) -> bool:
    """Whether that room now says otherwise than it did when people here began to go by it."""
    here, there, world = pair.here, pair.there, pair.world
    firm = there.has(Kind.DECISION, Kind.CHANGE, Kind.REVERSAL, Kind.CORRECTION)
    if not (firm or plain_words.AGAIN.search(there.text)):
        return False
    if not pair.later or here.has(Kind.QUESTION):
        return False
    before = [
        (kinship.shared(r, there, world), kinship.shared(r, here, world))
        for r in world.within(there.room)
        if r.at <= here.at and not r.me and not r.has(Kind.QUESTION, Kind.WAIT)
    ]
    said = {word for both in before for one in both for word in one}
    if any(w >= 1.0 for t, w in pair.words.items() if t not in said):
        return False  # what is new there is known here
    for same, taken in before:
        value = [w for word, w in taken.items() if word not in same and word not in pair.words]
        if sum(same.values()) >= _LIKELY and value and max(value) >= 1.0:
            return True
    return False


def _fills(here: Remark, there: Remark) -> bool:
    """Whether a question after a thing is met by something new: a place, a number, a name."""
    if questions.WHEN.search(here.text):
        return bool(there.times)
    if re.search(r"\bhow (?:many|much|long|old|big)\b|多少|几|多[大长久高]", here.text, re.I):
        return bool(re.search(r"\d|[一二两三四五六七八九十]", there.text))
    if re.search(r"\bwho\b|谁|哪位", here.text, re.I) and not re.search(
        r"knows|晓得|知道", here.text
    ):
        return there.has(Kind.OWNER, Kind.ASSIGNED) or bool(
            plain_words.HOLDER.search(there.text) or re.search(r"\bby [A-Z]\w+", there.text)
        )
    if questions.options(here.text):
        return questions.chosen(here.text, there.text)
    if re.search(
        r"\bwhere\b|哪[里儿边]|在哪|放哪|跑哪|哪个?[科组班室部店楼区柜]|[借拿]走", here.text, re.I
    ):
        return bool(plain_words.PLACE.search(there.text))
    return False


def _knows(pair: Pair) -> bool:
    """Whether the room was told, settled it itself, or gave the matter up."""
    here, there, world = pair.here, pair.there, pair.world
    if here.has(Kind.QUESTION) and questions.replied(here, there, world):
        return True
    if pair.trouble and ties.over(there, world):
        return True
    if ties.settled(here, world) or ties.dropped(here, world) or ties.undone(there, world):
        return True
    return any(
        _told(pair, remark)
        for remark in world.within(here.room)
        if remark.id != here.id and not (remark.me and remark.at < there.at)
    )


def _told(pair: Pair, remark: Remark) -> bool:
    """Whether a remark of the room says what is news."""
    here, there = pair.here, pair.there
    if ties.contains(remark, there):
        return True
    again = kinship.shared(remark, there, pair.world)
    more = sum(w for word, w in again.items() if word not in pair.words)
    if more >= 1.0 and (remark.at >= here.at or remark.has(Kind.RELAY)):
        return True
    soon = there.at < remark.at < there.at + timedelta(days=2)
    much = sum(again.values()) >= min(_SURE, 0.8 * sum(pair.words.values()))
    return soon and much and remark.who != here.who and not remark.has(Kind.QUESTION)
