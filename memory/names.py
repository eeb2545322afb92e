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
_END = " "  # no word holds it


def starts(name: str) -> frozenset[str]:
    """How each word of a name begins, and the name where it is written as one word."""
    plain = _plain(name)
    words = _WORD.findall(plain)
    found = frozenset(_start(word) for word in (*words, "".join(words)) if word)
    return found or frozenset(_OTHER.findall(plain)[:1])


def starts_in(text: str) -> frozenset[str]:
    """What a name that stands in a text may begin with."""
    found: set[str] = set()
    for piece in {text} if text.isascii() else set(text.split()):
        plain = _plain(piece)
        for word in set(_WORD.findall(plain)):
            if piece.isascii():
                found.add(_start(word))
            else:
                # Behind a sign that is plain by now, as in ①Bob, a name begins inside of a word.
                found.update(_starts(word))
        found.update(_OTHER.findall(plain))
    return frozenset(found)


def _start(word: str) -> str:
    """How a word begins, or all of a short one: an initial is not every word with that letter."""
    return word[:size] if len(word) >= (size := _size(word)) else word + _END


def _starts(word: str) -> Iterator[str]:
    """Those of all that may begin at some sign of a word, and end at some other."""
    for at in range(len(word)):
        some = word[at : at + _size(word[at])]
        yield _start(some)
        yield from (some[:size] + _END for size in range(1, len(some)))


def _size(word: str) -> int:
    return _SIGNS if word[0] >= _DENSE else _LETTERS


def _plain(text: str) -> str:
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text)
        text = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return text.casefold().replace("ı", "i")  # SILA is Sıla, too
