"""How English says when."""

import re
from datetime import timedelta

from agency import spans
from agency.when_parts import (
    WEEKDAYS,
    Clock,
    Days,
    Part,
    Pattern,
    Said,
    in_days,
    month_day,
    month_end,
    nth_day,
    ordinal,
    pattern,
    weekday,
    year_day,
)

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT = r"(?:mon|tues?|wed|thur?s?|fri|sat|sun)"
_NAMED = rf"(?:{_DAY}|{_SHORT})\b"
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_HOUR = rf"(?P<h>\d{{1,2}}|{'|'.join(_HOURS)})\b"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 0,
             "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}  # fmt: skip
_NTH = rf"(?P<nth>{'|'.join(_ORDINALS)})"
_EACH = r"(?:every|each)"
_AP = r"(?:\s?(?P<ap>[ap])\.?m\b\.?)"
_COUNT = rf"(?:{spans.NUMBER}|a couple of)"
_PARTS = {
    "morning": Part.MORNING, "noon": Part.NOON, "midday": Part.NOON, "lunch": Part.NOON,
    "lunchtime": Part.NOON, "afternoon": Part.AFTERNOON, "evening": Part.EVENING,
    "night": Part.NIGHT, "midnight": Part.MIDNIGHT,
}  # fmt: skip
_FEASTS = {"christmas eve": (12, 24), "christmas": (12, 25), "new year's eve": (12, 31),
           "new year": (1, 1)}  # fmt: skip
_UNITS = {"minute": "minutes", "hour": "hours", "day": "days", "week": "weeks", "year": "years",
          "month": "months", "quarter": "months", "fortnight": "weeks"}  # fmt: skip
_ADVERBS = {"hourly": (1, "hours"), "weekly": (1, "weeks"), "biweekly": (2, "weeks"),
            "fortnightly": (2, "weeks"), "monthly": (1, "months"), "quarterly": (3, "months"),
            "yearly": (1, "years"), "annually": (1, "years")}  # fmt: skip


def _day_number(name: str) -> int:
    return WEEKDAYS.index(name[:3].lower())


def _span(found: re.Match[str]) -> Said | None:
    length = spans.span(found["span"].replace("a couple of", "two"))
    return Said(span=length) if length else None


def _in_months(found: re.Match[str]) -> Said:
    count = int(spans.number(found["n"]))
    return Said(months=count * (12 if found["unit"].startswith("year") else 1))


def _weekday(found: re.Match[str]) -> Said:
    lead = " ".join((found["lead"] or "").lower().split())
    later = 1 if lead.startswith("next") or found["tail"] else None
    day = _day_number(found["day"])
    return Said(days=weekday(day, weeks=later), weekdays=(day,))


def _date(found: re.Match[str]) -> Said:
    month = _MONTHS.index(found["month"][:3].lower()) + 1
    year = int(found["year"]) if found["year"] else None
    day = int(found["d"])
    return Said(days=year_day(month, day, year), month_day=day, month=month)


def _iso(found: re.Match[str]) -> Said:
    year, month, day = (int(found[name]) for name in ("y", "m", "d"))
    return Said(days=year_day(month, day, year), month_day=day, month=month)


def _of_month(found: re.Match[str]) -> Said | None:
    day, tail = int(found["d"]), (found["tail"] or "").lower()
    if not 1 <= day <= 31:
        return None
    if "every" in tail or "each" in tail:
        return Said(every=(1, "months"), days=month_day(day), month_day=day)
    months = 1 if "next" in tail else 0 if "this" in tail else None
    return Said(days=month_day(day, months=months), month_day=day)


def _nth(found: re.Match[str]) -> Said:
    tail = (found["tail"] or "").lower()
    day = found["day"].lower()
    nth = ordinal(_ORDINALS[found["nth"].lower()])
    if day not in ("day", "working day", "weekday"):
        nth = f"{nth} {WEEKDAYS[_day_number(day)]}"
    recurs = found["lead"] or "every" in tail or "each" in tail
    months = 1 if "next" in tail else None
    said = Said(days=nth_day(nth, months=months), nth=nth)
    return said.joined(Said(every=(1, "months"))) or said if recurs else said


def _end(found: re.Match[str]) -> Said:
    which, unit = (found["which"] or "").lower(), found["unit"].lower()
    later = 1 if which == "next" else None
    days: dict[str, Days] = {
        "day": in_days(0), "week": weekday(4, weeks=later), "month": month_end(months=later),
        "year": year_day(12, 31),
    }  # fmt: skip
    return Said(days=days[unit], part=Part.CLOSING if unit == "day" else None)


_SHORTENED = {"eod": "day", "eow": "week", "eom": "month", "cob": "day"}
_RELATIVE: dict[str, Said] = {
    "today": Said(days=in_days(0)),
    "tonight": Said(days=in_days(0), part=Part.EVENING),
    "this morning": Said(days=in_days(0), part=Part.MORNING),
    "this afternoon": Said(days=in_days(0), part=Part.AFTERNOON),
    "this evening": Said(days=in_days(0), part=Part.EVENING),
    "tomorrow": Said(days=in_days(1)),
    "tmrw": Said(days=in_days(1)),
    "day after tomorrow": Said(days=in_days(2)),
    "yesterday": Said(days=in_days(-1)),
    "next month": Said(days=month_day(1, months=1)),
    "next year": Said(days=lambda today: year_day(1, 1, today.year + 1)(today)),
    "next weekend": Said(days=weekday(5, weeks=1)),
    "weekend": Said(days=weekday(5)),
}


def _shortened(found: re.Match[str]) -> Said:
    unit = _SHORTENED[found.group().lower()]
    days = {"day": in_days(0), "week": weekday(4), "month": month_end()}
    return Said(days=days[unit], part=Part.CLOSING if unit == "day" else None)


def _relative(found: re.Match[str]) -> Said:
    return _RELATIVE[" ".join(found["rel"].lower().split())]


def _feast(found: re.Match[str]) -> Said:
    name = found["feast"].lower().replace("’", "'").removesuffix(" day").replace("years", "year's")
    month, day = _FEASTS.get(name) or _FEASTS["new year"]
    return Said(days=year_day(month, day), month_day=day, month=month)


def _clock(found: re.Match[str]) -> Said | None:
    hour, minute = _hour(found["h"]), int(found["mi"] or 0)
    if hour > 24 or minute > 59:
        return None
    return Said(clock=_halved(hour, minute, found["ap"], sure=found["h"].startswith("0")))


def _bare(found: re.Match[str]) -> Said | None:
    hour, named = _hour(found["h"]), found["mi"]
    minutes = {"thirty": 30, "fifteen": 15, "forty-five": 45, None: 0}
    return Said(clock=Clock(hour=hour, minute=minutes[named])) if hour <= 24 else None


def _beside(found: re.Match[str]) -> Said:
    """Half past three, quarter to four, ten to five."""
    words = {"half": 30, "quarter": 15, "a quarter": 15}
    said = found["mi"].lower()
    minute = words.get(said) or int(spans.number(said))
    hour = _hour(found["h"])
    if found["side"].lower() in ("to", "before"):
        hour, minute = hour - 1 or 12, 60 - minute
    clock = _halved(hour, minute % 60, found["ap"])
    return Said(clock=clock)


def _halved(hour: int, minute: int, half: str | None, *, sure: bool = False) -> Clock:
    if half:
        hour = hour % 12 + (12 if half.lower() == "p" else 0) if 1 <= hour <= 12 else hour
    return Clock(hour=hour, minute=minute, sure=sure or bool(half))


def _hour(text: str) -> int:
    return _HOURS.index(text.lower()) + 1 if text.lower() in _HOURS else int(text)


def _part(found: re.Match[str]) -> Said:
    return Said(part=_PARTS[found["part"].lower()])


def _daily(found: re.Match[str]) -> Said:
    name = (found["part"] or "").lower()
    return Said(every=(1, "days"), part=_PARTS[name] if name else None)


def _weekdays(found: re.Match[str]) -> Said:
    return Said(every=(1, "weeks"), weekdays=(0, 1, 2, 3, 4))


def _weekly(found: re.Match[str]) -> Said:
    days = re.findall(rf"{_DAY}|{_SHORT}", found["days"], re.I)
    return Said(every=(1, "weeks"), weekdays=tuple(sorted({_day_number(day) for day in days})))


def _range(found: re.Match[str]) -> Said | None:
    first, last = _day_number(found["first"]), _day_number(found["last"])
    if first >= last:
        return None
    return Said(every=(1, "weeks"), weekdays=tuple(range(first, last + 1)))


def _every(found: re.Match[str]) -> Said | None:
    count = {"other": 2, "second": 2, "third": 3, "half": 0}.get((found["n"] or "").lower())
    if count is None:
        count = int(spans.number(found["n"])) if found["n"] else 1
    unit = re.sub(r"s$", "", found["unit"].lower())
    if count == 0:
        return Said(every=(30, "minutes")) if unit == "hour" else None
    scale = {"quarter": 3, "fortnight": 2}.get(unit, 1)
    return Said(every=(count * scale, _UNITS[unit]))


def _every_other(found: re.Match[str]) -> Said:
    count = {"other": 2, "second": 2, "third": 3}[found["n"].lower()]
    day = _day_number(found["day"])
    return Said(every=(count, "weeks"), days=weekday(day), weekdays=(day,))


_MIN = r"(?P<mi>thirty|fifteen|forty-five)"
_NO_HOUR = (
    r"(?!\s*(?:%|[:/.]\d|percent|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|people|"
    r"euros?|dollars?|times?)|\s?[ap]\.?m\b)"
)
_TAIL = r"(?P<tail>\s+(?:of|in)\s+(?:the|this|next|every|each)\s+month)?"
PATTERNS: tuple[Pattern, ...] = (
    pattern(
        rf"\bin\s+(?:about\s+)?(?P<span>(?:half an?|a quarter of an|{_COUNT})\s*(?:{spans.UNIT})\b"
        rf"(?:\s+and\s+a\s+half\b|[\s,]*(?:and\s+)?(?:{spans.NUMBER})\s*(?:{spans.UNIT})\b)*)",
        _span,
    ),
    pattern(
        rf"\b(?P<span>(?:half an?|{_COUNT})\s*(?:{spans.UNIT})\b(?:\s+and\s+a\s+half\b)?)"
        r"\s+(?:from now|later)\b",
        _span,
    ),
    pattern(rf"\bin\s+(?P<n>{_COUNT})\s+(?P<unit>months?|years?)\b", _in_months),
    pattern(
        rf"\b(?P<lead>(?:(?:on\s+)?(?:next|this|the coming|coming)\s+)?)(?P<day>{_DAY})\b"
        r"(?P<tail>\s+next week\b)?",
        _weekday,
    ),
    pattern(
        rf"\b(?:(?P<lead>on|next|this|by)\s+)(?P<day>{_SHORT})\b(?P<tail>\s+next week\b)?",
        _weekday,
    ),
    pattern(r"(?P<lead>)\b(?P<day>(?-i:Mon|Tue|Wed|Thu|Fri|Sat|Sun))\b(?P<tail>)", _weekday),
    pattern(rf"\bnext week\s+(?:on\s+)?(?P<day>{_NAMED})(?P<lead>)(?P<tail>)",
            lambda m: Said(days=weekday(_day_number(m["day"]), weeks=1),
                           weekdays=(_day_number(m["day"]),))),
    pattern(r"\bnext week\b", lambda _: Said(days=weekday(0, weeks=1))),
    pattern(r"\b(?P<y>20\d\d)-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?:T|\b)", _iso),
    pattern(
        rf"\b(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?(?:\s+of)?\s+{_MONTH}"
        r"(?:,?\s+(?P<year>20\d\d)\b)?",
        _date,
    ),
    pattern(
        rf"\b{_MONTH}\s+(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"
        r"(?:,?\s+(?P<year>20\d\d)\b)?",
        _date,
    ),
    pattern(rf"\b(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)\b{_TAIL}", _of_month),
    pattern(
        rf"\b(?:(?P<lead>{_EACH})\s+|the\s+)?{_NTH}\s+(?P<day>{_NAMED}|day)"
        r"(?P<tail>\s+(?:of|in)\s+(?:the|this|next|every|each)\s+month)",
        _nth,
    ),
    pattern(
        r"\b(?:the\s+)?end of (?:the\s+|(?P<which>this|next)\s+)?(?P<unit>day|week|month|year)\b",
        _end,
    ),
    pattern(r"\b(?:eod|eow|eom|cob)\b", _shortened),
    pattern(
        r"\b(?:the\s+|this\s+)?(?P<rel>(?<=this )weekend|(?<=the )weekend|next\s+weekend)\b",
        _relative,
    ),
    pattern(
        r"\b(?:the\s+)?(?P<rel>day\s+after\s+tomorrow|today|tonight|this\s+morning|tmrw|tomorrow|"
        r"this\s+afternoon|this\s+evening|yesterday|next\s+month|next\s+year)\b",
        _relative,
    ),
    pattern(
        r"\b(?P<feast>christmas(?: eve| day)?|new year['’]?s(?: eve| day)?)(?!\w)", _feast
    ),
    pattern(rf"(?<![\d.:/-])(?P<h>[01]?\d|2[0-4])[:：](?P<mi>[0-5]\d){_AP}?(?![\d:])", _clock),
    pattern(rf"\b(?P<h>\d{{1,2}})(?P<mi>){_AP}", _clock),
    pattern(rf"(?<![\w])(?:at|by|around|@)\s*{_HOUR}(?:\s+{_MIN})?(?:\s+o['’]?clock)?{_NO_HOUR}",
            _bare),
    pattern(rf"\b{_HOUR}(?P<mi>)\s+o['’]?clock\b",
            lambda m: Said(clock=Clock(hour=_hour(m["h"])))),
    pattern(
        rf"\b(?P<mi>half|a quarter|quarter|{spans.NUMBER})\s+(?:minutes\s+)?"
        rf"(?P<side>past|after|to|before)\s+{_HOUR}{_AP}?(?!\s*(?:{spans.UNIT})\b)",
        _beside,
    ),
    pattern(
        r"\b(?:(?:in|during) the\s+|at\s+|around\s+|first thing (?:in the )?)?"
        r"(?P<part>morning|afternoon|evening|noon|midday|midnight|lunchtime|lunch|night)\b",
        _part,
    ),
    pattern(r"\bfirst thing\b", lambda _: Said(part=Part.MORNING)),
    pattern(
        rf"\b(?:(?:{_EACH}|{_EACH} single)\s+(?:day|(?P<part>morning|afternoon|evening|night))"
        r"|daily|everyday)\b",
        _daily,
    ),
    pattern(
        rf"\b(?:on\s+)?(?:{_EACH}\s+)?(?:week|work|working |business )days\b"
        rf"|\b{_EACH}\s+(?:week|work|working |business )day\b",
        _weekdays,
    ),
    pattern(
        rf"\b(?:on\s+)?{_EACH}\s+(?P<days>{_NAMED}(?:(?:\s*,\s*|\s+)(?:and\s+|&\s+)?{_NAMED})*)",
        _weekly,
    ),
    pattern(rf"\b(?:on\s+)?(?P<days>{_DAY}s(?:(?:\s*,\s*|\s+)(?:and\s+|&\s+)?{_DAY}s)*)\b",
            _weekly),
    pattern(rf"\b(?:{_EACH}\s+|from\s+)?(?P<first>{_NAMED})\s*(?:to|through|thru|-|–)\s*"
            rf"(?P<last>{_NAMED})", _range),
    pattern(rf"\b{_EACH}\s+(?P<n>other|second|third)\s+(?P<day>{_NAMED})", _every_other),
    pattern(
        rf"\b{_EACH}\s+(?:(?P<n>other|second|third|half|{spans.NUMBER})\s+(?:an\s+)?)?"
        r"(?P<unit>(?:minute|hour|day|week|month|year|quarter|fortnight)s?)\b",
        _every,
    ),
    pattern(
        rf"\b(?P<word>{'|'.join(_ADVERBS)})\b", lambda m: Said(every=_ADVERBS[m["word"].lower()])
    ),
    pattern(
        rf"\bfor (?:the next )?(?P<span>{_COUNT}\s*(?:{spans.UNIT}))\b",
        lambda m: Said(lasting=spans.span(m["span"])),
    ),
    pattern(rf"\bfor (?:the next )?(?P<n>{_COUNT})\s+months?\b",
            lambda m: Said(lasting=timedelta(days=30 * int(spans.number(m["n"]))))),
)  # fmt: skip
NUMBER = re.compile(rf"\s*(?:at\s+)?{_HOUR}(?:\s+{_MIN})?\s*", re.I)
"""A lone number where somebody was asked for a time."""
UNTIL = re.compile(r"\b(?:until|till|til|through|up to)\s+(?:and including\s+)?(?:on\s+)?", re.I)
UNTIL_AGAIN = re.compile(r"\bto\s+", re.I)
"""Only behind something that recurs."""
START = re.compile(r"\b(?:starting|beginning|from|as of)\s+(?:on\s+|from\s+)?", re.I)
GLUE = re.compile(
    r"(?:\s|[,，;()（）]|\b(?:on|at|by|of|the|in|around|and|then|every|from)\b|@)*", re.I
)
BEFORE = re.compile(r"(?:\b(?:on|at|by|around|from|for)\s+)$", re.I)
FILLER = re.compile(
    r"\b(?:or so|please|remind(?:er)?|me|us|it|to|then|the|on|at|by|of|in|make|move|let's say|say|"
    r"instead|again|once|more|sharp|exactly|around|about|do|that|this|so|and|set|for|until)\b"
    r"|[\s,.;:!?()\"'“”’-]",
    re.I,
)


def bare_number(found: re.Match[str]) -> Said | None:
    """What a lone number means where a time was asked for."""
    return _bare(found)
