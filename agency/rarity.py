"""How telling a word is: the rarer the more; and where Chinese words begin and end."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

_WEIGHTS = {"en": (0.1, 0.4, 0.85, 1.05), "zh": (0.1, 0.4, 0.7, 0.95, 1.1)}
UNKNOWN = 1.3
"""The weight of a word that no list has."""
_LONGEST = 4  # signs of the longest Chinese word in the list
JOINING = frozenset(
    "已我你他她它您咱的了在是和与跟或把被给到从用为成要会能可吗呢吧啊呀哪谁就都也还很太再又先才但不没有对请让去来上下"
    "做等刚已正曾咋啥前后应该此其及按由向往里中内外着过得地所将并且而只仅更最好行哦嗯说看想发出新旧老那这个一两几多少大小些每各"
    "位天号点年月日周时分元块万千百十第起时间今明昨早晚放写开收走买订定拿改换弄搞备完嘛哈啦哇噢诶唉哎呗咯"
)
"""Signs that tell nothing where they stand alone."""


@lru_cache(maxsize=2)
def _classes(language: str) -> dict[str, float]:
    path = Path(__file__).parent / "words" / f"{language}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    found: dict[str, float] = {}
    for line, value in zip(lines, _WEIGHTS[language], strict=True):
        for word in line.split():
            found.setdefault(word, value)
            if language == "en":
                found.setdefault(stem(word), value)
    return found


def weight(word: str) -> float:
    """How telling an English or Chinese word is, 0.1 to 1.3."""
    if word[:1] < "\u4e00":
        return _classes("en").get(word, UNKNOWN)
    known = _classes("zh").get(word)
    if known is not None:
        return known
    if len(word) == 1:
        return 0.0 if word in JOINING else 0.4
    return min(UNKNOWN, 0.65 * sum(sign not in JOINING for sign in word))


def stem(word: str) -> str:
    """An English word without its ending."""
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    for ending in ("ations", "ation", "ings", "ing", "ed", "es", "s"):
        shortest = 3 if ending == "s" and word[-2:] not in ("ss", "us", "is") else 4
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=8192)
def cut(run: str) -> tuple[str, ...]:
    """A run of Chinese signs as words: the fewest, the more common ones where there is a choice."""
    known = _classes("zh")
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(run) + 1):
        found = (float("inf"), end - 1)
        for start in range(max(0, end - _LONGEST), end):
            word = run[start:end]
            if len(word) == 1:
                cost = 1.0 if word in JOINING else 1.6
            elif word in known:
                cost = 1.2 + 0.1 * known[word]
            else:
                continue
            found = min(found, (best[start][0] + cost, start))
        best.append(found)
    words: list[str] = []
    end = len(run)
    while end:
        start = best[end][1]
        words.append(run[start:end])
        end = start
    return tuple(_joined(reversed(words)))


def _joined(words: Iterable[str]) -> list[str]:
    """Signs that belong to no listed word stand together: they are a word nobody listed."""
    found: list[str] = []
    for word in words:
        loose = len(word) == 1 and word not in JOINING
        if loose and found and found[-1] not in _classes("zh") and found[-1] not in JOINING:
            found[-1] += word
        else:
            found.append(word)
    return found


def words(text: str) -> list[str]:
    """The Chinese words of a text that tell something."""
    return [
        w for run in re.findall(r"[\u4e00-\u9fff]+", text) for w in cut(run) if weight(w) >= 0.3
    ]
