"""Cuts a tree into pages that each fit one message.

As many blocks as fit go on a page. A block too large for any page is cut at its own joints: between
items, rows, lines, sentences. Code is reopened with its language, a table with its header.
"""

from collections.abc import Callable
from dataclasses import replace

from adapters.markdown import columns, cuts
from adapters.markdown.tree import (
    Block,
    Blocks,
    Code,
    Heading,
    Item,
    List,
    Paragraph,
    Quote,
    Span,
    Spans,
    Table,
    opening,
    remainder,
    words,
)

Fits = Callable[[Blocks], bool]
"""Whether these blocks fit one message. What fits also fits when something of it is left out."""

_WORTH = 200  # signs of a large block that are worth beginning it at the end of a page


def pages(blocks: Blocks, fits: Fits) -> list[Blocks]:
    """The blocks on as few pages as reading order allows."""
    found: list[Blocks] = []
    rest = blocks
    while rest:
        page, rest = _page(rest, fits)
        found.append(page)
    return found


def _page(blocks: Blocks, fits: Fits) -> tuple[Blocks, Blocks]:
    count = _most(len(blocks), lambda count: fits(blocks[:count]))
    page, rest = blocks[:count], blocks[count:]
    if not rest:
        return page, ()
    if not fits(rest[:1]):
        head, tail = _cut(rest[0], lambda inner: fits(page + inner))
        if head and (not page or _size(head) >= _WORTH):
            return page + head, tail + rest[1:]
        if not page:
            return rest[:1], rest[1:]
    if len(page) > 1 and isinstance(page[-1], Heading):
        return page[:-1], page[-1:] + rest
    return page, rest


def _most(total: int, fits: Callable[[int], bool]) -> int:
    """The largest count up to `total` that fits, 0 if none does."""
    low, high = 0, 1
    while high < total and fits(high):
        low, high = high, high * 2
    high = min(high, total)
    if high > low and fits(high):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _cut(block: Block, fits: Fits) -> tuple[Blocks, Blocks]:
    """The largest beginning of a block that fits, nothing if none does, and what follows."""
    match block:
        case Paragraph() | Heading():
            return _cut_text(block, fits)
        case Code():
            return _cut_code(block, fits)
        case Quote():
            return _cut_quote(block, fits)
        case List():
            return _cut_list(block, fits)
        case Table():
            return _cut_table(block, fits)
    return (), (block,)


def _cut_text(block: Paragraph | Heading, fits: Fits) -> tuple[Blocks, Blocks]:
    def head(at: int) -> Blocks:
        return (replace(block, spans=opening(block.spans, at)),)

    at = _most(len(words(block.spans)), lambda at: fits(head(at)))
    at = cuts.pause(block.spans, at) if at else 0
    before, after = _trimmed(opening(block.spans, at), remainder(block.spans, at))
    parts = [replace(block, spans=spans) for spans in (before, after) if spans]
    if not before:
        return (), (block,)
    return tuple(parts[:1]), tuple(parts[1:])


def _trimmed(before: Spans, after: Spans) -> tuple[Spans, Spans]:
    if before and not before[-1].code:
        before = (*before[:-1], before[-1].saying(before[-1].text.rstrip()))
    if after and not after[0].code:
        after = (after[0].saying(after[0].text.lstrip()), *after[1:])
    return _filled(before), _filled(after)


def _filled(spans: Spans) -> Spans:
    return tuple(span for span in spans if span.text)


def _cut_code(block: Code, fits: Fits) -> tuple[Blocks, Blocks]:
    text = block.text
    at = _most(len(text), lambda at: fits((replace(block, text=text[:at]),)))
    if not at:
        return (), (block,)
    line = text.rfind("\n", at // 2, at + 1)
    at, skipped = (line, 1) if line > 0 else (cuts.whole(text, at), 0)
    before, after = _code(block, text[:at]), _code(block, text[at + skipped :])
    return (before, after) if before or not after else _cut_code(after[0], fits)


def _code(block: Code, text: str) -> tuple[Code, ...]:
    return (replace(block, text=text),) if text.strip() else ()


def _cut_quote(block: Quote, fits: Fits) -> tuple[Blocks, Blocks]:
    head, tail = _cut_blocks(block.blocks, lambda inner: fits((Quote(inner),)))
    return _quote(head), _quote(tail)


def _quote(blocks: Blocks) -> Blocks:
    return (Quote(blocks),) if blocks else ()


def _cut_blocks(blocks: Blocks, fits: Fits) -> tuple[Blocks, Blocks]:
    count = _most(len(blocks), lambda count: fits(blocks[:count]))
    if count:
        return blocks[:count], blocks[count:]
    head, tail = _cut(blocks[0], fits)
    return head, tail + blocks[1:]


def _cut_list(block: List, fits: Fits) -> tuple[Blocks, Blocks]:
    def listed(items: tuple[Item, ...], skipped: int = 0) -> Blocks:
        start = None if block.start is None else block.start + skipped
        return (List(items, start),) if items else ()

    count = _most(len(block.items), lambda count: fits(listed(block.items[:count])))
    if count:
        return listed(block.items[:count]), listed(block.items[count:], count)
    first = block.items[0]
    if not first.blocks:
        return (), (block,)
    head, tail = _cut_blocks(
        first.blocks, lambda inner: fits(listed((replace(first, blocks=inner),)))
    )
    if not head:
        return (), (block,)
    # The rest of a cut entry goes on without a mark: a second one would count it twice.
    return listed((replace(first, blocks=head),)), tail + listed(block.items[1:], 1)


def _cut_table(block: Table, fits: Fits) -> tuple[Blocks, Blocks]:
    count = _most(len(block.rows), lambda count: fits((replace(block, rows=block.rows[:count]),)))
    after = replace(block, rows=block.rows[max(count, 1) :])
    rest = (after,) if after.rows else ()
    if count:
        return (replace(block, rows=block.rows[:count]),), rest
    # Not even one row fits under the header: tell that row in sentences.
    head, tail = _cut_blocks((columns.spelled(replace(block, rows=block.rows[:1])),), fits)
    return head, tail + rest


def _size(blocks: Blocks) -> int:
    return sum(len(words(spans)) for spans in _texts(blocks))


def _texts(blocks: Blocks) -> list[Spans]:
    found: list[Spans] = []
    for block in blocks:
        match block:
            case Paragraph() | Heading():
                found.append(block.spans)
            case Code():
                found.append((Span(block.text),))
            case Quote():
                found += _texts(block.blocks)
            case List():
                for item in block.items:
                    found += _texts(item.blocks)
            case Table():
                for row in block.rows:
                    found += row
    return found
