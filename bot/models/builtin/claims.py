"""Decisions and changes in force: only the last version of each counts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from agency import moments, salience, subjects
from agency.salience import Kind
from bot.models.builtin.plain_words import AS_WAS, TROUBLE
from bot.models.builtin.world import Remark, Room, World

_MAKES = (Kind.DECISION, Kind.CHANGE, Kind.CORRECTION, Kind.REVERSAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a room decided last about a matter."""

    remark: Remark
    old: str
    """The value given up."""
    new: str
    """The value in force; empty where something was dropped."""
    terms: dict[str, float]
    """Its subject, with that of the decision it corrects."""
    about: dict[str, float] = field(default_factory=dict)
    """What got the new value, where the sentence names it."""
    stale: tuple[str, ...] = ()
    """Earlier values that hold no longer."""
    replaced: bool = False
    """Whether a later claim took its place."""
    voided: bool = False
    """A reversal that leaves everything as it was."""

    @property
    def when(self) -> moments.Moment | None:
        """The date or time that is the new value."""
        found = moments.find(self.new)
        return found[0] if found else None

    @property
    def fresh_terms(self) -> dict[str, float]:
        """Words of the new value that the old one lacks."""
        return distinct(self.new, self.old)

    @property
    def old_terms(self) -> dict[str, float]:
        """Words of the old value that the new one lacks."""
        return distinct(self.old, self.new)


def distinct(value: str, other: str) -> dict[str, float]:
    """Words of a value that the other value lacks."""
    without = subjects.terms(other)
    return {t: w for t, w in subjects.terms(value).items() if t not in without}


def gather(world: World) -> list[Claim]:
    """All claims, oldest first; superseded ones are marked."""
    found: list[Claim] = []
    for remark in world.remarks:
        if remark.me or remark.idle or not remark.has(*_MAKES):
            continue
        before = _corrected(found, remark)
        claim = _claim(remark, before)
        if claim is None:
            continue
        for i, earlier in enumerate(found):
            if not earlier.replaced and (earlier is before or _same_matter(earlier, claim)):
                found[i] = replace(earlier, replaced=True)
                claim = _after(claim, earlier)
        found.append(claim)
    return found


def means(new: str, old: str, remark: Remark, base: Remark) -> bool:
    """Whether a remark already contains a value, in whatever words."""
    wanted = moments.find(new)
    if wanted:
        return any(same_time(wanted[0], base, time, remark) for time in remark.times)
    words = distinct(new, old) or subjects.terms(new)
    if not words:
        return bool(new) and new.replace(" ", "") in remark.text.replace(" ", "")
    total = sum(words.values())
    hit = sum(w for t, w in words.items() if t in remark.terms)
    named = max(words, key=lambda t: words[t], default="") in remark.terms
    return bool(total) and named and hit >= 0.5 * total


def same_time(a: moments.Moment, base: Remark, b: moments.Moment, other: Remark) -> bool:
    """Whether two moments mean the same day and, where both say it, the same hour."""
    day_a, day_b = a.date_from(base.at), b.date_from(other.at)
    if a.dated and b.dated and day_a != day_b:
        return False
    if a.at is not None and b.at is not None:
        vague = a.dated != b.dated and (a.rough or b.rough)
        return a.same_hour(b) and not vague  # "what's for lunch?" names no day
    return a.dated and b.dated


def _corrected(found: Sequence[Claim], remark: Remark) -> Claim | None:
    """The claim that a correction without a subject of its own speaks of."""
    change = remark.first(Kind.CHANGE)
    if not remark.has(Kind.CORRECTION, Kind.REVERSAL) and (change is None or change.about):
        return None
    for claim in reversed(found):
        if claim.remark.room.session != remark.room.session or claim.replaced:
            continue
        if remark.reply_to == claim.remark.id:
            return claim
        tie = subjects.link(claim.terms, remark.terms)
        if tie.shared > 0 or len(remark.terms) <= 2 or _at_once(claim, remark):
            return claim
    return None


def _at_once(claim: Claim, remark: Remark) -> bool:
    """Whether another day is named in the next minutes: it is that of the same thing."""
    soon = remark.at - claim.remark.at < timedelta(minutes=15)
    return soon and (bool(claim.when and remark.times) or remark.has(Kind.REVERSAL))


def _claim(remark: Remark, before: Claim | None) -> Claim | None:
    change = next((s for s in remark.signals if s.kind is Kind.CHANGE), None)
    old, new = (change.old, change.new) if change else ("", "")
    if new and not subjects.terms(new) and not re.search(r"[\d一-鿿]", new):
        new = remark.times[-1].text if remark.times else ""  # "a new time: it leaves at nine"
    correcting = before is not None
    if not new and remark.times and (correcting or remark.has(Kind.DECISION)):
        new = remark.times[0].text
    if correcting and not (new or old):
        if not remark.has(Kind.REVERSAL):
            strong = [t for t, w in remark.terms.items() if w >= 1.2]
            new = strong[0] if strong else _first_words(remark.text)
        if not new:
            return _claimed(remark, "", "", before, voided=True)
    if not (old or new):
        return None
    if not (change or remark.has(Kind.DECISION) or correcting):
        return None
    return _claimed(remark, old, new, before, voided=False)


def _first_words(text: str) -> str:
    """What a correction opens with, where that is short enough to be a value."""
    opening = re.split(r"[,，.。;；]", salience.retell(text))[0].strip()
    short = len(opening.split()) <= 3 and len(opening) <= 24
    told = short and subjects.terms(opening) and not AS_WAS.search(text)
    return opening if told else ""


def _claimed(remark: Remark, old: str, new: str, before: Claim | None, *, voided: bool) -> Claim:
    terms, about = dict(remark.terms), _about(remark)
    if before:
        inherited = {t: w for t, w in before.terms.items() if t not in before.fresh_terms}
        # A mere "sorry, eleven o'clock, a typo" has no subject of its own.
        own = subjects.link(inherited, terms).shared > 0 or bool(about)
        terms = inherited | (terms if own else {})
        about = about or before.about
    return Claim(remark=remark, old=old, new=new, terms=terms, about=about, voided=voided)


def _about(remark: Remark) -> dict[str, float]:
    change = next((s for s in remark.signals if s.kind is Kind.CHANGE), None)
    words = subjects.terms(change.about) if change else {}
    return {t: w for t, w in words.items() if t in remark.terms}


def _after(claim: Claim, earlier: Claim) -> Claim:
    stale = (*earlier.stale, *(value for value in (earlier.old, earlier.new) if value))
    # A plan made with the value before last is out of date as well.
    old = claim.old or (earlier.old if earlier.old != claim.new else earlier.new)
    return replace(claim, stale=tuple(s for s in stale if s != claim.new), old=old)


def _same_matter(a: Claim, b: Claim) -> bool:
    if bool(a.when) != bool(b.when):
        return False
    tie = subjects.link(topic(a), topic(b))
    if a.remark.room.session != b.remark.room.session:
        dated_or_changed = bool(a.when or (a.old and b.old))
        return tie.near and dated_or_changed and tie.cover >= 0.6 and not rivals(a, b)
    return tie.near or (tie.shared >= 1.0 and tie.cover >= 0.5)


def rivals(a: Claim, b: Claim) -> bool:
    """Whether two rooms went from one value to different ones, neither knowing of the other."""
    if a.remark.room.session == b.remark.room.session or a.when or b.when:
        return False
    if a.remark.who in b.remark.room.members or b.remark.who in a.remark.room.members:
        return False
    old, other = subjects.terms(a.old), subjects.terms(b.old)
    return (
        bool(old and a.new and b.new)
        and old.keys() == other.keys()
        and bool(a.fresh_terms)
        and (not a.fresh_terms.keys() & b.fresh_terms.keys())
    )


def topic(claim: Claim) -> dict[str, float]:
    """The words of the matter, without those of the values."""
    if claim.about:
        return claim.about
    values = subjects.terms(claim.old) | subjects.terms(claim.new)
    return {t: w for t, w in claim.terms.items() if t not in values} or claim.terms


def _exact_time(claim: Claim) -> bool:
    """A day with an hour names itself; the subject need not be repeated."""
    return claim.when is not None and claim.when.dated and claim.when.at is not None


def known_in(room: Room, claim: Claim, world: World) -> bool:
    """Whether the people of a room were told of a claim in that room."""
    for remark in world.within(room):
        kinds = (Kind.RELAY, Kind.CHANGE, Kind.DECISION) if claim.new else (Kind.RELAY, Kind.RISK)
        heard = remark.has(*kinds) and not remark.me
        told = remark.at >= claim.remark.at or heard
        if not told or remark.id == claim.remark.id or remark.idle:
            continue
        if not claim.new:
            denied = remark.has(Kind.CHANGE, Kind.RELAY, Kind.DECISION) or TROUBLE.search(
                remark.text
            )
            dropped = subjects.terms(claim.old)
            named = bool(dropped) and dropped.keys() <= remark.terms.keys()
            if denied and (named or subjects.link(claim.terms, remark.terms).near):
                return True
        elif means(claim.new, claim.old, remark, claim.remark) and (
            subjects.link(claim.terms, remark.terms).shared >= 0.7 or _exact_time(claim)
        ):
            return True
    return False
