"""A forwarded conversation as quoted lines: who said what, in order, nested as it was. Pure."""

from typing import Any

from adapters.feishu import content
from adapters.feishu.directory import Directory
from adapters.quotes import Manner, quote

MESSAGES = 100  # of one conversation that are shown
DEPTH = 4  # conversations inside conversations


def senders(items: list[dict[str, Any]]) -> list[str]:
    """The open_ids of everybody who speaks in it."""
    found = [item.get("sender") or {} for item in items]
    return [str(s["id"]) for s in found if s.get("id_type") == "open_id" and s.get("id")]


def shown(message: str, items: list[dict[str, Any]], directory: Directory) -> str:
    """The conversation that `message` forwards; empty when nothing of it is there."""
    lines = _lines(message, items[:MESSAGES], directory, DEPTH)
    if len(items) > MESSAGES:
        lines.append(f"[{len(items) - MESSAGES} more messages]")
    return quote(Manner.FORWARD, "a conversation", "\n".join(lines))


def _lines(upper: str, items: list[dict[str, Any]], directory: Directory, depth: int) -> list[str]:
    mine = [item for item in items if item.get("upper_message_id") == upper]
    lines: list[str] = []
    for item in sorted(mine, key=lambda item: int(item.get("create_time") or 0)):
        id, kind = str(item.get("message_id") or ""), str(item.get("msg_type") or "")
        said = _said(id, kind, item)
        lines.append(f"{_speaker(item, directory)}: {said}")
        if kind == "merge_forward" and depth > 1:
            inner = _lines(id, items, directory, depth - 1)
            lines += [f"> {line}" for line in inner]
    return lines


def _said(id: str, kind: str, item: dict[str, Any]) -> str:
    names = {"@_all": "@all"}
    for mention in item.get("mentions") or ():
        names[str(mention.get("key"))] = f"@{mention.get('name') or mention.get('id')}"
    raw = str((item.get("body") or {}).get("content") or "")
    return content.read(id, kind, raw, names).text


def _speaker(item: dict[str, Any], directory: Directory) -> str:
    sender = item.get("sender") or {}
    id = str(sender.get("id") or "")
    return str(sender.get("sender_name") or directory.author(id).name or id or "somebody")
