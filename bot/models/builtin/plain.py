"""News told in plain words: no verb of change or result is asked for, only the same rare matter.

here waits, asks or counts on it · there, newer and asserted, says what it lacks or upsets it
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from agency import concepts, rarity, subjects
from agency.salience import Kind
from bot.models.builtin import kinship, needs, plain_words, questions, rivals, ties, values
from bot.models.builtin.claims import Claim
from bot.models.builtin.needs import Need, Why
from bot.models.builtin.world import Remark, World

_CONCEPTS = frozenset(concepts.CHINESE) | frozenset(concepts.ENGLISH.values())
_MUCH, _SURE, _LIKELY, _NEAR = 3.2, 2.6, 2.0, 1.7
_ENOUGH = 1.2  # where a clause is about little else, or the name is rare
_DAY = 0.5  # for the same day in both
_ALIKE = 0.8  # where a clause of each is about little else


def find(world: World, told: list[Need], made: list[Claim]) -> Iterator[Need]:
    """Needs that no rule with words of its own has found."""
    known = {(n.target.session, n.there.id) for n in told}
    changes = {claim.remark.id: claim for claim in made}
    busy = {n.here.id for n in told if n.here}
    for here in world.remarks:
        if here.me or here.idle or here.room.direct or here.id in busy or here.has(Kind.PRIVATE):
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
    if (
        need.why is not Why.RISK
        or here is None
        or not here.has(Kind.DEADLINE, Kind.PLAN)
        or not here.times
    ):
        return
    if there.has(Kind.CHANGE, Kind.DECISION):
        return  # who moves a date knows it
    if ties.elsewhere(there.room, here) and not ties.heard(there.room, here, world):
        yield Need(why=Why.RISK, target=there.room, here=there, there=here, major=False)


def _goes_by(here: Remark, claim: Claim | None) -> bool:
    """Whether a change that names the value given up is about what is said here."""
    if claim is None or claim.replaced or claim.voided:
        return claim is None
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
    if there.who == here.who or not _asserted(there) or not _fits(here, there):
        return False
    return here.who not in there.room.members


def _fits(here: Remark, there: Remark) -> bool:
    """Other numbers may be what is new; other members of a set are another matter."""
    mine, yours = ({t: w for t, w in r.terms.items() if not t.isdigit()} for r in (here, there))
    if abs(here.at - there.at) > ties.RECENT or subjects.contrary(mine, yours):
        return False
    return not rivals.two_of_a_kind(here, there)


def _asserted(remark: Remark) -> bool:
    if remark.has(Kind.QUESTION, Kind.BANTER, Kind.SMALLTALK, Kind.PRIVATE, Kind.INJECTION):
        return False
    if plain_words.AS_WAS.search(remark.text) or ties.bygone(remark):
        return False
    return not plain_words.DOUBTFUL.search(remark.text)


def _weigh(here: Remark, there: Remark, world: World) -> tuple[Need | None, float]:
    need, weight = _weigh_as(here, there, world)
    before = ties.amended(there, world) if need is None else None
    if before is None or here.has(Kind.QUESTION, Kind.WAIT):
        return need, weight
    whole = replace(
        there,
        text=f"{subjects.timeless(before.text)} {there.text}",
        terms={t: w for t, w in before.terms.items() if not t.isdigit()} | there.terms,
    )
    need, weight = _weigh_as(here, whole, world)
    return (replace(need, there=there) if need else None), weight


def _weigh_as(here: Remark, there: Remark, world: World) -> tuple[Need | None, float]:
    words = kinship.shared(here, there, world)
    if words and _same_day(here, there):
        words[""] = _DAY
    alike = (
        min(kinship.cover(here.text, words, world), kinship.cover(there.text, words, world))
        if words
        else 0.0
    )
    if alike >= 0.5:
        words["="] = _ALIKE * alike
    weight = sum(words.values())
    if weight < _ENOUGH and not (weight >= 1.0 and _comes_late(here, there, words)):
        return None, 0.0
    why = _why(here, there, words, world)
    if why is None and _overruled(here, there, words, world):
        why = Why.STALE
    if why is None or _knows(here, there, words, world):
        return None, 0.0
    major = why not in (Why.ANSWER, Why.DUPLICATE)
    return Need(why=why, target=here.room, here=here, there=there, major=major), weight


def _same_day(here: Remark, there: Remark) -> bool:
    days, others = ({d for t in r.times if (d := t.date_from(r.at))} for r in (here, there))
    return bool(days & others)


def _why(here: Remark, there: Remark, words: dict[str, float], world: World) -> Why | None:
    later, weight = there.at >= here.at, sum(words.values())
    if ties.bygone(here):
        return None
    trouble = _troubled(there, words)
    made = weight >= _LIKELY and _intends(here) and plain_words.EXISTS.search(there.text)
    if (
        made
        and kinship.cover(here.text, words, world) >= 0.4
        and not trouble
        and not _pending(there)
    ):
        return Why.DUPLICATE
    if ties.MUSING.search(there.text) or (trouble and _in_time(here, there)):
        return None
    if here.has(Kind.QUESTION):
        return Why.ANSWER if _answers(here, there, words, world) else None
    if trouble and _troubled(here, words) and not _waits(here):
        return None  # they know
    if _comes_late(here, there, words, trouble=trouble):
        return Why.RISK
    if _waits(here) and later:
        if trouble and not _has_come(there):
            return Why.RISK if weight >= _MUCH and not _pending(there) else None
        if _has_come(there) and not _pending(there) and _awaited(here, words, world):
            return Why.UNBLOCKED
        return None
    return Why.STALE if _upset(here, there, words, world, trouble=trouble) else None


def _awaited(here: Remark, words: dict[str, float], world: World) -> bool:
    """Whether the very thing that is awaited has come, and not only something near it."""
    span = questions.awaited_text(here)
    if not span:
        return kinship.cover(here.text, words, world) >= 0.5
    wanted = kinship.weigh(span, subjects.terms(f"x {span}"), world)
    wanted.pop("x", None)
    had = sum(w for t, w in wanted.items() if t in words or kinship.partly(t, words))
    return had >= 0.6 * sum(wanted.values()) or (had >= 2.0 and len(span) > 60)


def _answers(here: Remark, there: Remark, words: dict[str, float], world: World) -> bool:
    if plain_words.REMEMBERING.search(here.text) or _pending(there):
        return False
    weight, covered = sum(words.values()), kinship.cover(here.text, words, world)
    if max(covered, kinship.cover(there.text, words, world)) < 0.4:
        return False
    if weight < _SURE and _best(words) < 1.0 and not (covered >= 0.6 and len(words) > 1):
        return False
    filled = _fills(here, there)
    return filled or (weight >= _LIKELY and questions.informs(here.text, here.terms, there))


def _upset(
    here: Remark, there: Remark, words: dict[str, float], world: World, *, trouble: bool
) -> bool:
    """Whether what people here go by does not hold any more."""
    weight, later = sum(words.values()), there.at >= here.at
    if there.has(Kind.WAIT) or plain_words.HELD.search(there.text):
        return False
    if not (_counts(here) or weight >= _MUCH) or (not later and _has_come(here)):
        return False
    acting = here.has(Kind.START, Kind.COMMITMENT) and _best(words) >= rarity.UNKNOWN
    that_day = later and "" in words and _best(words) >= 1.0
    if trouble and not _troubled(here, words) and (_several(words) or that_day or acting):
        return True
    if not later:
        return False
    otherwise = bool(plain_words.OTHERWISE.search(there.text)) and not _pending(there)
    alike = (
        max(kinship.cover(here.text, words, world), kinship.cover(there.text, words, world)) >= 0.5
    )
    if weight >= (1.2 if alike and otherwise else _LIKELY) and values.other(here, there):
        own = {t for t, w in subjects.special(there.terms).items() if w >= 1.0}
        return otherwise or (weight >= _MUCH and own <= here.terms.keys())
    if weight >= _SURE and otherwise and _adds(here, there, words):
        return (
            not here.has(Kind.RESOLUTION)
            and _several(words)
            and kinship.cover(there.text, words, world) >= 0.3
        )
    return False


def _overruled(here: Remark, there: Remark, words: dict[str, float], world: World) -> bool:
    """Whether that room now says otherwise than it did when people here began to go by it."""
    firm = there.has(Kind.DECISION, Kind.CHANGE, Kind.REVERSAL, Kind.CORRECTION)
    if (
        there.at < here.at
        or here.has(Kind.QUESTION)
        or not (firm or plain_words.AGAIN.search(there.text))
    ):
        return False
    for before in world.within(there.room):
        if before.at > here.at or before.me or before.has(Kind.QUESTION, Kind.WAIT):
            continue
        same = kinship.shared(before, there, world)
        taken = kinship.shared(before, here, world)
        value = [w for word, w in taken.items() if word not in same and word not in words]
        if any(w >= 1.0 for word, w in words.items() if word not in same and word not in taken):
            return False  # what is new there is known here
        if sum(same.values()) >= _LIKELY and value and max(value) >= 1.0:
            return True
    return False


def _in_time(here: Remark, there: Remark) -> bool:
    """Whether what slips there still comes before the day it is wanted here."""
    days, late = ([d for t in r.times if (d := t.date_from(r.at))] for r in (here, there))
    ends = needs.ENDS.search(there.text)  # what runs out early is no use later
    return bool(days and late) and max(late) < max(days) and not ends


def _comes_late(
    here: Remark, there: Remark, words: dict[str, float], *, trouble: bool = True
) -> bool:
    """Whether a rare thing that is wanted by a date here is told to come later there."""
    days, late = ([d for t in r.times if (d := t.date_from(r.at))] for r in (here, there))
    if not (days and late and timedelta(0) < max(late) - max(days) < timedelta(days=60)):
        return False
    if not trouble:
        coming = plain_words.COMING.search(there.text) and here.has(Kind.DEADLINE, Kind.PLAN)
        return bool(coming) and sum(words.values()) >= _SURE
    rare = [word for word, weight in words.items() if weight >= 1.0 and word not in _CONCEPTS]
    return bool(rare) and _troubled(there, words)


def _waits(remark: Remark) -> bool:
    if remark.has(Kind.WAIT):
        return True
    return bool(plain_words.OPEN.search(remark.text))


def _adds(here: Remark, there: Remark, words: dict[str, float]) -> bool:
    """Whether more is told there than is shared."""
    own = {t for t, w in there.terms.items() if w >= 1.0 and t.isascii()} - here.terms.keys()
    rest = subjects.without_fillers(subjects.timeless(there.text))
    for word in words.keys() - {"", "="}:
        rest = rest.replace(word, "")
    return bool(own) or len(re.findall(r"[\u4e00-\u9fff]", rest)) >= 5


def _best(words: dict[str, float]) -> float:
    """The weight of the most telling word that is shared."""
    return max((w for word, w in words.items() if word not in ("", "=")), default=0.0)


def _several(words: dict[str, float]) -> bool:
    """Whether more is shared than one name that many matters may have."""
    words = {word: weight for word, weight in words.items() if word not in ("", "=")}
    several = len([w for w in words.values() if w >= 0.7]) >= 2 and sum(words.values()) >= _LIKELY
    return several or _best(words) >= 2.0


def _pending(remark: Remark) -> bool:
    return remark.has(Kind.WAIT) or bool(plain_words.NOT_YET.search(remark.text))


def _troubled(remark: Remark, words: dict[str, float]) -> bool:
    """Whether something is wrong with the matter, in its own clause or in the next one."""
    near = False
    for clause in plain_words.CLAUSE.split(remark.text):
        low = clause.lower()
        mine = any(
            word in low or word in subjects.terms(f"x {low}") for word in words if word.strip("=")
        )
        if (mine or near) and plain_words.TROUBLE.search(clause):
            return True
        near = near or mine
    return False


def _has_come(remark: Remark) -> bool:
    if remark.has(Kind.DONE, Kind.RESOLUTION):
        return True
    there = re.search(r"[:：].*\d|https?:", remark.text)
    return bool(
        there or plain_words.DONE_ZH.search(remark.text) or plain_words.DONE_EN.search(remark.text)
    )


def _intends(remark: Remark) -> bool:
    return remark.has(Kind.START) or bool(plain_words.FIRST_PERSON.search(remark.text))


def _fills(here: Remark, there: Remark) -> bool:
    """Whether a question after a thing is met by something new: a place, a number, a name."""
    if questions.WHEN.search(here.text):
        return bool(there.times)
    if re.search(r"\bhow (?:many|much|long|old|big)\b|多少|几|多[大长久高]", here.text, re.I):
        return bool(re.search(r"\d|[一二两三四五六七八九十]", there.text))
    if re.search(r"\bwho\b|谁|哪位", here.text, re.I) and not re.search(
        r"knows|晓得|知道", here.text
    ):
        return there.has(Kind.OWNER, Kind.ASSIGNED)
    choice = questions.options(here.text)
    if choice:
        return sum(option in there.text.lower() for option in choice) == 1
    if re.search(r"\bwhere\b|哪[里儿边]|在哪|放哪|跑哪", here.text, re.I):
        return bool(plain_words.PLACE.search(there.text))
    return False


def _counts(remark: Remark) -> bool:
    """Whether people go by it: a plan, a date, a value."""
    if not ties.counts_on(remark):
        return False
    return not ties.bygone(remark) and not remark.has(Kind.PERSONAL)


def _knows(here: Remark, there: Remark, words: dict[str, float], world: World) -> bool:
    """Whether the room was told, settled it itself, or gave the matter up."""
    if here.has(Kind.QUESTION) and questions.replied(here, there, world):
        return True
    if ties.settled(here, world) or ties.dropped(here, world) or ties.undone(there, world):
        return True
    for remark in world.within(here.room):
        if remark.id == here.id or (remark.me and remark.at < there.at):
            continue
        if ties.contains(remark, there):
            return True
        again = kinship.shared(remark, there, world)
        more = sum(w for word, w in again.items() if word not in words)
        if more >= 1.0 and (remark.at >= here.at or remark.has(Kind.RELAY)):
            return True
        if (
            remark.at > there.at
            and remark.at - there.at < timedelta(days=2)
            and sum(again.values()) >= _SURE
            and remark.who != here.who
        ):
            return True
    return False
