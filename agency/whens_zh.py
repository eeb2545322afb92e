"""How Chinese says when."""

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

_WEEK = r"(?:周|週|星期|礼拜)"
_N = r"(?:\d{1,3}|[零〇一二两三四五六七八九十]{1,3})"
_DAY = "一二三四五六日天"
_PART = r"凌晨|清晨|早上|早晨|一早|上午|中午|午后|下午|傍晚|晚上|夜里|晚间|半夜|早|晚"
_PARTS = {
    "凌晨": Part.DAWN, "清晨": Part.MORNING, "早上": Part.MORNING, "早晨": Part.MORNING,
    "一早": Part.MORNING, "上午": Part.MORNING, "早": Part.MORNING, "中午": Part.NOON,
    "午后": Part.AFTERNOON, "下午": Part.AFTERNOON, "傍晚": Part.EVENING, "晚上": Part.EVENING,
    "夜里": Part.NIGHT, "晚间": Part.EVENING, "晚": Part.EVENING, "半夜": Part.MIDNIGHT,
    "午夜": Part.MIDNIGHT,
}  # fmt: skip
_FEASTS = {"平安夜": (12, 24), "圣诞节": (12, 25), "圣诞": (12, 25), "元旦": (1, 1),
           "国庆节": (10, 1), "国庆": (10, 1), "劳动节": (5, 1)}  # fmt: skip
_UNITS = {"分钟": "minutes", "分": "minutes", "小时": "hours", "钟头": "hours", "天": "days",
          "日": "days", "周": "weeks", "星期": "weeks", "礼拜": "weeks", "月": "months",
          "季度": "months", "年": "years"}  # fmt: skip
_LENGTH = rf"(?:半个?|{_N}个?半?)(?:小时|钟头|分钟|刻钟|天|周|星期|礼拜)(?:零?{_N}分钟?|半)?"


def _day(sign: str) -> int:
    return min(_DAY.index(sign), 6)


def _number(text: str) -> int:
    return int(spans.number(text))


def _part_of(text: str | None) -> Part | None:
    return _PARTS[text] if text else None


def _span(found: re.Match[str]) -> Said | None:
    said = re.sub(r"(小时|钟头)半$", r"\1三十分钟", found["span"])
    length = spans.span(re.sub(r"零?(\S)分$", r"\1分钟", said))
    return Said(span=length) if length else None


def _months(found: re.Match[str]) -> Said:
    count = _number(found["n"])
    return Said(months=count * (12 if found["unit"] == "年" else 1))


def _weekday(found: re.Match[str]) -> Said:
    lead = found["lead"] or ""
    weeks: int | None = None
    if "下" in lead:
        weeks = lead.count("下")
    elif "上" in lead:
        weeks = -1
    elif lead:
        weeks = 0
    day = _day(found["day"])
    return Said(days=weekday(day, weeks=weeks), weekdays=(day,))


def _date(found: re.Match[str]) -> Said:
    month, day = _number(found["m"]), _number(found["d"])
    year = int(found["y"]) if found["y"] else None
    return Said(days=year_day(month, day, year), month_day=day, month=month)


def _of_month(found: re.Match[str]) -> Said | None:
    day, lead = _number(found["d"]), found["lead"] or ""
    if not 1 <= day <= 31:
        return None
    months = lead.count("下") if "下" in lead else 0 if lead else None
    return Said(days=month_day(day, months=months), month_day=day)


def _monthly(found: re.Match[str]) -> Said:
    day = _number(found["d"])
    return Said(every=(1, "months"), days=month_day(day), month_day=day)


def _nth(found: re.Match[str]) -> Said:
    which = 0 if found["last"] else _number(found["n"])
    nth = f"{ordinal(which)} {WEEKDAYS[_day(found['day'])]}"
    months = 1 if "下" in found["lead"] else None
    said = Said(days=nth_day(nth, months=months), nth=nth)
    every = Said(every=(1, "months"))
    return (said.joined(every) or said) if "每" in found["lead"] else said


def _month_end(found: re.Match[str]) -> Said:
    lead = found["lead"] or ""
    if "每" in lead:
        return Said(every=(1, "months"), nth="last", days=month_end())
    return Said(days=month_end(months=1 if "下" in lead else None))


def _end_of_named_month(found: re.Match[str]) -> Said:
    month = _number(found["m"])
    return Said(days=lambda today: month_end(months=(month - today.month) % 12)(today))


_RELATIVE: dict[str, Said] = {
    "今天": Said(days=in_days(0)),
    "今日": Said(days=in_days(0)),
    "今早": Said(days=in_days(0), part=Part.MORNING),
    "今晚": Said(days=in_days(0), part=Part.EVENING),
    "明天": Said(days=in_days(1)),
    "明日": Said(days=in_days(1)),
    "明早": Said(days=in_days(1), part=Part.MORNING),
    "明晚": Said(days=in_days(1), part=Part.EVENING),
    "后天": Said(days=in_days(2)),
    "大后天": Said(days=in_days(3)),
    "昨天": Said(days=in_days(-1)),
    "前天": Said(days=in_days(-2)),
    "下班前": Said(days=in_days(0), part=Part.CLOSING),
    "下周": Said(days=weekday(0, weeks=1)),
    "下个星期": Said(days=weekday(0, weeks=1)),
    "下星期": Said(days=weekday(0, weeks=1)),
    "下下周": Said(days=weekday(0, weeks=2)),
    "周末": Said(days=weekday(5)),
    "这周末": Said(days=weekday(5)),
    "下周末": Said(days=weekday(5, weeks=1)),
    "下个月": Said(days=month_day(1, months=1)),
    "下月": Said(days=month_day(1, months=1)),
    "月初": Said(days=month_day(1)),
    "年底": Said(days=year_day(12, 31)),
    "明年": Said(days=lambda today: year_day(1, 1, today.year + 1)(today)),
}


def _clock(found: re.Match[str]) -> Said | None:
    hour = _number(found["h"])
    if found["half"]:
        minute = {"半": 30, "一刻": 15, "三刻": 45}[found["half"]]
    else:
        minute = _number(found["mi"]) if found["mi"] else 0
    if hour > 24 or minute > 59:
        return None
    sure = found["h"].startswith("0")
    part = _part_of(found["part"])
    return Said(clock=Clock(hour=hour, minute=minute, sure=sure), part=part)


def _every(found: re.Match[str]) -> Said | None:
    apart = bool(found["apart"])
    unit = _UNITS[found["unit"]]
    if found["n"] == "半":
        return Said(every=(30, "minutes")) if unit == "hours" else None
    count = _number(found["n"]) if found["n"] else 1
    if apart and (found["n"] or found["apart"] == "隔") and unit not in ("minutes", "hours"):
        count += 1  # with one day between is every other day
    return Said(every=(count * (3 if found["unit"] == "季度" else 1), unit))


def _fortnightly(found: re.Match[str]) -> Said:
    days: Days | None = weekday(_day(found["day"])) if found["day"] else None
    weekdays = (_day(found["day"]),) if found["day"] else None
    return Said(every=(2, "weeks"), days=days, weekdays=weekdays)


def _weekly(found: re.Match[str]) -> Said:
    days = {_day(sign) for sign in found["days"] if sign in _DAY}
    return Said(every=(1, "weeks"), weekdays=tuple(sorted(days)))


def _range(found: re.Match[str]) -> Said | None:
    first, last = _day(found["first"]), _day(found["last"])
    if first >= last:
        return None
    return Said(every=(1, "weeks"), weekdays=tuple(range(first, last + 1)))


_AFTER = r"(?:之后|以后|后)"
PATTERNS: tuple[Pattern, ...] = (
    pattern(rf"(?:再?过)?(?P<span>{_LENGTH}){_AFTER}", _span),
    pattern(rf"再?过(?P<span>{_LENGTH})", _span),
    pattern(rf"(?:再?过)?(?P<n>{_N})个?(?P<unit>月|年){_AFTER}", _months),
    pattern(rf"半个月{_AFTER}", lambda _: Said(span=timedelta(days=15))),
    pattern(rf"(?P<lead>下下|下|本|这|上)?个?{_WEEK}(?P<day>[{_DAY}])(?![个刻])", _weekday),
    pattern(rf"(?:(?P<y>20\d\d)年)?(?P<m>{_N})月(?P<d>{_N})(?:[日号]|(?![\d点]))", _date),
    pattern(r"(?P<y>20\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)", _date),
    pattern(rf"(?P<lead>(?:下下|下|这|本)个?月)?(?:的)?(?P<d>{_N})[号日](?![线楼房柜门机车厅库桌仓棚馆店窗位])",
            _of_month),
    pattern(rf"每个?月(?:的)?(?P<d>{_N})[号日]", _monthly),
    pattern(
        rf"(?P<lead>每个?月|下个?月|这个?月|本月)(?:的)?(?:第(?P<n>[一二三四1-4])|(?P<last>最后一))个?"
        rf"{_WEEK}(?P<day>[{_DAY}])",
        _nth,
    ),
    pattern(r"(?P<lead>每个?月|下个?月|这个?月|本月)?(?:的)?(?:月?底|月?末|最后一天)(?<=底|末|天)",
            lambda m: _month_end(m) if m["lead"] or m.group().startswith("月") else None),
    pattern(rf"(?P<m>{_N})月(?:底|末)", _end_of_named_month),
    pattern(
        rf"(?P<rel>{'|'.join(sorted(_RELATIVE, key=len, reverse=True))})(?!(?<=[周期])[{_DAY}])",
        lambda m: _RELATIVE[m["rel"]],
    ),
    pattern(
        rf"(?P<feast>{'|'.join(_FEASTS)})",
        lambda m: Said(days=year_day(*_FEASTS[m["feast"]]), month=_FEASTS[m["feast"]][0],
                       month_day=_FEASTS[m["feast"]][1]),
    ),
    pattern(
        rf"(?P<part>{_PART})?(?:的)?(?<![有快多慢好差大小高低\d第])(?P<h>{_N})[点點时](?!间|候|差)(?:钟|整)?"
        rf"(?:(?P<half>半|一刻|三刻)|(?P<mi>{_N})分?)?(?![个条份项种])",
        lambda m: _clock(m) if _is_time(m) else None,
    ),
    pattern(
        rf"(?P<part>{_PART})(?P<h>[01]?\d|2[0-4])[:：](?P<mi>[0-5]\d)(?P<half>)(?!\d)", _clock
    ),
    pattern(rf"(?P<part>{_PART}|午夜)", lambda m: Said(part=_PARTS[m["part"]])
            if len(m["part"]) > 1 else None),
    pattern(rf"(?:每天|每日|天天)(?:的)?(?P<part>{_PART})?(?!\d)",
            lambda m: Said(every=(1, "days"), part=_part_of(m["part"]))),
    pattern(r"每(?P<part>早上|晚上|早|晚|天早上|天晚上)",
            lambda m: Said(every=(1, "days"), part=_PARTS[m["part"][-2:].replace("天", "")])),
    pattern(r"每个?工作日|(?:在)?工作日(?:里|的)?", lambda _: Said(every=(1, "weeks"),
                                                     weekdays=(0, 1, 2, 3, 4))),
    pattern(rf"(?:每个?)?{_WEEK}(?P<first>[{_DAY}])(?:到|至|-|~){_WEEK}?(?P<last>[{_DAY}])(?:每天)?",
            _range),
    pattern(
        rf"每个?{_WEEK}(?P<days>[{_DAY}](?:[、,，和与及]*(?:每个?)?{_WEEK}?[{_DAY}](?![个]))*)",
        _weekly,
    ),
    pattern(
        rf"(?:每隔一个?{_WEEK}|隔{_WEEK}|每[两2]个?{_WEEK}|双{_WEEK})(?:一次)?(?:的)?"
        rf"(?:(?:在)?{_WEEK}?(?P<day>[{_DAY}])(?![次个]))?",
        _fortnightly,
    ),
    pattern(
        rf"(?:每(?P<apart>隔)?|(?P<between>隔))(?P<n>半|{_N})?个?"
        r"(?P<unit>分钟|小时|钟头|天|日|周|星期|礼拜|月|季度|年)(?:一次)?",
        lambda m: _every(m) if m["apart"] or not m["between"] else None,
    ),
    pattern(rf"(?:持续|连续|为期|共)(?P<span>{_N}个?(?:天|周|星期))",
            lambda m: Said(lasting=spans.span(m["span"]))),
    pattern(rf"(?:持续|连续|为期|共)(?P<n>{_N})个月",
            lambda m: Said(lasting=timedelta(days=30 * _number(m["n"])))),
)  # fmt: skip
NUMBER = re.compile(rf"\s*(?P<h>{_N})(?P<part>)(?P<half>)(?P<mi>)\s*")
"""A lone number where somebody was asked for a time."""
UNTIL = re.compile(r"(?:一直到|直到|持续到)\s*|到\s*(?=.{1,12}(?:为止|止))")
UNTIL_AGAIN = re.compile(r"到\s*")
"""Only behind something that recurs."""
START = re.compile(r"从\s*(?=.{1,12}(?:开始|起))")
GLUE = re.compile(r"(?:[\s,，、;；的在于]|为止|开始|起|止|再|每次)*")
BEFORE = re.compile(r"(?:[在于从等]|就)$")
FILLER = re.compile(
    r"请|麻烦|提醒|一下|我们|我|它|把|改到|改成|改为|推迟到|推到|提前到|挪到|换到|移到|再|的时候|"
    r"时候|吧|的|在|于|就|说|前|之前|那|这个|为止|开始|起|就是|好|到|是|大概|左右|整|[\s，。、；：！？,.;:!?]"
)


def _is_time(found: re.Match[str]) -> bool:
    """ "一点" alone is a little; "3时" without a part of the day is a length."""
    bare = not (found["part"] or found["half"] or found["mi"])
    if "时" in found.group() and (found["h"] not in map(str, range(25)) or bare):
        return bool(found["part"])
    return not (bare and found["h"] == "一" and not found.group().endswith(("钟", "整")))


def bare_number(found: re.Match[str]) -> Said | None:
    """What a lone number means where a time was asked for."""
    return _clock(found)
