"""Markdown as Feishu shows it best: a `post` for what is said, a card for what is laid out.

A post of plain tags has text, links, mentions and emphasis, takes no escaping and can be edited
like any message. It has no headings, tables, quotes or code in a line; a text with those becomes a
card (JSON 2.0) of `markdown` elements. Text in a card is escaped by character references, the way
the card's own documentation asks for.
(open.feishu.cn: message content, rich text component; read 2026-11)
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal

from adapters.markdown import addresses, columns, layout
from adapters.markdown import people as named
from adapters.markdown.layout import Run
from adapters.markdown.pages import pages
from adapters.markdown.parser import parse
from adapters.markdown.tree import (
    Block,
    Blocks,
    Item,
    List,
    Paragraph,
    Quote,
    Span,
    Spans,
    Table,
    changed,
)
from adapters.markdown.writer import MARKDOWN, Dialect, written

Json = dict[str, Any]

_PERSON = re.compile(r"(?!all$)[a-z0-9_-]{1,100}", re.IGNORECASE)
_LIMIT = 26_000  # bytes of 30 KB: buttons and the mark of a repeat come on top
_SMALL = 600  # signs that fit in any case
_MENTION = 80  # bytes a mention may add
_TABLES = 5  # a card
_SUMMARY = 100  # signs in the list of chats
_TAG = re.compile(r"<(?=/?(?:at|person|link|font|text_tag|number_tag)\b)", re.IGNORECASE)
_SPECIAL = re.compile(r"[&<>*_~`\[\]\\$|]|:(?=\w+:)")
_OPENING = re.compile(r"^(\d{0,9})([.)]|(?<!\d)[#+=:-])", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeishuMessage:
    """What `im/v1/messages` takes; `content` still has to be made a string, see `encoded`."""

    msg_type: Literal["post", "interactive"]
    content: Json


def render(text: str, people: Mapping[str, str]) -> FeishuMessage:
    """The message; `people` maps display names to open ids. Empty text gives an empty post."""
    return _rendered(_read(text, people))


def card(text: str, people: Mapping[str, str]) -> FeishuMessage:
    """The message as a card, whatever is in it: buttons can hang on nothing else."""
    return FeishuMessage(msg_type="interactive", content=_card(_read(text, people)))


def parts(text: str) -> list[str]:
    """The text in pieces that fit a message of 30 KB, of no more tables than a card may hold."""
    blocks = parse(text)
    if not blocks or _is_small(text) or _fits(blocks):
        return [text] if blocks else []
    return [written(page, MARKDOWN) for page in pages(blocks, _fits)]


def encoded(content: Json) -> str:
    """The content as the string that is sent; Chinese stays three bytes a sign."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def harmless(text: str) -> str:
    """The same text, in which nothing is a tag of Feishu's any more."""
    return _TAG.sub("<\u200b", text)


def _read(text: str, people: Mapping[str, str]) -> Blocks:
    users = {name: native if _PERSON.fullmatch(native) else "" for name, native in people.items()}
    return _addressed(named.resolved(parse(text), users))


def _addressed(blocks: Blocks) -> Blocks:
    """With links where Feishu can follow them and addresses told where it cannot."""
    return changed(addresses.told(addresses.linked(blocks), _opens), _unbracketed)


def _rendered(blocks: Blocks) -> FeishuMessage:
    if _is_post(blocks):
        return FeishuMessage(msg_type="post", content=_post(blocks))
    return FeishuMessage(msg_type="interactive", content=_card(blocks))


def _unbracketed(spans: Spans) -> Spans:
    # a bracket would end the address of a link in a card
    codes = str.maketrans({"(": "%28", ")": "%29"})
    return tuple(replace(span, link=span.link.translate(codes)) for span in spans)


def _opens(link: str) -> bool:
    return link.lower().startswith(("http://", "https://"))


def _is_small(text: str) -> bool:
    # without tables, no sign of Markdown becomes more than some forty bytes
    return len(text) <= _SMALL and "|" not in text


def _fits(blocks: Blocks) -> bool:
    if sum(isinstance(block, Table) for block in blocks) > _TABLES:
        return False
    blocks = _addressed(blocks)
    # a post may still become a card, when buttons are put under it
    return _is_light(_card(blocks)) and (not _is_post(blocks) or _is_light(_post(blocks)))


def _is_light(content: Json) -> bool:
    text = encoded(content)
    return len(text.encode()) + named.possible(text) * _MENTION <= _LIMIT


def _is_post(blocks: Blocks) -> bool:
    return all(map(_is_plain, blocks))


def _is_plain(block: Block) -> bool:
    match block:
        case Paragraph():
            return not any(span.code for span in block.spans)
        case List():
            inner = [inside for item in block.items for inside in item.blocks]
            return all(isinstance(inside, Paragraph) and _is_plain(inside) for inside in inner)
    return False


def _post(blocks: Blocks) -> Json:
    runs = layout.laid(blocks, quote_marks=True)
    return {"zh_cn": {"title": "", "content": list(_rows(runs))}}


def _rows(runs: Sequence[Run]) -> Iterator[list[Json]]:
    row: list[Json] = []
    for run in runs:
        first, *others = run.text.split("\n")
        row += _tag(run.span, first)
        for text in others:
            yield row or [{"tag": "text", "text": " "}]
            row = list(_tag(run.span, text))
    if row:
        yield row


def _tag(span: Span, text: str) -> Iterator[Json]:
    if not text:
        return
    marks = {"bold": span.bold, "italic": span.italic, "lineThrough": span.strike}
    style = [name for name, wanted in marks.items() if wanted]
    if span.person:
        yield {"tag": "at", "user_id": span.person}
    elif span.link:
        yield {"tag": "a", "text": harmless(text), "href": span.link, "style": style}
    else:
        yield {"tag": "text", "text": harmless(text), "style": style}


def _card(blocks: Blocks) -> Json:
    shown = "".join(run.text for run in layout.laid(blocks, quote_marks=True))
    summary = harmless(" ".join(shown[: 2 * _SUMMARY].split())[:_SUMMARY])
    return {
        "schema": "2.0",
        "config": {"update_multi": True, "summary": {"content": summary}},
        "body": {"elements": list(_elements(_few_tables(blocks)))},
    }


def _elements(blocks: Blocks) -> Iterator[Json]:
    # each table stands alone: one element shows no more than four
    for alone, group in groupby(blocks, lambda block: isinstance(block, Table)):
        for chunk in [(block,) for block in group] if alone else [tuple(group)]:
            yield {"tag": "markdown", "content": written(chunk, _DIALECT)}


def _few_tables(blocks: Blocks) -> Blocks:
    """With the tables a card cannot hold as lines in a fixed-width font."""
    left = _TABLES
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Table) and left:
            left -= 1
            found.append(block)
        else:
            found.append(_untabled(block))
    return tuple(found)


def _untabled(block: Block) -> Block:
    match block:
        case Table():
            return columns.shown(block)
        case Quote():
            return Quote(tuple(map(_untabled, block.blocks)))
        case List():
            items = (Item(tuple(map(_untabled, item.blocks)), item.done) for item in block.items)
            return List(tuple(items), block.start)
    return block


def _reference(sign: str) -> str:
    return f"&#{ord(sign)};"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _reference(found[0]), text)


def _opened(text: str) -> str:
    return _OPENING.sub(lambda found: found[1] + _reference(found[2]), text)


_DIALECT = Dialect(
    escaped=_escaped,
    escaped_wholly=_escaped,
    opened=_opened,
    person=lambda span: f"<at id={span.person}></at>",
    code=harmless,
    narrow=4,
    lowered=2,
    rule="---",
    boxes=("☐", "☑"),
)
