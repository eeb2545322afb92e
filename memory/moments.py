"""Points in time as stored: integers, microseconds since 1970 in UTC."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_US = timedelta(microseconds=1)


def to_us(moment: datetime) -> int:
    """The stored form of an aware datetime."""
    return (moment - _EPOCH) // _US


def from_us(us: int) -> datetime:
    """The aware datetime (UTC) of a stored form."""
    return _EPOCH + timedelta(microseconds=us)


def span_us(span: timedelta) -> int:
    """The stored form of a length of time."""
    return span // _US
