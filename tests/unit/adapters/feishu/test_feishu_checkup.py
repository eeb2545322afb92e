"""The check-up: each single thing broken is exactly one finding that is not ok."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.feishu import needs
from adapters.feishu.checkup import examine
from adapters.feishu.settings import FeishuSettings
from adapters.findings import Finding, Level
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.feishu_house import Time, running


async def amiss(feishu: FeishuApi, time: Time, **settings: str) -> list[Finding]:
    given = FeishuSettings(**(feishu.credentials | settings))
    return [f for f in await examine(given, time.clock) if f.level is not Level.OK]


async def test_a_sound_app_has_nothing_amiss(feishu: FeishuApi, time: Time) -> None:
    findings = await examine(FeishuSettings(**feishu.credentials), time.clock)
    assert {finding.level for finding in findings} == {Level.OK}
    assert {finding.area for finding in findings} == {"feishu"}


def no_bot(feishu: FeishuApi) -> None:
    feishu.rest.has_bot = False


def limit_at_endpoint(feishu: FeishuApi) -> None:
    feishu.endpoint_no = (1000040350, "exceed_conn_limit")


def limit_at_handshake(feishu: FeishuApi) -> None:
    feishu.handshake_no = (514, 1000040350, "exceed_conn_limit")


def no_long_connection(feishu: FeishuApi) -> None:
    feishu.endpoint_no = (1000040346, "not enabled")


def clock_ahead(feishu: FeishuApi) -> None:
    feishu.rest.skew = timedelta(minutes=-10)


def no_messages(feishu: FeishuApi) -> None:
    feishu.rest.events.remove("im.message.receive_v1")


def no_recalls(feishu: FeishuApi) -> None:
    feishu.rest.events.remove("im.message.recalled_v1")


def no_buttons(feishu: FeishuApi) -> None:
    feishu.rest.callbacks.clear()


def no_scope_list(feishu: FeishuApi) -> None:
    feishu.rest.answers["scopes"] = (212100, "app not install")


def webhook(feishu: FeishuApi) -> None:
    feishu.rest.way = "webhook"


def disabled(feishu: FeishuApi) -> None:
    feishu.rest.activated = 1


BROKEN = [
    (disabled, Level.FAIL, "not enabled", "管理后台"),
    (webhook, Level.FAIL, "webhook", "使用长连接接收事件"),
    (no_bot, Level.FAIL, "the app has no bot", "添加应用能力 → 机器人"),
    (limit_at_endpoint, Level.FAIL, "used up", "another Limen"),
    (limit_at_handshake, Level.FAIL, "used up", "another Limen"),
    (no_long_connection, Level.FAIL, "1000040346", "事件与回调 → 使用长连接接收事件"),
    (clock_ahead, Level.WARN, "600 s ahead", "time synchronisation"),
    (no_messages, Level.FAIL, "im.message.receive_v1 (接收消息)", "事件配置 → 添加事件"),
    (no_recalls, Level.WARN, "im.message.recalled_v1 (撤回消息)", "Add Events"),
    (no_buttons, Level.WARN, "card.action.trigger", "回调配置 → 添加回调"),
    (no_scope_list, Level.WARN, "212100", "try again"),
]


@pytest.mark.parametrize(("fault", "level", "says", "mends"), BROKEN)
async def test_one_thing_broken_is_one_finding(
    feishu: FeishuApi,
    time: Time,
    fault: Callable[[FeishuApi], None],
    level: Level,
    says: str,
    mends: str,
) -> None:
    fault(feishu)
    (finding,) = await amiss(feishu, time)
    assert finding.level is level
    assert says in finding.text
    assert mends in finding.remedy


@pytest.mark.parametrize("scope", needs.SCOPES, ids=lambda scope: scope.names[0])
async def test_a_missing_permission_is_named_with_its_place_in_the_console(
    feishu: FeishuApi, time: Time, scope: needs.Scope
) -> None:
    feishu.rest.scopes.difference_update(scope.names)
    (finding,) = await amiss(feishu, time)
    assert finding.level is (Level.FAIL if scope.needed else Level.WARN)
    assert scope.names[0] in finding.text
    assert scope.chinese in finding.text
    assert "权限管理 → 开通权限" in finding.remedy


async def test_a_wrong_secret_is_the_only_finding(feishu: FeishuApi, time: Time) -> None:
    (finding,) = await amiss(feishu, time, app_secret="not this")
    assert "app_secret" in finding.text
    assert "凭证与基础信息" in finding.remedy
    assert "not this" not in finding.text + finding.remedy


async def test_an_unreachable_platform_is_the_only_finding(time: Time) -> None:
    async with FeishuApi(clock=time.clock) as gone:
        settings = FeishuSettings(**gone.credentials)
    (finding,) = await examine(settings, time.clock)
    assert finding.level is Level.FAIL
    assert "cannot be reached" in finding.text


async def test_an_app_that_may_not_look_at_itself_is_told_what_to_look_for(
    feishu: FeishuApi, time: Time
) -> None:
    feishu.rest.scopes.discard("application:application:self_manage")
    findings = await examine(FeishuSettings(**feishu.credentials), time.clock)
    assert {finding.level for finding in findings} == {Level.OK}
    assert any("im.chat.disbanded_v1 (解散群)" in finding.text for finding in findings)


async def test_a_check_up_takes_no_event_from_the_running_bot(
    feishu: FeishuApi, time: Time
) -> None:
    async with running(feishu, time) as here:
        assert await amiss(feishu, time) == []
        said = await feishu.say("mo", "project", "hello")
        await feishu.until(lambda: feishu.acknowledged(said))
        await here.house.until_text("hello")


def test_settings_do_not_show_the_secret(feishu: FeishuApi) -> None:
    settings = replace(FeishuSettings(**feishu.credentials), app_secret="s3cret-value")
    assert not re.search("s3cret", repr(settings))
