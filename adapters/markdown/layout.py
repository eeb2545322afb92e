"""The tree as running text with bullets, indents and aligned tables: what a reader sees."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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
    Table,
)


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of the text and what it belongs to."""

    span: Span
    fixed: bool = False
    """In a fixed-width font and line by line as it stands: code or a table."""
    language: str = ""
    quoted: bool = False

    @property
    def text(self) -> str:
        """What stands there."""
        return self.span.text


def laid(blocks: Blocks, *, quote_marks: bool) -> list[Run]:
    """The whole text in order. Inside a quote, and everywhere with `quote_marks`, the lines of a
    quote begin with `> `; the outermost one is otherwise only told by `Run.quoted`."""
    return _joined([_block(block, quote_marks) for block in blocks], "\n\n")


def _block(block: Block, marks: bool) -> list[Run]:
    match block:
        case Paragraph():
            return _runs(block.spans)
        case Heading():
            return _runs(replace(span, bold=not span.person) for span in block.spans)
        case Code():
            return [Run(Span(block.text), fixed=True, language=block.language)]
        case Quote():
            inner = laid(block.blocks, quote_marks=True)
            inner = _prefixed(inner, "> ", "> ") if marks else inner
            return [replace(run, quoted=True) for run in inner]
        case List():
            return _joined([_item(block, at, marks) for at in range(len(block.items))], "\n")
        case Table():
            return _block(columns.shown(block), marks)
        case Rule():
            return [Run(Span("———"))]


def _runs(spans: Iterable[Span]) -> list[Run]:
    return [Run(span) for span in spans]


def _item(block: List, at: int, marks: bool) -> list[Run]:
    item: Item = block.items[at]
    mark = "• " if block.start is None else f"{block.start + at}. "
    if item.done is not None:
        mark = ("☑ " if item.done else "☐ ") if block.start is None else mark
    inner = _joined([_block(inside, marks) for inside in item.blocks], "\n")
    return _prefixed(inner, mark, " " * len(mark)) if inner else _runs([Span(mark.strip())])


def _joined(parts: Sequence[list[Run]], gap: str) -> list[Run]:
    found: list[Run] = []
    for part in parts:
        found += [*([Run(Span(gap))] if found and part else []), *part]
    return found


def _prefixed(runs: Sequence[Run], first: str, rest: str) -> list[Run]:
    """Puts `first` before the text and `rest` before each further line of it, in lines of code
    only where `rest` says more than a blank."""
    found = [Run(Span(first))]
    for run in runs:
        if "\n" not in run.text or (run.fixed and not rest.strip()):
            found.append(run)
        else:
            text = run.text.replace("\n", f"\n{rest}")
            found.append(replace(run, span=run.span.saying(text)))
    return found
