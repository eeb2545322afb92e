"""Ends and hours as people write them in a command."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agency import spans
from bot.commands import times

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")  # 18:00 there


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("until 20:30", "30 20:30"), ("till 9pm", "30 21:00"), ("until 9:00", "01 09:00"),
        ("until tomorrow", "01 09:00"), ("until tomorrow 14:00", "01 14:00"),
        ("到20点", "30 20:00"), ("到8点半", "01 08:30"), ("到明天", "01 09:00"), ("2h", "30 20:00"),
    ],
)  # fmt: skip
def test_ends_are_in_the_zone_of_the_team(text: str, local: str) -> None:
    end = times.end(text, now=NOW, zone=SHANGHAI)
    assert end is not None
    assert f"{end.astimezone(SHANGHAI):%d %H:%M}" == local


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("until Monday", "12-07 09:00"), ("until next week", "12-07 09:00"),
        ("until Friday 15:00", "12-04 15:00"), ("until 4 December", "12-04 09:00"),
        ("until 2026-12-05", "12-05 09:00"), ("到周一", "12-07 09:00"), ("到后天", "12-02 09:00"),
        ("到12月4日之前", "12-04 09:00"), ("到周五下午三点", "12-04 15:00"),
    ],
)  # fmt: skip
def test_an_end_may_be_a_day(text: str, local: str) -> None:
    end = times.end(text, now=NOW, zone=SHANGHAI)
    assert end is not None
    assert f"{end.astimezone(SHANGHAI):%m-%d %H:%M}" == local
    assert times.names_end(text)


@pytest.mark.parametrize("text", ["until the release", "friday", "到", "until every monday", ""])
def test_what_names_no_end(text: str) -> None:
    assert not times.names_end(text)


@pytest.mark.parametrize("day", ["2026-03-28", "2026-10-24"])
@pytest.mark.parametrize("text", ["until 02:30", "until 2:59", "到2点半", "until 00:00"])
def test_an_end_is_always_to_come_also_where_the_clock_is_moved(day: str, text: str) -> None:
    start = datetime.fromisoformat(f"{day}T00:00:00+00:00")
    for minutes in range(0, 60 * 60, 5):
        now = start + timedelta(minutes=minutes)
        end = times.end(text, now=now, zone=ZoneInfo("Europe/Berlin"))
        assert end is not None
        assert timedelta(0) < end - now <= timedelta(hours=25)


@pytest.mark.parametrize(
    "text", ["until", "until 25:00", "until the release", "18:00", "到", "until every monday"]
)
def test_no_ends(text: str) -> None:
    assert times.end(text, now=NOW, zone=SHANGHAI) is None


@pytest.mark.parametrize(
    "text", ["22:00-08:00", "22:00 – 8:00", "22-8", "10pm to 8am", "22:00到8:00"]
)
def test_hours(text: str) -> None:
    assert times.hours(text) == (time(22), time(8))


@pytest.mark.parametrize("text", ["", "22:00", "22:00-22:00", "22:00-08:00-09:00", "a-b", "30-31"])
def test_no_hours(text: str) -> None:
    assert times.hours(text) is None


@given(st.text(max_size=60))
def test_any_text_is_read_without_a_crash(text: str) -> None:
    end = times.end(text, now=NOW, zone=SHANGHAI)
    assert end is None or NOW < end <= NOW + spans.LONGEST
    times.hours(text)
