"""What Telegram's errors mean: one table from its words to Retry, Refused and Unknown.

AdapterError
├── Retry ◄── Moved         the group goes on under `chat`
│       ◄── Conflicted    somebody else reads the updates
├── Refused ◄── Unformatted   the entities, not the words
│         ◄── ThreadGone
│         ◄── Unchanged     an edit to what it says already
│         ◄── Revoked       the token
└── Unknown
"""

from adapters import network
from adapters.errors import AdapterError, Refused, Retry, Unknown
from adapters.pace import seconds_told


class Moved(Retry):
    """A group became a supergroup with another number."""

    def __init__(self, chat: int) -> None:
        super().__init__(f"the group goes on as the supergroup {chat}", after=0.0)
        self.chat = chat


class Conflicted(Retry):
    """Updates go to somebody else: a second poller, or a webhook."""

    def __init__(self, message: str, *, webhook: bool) -> None:
        super().__init__(message)
        self.webhook = webhook


class Unformatted(Refused):
    """The entities were rejected; the words may be taken without."""


class ThreadGone(Refused):
    """There is no such topic."""


class Unchanged(Refused):
    """The message says that already."""


class Revoked(Refused):
    """The token is not valid."""


REVOKED = (
    "Telegram does not know the token: take the current one from @BotFather (/mybots, API Token) "
    "and set it as [telegram] token"
)
_MUTE = "the bot may not write in this chat; an admin of it can allow that"
_REQUESTS: tuple[tuple[str, type[Refused], str], ...] = (
    ("can't parse entities", Unformatted, "Telegram rejected the formatting"),
    ("message thread not found", ThreadGone, "the topic is no longer there"),
    ("topic_deleted", ThreadGone, "the topic is no longer there"),
    ("topic_closed", Refused, "the topic is closed; an admin can open it again"),
    ("message is not modified", Unchanged, "the message says that already"),
    ("message to edit not found", Refused, "the message is no longer there"),
    ("message can't be edited", Refused, "the message can no longer be changed"),
    ("message to delete not found", Refused, "the message is no longer there"),
    ("file is too big", Refused, "it is larger than the 20 MB a bot may fetch from Telegram"),
    ("file_id", Refused, "Telegram no longer has the file"),
    (
        "chat not found",
        Refused,
        "Telegram does not show this chat to the bot: the person must write to it first, or "
        "somebody must add it to the group",
    ),
    ("not enough rights", Refused, _MUTE),
    ("have no rights", Refused, _MUTE),
    ("chat_write_forbidden", Refused, _MUTE),
    ("button_data_invalid", Refused, "a button's value is longer than the 64 bytes Telegram takes"),
)
_FORBIDDEN = (
    ("blocked by the user", "this person has blocked the bot"),
    ("kicked", "the bot was removed from this chat; somebody there can add it again"),
    ("not a member", "the bot is not in this chat; somebody there can add it"),
    ("deactivated", "this account no longer exists"),
    ("initiate conversation", "this person must write to the bot first"),
)


def translated(error: Exception) -> AdapterError:
    """An error of the SDK's in our words."""
    from telegram import error as telegram

    text = str(error)
    refusal = (
        telegram.InvalidToken,
        telegram.Forbidden,
        telegram.BadRequest,
        telegram.Conflict,
    )
    if isinstance(error, refusal) and error.__cause__ is not None:
        # Not in Telegram's form, so it was a proxy or the sign-in page of some network.
        return Retry("something between here and Telegram answered in its place")
    match error:
        case telegram.RetryAfter():
            return Retry("Telegram asks for a pause", after=_seconds(error.retry_after))
        case telegram.ChatMigrated():
            return Moved(error.new_chat_id)
        case telegram.InvalidToken():
            return Revoked(REVOKED)
        case telegram.Conflict():
            return Conflicted(text, webhook="webhook" in text.lower())
        case telegram.Forbidden():
            return Refused(_forbidden(text))
        case telegram.BadRequest():
            return _bad_request(text)
        case telegram.NetworkError():
            return _network(error)
    # An answer came that cannot be read, so something may have been done.
    return Unknown(f"Telegram's answer could not be read: {type(error).__name__}")


def _forbidden(text: str) -> str:
    low = text.lower()
    return next((word for sign, word in _FORBIDDEN if sign in low), f"Telegram forbids it: {text}")


def _bad_request(text: str) -> Refused:
    low = text.lower()
    for sign, kind, word in _REQUESTS:
        if sign in low:
            return kind(word)
    return Refused(f"Telegram refused it: {text}")


def _network(error: Exception) -> AdapterError:
    """Whether a call can have arrived: not when nobody was reached, nor by Telegram's own word."""
    import httpx
    from telegram import error as telegram

    cause = error.__cause__
    never_left = (
        httpx.ConnectError,
        httpx.ConnectTimeout,
        httpx.PoolTimeout,
        httpx.ProxyError,
        httpx.UnsupportedProtocol,
    )
    if isinstance(cause, never_left):
        return Retry(f"Telegram cannot be reached: {network.reason(cause)}")
    if isinstance(cause, (httpx.HTTPError, telegram.TelegramError)):
        return Unknown(f"Telegram's answer was lost ({type(cause).__name__})")
    return Unknown(str(error)) if cause else Retry(f"Telegram has trouble: {error}")


def _seconds(pause: object) -> float | None:
    total = getattr(pause, "total_seconds", None)
    return seconds_told(str(total() if total else pause))
