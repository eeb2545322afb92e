"""Numbers, lengths of time and times of day, as people write them in English and Chinese."""

import re
from datetime import time, timedelta

LONGEST = timedelta(days=366)
_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
).split()
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_NAMED = {word: number for number, word in enumerate(_WORDS, 1)} | _TENS | {"a": 1, "an": 1}
_UNITS = {
    "m": "minutes", "min": "minutes", "mins": "minutes", "minute": "minutes", "minutes": "minutes",
    "分钟": "minutes", "分": "minutes",
    "h": "hours", "hr": "hours", "hrs": "hours", "hour": "hours", "hours": "hours",
    "小时": "hours", "钟头": "hours",
    "d": "days", "day": "days", "days": "days", "天": "days", "日": "days",
    "w": "weeks", "week": "weeks", "weeks": "weeks", "周": "weeks", "星期": "weeks",
    "礼拜": "weeks", "fortnight": "fortnights", "fortnights": "fortnights",
}  # fmt: skip
UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_LATIN = "|".join(sorted(_NAMED, key=len, reverse=True))
NUMBER = rf"\d{{1,4}}(?:\.\d)?|(?:{_LATIN})\b|[零〇一二两三四五六七八九十]{{1,3}}"
"""A number in digits or words."""
_PART = re.compile(
    rf"(?P<half>half an?|半)?\s*(?P<n>{NUMBER})?\s*个?(?P<more>半)?\s*(?P<unit>{UNIT})(?![a-z])"
    r"(?P<half_more>\s+and a half\b)?"
)
_QUARTER = re.compile(r"(?:a |three )?quarters?(?: of an)? hours?|(?P<zh>[一三])刻钟?")
_JOINED = re.compile(r"^(?:[\s,，]*(?:and|又|零)?\s*)")
_CLOCK = re.compile(
    r"(?P<h>\d{1,2})(?:(?::|：|点)(?P<m>\d{2})?(?:分)?)?\s*(?P<half>半)?\s*(?P<ap>am|pm)?"
)


def number(text: str) -> float:
    """What a number written as of `NUMBER` comes to."""
    said = text.casefold()
    if said in _NAMED:
        return _NAMED[said]
    if said[0] not in _DIGITS and said[0] != "十":
        return float(said)
    if "十" in said:
        tens, _, ones = said.partition("十")
        return _DIGITS.get(tens, 1) * 10 + _DIGITS.get(ones, 0)
    return float("".join(str(_DIGITS[sign]) for sign in said))


def span(text: str) -> timedelta | None:
    """A length of time such as `2h`, `an hour` or `两小时`; None where it is none."""
    rest = re.sub(r"^for\s+", "", text.strip().casefold())
    total, found = timedelta(0), False
    while rest:
        quarter, part = _QUARTER.match(rest), _PART.match(rest)
        if quarter is not None:
            three = quarter["zh"] == "三" or quarter.group().startswith("three")
            total += timedelta(minutes=45 if three else 15)
        elif part is not None and (part["n"] or part["half"]):
            total += _length(part)
        else:
            return None
        end = (quarter or part).end()  # type: ignore[union-attr]  # one of them matched
        found, rest = True, _JOINED.sub("", rest[end:]).strip()
    return total if found and timedelta(0) < total <= LONGEST else None


def clock(text: str) -> time | None:
    """A time of day such as `18:00`, `6pm` or `18点半`; None where it is none."""
    found = _CLOCK.fullmatch(text.strip().casefold())
    if found is None:
        return None
    hour, minute = int(found["h"]), int(found["m"] or (30 if found["half"] else 0))
    if found["ap"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["ap"] == "pm" else 0)
    return time(hour % 24, minute) if hour <= 24 and minute < 60 else None


def _length(part: re.Match[str]) -> timedelta:
    count = 0.5 if part["half"] else number(part["n"])
    if part["more"] or part["half_more"]:
        count += 0.5
    unit = _UNITS[part["unit"]]
    return timedelta(weeks=2 * count) if unit == "fortnights" else timedelta(**{unit: count})
