"""Matters people speak of in confidence, however they word them, in English and Chinese.

They are what a paraphrase cannot do without: "I handed in my notice" and "Jon is leaving us".
"""

import re
import tomllib
from functools import lru_cache
from pathlib import Path

READ = 4000  # signs of a text; who confides in somebody does it sooner
_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _any(language: str) -> str:
    kinds = (f"(?P<{kind}>{'|'.join(words[language])})" for kind, words in _TABLE.items())
    return f"(?:{'|'.join(kinds)})"


# What they begin with lets most places be passed by without trying every alternative.
_ENGLISH = re.compile(rf"\b{_any('en')}(?![a-z])", re.I)
_CHINESE = re.compile(rf"(?=[^\W_a-np-z0-9]){_any('zh')}", re.I)
_LETTERS = re.compile(r"[A-Za-z]{3}")


@lru_cache(maxsize=4096)
def read(text: str) -> frozenset[str]:
    """The kinds of matters a text speaks of."""
    text = text[:READ]
    found = {one.lastgroup for one in _ENGLISH.finditer(text)} if _LETTERS.search(text) else set()
    if not text.isascii():
        found |= {one.lastgroup for one in _CHINESE.finditer(text)}
    return frozenset(kind for kind in found if kind)
