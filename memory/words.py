"""Text prepared for the full-text index, so that two-character Chinese words are found too.

A run of Chinese characters becomes its overlapping pairs, and its last character once more alone:
`冰箱坏了` is indexed as `冰箱 箱坏 坏了 了`. Other words are left to the index's own tokenizer.
"""

import re
import unicodedata
from collections.abc import Iterator

_CJK = "\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff"
_PIECE = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")
# Begins at the start of a word and never goes back: a word of 100,000 signs is read once.
_COMPOUND = re.compile(rf"(?<![^\W_{_CJK}])[^\W_{_CJK}]++(?:[-._/:@+][^\W_{_CJK}]++)++")
_STOP = frozenset(
    "a an and any are as at be been but by can could d did do does don for from had has have he "
    "her his how i if in into is it its ll m me my no not of on or our re s she should so some t "
    "that the their them then there they this to us ve was we were what when where which who whom "
    "why will with would you your please about tell know".split()
)
_STOP_CJK = frozenset(
    "的 了 吗 呢 吧 啊 我 你 他 她 它 们 是 在 有 和 就 也 都 还 不 很 请 把 被 "
    "我们 你们 他们 什么 怎么 为什 么时 时候 哪里 哪个 多少 谁是 是谁 知道 可以 一下 这个 那个 "
    "是什 请问 有没 没有 是不 不是".split()
)


_UNSEEN = frozenset("\u2800\u3164\u115f\u1160\uffa0") | {chr(c) for c in range(0xFE00, 0xFE10)}
"""Letters and marks that show nothing, beside what Unicode calls space, control or format."""


def is_blank(text: str) -> bool:
    """Whether there is nothing to be seen in a text."""
    return all(
        char.isspace() or char in _UNSEEN or unicodedata.category(char) in ("Cc", "Cf", "Zs")
        for char in text
    )


def prepare(text: str) -> str:
    """The indexed form of a text."""
    plain = _plain(text)
    if not _IS_CJK.search(plain):
        return " ".join(_PIECE.findall(plain))
    return " ".join(word for piece in _pieces(plain) for word in _words(piece))


def query(text: str, *, limit: int = 24) -> str:
    """A MATCH expression for any of the terms of a question; empty when it has no words."""
    return " OR ".join(terms(text, limit=limit))


def terms(text: str, *, limit: int = 24) -> list[str]:
    """MATCH expressions for each of the telling words of a question; none when it has no words.

    A compound such as `canary-release` is looked for as a whole as well, so that it ranks first.
    A question of nothing but small words is taken at its word.
    """
    plain = _plain(text)
    found = dict.fromkeys(_compounds(plain))
    every = [term for piece in _pieces(plain) for term in _terms(piece)]
    found.update((term, None) for term, telling in every if telling)
    return list(found or dict.fromkeys(term for term, _ in every))[:limit]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _pieces(text: str) -> Iterator[str]:
    return (match.group() for match in _PIECE.finditer(text))


def _words(piece: str) -> Iterator[str]:
    if not _IS_CJK.match(piece):
        yield piece
        return
    for i in range(len(piece) - 1):
        yield piece[i : i + 2]
    yield piece[-1]


def _compounds(text: str) -> Iterator[str]:
    for match in _COMPOUND.finditer(text):
        yield f'"{" ".join(_pieces(match.group()))}"'


def _terms(piece: str) -> Iterator[tuple[str, bool]]:
    """What to look for, and whether it tells anything."""
    if not _IS_CJK.match(piece):
        yield f'"{piece}"', piece.lower() not in _STOP
    elif len(piece) == 1:
        yield f'"{piece}" *', piece not in _STOP_CJK
    else:
        for i in range(len(piece) - 1):
            yield f'"{piece[i : i + 2]}"', piece[i : i + 2] not in _STOP_CJK
