"""Moments keep every microsecond there and back."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from memory.moments import from_us, span_us, to_us


@given(st.datetimes(timezones=st.just(UTC)))
def test_there_and_back(moment: datetime) -> None:
    assert from_us(to_us(moment)) == moment


def test_the_zone_does_not_matter() -> None:
    east = timezone(timedelta(hours=8))
    assert to_us(datetime(2026, 11, 30, 18, tzinfo=east)) == to_us(
        datetime(2026, 11, 30, 10, tzinfo=UTC)
    )


def test_a_span_is_in_the_same_unit() -> None:
    now = datetime(2026, 11, 30, tzinfo=UTC)
    assert to_us(now) + span_us(timedelta(minutes=2)) == to_us(now + timedelta(minutes=2))
