"""The four chats with their platforms, and what each platform has not got."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tests.fakes.feishu_api import FeishuApi
from tests.fakes.platform import Platform
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi
from tests.fakes.web_platform import WebPlatform


class Lack(StrEnum):
    """What a platform has not got, so that a law about it says nothing there."""

    CONNECTION = "it lives in the house: no connection can break, and no token expire"
    LIMITS = "it lives in the house and sets no limits"
    MARKUP = "it takes every text as it stands"
    ARCHIVE = "no room of it can be closed to the bot"
    TOKENS = "its token is for good, and no fresh one can be had"
    IGNORANCE = "it knows every room and person from the start"
    RECALLS = "it tells bots nothing of deleted messages"
    LISTS = "it lists no members"
    EMAILS = "it shows no e-mail addresses"
    FILES = "it takes no files"
    KEYS = "it knows no key by which a second post could be told from the first"
    LOOKUP = "nobody can look there for a message of the bot's"
    QUOTES = "a message is answered in its thread, and not quoted"
    THREADS = "a topic is a part of the room, and no answer to whom it began with"
    MOVES = "a room of it keeps its id for ever"
    PRIVACY = "every group of it counts as open to the team, whatever its settings"
    PROGRESS = "its page shows progress by itself"


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the four."""

    make: Callable[[], Platform]
    lacks: frozenset[Lack]
    insists: bool = False
    """It hands over by itself, again and again, what was not acknowledged."""
    impatient: Mapping[str, Any] = field(default_factory=dict)
    """Settings with which it soon takes a silent connection for a dead one."""


HOUSE = {Lack.CONNECTION, Lack.LIMITS, Lack.MARKUP, Lack.ARCHIVE, Lack.TOKENS, Lack.IGNORANCE}
KINDS = {
    "web": Kind(
        WebPlatform,
        frozenset(HOUSE | {Lack.EMAILS, Lack.FILES, Lack.PROGRESS, Lack.MOVES}),
        insists=True,
    ),
    "slack": Kind(SlackApi, frozenset({Lack.TOKENS, Lack.KEYS, Lack.QUOTES, Lack.MOVES})),
    "telegram": Kind(
        TelegramApi,
        frozenset(
            {
                Lack.TOKENS,
                Lack.RECALLS,
                Lack.LISTS,
                Lack.EMAILS,
                Lack.KEYS,
                Lack.LOOKUP,
                Lack.THREADS,
                Lack.PRIVACY,
            }
        ),
        insists=True,
        impatient={"poll_s": 1, "silence_s": 0.2},
    ),
    "feishu": Kind(FeishuApi, frozenset({Lack.PRIVACY, Lack.MOVES})),
}
