"""The leak guard: whether a text gives away something private, whatever it claims to rest on.

12 letters or 6 CJK characters in a row are enough. So is what adds up to as much of that which the
two have in common and the reader could not have met anywhere open: names, amounts in whatever
writing, keys, uncommon words, who is spoken of, when, and what kind of matter it is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Protocol

from agency import figures, ordinary, traits
from agency.figures import Figure
from agency.traits import Traits, base, squeeze

RUN = traits.RUN
ENOUGH = 0.99  # of evidence: the sum of weights that is no coincidence
NAME, OPENING_NAME, PUBLIC_NAME = 1.0, 0.6, 0.15
CODE = 1.0
WORD, STRANGE_WORD = 0.35, 0.45  # three uncommon words together; more for one no list has
CHARACTER = 1 / 6  # of uncommon Chinese, in stretches of two and more
CHINESE_NAME = 0.7
AUTHOR, PERSON = 0.4, 0.2  # who said it in private is spoken of; who was spoken of there
DAY, WEEKDAY, MONTH = 0.35, 0.2, 0.2
CONCEPT, CONCEPTS = 0.15, 0.3  # of team work, and all of them together
AROUND = 0.6  # who, when and what it is about, without anything of its own
TURN = 0.2  # some of the very words, which may be a turn of speech
QUOTE = 2 * RUN  # letters of them that are none any more
LOOKED_UP = 3  # of the longest runs that two texts share
CONFIDENCE = 0.5  # the same kind of confidential matter
OF_SOMEBODY = 0.2  # more where it is about the same person
FIGURES = {1: 0.25, 2: 0.5, 3: 0.85}  # by how many digits tell; more are enough
SAME_UNIT, OTHER_UNIT = 0.35, 0.4
FEW = 0.25  # of a small amount
SMALL, LARGE = 100, 1000  # below it an amount is a coincidence more easily, and above it less


@dataclass(frozen=True, slots=True)
class Private:
    """Something said in private."""

    text: str
    original: int | None = None
    authors: tuple[str, ...] = ()
    """What its author is called."""
    said: date | None = None
    person: int | None = None


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


class Opens(Met):
    """The reader has met these texts and people, and nothing else."""

    def __init__(self, texts: Iterable[str] = (), people: Iterable[str] = ()) -> None:
        self._texts = [*texts]
        self.people = [*people]

    @cached_property
    def texts(self) -> list[str]:
        """What may be met."""
        return self._texts

    @cached_property
    def names(self) -> list[str]:
        """Names that may be met in part."""
        return [*self.people]

    @cached_property
    def _met(self) -> str:
        return "\n".join(squeeze(one) for one in (*self.texts, *self.names))

    @cached_property
    def _figures(self) -> set[float]:
        return {figure.value for one in self.texts for figure in traits.of(one).figures}

    def piece(self, piece: str) -> bool:
        """Whether it stands in one of them, however it is spaced."""
        return squeeze(piece) in self._met

    def figure(self, figure: Figure) -> bool:
        """Whether one of them holds the amount."""
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
    reader = _Reader(text, met)
    for one in privates:
        if (piece := reader.secret(one, asked)) is not None:
            yield Leak(piece, one)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something that two texts have in common, and how much it tells."""

    words: str
    weight: float
    figure: Figure | None = None

    def met(self, met: Met) -> bool:
        return met.figure(self.figure) if self.figure else met.piece(self.words)


class _Reader:
    """Compares one text with many; what it looked up of it, it remembers."""

    def __init__(self, mine: Traits, met: Met, *, whole: bool = True) -> None:
        self._mine = mine
        self._met = met
        self._whole = whole
        self._known = frozenset(map(squeeze, met.people))
        self._named = [name for name in self._known if len(name) > 1 and mine.has(name)]
        self._authors: dict[str, bool] = {}

    @cached_property
    def _chunks(self) -> list["_Reader"]:
        pieces = self._mine.chunks if self._whole else []
        return [_Reader(Traits(one, self._mine.said), self._met, whole=False) for one in pieces]

    def secret(self, private: Private, asked: bool) -> str | None:
        """What the text gives away of private words; nothing is looked up that cannot matter."""
        mine, theirs = self._mine, _traits_of(private)
        run = _verbatim(mine, theirs, self._met, asked)
        if run and (not asked or traits.weight(run) >= QUOTE):
            return run
        pieces = [*_pieces(mine, theirs, self._known)]
        if run:
            pieces.append(_Piece(run, TURN))
        names = tuple(name for name in private.authors if self._is_named(name))
        around = dict(self._around(theirs, bool(names)))
        aside = min(AROUND, sum(around.values()))
        if not pieces and not names:
            return None
        whose = names or tuple(name for name in self._named if name in around)
        matters = mine.confidences & theirs.confidences
        matter = CONFIDENCE + (OF_SOMEBODY if whose else 0)
        if sum(one.weight for one in pieces) + aside + (matter if matters else 0) < ENOUGH:
            return None
        found = [one for one in pieces if not one.met(self._met)]
        own = sum(one.weight for one in found)
        if any(one.weight >= ENOUGH for one in found):
            return ", ".join(one.words for one in found)
        if self._chunks:
            # A long text holds something of everything: it adds up only where it stands together.
            return next(
                (piece for one in self._chunks if (piece := one.secret(private, asked))), None
            )
        if own >= ENOUGH:
            return ", ".join(one.words for one in found)
        fresh = sorted(kind for kind in matters if not self._met.matter(kind, whose))
        if not (found or fresh) or own + aside + (matter if fresh else 0) < ENOUGH:
            return None
        return ", ".join((*(one.words for one in found), *around, *fresh))

    def _is_named(self, name: str) -> bool:
        if name not in self._authors:
            self._authors[name] = self._mine.has(name)
        return self._authors[name]

    def _around(self, theirs: Traits, author: bool) -> Iterator[tuple[str, float]]:
        """Who is spoken of, when, and what it is about: nothing by itself."""
        if author:
            yield "its author", AUTHOR
        yield from ((name, PERSON) for name in self._named[:1] if theirs.has(name))
        mine = self._mine
        if mine.days:
            days = mine.days & theirs.days
            for start, weight in (("weekday", WEEKDAY), ("month", MONTH)):
                if any(day.startswith(start) for day in days):
                    yield start, weight
            if any(day[0].isdigit() for day in days):
                yield "a day", DAY
        if mine.concepts and (concepts := mine.concepts & theirs.concepts):
            yield ", ".join(sorted(concepts)), min(CONCEPTS, CONCEPT * len(concepts))


def _traits_of(private: Private) -> Traits:
    if len(private.text) < traits.LONG:
        return traits.of(private.text, private.said)
    return Traits(private.text, private.said)


def _verbatim(mine: Traits, theirs: Traits, met: Met, asked: bool) -> str | None:
    """The longest of the very words that is nowhere open; unasked, the first will do."""
    if not mine.may_share_a_run(theirs):
        return None
    if not asked:
        shared = (w for w in traits.windows(theirs.squeezed) if w in mine.windows)
        return next((window for window in shared if not met.piece(window)), None)
    runs = sorted(traits.runs(theirs.squeezed, mine.windows), key=len, reverse=True)
    return next((run for run in runs[:LOOKED_UP] if not met.piece(run)), None)


def _pieces(mine: Traits, theirs: Traits, known: frozenset[str]) -> Iterator[_Piece]:
    """What the two have in common that tells something by itself."""
    yield from (_Piece(one, CODE) for one in _codes(mine, theirs))
    yield from _names(mine, theirs, known)
    yield from _amounts(mine, theirs)
    yield from _stretches(mine, theirs, known)


def _codes(mine: Traits, theirs: Traits) -> Iterator[str]:
    if mine.codes or mine.digits:
        for code in theirs.codes:
            if code in mine.codes or (len(code) >= 6 and code in mine.squeezed):
                yield code


def _names(mine: Traits, theirs: Traits, known: frozenset[str]) -> Iterator[_Piece]:
    shared = {w for w in mine.words & theirs.words if len(w) >= 3 and w.isalpha()} - known
    rare = traits.rare(shared)
    names = theirs.names if shared else {}
    for word in sorted(shared):
        if word in names:
            weight = NAME if names[word] else OPENING_NAME
            yield _Piece(word, PUBLIC_NAME if word in ordinary.PUBLIC else weight)
        elif word in rare:
            yield _Piece(word, STRANGE_WORD if traits.is_strange(word) else WORD)


def _amounts(mine: Traits, theirs: Traits) -> Iterator[_Piece]:
    if not mine.figures:
        return
    if len(theirs.text) >= traits.LONG:
        yield from _amounts_in_long(mine, theirs)
        return
    for one in mine.figures:
        if same := [other for other in theirs.figures if other.value == one.value]:
            weight = max(_weight_of(one, other, mine, theirs) for other in same)
            yield _Piece(written(one.value), weight, one)


def _amounts_in_long(mine: Traits, theirs: Traits) -> Iterator[_Piece]:
    for one in mine.figures:
        wanted = [way for way in figures.spellings(one.value) if len(squeeze(way)) >= 3]
        if any(way in theirs.lower for way in wanted):
            weight = FIGURES.get(one.telling, 1.0) if one.value >= SMALL else FIGURES[1]
            yield _Piece(written(one.value), weight, one)


def _weight_of(one: Figure, other: Figure, mine: Traits, theirs: Traits) -> float:
    weight = FIGURES.get(one.telling, 1.0)
    if one.value < SMALL:
        weight = min(weight, FEW)
    elif one.value >= LARGE:
        weight += 0.1
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


def _stretches(mine: Traits, theirs: Traits, known: frozenset[str]) -> Iterator[_Piece]:
    """Chinese that both hold: names, and the longest stretches with something uncommon in them."""
    if not mine.chinese or theirs.squeezed.isascii():
        return
    names = {one for one in theirs.chinese_names | theirs.unlisted if one in mine.squeezed}
    names |= {one for one in mine.unlisted if one in theirs.squeezed}
    names -= known | ordinary.CHINESE
    for name in sorted(names):
        yield _Piece(name, CHINESE_NAME if len(name) < 3 else NAME)
    for stretch in sorted(shared_stretches(mine.chinese, theirs.squeezed)):
        for name in (*known, *names):
            if not name.isascii():
                stretch = stretch.replace(name, " ")
        for part in stretch.split():
            if left := traits.remains(part):
                yield _Piece(part, left * CHARACTER)


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
