"""Markdown as Telegram's text with entities: nothing to escape, nothing that fails to parse.

Headings are bold, lists have bullets and indents, tables and code a fixed-width font; offsets are
counted in UTF-16 units. (core.telegram.org/bots/api#messageentity, read 2026-11)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.markdown import layout
from adapters.markdown import people as named
from adapters.markdown.layout import Run
from adapters.markdown.pages import pages
from adapters.markdown.parser import parse
from adapters.markdown.tree import Blocks
from adapters.markdown.writer import written

_LIMIT = 4_096 - 64  # units after entities; the mark of a repeat comes on top
_ENTITIES = 100
_LEAST = ("bold", "italic", "strikethrough")
"""What a message with too many entities can best do without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramText:
    """The two fields of `sendMessage`; to be sent without a parse mode."""

    text: str
    entities: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A kind of entity and its fields, over a stretch of units."""

    kind: str
    start: int
    end: int
    fields: tuple[tuple[str, Any], ...] = ()

    def entity(self) -> dict[str, Any]:
        offsets = {"offset": self.start, "length": self.end - self.start}
        return {"type": self.kind, **offsets, **dict(self.fields)}


def render(text: str, people: Mapping[str, str]) -> TelegramText:
    """The message; `people` maps display names to user ids. Empty text gives an empty message."""
    users = {name: native if native.isdecimal() else "" for name, native in people.items()}
    runs = layout.laid(named.resolved(parse(text), users), quote_marks=False)
    marks = _kept(_marks(runs))
    return TelegramText(
        text="".join(run.text for run in runs), entities=tuple(mark.entity() for mark in marks)
    )


def parts(text: str) -> list[str]:
    """The text in pieces that fit a message of 4,096 units and 100 entities each."""
    blocks = parse(text)
    if not blocks or _fits(blocks):
        return [text] if blocks else []
    return [written(page) for page in pages(blocks, _fits)]


def units(text: str) -> int:
    """The length of a text as Telegram counts it."""
    return len(text) + sum(1 for sign in text if sign > "\uffff")


def _fits(blocks: Blocks) -> bool:
    runs = layout.laid(blocks, quote_marks=False)
    text = "".join(run.text for run in runs)
    # rejected formatting leaves the plain text, in which addresses are written out
    told = sum(len(run.span.link) + len(" ()") for run in runs if run.span.link)
    return units(text) + told <= _LIMIT and len(_marks(runs)) + named.possible(text) <= _ENTITIES


def _marks(runs: Sequence[Run]) -> list[_Mark]:
    """Every entity, outer ones first."""
    found: list[_Mark] = []
    at = 0
    quote: int | None = None
    link: tuple[str, int] | None = None
    for run in [*runs, None]:
        target = run.span.link if run and not run.fixed else ""
        if link and link[0] != target:
            found.append(_Mark("text_link", link[1], at, (("url", link[0]),)))
            link = None
        if quote is not None and not (run and run.quoted):
            found.append(_Mark("blockquote", quote, at))
            quote = None
        if run is None:
            break
        if target and not link:
            link = (target, at)
        if run.quoted and quote is None:
            quote = at
        end = at + units(run.text)
        found += _of_run(run, at, end)
        at = end
    return sorted(found, key=lambda mark: (mark.start, -mark.end, _rank(mark.kind)))


def _rank(kind: str) -> int:
    return ("blockquote", "text_link").index(kind) if kind in ("blockquote", "text_link") else 2


def _of_run(run: Run, start: int, end: int) -> list[_Mark]:
    span = run.span
    if not run.text.strip():
        return []
    if run.fixed:
        fields = (("language", run.language),) if run.language else ()
        return [_Mark("pre", start, end, fields)]
    if span.person:
        user = {"id": int(span.person), "is_bot": False, "first_name": run.text[1:]}
        return [_Mark("text_mention", start, end, (("user", user),))]
    if span.code and not span.link:
        return [_Mark("code", start, end)]
    wanted = (("bold", span.bold), ("italic", span.italic), ("strikethrough", span.strike))
    return [_Mark(kind, start, end) for kind, on in wanted if on]


def _kept(marks: list[_Mark]) -> list[_Mark]:
    if len(marks) <= _ENTITIES:
        return marks
    by_worth = sorted(marks, key=lambda mark: mark.kind in _LEAST)
    return [mark for mark in marks if mark in by_worth[:_ENTITIES]]
