"""How many of what, as Chinese writes it: 二百件, 八五折, 3个人.

text ─► sort of thing ─► numbers
"""

import re
from math import isfinite

_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {"两": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
# No longer run is looked at than a number has, or a row of signs would be read from each of them.
_NUMBER = r"\d+(?:\.\d+)?万?|[零一二两三四五六七八九十百千万]{1,16}"
_COUNTED = re.compile(
    rf"(?<![周期拜第\d.:：])({_NUMBER})\s*[多来]?"
    r"(折|[台套张份件位名桌箱吨斤层人盘趟节桶瓶盒袋只头亩户页辆间根颗棵批车柜组岁度倍米元块顿杯碗"
    r"匹支把扇面席双副场本册篇章集轮档卷碟捆筐板](?!号)|个[\u4e00-\u9fff]?)"
)


def read(text: str) -> dict[str, set[str]]:
    """Numbers by the measure word behind them; "one" is left out, as it mostly counts nothing."""
    found: dict[str, set[str]] = {}
    for match in _COUNTED.finditer(text):
        signs, sort = match.groups()
        if signs != "一":
            value = number(signs)
            if not isfinite(value):
                continue
            if sort == "折" and value < 10:
                value *= 10
            found.setdefault(sort, set()).add(f"{value:g}")
    return found


def number(signs: str) -> float:
    """The value of a number in figures or Chinese signs."""
    if signs[0].isdigit():
        return float(signs.rstrip("万")) * (10_000 if signs.endswith("万") else 1)
    if not _SCALES.keys() & set(signs):
        return float("".join(str(_DIGITS[sign]) for sign in signs))
    total, section, digit = 0.0, 0, 0
    for sign in signs:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif sign == "万":
            total, section, digit = (total + section + digit) * 10_000, 0, 0
        else:
            section, digit = section + (digit or 1) * _SCALES[sign], 0
    last = _SCALES.get(signs[-2], 1) // 10 if len(signs) > 1 and signs[-2] in "百千万" else 1
    return total + section + digit * max(last, 1)
