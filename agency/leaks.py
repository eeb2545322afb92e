"""The leak guard: whether a text repeats something private, whatever it claims to rest on.

12 letters or 6 CJK characters in a row · a telling number · a name · several uncommon words
that a private original holds and that the reader could not have met anywhere open
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

RUN = 12  # letters in a row that are no coincidence; a CJK character counts for two
GRAM = 6  # signs that every such run has in common with its like: the quick look
RARE_WORDS = 3  # uncommon words that together give a thing away
RARE_CJK = 6  # characters of uncommon Chinese, in two stretches or more, that do so too
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_STRETCH = re.compile(rf"{_CJK.pattern}+")
_SEPARATORS = re.compile(r"[\W_]+")
_GROUPED = re.compile(r"(?<=\d)[,'’ ](?=\d{3}(?!\d))")
_TOKEN = re.compile(r"[a-z0-9]+(?:[.\-_/:][a-z0-9]+)*")
_PART = re.compile(r"[a-z0-9]+")
_DULL = re.compile(
    r"(19|20)\d\d|\d{1,2}:\d\d(:\d\d)?|\d+(am|pm|st|nd|rd|th|ms|s|min|mins|h|hrs|d|x|px)"
)
_NAME = re.compile(r"(?<![\w.\-/])([A-Z][a-z]{2,}[A-Za-z]*|[A-Z]{3,})(?![\w\-/])")
_OPENING = re.compile(r"(^|[.!?。！？:：\n>*\-\"“‘(（])\s*$")
_COMMON = frozenset(
    "about above across after again against agree agreed ahead almost alone along already also "
    "although always among another answer anybody anyone anything around asked asking away "
    "because become before began behind being believe below better between bring build called "
    "cannot cases change changed changes check checked clear close coming could course current "
    "didn doesn doing don done during early either email enough even every everybody everyone "
    "everything exactly fine finish finished first follow found front further getting given gives "
    "going great group happen happened hello helps hours however idea important include instead "
    "issue issues keep known large later latest least leave left letter likely little longer "
    "looking looks make makes making maybe means meeting might minute minutes month moment more "
    "morning most much must needed needs never next nothing number often okay older only opinion "
    "other others over part people perhaps place plan planned planning plans please point "
    "possible prepare private probably problem process project promise question quick quite "
    "rather reach ready really reason receive release remember report result review right room "
    "round same second seems send shall share should since small some somebody someone something "
    "sometimes soon sorry start started still stuff such sure take takes taking talk team tell "
    "thank thanks that their them then there these they thing things think those though three "
    "through time today together told tomorrow tonight took toward tried true trying turn under "
    "understand until update updated used using very want wanted wants week weeks weekend well "
    "were what whatever when where whether which while whole will with within without wonder word "
    "words work working works would write writing wrong years yesterday your yours monday tuesday "
    "wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december evening afternoon".split()
)
_COMMON_CJK = frozenset(
    "我们 你们 他们 大家 这个 那个 这些 那些 一个 一些 一下 什么 怎么 可以 需要 应该 "
    "可能 已经 现在 今天 明天 昨天 下周 本周 这周 上周 周一 周二 周三 周四 周五 周六 "
    "周日 早上 上午 中午 下午 晚上 时候 时间 问题 事情 工作 项目 没有 不是 不要 还是 "
    "就是 但是 因为 所以 如果 然后 之前 之后 以后 以前 完成 开始 进行 确认 收到 好的 "
    "谢谢 知道 觉得 希望 一起 关于 通过 使用 还有 以及 或者 目前 相关 方面 部分 情况 "
    "计划 安排 会议 讨论 更新 版本 数据 用户 系统 测试 功能 团队 同时 另外 主要 直接 "
    "考虑 建议 方案 结果 内容 支持 处理 提供 提前 准备 包括 必须 重要 两个".split()
)

IsOpen = Callable[[str], bool]
"""Whether the reader could have met a piece of text somewhere open."""


def leaked(text: str, privates: Iterable[str], is_open: IsOpen) -> str | None:
    """The first piece of a private text that is not open knowledge; None when there is none."""
    mine = _Traits(text)
    return next((piece for one in privates if (piece := _secret(mine, one, is_open))), None)


class _Traits:
    """What of a text is compared, read once."""

    def __init__(self, text: str) -> None:
        self.squeezed = squeeze(text)
        self.grams = _grams(self.squeezed)
        self.windows = list(windows(self.squeezed))
        self.words = _words(text)
        self.rare = _rare(self.words)
        self.numbers = _numbers(text)
        self.chinese = _STRETCH.findall(self.squeezed)


def _secret(mine: _Traits, private: str, is_open: IsOpen) -> str | None:
    theirs = squeeze(private)
    if not mine.grams.isdisjoint(_grams(theirs)):
        for window in mine.windows:
            if window in theirs and not is_open(window):
                return window
    words = _words(private)
    telling = mine.words & _names(private)
    if mine.numbers:
        telling |= mine.numbers & _numbers(private)
    for piece in sorted(telling):
        if not is_open(piece):
            return piece
    if (rare := _unknown(mine.rare & _rare(words), RARE_WORDS, is_open)) is not None:
        return rare
    stretches = [one for one in sorted(_stretches(mine.chinese, theirs)) if not is_open(one)]
    if len(stretches) > 1 and sum(map(len, stretches)) >= RARE_CJK:
        return ", ".join(stretches)
    return None


def _unknown(shared: set[str], enough: int, is_open: IsOpen) -> str | None:
    if len(shared) < enough:
        return None
    found = [word for word in sorted(shared) if not is_open(word)]
    return ", ".join(found[:enough]) if len(found) >= enough else None


def fragments(text: str, private: str) -> list[str]:
    """What two texts have in common that is no coincidence, longest first."""
    mine, theirs = squeeze(text), squeeze(private)
    found = [*_runs(mine, theirs), *(_numbers(text) & _numbers(private))]
    words = _rare(_words(text)) & _rare(_words(private))
    if len(words) >= RARE_WORDS:
        found.extend(words)
    return sorted(set(found), key=len, reverse=True)


def squeeze(text: str) -> str:
    """Letters and digits alone, folded: without case, width, accents, spaces and punctuation."""
    if text.isascii():
        return _SEPARATORS.sub("", text).lower()
    return _SEPARATORS.sub("", unicodedata.normalize("NFKD", text).casefold())


def windows(squeezed: str) -> Iterator[str]:
    """The shortest run from every sign on that is no coincidence any more."""
    if squeezed.isascii():
        yield from (squeezed[i : i + RUN] for i in range(len(squeezed) - RUN + 1))
        return
    start = weight = 0
    for end, sign in enumerate(squeezed, 1):
        weight += _weight(sign)
        while weight - _weight(squeezed[start]) >= RUN:
            weight -= _weight(squeezed[start])
            start += 1
        if weight >= RUN:
            yield squeezed[start:end]


def _weight(sign: str) -> int:
    # By far most signs are decided by the first comparison.
    return 1 if sign < "\u3040" or not _CJK.match(sign) else 2


def _grams(squeezed: str) -> set[str]:
    return {squeezed[i : i + GRAM] for i in range(len(squeezed) - GRAM + 1)}


def _runs(mine: str, theirs: str) -> list[str]:
    """Maximal shared runs of two squeezed texts."""
    found: list[str] = []
    end = at = 0
    for window in windows(mine):
        at = mine.index(window, max(0, at))
        if window not in theirs:
            continue
        if found and at < end and found[-1] + mine[end : at + len(window)] in theirs:
            found[-1] += mine[end : at + len(window)]
        else:
            found.append(window)
        end = at + len(window)
    return found


def _tokens(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text)
    return _TOKEN.findall(_GROUPED.sub("", plain).lower())


def _numbers(text: str) -> set[str]:
    """Amounts, versions, ticket numbers: not years, times of day or small counts."""
    found = set()
    for token in _tokens(text):
        digits = sum(sign.isdigit() for sign in token)
        lettered = digits >= 2 and digits < len(token)
        if (digits >= 3 or lettered) and not _DULL.fullmatch(token):
            found.add(token)
    return found


def _names(text: str) -> set[str]:
    """Words written with a capital where no sentence begins."""
    plain = unicodedata.normalize("NFKC", text)
    return {
        match.group().lower()
        for match in _NAME.finditer(plain)
        if not _OPENING.search(plain[: match.start()]) and match.group().lower() not in _COMMON
    }


def _words(text: str) -> set[str]:
    return set(_PART.findall(unicodedata.normalize("NFKC", text).lower()))


def _rare(words: set[str]) -> set[str]:
    return {w for w in words if len(w) >= 5 and w.isalpha() and w not in _COMMON}


def _stretches(mine: list[str], theirs: str) -> set[str]:
    """What two texts share of Chinese, each stretch as long as can be."""
    found: set[str] = set()
    for stretch in mine:
        start = 0
        while start < len(stretch) - 1:
            end = start + 2
            if stretch[start:end] not in theirs:
                start += 1
                continue
            while end < len(stretch) and stretch[start : end + 1] in theirs:
                end += 1
            found.add(stretch[start:end])
            start = end
    return {one for one in found if one not in _COMMON_CJK}
