"""What two remarks share, told from the texts alone: runs of words rare in what was read."""

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from agency import concepts, subjects
from bot.models.builtin.world import Remark, World

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_LATIN = re.compile(r"[A-Za-z0-9]+(?:[-_./'’][A-Za-z0-9]+)*")
_SMALL = frozenset(
    {"the", "and", "for", "our", "your", "this", "that", "with", "from", "are", "was", "has", "not"}
    | {"new", "will", "have", "their", "into", "before", "after", "until", "you", "can", "all"}
)
_SORT = re.compile(r"([东南西北甲乙丙丁前后左右上下内外一二三四五六七八九十A-Z\d])"
                   r"(区|组|部|队|班|厅|仓|站|线|店|校|院|厂|库|期|座|栋)")  # fmt: skip
_PLACED = re.compile(r"\b([a-z]{4,}) (?:for|in|at|of) (?:the|our) ([a-z]+)")
_HALF = 0.7  # of two signs of which one is a common word by itself
_LIGHT = 0.3  # of a word that every team uses every day
_MANY = 8  # remarks from which on it can be told what is common among them
_PART = 0.4


def shared(a: Remark, b: Remark, world: World) -> dict[str, float]:
    """The words, names and Chinese runs that two remarks have in common, with their weight."""
    people = {r.who for r in world.remarks}
    one, two = (_plain(r.text, people) for r in (a, b))
    found = {word: _han_weight(word) for word in _runs(one, two)}
    both = {t: max(a.terms[t], b.terms[t]) for t in a.terms.keys() & b.terms.keys()}
    for term, weight in both.items():
        if term[0] < "\u4e00" and not _said_in(term, found):
            found[term] = min(weight, 2.0) if subjects.special({term: weight}) else _LIGHT
    for phrase in _phrases(one, two):
        found[phrase] = 1.0
    return {word: weight * _rarity(word, world) for word, weight in found.items()}


def two_of_a_kind(a: Remark, b: Remark) -> bool:
    """Whether each has its own word right before the first thing they share."""
    one, two = (subjects.timeless(r.text) for r in (a, b))
    if _elsewhere(one.lower(), two.lower()):
        return True
    for kind in {k for _, k in _SORT.findall(one)} & {k for _, k in _SORT.findall(two)}:
        mine_of, yours_of = (
            {m for m, k in _SORT.findall(text) if k == kind} for text in (one, two)
        )
        if not mine_of & yours_of:
            return True
    for run in _runs(one, two):
        mine, yours = (_before(text, run) for text in (one, two))
        apart = mine not in two and yours not in one
        if mine and yours and apart and not set(mine) & set(yours):
            return True
    return False


def _elsewhere(one: str, two: str) -> bool:
    """Whether each says of the same thing where or what for it is: the booth's, the office's."""
    mine, yours = (dict(_PLACED.findall(text)) for text in (one, two))
    return any(
        mine[noun] not in two and yours[noun] not in one for noun in mine.keys() & yours.keys()
    )


def _before(text: str, run: str) -> str:
    """The two signs right before a run, where they look like a word of their own."""
    match = re.search(rf"([\u4e00-\u9fff]{{2}}){re.escape(run)}", text)
    word = match.group(1) if match else ""
    known = word in concepts.CHINESE or subjects.without_fillers(word) == word
    return word if known else ""


def _plain(text: str, people: set[str]) -> str:
    text = subjects.timeless(text)
    for name in sorted((n for n in people if n), key=len, reverse=True):
        text = text.replace(name, " ")
    return text


def _said_in(concept: str, found: dict[str, float]) -> bool:
    """Whether a shared run already stands for a concept, so that it does not count twice."""
    return any(
        concepts.CHINESE[noun] == concept
        for run in found
        for noun in concepts.CHINESE
        if noun in run
    )


def _han_weight(run: str) -> float:
    if len(run) == 2 and len(subjects.without_fillers(run)) < 2 and run not in concepts.CHINESE:
        return _HALF
    concept = concepts.CHINESE.get(run)
    if concept and not subjects.special({concept: 1.0}):
        return _LIGHT
    return {2: 1.0, 3: 1.6, 4: 2.2, 5: 2.6}.get(len(run), 3.0)


@lru_cache(maxsize=4096)
def _runs(one: str, two: str) -> frozenset[str]:
    """The longest stretches of Chinese in both, without the common words at their edges."""
    found: set[str] = set()
    for text in _HAN.findall(one):
        at = 0
        while at < len(text) - 1:
            end = at + 2
            while end <= len(text) and text[at:end] in two:
                end += 1
            if end - 1 - at >= 2:
                found |= set(_telling(text[at : end - 1]))
                at = end - 2
            else:
                at += 1
    return frozenset(found)


def _telling(run: str) -> Iterator[str]:
    pieces = subjects.without_fillers(run).split()
    yield from (piece for piece in pieces if len(piece) >= 2)
    if not any(len(piece) >= 2 for piece in pieces):
        yield from (noun for noun in concepts.CHINESE if noun in run)
        if len(run) == 2 and len("".join(pieces)) == 1 and run not in concepts.CHINESE:
            yield run


@lru_cache(maxsize=4096)
def _phrases(one: str, two: str) -> frozenset[str]:
    """Neighbouring words of both, of which one at least is a word of the matter."""
    pairs = [set(_pairs(text)) for text in (one, two)]
    return frozenset(
        f"{first} {second}"
        for first, second in pairs[0] & pairs[1]
        if len(first) > 2 and len(second) > 2 and first not in _SMALL
        and subjects.special(subjects.terms(f"a {first} {second}"))
        and not first.endswith("ing")
    )  # fmt: skip


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    words = [word.lower().removesuffix("'s") for word in _LATIN.findall(text)]
    yield from itertools.pairwise(words)


def _rarity(word: str, world: World) -> float:
    """A word that stands in much of what was read tells little."""
    if len(world.remarks) < _MANY:
        return 1.0
    rooms = {r.room.session for r in world.remarks if word in r.terms or word in r.text.lower()}
    return _PART if len(rooms) >= 4 else 1.0
