"""Chinese dates and times: their pattern, and what each part of it says."""

from datetime import time

_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九十")} | {"两": 2}
_WEEK = {sign: number for number, sign in enumerate("一二三四五六日")} | {"天": 6}
_ZN = r"(?:\d{1,2}|[零一二两三四五六七八九十]{1,3})"
_TENS = r"(?:[一二]?十[一二三四五六七八九]?|三十一?|[一二三四五六七八九])"
_LABELLED = (
    r"线楼房柜门机车厅库桌仓棚馆店窗位吧秤台床站桥井炉罐船院展坑段标包箱架码泵闸塔廊转柱轨岛营屋室间教食堂操球航泊锅"
    r"窑池塘圈田垄梁墩孔洞缸阀管灯牌件文胶镜生工选病矿街路区地块"
)
"""What a number with 号 before it names, rather than a day."""
_AFTER_DAY = (
    r"(?=$|[\s，。；！？、~\-—至到前之以后起开上下晚早中要能可才再就也都还交发给出到进走回]|"
    r"\d|[一二三四五六七八九十]+号)"
)
_DAYS = {
    "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "昨儿": -1, "今天": 0, "今日": 0, "今儿": 0,
    "今早": 0, "今晨": 0, "今晚": 0, "今夜": 0, "当晚": 0, "下班前": 0, "下班之前": 0, "明天": 1,
    "明日": 1, "明儿": 1, "明早": 1, "明晨": 1, "明晚": 1, "后天": 2, "后日": 2, "后儿": 2,
    "大后天": 3,
}  # fmt: skip
_EARLY, _LATE = frozenset("早晨"), frozenset("晚夜")
_PARTS = {
    "一早": 10, "清早": 9, "清晨": 9, "早上": 11, "早晨": 11, "上午": 12, "中午": 12, "下午": 18,
    "傍晚": 19, "午饭": 12, "晚饭": 19, "睡前": 23, "天黑": 19, "晚上": 22, "夜里": 23,
}  # fmt: skip
_SPANS = {"分钟": 1, "小时": 60, "钟头": 60, "天": 1440, "周": 10080, "星期": 10080, "礼拜": 10080,
          "月": 43200}  # fmt: skip
PATTERN = (
    rf"(?P<zm>{_ZN})月(?P<zd>{_ZN})[日号]?"
    rf"|(?P<zm2>{_ZN})月(?P<zend>[底末初])"
    rf"|(?P<znm>下下个?|下个?|本|这个?)月(?P<znd>{_ZN})[日号]"
    r"|(?P<zx>下下|下|本|这|上)?个?(?:周|星期|礼拜)(?P<zw>[一二三四五六日天])(?!会员)"
    r"|(?P<zrel>大后天|后[天日儿]|明[天日儿早晨晚]|今[天日儿早晨晚夜]|当晚|昨[天日晚儿]|(?<!大)前天"
    r"|下班之?前|[月年][底末]|(?:下|这)?周末|(?:下|本|这)(?:个?星期|个?礼拜|"
    r"周)(?![一二三四五六日天]))"
    r"|(?P<zcount>\d{1,2}|[一二两三四五六七八九十]{1,3}|半)(?P<zhalf>个半)?个?"
    r"(?P<zspan>分钟|小时|钟头|天|周|星期|礼拜|月)(?:之?内|以内|[之以过]?后(?![面边台续期勤]))"
    rf"|(?<![\d.])(?P<zday>\d{{1,2}})[号日](?![{_LABELLED}期常])"
    rf"|(?<![第一二三四五六七八九十月])(?P<zday2>{_TENS})号{_AFTER_DAY}"
    rf"|(?<=号)(?P<zday3>{_TENS})号"
    r"|(?P<zp>凌晨|清晨|早晨|早上?|上午|中午|午后|下午|傍晚|夜里|半夜|晚上?|夜)?"
    r"(?:(?<![快早晚多有差大小好少长短高低再慢])|(?!一点(?![半一三\d])))"
    rf"(?P<zh>{_ZN})点(?!建议|意见|要求|说明|原因|注意|问题|想法|不同|反馈|疑问|补充|变化|希望|"
    rf"[点儿都也])"
    rf"(?:钟|整|(?P<half>半)|(?P<zq>[一三])刻|(?P<zmi>\d{{1,2}}|"
    rf"[零一二三四五]?十?[一二三四五六七八九十])分?"
    r"(?![个条人件台套张天号月年楼层]))?"
    r"(?![^，。；\s]{0,1}[个条])"
    r"|(?P<zword>一早|清早|清晨|早上|早晨|[午晚]饭|睡前|中午|上午|下午|傍晚|天黑|晚上|夜里)"
)


def number(text: str) -> int:
    """A number of two places in figures or Chinese signs."""
    if text.isdigit():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return _DIGITS.get(tens.strip("零"), 1) * 10 + _DIGITS.get(ones, 0)
    value = 0
    for sign in text:
        value = value * 10 + _DIGITS.get(sign, 0)
    return value


def fields(part: dict[str, str | None]) -> dict[str, object] | None:
    """What a match of the pattern says about a moment; None where it is no Chinese one."""
    if part["zm"] or part["zm2"] or part["znd"] or part["zday"] or part["zday2"] or part["zday3"]:
        return _calendar(part)
    if part["zw"]:
        before = part["zx"] or ""
        weeks = before.count("下") - before.count("上")
        return {"weekday": _WEEK[part["zw"]], "weeks": weeks, "fixed": bool(before)}
    if part["zrel"]:
        return _relative(part["zrel"])
    if part["zspan"]:
        count = 0.5 if part["zcount"] == "半" else number(part["zcount"] or "1")
        count += 0.5 if part["zhalf"] else 0
        return {"minutes": int(count * _SPANS[part["zspan"]])}
    if part["zword"]:
        return {"at": time(_PARTS[part["zword"]]), "rough": True}
    return _clock(part) if part["zh"] else None


def _calendar(part: dict[str, str | None]) -> dict[str, object]:
    if part["zm"]:
        return {"month": number(part["zm"]), "day": number(part["zd"] or "1")}
    if part["zm2"]:
        return {"month": number(part["zm2"]), "day": 3 if part["zend"] == "初" else 28}
    if part["znd"]:
        return {"day": number(part["znd"]), "months": (part["znm"] or "").count("下")}
    return {"day": number(part["zday"] or part["zday2"] or part["zday3"] or "1")}


def _relative(word: str) -> dict[str, object] | None:
    if word in _DAYS:
        return {"days": _DAYS[word]} | ({"at": time(18)} if word.startswith("下班") else {})
    if word[0] in "月年" and word[1] in "底末":
        return {"day": 28} if word[0] == "月" else {"month": 12, "day": 31}
    weeks = word.count("下")
    if word.endswith("末"):
        return {"weekday": 6, "weeks": weeks, "fixed": True}
    return {"weekday": 4, "weeks": weeks, "fixed": True}


def _clock(part: dict[str, str | None]) -> dict[str, object] | None:
    hour, half = number(part["zh"] or "0"), part["zp"] or ""
    minute = 30 if part["half"] else number(part["zmi"] or "0")
    minute = {"一": 15, "三": 45}.get(part["zq"] or "", minute)
    if (
        not part["half"]
        and not part["zq"]
        and not part["zmi"]
        and part["zh"] == "一"
        and (not half or half in ("早", "晚"))
    ):
        return None  # "a little"
    if half in ("午后", "下午", "傍晚", "晚", "晚上", "夜里", "夜") and 0 < hour < 12:
        hour += 12
    if hour > 24 or minute > 59:
        return None
    written = not half and bool(part["zh"]) and 0 < hour < 13
    if written and hour < 7:
        hour += 12  # a working day has one of each
    return {"at": time(hour % 24, minute), "bare": written}


def at_part(day: str, at: time) -> time:
    """An hour of which no half was named, behind a word such as "tonight" or "in the morning"."""
    if set(day) & _LATE and 0 < at.hour < 12:
        return at.replace(hour=at.hour + 12)
    if set(day) & _EARLY and at.hour > 12:
        return at.replace(hour=at.hour - 12)
    return at
