"""The check-up: each single thing that is broken gives exactly one finding about it."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from adapters.findings import Finding, Level
from adapters.telegram.checkup import examine
from adapters.telegram.settings import TelegramSettings
from tests.fakes.telegram_api import TOKEN, TelegramApi
from tests.fakes.telegram_house import House
from tests.fakes.telegram_world import PEOPLE


def settings(api: TelegramApi, **more: str) -> TelegramSettings:
    given = {"token": TOKEN, "bot_name": "Limen", "base_url": api.base_url} | more
    return TelegramSettings(**given)  # type: ignore[arg-type]


def now() -> datetime:
    return datetime.now(UTC)


def wrong(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.level is not Level.OK]


async def test_all_is_well(api: TelegramApi) -> None:
    findings = await examine(settings(api), now)
    assert wrong(findings) == []
    assert {finding.area for finding in findings} == {"telegram"}
    assert "@acme_helper_bot" in findings[0].text


def _unfit_for_groups(api: TelegramApi) -> None:
    api.methods.can_join_groups = False


def _private(api: TelegramApi) -> None:
    api.methods.reads_all = False


def _hooked(api: TelegramApi) -> None:
    api.methods.webhook = "https://old.example.org/hook"


def _shared(api: TelegramApi) -> None:
    api.second_poller = True


def _revoked(api: TelegramApi) -> None:
    api.revoke()


def _late(api: TelegramApi) -> None:
    api.date = "Mon, 30 Nov 2020 10:00:00 GMT"


@pytest.mark.parametrize(
    ("damage", "level", "text", "remedy"),
    [
        (_revoked, Level.FAIL, "does not know the token", "@BotFather"),
        (_private, Level.WARN, "privacy mode is on", "/setprivacy"),
        (_unfit_for_groups, Level.WARN, "may not be added to groups", "/setjoingroups"),
        (_hooked, Level.FAIL, "a webhook at old.example.org", "switch off the program"),
        (_shared, Level.WARN, "another program is reading", "stop the other one"),
        (_late, Level.WARN, "s ahead of", "time synchronisation"),
    ],
)
async def test_one_thing_broken_gives_one_finding_tg_in_12_cn_01(
    api: TelegramApi, damage: Callable[[TelegramApi], None], level: Level, text: str, remedy: str
) -> None:
    damage(api)
    (finding,) = wrong(await examine(settings(api), now))
    assert finding.level is level
    assert text in finding.text
    assert remedy in finding.remedy


async def test_a_server_out_of_reach_gives_one_finding(api: TelegramApi) -> None:
    (finding,) = await examine(settings(api, base_url="http://127.0.0.1:9/bot"), now)
    assert finding.level is Level.FAIL
    assert "127.0.0.1 cannot be reached directly" in finding.text


async def test_a_server_that_is_not_telegram_gives_one_finding(api: TelegramApi) -> None:
    (finding,) = await examine(settings(api, base_url=f"{api.base_url[:-4]}/else"), now)
    assert finding.level is Level.FAIL
    assert "base_url" in finding.remedy


@pytest.mark.parametrize(
    ("proxy", "word"),
    [("socks5://127.0.0.1:1080", "one more package"), ("nonsense", "no address of a proxy")],
)
async def test_a_proxy_that_cannot_be_used_gives_one_finding(
    api: TelegramApi, proxy: str, word: str
) -> None:
    (finding,) = await examine(settings(api, proxy=proxy), now)
    assert finding.level is Level.FAIL
    assert word in finding.text


async def test_a_proxy_out_of_reach_is_named(api: TelegramApi) -> None:
    (finding,) = await examine(settings(api, proxy="http://127.0.0.1:9"), now)
    assert "through the proxy" in finding.text


async def test_nothing_is_confirmed(api: TelegramApi) -> None:
    message = await api.say("mo", "direct", "hello")
    assert wrong(await examine(settings(api), now)) == []
    assert not api.acknowledged(message)
    async with House(api) as house:
        await house.heard_new()


async def test_a_limen_that_runs_is_left_its_poll(api: TelegramApi) -> None:
    async with House(api):
        await api.until(lambda: api.connections == 1)
        polls = len(api.calls("getUpdates"))
        assert wrong(await examine(settings(api), now, running=True)) == []
        assert len(api.calls("getUpdates")) == polls


async def test_a_small_difference_of_clocks_is_fine(api: TelegramApi) -> None:
    assert wrong(await examine(settings(api), lambda: now() + timedelta(seconds=30))) == []
    assert len(wrong(await examine(settings(api), lambda: now() + timedelta(seconds=90)))) == 1


async def test_the_token_is_not_shown(api: TelegramApi, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        await examine(settings(api), now)
        async with House(api) as house:
            await house.chat.send(house.letter(PEOPLE["mo"], "hello"))
            api.revoke()
            await house.ended()
    assert "AAtest" not in caplog.text
    assert "AAtest" not in repr(settings(api))
