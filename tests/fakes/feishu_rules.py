"""What Feishu takes and what it refuses of a message, and what a reader then sees."""

import html
import json
import re
from collections.abc import Iterator
from typing import Any

TEXT_BYTES = 150 * 1024
RICH_BYTES = 30 * 1024
TABLES = 5
POST_TAGS = {"text", "a", "at", "img", "media", "emotion", "hr", "code_block", "md"}
STYLES = {"bold", "italic", "underline", "lineThrough"}
CARD_TAGS = {
    "markdown", "div", "hr", "img", "button", "table", "action", "note", "column_set", "column",
    "plain_text", "lark_md", "text_tag", "collapsible_panel", "interactive_container",
}  # fmt: skip
_AT = re.compile(r"<at (?:user_)?id=[\"']?([\w-]+)[\"']?>([^<]*)</at>")
_LINK = re.compile(r"!?\[((?:[^\[\]\\]|\\.)*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")
_TABLE = re.compile(r"^ *\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$", re.MULTILINE)

Refusal = tuple[int, str]


def refusal(kind: str, content: str, people: set[str]) -> Refusal | None:
    """Why Feishu does not take a message; None if it does."""
    limit = TEXT_BYTES if kind == "text" else RICH_BYTES
    if len(content.encode()) > limit:
        return 230025, "The length of the message content reaches its limit."
    try:
        body = json.loads(content)
    except ValueError:
        return 230001, "invalid content: not JSON"
    if not isinstance(body, dict):
        return 230001, "invalid content: no object"
    check = {"text": _text, "post": _post, "interactive": _card}.get(kind)
    if check is None:
        return 230001, f"invalid msg_type {kind}"
    return check(body) or _mentions(kind, body, people)


def _text(body: dict[str, Any]) -> Refusal | None:
    text = body.get("text")
    return None if isinstance(text, str) and text else (230001, "invalid content: empty text")


def _post(body: dict[str, Any]) -> Refusal | None:
    if not body or not set(body) <= {"zh_cn", "en_us", "ja_jp"}:
        return 230001, "invalid content: post without locale"
    for post in body.values():
        rows = post.get("content")
        if not isinstance(rows, list) or not rows:
            return 230001, "invalid content: post without rows"
        for row in rows:
            if not isinstance(row, list):
                return 230001, "invalid content: a row is no list"
            for tag in row:
                if wrong := _post_tag(tag, alone=len(row) == 1):
                    return 230001, f"invalid content: {wrong}"
    return None


def _post_tag(tag: dict[str, Any], *, alone: bool) -> str:
    name = tag.get("tag")
    if name not in POST_TAGS:
        return f"unknown tag {name!r}"
    if name in ("md", "hr", "code_block") and not alone:
        return f"{name} must be alone in its row"
    if name in ("text", "a", "md", "code_block") and not isinstance(tag.get("text"), str):
        return f"{name} without text"
    if name == "a" and not re.match(r"(?:https?|mailto|tel):?", str(tag.get("href", ""))):
        return f"no address: {tag.get('href')!r}"
    if name == "at" and not tag.get("user_id"):
        return "at without user_id"
    if not set(tag.get("style", ())) <= STYLES:
        return f"unknown style {tag['style']}"
    return ""


def _card(body: dict[str, Any]) -> Refusal | None:
    failed = "Failed to create card content, ext=ErrCode: {}; ErrMsg: {};"
    if body.get("schema") == "2.0":
        elements = body.get("body", {}).get("elements")
    else:
        elements = body.get("elements")
    if not isinstance(elements, list) or not elements:
        return 230099, failed.format(200621, "parse card json err: no elements")
    tables = 0
    for element in walk(elements):
        tag = element.get("tag")
        if tag is not None and tag not in CARD_TAGS:
            return 230099, failed.format(200861, f"not support tag: {tag}")
        if tag == "markdown":
            if not isinstance(element.get("content"), str):
                return 230099, failed.format(200621, "markdown without content")
            tables += len(_TABLE.findall(element["content"]))
        if tag == "table":
            tables += 1
            if not element.get("columns"):
                return 230099, failed.format(200621, "table without columns")
        if tag == "button" and not (element.get("behaviors") or element.get("value")):
            return 230099, failed.format(200621, "button without behaviour")
    if tables > TABLES:
        return 230099, failed.format(11310, "card table number over limit") + " ErrorValue: table;"
    return None


def _mentions(kind: str, body: dict[str, Any], people: set[str]) -> Refusal | None:
    wrong = [id for id in mentions(kind, json.dumps(body)) if id != "all" and id not in people]
    return (230001, f"invalid at id {wrong[0]}") if wrong else None


def walk(node: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a card, from the top down."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from walk(child)


def buttons(content: str) -> dict[str, Any]:
    """The values behind a card's buttons, by label."""
    found: dict[str, Any] = {}
    for element in walk(json.loads(content)):
        if element.get("tag") == "button":
            calls = [b for b in element.get("behaviors", ()) if b.get("type") == "callback"]
            found[element["text"]["content"]] = calls[0]["value"] if calls else element["value"]
    return found


def mentions(kind: str, content: str) -> list[str]:
    """Whom a message really mentions."""
    body = json.loads(content)
    found: list[str] = []
    for element in walk(body):
        if kind == "post" and element.get("tag") == "at":
            found.append(element["user_id"])
        for key in ("text", "content"):
            value = element.get(key)
            if isinstance(value, str) and element.get("tag") not in ("text", "code_block"):
                found += [id for id, _ in _AT.findall(_without_code(value))]
    return found


def seen(kind: str, content: str, names: dict[str, str]) -> str:
    """What a reader sees, without markup; `names` by open_id."""
    body = json.loads(content)
    if kind == "text":
        return _named(str(body["text"]), names)
    if kind == "post":
        post = next(iter(body.values()))
        rows = ["".join(_seen_tag(tag, names) for tag in row) for row in post["content"]]
        return "\n".join(filter(None, [post.get("title", ""), *rows]))
    elements = body["body"]["elements"] if body.get("schema") == "2.0" else body["elements"]
    return "\n".join(_seen_card(elements, names))


def _seen_tag(tag: dict[str, Any], names: dict[str, str]) -> str:
    if tag["tag"] == "at":
        return f"@{names.get(tag['user_id'], tag.get('user_name', ''))}"
    if tag["tag"] == "md":
        return _plain(tag["text"], names)
    return str(tag.get("text", ""))


def _seen_card(node: Any, names: dict[str, str]) -> Iterator[str]:
    for element in walk(node):
        tag = element.get("tag")
        if tag in ("markdown", "lark_md"):
            yield _plain(element["content"], names)
        elif tag == "plain_text":
            yield element["content"]
        elif tag == "table":
            yield " ".join(column.get("display_name", "") for column in element["columns"])
            for row in element.get("rows", ()):
                yield " ".join(_plain(str(value), names) for value in row.values())


def _named(text: str, names: dict[str, str]) -> str:
    return _AT.sub(lambda at: "@" + names.get(at[1], at[2]), text)


def _without_code(text: str) -> str:
    return re.sub(r"(`+).*?\1", "", text, flags=re.DOTALL)


def _plain(text: str, names: dict[str, str]) -> str:
    """Markdown without its marks, code as it stands."""
    out = []
    for at, piece in enumerate(re.split(r"^ *```.*\n?", text, flags=re.MULTILINE)):
        if at % 2:
            out.append(piece)
            continue
        shown = _LINK.sub(r"\1", _named(piece, names))
        shown = re.sub(r"^#{1,6} +|^ *> ?", "", shown, flags=re.MULTILINE)
        shown = re.sub(r"(?<!\\)(\*\*|~~|`+|(?<!\w)[*_]|[*_](?!\w))", "", shown)
        out.append(html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", shown)))
    return "".join(out)
