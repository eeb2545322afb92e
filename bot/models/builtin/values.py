"""Whether two remarks give the same thing different values: a time, a number, a place, a means."""

import re

from agency import concepts, subjects
from bot.models.builtin.world import Remark

_LABELLED = (
    re.compile(r"(?P<sort>[A-Z][\w.+-]*|版本?) ?v?(?P<value>\d+(?:\.\d+)+)"),
    re.compile(r"(?P<sort>[A-Za-z]{3,})[ #-]?(?P<value>\d+[A-Za-z]?|[B-HJ-Z])\b(?!\.\d)"),
    re.compile(
        r"(?P<value>[\d一二两三四五六七八九十百]+|[A-Z]\d*) ?(?:号|个)?(?P<sort>[\u4e00-\u9fff])"
    ),
    re.compile(
        r"(?P<value>\d+(?:\.\d+)?|[Tt]wo|[Tt]hree|four|five|six|seven|eight|nine|ten|eleven|twelve)"
        r"[ -]?(?P<sort>%|[A-Za-z]{2,}|[€$£])"
    ),
    re.compile(r"(?P<sort>[€$£])\s?(?P<value>\d+(?:\.\d+)?)"),
)
"""A number with the sort of thing it counts or names: gate 3, 15%, two floors."""
_NAMED = re.compile(
    r"\b(room|hall|gate|building|floor|track|platform|dock|bay|stage|studio|terminal|lot|line|"
    r"table|desk|"
    r"door|shelf|locker|rack|unit|level|plan|version|option|route|team|lab|theatre|"
    r"wing)s? (?:the )?([A-Z]\w+)"
)
_CURRENCIES = (
    r"\$|\bdollars?\b|\busd\b|美元|美金",
    r"€|\beuros?\b|\beur\b|欧元",
    r"£|\bpounds?\b|\bgbp\b|英镑",
    r"\b(?:yuan|rmb|cny)\b|人民币",
    r"\byen\b|\bjpy\b|日元",
)
_NO_SORT = frozenset(
    "the and for from with until till about around only just over under than are was has have had "
    "not all our his her its they you need needs takes cost costs come comes went goes least most "
    "another next last past first still now already more less per plus minus".split()
) | frozenset("年月日号点分秒周天是的了在就才都也要到会能可次下上")
"""What stands beside a number without being what it counts."""
_SLOTS = (
    re.compile(
        r"\b(?:is|are|be|goes?|go|now|moved?|moves|over|happens?|held|starts?|place|leaves?|"
        r"meet\w*|hang\w*|"
        r"put\w*|sits?|stands?|booked|set|stays?) (?:back |up |over |out )?(?:in|at|to|into|on|"
        r"onto|from|over) "
        r"(?:the |our |a )?(?P<en>[\w'-]+(?: [A-Z0-9]\w*\b)?)"
        r"|(?:[在到去挂搬移挪改]|放在?)\s*(?P<zh>[A-Z\d]+\s?[\u4e00-\u9fff]|"
        r"[\u4e00-\u9fffA-Z]{1,4})",
        re.I,
    ),
    re.compile(
        r"\b(?:with|using|use|via|by|through|from) (?:the |our |"
        r"a )?(?P<en>[\w'-]+(?: [A-Z0-9]\w*\b)?)"
        r"|(?:用|走|进|存|找|以|拿|按|订|定)(?:的是)?\s*(?P<zh>[\u4e00-\u9fffA-Za-z]{1,4})",
        re.I,
    ),
)
"""Where it is, and by what it is done: the same sort of place in two sentences."""
_CODE = re.compile(r"([A-Za-z]{2,})-(\d+)")
"""A numbered sort: OPS-141."""


_PERSONS = frozenset(
    "people person visitor guest attendee participant head seat cover 人 位 名".split()
)
"""Ways to count people."""
_DENIED = re.compile(
    r"(?:而?不是|不再[是用]|\b(?:not|instead of|rather than|no longer)\b)\s*[^，。,;]{1,14}", re.I
)
"""A value that is named only to say that it is none."""


def other(here: Remark, there: Remark) -> bool:
    """Whether another time, number, name of a sort or side of the same thing is told there."""
    if other_time(here, there):
        return True
    for group in concepts.CONTRASTS:
        mine, yours = group & here.terms.keys(), group & there.terms.keys()
        if yours - mine and mine:
            return True
    if _next_code(here, there):
        return True
    codes = [{t for t, w in r.terms.items() if w >= 2.0} for r in (here, there)]
    if len(codes[0]) == len(codes[1]) == 1 and codes[0] != codes[1]:
        return True
    if _other_slot(here, there) or _other_currency(here.text, there.text):
        return True
    mine_values, yours_values = _values(here.text), _values(_DENIED.sub(" ", there.text))
    if (
        "个" in yours_values
        and len(mine_values) == 1
        and not mine_values.keys() & yours_values.keys()
    ):
        mine_values = {"个": next(iter(mine_values.values()))}  # the measure that counts anything
    return any(
        yours_values[unit] - numbers for unit, numbers in mine_values.items()
        if unit in yours_values and not numbers & yours_values[unit]
    )  # fmt: skip


_LONG = re.compile(r"(?<![\d.×xX*-])\d{4,}(?![\d.×xX*年-])")


def _next_code(here: Remark, there: Remark) -> bool:
    """Whether the thing named here is named there beside another of its sort."""
    mine, yours = ({m.groups() for m in _CODE.finditer(r.text)} for r in (here, there))
    bare, others = (set(_LONG.findall(r.text)) for r in (here, there))
    if len(bare) == 1 and bare < others and len({len(n) for n in others}) == 1:
        return True
    return len(mine) == 1 and mine < yours and {sort for sort, _ in yours} == {s for s, _ in mine}


_NOT_THEN = re.compile(
    r"别|不[^，。；]{0,3}了|改|挪|推迟|取消|来不及|\b(?:not|instead|rather)\b", re.I
)
"""Not on the day that is named, but on another."""


def other_time(here: Remark, there: Remark) -> bool:
    """Whether another day is named there, or another hour of the same one."""
    days, others = ({d for t in r.times if (d := t.date_from(r.at))} for r in (here, there))
    if days and others and not days & others:
        return True
    if days and days < others and _NOT_THEN.search(there.text):
        return True
    hours, later = ({t.at for t in r.times if t.at and not t.rough} for r in (here, there))
    return bool(hours and later) and not hours & later


def _other_currency(one: str, two: str) -> bool:
    mine, yours = ({c for c in _CURRENCIES if re.search(c, t, re.I)} for t in (one, two))
    return bool(mine and yours) and not mine & yours


def _other_slot(here: Remark, there: Remark) -> bool:
    """Whether another place or means stands there in the same place of the sentence."""
    one = here.text.lower()
    for slot in _SLOTS:
        mine, yours = (_filling(slot, r) for r in (here, there))
        if mine and yours and not mine & yours and any(w not in one for w in yours):
            return True
    return False


def _filling(slot: re.Pattern[str], remark: Remark) -> set[str]:
    text = subjects.timeless(remark.text)
    found = (m.group("en") or m.group("zh") or "" for m in slot.finditer(text))
    return {w.lower() for w in found if len(w) > 1 and _tells(w)}


def _tells(word: str) -> bool:
    return bool(re.search("[\u4e00-\u9fff]", word)) or bool(subjects.terms(f"the {word}"))


def _values(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for sort, name in _NAMED.findall(text):
        found.setdefault(sort.lower(), set()).add(name.lower())
    plain = subjects.timeless(text)
    for match in (m for pattern in _LABELLED for m in pattern.finditer(plain)):
        sort = match.group("sort").lower().rstrip("s")
        sort = "person" if sort in _PERSONS else sort
        if sort not in _NO_SORT:
            found.setdefault(sort, set()).add(match.group("value"))
    return found
