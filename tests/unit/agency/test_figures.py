"""Amounts in whatever writing come to the same, and what is no amount is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agency import counts, figures


def values(text: str) -> set[float]:
    return {one.value for one in figures.read(text.lower())}


@pytest.mark.parametrize(
    ("value", "ways"),
    [
        (88_000, "88k|88,000|88 000|8.8万|八万八|eighty-eight thousand|88 thousand|€88,000"),
        (240_000, "240k|240,000 euros|二十四万欧元|24万|two hundred and forty thousand"),
        (1_350_000, "1.35m|1,350,000|135万|一百三十五万|1.350.000"),
        (6_500_000, "6.5m|six and a half million|650万|六百五十万"),
        (9_200, "9200|9,200|九千二|9.2k"),
        (500_000, "half a million|500k|五十万"),
        (12, "a dozen people|twelve people|12 people|12个人|十二个人|12%|百分之十二"),
        (350, "350 euros|三百五|三百五十块"),
    ],
)
def test_ways_to_write_an_amount_are_one_amount(value: float, ways: str) -> None:
    for way in ways.split("|"):
        assert value in values(f"it is {way} now"), way


@pytest.mark.parametrize(
    "text", ["9" * 400 + " euros", "九" * 400 + "元", "一" + "万" * 100 + "件", "二点" + "亿" * 60]
)
def test_digits_without_an_end_are_no_amount(text: str) -> None:
    assert values(f"88k and {text}, 八万九元") == {88_000, 89_000}
    assert "inf" not in counts.read(text).get("件", set())


@pytest.mark.parametrize(
    "text", ["in 2026", "at 18:45", "v2.14.3", "ops-4711", "周五", "一下", "十分 good", "one of us"]
)
def test_years_times_codes_and_small_words_are_no_amounts(text: str) -> None:
    assert values(text) == set()


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("38,500 euros", "money"), ("€240k", "money"), ("12%", "share"), ("百分之十二", "share"),
        ("300 minutes", "time"), ("16 gb of memory", "size"), ("12 people", "people"),
        ("12个人", "people"), ("1500 rows", "rows"), ("eighty-eight thousand a year", "money"),
        ("1500 for the flat", ""),
    ],
)  # fmt: skip
def test_what_is_counted_is_known_where_it_is_written(text: str, unit: str) -> None:
    assert {one.unit for one in figures.read(text)} == {unit}


@given(st.integers(10, 10**9))
def test_every_spelling_is_read_as_the_amount_or_a_part_of_it(whole: int) -> None:
    written = figures.spellings(whole)
    assert str(whole) in written
    read = [way for way in written if whole in values(f"about {way}.")]
    assert len(read) >= 2 or 1900 <= whole < 2100, written


def test_digits_tell_without_the_zeros_behind_them() -> None:
    told = {
        one.value: one.telling for one in figures.read("500 and 38,500 and 48151 and 1,000,000")
    }
    assert told == {500: 1, 38_500: 3, 48_151: 5, 1_000_000: 1}
