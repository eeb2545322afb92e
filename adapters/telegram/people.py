"""Who is behind a message: a person, a bot, or a chat that speaks as itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adapters.chat import Author

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The bot's own account."""

    id: int
    username: str
    name: str
    """What people call it; mentions of it become `@name`."""
    commands: frozenset[str] = frozenset()
    """Its menu; empty where it has none."""
    reads_all: bool = True
    """False in privacy mode, in which Telegram withholds ordinary messages of groups."""

    @property
    def account(self) -> str:
        """Its part in addresses."""
        return str(self.id)

    @property
    def workspace(self) -> str:
        """Telegram has none, so all rooms of one bot make one."""
        return f"telegram:{self.id}"


def author(message: Mapping[str, Any]) -> Author | None:
    """Who sent it: a chat that speaks for itself before the stand-in that Telegram puts in `from`.

    None where Telegram names nobody.
    """
    if sender := message.get("sender_chat") or message.get("actor_chat"):
        return Author(id=str(int(sender["id"])), name=chat_name(sender))
    if user := message.get("from") or message.get("user"):
        return person(user)
    if message.get("chat", {}).get("type") == "channel":
        return Author(id=str(int(message["chat"]["id"])), name=chat_name(message["chat"]))
    return None


def person(user: Mapping[str, Any]) -> Author:
    """A user; Telegram tells bots no e-mail."""
    return Author(
        id=str(int(user["id"])), name=full_name(user), is_bot=bool(user.get("is_bot", False))
    )


def full_name(user: Mapping[str, Any]) -> str:
    """As Telegram's own apps show it."""
    names = (str(user.get("first_name") or ""), str(user.get("last_name") or ""))
    return " ".join(name for name in names if name) or str(user.get("username") or "")


def chat_name(chat: Mapping[str, Any]) -> str:
    """The title of a group or channel, or the name of whoever a private chat is with."""
    return str(chat.get("title") or "") or full_name(chat)
