"""How telling a word is, and where Chinese words begin and end."""

import pytest

from agency import rarity


def test_a_rare_word_tells_more_than_a_common_one() -> None:
    assert rarity.weight("chandelier") > rarity.weight("bridge") > rarity.weight("more")


def test_a_rare_chinese_word_tells_more_than_a_common_one() -> None:
    assert rarity.weight("门卫") > rarity.weight("时间") > rarity.weight("的")


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("钥匙留在门卫那里", "门卫"),
        ("合唱团出行的大巴", "合唱团"),
        ("石斑这周断货了", "石斑"),
    ],
)
def test_chinese_is_cut_into_words_listed_or_not(run: str, words: str) -> None:
    assert words in rarity.cut(run)


def test_nothing_is_lost_where_chinese_is_cut() -> None:
    run = "三号楼地下室防水图纸作废"
    assert "".join(rarity.cut(run)) == run


def test_another_form_of_a_word_is_as_common() -> None:
    assert rarity.weight(rarity.stem("meetings")) < rarity.UNKNOWN
