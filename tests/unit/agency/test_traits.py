"""What of a text is compared: disguises fall, and everyday words tell nothing."""

from datetime import date

import pytest

from agency import confidences, traits
from agency.traits import Traits

FRIDAY = date(2026, 12, 4)
THURSDAY = date(2026, 12, 3)


@pytest.mark.parametrize(
    "disguised",
    [
        "M e r i d i a n",
        "M-e-r-i-d-i-a-n",
        "Meri\u200bdian",
        "Ｍｅｒｉｄｉａｎ",
        "Меridiаn",
        "M3r1dian",
    ],
)
def test_a_disguised_word_is_the_word(disguised: str) -> None:
    assert "meridian" in Traits(f"it is {disguised} now").words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("contracts", "contract"),
        ("signed", "signs"),
        ("Companies", "company"),
        ("Reykjavík", "reykjavik"),
    ],
)
def test_forms_of_a_word_are_one(one: str, other: str) -> None:
    assert Traits(one).words == Traits(other).words


def test_friday_is_the_day_it_means_when_it_was_written() -> None:
    said = Traits("I leave on Friday", THURSDAY).days
    assert said & Traits("Ana leaves on 4 December", THURSDAY).days
    assert said & Traits("Ana 周五走", THURSDAY).days
    assert said & Traits("she leaves tomorrow", THURSDAY).days
    assert not said & Traits("she leaves on 11 December", THURSDAY).days


@pytest.mark.parametrize(
    ("one", "other"), [("in August", "八月"), ("in March", "3月份"), ("12月", "December")]
)
def test_months_are_the_same_in_both_languages(one: str, other: str) -> None:
    assert Traits(one).days & Traits(other).days


def test_may_is_a_month_only_where_it_can_be_one() -> None:
    assert "month 5" in Traits("she starts in May").days
    assert "month 5" not in Traits("we may wait").days


def test_a_capital_inside_a_sentence_is_a_name_and_so_is_a_strange_word_before_it() -> None:
    assert Traits("Brandner owes us, and Tessary too").names == {"brandner": True, "tessary": True}
    assert Traits("Please review the plan on Monday").names == {}


@pytest.mark.parametrize("text", ["我跟张薇离婚了", "候选人王思远想五月入职", "李雯下周来聊待遇"])
def test_chinese_names_of_two_and_three_characters_are_known(text: str) -> None:
    seen = Traits(text)
    assert {"张薇", "王思远", "李雯"} & (seen.chinese_names | seen.unlisted)


@pytest.mark.parametrize("everyday", ["测试服务器", "发布计划", "下周四", "会议太多"])
def test_everyday_chinese_leaves_nothing(everyday: str) -> None:
    assert traits.remains(everyday) == 0


@pytest.mark.parametrize(
    ("english", "chinese", "kind"),
    [
        ("I handed in my notice", "他辞职了", "leaving"),
        ("she has surgery", "要去做手术", "health"),
        ("they lay off twelve", "要裁员", "dismissal"),
        ("my salary", "年终奖", "pay"),
        ("Corvane may sue us", "有可能打官司", "lawsuit"),
        ("he was harassed", "有人举报骚扰", "grievance"),
    ],
)
def test_a_matter_is_the_same_however_it_is_worded(english: str, chinese: str, kind: str) -> None:
    assert kind in confidences.read(english) & confidences.read(chinese)


@pytest.mark.parametrize(
    "ordinary", ["The release is on Friday.", "部署之前先看清单。", "lunch at noon"]
)
def test_ordinary_talk_is_no_confidence(ordinary: str) -> None:
    assert confidences.read(ordinary) == frozenset()
