"""`limen run` and `limen status` tell how each platform is, on the platforms' own wires."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.fakes.feishu_api import FeishuApi
from tests.fakes.platform import Platform
from tests.fakes.process import Running, limen, settings
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi

PATIENCE_S = 30.0
MAKERS = (SlackApi, FeishuApi, TelegramApi)


@asynccontextmanager
async def platforms(*makers: type[Platform]) -> AsyncIterator[list[Platform]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(maker()) for maker in makers]


def environment(folder: Path, there: list[Platform]) -> dict[str, str]:
    env = settings(folder)
    for platform in there:
        env |= platform.env
    return env


async def printed(running: Running) -> list[str]:
    """What a process prints up to `ready`; the platforms answer meanwhile."""
    lines: list[str] = []
    while not lines or not lines[-1].startswith("ready "):
        line = await asyncio.to_thread(running.line)
        assert line, running.errors()
        lines.append(line)
    return lines


async def status(env: dict[str, str]) -> dict[str, str]:
    """What another process tells of each platform."""
    with limen("status", env=env) as asked:
        text, _ = await asyncio.to_thread(asked.process.communicate)
    rows = (line.removeprefix("platforms").strip() for line in text.splitlines())
    return {row.partition(" ")[0]: row for row in rows if " since " in row and row[0].isalpha()}


async def until_told(env: dict[str, str], words: str, *names: str) -> dict[str, str]:
    async with asyncio.timeout(PATIENCE_S):
        while True:  # every look is a process of its own
            told = await status(env)
            if all(words in told.get(name, "") for name in names):
                return told


async def test_every_platform_is_told_before_ready_and_by_another_process(
    tmp_path: Path,
) -> None:
    async with platforms(*MAKERS) as there:
        env = environment(tmp_path / "home", there)
        with limen("run", env=env) as running:
            lines = await printed(running)
            told = {line.partition(":")[0]: line for line in lines[1:-1]}
            assert sorted(told) == ["feishu", "slack", "telegram"]
            await until_told(env, "up since", *told)
        assert "as of" in (await status(env))["slack"], "the process is gone, and that is told"


@pytest.mark.parametrize("maker", [SlackApi, TelegramApi])
async def test_a_revoked_token_is_told_with_its_remedy_and_the_others_run_on(
    tmp_path: Path, maker: type[Platform]
) -> None:
    async with platforms(*MAKERS) as there:
        env = environment(tmp_path / "home", there)
        [broken] = [one for one in there if isinstance(one, maker)]
        with limen("run", env=env) as running:
            await printed(running)
            broken.revoke()
            await broken.hang_up()
            told = await until_told(env, "down since", broken.name)
            assert "token" in told[broken.name]
            others = {row.split()[1] for name, row in told.items() if name != broken.name}
            assert others == {"up"}


@pytest.mark.parametrize("maker", MAKERS)
async def test_a_platform_that_refuses_from_the_start_holds_up_nobody(
    tmp_path: Path, maker: type[Platform]
) -> None:
    async with platforms(maker) as there:
        [broken] = there
        env = environment(tmp_path / "home", there)
        broken.revoke()
        with limen("run", env=env) as running:
            lines = await printed(running)
        assert lines[0].startswith("Open ")
        assert lines[1].startswith(f"{broken.name} is down: ")
