"""Writes the tree as Markdown again, with as few escapes as its meaning allows.

What is written reads back as the same text. Emphasis that cannot be told from the signs around it,
as `**(a)**b` cannot, is dropped rather than shown as asterisks.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from adapters.markdown.parser import inline
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

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_MARKUP = re.compile(r"[\\`*_~<>&\[\]!$|:]")
_RISKY = re.compile(
    r"\\(?=[!-/:-@\[-`{-~\n]|$)"  # a backslash before what it would escape
    r"|`"
    r"|\*(?!\s)|(?<!\s)\*"
    r"|(?<![A-Za-z0-9])_(?!\s)|_(?![A-Za-z0-9\s])"
    r"|~(?=~|$)|(?<=~)~|^~"
    r"|\](?=[(:\[]|$)"
    r"|<(?=[A-Za-z/!?]|$)"
    r"|&(?=#?\w{1,32};)"
)
_OPENING = re.compile(r"^(#{1,6}(?=\s|$)|[-+>=|:]|\d{1,9}(?=[.)]))", re.MULTILINE)


def _escaped(text: str) -> str:
    return _RISKY.sub(lambda found: f"\\{found[0]}", text)


def _escaped_wholly(text: str) -> str:
    return _PUNCTUATION.sub(lambda found: f"\\{found[0]}", text)


def _opened(line: str) -> str:
    """Lines whose first sign would begin a block are told apart from one."""
    return _OPENING.sub(lambda found: _inert(found[1]), line)


def _inert(mark: str) -> str:
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How Markdown is written for one reader."""

    escaped: Callable[[str], str] = _escaped
    """Text within a line as text."""
    escaped_wholly: Callable[[str], str] = _escaped_wholly
    """The same where the lighter way did not read back."""
    opened: Callable[[str], str] = _opened
    """Lines, escaped already, so that none begins a list, a heading or the like."""
    person: Callable[[Span], str] = lambda span: _escaped(span.text)
    """A mention."""
    code: Callable[[str], str] = lambda text: text
    """What code may hold."""
    narrow: int = 2
    """The least columns that what belongs to a list entry is moved in."""
    lowered: int = 0
    """How many levels headings are made smaller."""
    rule: str = "___"
    """A line across."""
    boxes: tuple[str, str] = ("[ ]", "[x]")
    """An open and a ticked task."""


MARKDOWN = Dialect()


def written(blocks: Blocks, dialect: Dialect = MARKDOWN) -> str:
    """The blocks as Markdown."""
    found: list[str] = []
    other = False
    for at, block in enumerate(blocks):
        before = blocks[at - 1] if at else None
        follows = isinstance(block, List) and isinstance(before, List)
        other = follows and not other
        found.append(_block(block, dialect, other))
    return "\n\n".join(found)


@lru_cache(maxsize=2048)
def line(spans: Spans, dialect: Dialect = MARKDOWN) -> str:
    """Spans within a block. Finding what fits a page writes the same ones many times."""
    text = words(spans)
    if spans == (Span(text),) and not _MARKUP.search(text):
        return text
    if spans == (Span(text),) and dialect.escaped is dialect.escaped_wholly:
        return dialect.escaped(text)
    for star in ("*", "_"):
        text = _styled(spans, dialect, star)
        if inline(text) == _expected(spans, dialect):
            return text
    bare = merged(replace(span, bold=False, italic=False, strike=False) for span in spans)
    wholly = replace(dialect, escaped=dialect.escaped_wholly)
    return _styled(bare, wholly, "*")


def _expected(spans: Spans, dialect: Dialect) -> Spans:
    def seen(span: Span) -> Span:
        if span.person:
            return Span(inline(dialect.person(span))[0].text)
        return span.saying(dialect.code(span.text)) if span.code else span

    return merged(seen(span) for span in spans)


def _block(block: Block, dialect: Dialect, other: bool) -> str:
    match block:
        case Paragraph():
            return dialect.opened(line(block.spans, dialect))
        case Heading():
            marks = "#" * min(block.level + dialect.lowered, 6)
            return f"{marks} {_title(line(block.spans, dialect))}"
        case Code():
            return _fenced(dialect.code(block.text), block.language)
        case Quote():
            return _moved(written(block.blocks, dialect), "> ", "> ")
        case List():
            return "\n".join(_items(block, dialect, other))
        case Table():
            return "\n".join(_rows(block, dialect))
        case Rule():
            return dialect.rule


def _title(text: str) -> str:
    # a closing row of number signs would be left out as decoration
    return re.sub(r"(#+)$", lambda found: f"\\{found[1]}", text)


def _fenced(text: str, language: str) -> str:
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _items(block: List, dialect: Dialect, other: bool) -> Iterator[str]:
    # Two lists in a row would be read as one, were they marked alike.
    bullet, dot = ("*", ")") if other else ("-", ".")
    for at, item in enumerate(block.items):
        number = min((block.start or 0) + at, 999_999_999)
        mark = bullet if block.start is None else f"{number}{dot}"
        yield _item(item, mark, dialect)


def _item(item: Item, mark: str, dialect: Dialect) -> str:
    box = "" if item.done is None else f"{dialect.boxes[item.done]} "
    inner = box + written(item.blocks, dialect)
    indent = max(len(mark) + 1, dialect.narrow)
    return _moved(inner, mark.ljust(indent), " " * indent) if inner else mark


def _moved(text: str, first: str, rest: str) -> str:
    lines = text.split("\n")
    moved = [f"{rest}{line}" if line else rest.rstrip() for line in lines[1:]]
    return "\n".join([f"{first}{lines[0]}".rstrip(), *moved])


def _rows(table: Table, dialect: Dialect) -> Iterator[str]:
    marks = {"left": ":--", "center": ":-:", "right": "--:"}
    ways = [*table.aligned, *[""] * (len(table.header) - len(table.aligned))]
    yield _row(table.header, dialect)
    yield "| " + " | ".join(marks.get(way, "---") for way in ways) + " |"
    for row in table.rows:
        yield _row(row, dialect)


def _row(cells: tuple[Spans, ...], dialect: Dialect) -> str:
    texts = [line(cell, dialect).replace("|", "\\|") for cell in cells]
    return "| " + " | ".join(texts) + " |"


def _styled(spans: Spans, dialect: Dialect, star: str) -> str:
    found: list[str] = []
    open_marks: list[str] = []
    link = ""
    for span in spans:
        wanted = _marks(span, star)
        if span.link != link:
            found += _closed(open_marks, link)
            open_marks, link = [], span.link
            found += ["["] if link else []
        while any(mark not in wanted for mark in open_marks):
            found.append(open_marks.pop())
        added = [mark for mark in wanted if mark not in open_marks]
        open_marks += added
        found += [*added, _plain(span, dialect)]
    return "".join([*found, *_closed(open_marks, link)])


def _marks(span: Span, star: str) -> list[str]:
    every = (("~~", span.strike), ("**", span.bold), (star, span.italic))
    return [mark for mark, wanted in every if wanted]


def _closed(open_marks: list[str], link: str) -> list[str]:
    return [*reversed(open_marks), *([_target(link)] if link else [])]


def _target(link: str) -> str:
    if re.search(r"[\s()<>\\]", re.sub(r"\([^()]*\)", "", link)):
        link = "<" + re.sub(r"([<>\\])", r"\\\1", link) + ">"
    return f"]({link})"


def _plain(span: Span, dialect: Dialect) -> str:
    if span.person:
        return dialect.person(span)
    if not span.code:
        return dialect.escaped(span.text)
    text = dialect.code(span.text)
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    edge = text.startswith("`") or text.endswith("`")
    blank = text.startswith(" ") and text.endswith(" ") and text.strip()
    gap = " " if edge or blank else ""
    return f"{fence}{gap}{text}{gap}{fence}"
