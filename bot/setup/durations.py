"""How spans and hours are written in settings: `20s`, `2m`, `1h30m`, `09:00`, `22:00-08:00`."""

import re
from datetime import time, timedelta
from typing import NamedTuple

_UNITS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}  # in milliseconds
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|[dhms])")
_LONGEST = timedelta(days=3650)


class Hours(NamedTuple):
    """A part of every day; it may run past midnight."""

    start: time
    end: time

    def hold(self, moment: time) -> bool:
        """Tell whether a wall-clock time falls into it; `end` itself does not."""
        if self.start <= self.end:
            return self.start <= moment < self.end
        return moment >= self.start or moment < self.end

    def __str__(self) -> str:
        return f"{self.start:%H:%M}-{self.end:%H:%M}"


def parse_duration(value: object) -> timedelta:
    """Read `20s`, `1.5m`, `1h30m`, `500ms` or `0`; ValueError says what is wrong with it."""
    if isinstance(value, timedelta):
        return value
    text = value.strip().lower() if isinstance(value, str) else value
    if text in ("0", 0) and text is not False:
        return timedelta(0)
    if isinstance(text, (int, float)):
        shown = str(text)[:20]
        raise ValueError(f"a duration needs a unit: write '{shown}s', '{shown}m' or '{shown}h'")
    if not isinstance(text, str) or not re.fullmatch(f"(?:{_PART.pattern})+", text):
        raise ValueError("must be a duration: write it like '20s', '2m', '1h' or '1h30m'")
    length = sum(float(n) * _UNITS[unit] for n, unit in _PART.findall(text))
    if length > _LONGEST / timedelta(milliseconds=1):
        raise ValueError("is longer than ten years; write a shorter duration")
    return timedelta(milliseconds=length)


def write_duration(span: timedelta) -> str:
    """Write a span the way it is read: the inverse of `parse_duration` down to a millisecond."""
    rest = round(span / timedelta(milliseconds=1))
    parts = []
    for unit, size in _UNITS.items():
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


def parse_time(value: object) -> time:
    """Read a time of day, `09:00`; `24:00` is midnight."""
    if isinstance(value, time):
        return value
    found = re.fullmatch(r"([01]?\d|2[0-4]):([0-5]\d)", str(value).strip())
    if not found or (found[1] == "24" and found[2] != "00"):
        raise ValueError("must be a time of day: write it like '09:00'")
    return time(int(found[1]) % 24, int(found[2]))


def parse_hours(value: object) -> Hours | None:
    """Read `22:00-08:00`; an empty text means none."""
    if value is None or isinstance(value, Hours):
        return value
    text = str(value).strip()
    if not text:
        return None
    try:
        start, end = (parse_time(part) for part in text.split("-"))
    except ValueError:
        raise ValueError(
            "must be two times of day: write it like '22:00-08:00', or leave it empty for none"
        ) from None
    if start == end:
        raise ValueError("starts and ends at the same time; leave it empty for no quiet hours")
    return Hours(start, end)
