import json
from pathlib import Path

import pytest

from bot.errors import LimenError
from bot.plays import scenario

SAID = {"id": "a", "wake": 1, "chat": "ops", "sender": "zoe", "en": "Hello.", "zh": "你好。"}
OPS = {"type": "group", "members": ["zoe", "hu"]}


def written(folder: Path, **more: object) -> Path:
    one = {"id": "x", "kind": "k", "chats": {"ops": OPS}, "messages": [SAID], **more}
    path = folder / "mine.json"
    path.write_text(json.dumps([one], ensure_ascii=False), encoding="utf-8")
    return path


def test_the_shipped_ones_are_many_and_in_both_languages() -> None:
    found = scenario.shipped()

    assert len(found) >= 24
    assert all(one.languages == scenario.LANGUAGES for one in found)
    assert len({one.id for one in found}) == len(found)


def test_without_names_the_ids_are_the_names(tmp_path: Path) -> None:
    (one,) = scenario.load(written(tmp_path))

    assert one.people["zoe"] == {"en": "Zoe", "zh": "Zoe"}


def test_a_room_with_outsiders_is_private(tmp_path: Path) -> None:
    chats = {"ops": OPS | {"outsiders": ["hu"]}}

    (one,) = scenario.load(written(tmp_path, chats=chats))

    assert one.chats["ops"].closed


def test_one_written_in_one_language_is_played_in_that(tmp_path: Path) -> None:
    said = {key: value for key, value in SAID.items() if key != "zh"}

    found = scenario.load(written(tmp_path, messages=[said]))

    assert [lang for _, lang in scenario.playable(found, scenario.LANGUAGES)] == ["en"]


def test_the_toml_files_of_a_folder_are_read_in_order(tmp_path: Path) -> None:
    one = '[[scenarios]]\nid = "{}"\nkind = "k"\n'
    for name in ("b", "a"):
        (tmp_path / f"{name}.toml").write_text(one.format(name), encoding="utf-8")

    assert [found.id for found in scenario.load(tmp_path)] == ["a", "b"]


@pytest.mark.parametrize(
    "more", [{"messages": [SAID | {"chat": "nowhere"}]}, {"canary": ["("]}, {"start": "noon"}]
)
def test_mistakes_are_told(tmp_path: Path, more: dict[str, object]) -> None:
    with pytest.raises(LimenError):
        scenario.load(written(tmp_path, **more))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LimenError, match="cannot read scenarios"):
        scenario.load(tmp_path / "none.toml")
