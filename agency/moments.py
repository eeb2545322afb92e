"""Dates and times as people write them in English and Chinese, and the day they mean."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

from agency import moments_zh

Fields = dict[str, Any]
"""What a written moment fixes: its day, its hour."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)

_HOURS = (
    "one", "two", "three", "four", "five", "six",
    "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip

_PATTERN = re.compile(
    r"(?P<iso>\b\d{4}-\d{2}-\d{2}\b)"
    rf"|\b(?:the )?end of (?P<m3>{_MONTH})\b"
    rf"|\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<m1>{_MONTH})\b(?:,?\s+(?P<y1>20\d\d))?"
    rf"|\b(?P<m2>{_MONTH})\b\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s+(?P<y2>20\d\d))?"
    r"|\b(?:(?<=on )|(?<=by )|(?<=until )|(?<=till )|(?<=before )|(?<=from )|(?<=to )|"
    r"(?<=for ))the (?P<dn>\d{1,2})(?:st|nd|rd|th)\b"
    r"(?=\s*(?:[,.;:!?)]|$|(?:of|at|because|like|as|so|and|or|this|next|instead|already|now|in|"
    r"then|with|since|due|not)\b))"
    r"|\b(?P<nx>next\s+|this\s+|coming\s+)?"
    r"(?P<wd>mon|tues|wednes|thurs|fri|satur|sun)day(?:'?s)?\b"
    r"|\b(?P<wds>(?-i:Mon|Tue|Wed|Thu|Fri|Sat|Sun))\b"
    r"|\b(?P<rel>day after tomorrow|tomorrow|tonight|today|yesterday"
    r"|(?:the )?end of (?:the |this )?(?:day|week|month)|eod|eow|next week|this week)\b"
    r"|\bin\s+(?P<n>\d{1,3}|an?|two|three)\s+(?P<unit>minute|hour|day|week)s?\b"
    r"|(?<![\d.:])(?P<h>[01]?\d|2[0-4])(?::|：)(?P<mi>[0-5]\d)(?:\s?(?P<ap>am|pm)\b)?(?![\d:])"
    r"|\b(?P<h2>\d{1,2})\s?(?P<ap2>am|pm)\b"
    r"|\b(?:(?<=\bby )|(?<=\bat )|(?<=before )|(?<=until )|(?<=till )|(?<=than ))"
    rf"(?P<h3>1[0-2]|[1-9]|{'|'.join(_HOURS)})(?:\s?o'?clock)?"
    r"(?=\s*(?:[,;!?)]|\.(?!\d)|$|\s(?:this|in the|sharp|today|tomorrow|tonight|on|latest|at the|"
    r"and|promise|so|because|then|with|"
    r"from|for|to)\b))(?:\s(?:this|in the)\s(?P<half3>morning|afternoon|evening))?"
    r"|\b(?P<word>noon|midnight|midday|lunch ?time|(?:(?<=by )|(?<=before ))lunch|"
    r"(?:(?<=day )|(?<=tomorrow )|(?<=this ))(?:morning|"
    r"afternoon|evening))\b"
    rf"|{moments_zh.PATTERN}",
    re.I,
)
_HINT = re.compile(
    r"\d|day\b|end of|\b(?:by|at|before|until|till|than) [a-z]|noon|night|morning|evening|morrow|"
    r"week|month|eod|eow|hour|minute|"
    r"\b(?:Mon|Tue|Wed|"
    r"Thu|Fri|Sat|Sun)\b"
    r"|[月周天点号日午晚今明昨早晨夜年]|星期|礼拜|下班|[内后]|分钟|小时",
    re.I,
)
"""A cheap look before the long pattern: most sentences name no time."""
_GLUE = re.compile(r"[\s,，的@(（)）]{0,3}(?:(?:at|on|by|before|around)\s)?\s*$", re.I)
_WRITTEN = re.compile(r"^\s*[(（\[【]([^)）\]】]{2,40})[)）\]】]")
_REL = {
    "today": 0, "tonight": 0, "tomorrow": 1, "day after tomorrow": 2, "yesterday": -1, "eod": 0,
}  # fmt: skip
_PARTS = {"midnight": 23, "afternoon": 18, "evening": 22}
_EVENING = time(18, 0)  # the end of a working day


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A written point in time; what it means depends on when it was written."""

    text: str
    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    """0 is Monday."""
    weeks: int = 0
    """How many weeks later than the nearest such day."""
    days: int | None = None
    """Days from the day of writing."""
    minutes: int | None = None
    """Minutes from the time of writing."""
    at: time | None = None
    fixed: bool = False
    """Whether weeks are counted from this calendar week."""
    months: int = 0
    """Months from that of writing."""
    rough: bool = False
    """Whether only a part of the day is named, which ends at `at`."""
    bare: bool = False
    """Whether the hour was written without its half of the day."""

    @property
    def dated(self) -> bool:
        """Whether it names a day and not only a time of day."""
        return not (self.day is None and self.weekday is None and self.days is None)

    def date_from(self, written: datetime) -> date | None:
        """The day meant, or None for a bare time of day."""
        today = written.date()
        if self.minutes is not None:
            return (written + timedelta(minutes=self.minutes)).date()
        if self.day is not None:
            return self._calendar_day(today)
        if self.weekday is not None:
            if self.fixed:
                return today + timedelta(days=self.weekday - today.weekday() + 7 * self.weeks)
            ahead = (self.weekday - today.weekday()) % 7
            if not ahead and not self.weeks:
                ahead = 7  # today is called today
            return today + timedelta(days=ahead + 7 * self.weeks)
        return today + timedelta(days=self.days) if self.days is not None else None

    def due_from(self, written: datetime) -> datetime:
        """The last instant that still keeps a promise for this moment."""
        if self.minutes is not None:
            return written + timedelta(minutes=self.minutes)
        day = self.date_from(written) or written.date()
        return datetime.combine(day, self.at or time(23, 59), tzinfo=written.tzinfo)

    def same_hour(self, other: "Moment") -> bool:
        """Whether both may mean the same time of day."""
        if self.at is None or other.at is None:
            return True
        if self.rough or other.rough:
            return _half(self) == _half(other)
        return self.at == other.at

    def _calendar_day(self, today: date) -> date | None:
        month, year = self.month or today.month + self.months, self.year or today.year
        # The 5th, written on the 28th, is that of the next month.
        if not (self.month or self.months) and self.day and today.day - self.day > 7:
            month += 1
        year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
        try:
            found = date(year, month, self.day or 1)
            # A day long past, written without a year, means the next one.
            if self.year is None and (today - found).days > 60:
                found = date(year + 1, month, self.day or 1)
        except ValueError:
            return None
        return found


def _half(moment: Moment) -> int:
    hour = moment.at.hour if moment.at else 0
    return (
        0
        if hour < 12 or (hour == 12 and moment.rough)
        else 1
        if hour < 18 or (hour == 18 and moment.rough)
        else 2
    )


def find(text: str) -> list[Moment]:
    """Every moment in a text, a day joined with the time or weekday written beside it."""
    return list(_find(text))


@lru_cache(maxsize=4096)  # one wake asks for the moments of a message many times
def _find(text: str) -> tuple[Moment, ...]:
    found: list[Moment] = []
    if not _HINT.search(text):
        return ()
    for match in _PATTERN.finditer(text):
        moment = _read(match)
        if moment is None:
            continue
        moment = _after(found[-1], moment, text) if found else moment
        joined = _join(found[-1], moment, text) if found else None
        if joined:
            found[-1] = joined
        else:
            found.append(moment)
    return tuple(_with_months(found))


def _with_months(found: list[Moment]) -> Iterator[Moment]:
    """A bare day behind a day with a month is one of that month, or of the next."""
    month: int | None = None
    last = 0
    for moment in found:
        if moment.month is not None:
            month, last = moment.month, moment.day or 0
        elif month is not None and moment.day is not None and not moment.months:
            later = month if moment.day >= last - 7 else month % 12 + 1
            moment = replace(moment, month=later)
        yield moment


def days(found: Sequence[Moment], text: str, written: datetime) -> set[date]:
    """The days that are meant, those between the ends of a span as well."""
    named = {day for one in found if (day := one.date_from(written))}
    for first, last in itertools.pairwise(found):
        if not _UNTIL.fullmatch(text[first.end : last.start]):
            continue
        begin, end = first.date_from(written), last.date_from(written)
        if begin and end and timedelta(1) < end - begin < timedelta(days=32):
            named |= {begin + timedelta(days=n) for n in range((end - begin).days)}
    return named


def written_at(text: str, at: datetime) -> datetime | None:
    """The time a message states for itself at its beginning, such as "(Tuesday 14:00)"."""
    head = _WRITTEN.match(text)
    if head is None:
        return None
    moments = find(head.group(1))
    if len(moments) != 1 or moments[0].text.strip() != head.group(1).strip():
        return None
    moment = moments[0]
    day = moment.date_from(at) or at.date()
    if moment.weekday == at.weekday():
        day = at.date()
    return datetime.combine(day, moment.at or time(9, 0), tzinfo=at.tzinfo)


def _read(match: re.Match[str]) -> Moment | None:
    part = match.groupdict()
    fields = moments_zh.fields(part) or _english(part)
    if fields is None:
        return None
    return Moment(text=match.group(), start=match.start(), end=match.end(), **fields)


def _english(part: dict[str, str | None]) -> Fields | None:
    return _calendar(part) or _weekday(part) or _relative(part) or _clock(part)


def _calendar(part: dict[str, str | None]) -> Fields | None:
    if part["iso"]:
        year, month, day = (int(x) for x in part["iso"].split("-"))
        return {"year": year, "month": month, "day": day}
    for day_key, month_key, year_key in (("d1", "m1", "y1"), ("d2", "m2", "y2")):
        name, written, year_text = part[month_key], part[day_key], part[year_key]
        if name and written:
            month = _MONTHS.index(name[:3].lower()) + 1
            fields = {"month": month, "day": int(written)}
            return fields | ({"year": int(year_text)} if year_text else {})
    if part["m3"]:
        return {"month": _MONTHS.index(part["m3"][:3].lower()) + 1, "day": 28}
    bare = part["dn"]
    return {"day": int(bare)} if bare else None


def _weekday(part: dict[str, str | None]) -> Fields | None:
    short = part["wd"] or part["wds"]
    if short:
        later = (part["nx"] or "").strip().lower() == "next"
        return {"weekday": _DAYS.index(short[:3].lower()), "weeks": int(later)}
    return None


def _relative(part: dict[str, str | None]) -> Fields | None:
    word = (part["rel"] or "").lower()
    if word:
        if word in _REL:
            evening = word == "eod"
            return {"days": _REL[word]} | ({"at": _EVENING} if evening else {})
        if "day" in word:
            return {"days": 0, "at": _EVENING}
        if "month" in word:
            return {"day": 28}
        return {"weekday": 4, "weeks": int(word == "next week")}
    if part["n"] and part["unit"]:
        count = {"a": 1, "an": 1, "two": 2, "three": 3}.get(part["n"].lower())
        number = count or int(part["n"]) if part["n"].isdigit() or count else 1
        scale = {"minute": 1, "hour": 60, "day": 1440, "week": 10080}[part["unit"].lower()]
        return {"minutes": number * scale}
    return None


def _clock(part: dict[str, str | None]) -> Fields | None:
    if part["word"]:
        word = part["word"].lower()
        hour = _PARTS.get(word, 12)
        return {"at": time(hour, 59 if hour == 23 else 0)}
    if part["h3"]:
        return {"at": _bare_hour(part["h3"].lower(), (part["half3"] or "").lower())}
    raw = part["h"] or part["h2"]
    if raw is None:
        return None
    hour = int(raw)
    minute = int(part["mi"] or 0)
    half = (part["ap"] or part["ap2"] or "").lower()
    if half == "pm" and hour < 12:
        hour += 12
    if half == "am" and hour == 12:
        hour = 0
    return {"at": time(hour % 24, minute)} if hour <= 24 and minute < 60 else None


def _bare_hour(word: str, half: str) -> time:
    """The hour of "by three": one of a working day, unless it is said which half is meant."""
    hour = _HOURS.index(word) + 1 if word in _HOURS else int(word)
    late = half in ("afternoon", "evening") or (not half and hour < 8)
    return time((hour % 12) + 12 if late else hour)


_UNTIL = re.compile(r"\s*(?:到|至|[-~—－～])\s*")


def _after(first: Moment, second: Moment, text: str) -> Moment:
    """The end of a span of hours comes soon after its beginning: 0点到4点, 晚上8点到10点."""
    if not (
        second.bare and first.at and second.at and _UNTIL.fullmatch(text[first.end : second.start])
    ):
        return second
    early = second.at.hour % 12
    hour = early if early >= first.at.hour else early + 12
    return replace(second, at=second.at.replace(hour=hour))


def _join(first: Moment, second: Moment, text: str) -> Moment | None:
    between = text[first.end : second.start]
    if len(between) > 10 or not _GLUE.fullmatch(between):
        return None
    if first.minutes is not None or second.minutes is not None:
        return None
    span = text[first.start : second.end]
    if second.text.startswith("下班") and first.dated:
        second = replace(second, days=None)
    if first.at is None and not second.dated:
        kept, clock = first, second.at
    elif second.at is None and not first.dated:
        kept, clock = second, first.at
    elif {first.day is None, second.day is None} == {True, False}:
        kept = first if first.day is not None else second
        clock = first.at or second.at
    else:
        return None
    timed = first if first.at is not None else second
    if clock and timed.bare:
        clock = moments_zh.at_part((first if timed is second else second).text, clock)
    return replace(
        kept, text=span, start=first.start, end=second.end, at=clock, rough=timed.rough, bare=False
    )
