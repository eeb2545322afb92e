"""The leak guard: whether a text gives away something private, whatever it claims to rest on.

12 letters or 6 CJK characters in a row are enough. So is what adds up to as much of that which the
two have in common and the reader could not have met anywhere open: names, amounts in whatever
writing, keys, uncommon words, who is spoken of, when, and what kind of matter it is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from agency import figures, ordinary, traits
from agency.figures import Figure
from agency.traits import Traits, base, squeeze

RUN = traits.RUN
ENOUGH = 0.99  # of evidence: the sum of weights that is no coincidence
NAME, OPENING_NAME, PUBLIC_NAME = 1.0, 0.6, 0.15
CODE = 1.0
WORD = 0.35  # three uncommon words together
CHARACTER = 1 / 6  # of uncommon Chinese, in stretches of two and more
CHINESE_NAME = 0.7
AUTHOR, PERSON = 0.3, 0.2  # who said it in private is spoken of; who was spoken of there
DAY, WEEKDAY, MONTH = 0.35, 0.2, 0.2
CONCEPT, CONCEPTS = 0.15, 0.3  # of team work, and all of them together
AROUND = 0.65  # who, when and what it is about, without anything of its own
TURN = 0.35  # some of the very words, which may be a turn of speech
QUOTE = 2 * RUN  # letters of them that are none any more
CONFIDENCE = 0.5  # the same kind of confidential matter
OF_SOMEBODY = 0.2  # more where it is about the same person
FIGURES = {1: 0.25, 2: 0.5, 3: 0.85}  # by how many digits tell; more are enough
SAME_UNIT, OTHER_UNIT = 0.35, 0.4
SMALL = 100  # below it an amount is a coincidence more easily


@dataclass(frozen=True, slots=True)
class Private:
    """Something said in private."""

    text: str
    original: int | None = None
    authors: tuple[str, ...] = ()
    """What its author is called."""
    said: date | None = None


class Met(Protocol):
    """What the reader could have met somewhere open."""

    people: Iterable[str]
    """Names that tell nothing by themselves, folded."""

    def piece(self, piece: str) -> bool:
        """Whether some words were."""
        ...

    def figure(self, figure: Figure) -> bool:
        """Whether an amount was."""
        ...

    def matter(self, kind: str, names: tuple[str, ...]) -> bool:
        """Whether a kind of confidential matter was, said by or of somebody with these names."""
        ...


@dataclass
class Opens(Met):
    """The reader has met these texts and people, and nothing else."""

    texts: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._met = "\n".join(squeeze(one) for one in (*self.texts, *self.people))
        self._figures: set[float] | None = None

    def piece(self, piece: str) -> bool:
        """Whether it stands in one of them, however it is spaced."""
        return squeeze(piece) in self._met

    def figure(self, figure: Figure) -> bool:
        """Whether one of them holds the amount."""
        if self._figures is None:
            self._figures = {f.value for one in self.texts for f in traits.of(one).figures}
        return figure.value in self._figures

    def matter(self, kind: str, names: tuple[str, ...]) -> bool:
        """Whether one of them speaks of it, and of the same person."""
        return any(self._speaks(one, kind, names) for one in self.texts)

    def _speaks(self, text: str, kind: str, names: tuple[str, ...]) -> bool:
        seen = traits.of(text)
        about = not names or any(seen.has(name) for name in names)
        return about and kind in seen.confidences


@dataclass(frozen=True, slots=True)
class Leak:
    """What a text gives away."""

    piece: str
    """What it has in common with the private words."""
    private: Private


def find(
    text: Traits, privates: Iterable[Private], met: Met, *, asked: bool = False
) -> Leak | None:
    """The first private words that a text gives away; None when there are none."""
    return next(all_of(text, privates, met, asked=asked), None)


def all_of(
    text: Traits, privates: Iterable[Private], met: Met, *, asked: bool = False
) -> Iterator[Leak]:
    """Every private words that a text gives away.

    An answer to a question, `asked`, may use the turns of speech that everybody uses.
    """
    known = frozenset(map(squeeze, met.people))
    for one in privates:
        if (piece := _secret(text, one, met, known, asked)) is not None:
            yield Leak(piece, one)


def _secret(
    mine: Traits, private: Private, met: Met, known: frozenset[str], asked: bool
) -> str | None:
    theirs = traits.of(private.text, private.said) if len(private.text) < traits.LONG else None
    theirs = theirs or Traits(private.text, private.said)
    run = _verbatim(mine, theirs, met, asked)
    if run is not None and not asked:
        return run
    found = {run: TURN} if run else {}
    if run and traits.weight(run) >= QUOTE:
        return run
    found |= dict(_pieces(mine, theirs, met, known))
    own = sum(found.values())
    if own >= ENOUGH:
        return ", ".join(found)
    names = tuple(name for name in private.authors if mine.has(name))
    around = dict(_around(mine, theirs, bool(names), known))
    if not found and not names and not around:
        return None
    total = own + min(AROUND, sum(around.values()))
    whose = names or tuple(name for name in known if name in around)
    matters = mine.confidences & theirs.confidences
    fresh = sorted(kind for kind in matters if not met.matter(kind, whose))
    if fresh:
        total += CONFIDENCE + (OF_SOMEBODY if whose else 0)
    if total < ENOUGH or not (found or fresh):
        return None
    return ", ".join((*found, *around, *fresh))


def _verbatim(mine: Traits, theirs: Traits, met: Met, asked: bool) -> str | None:
    """The longest of the very words that is nowhere open; unasked, the first will do."""
    shared = (w for w in traits.windows(theirs.squeezed) if w in mine.windows)
    first = next((window for window in shared if not met.piece(window)), None)
    if first is None or not asked:
        return first
    runs = sorted(_runs(mine.squeezed, theirs.squeezed), key=len, reverse=True)
    return next((run for run in runs if not met.piece(run)), None)


def _pieces(
    mine: Traits, theirs: Traits, met: Met, known: frozenset[str]
) -> Iterator[tuple[str, float]]:
    """What the two have in common that is nowhere open, with its weight."""
    shared = mine.words & theirs.words
    yield from ((one, CODE) for one in _codes(mine, theirs) if not met.piece(one))
    yield from _names(mine, theirs, shared, met, known)
    yield from _amounts(mine, theirs, met)
    for stretch, weight in _stretches(mine, theirs, known):
        if not met.piece(stretch):
            yield stretch, weight


def _codes(mine: Traits, theirs: Traits) -> Iterator[str]:
    if mine.codes or any(map(str.isdigit, mine.squeezed)):
        for code in theirs.codes:
            if code in mine.codes or (len(code) >= 6 and code in mine.squeezed):
                yield code


def _names(
    mine: Traits, theirs: Traits, shared: frozenset[str], met: Met, known: frozenset[str]
) -> Iterator[tuple[str, float]]:
    candidates = {word for word in shared if word.isalpha() and len(word) >= 3}
    rare = traits.rare(frozenset(candidates))
    names = theirs.names if candidates else {}
    for word in sorted(candidates):
        if word in known:
            continue
        if word in names:
            weight = NAME if names[word] else OPENING_NAME
            weight = PUBLIC_NAME if word in ordinary.PUBLIC else weight
        elif word in rare:
            weight = WORD
        else:
            continue
        if not met.piece(word):
            yield word, weight


def _amounts(mine: Traits, theirs: Traits, met: Met) -> Iterator[tuple[str, float]]:
    if not mine.figures:
        return
    if len(theirs.text) >= traits.LONG:
        yield from _amounts_in_long(mine, theirs, met)
        return
    for one in mine.figures:
        same = [other for other in theirs.figures if other.value == one.value]
        if same and not met.figure(one):
            yield written(one.value), max(_weight_of(one, other, mine, theirs) for other in same)


def _amounts_in_long(mine: Traits, theirs: Traits, met: Met) -> Iterator[tuple[str, float]]:
    for one in mine.figures:
        wanted = [way for way in figures.spellings(one.value) if len(squeeze(way)) >= 3]
        if any(way in theirs.lower for way in wanted) and not met.figure(one):
            weight = FIGURES.get(one.telling, 1.0) if one.value >= SMALL else FIGURES[1]
            yield written(one.value), weight


def _weight_of(one: Figure, other: Figure, mine: Traits, theirs: Traits) -> float:
    weight = FIGURES.get(one.telling, 1.0)
    if one.value < SMALL:
        weight = min(weight, 0.3)
    here, there = _unit(one, mine), _unit(other, theirs)
    if here and there and base(here) != base(there):
        return weight * OTHER_UNIT
    return weight + (SAME_UNIT if here and base(here) == base(there) else 0)


def _unit(figure: Figure, seen: Traits) -> str:
    """What is counted; where it does not say, money in a text about money."""
    if figure.unit or figure.value < SMALL:
        return figure.unit
    money = seen.confidences & {"pay", "funding", "debt", "takeover"}
    return "money" if money or seen.concepts & {"price", "budget", "offer", "contract"} else ""


def _stretches(mine: Traits, theirs: Traits, known: frozenset[str]) -> Iterator[tuple[str, float]]:
    """Chinese that both hold: names, and the longest stretches with something uncommon in them."""
    if not mine.chinese or theirs.squeezed.isascii():
        return
    names = {one for one in theirs.chinese_names if one in mine.squeezed} - known
    yield from ((name, CHINESE_NAME) for name in sorted(names))
    for stretch in sorted(shared_stretches(mine.chinese, theirs.squeezed)):
        for name in (*known, *names):
            if not name.isascii():
                stretch = stretch.replace(name, " ")
        for part in stretch.split():
            if left := traits.remains(part):
                yield part, left * CHARACTER


def _around(
    mine: Traits, theirs: Traits, author: bool, known: frozenset[str]
) -> Iterator[tuple[str, float]]:
    """Who is spoken of, when, and what it is about: nothing by itself."""
    if author:
        yield "its author", AUTHOR
    for name in known:
        if len(name) > 1 and mine.has(name) and theirs.has(name):
            yield name, PERSON
            break
    days = mine.days & theirs.days
    for start, weight in (("weekday", WEEKDAY), ("month", MONTH)):
        if any(day.startswith(start) for day in days):
            yield start, weight
    if any(day[0].isdigit() for day in days):
        yield "a day", DAY
    if concepts := mine.concepts & theirs.concepts:
        yield ", ".join(sorted(concepts)), min(CONCEPTS, CONCEPT * len(concepts))


def shared_stretches(mine: list[str], theirs: str) -> set[str]:
    """The longest stretches of two characters and more that stand in another text as well."""
    found: set[str] = set()
    for stretch in mine:
        start = 0
        while start < len(stretch) - 1:
            end = start + 2
            if stretch[start:end] not in theirs:
                start += 1
                continue
            while end < len(stretch) and stretch[start : end + 1] in theirs:
                end += 1
            found.add(stretch[start:end])
            start = end
    return found


def written(value: float) -> str:
    """An amount in figures alone."""
    return str(int(value)) if value == int(value) else str(value)


def fragments(text: str, private: str) -> list[str]:
    """What two texts have in common that is no coincidence, longest first."""
    mine, theirs = Traits(text), Traits(private)
    amounts = {one.value for one in mine.figures} & {one.value for one in theirs.figures}
    found = [*_runs(mine.squeezed, theirs.squeezed), *(mine.codes & theirs.codes)]
    found += [written(value) for value in amounts if value >= SMALL]
    words = traits.rare(mine.words) & traits.rare(theirs.words)
    if len(words) >= 3:
        found.extend(words)
    return sorted(set(found), key=len, reverse=True)


def _runs(mine: str, theirs: str) -> list[str]:
    """Maximal shared runs of two squeezed texts."""
    found: list[str] = []
    end = at = 0
    for window in traits.windows(mine):
        at = mine.index(window, max(0, at))
        if window not in theirs:
            continue
        if found and at < end and found[-1] + mine[end : at + len(window)] in theirs:
            found[-1] += mine[end : at + len(window)]
        else:
            found.append(window)
        end = at + len(window)
    return found
