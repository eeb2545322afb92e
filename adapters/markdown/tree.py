"""What a Markdown text says, in the few shapes that every platform can show."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text that looks the same from beginning to end."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    link: str = ""
    person: str = ""
    """The native id of whom this mentions; `text` is then `@Name`."""

    def like(self, other: "Span") -> bool:
        """Whether the two can be one span."""
        return (
            self.bold == other.bold
            and self.italic == other.italic
            and self.strike == other.strike
            and self.code == other.code
            and self.link == other.link
            and not (self.person or other.person)
        )

    def saying(self, text: str) -> "Span":
        """Another text of the same look."""
        return Span(text, self.bold, self.italic, self.strike, self.code, self.link, self.person)


Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; a line break is a newline in it."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Heading:
    """A title of one line."""

    level: int
    spans: Spans


@dataclass(frozen=True, slots=True)
class Code:
    """Lines as they are, without a newline at the end."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Somebody else's words."""

    blocks: "Blocks"


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list; empty where nothing follows its mark."""

    blocks: "Blocks"
    done: bool | None = None
    """Of a task: whether it is ticked; None for an ordinary entry."""


@dataclass(frozen=True, slots=True)
class List:
    """Entries with a bullet or a number each."""

    items: tuple[Item, ...]
    start: int | None = None
    """The first number; None for bullets."""


@dataclass(frozen=True, slots=True)
class Table:
    """A header and rows of as many cells."""

    header: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    aligned: tuple[str, ...] = ()
    """`left`, `center`, `right` or nothing, for each column."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


Block = Paragraph | Heading | Code | Quote | List | Table | Rule
Blocks = tuple[Block, ...]


def words(spans: Iterable[Span]) -> str:
    """The bare text."""
    return "".join(span.text for span in spans)


def merged(spans: Iterable[Span]) -> Spans:
    """The same text in as few spans as possible."""
    found: list[Span] = []
    for span in spans:
        if not span.text:
            continue
        if found and found[-1].like(span):
            found[-1] = span.saying(found[-1].text + span.text)
        else:
            found.append(span)
    return tuple(found)


def opening(spans: Spans, count: int) -> Spans:
    """The first `count` signs."""
    found: list[Span] = []
    for span in spans:
        if count <= 0:
            break
        found.append(span if len(span.text) <= count else span.saying(span.text[:count]))
        count -= len(span.text)
    return tuple(found)


def remainder(spans: Spans, count: int) -> Spans:
    """What follows the first `count` signs."""
    for at, span in enumerate(spans):
        if len(span.text) > count:
            return (span.saying(span.text[count:]), *spans[at + 1 :])
        count -= len(span.text)
    return ()


def changed(blocks: Blocks, change: Callable[[Spans], Spans]) -> Blocks:
    """The same blocks with other spans everywhere."""
    return tuple(_changed(block, change) for block in blocks)


def _changed(block: Block, change: Callable[[Spans], Spans]) -> Block:
    match block:
        case Paragraph() | Heading():
            return replace(block, spans=change(block.spans))
        case Quote():
            return Quote(changed(block.blocks, change))
        case List():
            items = (replace(item, blocks=changed(item.blocks, change)) for item in block.items)
            return replace(block, items=tuple(items))
        case Table():
            header = tuple(map(change, block.header))
            rows = tuple(tuple(map(change, row)) for row in block.rows)
            return replace(block, header=header, rows=rows)
    return block
