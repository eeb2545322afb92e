"""Whether a letter in doubt arrived: asked of Feishu's history when its `uuid` is too old."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from adapters.chat import Outgoing, Receipt
from adapters.errors import Refused, Unknown
from adapters.feishu.api import Api
from adapters.feishu.errors import Rejected, verdict
from adapters.feishu.sending import MESSAGES, plain_content, rendered

PROTECTED = timedelta(minutes=55)
"""Feishu knows a `uuid` for an hour: until then a second post is harmless, whatever became of the
first."""
PAGES = 20  # of fifty messages
_EARLIER = timedelta(minutes=1)  # how far Feishu's clock may be behind
_WORDS = frozenset({"text", "content", "title", "name", "display_name"})


async def find(letter: Outgoing, api: Api, clock: Callable[[], datetime]) -> Receipt | None:
    """The letter's message; see `Chat.find`."""
    if letter.written is not None and clock() - letter.written < PROTECTED:
        return None
    unmarked = replace(letter, possible_repeat=False)
    wanted = {_essence(rendered(unmarked)[1]), _essence(plain_content(letter.text))} - {""}
    asked = {
        "container_id_type": "thread" if letter.room.thread else "chat",
        "container_id": letter.room.thread or letter.room.chat,
        "page_size": "50", "sort_type": "ByCreateTimeDesc",
        "card_msg_content_type": "user_card_content",
    }  # fmt: skip
    since = letter.written - _EARLIER if letter.written else None
    if since and not letter.room.thread:
        asked["start_time"] = str(int(since.timestamp()))
    more = False
    try:
        async for data in api.pages(MESSAGES, asked, pages=PAGES):
            for item in data.get("items") or ():
                at = datetime.fromtimestamp(int(item["create_time"]) / 1000, UTC)
                if since and at < since:
                    return None
                if _is_it(item, api.settings.app_id, wanted):
                    return Receipt(message=str(item["message_id"]), at=at)
            more = bool(data.get("has_more"))
    except Rejected as error:
        judged = verdict(error)
        if isinstance(judged, Refused):
            raise Unknown(f"the chat's history cannot be read: {judged}") from error
        raise judged from error
    if more:
        raise Unknown("too much was said since to look for the letter in the history")
    return None


def _is_it(item: dict[str, Any], app_id: str, wanted: set[str]) -> bool:
    if (item.get("sender") or {}).get("id") != app_id or item.get("deleted"):
        return False
    found = _essence(str((item.get("body") or {}).get("content") or ""))
    return any(words in found for words in wanted)


def _essence(content: str) -> str:
    """The letters and digits of all words in a content, whatever shape it came back in."""
    try:
        node = json.loads(content)
    except ValueError:
        node = {"text": content}
    text = "".join(_words(node))
    return "".join(filter(str.isalnum, text)) or "".join(text.split())


def _words(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for child in node:
            yield from _words(child)
    elif isinstance(node, dict) and node.get("tag") != "at":
        for key, child in node.items():
            if isinstance(child, str):
                yield child if key in _WORDS else ""
            elif key not in ("config", "behaviors", "value"):
                yield from _words(child)
