"""The words inside Block Kit blocks, attachments and files of a message."""

from collections.abc import Iterator
from typing import Any

from adapters.chat import File
from adapters.quotes import Manner, quote
from adapters.slack.words import Names, link, person, readable

Json = dict[str, Any]

_SILENT = frozenset({"divider", "actions", "input", "context_actions"})


def of_blocks(blocks: list[Json], names: Names) -> str:
    """Every block's words, one block after another; a kind nobody knows leaves a trace."""
    return "\n".join(words for block in blocks if (words := _block(block, names)))


def of_attachments(attachments: list[Json], author: str, names: Names) -> list[str]:
    """Forwarded messages, link previews and cards, each as a quote of whoever wrote it."""
    quotes = []
    for attachment in attachments:
        shared = attachment.get("is_share") or attachment.get("is_msg_unfurl")
        manner = Manner.FORWARD if shared else Manner.CARD
        whose = (
            attachment.get("author_name")
            or names.user(attachment.get("author_id") or "")
            or attachment.get("service_name")
            or attachment.get("footer")
            or author
        )
        quotes.append(quote(manner, whose, "\n".join(_attachment(attachment, names))))
    return [words for words in quotes if words]


def of_files(files: list[Json]) -> tuple[tuple[File, ...], list[str]]:
    """What can be fetched, and a word for what a file is where its name does not say it."""
    found, words = [], []
    for file in files:
        if word := _file_word(file):
            words.append(word)
        if file.get("mode") in ("tombstone", "hidden_by_limit") or file.get("is_external"):
            continue
        found.append(
            File(
                # Of a file shared from another workspace the event tells the id alone.
                id=file.get("url_private_download") or file.get("url_private") or file["id"],
                name=file.get("name") or file.get("title") or file["id"],
                mime=file.get("mimetype") or "application/octet-stream",
                size=size if isinstance(size := file.get("size"), int) else None,
            )
        )
    return tuple(found), words


def _file_word(file: Json) -> str:
    mode, title = file.get("mode"), file.get("title") or file.get("name") or "file"
    if mode == "tombstone":
        return "[a file that was deleted]"
    if mode == "hidden_by_limit":
        return "[a file that is hidden by the limits of the workspace's plan]"
    if file.get("is_external"):
        return f"[file elsewhere: {title} {file.get('url_private', '')}]".replace(" ]", "]")
    if file.get("subtype") in ("slack_audio", "slack_video"):
        kind = "voice message" if file["subtype"] == "slack_audio" else "video message"
        length = file.get("duration_ms")
        return f"[{kind}, {round(length / 1000)} s]" if length else f"[{kind}]"
    if mode in ("space", "quip"):
        return f"[canvas: {title}]"
    if mode == "list":
        return f"[list: {title}]"
    return ""


def _attachment(attachment: Json, names: Names) -> Iterator[str]:
    title, url = attachment.get("title") or "", attachment.get("title_link") or ""
    parts = [
        readable(attachment.get("pretext") or "", names),
        link(url, readable(title, names)) if url else readable(title, names),
        readable(attachment.get("text") or "", names),
        *_fields(attachment.get("fields") or [], names),
        of_blocks(attachment.get("blocks") or [], names),
        *of_files(attachment.get("files") or [])[1],
        *(f"[file: {file.get('name') or file['id']}]" for file in attachment.get("files") or []),
    ]
    if not any(parts):
        inside = [given.get("message") or {} for given in attachment.get("message_blocks") or []]
        parts = [of_blocks(message.get("blocks") or [], names) for message in inside]
    if not any(parts):
        last = attachment.get("fallback") or attachment.get("from_url") or ""
        parts = [readable(last, names)]
    return (part for part in parts if part)


def _fields(fields: list[Json], names: Names) -> Iterator[str]:
    for field in fields:
        title, value = field.get("title") or "", field.get("value") or ""
        yield readable(f"{title}: {value}" if title and value else f"{title}{value}", names)


def _block(block: Json, names: Names) -> str:
    kind = block.get("type") or "unknown"
    if kind == "rich_text":
        return "\n".join(_rich(block.get("elements") or [], names))
    if kind == "section":
        parts = [block.get("text"), *(block.get("fields") or [])]
        return "\n".join(_composed(part, names) for part in parts if part)
    if kind == "header":
        return _composed(block.get("text") or {}, names)
    if kind == "context":
        elements = (_composed(element, names) for element in block.get("elements") or [])
        return " ".join(words for words in elements if words)
    if kind == "markdown":
        return str(block.get("text") or "")
    if kind == "table":
        return "\n".join(_row(row, names) for row in block.get("rows") or [])
    if kind in ("image", "video"):
        title = _composed(block.get("title") or {}, names) or block.get("alt_text") or ""
        return f"[{kind}: {title}]" if title else f"[{kind}]"
    if kind == "file":
        return "[file]"
    return "" if kind in _SILENT else f"[unsupported message: {kind}]"


def _composed(part: Json, names: Names) -> str:
    text = part.get("text") or part.get("alt_text") or ""
    return readable(text, names) if part.get("type") == "mrkdwn" else str(text)


def _row(row: list[Json], names: Names) -> str:
    cells = (
        " ".join(_rich(cell.get("elements") or [], names))
        if cell.get("type") == "rich_text"
        else str(cell.get("text") or "")
        for cell in row
    )
    return f"| {' | '.join(cells)} |"


def _rich(elements: list[Json], names: Names) -> Iterator[str]:
    for element in elements:
        kind, inner = element.get("type"), element.get("elements") or []
        if kind == "rich_text_list":
            yield from _items(element, inner, names)
            continue
        words = "".join(_leaf(leaf, names) for leaf in inner)
        if kind == "rich_text_preformatted":
            yield f"```\n{words}\n```"
        elif kind == "rich_text_quote":
            yield "\n".join(f"> {line}" for line in words.split("\n"))
        else:
            yield words.removesuffix("\n")


def _items(element: Json, items: list[Json], names: Names) -> Iterator[str]:
    indent = "    " * int(element.get("indent") or 0)
    first = int(element.get("offset") or 0) + 1
    for number, item in enumerate(items, first):
        mark = f"{number}." if element.get("style") == "ordered" else "-"
        words = "".join(_leaf(leaf, names) for leaf in item.get("elements") or [])
        yield f"{indent}{mark} {words}"


def _leaf(leaf: Json, names: Names) -> str:
    kind = leaf.get("type")
    if kind == "text":
        text = str(leaf.get("text") or "")
        return f"`{text}`" if (leaf.get("style") or {}).get("code") else text
    if kind == "link":
        return link(leaf.get("url") or "", leaf.get("text") or "")
    if kind == "user":
        return person(leaf.get("user_id") or "", "", names)
    if kind == "channel":
        id = leaf.get("channel_id") or ""
        return f"#{names.channel(id) or id}"
    if kind == "emoji":
        return _emoji(leaf)
    if kind == "broadcast":
        return f"@{leaf.get('range') or 'channel'}"
    if kind == "usergroup":
        return f"@{leaf.get('usergroup_id') or 'group'}"
    return str(leaf.get("fallback") or leaf.get("value") or leaf.get("text") or f"[{kind}]")


def _emoji(leaf: Json) -> str:
    try:
        return "".join(chr(int(code, 16)) for code in leaf["unicode"].split("-"))
    except (KeyError, ValueError, OverflowError, AttributeError):
        return f":{leaf.get('name') or 'emoji'}:"
