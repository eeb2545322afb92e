"""An event of Feishu's on its way to becoming an `Incoming`, and who the bot is in it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from adapters.chat import Address
from adapters.feishu.directory import Directory

PLATFORM = "feishu"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Me:
    """The bot as Feishu knows it."""

    app_id: str
    open_id: str
    name: str
    """What its mention is called in a text."""


class Misplaced(Exception):
    """An event that cannot be told without asking Feishu about its message first."""

    def __init__(self, message: str) -> None:
        super().__init__(f"too little is known of message {message}")
        self.message = message


class Malformed(ValueError):
    """An event nobody can understand."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event with what is needed to understand it."""

    kind: str
    header: Json
    body: Json
    me: Me
    directory: Directory

    def address(self, chat: str, message: str | None = None, thread: str | None = None) -> Address:
        """A place in the bot's workspace."""
        for id in (chat, *(one for one in (message, thread) if one is not None)):
            if not (isinstance(id, str) and id and id.isprintable()):
                raise Malformed(f"an id must be a text, got {id!r:.80}")
        return Address(
            platform=PLATFORM, account=self.me.app_id, chat=chat, thread=thread, message=message
        )


def moment(text: str | int) -> datetime:
    """A moment from milliseconds; card callbacks give microseconds."""
    number = int(text)
    return datetime.fromtimestamp(number / (1e6 if number > 10**14 else 1e3), UTC)


def open_id(mention: Json) -> str:
    """Whom a mention or member means; events and history give it in two shapes."""
    id = mention.get("id")
    return str((id.get("open_id") if isinstance(id, dict) else id) or "")
