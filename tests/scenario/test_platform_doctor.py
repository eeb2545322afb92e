"""`limen doctor` as people run it, against platforms in which one thing is broken."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.feishu_api import FeishuApi
from tests.fakes.platform import Platform
from tests.fakes.process import ROOT, settings
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi

Made = Callable[[], Platform]
PLATFORMS: tuple[Made, ...] = (SlackApi, FeishuApi, TelegramApi)


async def doctor(home: Path, *envs: dict[str, str], as_json: bool = True) -> tuple[int, str]:
    """Its exit code and what it prints."""
    env = settings(home) | {key: value for one in envs for key, value in one.items()}
    command = [sys.executable, "-m", "bot", "doctor", *(["--json"] if as_json else [])]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=env, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, told.decode()


def amiss(told: str) -> list[dict[str, Any]]:
    return [one for one in json.loads(told)["findings"] if one["level"] != "ok"]


async def test_three_sound_platforms_have_nothing_amiss(tmp_path: Path) -> None:
    async with SlackApi() as slack, FeishuApi() as feishu, TelegramApi() as telegram:
        code, told = await doctor(tmp_path, slack.env, feishu.env, telegram.env)
    assert (code, amiss(told)) == (0, [])
    areas = {one["area"] for one in json.loads(told)["findings"]}
    assert {"slack", "feishu", "telegram", "model", "database", "disk", "clock"} <= areas


@pytest.mark.parametrize("broken", PLATFORMS, ids=lambda made: made.name)
async def test_revoked_keys_are_all_that_is_found_and_it_says_what_to_do(
    broken: Made, tmp_path: Path
) -> None:
    async with SlackApi() as slack, FeishuApi() as feishu, TelegramApi() as telegram:
        all_of_them: list[Platform] = [slack, feishu, telegram]
        [revoked] = [one for one in all_of_them if type(one) is broken]
        envs = [one.env for one in all_of_them]
        revoked.revoke()
        code, told = await doctor(tmp_path, *envs)
    found = amiss(told)
    assert code == 1 and found
    assert {(one["area"], one["level"]) for one in found} == {(revoked.name, "fail")}
    assert all(one["remedy"] for one in found)


async def test_people_read_a_line_for_each_thing_and_no_secret(tmp_path: Path) -> None:
    async with SlackApi() as slack:
        slack.web.scopes.discard("groups:history")
        code, told = await doctor(tmp_path, slack.env, as_json=False)
    assert code == 1
    assert "FAIL  slack" in told and "groups:history" in told and "→" in told
    assert slack.env["LIMEN_SLACK__BOT_TOKEN"] not in told
