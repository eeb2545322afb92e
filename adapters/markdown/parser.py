"""Reads Markdown into the tree.

CommonMark with tables, strikethrough and task lists. Raw HTML, links to anything but the web or an
address, and nesting deeper than anybody reads are literal text: nothing that was written is lost.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from adapters.chat import legible
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
    merged,
    words,
)

_DEEPEST = 60  # levels of the parser; a list in a list takes two, a quote one
_SAFE = re.compile(r"(https?://|mailto:|tg://(?!user))\S{1,2000}$", re.IGNORECASE)
"""`tg://user` would be a mention of somebody by their number, whom nobody resolved."""
_TASK = re.compile(r"\[([ xX])\] +(?=\S)")
_BREAK = re.compile(r"[ \t]*[\r\n]\s*")
_STYLES = ("strong", "em", "s")


@lru_cache(maxsize=8)
def parse(text: str) -> Blocks:
    """The blocks of a text. Cutting and rendering ask for the same text one after the other."""
    text = legible(text)
    tokens = _markdown().parse(text)
    if any(token.level >= _DEEPEST - 2 for token in tokens):
        return _literal(text)
    return _blocks(iter(tokens), "") or _literal(text)


def inline(text: str) -> Spans:
    """The spans of a text that is known to be one paragraph."""
    return _spans(_markdown().parseInline(text)[0].children or [])


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST})
    markdown.enable(["table", "strikethrough"])
    markdown.validateLink = lambda url: _SAFE.match(url) is not None  # type: ignore[method-assign]
    return markdown


def _literal(text: str) -> Blocks:
    found = (re.sub(r"\s*\n\s*", "\n", part.strip()) for part in re.split(r"\n\s*\n", text))
    return tuple(Paragraph((Span(part),)) for part in found if part)


def _blocks(tokens: Iterator[Token], end: str) -> Blocks:
    found: list[Block] = []
    for token in tokens:
        if token.type == end:
            break
        block = _block(token, tokens)
        if block is not None:
            found.append(block)
    return tuple(found)


def _block(token: Token, tokens: Iterator[Token]) -> Block | None:
    match token.type:
        case "paragraph_open":
            spans = _spans(next(tokens).children or [])
            return Paragraph(spans) if spans else None
        case "heading_open":
            spans = _one_line(_spans(next(tokens).children or []))
            return Heading(int(token.tag[1:]), spans) if spans else None
        case "fence" | "code_block":
            body = token.content.removesuffix("\n")
            return Code(body, _language(token.info)) if body.strip() else None
        case "blockquote_open":
            quoted = _blocks(tokens, "blockquote_close")
            return Quote(quoted) if quoted else None
        case "bullet_list_open":
            return List(_items(tokens, "bullet_list_close"))
        case "ordered_list_open":
            start = int(token.attrs.get("start", 1))
            return List(_items(tokens, "ordered_list_close"), start)
        case "table_open":
            return _table(tokens)
        case "hr":
            return Rule()
    return None


def _language(info: str) -> str:
    name = info.split()[0] if info.split() else ""
    return name if re.fullmatch(r"[\w+#.-]{1,30}", name) else ""


def _items(tokens: Iterator[Token], end: str) -> tuple[Item, ...]:
    found: list[Item] = []
    for token in tokens:
        if token.type == end:
            break
        found.append(_task(_blocks(tokens, "list_item_close")))
    return tuple(found)


def _task(blocks: Blocks) -> Item:
    if not blocks or not isinstance(blocks[0], Paragraph):
        return Item(blocks)
    first, *rest = blocks[0].spans
    box = _TASK.match(first.text) if first.like(Span("")) else None
    if not box or not words(blocks[0].spans)[box.end() :]:
        return Item(blocks)
    spans = merged((Span(first.text[box.end() :]), *rest))
    return Item((Paragraph(spans), *blocks[1:]), done=box[1] != " ")


def _table(tokens: Iterator[Token]) -> Table:
    rows: list[list[Spans]] = []
    aligned: list[str] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            if token.type == "th_open":
                aligned.append(str(token.attrs.get("style", "")).partition(":")[2])
            rows[-1].append(_one_line(_spans(next(tokens).children or [])))
    header, *body = map(tuple, rows)
    return Table(header, tuple(body), tuple(aligned))


def _one_line(spans: Spans) -> Spans:
    return merged(span.saying(span.text.replace("\n", " ")) for span in spans)


def _spans(children: Sequence[Token]) -> Spans:
    found: list[Span] = []
    look = Span("")
    depth = dict.fromkeys(_STYLES, 0)
    for token in children:
        kind, _, way = token.type.rpartition("_")
        if kind in depth:
            depth[kind] += token.nesting
            bold, italic, strike = (count > 0 for count in depth.values())
            look = replace(look, bold=bold, italic=italic, strike=strike)
        elif kind == "link":
            look = replace(look, link=str(token.attrs["href"]) if way == "open" else "")
        else:
            found += _leaf(token, look)
    return _tidied(found)


def _leaf(token: Token, look: Span) -> list[Span]:
    match token.type:
        case "softbreak" | "hardbreak":
            return [look.saying("\n")]
        case "code_inline":
            return [replace(look, text=token.content, code=True)]
        case "image":
            source = str(token.attrs.get("src", ""))
            shown = words(_spans(token.children or [])) or source
            return [replace(look, text=shown, link=look.link or source)]
        case _:
            return [look.saying(token.content)]


def _tidied(spans: Sequence[Span]) -> Spans:
    """Without blanks around line breaks, which only character references can bring in."""
    found: list[Span] = []
    fresh = True
    for span in merged(spans):
        text = span.text if span.code else _BREAK.sub("\n", span.text)
        text = text.lstrip() if fresh and not span.code else text
        if text:
            found.append(span.saying(text))
            fresh = text.endswith("\n")
    if found and not found[-1].code:
        found[-1] = found[-1].saying(found[-1].text.rstrip())
    return merged(found)
