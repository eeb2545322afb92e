"""Long alternations compiled so that they are quick to fail: most sentences match none of them."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

_EDGE = r"\b"
_WORD = re.compile(r"\\b(?:\((?:\?(?:-i)?:|\?P<\w+>)?)*(?:\w|\[[A-Za-z]|\\w)")
"""How an alternative begins that begins with a word, inside groups or not."""


def any_of(*parts: str) -> re.Pattern[str]:
    """Any of the parts, in their order, in either case.

    Neighbours that begin at a word's edge share one test for it. Otherwise every one of them makes
    that test at every sign of the text, which is where the time of a search goes.
    """
    grouped = groupby(_choices("|".join(parts)), key=_edge)
    return re.compile("|".join(_group(edge, some) for edge, some in grouped), re.IGNORECASE)


def _edge(choice: str) -> str:
    """The test an alternative begins with; the end of a word is an edge too, mostly of no use."""
    if not choice.startswith(_EDGE):
        return ""
    return rf"{_EDGE}(?=\w)" if _WORD.match(choice) else _EDGE


def _group(edge: str, choices: Iterable[str]) -> str:
    rest = "|".join(one.removeprefix(_EDGE) if edge else one for one in choices)
    return f"{edge}(?:{rest})" if edge else rest


def _choices(pattern: str) -> Iterator[str]:
    """The alternatives at the top level of a pattern."""
    depth, in_class, start, i = 0, False, 0, 0
    while i < len(pattern):
        sign = pattern[i]
        if sign == "\\":
            i += 1
        elif in_class:
            in_class = sign != "]"
        elif sign == "[":
            in_class = True
            i += pattern[i + 1] in "]^"  # a bracket at the very beginning is a member
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == "|" and depth == 0:
            yield pattern[start:i]
            start = i + 1
        i += 1
    yield pattern[start:]
