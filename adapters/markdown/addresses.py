"""Web addresses written bare in a text, for platforms that only link what they are told to."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from adapters.markdown.tree import Blocks, Span, Spans, changed, merged

BARE = re.compile(
    r"https?://[^\s<>\"'，。；、）】》！？]+[^\s<>\"'.,;:!?)\]，。；：、）】》！？*_~]",
    re.IGNORECASE,
)
"""An address up to where the sentence around it goes on."""


def linked(blocks: Blocks) -> Blocks:
    """The same blocks with every bare address a link to itself."""
    return changed(blocks, lambda spans: merged(part for span in spans for part in _linked(span)))


def told(blocks: Blocks, can_open: Callable[[str], bool]) -> Blocks:
    """The same blocks with the links a platform cannot open written out behind their text."""

    def change(spans: Spans) -> Spans:
        return merged(part for span in spans for part in _told(span, can_open))

    return changed(blocks, change)


def _linked(span: Span) -> Iterator[Span]:
    if span.code or span.link or span.person:
        yield span
        return
    end = 0
    for found in BARE.finditer(span.text):
        yield span.saying(span.text[end : found.start()])
        yield replace(span, text=found[0], link=found[0])
        end = found.end()
    yield span.saying(span.text[end:])


def _told(span: Span, can_open: Callable[[str], bool]) -> Iterator[Span]:
    if not span.link or can_open(span.link):
        yield span
        return
    address = span.link.removeprefix("mailto:")
    yield replace(span, link="")
    if address not in span.text:
        yield replace(span, text=f" ({address})", link="", code=False)
