"""Whether a remark counts on something that a decision elsewhere has changed."""

import re

from agency import concepts, moments, subjects
from agency.salience import Kind
from bot.builtin import claims
from bot.builtin.claims import Claim
from bot.builtin.world import Remark


def conflict(claim: Claim, remark: Remark) -> bool:
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
