"""Markdown as Slack shows it best: a `rich_text` block, with the same as mrkdwn for notifications.

Of the three ways Slack offers, `rich_text` is what its own composer writes. Its text is literal, so
nothing needs to be escaped and no text can become a mention or a broadcast; emphasis holds beside
Chinese signs, where mrkdwn and the `markdown` block show asterisks; lists nest and keep their
numbers. The `markdown` block knows no mentions. Headings of the first two levels are `header`
blocks, lines across are `divider` blocks; tables are lines of equal width in a fixed-width font,
because a message may hold only one `table` block.
(docs.slack.dev/reference/block-kit/blocks, read 2026-11)
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adapters.markdown import addresses, layout, slack_blocks
from adapters.markdown import people as named
from adapters.markdown.pages import pages
from adapters.markdown.parser import parse
from adapters.markdown.tree import Blocks
from adapters.markdown.writer import written

_PERSON = re.compile(r"[UW][A-Z0-9]{2,}")
_BROADCAST = re.compile(r"([@＠!])(?=(?:channel|here|everyone)(?![A-Za-z0-9]))", re.IGNORECASE)
_TEXT = 3_800  # signs; Slack advises 4,000 a message, and an edit takes no more
_BLOCKS = 45  # of 50: buttons and the mark of a repeat come on top
_WEIGHT = 11_000  # signs of all blocks as JSON; Slack takes about 13,200
_MENTION = 60  # signs a mention may add


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackMessage:
    """The two forms of a message that `chat.postMessage` takes together."""

    text: str
    """mrkdwn: for notifications, search and readers without blocks."""
    blocks: tuple[dict[str, Any], ...]


def render(text: str, people: Mapping[str, str]) -> SlackMessage:
    """The message; `people` maps display names to user ids. Empty text gives an empty message."""
    users = {name: native if _PERSON.fullmatch(native) else "" for name, native in people.items()}
    return _rendered(named.resolved(parse(text), users))


def parts(text: str) -> list[str]:
    """The text in pieces that fit a message of about 4,000 signs each."""
    blocks = parse(text)
    if not blocks or _fits(blocks):
        return [text] if blocks else []
    return [written(page) for page in pages(blocks, _fits)]


def escaped(text: str) -> str:
    """Text as text in mrkdwn: the three signs escaped once, and nobody pinged."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return harmless(text)


def harmless(text: str) -> str:
    """The same text in which `@channel` and its like are no longer words of Slack."""
    return _BROADCAST.sub("\\1\u2060", text)


def _rendered(blocks: Blocks) -> SlackMessage:
    blocks = addresses.told(blocks, _opens)
    # Slack finds the addresses in mrkdwn by itself, in blocks it does not
    linked = addresses.linked(blocks)
    return SlackMessage(text=_mrkdwn(blocks), blocks=tuple(slack_blocks.built(linked)))


def _opens(link: str) -> bool:
    return link.lower().startswith(("http://", "https://", "mailto:"))


def _fits(blocks: Blocks) -> bool:
    message = _rendered(blocks)
    mentions = named.possible(message.text) * _MENTION
    return (
        len(message.text) + mentions // 4 <= _TEXT
        and len(message.blocks) <= _BLOCKS
        and len(json.dumps(message.blocks, ensure_ascii=False)) + mentions <= _WEIGHT
    )


def _mrkdwn(blocks: Blocks) -> str:
    return "".join(_run(run) for run in layout.laid(blocks, quote_marks=True))


def _run(run: layout.Run) -> str:
    span = run.span
    if span.person:
        return f"<@{span.person}>"
    text = escaped(run.text)
    if run.fixed:
        return f"```\n{text}\n```"
    if span.link:
        target = span.link.replace("&", "&amp;").replace("<", "%3C").replace(">", "%3E")
        return f"<{target.replace('|', '%7C')}|{' '.join(text.replace('|', '¦').split())}>"
    return text
