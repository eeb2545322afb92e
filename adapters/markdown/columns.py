"""A table where a platform has none: lines of equal width in a fixed-width font, or sentences."""

import unicodedata
from dataclasses import replace
from functools import lru_cache

from adapters.markdown.tree import Code, Paragraph, Span, Spans, Table, merged, words

_WIDEST = 100  # columns that still read as a table


@lru_cache(maxsize=64)
def shown(table: Table) -> Code | Paragraph:
    """The table as lines of equal width where they read well and lose nothing, else as a text."""
    cells = [cell for row in (table.header, *table.rows) for cell in row]
    lines = aligned(table)
    if any(span.link or span.person for cell in cells for span in cell):
        return spelled(table)
    if max(map(width, lines.splitlines()), default=0) > _WIDEST:
        return spelled(table)
    return Code(lines)


def aligned(table: Table) -> str:
    """The table as lines; Chinese signs count two columns, combining marks none."""
    rows = [[words(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    ways = [*table.aligned, *[""] * len(widths)]
    lines = [" │ ".join(map(_padded, row, widths, ways[: len(widths)])).rstrip() for row in rows]
    lines.insert(1, "─┼─".join("─" * wide for wide in widths))
    return "\n".join(lines)


def width(text: str) -> int:
    """How many columns a text takes in a fixed-width font."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def spelled(table: Table) -> Paragraph:
    """The table as a line a row with its links and mentions, in the order of reading."""
    header = tuple(tuple(replace(span, bold=True) for span in cell) for cell in table.header)
    lines = [span for row in (header, *table.rows) for span in (Span("\n"), *_row(row))]
    return Paragraph(merged(lines[1:]))


def _row(cells: tuple[Spans, ...]) -> list[Span]:
    filled = [cell or (Span("—"),) for cell in cells]
    return [span for cell in filled for span in (Span(" · "), *cell)][1:]


def _padded(text: str, to: int, way: str) -> str:
    room = to - width(text)
    before = {"right": room, "center": room // 2}.get(way, 0)
    return " " * before + text + " " * (room - before)


@lru_cache(maxsize=4096)
def _columns(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
