"""Looks at a Slack app from outside, for `limen doctor`: what is wrong, and what to click."""

from typing import Any

from adapters.errors import AdapterError
from adapters.findings import Finding, fail, of_clocks, ok, warn
from adapters.network import time_told
from adapters.pace import Clock, Pace
from adapters.slack.api import Api
from adapters.slack.faults import APP_TOKEN_REMEDY, LOST, REVOKED, UNREACHABLE, CallFailed, revoked
from adapters.slack.settings import SlackSettings

Json = dict[str, Any]

AREA = "slack"
NEEDED = {
    "app_mentions:read": "to hear mentions",
    "channels:history": "to hear public channels",
    "channels:read": "to know who is in public channels",
    "chat:write": "to answer",
    "groups:history": "to hear private channels",
    "groups:read": "to know who is in private channels",
    "im:history": "to hear direct messages",
    "im:read": "to know whose direct message it is",
    "mpim:history": "to hear group direct messages",
    "mpim:read": "to know who is in group direct messages",
    "users:read": "to know people by name",
}
WELCOME = {
    "commands": "its slash command",
    "files:read": "files people send",
    "im:write": "the first word of a direct message",
    "reactions:read": "reactions",
    "reactions:write": "the eyes that show an answer is coming",
    "users:read.email": "people's e-mail addresses, by which accounts on other platforms are known",
}
EVENTS = (
    "app_mention, message.channels, message.groups, message.im, message.mpim, "
    "member_joined_channel, member_left_channel, channel_rename, reaction_added, reaction_removed, "
    "team_join, user_change"
)


async def examine(settings: SlackSettings, clock: Clock) -> list[Finding]:
    """Everything that can be told without taking events from a Limen that is running."""
    try:
        async with Api(settings, Pace(clock, _no_wait)) as api:
            return await _examined(api, settings, clock)
    except AdapterError as error:  # the proxy cannot be used
        return [fail(AREA, str(error), "set slack.proxy")]


async def _no_wait(seconds: float) -> None:
    """A check-up makes so few calls that it is never held up."""


async def _examined(api: Api, settings: SlackSettings, clock: Clock) -> list[Finding]:
    try:
        answer, headers = await api.ask("auth.test")
    except CallFailed as failed:
        found = [_bot_token(failed, settings)]
        alone = failed.code in (UNREACHABLE, LOST)
        return found if alone else found + await _app_token(api, settings, "")
    where = f"{answer.get('team') or answer.get('team_id')} as @{answer.get('user')}"
    findings = [ok(AREA, f"reached {settings.base_url}, signed in to {where}")]
    findings.append(of_clocks(AREA, "Slack", time_told(headers.get("date", "")), clock()))
    given = {scope.strip() for scope in headers.get("x-oauth-scopes", "").split(",")}
    findings += _scopes(given)
    findings += await _app_token(api, settings, await _app(api, answer, given))
    findings += await _rooms(api, str(answer.get("user")))
    findings.append(
        ok(
            AREA,
            "event subscriptions cannot be read by a program; see for yourself that "
            f"Event Subscriptions → Subscribe to bot events lists {EVENTS}",
        )
    )
    return findings


def _bot_token(failed: CallFailed, settings: SlackSettings) -> Finding:
    if failed.code in REVOKED:
        what, _, remedy = revoked(failed).partition("; ")
        return fail(AREA, what, remedy)
    if failed.code in (UNREACHABLE, LOST):
        remedy = "check the network, slack.base_url and slack.proxy"
        return fail(AREA, f"{settings.base_url} cannot be reached: {failed.detail}", remedy)
    return warn(AREA, f"Slack did not answer as it should: {failed}", "try again in a while")


def _scopes(given: set[str]) -> list[Finding]:
    remedy = "add it under OAuth & Permissions → Scopes → Bot Token Scopes, then reinstall the app"
    findings = [
        fail(AREA, f"the scope {scope} is missing, which Limen needs {why}", remedy)
        for scope, why in NEEDED.items()
        if scope not in given
    ]
    findings += [
        warn(AREA, f"the scope {scope} is missing; without it there is nothing of {what}", remedy)
        for scope, what in WELCOME.items()
        if scope not in given
    ]
    return findings or [ok(AREA, "every scope is there")]


async def _rooms(api: Api, handle: str) -> list[Finding]:
    """Where it can hear anything at all; being nowhere yet is how everybody begins."""
    try:
        told = await api.call("users.conversations", types="public_channel,private_channel")
    except CallFailed:
        return []  # what is missing for it has been named above
    if told.get("channels"):
        return [ok(AREA, "it was invited to channels and hears them")]
    return [ok(AREA, f"it is in no channel yet; write '/invite @{handle}' in one to let it in")]


async def _app(api: Api, answer: Json, given: set[str]) -> str:
    """The id of the app the bot token is of; empty where it cannot be told."""
    if "users:read" not in given or not answer.get("bot_id"):
        return ""
    try:
        told = await api.call("bots.info", bot=answer["bot_id"])
    except CallFailed:
        return ""
    return str((told.get("bot") or {}).get("app_id") or "")


async def _app_token(api: Api, settings: SlackSettings, app: str) -> list[Finding]:
    parts = settings.app_token.split("-")
    of = parts[2] if len(parts) > 2 else ""
    if app and of.startswith("A") and of != app:
        return [
            fail(
                AREA,
                f"slack.app_token is of the app {of}, and slack.bot_token of the app {app}",
                "take both tokens from the same app at api.slack.com/apps",
            )
        ]
    try:
        await api.call("apps.connections.open", app_token=settings.app_token)
    except CallFailed as failed:
        return [_no_connection(failed)]
    return [
        ok(
            AREA,
            "Socket Mode is on and takes slack.app_token; no connection was opened, as it would "
            "take events from a Limen that is running",
        )
    ]


def _no_connection(failed: CallFailed) -> Finding:
    if failed.code == "missing_scope":
        return fail(AREA, "slack.app_token lacks the scope connections:write", APP_TOKEN_REMEDY)
    if failed.code in REVOKED:
        what, _, remedy = revoked(failed).partition("; ")
        return fail(AREA, what, remedy)
    if failed.passing:
        return warn(AREA, f"Slack opened no connection just now: {failed}", "try again in a while")
    return fail(
        AREA,
        f"Slack opens no connection for this app ({failed.code})",
        "turn on Settings → Socket Mode → Enable Socket Mode at api.slack.com/apps",
    )
