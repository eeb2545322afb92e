"""A table as lines of equal width, for platforms that only have a fixed-width font."""

import unicodedata
from itertools import zip_longest

from adapters.markdown.tree import Block, Blocks, Paragraph, Span, Spans, Table, merged, words


def aligned(table: Table) -> str:
    """The table as lines; Chinese signs count two columns, combining marks none."""
    rows = [[words(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    ways = dict(enumerate(table.aligned))
    lines = [
        " │ ".join(_padded(cell, widths[at], ways.get(at, "")) for at, cell in enumerate(row))
        for row in rows
    ]
    lines.insert(1, "─┼─".join("─" * wide for wide in widths))
    return "\n".join(line.rstrip() for line in lines)


def width(text: str) -> int:
    """How many columns a text takes in a fixed-width font."""
    return sum(_columns(sign) for sign in text)


def records(table: Table) -> Blocks:
    """The table as a paragraph a row, each cell after the name of its column."""
    if not table.rows:
        return (Paragraph(_joined([(cell, ()) for cell in table.header])),)
    rows = (zip_longest(table.header, row, fillvalue=()) for row in table.rows)
    found = (Paragraph(_joined(list(row))) for row in rows)
    return tuple(block for block in found if block.spans)


def _joined(cells: list[tuple[Spans, Spans]]) -> Spans:
    lines: list[Span] = []
    for name, value in cells:
        if not (name or value):
            continue
        label = (Span(f"{words(name)}: ", bold=True),) if name and value else name
        lines += [*([Span("\n")] if lines else []), *label, *value]
    return merged(lines)


def _padded(text: str, to: int, way: str) -> str:
    room = to - width(text)
    if way == "right":
        return " " * room + text
    if way == "center":
        return " " * (room // 2) + text + " " * (room - room // 2)
    return text + " " * room


def _columns(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def as_blocks(table: Table) -> tuple[Block, ...]:
    """The same as `records`, never empty."""
    return records(table) or (Paragraph((Span("—"),)),)
