"""The first settings file."""

import re
import stat
import tomllib
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.setup import config, init

ENV = {"TZ": "Europe/Berlin"}


NIGHT = {"LIMEN_SPEAKING__QUIET_HOURS": init.NIGHT}


def test_written_file_shows_every_key_and_sets_but_the_zone_and_a_quiet_night(
    tmp_path: Path,
) -> None:
    path = init.write(tmp_path / "limen.toml", ENV)
    assert config.load(path, {}) == config.load(None, ENV | NIGHT)
    text = path.read_text(encoding="utf-8")
    assert tomllib.loads(text)["bot"] == {"timezone": "Europe/Berlin"}
    for field in config.Config.model_fields.values():
        for key in field.annotation.model_fields:  # type: ignore[union-attr]
            assert f"{key} = " in text or f"# [budget.{key}." in text


def test_uncommented_it_is_the_example(tmp_path: Path) -> None:
    text = init.write(tmp_path / "limen.toml", ENV).read_text(encoding="utf-8")
    lines = [
        line.removeprefix("# ") if re.match(r"# (\[|.* = )", line) else line
        for line in text.splitlines()
        if not line.startswith("#   ")
    ]
    path = tmp_path / "open.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert config.load(path, {}) == config.load(None, ENV | NIGHT)


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = init.write(tmp_path / "limen.toml", ENV)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_answers_are_written(tmp_path: Path) -> None:
    answers = {
        "call": 'Lim "en"',
        "language": "zh",
        "zone": "Asia/Shanghai",
        "speak": "22:00-08:00",
    }

    def ask(text: str, default: str) -> str:
        return next(answer for word, answer in answers.items() if word in text)

    loaded = config.load(init.write(tmp_path / "limen.toml", ENV, ask), {})
    assert loaded.bot.name == 'Lim "en"'
    assert loaded.bot.language == "zh"
    assert loaded.bot.timezone == "Asia/Shanghai"
    assert str(loaded.speaking.quiet_hours) == "22:00-08:00"


def test_a_wrong_answer_is_asked_again_with_what_was_wrong(tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(text: str, default: str) -> str:
        asked.append(text)
        return "Berlin" if "time zone" in text and len(asked) < 4 else default

    loaded = config.load(init.write(tmp_path / "limen.toml", ENV, ask), {})
    assert loaded.bot.timezone == "Europe/Berlin"
    assert any("did you mean 'Europe/Berlin'?" in text for text in asked)


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "limen.toml"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="exists already and was left as it is"):
        init.write(path, ENV)
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        init.write(tmp_path / "nowhere" / "limen.toml", ENV)
