"""How names begin, so that an index can tell which of many may stand in a text.

A name may stand wherever one of its words begins as a word of the text does. Chinese, and whatever
else is written without gaps or with endings, may begin at every sign. A name without a letter, an
emoji say, begins with its first sign.
"""

import re
import unicodedata
from collections.abc import Iterator

_WORD = re.compile(r"[^\W_]+")
_OTHER = re.compile(r"[^\w\s\x00\ud800-\udfff]|_")  # whatever else can be stored
_DENSE = "\u2e80"  # from here on two signs tell as much as four letters
_LETTERS, _SIGNS = 4, 2


def starts(name: str) -> frozenset[str]:
    """How each word of a name begins, and the name where it is written as one word."""
    plain = _plain(name)
    words = _WORD.findall(plain)
    found = frozenset(word[: _size(word)] for word in (*words, "".join(words)) if word)
    return found or frozenset(_OTHER.findall(plain)[:1])


def starts_in(text: str) -> frozenset[str]:
    """What a name that stands in a text may begin with."""
    found: set[str] = set()
    for piece in {text} if text.isascii() else set(text.split()):
        plain = _plain(piece)
        for word in set(_WORD.findall(plain)):
            # Behind a sign that is plain by now, as in ①Bob, a name begins inside of a word.
            places = (0,) if piece.isascii() else range(len(word))
            found.update(start for at in places for start in _beginnings(word[at : at + _LETTERS]))
        found.update(_OTHER.findall(plain))
    return frozenset(found)


def _beginnings(word: str) -> Iterator[str]:
    return (word[:size] for size in range(1, _size(word) + 1))


def _size(word: str) -> int:
    return _SIGNS if word[0] >= _DENSE else _LETTERS


def _plain(text: str) -> str:
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text)
        text = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return text.casefold().replace("ı", "i")  # SILA is Sıla, too
