"""Two of a kind: line 4 and line 7, this wedding and that one, the French and the Japanese text."""

import itertools
import re
from functools import lru_cache

from agency import concepts, counts, rarity, subjects
from bot.models.builtin import kinship, rivals_zh
from bot.models.builtin.world import Remark

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_WORD = re.compile(r"[A-Za-z][\w'’-]*|\d+\w*")
_NUMBERED = re.compile(
    r"\b([A-Za-z]{3,})[ #-]?(\d+[A-Za-z]?|[A-Z])\b"
    r"|([A-Za-z]|\d+|[一二三四五六七八九十]+)[ ]?"
    r"(号线|号楼|号机|号|年级|楼|层|班|组|区|部|线|期|队|店|厅|仓|站|校|厂|库|床|室|栋|门|届|季|"
    r"轮|章|集|批|院|车间)"
)
_SORTED = re.compile(
    r"([东南西北甲乙丙丁前后左右上下内外])(区|组|部|队|班|厅|仓|站|线|店|校|院|厂|库|期|座|栋)"
)
_SIDES = frozenset("左右上下前后内外东西南北")
_VALUE = re.compile(
    r"(?:\b(?:to|into|onto|via|use|using|accepts?|requires?|takes?|supports?|needs?|allows?|"
    r"wants?|gets?|now|\w{3,}s\s+(?:at|to|into)|is|are|it'?s|be|as|only|instead|have|version|"
    r"revision|"
    r"(?:is|are|be|goes?|now|moved?|moves|over|happens?|held|starts?|place|leaves?|runs?|from|"
    r"through)\s+"
    r"(?:in|at|on|from|with|by|under|of))\s+(?:the\s+|a\s+|our\s+)?|"
    r"(?:接受|支持|只要|需要|[改换切挪移搬调][\u4e00-\u9fff]?|"
    r"[到在为用走从成按是以放坐有]|"
    r"统一|现在)\s*)$",
    re.I,
)
"""What stands before a value, as opposed to what tells one thing from another."""
_OF = re.compile(
    r"\b(?=([a-z][\w-]{2,}) (?:for|of|in|at|from|about) (?:(?:the|our|my|a|an|all) )?"
    r"((?:[a-z][\w-]+ ?){1,3}))",
    re.I,
)


def two_of_a_kind(a: Remark, b: Remark) -> bool:
    """Whether each has a word of its own that tells its thing from the other's."""
    one, two = (subjects.timeless(r.text) for r in (a, b))
    people = frozenset({a.who, b.who})
    return (
        _other_number(one, two)
        or _other_room(a, b, one, two)
        or _other_modifier(one, two)
        or _other_complement(one, two)
        or _other_name(a, b)
        or _other_before(kinship.plain(one, people), kinship.plain(two, people))
        or rivals_zh.other_owner(kinship.plain(one, people), kinship.plain(two, people))
    )


def _other_number(one: str, two: str) -> bool:
    """Whether each names its own of a numbered sort, and the newer one not as a value."""
    mine, yours = _numbered(one), _numbered(two)
    for sort in mine.keys() & yours.keys():
        if mine[sort].keys() & yours[sort].keys():
            continue
        if not any(yours[sort].values()):
            return True
    return False


_ONE_OF = frozenset("东南西北一二三四五六七八九十甲乙丙丁0123456789ABCDEFabcdef")
_BRANCH = re.compile(
    r"(?:门店|分店|展厅|展馆|项目部?|机组|校区|园区|工地|营地|食堂|分部|车队|社区|小区|家委|"
    r"分公司|办事处|车间|仓库)$"
)


def siblings(a: Remark, b: Remark) -> bool:
    """Whether two rooms are two of a kind, and the message from there does not name this one."""
    one, two = (re.sub(r"[#\s]|群$", "", r.room.title) for r in (a, b))
    if len(one) != len(two) or one == two or one[-1] != two[-1] or one[-1] < "\u4e00":
        return False
    apart = [(x, y) for x, y in zip(one, two, strict=True) if x != y]
    numbered = len(apart) == 1 and set(apart[0]) <= _ONE_OF
    branch, other = _BRANCH.search(one), _BRANCH.search(two)
    if not numbered and not (branch and other and branch.group() == other.group()):
        return False
    return "".join(x for x, _ in apart) not in b.text


def _other_room(a: Remark, b: Remark, one: str, two: str) -> bool:
    """Whether one names its own of a numbered sort, and the other's room is another of them."""
    for named, text, room in ((two, one, a.room.title), (one, two, b.room.title)):
        labels, own = _numbered(named), _numbered(room)
        for sort in labels.keys() & own.keys() - _numbered(text).keys():
            if not labels[sort].keys() & own[sort].keys() and not any(labels[sort].values()):
                return True
    return False


def _numbered(text: str) -> dict[str, dict[str, bool]]:
    """What is numbered, by its sort, and whether it stands where a value stands."""
    found: dict[str, dict[str, bool]] = {}
    for match in _NUMBERED.finditer(text):
        label, mark, number, measure = match.groups()
        sort = (label or measure).lower()
        if label and (sort in _NO_SORT or not sort.isalpha()):
            continue
        if label and re.match(r"[A-Z]$", mark) and mark in "AI":
            continue
        value = bool(_VALUE.search(text[: match.start()]))
        found.setdefault(sort, {})[_plain(mark or number)] = value
    for match in re.finditer(r"(?<![\d.-])(\d{3,}) ?([\u4e00-\u9fff]{2})", text):
        value = bool(_VALUE.search(text[: match.start()]))
        found.setdefault(match.group(2), {})[match.group(1)] = value
    for match in re.finditer(r"(?<![A-Za-z])([A-Z]) ?(?=(?!的)([\u4e00-\u9fff]+))", text):
        value = bool(_VALUE.search(text[: match.start()]))
        sort = rarity.cut(match.group(2))[0]
        found.setdefault(sort, {})[match.group(1)] = value
    for match in _SORTED.finditer(text):
        value = bool(_VALUE.search(text[: match.start()]))
        found.setdefault(match.group(2), {})[match.group(1)] = value
    return found


def _plain(label: str) -> str:
    chinese = re.fullmatch(r"[一二三四五六七八九十]+", label)
    return f"{counts.number(label):g}" if chinese else label.lower()


_NO_SORT = frozenset(
    "the and for from with until till about around only just over under than are was has have had "
    "not all our her his its they you we need needs takes cost costs at by to in on of is be least "
    "most another next last past first roughly nearly almost maybe now still".split()
)


def _other_modifier(one: str, two: str) -> bool:
    """English: the radio interview here, the tv interview there."""
    mine, yours = _modifiers(one), _modifiers(two)
    terms_a, terms_b = subjects.terms(one), subjects.terms(two)
    for noun in mine.keys() & yours.keys():
        if mine[noun].keys() & yours[noun].keys():
            continue
        own = [m for m in mine[noun] if m not in terms_b]
        other = [m for m, value in yours[noun].items() if m not in terms_a and not value]
        if own and other and len(own) == len(mine[noun]):
            return True
    return False


@lru_cache(maxsize=4096)
def _modifiers(text: str) -> dict[str, dict[str, bool]]:
    """What stands right before each noun, and whether the two of them stand as a value."""
    found: dict[str, dict[str, bool]] = {}
    for first, second in itertools.pairwise(_WORD.finditer(text)):
        if text[first.end() : second.start()] != " ":
            continue
        before, noun = (_term(m.group()) for m in (first, second))
        if before and noun and not before.isdigit():
            value = bool(_VALUE.search(text[: first.start()]))
            found.setdefault(noun, {})[before] = value
    return found


@lru_cache(maxsize=4096)
def _term(word: str) -> str:
    return next(iter(subjects.terms(f"the {word}")), "")


def _other_complement(one: str, two: str) -> bool:
    """The script for the contacts here, the script for the invoices there."""
    mine, yours = _complements(one), _complements(two)
    return any(
        mine[noun] and yours[noun]
        and not mine[noun] & subjects.terms(two).keys()
        and not yours[noun] & subjects.terms(one).keys()
        for noun in mine.keys() & yours.keys()
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _complements(text: str) -> dict[str, set[str]]:
    return {
        noun: set(subjects.terms(f"the {rest}"))
        for head, rest in _OF.findall(text)
        if (noun := _term(head))
    }


def _other_name(a: Remark, b: Remark) -> bool:
    """Each names its own, and the newer name is what is told about and no new value."""
    mine, yours = _names(a), _names(b)
    if not mine or not yours or mine.keys() & yours.keys():
        return False
    low_a, low_b = a.text.lower(), b.text.lower()
    return (
        all(name not in low_b for name in mine)
        and all(name not in low_a and not value for name, value in yours.items())
    )  # fmt: skip


def _names(remark: Remark) -> dict[str, bool]:
    """Names in an English text, and whether each stands where a value stands."""
    found: dict[str, bool] = {}
    text = subjects.timeless(remark.text)
    for match in re.finditer(r"\b[A-Z][a-z]{2,}\b", text):
        name = match.group().lower()
        if match.start() == 0 or re.search(r"[.!?:\n]\W*$", text[: match.start()]):
            continue
        if name not in subjects.terms(f"the {match.group()}") or name in _NO_NAME:
            continue
        found[name] = bool(_VALUE.search(text[: match.start()]))
    return found


_NO_NAME = frozenset(concepts.ENGLISH)


def _other_before(one: str, two: str) -> bool:
    """Chinese: another word of the same build right before or after what both speak of."""
    for word in kinship.common(one, two):
        for mine, yours in zip(_beside(one, word), _beside(two, word), strict=True):
            own = {w for w in mine if w not in two}
            other = {w for w in yours if w not in one}
            if not own or not other or mine & yours:
                continue
            alike = {
                y for x in own for y in other
                if len(x) == len(y) and x[-1] == y[-1] and x[0] not in _SIDES
            }  # fmt: skip
            if any(not _VALUE.search(two[: two.find(y)]) for y in alike):
                return True  # the French text and the Japanese one
            if _leads(one, word, own) and _leads(two, word, other):
                return True
    return _other_place(one, two)


def _beside(text: str, word: str) -> tuple[set[str], set[str]]:
    """The words right before and right after a word."""
    before: set[str] = set()
    after: set[str] = set()
    for run in _HAN.findall(text):
        cut = [w for w in rarity.cut(run) if w != "的"]
        for at, one in enumerate(cut):
            if one == word or (len(one) > len(word) and word in one):
                last = cut[max(0, at - 1) : at]
                if (
                    last and len(last[0]) == 1 and rarity.weight(last[0]) > 0.0
                ):  # a sign left over belongs to what stands before it
                    last = [w for w in ("".join(cut[max(0, at - 2) : at]),) if len(w) > 2]
                before |= {w for w in last if _tells(w)}
                after |= {w for w in cut[at + 1 : at + 2] if _tells(w)}
    return before, after


def _tells(word: str) -> bool:
    return len(word) > 1 and rarity.weight(word) >= 0.3


def _leads(text: str, word: str, near: set[str]) -> bool:
    """Whether one of the words stands right before a word, and itself after no sign of a value."""
    for other in near:
        at = re.search(rf"{other}的?{word}", text)
        if at and not _VALUE.search(text[: at.start()]):
            return True
    return False


def _other_place(one: str, two: str) -> bool:
    """Whether each begins with a place of its own: the school's inspection, the shop's."""
    mine, yours = (_PLACE_FIRST.match(text) for text in (one, two))
    if not mine or not yours:
        return False
    return mine.group(1) not in two and yours.group(1) not in one


_PLACE_FIRST = re.compile(
    r"\W*(?:我们)?([\u4e00-\u9fff]{1,3}[园场店楼厂校院馆站州市县镇村队团班组])(?![长员])"
)
