"""Which words only one person said: where the bot wrote them, it had them from there.

What the bot says, notes and thinks leads back to what it rests on, mostly. Where it does not, in
what a model wrote in a trace or in a notebook, the words themselves tell whose they were.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from agency import rarity
from memory import search
from memory.db import Reader
from memory.words import prepare

PHRASE = 6  # words in a row, or seven Chinese signs, that are no accident
TELLING = 0.85  # the weight of a word that tells something
SHORTEST = 4  # signs of a word that may give somebody away alone
DIGITS = 5  # digits of such a number
ENOUGH = 2  # uncommon words that do so together
_ESCAPED = re.compile(r'\\+[nrtbf"/]?')


@dataclass(frozen=True, slots=True)
class Whose:
    """Those whose words are looked for; whatever anybody else said is not theirs."""

    people: tuple[int, ...] = ()
    sessions: tuple[int, ...] = ()


@dataclass(slots=True)
class OwnWords:
    """What only they said."""

    reader: Reader
    whose: Whose
    rare: set[str] = field(default_factory=set)
    """Words of no language, such as names: one is enough."""
    uncommon: set[str] = field(default_factory=set)
    """Words few people use: `ENOUGH` of them are."""
    weighed: set[str] = field(default_factory=set)
    """Every word that was looked at, of whomever."""
    phrases: dict[tuple[str, ...], bool | None] = field(default_factory=dict)
    """Words in a row, and whether only they said so; None until somebody has to know."""
    chinese: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The Chinese ones of both kinds of words, by their first two signs."""

    def add(self, text: str) -> None:
        """Take in something they said."""
        words = _words(text)
        fresh = {*words, *rarity.words(text)} - self.weighed
        self.weighed |= fresh
        for word in fresh:
            weight = _weight(word)
            if weight >= TELLING and not self._said_by_others(_as_phrase(word)):
                (self.rare if weight >= rarity.UNKNOWN else self.uncommon).add(word)
                if _is_chinese(word):
                    self.chinese[word[:2]].append(word)
        telling = [_weight(word, alone=False) >= TELLING for word in words]
        for start in range(len(words) - PHRASE + 1):
            if sum(telling[start : start + PHRASE]) >= ENOUGH:
                self.phrases.setdefault(tuple(words[start : start + PHRASE]), None)

    def told_in(self, text: str) -> bool:
        """Whether a text of the bot's holds what only they said."""
        words = _words(_ESCAPED.sub(" ", text))
        found = {word for word in words if word in self.rare or word in self.uncommon}
        for pair in {word for word in words if word in self.chinese}:
            found.update(word for word in self.chinese[pair] if word in text)
        if found & self.rare or len(found) >= ENOUGH:
            return True
        rows = zip(*(words[at:] for at in range(PHRASE)), strict=False)
        return any(self._only_theirs(phrase) for phrase in rows if phrase in self.phrases)

    def _only_theirs(self, phrase: tuple[str, ...]) -> bool:
        known = self.phrases[phrase]
        if known is None:
            known = self.phrases[phrase] = not self._said_by_others(" ".join(phrase))
        return known

    def _said_by_others(self, phrase: str) -> bool:
        return search.said_by_others(
            self.reader, phrase, people=self.whose.people, sessions=self.whose.sessions
        )


def _words(text: str) -> list[str]:
    return prepare(text).lower().split()


@lru_cache(maxsize=100_000)
def _weight(word: str, *, alone: bool = True) -> float:
    """How much a word tells of who said it; `alone` when no words stand around it."""
    if _is_chinese(word):
        return rarity.weight(word) if len(word) > 1 else 0.0
    if word.isdecimal():
        return rarity.UNKNOWN if len(word) >= DIGITS else 0.0
    if alone and len(word) < SHORTEST:
        return 0.0
    return min(rarity.weight(word), rarity.weight(rarity.stem(word)))


def _as_phrase(word: str) -> str:
    """A word as it is found in the index."""
    if not _is_chinese(word) or len(word) < 2:
        return word
    return " ".join(word[at : at + 2] for at in range(len(word) - 1))


def _is_chinese(word: str) -> bool:
    return word[0] >= "\u3400"
