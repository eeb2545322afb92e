"""What two remarks share, told from the texts alone: words weighted by how rare they are."""

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from agency import concepts, rarity, subjects
from bot.models.builtin.plain_words import CLAUSE
from bot.models.builtin.world import Remark, World

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_LATIN = re.compile(r"[A-Za-z0-9]+(?:[-_./'’][A-Za-z0-9]+)*")
_EVERYDAY = 0.6  # of a word that every team uses every day
_NEIGHBOURS = 0.5  # for two words that stand side by side in both
_LETTERED = 1.2  # for a place named by a letter
_LOOSE = 1.1  # of a run of Chinese that no list has as a word
_TOGETHER = 0.55  # for each sign of a longer run
_EMPTY = (
    "我你他她它您咱的了在是和与跟或把被给到从为成要会能可吗呢吧啊呀哪谁就都也还很太再又先才但不没有对请让去来等应此其及"
    "按由向往里着过得地所将并且而只仅更最哦嗯那这个一两几多少些每各嘛哈啦天点年月日周时分元块万说们"
)
"""Signs that are no part of a word where they begin or end a run."""
_OCCASION = 0.3  # of a feast: it is a date
_OCCASIONS = frozenset(
    "端午 端午节 中秋 中秋节 国庆 国庆节 元旦 春节 圣诞 圣诞节 五一 清明 清明节 除夕 元宵 七夕 "
    "重阳 腊八 立夏 冬至 "
    "双十一 双十二 暑假 寒假 年底 年初 集合 时间 地点 通知 提醒 大家 出发".split()
)
_NAMED = 1.2  # of one of several such things, by its number
_LABEL = re.compile(
    r"(?:[一二三四五六七八九十\d]{1,6}|[A-Z])号?(?:门|楼|线|车间|厅|仓|库|机组?|炉|站|窗口?|台|棚|馆|"
    r"班|队|组|区|室|床|井|泵|柜)"
)
_NUMBERED = re.compile(
    r"\b(?P<sort>dock|room|bay|gate|theatre|hall|line|lane|platform|track|building|floor|pump|tank|"
    r"crane|press|oven|boiler|lift|ward|unit|rack|server|route|line|pier|berth|stand|court|field|"
    r"studio|stage|lab|shed|barn|kiln|truck|van|bus|batch|lot|site|zone|block) ?#?(?P<no>\d{1,3})\b"
    r"|(?P<hao>[一二三四五六七八九十\d]{1,6}号)[\u4e00-\u9fff]{0,3}?(?P<noun>罐|桶|塔|池|锅|机|车|码头|"
    r"电梯|泵|炉|仓|库|门|楼|线)"
    r"|(?P<person>[\u4e00-\u9fff](?:医生|大夫|老师|经理|主任|师傅|教授|律师|护士长?))",
    re.I,
)
"""A thing by its number, or somebody by name and trade."""
_MANY = 8  # remarks from which on it can be told what is common among them
_PART = 0.4


def shared(a: Remark, b: Remark, world: World) -> dict[str, float]:
    """The words, names and Chinese runs that two remarks have in common, with their weight."""
    people = frozenset(r.who for r in world.remarks)
    one, two = (plain(r.text, people) for r in (a, b))
    found = dict(_han(one, two))
    for term in a.terms.keys() & b.terms.keys():
        if term[0] < "\u4e00" and not _said_in(term, found):
            found[term] = latin(term, max(a.terms[term], b.terms[term]))
    for name in _lettered(one) & _lettered(two):
        found[name] = _LETTERED
    for phrase in _phrases(one, two):
        found[phrase] = _NEIGHBOURS
    labels = [_labels(text) for text in (one, two)]
    found |= dict.fromkeys(labels[0] & labels[1], _NAMED)
    return {word: weight * _rarity(word, world) for word, weight in found.items()}


def _labels(text: str) -> set[str]:
    found = {m.group() for m in _LABEL.finditer(text)}
    return found | {"".join(filter(None, m.groups())).lower() for m in _NUMBERED.finditer(text)}


def _lettered(text: str) -> set[str]:
    """Places named by a letter, or by a number: C 道, 6号码头."""
    return {
        f"{mark}{noun}"
        for mark, noun in re.findall(r"(?<![A-Za-z])([A-Z]) ?([\u4e00-\u9fff])|$", text)
        if mark
    }


def latin(term: str, weight: float) -> float:
    """How telling an English word, a concept, a name or an identifier is."""
    if weight >= 1.5 or not term.isalpha():
        return min(max(weight, 1.0), 2.0)  # a name, a number, an identifier
    if not subjects.special({term: 1.0}):
        return _EVERYDAY
    return min(max(rarity.weight(term), 0.5), 1.3) * (weight if weight < 1.0 else 1.0)


def words(remark: Remark, world: World) -> dict[str, float]:
    """All that a remark is about, weighted as `shared` does."""
    return weigh(remark.text, remark.terms, world)


def weigh(text: str, terms: dict[str, float], world: World) -> dict[str, float]:
    """The telling words of a piece of text."""
    people = frozenset(r.who for r in world.remarks)
    found = {w: rarity.weight(w) for w in rarity.words(plain(text, people))}
    for term, weight in terms.items():
        if term[0] < "\u4e00" and not _said_in(term, found):
            found[term] = latin(term, weight)
    return found


def cover(text: str, words: dict[str, float], world: World) -> float:
    """How much of a clause is about what is shared, in the clause where that is most."""
    return max((_part(part, words, world) for part in CLAUSE.split(text)), default=0.0)


def _part(clause: str, words: dict[str, float], world: World) -> float:
    everything = weigh(clause, subjects.terms(f"x {clause}"), world)
    for word in re.findall(r"[a-z]{3,}(?:ed|ing)\b", clause.lower()):
        everything.update((t, 0.3) for t in subjects.terms(f"x {word}") if t in everything)
    whole = sum(w for t, w in everything.items() if t != "x")
    mine = sum(w for t, w in everything.items() if t in words or partly(t, words))
    return mine / whole if whole >= 0.6 else 0.0


def partly(term: str, words: dict[str, float]) -> bool:
    """Whether a Chinese word is a part of one that is shared, or the other way round."""
    return term >= "\u4e00" and any(
        term in word or (len(word) > 1 and word in term) for word in words if word >= "\u4e00"
    )


@lru_cache(maxsize=4096)
def plain(text: str, people: frozenset[str]) -> str:
    """A text without dates, times and people."""
    text = subjects.timeless(text)
    for name in sorted((n for n in people if n), key=len, reverse=True):
        text = text.replace(name, " ")
    return text


def _said_in(concept: str, found: dict[str, float]) -> bool:
    """Whether a Chinese word already stands for a concept, so that it does not count twice."""
    return any(
        concepts.CHINESE[noun] == concept
        for run in found
        for noun in concepts.CHINESE
        if noun in run
    )


@lru_cache(maxsize=8192)
def _han(one: str, two: str) -> tuple[tuple[str, float], ...]:
    """The Chinese words and unlisted runs that stand in both."""
    found: dict[str, float] = {}
    mine, yours = set(rarity.words(one)), set(rarity.words(two))
    for run in _runs(one, two):
        loose, before = "", sum(found.values())
        for word in (*rarity.cut(run), ""):
            if len(word) == 1 and rarity.weight(word) > 0.0:
                loose += word
                continue
            if len(loose) > 1:
                found[loose] = min(rarity.UNKNOWN, 0.55 * len(loose))
            elif loose and loose in mine & yours:
                found[loose] = 0.4
            loose = ""
            weight = rarity.weight(word) if len(word) > 1 else 0.0
            if weight < 0.3:
                continue
            if word in mine & yours:
                found[word] = weight
            elif any(word in w for w in mine) and any(word in w for w in yours):
                found[word] = min(weight, _LOOSE)  # a part of longer words, or cut otherwise
        tight = run.strip(_EMPTY)
        telling = sum(sign not in _EMPTY for sign in tight)
        surplus = min(_TOGETHER * len(tight), 2.4) - (sum(found.values()) - before)
        if telling > 2 and surplus > 0:
            found[tight] = found.get(tight, 0.0) + surplus
    return tuple(
        (w, min(x, _OCCASION) if w in _OCCASIONS else _EVERYDAY if _everyday(w) else x)
        for w, x in found.items()
    )


def common(one: str, two: str) -> set[str]:
    """The Chinese words of two or more signs that stand in both texts."""
    return {w for w, weight in _han(one, two) if weight >= 0.3 and len(w) > 1}


def _everyday(word: str) -> bool:
    concept = concepts.CHINESE.get(word)
    return bool(concept) and not subjects.special({concept or "": 1.0})


@lru_cache(maxsize=8192)
def _runs(one: str, two: str) -> frozenset[str]:
    """The longest stretches of Chinese in both."""
    found: set[str] = set()
    for text in _HAN.findall(one):
        at = 0
        while at < len(text):
            end = at + 1
            while end <= len(text) and text[at:end] in two:
                end += 1
            if end - 1 > at:
                found.add(text[at : end - 1])
            at = max(end - 1, at + 1)
    return frozenset(found)


@lru_cache(maxsize=8192)
def _phrases(one: str, two: str) -> frozenset[str]:
    """Neighbouring words of both, each of them a word of the matter."""
    pairs = [set(_pairs(text)) for text in (one, two)]
    return frozenset(f"{first} {second}" for first, second in pairs[0] & pairs[1])


@lru_cache(maxsize=4096)
def _term(word: str) -> str:
    """The word of the matter that a word stands for; empty for a common one."""
    return next(iter(subjects.terms(f"the {word.lower()}")), "")


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for clause in re.split(r"[,;:.!?]\s", text):
        found = [_term(word.removesuffix("'s")) for word in _LATIN.findall(clause)]
        yield from ((a, b) for a, b in itertools.pairwise(found) if a and b)


def _rarity(word: str, world: World) -> float:
    """A word that stands in much of what was read tells little."""
    if len(world.remarks) < _MANY:
        return 1.0
    rooms = {r.room.session for r in world.remarks if word in r.terms or word in r.text.lower()}
    return _PART if len(rooms) >= 4 else 1.0
