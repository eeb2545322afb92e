"""Turns `@Name` into a mention of somebody known, outside code and links."""

import re
from collections.abc import Iterator, Mapping

from adapters import mentions
from adapters.markdown.tree import Blocks, Span, Spans, changed, merged

_POSSIBLE = re.compile(r"[@＠]\w")


def resolved(blocks: Blocks, people: Mapping[str, str]) -> Blocks:
    """The same blocks with a span of its own for each mention of one of these people.

    A name without an id calls nobody, nor does a shorter name inside it.
    """
    if not any(people.values()):
        return blocks
    known = {name.casefold(): native for name, native in people.items()}
    pattern = mentions.pattern(people)

    def change(spans: Spans) -> Spans:
        return merged(part for span in spans for part in _mentions(span, pattern, known))

    return changed(blocks, change)


def possible(text: str) -> int:
    """How many mentions a text can have at most, whoever is known."""
    return len(_POSSIBLE.findall(text))


def _mentions(span: Span, pattern: re.Pattern[str], known: Mapping[str, str]) -> Iterator[Span]:
    if span.code or span.link:
        yield span
        return
    end = 0
    for found in pattern.finditer(span.text):
        yield span.saying(span.text[end : found.start()])
        native = known.get(found[1].casefold(), "")
        yield Span(f"@{found[1]}", person=native) if native else span.saying(found[0])
        end = found.end()
    yield span.saying(span.text[end:])
