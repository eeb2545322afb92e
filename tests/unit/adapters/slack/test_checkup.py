"""The check-up of a Slack app: each single thing that is broken is named, and nothing else."""

from datetime import UTC, datetime
from time import time

import pytest

from adapters.findings import Finding, Level
from adapters.slack import checkup
from adapters.slack.settings import SlackSettings
from tests.fakes.slack_api import SlackApi
from tests.fakes.slack_state import SCOPES
from tests.fakes.slack_world import settings_for


def clock() -> datetime:
    return datetime.fromtimestamp(time(), UTC)


async def found(settings: SlackSettings) -> list[Finding]:
    """What is not as it should be."""
    findings = await checkup.examine(settings, clock)
    assert all(finding.area == "slack" for finding in findings)
    return [finding for finding in findings if finding.level is not Level.OK]


async def the_one(settings: SlackSettings) -> Finding:
    findings = await found(settings)
    assert len(findings) == 1, findings
    assert findings[0].remedy
    return findings[0]


async def test_all_is_well_with_a_whole_app() -> None:
    async with SlackApi() as api:
        assert await found(settings_for(api)) == []
        assert api.connections == 0


async def test_every_scope_the_adapter_knows_is_one_of_the_app() -> None:
    assert set(checkup.NEEDED) | set(checkup.WELCOME) == SCOPES


@pytest.mark.parametrize("scope", sorted(SCOPES))
async def test_a_missing_scope_is_named(scope: str) -> None:
    async with SlackApi() as api:
        api.web.scopes.discard(scope)
        finding = await the_one(settings_for(api))
        assert f"the scope {scope} is missing" in finding.text
        assert "Bot Token Scopes" in finding.remedy
        assert (finding.level is Level.FAIL) == (scope in checkup.NEEDED)


@pytest.mark.parametrize("code", ["token_revoked", "invalid_auth", "account_inactive"])
async def test_a_bad_bot_token_is_named(code: str) -> None:
    async with SlackApi() as api:
        api.token_error = code
        finding = await the_one(settings_for(api))
        assert "slack.bot_token is of no use" in finding.text
        assert "Install to Workspace" in finding.remedy


async def test_a_wrong_app_token_is_named() -> None:
    async with SlackApi() as api:
        finding = await the_one(settings_for(api, app_token="xapp-1-A0LIMEN-1-wrong"))
        assert "slack.app_token is of no use" in finding.text
        assert "connections:write" in finding.remedy


async def test_an_app_token_of_another_app_is_named() -> None:
    async with SlackApi() as api:
        finding = await the_one(settings_for(api, app_token="xapp-1-A0OTHER-1-test"))
        assert "of the app A0OTHER" in finding.text


async def test_an_app_token_without_its_scope_is_named() -> None:
    async with SlackApi() as api:
        api.app_token_error = "missing_scope"
        assert "connections:write" in (await the_one(settings_for(api))).text


async def test_socket_mode_that_is_off_is_named() -> None:
    async with SlackApi() as api:
        api.app_token_error = "socket_mode_not_enabled"
        finding = await the_one(settings_for(api))
        assert "Enable Socket Mode" in finding.remedy


async def test_an_unreachable_slack_is_named() -> None:
    async with SlackApi() as api:
        finding = await the_one(settings_for(api, base_url="http://127.0.0.1:9/api/"))
        assert "cannot be reached" in finding.text
        assert "slack.base_url" in finding.remedy


@pytest.mark.parametrize(("skew_s", "which"), [(300, "behind"), (-300, "ahead of")])
async def test_a_clock_that_is_wrong_is_named(skew_s: float, which: str) -> None:
    async with SlackApi() as api:
        api.skew_s = skew_s
        finding = await the_one(settings_for(api))
        assert which in finding.text
        assert "NTP" in finding.remedy


async def test_a_proxy_that_cannot_be_used_is_named() -> None:
    async with SlackApi() as api:
        finding = await the_one(settings_for(api, proxy="socks5://127.0.0.1:1080"))
        assert "aiohttp-socks" in finding.text


async def test_what_cannot_be_known_is_said_to_be_unknown() -> None:
    async with SlackApi() as api:
        texts = [finding.text for finding in await checkup.examine(settings_for(api), clock)]
        assert any("event subscriptions cannot be read by a program" in text for text in texts)


async def test_an_app_that_nobody_has_invited_yet_is_told_how() -> None:
    async with SlackApi() as api:
        for channel in api.workspace.channels.values():
            channel.members.remove(api.workspace.bot)
        texts = [finding.text for finding in await checkup.examine(settings_for(api), clock)]
        assert any("/invite @limen" in text for text in texts)
