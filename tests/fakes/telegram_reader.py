"""Reads raw updates one after the other, as the Telegram adapter does, without a server."""

from datetime import UTC, datetime
from typing import Any

from adapters.chat import Incoming
from adapters.telegram import incoming
from adapters.telegram.directory import Directory
from adapters.telegram.people import Me

ME = Me(id=80010001, username="acme_helper_bot", name="Limen")
MIRA = {
    "id": 70010001,
    "is_bot": False,
    "first_name": "Mira",
    "username": "mira_k",
    "language_code": "en",
}
JON = {"id": 70010002, "is_bot": False, "first_name": "Jon", "username": "jon_p"}
BOT = {"id": 80010001, "is_bot": True, "first_name": "Limen", "username": "acme_helper_bot"}
MIRAS = {"id": 70010001, "type": "private", "first_name": "Mira", "username": "mira_k"}
TEAM = {"id": -1002000000001, "type": "supergroup", "title": "Field Team"}
FORUM = {"id": -1002000000002, "type": "supergroup", "title": "Ops Forum", "is_forum": True}
DATE = 1767603600
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)

Json = dict[str, Any]


class Reader:
    """Reads one update after the other, as the adapter does."""

    def __init__(self, me: Me = ME) -> None:
        self.directory = Directory()
        self.directory.me = self._me = me

    def maybe(self, update: Json) -> Incoming | None:
        self.directory.learn(update)
        event = incoming.read(update, self._me, self.directory, NOW)
        if event is not None:
            self.directory.told(event)
        return event

    def read(self, update: Json) -> Incoming:
        event = self.maybe(update)
        assert event is not None
        return event

    def said(self, chat: Json = TEAM, who: Json = MIRA, **content: Any) -> Incoming:
        """A message with this content."""
        message = {"message_id": 51, "from": who, "chat": chat, "date": DATE, **content}
        return self.read({"update_id": 510000001, "message": message})


def entity(kind: str, offset: int, length: int, **fields: Any) -> Json:
    return {"type": kind, "offset": offset, "length": length, **fields}


MENTION = entity("mention", 0, 16)
