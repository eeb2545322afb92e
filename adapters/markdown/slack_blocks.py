"""Builds Slack's blocks from the tree."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from adapters.markdown import columns
from adapters.markdown.tree import (
    Block,
    Blocks,
    Code,
    Heading,
    Item,
    List,
    Paragraph,
    Quote,
    Rule,
    Span,
    Spans,
    Table,
    words,
)

Json = dict[str, Any]

_DEEPEST = 8  # steps a list may be moved in
_HEADER = 150  # signs of a header block
_LONGEST = 3_000  # signs of one text element
_LANGUAGES = frozenset(
    "bash c cpp csharp css diff dockerfile go graphql html java javascript json kotlin lua "
    "markdown perl php powershell python r ruby rust scala shell sql swift text typescript xml "
    "yaml".split()
)
_SHORT = {"js": "javascript", "py": "python", "rb": "ruby", "sh": "shell", "ts": "typescript"}
_SHORT |= {"yml": "yaml", "c++": "cpp", "c#": "csharp", "rs": "rust", "md": "markdown"}


def built(blocks: Blocks) -> list[Json]:
    """The blocks: rich text, cut open by headers and lines across."""
    found: list[Json] = []
    for block in blocks:
        if isinstance(block, Rule):
            found.append({"type": "divider"})
        elif isinstance(block, Heading) and _is_header(block):
            text = {"type": "plain_text", "text": words(block.spans), "emoji": False}
            found.append({"type": "header", "text": text})
        else:
            if not found or found[-1]["type"] != "rich_text":
                found.append({"type": "rich_text", "elements": []})
            found[-1]["elements"] += _elements(block)
    return [_spaced(block) for block in found]


def _is_header(block: Heading) -> bool:
    plain = not any(span.link or span.person or span.code for span in block.spans)
    return block.level <= 2 and plain and len(words(block.spans)) <= _HEADER


def _spaced(block: Json) -> Json:
    """With an empty line between two paragraphs, which Slack would put close together."""
    for one, next_one in pairwise(block.get("elements", ())):
        if one["type"] == next_one["type"] == "rich_text_section":
            one["elements"].append({"type": "text", "text": "\n"})
    return block


def _elements(block: Block, indent: int = 0, border: int = 0) -> list[Json]:
    match block:
        case Paragraph():
            return [_section(block.spans)]
        case Heading():
            return [_section(_bold(block.spans))]
        case Code():
            return [_preformatted(block.text, border, block.language)]
        case Quote():
            return list(_quoted(block))
        case List():
            return list(_listed(block, indent, border))
        case Table():
            return _elements(columns.shown(block), indent, border)
        case Rule():
            return [_section((Span("———"),))]


def _section(spans: Spans, kind: str = "rich_text_section") -> Json:
    return {"type": kind, "elements": [part for span in spans for part in _inline(span)]}


def _bold(spans: Spans) -> Spans:
    return tuple(replace(span, bold=True) for span in spans)


def _inline(span: Span) -> Iterator[Json]:
    if span.person:
        yield {"type": "user", "user_id": span.person}
        return
    marks = {"bold": span.bold, "italic": span.italic, "strike": span.strike, "code": span.code}
    style = {name: True for name, wanted in marks.items() if wanted}
    look: Json = {"style": style} if style else {}
    if span.link:
        yield {"type": "link", "url": span.link, "text": span.text, **look}
        return
    for text in _chunks(span.text):
        yield {"type": "text", "text": text, **look}


def _chunks(text: str) -> Iterator[str]:
    for start in range(0, len(text), _LONGEST):
        yield text[start : start + _LONGEST]


def _preformatted(text: str, border: int, language: str = "") -> Json:
    found: Json = {
        "type": "rich_text_preformatted",
        "elements": [{"type": "text", "text": chunk} for chunk in _chunks(text)],
    }
    name = _SHORT.get(language.lower(), language.lower())
    return found | ({"language": name} if name in _LANGUAGES else {}) | _bordered(border)


def _bordered(border: int) -> Json:
    return {"border": border} if border else {}


def _quoted(quote: Quote) -> Iterator[Json]:
    """Text of a quote is a quote; lists and code in it carry the quote's line at their side."""
    text: list[Span] = []
    for block in quote.blocks:
        if isinstance(block, Paragraph | Heading):
            spans = block.spans if isinstance(block, Paragraph) else _bold(block.spans)
            text += [*([Span("\n\n")] if text else []), *spans]
            continue
        if text:
            yield _section(tuple(text), "rich_text_quote")
            text = []
        if isinstance(block, Rule):
            text = [Span("———")]
        else:
            yield from _elements(block, border=1)
    if text:
        yield _section(tuple(text), "rich_text_quote")


def _listed(block: List, indent: int, border: int) -> Iterator[Json]:
    """A list is cut open where an entry holds more than text, and counts on behind it."""
    sections: list[Json] = []
    first = 0
    for at, item in enumerate(block.items):
        spans, rest = _leading(item)
        sections.append(_section(spans))
        if rest:
            yield _list(block, sections, first, indent, border)
            sections, first = [], at + 1
            for inner in rest:
                yield from _elements(inner, indent + 1, border)
    if sections:
        yield _list(block, sections, first, indent, border)


def _leading(item: Item) -> tuple[Spans, Blocks]:
    """The text an entry begins with, and what comes below it."""
    count = 0
    spans: list[Span] = []
    if item.done is not None:
        spans.append(Span("☑ " if item.done else "☐ "))
    for block in item.blocks:
        if not isinstance(block, Paragraph | Heading):
            break
        inner = block.spans if isinstance(block, Paragraph) else _bold(block.spans)
        spans += [*([Span("\n")] if count else []), *inner]
        count += 1
    return tuple(spans) or (Span("\u200b"),), item.blocks[count:]


def _list(block: List, sections: list[Json], first: int, indent: int, border: int) -> Json:
    ordered = block.start is not None
    offset = (block.start or 0) - 1 + first if ordered else 0
    found: Json = {
        "type": "rich_text_list",
        "style": "ordered" if ordered else "bullet",
        "indent": min(indent, _DEEPEST),
        "elements": sections,
    }
    return found | ({"offset": offset} if offset > 0 else {}) | _bordered(border)
