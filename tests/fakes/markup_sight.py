"""What a reader sees of a message in each platform's own markup, links with their address."""

from collections.abc import Iterator, Sequence
from html import unescape
from itertools import chain
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

Json = dict[str, Any]


def slack_sight(blocks: Sequence[Json]) -> str:
    """The text of blocks, numbers of lists included."""
    return "\n".join(chain.from_iterable(_slack_block(block) for block in blocks))


def _slack_block(block: Json) -> Iterator[str]:
    if block["type"] == "rich_text":
        for element in block["elements"]:
            yield from _slack_element(element)
    elif block["type"] in ("header", "section"):
        yield str(block["text"]["text"])


def _slack_element(element: Json) -> Iterator[str]:
    if element["type"] != "rich_text_list":
        yield "".join(map(_slack_part, element["elements"]))
        return
    for at, inner in enumerate(element["elements"]):
        number = f"{element.get('offset', 0) + at + 1}. "
        mark = number if element["style"] == "ordered" else "• "
        yield mark + "".join(map(_slack_part, inner["elements"]))


def _slack_part(part: Json) -> str:
    if part["type"] == "user":
        return f"@{part['user_id']}"
    return str(part["text"]) + (f" ({part['url']})" if part["type"] == "link" else "")


def telegram_sight(text: str, entities: Sequence[Json]) -> str:
    """The text, with the address of each link behind it."""
    whole = text.encode("utf-16-le")
    links = {
        2 * (entity["offset"] + entity["length"]): entity["url"]
        for entity in entities
        if entity["type"] == "text_link"
    }
    seen, at = "", 0
    for end, url in sorted(links.items()):
        seen += whole[at:end].decode("utf-16-le") + f" ({url})"
        at = end
    return seen + whole[at:].decode("utf-16-le")


def feishu_sight(msg_type: str, content: Json) -> str:
    """The text of a post or a card."""
    if msg_type == "post":
        rows = content["zh_cn"]["content"]
        return "\n".join("".join(map(_feishu_tag, row)) for row in rows)
    elements = content["body"]["elements"]
    return "\n".join(_markdown_sight(element["content"]) for element in elements)


def _feishu_tag(tag: Json) -> str:
    if tag["tag"] == "at":
        return f"@{tag['user_id']}"
    return str(tag["text"]) + (f" ({tag['href']})" if tag["tag"] == "a" else "")


_MARKDOWN = MarkdownIt("commonmark", {"html": False, "maxNesting": 200}).enable(
    ["table", "strikethrough"]
)


def _markdown_sight(content: str) -> str:
    return "".join(_tokens(_MARKDOWN.parse(content)))


def _tokens(tokens: Sequence[Token]) -> Iterator[str]:
    links: list[str] = []
    for token in tokens:
        if token.type == "inline":
            yield from _tokens(token.children or [])
        elif token.type == "link_open":
            links.append(str(token.attrs["href"]))
        elif token.type == "link_close":
            yield f" ({links.pop()})"
        elif token.type == "list_item_open":
            yield f"\n{token.info}. "
        elif token.nesting == 0:
            yield unescape(token.content) if token.type == "html_block" else token.content
            yield "\n" if token.block else ""
