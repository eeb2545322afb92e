"""Spans and hours as they are written in settings."""

from datetime import time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.setup.durations import Hours, parse_duration, parse_hours, parse_time, write_duration


@given(st.integers(0, 10**11))
def test_written_spans_read_back(milliseconds: int) -> None:
    span = timedelta(milliseconds=milliseconds)
    assert parse_duration(write_duration(span)) == span


@pytest.mark.parametrize(
    "value", ["", "s", "20", "-1s", "1 h", "1h x", "1e3s", None, True, [], "9999d"]
)
def test_other_spans_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"duration|unit"):
        parse_duration(value)


@pytest.mark.parametrize("value", [10**400, float("inf"), "9" * 400 + "ms", "1h" + "9" * 400 + "d"])
def test_a_span_without_an_end_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"needs a unit|longer than ten years") as error:
        parse_duration(value)
    assert len(str(error.value)) < 200


@given(st.times(), st.times(), st.times())
def test_every_moment_is_in_the_hours_or_in_the_rest_of_the_day(a: time, b: time, at: time) -> None:
    if a != b:
        assert Hours(a, b).hold(at) != Hours(b, a).hold(at)


def test_hours_are_written_as_they_are_read() -> None:
    hours = parse_hours("22:00-08:30")
    assert str(hours) == "22:00-08:30"
    assert parse_hours(" ") is None
    assert parse_time("24:00") == time(0)
    assert parse_time("7:05") == time(7, 5)


@pytest.mark.parametrize("value", ["24:01", "9", "9:5", "12:60", "noon", 9])
def test_other_times_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="time of day"):
        parse_time(value)
