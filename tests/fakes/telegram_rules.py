"""What the Bot API refuses: lengths in UTF-16, entities, keyboards, in its own words."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

TEXT = 4096  # UTF-16 units after entities parsing
CAPTION = 1024
CALLBACK = 64  # bytes
DOWNLOAD = 20 * 1024 * 1024  # bytes a bot may fetch

ENTITIES = frozenset(
    "mention hashtag cashtag bot_command url email phone_number bold italic underline "
    "strikethrough spoiler blockquote expandable_blockquote code pre text_link text_mention "
    "custom_emoji".split()
)
STRUCTURED = frozenset(
    "entities caption_entities reply_parameters reply_markup allowed_updates reaction commands "
    "link_preview_options".split()
)
"""Parameters that come as JSON inside a form."""


class ApiError(Exception):
    """An answer with `ok: false`."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters


def bad(description: str, **parameters: int) -> ApiError:
    """400, as the API words it."""
    return ApiError(400, f"Bad Request: {description}", **parameters)


def decoded(values: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a call with the JSON among them read."""
    found = dict(values)
    for name in STRUCTURED & found.keys():
        if isinstance(found[name], str):
            try:
                found[name] = json.loads(found[name])
            except ValueError:
                raise bad(f"can't parse {name} JSON object") from None
    return found


def units(text: str) -> int:
    """How long the API counts a text."""
    return len(text.encode("utf-16-le")) // 2


def check_text(text: str, entities: Sequence[Mapping[str, Any]]) -> None:
    """Refuse what sendMessage refuses."""
    if not text.strip():
        raise bad("message text is empty")
    if units(text) > TEXT:
        raise bad("message is too long")
    check_entities(text, entities)


def check_caption(text: str, entities: Sequence[Mapping[str, Any]]) -> None:
    """Refuse what sendPhoto and sendDocument refuse."""
    if units(text) > CAPTION:
        raise bad("message caption is too long")
    check_entities(text, entities)


def check_entities(text: str, entities: Sequence[Mapping[str, Any]]) -> None:
    """Refuse entities out of range, unknown ones and those that cut a surrogate pair."""
    whole = text.encode("utf-16-le")
    for entity in entities:
        kind, offset, length = entity.get("type"), entity.get("offset"), entity.get("length")
        if kind not in ENTITIES:
            raise bad(f'can\'t parse entities: unsupported entity type "{kind}"')
        if not isinstance(offset, int) or not isinstance(length, int) or offset < 0 or length <= 0:
            raise bad("can't parse entities: entity has a wrong place")
        if offset + length > len(whole) // 2:
            raise bad(f"can't parse entities: entity ends beyond the text at {offset + length}")
        for edge in (offset, offset + length):
            if _inside_pair(whole, edge):
                raise bad(f"can't parse entities: entity cuts a character at {edge}")
        if kind == "text_link" and not entity.get("url"):
            raise bad("can't parse entities: text_link without url")
        if kind == "text_mention" and not (entity.get("user") or {}).get("id"):
            raise bad("can't parse entities: text_mention without user")


def check_keyboard(markup: Mapping[str, Any] | None) -> None:
    """Refuse keyboards that cannot be shown."""
    for row in (markup or {}).get("inline_keyboard", ()):
        for button in row:
            if not str(button.get("text", "")).strip():
                raise bad("can't parse inline keyboard button: Text buttons are unallowed")
            if not 1 <= len(str(button.get("callback_data", "")).encode()) <= CALLBACK:
                raise bad("BUTTON_DATA_INVALID")


def _inside_pair(whole: bytes, edge: int) -> bool:
    if not 0 < edge < len(whole) // 2:
        return False
    unit = int.from_bytes(whole[2 * edge : 2 * edge + 2], "little")
    return 0xDC00 <= unit <= 0xDFFF
