"""Text prepared for the full-text index, so that two-character Chinese words are found too.

A run of Chinese characters becomes its overlapping pairs, and its last character once more alone:
`冰箱坏了` is indexed as `冰箱 箱坏 坏了 了`. Other words are left to the index's own tokenizer.
"""

import re
from collections.abc import Iterator

_CJK = "\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_PIECE = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")
_STOP = frozenset(
    "a an and any are as at be been but by can could did do does for from had has have he her his "
    "how i if in into is it its me my no not of on or our she should so some that the their them "
    "then there they this to us was we were what when where which who whom why will with would "
    "you your please about tell know".split()
)
_STOP_CJK = frozenset(
    "的 了 吗 呢 吧 啊 我 你 他 她 它 们 是 在 有 和 就 也 都 还 不 很 请 把 被 "
    "我们 你们 他们 什么 怎么 为什 么时 时候 哪里 哪个 多少 谁是 是谁 知道 可以 一下 这个 那个 "
    "是什 请问 有没 没有 是不 不是".split()
)


def prepare(text: str) -> str:
    """The indexed form of a text."""
    return " ".join(word for piece in _pieces(text) for word in _words(piece))


def query(text: str, *, limit: int = 24) -> str:
    """A MATCH expression for any of the telling words of a question; empty when it has none."""
    found: dict[str, None] = {}
    for piece in _pieces(text):
        if not _IS_CJK.match(piece):
            if piece.lower() not in _STOP:
                found[f'"{piece}"'] = None
        elif len(piece) == 1:
            if piece not in _STOP_CJK:
                found[f'"{piece}" *'] = None
        else:
            pairs = (piece[i : i + 2] for i in range(len(piece) - 1))
            found.update((f'"{pair}"', None) for pair in pairs if pair not in _STOP_CJK)
    return " OR ".join(list(found)[:limit])


def _pieces(text: str) -> Iterator[str]:
    return (match.group() for match in _PIECE.finditer(text))


def _words(piece: str) -> Iterator[str]:
    if not _IS_CJK.match(piece):
        yield piece
        return
    for i in range(len(piece) - 1):
        yield piece[i : i + 2]
    yield piece[-1]
