"""Lengths of time and times of day as people write them."""

from datetime import time, timedelta

import pytest

from agency import spans


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("2h", 120), ("90m", 90), ("1h30m", 90), ("2 hours", 120), ("an hour", 60),
        ("half an hour", 30), ("for 3 days", 3 * 1440), ("two weeks", 14 * 1440), ("1.5h", 90),
        ("两小时", 120), ("2个小时", 120), ("半小时", 30), ("半个小时", 30), ("30分钟", 30),
        ("一天", 1440), ("一个半小时", 90), ("3周", 21 * 1440),
        ("an hour and a half", 90), ("a quarter of an hour", 15), ("一刻钟", 15),
        ("twenty minutes", 20),
        ("十五分钟", 15), ("二十分钟", 20), ("1小时30分钟", 90), ("a fortnight", 14 * 1440),
    ],
)  # fmt: skip
def test_spans(text: str, minutes: int) -> None:
    assert spans.span(text) == timedelta(minutes=minutes)


@pytest.mark.parametrize("text", ["", "2", "h", "two", "0h", "9999 weeks", "2h later", "小时"])
def test_no_spans(text: str) -> None:
    assert spans.span(text) is None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("18:00", time(18)), ("6pm", time(18)), ("12am", time(0)), ("12 pm", time(12)),
        ("18点半", time(18, 30)), ("9点", time(9)), ("24:00", time(0)), ("25:00", None),
        ("13pm", None), ("noonish", None),
    ],
)  # fmt: skip
def test_times_of_day(text: str, at: time | None) -> None:
    assert spans.clock(text) == at
