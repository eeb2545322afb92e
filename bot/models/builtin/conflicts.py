"""Whether a remark counts on something that a decision elsewhere has changed."""

import re

from agency import concepts, counts, moments, subjects
from agency.salience import Kind
from bot.models.builtin import claims, values
from bot.models.builtin.claims import Claim
from bot.models.builtin.world import Remark


def conflict(claim: Claim, remark: Remark) -> bool:
    """Whether the remark goes by a value that is no longer the one in force."""
    if re.fullmatch(r"\d+(?:\.\d+)?", claim.old):
        number = re.compile(rf"(?<![\d.:]){re.escape(claim.old)}(?![\d.:])")
        named = number.search(subjects.timeless(remark.text))
        return bool(named) and subjects.link(claims.topic(claim), remark.terms).shared >= 1.0
    if claim.new.isdigit() and not claim.old:
        return _other_count(claim, remark)
    if _amounts(claim.new) and not claim.when:
        near = subjects.link(claims.topic(claim), remark.terms)
        newer = remark.has(Kind.DECISION, Kind.CHANGE) and remark.at > claim.remark.at
        return not newer and near.shared >= 0.7 and _other_amount(claim, remark)
    if claim.new and claims.means(claim.new, claim.old, remark, claim.remark):
        return False
    newer_claim = remark.has(Kind.DECISION, Kind.CHANGE) and remark.at > claim.remark.at
    tie = subjects.link(claim.terms, remark.terms)
    whole = bool(claim.about) and claim.about.keys() <= remark.terms.keys()
    for old in (claim.old, *claim.stale):
        if old and not moments.find(old):
            words = _weighed(claims.distinct(old, claim.new), claim)
            hit = sum(w for t, w in words.items() if t in remark.terms)
            given_up = bool(words) and hit >= 0.6 * sum(words.values())
            if given_up and (tie.shared >= 1.9 or hit >= 1.5 or _everywhere(claim) or whole):
                return True
    if newer_claim:
        return False
    if not claim.new:
        return _cancelled(claim, remark)
    if claim.when:
        return _other_time(claim, remark)
    return _other_choice(claim, remark) or _left_behind(claim, remark)


def _left_behind(claim: Claim, remark: Remark) -> bool:
    """The remark is about the same thing and about what its sentence tells in passing is over.

    "The offsite is in Nantes now, Lyon was full" against "trains to Lyon for the offsite".
    """
    passing = {t: w for t, w in claim.remark.terms.items()
               if t not in claim.about and t not in subjects.terms(claim.new)}  # fmt: skip
    gone = sum(w for t, w in subjects.special(passing).items() if t in remark.terms)
    if not claim.about:
        named = [t for t, w in passing.items() if t in remark.terms and w >= 1.5]
        return bool(named and claim.new) and values.other(remark, claim.remark)
    same = subjects.link(claim.about, remark.terms)
    return gone >= 1.0 and same.shared >= 1.0 and same.cover >= 0.5


def _everywhere(claim: Claim) -> bool:
    """Whether a value is given up for all purposes and not for a single one."""
    return bool(claim.old and claim.new) and not claim.about


def _weighed(words: dict[str, float], claim: Claim) -> dict[str, float]:
    """Words of a value as they weigh in their sentence, where a capital tells a name."""
    return {t: max(w, claim.remark.terms.get(t, 0.0)) for t, w in words.items()}


def _cancelled(claim: Claim, remark: Remark) -> bool:
    """The remark counts on what was dropped, on the same day where both name one."""
    words = _weighed(subjects.terms(claim.old), claim)
    hit = {t: w for t, w in words.items() if t in remark.terms}
    if not hit or sum(hit.values()) < 0.6 * sum(words.values()):
        return False
    days = [[d for t in r.times if (d := t.date_from(r.at))] for r in (claim.remark, remark)]
    named = any(weight >= 1.5 for weight in hit.values())
    # "No stand-up on Friday" leaves Monday's alone; what is retired on Friday is retired.
    if not named and days[0] and days[1] and not set(days[0]) & set(days[1]):
        return False
    tie = subjects.link(words, remark.terms)
    whole = len(hit) == len(words) and bool(remark.times or remark.has(Kind.PLAN, Kind.DONE))
    return tie.near or len(hit) >= 2 or whole


_AMOUNT = re.compile(
    r"([€$£¥])\s*(\d+(?:[.,]\d+)?)|([满减])(\d+)|(\d+(?:[.,]\d+)?)\s*(%|‰|[A-Za-z€$£]+|"
    r"[\u4e00-\u9fff])"
)


def _amounts(text: str) -> dict[str, set[str]]:
    """Numbers with what they count, by that."""
    found: dict[str, set[str]] = {}
    for match in _AMOUNT.finditer(subjects.timeless(text)):
        sign, after, word, number, amount, unit = match.groups()
        counted = (sign or word or unit).lower()
        counted = counted if len(counted) < 3 else counted.rstrip("s")
        if word or not counted >= "\u4e00":
            found.setdefault(counted, set()).add(after or number or amount)
    for sort, numbers in counts.read(subjects.timeless(text)).items():
        found.setdefault(sort, set()).update(numbers)
    return found


def _other_count(claim: Claim, remark: Remark) -> bool:
    """Another number of the very things: "the list grew to 250" against "200 guests"."""
    counted = re.findall(r"(\d+)\s+([A-Za-z]{3,})", subjects.timeless(remark.text))
    about = claims.topic(claim)
    return any(
        number != claim.new and subjects.terms(f"the {word}").keys() & about.keys()
        for number, word in counted
    )


def _other_amount(claim: Claim, remark: Remark) -> bool:
    """The same sort of number, with another value."""
    mine, yours = _amounts(claim.new), _amounts(remark.text)
    for unit, numbers in mine.items():
        alike = [yours[u] for u in yours if u == unit or (unit == "个" and u.startswith("个"))]
        if alike and not any(numbers & others for others in alike):
            return True
    return False


def _other_time(claim: Claim, remark: Remark) -> bool:
    """The same thing, put at another time."""
    topic = {t: w for t, w in claims.topic(claim).items() if t not in subjects.terms(claim.new)}
    tie = subjects.link(topic, remark.terms)
    if claim.about and _another(claim.about, claim, remark):
        return False
    if not tie.near or subjects.contrary(topic, remark.terms):
        return False
    if tie.cover < 0.5 or (tie.count < 2 and len(topic) > 1 and len(remark.terms) > 1):
        return False
    return bool(remark.times)


def _another(about: dict[str, float], claim: Claim, remark: Remark) -> bool:
    """Whether each names its own of several such things: this team's stand-up, that team's."""
    mine = {t for t, w in subjects.special(about).items() if w >= 1.0 and t not in remark.terms}
    yours = {t for t, w in subjects.special(remark.terms).items()
             if w >= 1.0 and t not in claim.terms}  # fmt: skip
    return bool(mine and yours)


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
