"""What three platforms accept as a message, each as one pure function that names the first fault.

Written from the platforms' documents, not from our renderers, so that both can be wrong only apart.
"""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

Json = dict[str, Any]

_STYLES = {"bold", "italic", "strike", "code"}
_LIST_STYLES = {"bullet", "ordered"}
_WEB = re.compile(r"(https?://|mailto:|tg://)\S+$", re.IGNORECASE)
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt);)")
_TOKEN = re.compile(r"<([^<>\n]*)>")
_OURS = re.compile(r"@[UW][A-Z0-9]+|(?:https?://|mailto:|tg://)[^|\s]+\|[^|<>\n]+")


# Slack


def slack_problem(text: str, blocks: list[Json] | tuple[Json, ...] | None = None) -> str | None:
    """Why `chat.postMessage` would refuse or misread these two, None if it would not."""
    if not text and not blocks:
        return "no_text"
    if len(text) > 40_000:
        return "msg_too_long: text over 40,000 signs"
    return _mrkdwn_problem(text) or _blocks_problem(list(blocks or []))


def _mrkdwn_problem(text: str) -> str | None:
    if found := _ENTITY.search(text):
        return f"unescaped & in text at {found.start()}"
    for found in _TOKEN.finditer(text):
        if found[1].startswith("!"):
            return f"broadcast in text: {found[0]!r}"
        if not _OURS.fullmatch(found[1]):
            return f"unknown token in text: {found[0]!r}"
    bare = _TOKEN.sub("", text)
    if "<" in bare or ">" in bare:
        return "unescaped < or > in text"
    if re.search(r"@(channel|here|everyone)\b", bare, re.IGNORECASE):
        return "a broadcast word in text"
    return None


def _blocks_problem(blocks: list[Json]) -> str | None:
    if len(blocks) > 50:
        return f"invalid_blocks: {len(blocks)} blocks, no more than 50 allowed"
    for at, block in enumerate(blocks):
        if problem := _block_problem(block):
            return f"invalid_blocks: {problem} [json-pointer:/blocks/{at}]"
    if (
        sum(map(len, _texts(blocks))) > 12_000
        or len(json.dumps(blocks, ensure_ascii=False)) > 13_200
    ):
        return "msg_blocks_too_long"
    return None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "text" and isinstance(inner, str):
                yield inner
            else:
                yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _block_problem(block: Json) -> str | None:
    match block.get("type"):
        case "divider":
            return None
        case "header":
            return _length_problem(block["text"], "plain_text", 150)
        case "section":
            return _length_problem(block["text"], "mrkdwn", 3_000) or _mrkdwn_problem(
                block["text"]["text"]
            )
        case "context":
            return None if 1 <= len(block["elements"]) <= 10 else "context needs 1 to 10 elements"
        case "actions":
            return None if 1 <= len(block["elements"]) <= 25 else "actions needs 1 to 25 elements"
        case "rich_text":
            if not block["elements"]:
                return "rich_text without elements"
            return _first(_rich_problem(element) for element in block["elements"])
        case kind:
            return f"unsupported type: {kind}"


def _length_problem(text: Json, kind: str, limit: int) -> str | None:
    if text["type"] != kind:
        return f"must be {kind}"
    if not 1 <= len(text["text"]) <= limit:
        return f"must be 1 to {limit} characters, not {len(text['text'])}"
    return None


def _rich_problem(element: Json) -> str | None:
    kind = element["type"]
    if not element["elements"]:
        return f"{kind} without elements"
    allowed = {"type", "elements"}
    if kind == "rich_text_list":
        allowed |= {"style", "indent", "offset", "border"}
        if element["style"] not in _LIST_STYLES:
            return f"list style {element['style']!r}"
        if not 0 <= element.get("indent", 0) <= 8 or element.get("offset", 0) < 0:
            return "list indent or offset out of range"
        if any(inner["type"] != "rich_text_section" for inner in element["elements"]):
            return "a list holds sections only"
        if problem := _first(_rich_problem(inner) for inner in element["elements"]):
            return problem
    elif kind in ("rich_text_section", "rich_text_quote", "rich_text_preformatted"):
        allowed |= {"border", "language"} if kind == "rich_text_preformatted" else {"border"}
        plain = kind == "rich_text_preformatted"
        if problem := _first(_part_problem(inner, plain) for inner in element["elements"]):
            return problem
    else:
        return f"unsupported element: {kind}"
    extra = set(element) - allowed
    return f"unknown fields {sorted(extra)}" if extra else None


def _part_problem(part: Json, plain: bool) -> str | None:
    if not set(part.get("style", {"bold": True})) <= _STYLES or part.get("style") == {}:
        return f"style {part.get('style')!r}"
    match part["type"]:
        case "text":
            return None if part["text"] else "text must be more than 0 characters"
        case "link":
            return None if _WEB.match(part["url"]) and part["text"] else f"link {part!r}"
        case "user" if not plain:
            return None if re.fullmatch(r"[UW][A-Z0-9]+", part["user_id"]) else "user id"
    return f"unsupported part: {part['type']}"


def _first(problems: Iterator[str | None]) -> str | None:
    return next((problem for problem in problems if problem), None)


# Telegram

_ENTITIES = {
    "bold": set(),
    "italic": set(),
    "strikethrough": set(),
    "underline": set(),
    "code": set(),
    "blockquote": set(),
    "pre": {"language"},
    "text_link": {"url"},
    "text_mention": {"user"},
}
_ANYWHERE = {"bold", "italic", "strikethrough", "underline"}


def telegram_problem(text: str, entities: list[Json] | tuple[Json, ...] = ()) -> str | None:
    """Why `sendMessage` would refuse these two, None if it would not."""
    whole = text.encode("utf-16-le", "surrogatepass")
    length = len(whole) // 2
    if not text.strip():
        return "Bad Request: message text is empty"
    if length > 4_096:
        return "Bad Request: message is too long"
    if len(entities) > 100:
        return f"{len(entities)} entities, no more than 100 count"
    for entity in entities:
        if problem := _entity_problem(entity, whole, length):
            return f"{problem} in {entity!r}"
    pairs = combinations(entities, 2)
    return _first(_pair_problem(one, other) for one, other in pairs)


def _entity_problem(entity: Json, whole: bytes, length: int) -> str | None:
    kind = entity["type"]
    if kind not in _ENTITIES:
        return "unknown type"
    if set(entity) - {"type", "offset", "length"} - _ENTITIES[kind]:
        return "fields that do not belong"
    start, end = entity["offset"], entity["offset"] + entity["length"]
    if not 0 <= start < end <= length:
        return "outside of the text"
    for place in (start, end):
        if place < length and 0xDC <= whole[2 * place + 1] <= 0xDF:
            return "cut through a surrogate pair"
    if kind == "text_link" and not _WEB.match(entity.get("url", "")):
        return "no such address"
    if kind == "text_mention" and not isinstance(entity["user"].get("id"), int):
        return "no user"
    return None


def _pair_problem(one: Json, other: Json) -> str | None:
    if one["offset"] > other["offset"] or (
        one["offset"] == other["offset"] and one["length"] < other["length"]
    ):
        one, other = other, one
    end, other_end = (entity["offset"] + entity["length"] for entity in (one, other))
    if other["offset"] >= end:
        return None
    kinds = {one["type"], other["type"]}
    if other_end > end:
        return f"{one['type']} and {other['type']} overlap at {other['offset']}"
    if len(kinds) == 1:
        return f"{one['type']} inside of itself at {other['offset']}"
    if kinds & {"pre", "code"} and not kinds & {"blockquote"}:
        return f"{sorted(kinds)} share text at {other['offset']}"
    if not kinds & (_ANYWHERE | {"blockquote"}):
        return f"{sorted(kinds)} share text at {other['offset']}"
    return None


# Feishu

_POST_TAGS = {
    "text": {"text", "style"},
    "a": {"text", "href", "style"},
    "at": {"user_id", "style"},
    "md": {"text"},
    "code_block": {"text", "language"},
    "hr": set(),
}
_POST_STYLES = {"bold", "italic", "underline", "lineThrough"}
_CARD_AT = re.compile(r"<at id=([A-Za-z0-9_-]+)></at>")
_CARD_TAG = re.compile(r"</?[A-Za-z!?]")
_CODE = re.compile(
    r"(`{3,})[^`\n]*\n.*?\n[ >]*\1|(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\2(?!`)", re.DOTALL
)


def feishu_problem(msg_type: str, content: str | Json) -> str | None:
    """Why `im/v1/messages` would refuse this content, None if it would not."""
    encoded = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    value: Json = json.loads(encoded)
    limit = 150 * 1024 if msg_type == "text" else 30 * 1024
    if len(encoded.encode()) > limit:
        return f"230025: {len(encoded.encode())} bytes, no more than {limit}"
    match msg_type:
        case "text":
            return None if value.get("text") else "230001: no text"
        case "post":
            return _post_problem(value)
        case "interactive":
            return _card_problem(value)
    return f"230001: msg_type {msg_type!r}"


def _post_problem(value: Json) -> str | None:
    if not value or not set(value) <= {"zh_cn", "en_us", "ja_jp"}:
        return "230001: a post is kept by language"
    for language in value.values():
        if not language.get("content"):
            return "230001: no content"
        for row in language["content"]:
            if not row:
                return "230001: an empty row"
            if problem := _first(_tag_problem(tag) for tag in row):
                return f"230001: {problem}"
    return None


def _tag_problem(tag: Json) -> str | None:
    kind = tag["tag"]
    if kind not in _POST_TAGS or set(tag) - {"tag"} - _POST_TAGS[kind]:
        return f"tag {tag!r}"
    if not set(tag.get("style", ())) <= _POST_STYLES:
        return f"style {tag['style']!r}"
    if kind == "a" and not re.match(r"https?://", tag["href"], re.IGNORECASE):
        return f"href {tag['href']!r}"
    if kind == "at" and tag["user_id"] in ("", "all"):
        return "everybody is mentioned"
    if kind in ("text", "a") and re.search(r"</?at\b", tag["text"]):
        return f"a mention made by text: {tag['text']!r}"
    return None


def _card_problem(value: Json) -> str | None:
    if value.get("schema") != "2.0" or set(value) - {"schema", "config", "body", "header"}:
        return "230099: not a card of JSON 2.0"
    elements = value["body"]["elements"]
    if not elements:
        return "230099: no elements"
    tables = 0
    for element in elements:
        if element["tag"] != "markdown":
            continue
        tables += len(_tables(element["content"]))
        if problem := _markdown_problem(element["content"]):
            return f"230099: {problem}"
    if tables > 5:
        return "230099: ErrCode: 11310; ErrMsg: card table number over limit; ErrorValue: table;"
    return None


def _tables(content: str) -> list[str]:
    return re.findall(r"^\| ?:?-+:? ?\|.*$", _CODE.sub("", content), re.MULTILINE)


def _markdown_problem(content: str) -> str | None:
    if not content.strip():
        return "an empty element"
    if found := re.search(r"</?(at|person)\b", _CARD_AT.sub("", content)):
        return f"a mention made by text: {found[0]!r}"
    if any(found[1] == "all" for found in _CARD_AT.finditer(content)):
        return "everybody is mentioned"
    if found := _CARD_TAG.search(_CARD_AT.sub("", _CODE.sub("", content))):
        return f"a tag made by text: {found[0]!r} in {content!r}"
    return None
