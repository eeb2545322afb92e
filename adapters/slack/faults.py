"""Slack's error codes in our three kinds of error, each with a sentence people understand."""

from dataclasses import dataclass

from adapters.errors import AdapterError, Refused, Retry, Unknown

UNREACHABLE = "unreachable"
"""No connection came about, so nothing was sent."""
LOST = "lost"
"""It was sent, and no answer came that can be read."""

REVOKED = frozenset(
    "invalid_auth not_authed account_inactive token_revoked token_expired "
    "not_allowed_token_type org_login_required team_access_not_granted".split()
)
"""The token is worth nothing any more; only another one can help."""
UNFORMATTED = frozenset(
    "invalid_blocks invalid_blocks_format msg_blocks_too_long invalid_attachments "
    "markdown_text_conflict block_mismatch".split()
)
"""The form was rejected, and the same words as plain text may be taken."""
_LATER = frozenset(
    "ratelimited rate_limited service_unavailable request_timeout team_added_to_org".split()
)
_IN_DOUBT = frozenset("internal_error fatal_error".split())
"""Slack says itself that part of it may have happened."""
_REFUSED = {
    "channel_not_found": "the channel does not exist or Limen is not in it; invite it there",
    "not_in_channel": "Limen is not in the channel; invite it there",
    "is_archived": "the channel is archived; unarchive it, or talk elsewhere",
    "restricted_action": "the workspace does not let apps post there; its admins can",
    "restricted_action_read_only_channel": "the channel is read-only; its managers can change that",
    "restricted_action_thread_only_channel": "the channel takes answers in threads only",
    "restricted_action_thread_locked": "the thread is locked",
    "restricted_action_non_threadable_channel": "the channel has no threads",
    "msg_too_long": "the message is longer than Slack takes",
    "no_text": "the message is empty",
    "cannot_reply_to_message": "this message takes no answers in a thread",
    "thread_not_found": "the thread does not exist any more",
    "message_not_found": "the message does not exist any more",
    "user_disabled": "that account was deactivated",
    "user_not_found": "there is no such person",
    "messages_tab_disabled": "direct messages to the app are switched off; turn on App Home → "
    "Messages Tab → Allow users to send Slash commands and messages from the messages tab",
    "cannot_dm_bot": "apps cannot be written to",
    "ekm_access_denied": "the workspace's admins have suspended messages",
}
_AUTH = {
    "invalid_auth": "Slack does not know the token",
    "not_authed": "no token was given",
    "account_inactive": "the app was removed from the workspace, or its bot was deactivated",
    "token_revoked": "the token was revoked",
    "token_expired": "the token has expired",
    "not_allowed_token_type": "this is the wrong kind of token",
}
BOT_TOKEN_REMEDY = (
    "reinstall the app under OAuth & Permissions → Install to Workspace and set "
    "slack.bot_token to the new Bot User OAuth Token (xoxb-…)"
)
APP_TOKEN_REMEDY = (
    "make a token with the scope connections:write under Basic Information → App-Level Tokens "
    "and set slack.app_token to it (xapp-…)"
)


@dataclass(slots=True)
class CallFailed(Exception):
    """A call that Slack did not answer with `ok: true`."""

    method: str
    code: str
    """Slack's word for it, or `http_503`, UNREACHABLE, LOST."""
    detail: str = ""
    after: float | None = None
    """Seconds Slack asked us to wait."""

    def __str__(self) -> str:
        tail = f" ({self.detail})" if self.detail else ""
        return f"{self.method}: {self.code}{tail}"

    @property
    def passing(self) -> bool:
        """Whether the same call may succeed later: for a question, doubt is no obstacle."""
        return isinstance(told(self), (Retry, Unknown))


def told(failed: CallFailed) -> AdapterError:
    """The error a caller outside this package understands."""
    code = failed.code
    if code == UNREACHABLE:
        return Retry(f"Slack cannot be reached: {failed.detail}")
    if code in _LATER or code in ("http_429", "http_503"):
        return Retry(f"Slack asks for patience ({failed})", after=failed.after)
    if code in _IN_DOUBT or code == LOST or code.startswith("http_5"):
        return Unknown(f"Slack's answer was lost ({failed})")
    if code in REVOKED:
        return Refused(revoked(failed))
    if code == "missing_scope":
        return Refused(
            f"the Slack app lacks the scope {failed.detail or '?'} for {failed.method}; add it "
            "under OAuth & Permissions → Bot Token Scopes and reinstall the app"
        )
    return Refused(f"Slack took it not: {_REFUSED.get(code, 'it refused')} ({failed})")


def revoked(failed: CallFailed) -> str:
    """What is wrong with which token, and what to do."""
    of_app = failed.method == "apps.connections.open"
    remedy = APP_TOKEN_REMEDY if of_app else BOT_TOKEN_REMEDY
    key = "slack.app_token" if of_app else "slack.bot_token"
    why = _AUTH.get(failed.code, "Slack does not accept the token")
    return f"{key} is of no use: {why} ({failed.code}); {remedy}"
