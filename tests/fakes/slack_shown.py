"""What a reader of Slack sees of a message, without markup."""

import re
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]

_TOKEN = re.compile(r"<([^<>\n]+)>")
_FENCE = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_MARKS = re.compile(r"(?<![\w*_~])([*_~])(?=\S)(.+?)(?<=\S)\1(?![\w*_~])")
_KEPT = re.compile(r"\0(\d+)\0")

Name = Callable[[str], str]


def shown(text: str, blocks: list[Json], name: Name) -> str:
    """The words of a message; blocks take the place of the text where there are any."""
    kept = [block for block in blocks if block["type"] != "actions"]
    if not kept:
        return plain(text, name)
    return "\n".join(words for block in kept if (words := _block(block, name)))


def mentioned(text: str, blocks: list[Json]) -> list[str]:
    """The ids of everybody it really mentions, in order."""
    kept = [block for block in blocks if block["type"] != "actions"]
    found = list(_users(kept)) if kept else re.findall(r"<@(\w+)", text)
    return list(dict.fromkeys(found))


def plain(text: str, name: Name) -> str:
    """mrkdwn as it is read."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(_tokens(match[1], name))
        return f"\0{len(kept) - 1}\0"

    text = _CODE.sub(keep, _FENCE.sub(keep, text))
    text = re.sub(r"(?m)^&gt; ?", "", text)
    text = _tokens(text, name)
    for _ in range(3):
        text = _MARKS.sub(r"\2", text)
    return _KEPT.sub(lambda match: kept[int(match[1])], text)


def _tokens(text: str, name: Name) -> str:
    def token(match: re.Match[str]) -> str:
        target, _, label = match[1].partition("|")
        if target.startswith("@"):
            return f"@{name(target[1:])}"
        return label or target.lstrip("!#")

    text = _TOKEN.sub(token, text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _block(block: Json, name: Name) -> str:
    kind = block["type"]
    if kind == "section":
        parts = [block.get("text"), *block.get("fields", ())]
        return "\n".join(_part(part, name) for part in parts if part)
    if kind == "header":
        return _part(block["text"], name)
    if kind == "markdown":
        return str(block["text"])
    if kind == "context":
        return " ".join(_part(part, name) for part in block["elements"])
    if kind == "table":
        rows = (" ".join(_cell(cell, name) for cell in row) for row in block["rows"])
        return "\n".join(rows)
    return "\n".join(_rich(block, name)) if kind == "rich_text" else ""


def _part(part: Json, name: Name) -> str:
    return plain(part["text"], name) if part["type"] == "mrkdwn" else str(part["text"])


def _cell(cell: Json, name: Name) -> str:
    return str(cell["text"]) if cell["type"] == "raw_text" else "\n".join(_rich(cell, name))


def _rich(block: Json, name: Name) -> Iterator[str]:
    for element in block["elements"]:
        inner = element["elements"]
        if element["type"] == "rich_text_list":
            yield from ("".join(_leaf(leaf, name) for leaf in item["elements"]) for item in inner)
        else:
            yield "".join(_leaf(leaf, name) for leaf in inner)


def _leaf(leaf: Json, name: Name) -> str:
    if leaf["type"] == "user":
        return f"@{name(leaf['user_id'])}"
    if leaf["type"] == "emoji":
        return f":{leaf['name']}:"
    return str(leaf.get("text") or leaf.get("url") or "")


def _users(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if node.get("type") == "user":
            yield node["user_id"]
        if node.get("type") == "mrkdwn":
            yield from re.findall(r"<@(\w+)", node["text"])
        for value in node.values():
            yield from _users(value)
    elif isinstance(node, list):
        for item in node:
            yield from _users(item)
