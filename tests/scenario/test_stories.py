"""Every story that ships, played through the whole app with the built-in model."""

from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from bot.plays import perform, play, story, team
from bot.plays.stage import open_stage
from bot.plays.story import LANGUAGES
from bot.setup.config import Config
from tests.conftest import MakeConfig

EXPECTED = (
    "release-path",
    "stale-wait",
    "owner-routing",
    "risk",
    "two-rooms",
    "meeting-notes",
    "already-known",
    "settled-meanwhile",
    "private-matter",
)


def test_the_stories_ship() -> None:
    assert tuple(play.names()) == EXPECTED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", play.names())
async def test_a_story_comes_out_as_it_should(
    make_config: MakeConfig, name: str, language: str
) -> None:
    lines: list[str] = []

    passed = await play.play(name, language, make_config(), print_line=lines.append)

    assert passed, "\n".join(lines)
    assert not any(line.startswith("✗") for line in lines)


async def test_an_unmet_expectation_is_printed_and_fails(tmp_path: Path) -> None:
    text = (story.FOLDER / "stale-wait.en.toml").read_text(encoding="utf-8")
    wrong = tmp_path / "stale-wait.en.toml"
    wrong.write_text(text.replace('says = ["PayPort"', 'says = ["PayPenguin"'), encoding="utf-8")
    lines: list[str] = []

    passed = await play.play_one(
        story.read(wrong), _config(tmp_path / "home"), print_line=lines.append
    )

    assert not passed
    assert any(line.startswith("✗ #ticket-shop is told") for line in lines)
    assert any("PayPenguin" in line and "nothing of" in line for line in lines)


async def test_a_disturbed_room_is_printed_and_fails(tmp_path: Path) -> None:
    text = (story.FOLDER / "stale-wait.en.toml").read_text(encoding="utf-8")
    wrong = tmp_path / "stale-wait.en.toml"
    wrong.write_text(text.partition("[[told]]")[0], encoding="utf-8")
    lines: list[str] = []

    assert not await play.play_one(
        story.read(wrong), _config(tmp_path / "home"), print_line=lines.append
    )
    assert any(line.startswith("✗ nobody is disturbed") for line in lines)


async def test_playing_leaves_the_data_folder_alone(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    config = make_config()

    await play.play("already-known", "en", config, print_line=lambda line: None)

    assert not config.bot.data_dir.exists()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_facts_that_come_after_the_news_are_told_as_well_and_nothing_twice(
    tmp_path: Path, language: str
) -> None:
    """The main story in a hurry: the room is told at once, what completes it follows."""
    told = story.load("release-path", language)
    named = {beat.name: beat for beat in told.beats}
    hurry = ("decision", "plan", "promise", "worry", "notes")
    beats = [replace(named[name], pause=timedelta(seconds=12)) for name in hurry]
    first, promise = told.told
    hurried = replace(
        told,
        beats=(*beats, named["yes"]),
        told=(replace(first, messages=2, why=(), within=None), promise),
        answered=(),
    )
    lines: list[str] = []

    assert await play.play_one(hurried, _config(tmp_path / "home"), print_line=lines.append), (
        "\n".join(lines)
    )


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_story_is_performed_in_a_house_that_is_lived_in(
    tmp_path: Path, language: str
) -> None:
    told = story.load("release-path", language)
    start = told.start.astimezone(UTC)
    config = _config(tmp_path / "home")
    async with open_stage(config, start, people=team.PEOPLE, rooms=team.ROOMS) as stage:
        await stage.say("ana", "project", "Hello everybody!")

        performance = await perform.perform(told, stage.house.rooms, stage.wait)
        await stage.wait(60)

        assert not performance.unpressed
        project = await stage.house.rooms.posts(performance.room("project"))
        news, why, promise = (post.text for post in project if post.author == "bot")
        assert "canary-release" in news
        assert ("Lin in #architecture" if language == "en" else "林悦在 #架构") in why
        assert ("migration script" if language == "en" else "迁移脚本") in promise


async def test_nobody_is_let_into_a_private_room_for_a_story(tmp_path: Path) -> None:
    told = story.load("private-matter", "en")
    start = told.start.astimezone(UTC)
    secret = next(seed for seed in told.rooms if seed.id == "management")
    taken = type(secret)(
        id=secret.id, title=secret.title, access=secret.access, members=(team.PEOPLE[0].id,)
    )
    async with open_stage(
        _config(tmp_path / "home"), start, people=team.PEOPLE, rooms=[taken]
    ) as stage:
        performance = await perform.perform(told, stage.house.rooms, stage.wait)

        assert performance.room("management") != "management"
        there = await stage.house.rooms.room("management")
        assert [member.id for member in there.members] == [team.PEOPLE[0].id]


def _config(folder: Path) -> Config:
    return Config.model_validate(
        {"bot": {"data_dir": folder, "timezone": "UTC"}, "web": {"port": 0}}
    )
