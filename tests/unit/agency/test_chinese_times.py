"""Chinese dates and hours: what people write is what is meant."""

from datetime import UTC, date, datetime, time

import pytest

from agency import counts, moments

WEDNESDAY = datetime(2025, 3, 5, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("今晚七点前量好", "03-05 19:00"),
        ("下午两点半前发", "03-05 14:30"),
        ("三点前发群里", "03-05 15:00"),
        ("明早6点整发车", "03-06 06:00"),
        ("四点一刻进场", "03-05 16:15"),
        ("礼拜三下班前补完", "03-12 18:00"),
        ("明天晚饭前签完", "03-06 19:00"),
        ("一小时内发", "03-05 11:00"),
        ("半小时后给", "03-05 10:30"),
        ("三天内给您", "03-08 10:00"),
        ("下个月五号交", "04-05 23:59"),
        ("十五号之前", "03-15 23:59"),
    ],
)
def test_a_promise_is_due_when_its_words_say(text: str, due: str) -> None:
    (moment,) = moments.find(text)
    assert moment.due_from(WEDNESDAY).strftime("%m-%d %H:%M") == due


def test_next_tuesday_is_that_of_the_next_calendar_week() -> None:
    friday = datetime(2025, 3, 7, 9, 0, tzinfo=UTC)
    (moment,) = moments.find("下周二再说")
    assert moment.date_from(friday) == date(2025, 3, 11)


def test_the_end_of_a_span_of_hours_comes_after_its_beginning() -> None:
    hours = [moment.at for moment in moments.find("零点到四点换电机")]
    assert hours == [time(0), time(4)]


def test_a_span_of_days_holds_the_days_between() -> None:
    text = "中心广场5月8号至12号铺草皮"
    found = moments.days(moments.find(text), text, WEDNESDAY)
    assert found == {date(2025, 5, day) for day in range(8, 13)}


@pytest.mark.parametrize(
    "text", ["3号廊桥大修", "五号线停运", "快一点", "有三点建议", "12号井修好了"]
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert not moments.find(text)


def test_a_part_of_the_day_agrees_with_an_hour_in_it() -> None:
    (rough,), (exact,) = moments.find("周五下午"), moments.find("周五下午三点")
    assert rough.same_hour(exact)


@pytest.mark.parametrize(
    ("one", "other"),
    [("八五折", "8.5折"), ("五百六十把椅子", "560把"), ("两百件", "200件"), ("1.2万张", "12000张")],
)
def test_counts_in_signs_equal_those_in_figures(one: str, other: str) -> None:
    assert counts.read(one) == counts.read(other)
