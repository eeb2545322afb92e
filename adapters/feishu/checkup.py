"""What `limen doctor` finds out about a Feishu app, and the place in the console that mends it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from adapters import network
from adapters.errors import AdapterError, Refused
from adapters.feishu.api import Api
from adapters.feishu.chat import BOT_INFO, NO_BOT
from adapters.feishu.connection import ENDPOINT, LIMIT_NOTE, handshake_error
from adapters.feishu.errors import LIMIT_CODE, NO_BOT_CODES, Rejected
from adapters.feishu.needs import CALLBACKS, EVENTS, SCOPES, Scope
from adapters.feishu.settings import FeishuSettings
from adapters.findings import Finding, fail, of_clocks, ok, warn

AREA = "feishu"
_ENABLED = 2  # of `activate_status`; the others are not installed, stopped, or out of licence
PUBLISH = "then publish a version under Version Management & Release (版本管理与发布 → 创建版本)"
LONG_CONNECTION = (
    'choose "Receive events/callbacks through persistent connection" under Events & Callbacks '
    f"(事件与回调 → 使用长连接接收事件 / 回调), {PUBLISH}"
)


async def examine(settings: FeishuSettings, clock: Callable[[], datetime]) -> list[Finding]:
    """Everything that can be seen from outside; one thing broken is one finding that is not ok."""
    api = Api(settings, clock)
    try:
        found = await _reach(api)
        if found.level.value != "ok":
            return [found]
        return [
            found,
            of_clocks(AREA, "Feishu", api.server_time, clock()),
            await _bot(api),
            *await _scopes(api),
            *await _subscriptions(api),
            await _long_connection(api),
        ]
    finally:
        await api.close()


async def _reach(api: Api) -> Finding:
    try:
        await api.renew()
    except Refused as error:
        return fail(
            AREA, str(error),
            "copy App ID and App Secret from Credentials & Basic Info (凭证与基础信息); Feishu and "
            "Lark are two platforms, so see that `domain` is the one of this app",
        )  # fmt: skip
    except AdapterError as error:
        return fail(
            AREA, str(error),
            "see whether this machine reaches it, whether `domain` is right and whether a proxy "
            "must be set",
        )  # fmt: skip
    return ok(AREA, f"{api.settings.domain} is there and knows {api.settings.app_id}")


async def _bot(api: Api) -> Finding:
    try:
        bot = (await api.call("GET", BOT_INFO)).get("bot") or {}
    except Rejected as error:
        if error.code in NO_BOT_CODES:
            return fail(AREA, "the app has no bot", NO_BOT)
        return fail(AREA, f"Feishu does not say who the bot is: {error}", NO_BOT)
    except AdapterError as error:
        return _later("who the bot is", error)
    state = bot.get("activate_status", _ENABLED)
    if state != _ENABLED:
        return fail(
            AREA, f"the app is not enabled in this organisation (activate_status {state})",
            "publish a version (版本管理与发布) and let an administrator enable the app in the "
            "admin console (管理后台 → 工作台 → 应用管理)",
        )  # fmt: skip
    return ok(AREA, f"the bot is called {bot.get('app_name') or 'nothing'}")


async def _scopes(api: Api) -> list[Finding]:
    try:
        told = await api.call("GET", "/open-apis/application/v6/scopes")
    except Rejected as error:
        return [warn(AREA, f"the permissions cannot be looked up: {error}", "try again later")]
    except AdapterError as error:
        return [_later("the permissions", error)]
    granted = {
        str(scope.get("scope_name"))
        for scope in told.get("scopes") or ()
        if scope.get("grant_status") == 1
    }
    missing = [scope for scope in SCOPES if not granted.intersection(scope.names)]
    return [_missing(scope) for scope in missing] or [ok(AREA, "every permission is granted")]


def _missing(scope: Scope) -> Finding:
    name = f"{scope.names[0]} ({scope.english}, {scope.chinese})"
    make = fail if scope.needed else warn
    return make(
        AREA, f"the permission {name} is missing",
        f"add {scope.names[0]} under Permissions & Scopes (权限管理 → 开通权限), {PUBLISH}",
    )  # fmt: skip


async def _subscriptions(api: Api) -> list[Finding]:
    """Which events come in; the app may look at itself only with a permission of its own."""
    path = f"/open-apis/application/v6/applications/{api.settings.app_id}"
    try:
        app = (await api.call("GET", path, params={"lang": "en_us"})).get("app") or {}
        events = (app.get("event") or {}).get("subscribed_events")
        if events is None and app.get("online_version_id"):
            version = f"{path}/app_versions/{app['online_version_id']}"
            told = await api.call("GET", version, params={"lang": "en_us"})
            infos = (told.get("app_version") or {}).get("event_infos")
            events = None if infos is None else [info.get("event_type") for info in infos]
        callback = app.get("callback_info") or app.get("callback") or {}
        callbacks = callback.get("subscribed_callbacks")
        ways = {(app.get("event") or {}).get("subscription_type"), callback.get("callback_type")}
    except (Rejected, AdapterError):
        return [ok(
            AREA, "the subscriptions cannot be looked up without the permission "
            "application:application:self_manage (应用自管理); see for yourself that these are "
            f"there: {_listed({**EVENTS, **CALLBACKS})}",
        )]  # fmt: skip
    if "webhook" in ways:
        what = "events or callbacks go to a web address (webhook) instead of the long connection"
        return [fail(AREA, what, LONG_CONNECTION)]
    return _unsubscribed("event", EVENTS, events) + _unsubscribed("callback", CALLBACKS, callbacks)


def _unsubscribed(what: str, wanted: dict[str, str], there: Iterable[Any] | None) -> list[Finding]:
    if there is None:
        return [ok(AREA, f"Feishu does not list the {what}s; needed are {_listed(wanted)}")]
    found = set(there)
    missing = {name: words for name, words in wanted.items() if name not in found}
    if not missing:
        return [ok(AREA, f"every {what} is subscribed to")]
    make = fail if "im.message.receive_v1" in missing else warn
    place = (
        "Event Configuration, Add Events (事件配置 → 添加事件)" if what == "event"
        else "Callback Configuration, Add Callback (回调配置 → 添加回调)"
    )  # fmt: skip
    return [make(
        AREA, f"not subscribed to {_listed(missing)}",
        f"add it under Events & Callbacks, {place}, {PUBLISH}",
    )]  # fmt: skip


def _listed(names: dict[str, str]) -> str:
    return ", ".join(f"{name} ({words})" for name, words in names.items())


async def _long_connection(api: Api) -> Finding:
    """Open one and close it at once: an event that meets it is not acknowledged, so it is sent
    again to the connection that stays."""
    import aiohttp

    settings = api.settings
    body = {"AppID": settings.app_id, "AppSecret": settings.app_secret}
    try:
        url = str((await api.post_plain(ENDPOINT, body))["URL"])
        session = await api.session()
        try:
            socket = await session.ws_connect(url, proxy=api.proxy)
        except aiohttp.WSServerHandshakeError as error:
            raise handshake_error(error) from error
        await socket.close()
    except Rejected as error:
        if error.code == LIMIT_CODE:
            return fail(AREA, "the long connections of this app are used up", LIMIT_NOTE)
        return fail(
            AREA, f"the long connection is refused (code {error.code}: {error.msg})",
            LONG_CONNECTION,
        )  # fmt: skip
    except (AdapterError, aiohttp.ClientError, OSError, TimeoutError, KeyError) as error:
        return fail(
            AREA, f"the long connection cannot be opened: {network.reason(error)}",
            "see whether a firewall or proxy lets WebSockets (wss) through",
        )  # fmt: skip
    return ok(AREA, "the long connection opens")


def _later(what: str, error: AdapterError) -> Finding:
    return warn(AREA, f"Feishu does not tell {what} right now: {error}", "try again later")
