"""What Slack takes as a message, and the error it names where it does not."""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

TEXT = 40_000
UPDATE = 4_000
BLOCKS = 50
SECTION = 3_000
MARKDOWN = 12_000
WHOLE = 13_200
_KINDS = frozenset(
    "section header divider context actions image markdown rich_text table video file".split()
)


class Invalid(Exception):
    """An `ok: false` answer."""

    def __init__(self, error: str, detail: str = "") -> None:
        super().__init__(error)
        self.error = error
        self.detail = detail


def check(text: str, blocks: Any, *, update: bool = False) -> list[Json]:
    """The blocks of a message that can be posted; Invalid otherwise."""
    if len(text) > (UPDATE if update else TEXT):
        raise Invalid("msg_too_long")
    if not blocks:
        if not text.strip():
            raise Invalid("no_text")
        return []
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise Invalid("invalid_blocks_format")
    _require(len(blocks) <= BLOCKS, "no more than 50 items allowed [json-pointer:/blocks]")
    for number, block in enumerate(blocks):
        _block(block, f"/blocks/{number}")
    tables = [block for block in blocks if block["type"] == "table"]
    if len(tables) > 1:
        raise Invalid("invalid_attachments", "only_one_table_allowed")
    markdown = sum(len(block["text"]) for block in blocks if block["type"] == "markdown")
    _require(markdown <= MARKDOWN, "markdown blocks may hold 12000 characters together")
    if sum(len(words) for block in blocks for words in _words(block)) > WHOLE:
        raise Invalid("msg_blocks_too_long")
    return blocks


def _require(holds: object, detail: str) -> None:
    if not holds:
        raise Invalid("invalid_blocks", f"[ERROR] {detail}")


def _block(block: Json, at: str) -> None:
    kind = block.get("type")
    _require(kind in _KINDS, f"unsupported type: {kind} [json-pointer:{at}/type]")
    if kind == "section":
        _require("text" in block or block.get("fields"), f"missing required field: text {at}")
        for part in [block.get("text"), *block.get("fields", ())]:
            if part is not None:
                _text(part, f"{at}/text", SECTION)
    elif kind == "header":
        _text(block.get("text"), f"{at}/text", 150)
        _require(block["text"]["type"] == "plain_text", f"must be plain_text {at}")
    elif kind == "markdown":
        _require(isinstance(block.get("text"), str) and block["text"], f"missing text {at}")
    elif kind == "context":
        elements = block.get("elements", [])
        _require(0 < len(elements) <= 10, f"1 to 10 elements {at}")
        for element in elements:
            _text(element, at, SECTION)
    elif kind == "actions":
        _actions(block.get("elements", []), at)
    elif kind == "rich_text":
        _rich(block, at)
    elif kind == "table":
        _table(block.get("rows"), at)


def _text(part: Any, at: str, limit: int) -> None:
    _require(isinstance(part, dict), f"must be an object [json-pointer:{at}]")
    _require(part.get("type") in ("mrkdwn", "plain_text"), f"bad text type [json-pointer:{at}]")
    words = part.get("text")
    _require(isinstance(words, str) and words, f"must be more than 0 characters [{at}/text]")
    _require(len(words) <= limit, f"must be less than {limit + 1} characters [{at}/text]")


def _actions(elements: list[Json], at: str) -> None:
    _require(0 < len(elements) <= 25, f"1 to 25 elements {at}")
    ids = [element.get("action_id", "") for element in elements]
    _require(len(set(ids)) == len(ids), f"action_id must be unique {at}")
    for element in elements:
        _text(element.get("text"), f"{at}/text", 75)
        _require(len(element.get("value", "")) <= 2_000, f"value is too long {at}")
        _require(len(element.get("action_id", "")) <= 255, f"action_id is too long {at}")


_RICH = {
    "rich_text_section": ("text", "link", "user", "emoji", "channel", "usergroup", "date"),
    "rich_text_preformatted": ("text", "link"),
    "rich_text_quote": ("text", "link", "user", "emoji", "channel"),
    "rich_text_list": ("rich_text_section",),
}


def _rich(block: Json, at: str) -> None:
    elements = block.get("elements") or []
    _require(isinstance(elements, list) and elements, f"rich_text needs elements {at}")
    for element in elements:
        kind = element.get("type")
        _require(kind in _RICH, f"unsupported rich_text element: {kind} {at}")
        for child in element.get("elements", []):
            _require(child.get("type") in _RICH[kind], f"unsupported in {kind}: {child} {at}")
            leaves = child.get("elements", []) if kind == "rich_text_list" else [child]
            for leaf in leaves:
                if leaf.get("type") == "text":
                    _require(leaf.get("text"), f"must be more than 0 characters {at}")
                if leaf.get("type") == "link":
                    _require(leaf.get("url"), f"a link needs a url {at}")


def _table(rows: Any, at: str) -> None:
    _require(isinstance(rows, list) and 0 < len(rows) <= 100, f"1 to 100 rows {at}")
    for row in rows:
        _require(0 < len(row) <= 20, f"1 to 20 cells {at}")
        for cell in row:
            _require(cell.get("type") in ("raw_text", "rich_text"), f"bad cell {at}")
            if cell["type"] == "raw_text":
                _require(cell.get("text"), f"a cell must not be empty {at}")
            else:
                _rich(cell, at)


def _words(node: Any) -> Iterator[str]:
    """Every visible text inside a block."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "text" and isinstance(value, str):
                yield value
            else:
                yield from _words(value)
    elif isinstance(node, list):
        for item in node:
            yield from _words(item)
