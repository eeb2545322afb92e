"""Feishu's error codes in the three words of every adapter: Retry, Refused, Unknown."""

from adapters.errors import AdapterError, Refused, Retry

TOKEN_CODES = frozenset({99991661, 99991663, 99991664})
"""The token is missing, expired or revoked; a fresh one can be had."""
RATE_CODES = frozenset({99991400, 11232, 230020})
"""Too many calls of the app, or into one chat."""
FORMAT_CODES = frozenset({230001, 230025, 230099})
"""The content does not suit: too long, too many tables, no valid card. Plain text may."""
SECRET_CODES = frozenset({10003, 10014, 10015, 1000040344})
"""Not this app, or not its secret."""
LIMIT_CODE = 1000040350
"""The app has as many long connections as it may have."""
WITHDRAWN_CODE = 230011
GONE_CODES = frozenset({230110, 231003, 230003})
"""The message is not there, for another reason than that its author recalled it."""
NO_TOPIC_CODES = frozenset({230019, 230071})
EDITED_OUT_CODES = frozenset({230072, 230075})
"""Edited twenty times, or too long ago to be edited."""
SCOPE_CODE = 99991672
NO_BOT_CODES = frozenset({230006, 11205})

_LATER = {
    230049: "Feishu is still posting this very message",
    232002: "Feishu could not answer right now",
    1500: "Feishu had an internal error",
    1: "Feishu is busy",
    1000040343: "Feishu had an internal error",
}
_REFUSALS = {
    230002: "the bot is not in this chat any more; add it again under Settings, Bots "
    "(群设置 → 群机器人)",
    230006: "the app has no bot; switch it on under Add Features, Bot (添加应用能力 → 机器人)",
    230011: "the message was recalled",
    230013: "this person may not use the app; widen its availability under Version Management "
    "(版本管理与发布 → 可用范围)",
    230017: "the bot does not own this message",
    230018: "speaking is restricted in this chat (群发言权限)",
    230019: "the topic does not exist any more",
    230022: "Feishu found sensitive words in it (敏感信息)",
    230025: "the message is too long for Feishu",
    230027: "the app lacks a permission for this; see `limen doctor`",
    230028: "Feishu's data loss prevention stopped it (DLP)",
    230029: "this person has left the organisation",
    230035: "the bot may not speak in this chat (群发言权限)",
    230038: "the app may not write to people of another organisation",
    230053: "this person has stopped messages of the bot",
    230099: "Feishu could not build the card",
    230110: "the message was deleted",
    231003: "the message does not exist",
    232009: "the chat was disbanded",
    99991672: "the app lacks a permission; see `limen doctor`",
    99992361: "this open_id belongs to another app: people and chats learned under an older app "
    "cannot be reached by this one",
}


class Rejected(Exception):
    """Feishu answered with a code that is not 0."""

    def __init__(
        self, code: int, msg: str, *, status: int = 200, after: float | None = None
    ) -> None:
        super().__init__(f"Feishu code {code}: {msg}")
        self.code = code
        self.msg = msg
        self.status = status
        self.after = after
        """Seconds Feishu asked us to wait."""


def verdict(error: Rejected) -> AdapterError:
    """Whether trying again can help, in a sentence people understand."""
    tail = f" (Feishu code {error.code}: {error.msg})"
    if error.code in RATE_CODES or error.status == 429:
        return Retry(f"Feishu allows no more calls right now{tail}", after=error.after)
    if error.code in TOKEN_CODES:
        return Retry(f"Feishu did not accept a fresh token{tail}")
    if error.code in _LATER or (error.status >= 500 and error.code not in _REFUSALS):
        return Retry(f"{_LATER.get(error.code, 'Feishu could not do it right now')}{tail}")
    return Refused(f"{_REFUSALS.get(error.code, 'Feishu refused it')}{tail}")


def bad_secret(app_id: str, error: Rejected) -> Refused:
    """What to do about credentials that Feishu does not know."""
    return Refused(
        f"Feishu does not accept app_id {app_id!r} with its app_secret (code {error.code}: "
        f"{error.msg}); copy both again from the developer console, Credentials & Basic Info "
        "(开发者后台 → 凭证与基础信息), into [feishu]"
    )
