"""Where a text may be cut: never in a sign, best where a reader pauses."""

import re
import unicodedata
from collections.abc import Iterator

from adapters.markdown import addresses
from adapters.markdown.tree import Span, Spans, words

_NAME = re.compile(r"[@＠][\w.-]+(?: [A-Z][\w.-]*)?")
_PAUSES = tuple(
    map(re.compile, (r"\n+", r"[.!?…]+\s+|[。！？；…]+[”」』）]?\s*", r"\s+", r"[，、：,;:]"))
)
_JOINERS = frozenset("\u200d\u2060")


def pause(spans: Spans, at: int) -> int:
    """The best place to cut at or before `at`: the end of a line, sentence, word; else any sign.

    Links, code, mentions and addresses are kept whole unless one alone is longer than that.
    """
    text = words(spans)
    if at >= len(text):
        return len(text)
    kept = list(_kept(spans, text))
    floor = at // 2
    for pattern in _PAUSES:
        ends = [found.end() for found in pattern.finditer(text, floor, at)]
        for end in reversed(ends):
            if _outside(end, kept) == whole(text, end) == end:
                return end
    # What is kept whole may itself begin early; half a page empty is better than half a link.
    outside = _outside(at, kept)
    return whole(text, outside if outside > 0 else at)


def whole(text: str, at: int) -> int:
    """The nearest place at or before `at` between two signs as people see them."""
    place = at
    while 0 < place < len(text) and _glued(text, place):
        place -= 1
    return place or at


def _glued(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if after in _JOINERS or before in _JOINERS or _extends(after):
        return True
    if _regional(after) and _regional(before):
        count = 0
        while count < at and _regional(text[at - 1 - count]):
            count += 1
        return count % 2 == 1
    return before == "\r" and after == "\n"


def _extends(sign: str) -> bool:
    return (
        unicodedata.category(sign) in ("Mn", "Mc", "Me")
        or "\U0001f3fb" <= sign <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= sign <= "\U000e007f"  # tags of flags
        or "\u1160" <= sign <= "\u11ff"  # vowels and tails of Korean syllables
    )


def _regional(sign: str) -> bool:
    return "\U0001f1e6" <= sign <= "\U0001f1ff"


def _kept(spans: Spans, text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for span in spans:
        if _indivisible(span):
            yield start, start + len(span.text)
        start += len(span.text)
    for pattern in (addresses.BARE, _NAME):
        yield from (found.span() for found in pattern.finditer(text))


def _indivisible(span: Span) -> bool:
    return bool(span.code or span.link or span.person)


def _outside(at: int, kept: list[tuple[int, int]]) -> int:
    """`at`, or where what lies across it begins."""
    for start, end in kept:
        if start < at < end:
            return _outside(start, kept)
    return at
