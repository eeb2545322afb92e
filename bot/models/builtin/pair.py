"""Two remarks of two rooms side by side: what they share, and what the later one does to it."""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property

from agency import moments, rarity, subjects
from agency.salience import Kind
from bot.models.builtin import kinship, plain_words, values
from bot.models.builtin.world import Remark, World

_DAY = 0.5  # for the same day in both
_ALIKE = 0.9  # where a clause of each is about little else
_VALUE = 0.6  # for another value of the same sort
_THEIRS = 1.2  # for the name of the room there, on the same day
_ROOM = 0.8  # for the name of the room there
_LATE = timedelta(days=60)


@dataclass(frozen=True)
class Pair:
    """What was said here, and what was said there about it."""

    here: Remark
    there: Remark
    world: World

    @cached_property
    def words(self) -> dict[str, float]:
        """What they share, weighted."""
        found = kinship.shared(self.here, self.there, self.world)
        name = re.sub(r"[#\s]|群$", "", self.there.room.title)
        if 1 < len(name) < 8 and name[0] >= "\u4e00" and self.same_day and name in self.here.text:
            found[name] = max(found.get(name, 0.0), _THEIRS)
        return found

    @cached_property
    def weight(self) -> float:
        """How sure it is that they speak of one matter."""
        if not self.words:
            return 0.0
        day = _DAY if self.same_day else 0.0
        alike = min(self.cover_here, self.cover_there)
        other = _VALUE if self.other_value else 0.0
        other += _ROOM if self.names_room else 0.0
        return sum(self.words.values()) + day + other + (_ALIKE * alike if alike >= 0.35 else 0.0)

    @cached_property
    def cover_here(self) -> float:
        """How much of a clause here is about what is shared."""
        return kinship.cover(self.here.text, self.words, self.world)

    @cached_property
    def cover_there(self) -> float:
        """The same of a clause there."""
        return kinship.cover(self.there.text, self.words, self.world)

    @cached_property
    def best(self) -> float:
        """The weight of the most telling word they share."""
        return max(self.words.values(), default=0.0)

    @cached_property
    def several(self) -> bool:
        """Whether more is shared than one name that many matters may have."""
        two = len([w for w in self.words.values() if w >= 0.7]) >= 2
        return (two and sum(self.words.values()) >= 1.7) or self.best >= 2.0

    @cached_property
    def other_value(self) -> bool:
        """Whether another time, number, place or means is told there."""
        if not self.words:
            return False
        parts = (self._part(r) for r in (self.here, self.there))
        return values.other(self.here, self.there) or values.other(*parts)

    @cached_property
    def same_day(self) -> bool:
        """Whether both speak of one day."""
        here, there = self._days_here, self._days_there
        if here and there and plain_words.ONWARDS.search(self.there.text):
            return min(there) <= max(here)
        return bool(here & there)

    @cached_property
    def names_room(self) -> bool:
        """Whether the room here is named there."""
        name = re.sub(r"[#\s]|(?<=[\u4e00-\u9fff]{2})群$", "", self.here.room.title)
        return len(name) > 2 and name[0] >= "\u4e00" and name in self.there.text

    @property
    def later(self) -> bool:
        """Whether what was said there came after."""
        return self.there.at >= self.here.at

    @cached_property
    def trouble(self) -> bool:
        """Whether something is wrong there with what is shared."""
        return self._troubled(self.there)

    @cached_property
    def trouble_here(self) -> bool:
        """Whether that is said here too."""
        return self._troubled(self.here)

    @cached_property
    def otherwise(self) -> bool:
        """Whether it is told as something that was not so before."""
        told = plain_words.OTHERWISE.search(self.there.text) or self.there.has(Kind.CHANGE)
        return bool(told) and not pending(self.there)

    @cached_property
    def bare(self) -> bool:
        """Whether the clause there is about nothing but what is shared and a value."""
        clause = self._clause(self.there)
        rest = kinship.weigh(clause, subjects.terms(f"x {clause}"), self.world)
        acts = {
            term for word in re.findall(r"[A-Za-z]+(?:ed|s)\b", clause)
            for term in subjects.terms(f"x {word}")
        }  # fmt: skip
        return not any(
            weight >= 0.8 and t != "x" and t not in acts and not t.isdigit()
            and t not in self.here.terms and not kinship.partly(t, self.words)
            for t, weight in rest.items()
            if t not in self.words
        )  # fmt: skip

    @property
    def adds(self) -> bool:
        """Whether more is told there than is shared."""
        here, there = self.here.terms, self.there.terms
        own = {t for t, w in there.items() if w >= 1.0 and t.isascii()} - here.keys()
        rest = subjects.without_fillers(subjects.timeless(self.there.text))
        for word in self.words:
            rest = rest.replace(word, "")
        return bool(own) or len(re.findall(r"[\u4e00-\u9fff]", rest)) >= 4

    @property
    def in_time(self) -> bool:
        """Whether what slips there still comes before the day it is wanted here."""
        ends = plain_words.ENDS.search(self.there.text)  # what runs out early is no use later
        days, late = self._due_here, self._days_there
        return (
            bool(days and late)
            and max(late) < max(days)
            and not (ends or self.there.has(Kind.CHANGE))
            and not plain_words.ONWARDS.search(self.there.text)
        )

    @property
    def too_late(self) -> bool:
        """Whether what is wanted by a day here is told to come on a later one there."""
        days, late = self._due_here, self._days_there
        if not (days and late and timedelta(0) < max(late) - max(days) < _LATE):
            return False
        dated = (c for c in plain_words.CLAUSE.split(self.there.text) if moments.find(c))
        told = any(plain_words.TROUBLE.search(c) or plain_words.COMING.search(c) for c in dated)
        return told or self.trouble

    @cached_property
    def _due_here(self) -> set[date]:
        """The days named with what is shared, or all where that clause names none."""
        clause = self._clause(self.here)
        own = moments.days(moments.find(clause), clause, self.here.at)
        return own & self._days_here or self._days_here

    @cached_property
    def _days_here(self) -> set[date]:
        return moments.days(self.here.times, self.here.text, self.here.at)

    @cached_property
    def _days_there(self) -> set[date]:
        return moments.days(self.there.times, self.there.text, self.there.at)

    def _clause(self, remark: Remark) -> str:
        """The clause that is about what is shared more than the others are."""
        clauses = plain_words.CLAUSE.split(remark.text)
        return max(clauses, key=lambda c: kinship.cover(c, self.words, self.world))

    def _part(self, remark: Remark) -> Remark:
        text = self._clause(remark)
        terms = {t: w for t, w in subjects.terms(f"x {text}").items() if t in remark.terms}
        return replace(remark, text=text, terms=terms, times=tuple(moments.find(text)))

    @cached_property
    def works(self) -> bool:
        """Whether what is shared is said to be in order there."""
        clause = self._clause(self.there)
        return bool(plain_words.WORKS.search(clause)) and not plain_words.TROUBLE.search(clause)

    def _troubled(self, remark: Remark) -> bool:
        """In the clause that speaks of it, or in a later one that goes on about it."""
        name = re.sub(r"[#\s]|群$", "", self.there.room.title)
        near = remark is self.there and name in self.words  # in its own room it goes unnamed
        for clause in plain_words.CLAUSE.split(remark.text):
            low = clause.lower()
            mine = any(word in low or word in subjects.terms(f"x {low}") for word in self.words)
            goes_on = near and (name in self.words or _goes_on(clause))
            if (mine or goes_on) and plain_words.TROUBLE.search(clause):
                return True
            near = mine or goes_on
        return False


def _goes_on(clause: str) -> bool:
    """Whether a clause speaks on about what was named before it."""
    if plain_words.GOES_ON.search(clause) or plain_words.TROUBLE.match(clause.strip()):
        return True
    run = re.match(r"\W*([\u4e00-\u9fff]+)", clause)
    return run is not None and rarity.weight(rarity.cut(run.group(1))[0]) < 0.3


def pending(remark: Remark) -> bool:
    """Whether it is on its way only."""
    return remark.has(Kind.WAIT) or bool(plain_words.NOT_YET.search(remark.text))


def has_come(remark: Remark) -> bool:
    """Whether something is said to be there, or to be so."""
    if remark.has(Kind.DONE, Kind.RESOLUTION):
        return True
    told = re.search(r"[:：].*\d|https?:", remark.text)
    done = plain_words.DONE_ZH.search(remark.text) or plain_words.DONE_EN.search(remark.text)
    return bool(told or done)


def waits(remark: Remark) -> bool:
    """Whether somebody lacks something."""
    return remark.has(Kind.WAIT) or bool(plain_words.OPEN.search(remark.text))


def intends(remark: Remark) -> bool:
    """Whether somebody is about to make something."""
    return remark.has(Kind.START) or bool(plain_words.FIRST_PERSON.search(remark.text))


def rare(pair: Pair) -> bool:
    """Whether a name or a word no list has is shared."""
    return pair.best >= rarity.UNKNOWN
