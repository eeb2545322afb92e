"""Rich text ('post') as Markdown: both shapes it comes in, and every tag."""

from collections.abc import Callable
from typing import Any

from adapters.feishu.emoji import shown

Mention = Callable[[str], str]
"""From what an `at` tag names to what a reader sees."""


def read(content: dict[str, Any], mention: Mention) -> tuple[str, list[tuple[str, str]]]:
    """The text, and the files in it as (type of resource, key).

    Events have title and content at the top; what is sent has them under a locale.
    """
    body = _body(content)
    files: list[tuple[str, str]] = []
    lines = [str(body["title"])] if body.get("title") else []
    rows = body.get("content")
    for row in rows if isinstance(rows, list) else ():
        tags = row if isinstance(row, list) else [row]
        lines.append("".join(_tag(tag, mention, files) for tag in tags if isinstance(tag, dict)))
    return "\n".join(lines), files


def _body(content: dict[str, Any]) -> dict[str, Any]:
    if isinstance(content.get("content"), list):
        return content
    for under in content.values():
        if isinstance(under, dict) and isinstance(under.get("content"), list):
            return under
    return content


def _tag(tag: dict[str, Any], mention: Mention, files: list[tuple[str, str]]) -> str:
    name, text = str(tag.get("tag", "")), str(tag.get("text") or "")
    match name:
        case "text" | "md":
            return _mentioned(text, mention)
        case "a":
            href = str(tag.get("href") or "")
            return f"[{text}]({href})" if text and text != href else href
        case "at":
            return mention(str(tag.get("user_id") or "")) or f"@{tag.get('user_name') or '?'}"
        case "img":
            files.append(("image", str(tag.get("image_key") or "")))
            return "[image]"
        case "media":
            files.append(("file", str(tag.get("file_key") or "")))
            return "[video]"
        case "emotion":
            return shown(str(tag.get("emoji_type") or ""))
        case "code_block":
            language = str(tag.get("language") or "").lower()
            return f"```{language}\n{text.rstrip()}\n```"
        case "hr":
            return "---"
        case _:
            return f"[{name or 'unknown'}] {text}".rstrip()


def _mentioned(text: str, mention: Mention) -> str:
    return mention(text) if text.startswith("@_") and mention(text) else text
