"""Texts are cut so that every word a person would look for is found."""

import pytest

from memory.words import is_blank, prepare, query


@pytest.mark.parametrize(
    ("text", "prepared"),
    [
        ("冰箱坏了", "冰箱 箱坏 坏了 了"),
        ("箱", "箱"),
        ("v2版本上线", "v2 版本 本上 上线 线"),
        ("canary-release", "canary release"),
        ("snake_case", "snake case"),
        ("Ｖ２．１ 发布", "V2 1 发布 布"),
        ("🎉 !!! \x00 …", ""),
        ("", ""),
    ],
)
def test_a_text_becomes_its_words(text: str, prepared: str) -> None:
    assert prepare(text) == prepared


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("冰箱", '"冰箱"'),
        ("箱", '"箱" *'),
        ("canary-release", '"canary release" OR "canary" OR "release"'),
        ("where is the fridge?", '"fridge"'),
        ("who are you", '"who" OR "are" OR "you"'),
        ("什么时候", '"什么" OR "么时" OR "时候"'),
        ("🎉", ""),
    ],
)
def test_a_question_asks_for_its_telling_words(text: str, asked: str) -> None:
    assert query(text) == asked


def test_a_long_question_is_cut() -> None:
    assert query(" ".join(f"word{i}" for i in range(100)), limit=3).count(" OR ") == 2


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t", "\u3000", "\u2063", "\u200b\ufeff", "\u2800", "\u3164", "\ufe0f"]
)
def test_what_shows_nothing_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", [".", "\u2063a", "好", "👍", "👩\u200d💻", "0", "\u0301"])
def test_what_shows_anything_is_not(text: str) -> None:
    assert not is_blank(text)
