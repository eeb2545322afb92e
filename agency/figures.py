"""Amounts as people write them, in figures and words, English and Chinese, brought to one form.

88k · 88,000 · 8.8万 · eighty-eight thousand · 八万八  ─►  88000
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite

_ONES = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_SCALES = {
    "dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9,
    "k": 1000, "m": 10**6, "mn": 10**6, "mio": 10**6, "bn": 10**9, "w": 10**4,
}  # fmt: skip
_ZH_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {
    "〇": 0, "两": 2, "壹": 1, "贰": 2, "叁": 3, "肆": 4, "伍": 5, "陆": 6, "柒": 7, "捌": 8,
    "玖": 9,
}  # fmt: skip
_ZH_SCALES = {
    "十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000, "万": 10**4, "亿": 10**8,
}  # fmt: skip
_ZH_SIGNS = "".join((*_ZH_DIGITS, *_ZH_SCALES))
_WORD = "|".join(sorted((*_ONES, *_TENS), key=len, reverse=True))
_SCALE = "dozen|hundred|thousand|million|billion"
_SMALL = (
    "a|an|and|or|for|from|in|of|on|to|at|by|with|is|are|was|all|now|per|each|but|the|this|that|"
    "more|less|than|it|so|if|as|has|had|will|about|already"
)
_CURRENCY = r"[€$£¥￥]|(?:eur|usd|gbp|rmb|cny|chf)\b"
_END = r"(?![a-z0-9])"  # no \b: a Chinese character may follow a Latin letter directly
_FIGURE = (
    r"(?<![a-z0-9_.:/\-])(?P<digits>\d{1,3}(?:[,'’ ]\d{3})+|\d{1,3}(?:\.\d{3}){2,}|\d+)"
    rf"(?P<rest>[.,]\d+)?(?:\s?(?P<scale>{_SCALE}|bn|mn|mio|[kmw]){_END}"
    r"|(?P<zh>[十百千万亿]+)(?P<half>半)?)?(?![\d.\-/:]*\d)"
    rf"(?=[kmgt]i?b{_END}|(?:ms|min|mins|h|hrs|s|eur|usd|rmb){_END}|(?![a-z]))"
)
_UNIT = (
    r"\s*(?:(?P<money>(?:euros?|eur|dollars?|usd|pounds?|gbp|yuan|rmb|cny|chf|francs?|bucks)"
    rf"{_END}|[€$£]|美元|美金|欧元?|英镑|人民币|元|块)"
    rf"|(?P<share>%|(?:percent|per ?cent){_END}|个?百分点|个点)"
    r"|(?P<time>(?:(?:milli)?seconds?|secs?|s|ms|minutes?|mins?|hours?|h|hrs?|days?|weeks?|months?"
    rf"|years?){_END}|个?小时|分钟|秒|天|个?星期|周(?![一二三四五六日])|个?月|年)"
    rf"|(?P<size>(?:[kmgt]i?b|bytes){_END})"
    r"|(?P<people>(?:people|persons?|men|women|colleagues|employees|staff|heads)"
    rf"{_END}|个?人|位|名)"
    rf"|(?!(?:{_SMALL}){_END})(?P<thing>[a-z]{{3,}}|[个条张台套份件行次项页]\w?))?"
)
_WORDS = re.compile(
    rf"(?<![a-z0-9_.\-])(?P<words>(?:half a |an? )?(?:{_WORD}|{_SCALE})\b"
    rf"(?:[\s-]+(?:and[\s-]+)?(?:a[\s-]+)?(?:{_WORD}|{_SCALE}|half)\b)*)"
)
_ZH = re.compile(
    rf"(?<!\d)(?P<share>百分之)?(?P<signs>[{_ZH_SIGNS}]+(?:点[{_ZH_SIGNS}]+)?[万亿]?)(?P<half>半)?"
)
_ZH_DULL = re.compile(r"[周第]$|星期$|礼拜$")
_BEHIND_FIGURES = re.compile(r"\d\s?$")
_FIGURES = re.compile(rf"(?P<before>{_CURRENCY})?\s?{_FIGURE}{_UNIT}")
_AFTER = re.compile(_UNIT)
_A_YEAR = re.compile(
    r"\b(?:a|per|each|every) (?:year|month|week)\b|\bp\.a\.|[一每](?:年|个?月)|[年月]薪"
)
_KINDS = ("money", "share", "time", "size", "people", "thing")
_YEAR = re.compile(r"(?:19|20)\d\d")
_CHEAP = re.compile(rf"\d|[{_ZH_SIGNS}]|\b(?:{_WORD}|{_SCALE}|half)")


@dataclass(frozen=True, slots=True)
class Figure:
    """An amount: how much, and of what as far as that is written beside it."""

    value: float
    unit: str = ""
    """`money`, `share`, `time`, `size`, `people`, the thing that is counted, or empty."""

    @property
    def telling(self) -> int:
        """How many of its digits are no mere zeros behind."""
        digits = f"{self.value:.6f}".rstrip("0").rstrip(".").replace(".", "").lstrip("0")
        return len(digits.rstrip("0")) or 1


@lru_cache(maxsize=2048)
def read(text: str) -> frozenset[Figure]:
    """Every amount of a text, which is in lower case; years and single small words are none."""
    if not _CHEAP.search(text):
        return frozenset()
    found = (*_in_figures(text), *_in_words(text), *_in_chinese(text))
    # Digits without an end are no amount.
    return frozenset(
        replace(one, unit="money") if _is_pay(one, text) else one
        for one in found
        if isfinite(one.value)
    )


def spellings(value: float) -> list[str]:
    """Ways in which an amount is usually written, so that an index finds them."""
    if value != int(value):
        return [f"{value:g}"]
    whole = int(value)
    found = [str(whole), f"{whole:,}", _english(whole), _chinese(whole)]
    for scale, sign in ((1000, "k"), (10**6, "m"), (10**4, "万"), (10**8, "亿")):
        if whole >= scale and whole * 100 % scale == 0:
            short = f"{whole / scale:g}"
            found += [f"{short}{sign}", short]
            found += [_chinese(int(short)) + sign] if sign in "万亿" and short.isdigit() else []
            found += [f"{_english(int(short))}"] if sign in "km" and short.isdigit() else []
    return [one for one in dict.fromkeys(found) if one]


def _is_pay(figure: Figure, text: str) -> bool:
    return not figure.unit and figure.value >= 1000 and _A_YEAR.search(text) is not None


def _in_figures(text: str) -> list[Figure]:
    found = []
    for match in _FIGURES.finditer(text):
        digits = re.sub(r"[,'’ ]|\.(?=\d{3}(?:\.|$))", "", match["digits"])
        plain = not (match["rest"] or match["scale"] or match["zh"] or match["before"])
        unit = "money" if match["before"] else _unit(match)
        if plain and unit in ("", "thing") and _YEAR.fullmatch(digits):
            continue
        value = float(digits + (match["rest"] or "").replace(",", "."))
        if match["rest"] and len(match["rest"]) == 4 and match["rest"][0] == "." and plain:
            found.append(Figure(value * 1000, unit))  # 1.500 may be European
        if match["scale"]:
            value *= _SCALES[match["scale"]]
        for sign in match["zh"] or "":
            value *= _ZH_SCALES[sign]
        if match["half"]:
            value += _ZH_SCALES[match["zh"][-1]] / 2
        found.append(Figure(round(value, 6), unit))
    return found


def _in_words(text: str) -> list[Figure]:
    found = []
    for match in _WORDS.finditer(text):
        value = _spelt(match["words"])
        behind = _BEHIND_FIGURES.search(text[max(0, match.start() - 2) : match.start()])
        if value is None or value < 10 or behind:
            continue
        after = _AFTER.match(text, match.end())
        found.append(Figure(value, _unit(after) if after else ""))
    return found


def _spelt(words: str) -> float | None:
    """ "Eighty-eight thousand", "six and a half million", "half a million"."""
    total = current = 0.0
    known = False
    for word in re.split(r"[\s-]+", words.strip()):
        if word == "half":
            current += 0.5
            known = True
        elif word in _ONES or word in _TENS:
            current += _ONES.get(word, _TENS.get(word, 0))
            known = True
        elif word in _SCALES:
            scale = _SCALES[word]
            current = (current or 1) * scale
            if scale >= 1000:
                total, current = total + current, 0.0
            known = True
    return total + current if known else None


def _in_chinese(text: str) -> list[Figure]:
    found = []
    for match in _ZH.finditer(text):
        if _ZH_DULL.search(text[max(0, match.start() - 2) : match.start()]):
            continue
        value = _chinese_value(match["signs"])
        if value is None:
            continue
        if match["half"] and match["signs"][-1] in _ZH_SCALES:
            value += _ZH_SCALES[match["signs"][-1]] / 2
        after = _AFTER.match(text, match.end())
        unit = "share" if match["share"] else _unit(after) if after else ""
        if (value >= 10 and len(match["signs"]) > 1) or unit == "people":
            found.append(Figure(value, unit))
    return found


def _chinese_value(signs: str) -> float | None:
    """八万八 is 88000: a last digit after a scale counts the next smaller one."""
    whole, _, rest = signs.partition("点")
    scale_behind = 1.0
    while rest and rest[-1] in "万亿":
        scale_behind *= _ZH_SCALES[rest[-1]]
        rest = rest[:-1]
    total = section = 0.0
    digit: float | None = None
    last = 1
    if len(whole) > 1 and all(sign in _ZH_DIGITS for sign in whole):
        return float("".join(str(_ZH_DIGITS[sign]) for sign in whole))
    for place, sign in enumerate(whole):
        if sign in _ZH_DIGITS:
            digit = float(_ZH_DIGITS[sign])
            last = last if place and whole[place - 1] not in "零〇" else 1
            continue
        scale = _ZH_SCALES[sign]
        if scale >= 10**4:
            total = (total + section + (digit or 0) or 1) * scale
            section = 0.0
        else:
            section += (1 if digit is None else digit) * scale
        digit, last = None, scale // 10
    if digit is not None:
        section += digit * (last if last > 1 else 1)
    value = total + section
    if rest:
        value += float("0." + "".join(str(_ZH_DIGITS.get(sign, 0)) for sign in rest))
    value *= scale_behind
    return value or None


def _unit(match: re.Match[str]) -> str:
    for kind in _KINDS:
        if match[kind]:
            return match[kind].split()[-1] if kind == "thing" else kind
    return ""


def _english(whole: int) -> str:
    for scale, word in ((10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if whole >= scale:
            rest = _english(whole % scale) if whole % scale else ""
            return f"{_english(whole // scale)} {word} {rest}".strip()
    if whole >= 100:
        rest = f" and {_english(whole % 100)}" if whole % 100 else ""
        return f"{_english(whole // 100)} hundred{rest}"
    ones = {number: word for word, number in _ONES.items()}
    if whole < 20:
        return ones[whole]
    tens = next(word for word, number in _TENS.items() if number == whole // 10 * 10)
    return f"{tens}-{ones[whole % 10]}" if whole % 10 else tens


def _chinese(whole: int, *, short: bool = True) -> str:
    """The usual form, which is short at its end: 八万八, 三百五."""
    if whole < 10:
        return "零一二三四五六七八九"[whole]
    for scale, sign in ((10**8, "亿"), (10**4, "万"), (1000, "千"), (100, "百"), (10, "十")):
        if whole < scale:
            continue
        head = _chinese(whole // scale, short=False)
        head = "" if scale == 10 and head == "一" else head
        rest = whole % scale
        if not rest:
            return head + sign
        if short and rest * 10 % scale == 0 and scale > 10:
            return head + sign + _chinese(rest * 10 // scale)
        zero = "零" if rest * 10 < scale else ""
        return head + sign + zero + _chinese(rest, short=short)
    return ""
