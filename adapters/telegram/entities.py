"""Formatting as Telegram tells it, in UTF-16 units beside the text, made into Markdown."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
Rewrite = Callable[[Json, str], str]
"""What an entity reads like instead, by the entity and its text."""

_MARKS = {"bold": "**", "italic": "_", "strikethrough": "~~", "spoiler": "||"}
_VERBATIM = frozenset({"code", "pre"})


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    entity: Json


def cut(text: str, entity: Json) -> str:
    """The words an entity covers."""
    return _slice(_units(text), int(entity["offset"]), int(entity["offset"] + entity["length"]))


def markdown(text: str, entities: Sequence[Json], rewrite: Rewrite) -> str:
    """The text with its formatting as Markdown; `rewrite` words mentions and commands."""
    units = _units(text)
    length = len(units) // 2
    spans = []
    for entity in entities:
        start = min(max(0, int(entity["offset"])), length)
        end = min(start + max(0, int(entity["length"])), length)
        if start < end:
            spans.append(_Span(start, end, entity))
    # the outer one first, so that what lies inside follows it
    spans.sort(key=lambda span: (span.start, -span.end))
    return _written(units, 0, length, spans, rewrite)


def _written(units: bytes, start: int, end: int, spans: Sequence[_Span], rewrite: Rewrite) -> str:
    pieces: list[str] = []
    at, left = start, list(spans)
    while left:
        span = left.pop(0)
        if span.start < at:
            continue  # overlaps its neighbour, which Telegram never sends
        inside = [one for one in left if one.start < span.end]
        left = left[len(inside) :]
        if span.entity["type"] in _VERBATIM:
            inside = []
        inner = _written(units, span.start, min(span.end, end), inside, rewrite)
        pieces += (_slice(units, at, span.start), _marked(span.entity, inner, rewrite))
        at = span.end
    return "".join((*pieces, _slice(units, at, end)))


def _marked(entity: Json, inner: str, rewrite: Rewrite) -> str:
    kind = entity["type"]
    if mark := _MARKS.get(kind):
        return _around(inner, mark, mark)
    if kind == "code":
        ticks = _ticks(inner, 1)
        pad = " " if inner.startswith("`") or inner.endswith("`") else ""
        return f"{ticks}{pad}{inner}{pad}{ticks}"
    if kind == "pre":
        ticks, end = _ticks(inner, 3), "" if inner.endswith("\n") else "\n"
        return f"{ticks}{entity.get('language') or ''}\n{inner}{end}{ticks}"
    if kind in ("blockquote", "expandable_blockquote"):
        return "\n".join(f"> {line}".rstrip() for line in inner.split("\n"))
    if kind == "text_link":
        return _around(inner, "[", f"]({entity['url']})")
    return rewrite(entity, inner)


def _around(inner: str, before: str, after: str) -> str:
    """Put marks around words; white space stays outside, since Markdown wants it there."""
    words = inner.strip()
    if not words:
        return inner
    lead = inner[: len(inner) - len(inner.lstrip())]
    return f"{lead}{before}{words}{after}{inner[len(lead) + len(words) :]}"


def _ticks(inner: str, least: int) -> str:
    longest = max((len(run) for run in re.findall("`+", inner)), default=0)
    return "`" * max(least, longest + 1 if longest >= least else 0)


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _slice(units: bytes, start: int, end: int) -> str:
    return units[2 * start : 2 * end].decode("utf-16-le", "replace")
