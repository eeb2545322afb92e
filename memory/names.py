"""How names begin, so that an index can tell which of many may stand in a text.

A name may stand wherever one of its words begins as a word of the text does. Chinese, and whatever
else is written without gaps or with endings, may begin at every sign.
"""

import re
import unicodedata
from collections.abc import Iterator

_WORD = re.compile(r"[^\W_]+")
_DENSE = "\u2e80"  # from here on two signs tell as much as four letters
_LETTERS, _SIGNS = 4, 2


def starts(name: str) -> frozenset[str]:
    """How each word of a name begins, and the name where it is written as one word."""
    words = _words(name)
    return frozenset(word[: _size(word)] for word in (*words, "".join(words)) if word)


def starts_in(text: str) -> frozenset[str]:
    """What a name that stands in a text may begin with."""
    return frozenset(start for word in set(_words(text)) for start in _starts(word))


def _starts(word: str) -> Iterator[str]:
    for at in (0,) if word.isascii() else range(len(word)):
        for size in range(1, _size(word[at:]) + 1):
            yield word[at : at + size]


def _size(word: str) -> int:
    return _SIGNS if word[0] >= _DENSE else _LETTERS


def _words(text: str) -> list[str]:
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text)
        text = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return _WORD.findall(text.casefold())
