"""Whose thing it is, told by what stands before it: the yoghurt's lids, the juice's lids."""

import itertools
import re

from agency import rarity

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_HEAD = (
    r"(?:^|[，。；：！？、\s]|[把将给对等让])"
    r"(?:我们?|咱们?|你们?|他们?|那边?|这边?|这个?|那个?|今天|明天)?"
)
_OWNER = r"([\u4e00-\u9fffA-Za-z0-9]{1,8}?)"
_KINDS = frozenset(
    "站线楼店班组院校厂馆园县市区村镇杯瓶盒箱机车船版端款系列季届级科室部队家台仓库桥路街会展剧片集"
)
"""Signs that end the name of a thing of which there are several."""
_NO_OWNER = re.compile(
    r"[改换挪移搬推延停取撤砍升降缩增提调]|[不没未别已还都就也才又再先要会能可]|[了过着]|"
    r"定[了在于]|确[认定]|"
    r"最[终后早晚]|现在|目前|统一|全部|所有|各|新|旧|老|原|临时|关于|刚|今|明|昨|上午|下午|通知|"
    r"收到|等|"
    r"[用到在给把将从]|是|有|说|问|看|送|寄|发|做|写|买|订|租|拍|借|拿|放"
)
"""What stands before a thing without being the name of another one."""


def other_owner(one: str, two: str) -> bool:
    """Whether each text names the same sort of thing behind a name of its own."""
    for run in _runs(one, two):
        mine, yours = _owners(one, run), _owners(two, run)
        if not mine or not yours or _both(one, two, run):
            continue
        if all(_apart(a, b, one, two) for a in mine for b in yours):
            return True
    return False


def _runs(one: str, two: str) -> list[str]:
    """What both say in one stretch, cut where a word begins."""
    found: list[str] = []
    for text in _HAN.findall(one):
        at, words = 0, {0, *itertools.accumulate(map(len, rarity.cut(text)))}
        while at < len(text) - 1:
            end = at + 2
            if text[at:end] not in two:
                at += 1
                continue
            while end < len(text) and text[at : end + 1] in two:
                end += 1
            begun = min((word for word in words if at <= word < end), default=end)
            run = text[begun:end].strip("的")
            if len(run) > 1 and max(map(rarity.weight, rarity.cut(run))) >= 0.3:
                found.append(run)
            at = end
    return found


def _owners(text: str, run: str) -> set[str]:
    """What stands right before a run, from the beginning of its clause on."""
    found = re.finditer(rf"{_HEAD}{_OWNER}(的?)(?={re.escape(run)})", text)
    return {m.group(1) + m.group(2) for m in found if not _NO_OWNER.search(m.group(1))}


def _both(one: str, two: str, run: str) -> bool:
    """Whether one of the texts also names the thing without an owner, at the head of a clause."""
    return any(re.search(rf"{_HEAD}{re.escape(run)}", text) for text in (one, two))


def _apart(a: str, b: str, one: str, two: str) -> bool:
    """Whether two owners are two of a kind."""
    marked = a.endswith("的") and b.endswith("的")
    a, b = a.rstrip("的"), b.rstrip("的")
    if not a or not b or a in two or b in one or set(a[:-1]) & set(b[:-1]):
        return False
    alike = a[-1] == b[-1] or (a[-1] in _KINDS and b[-1] in _KINDS)
    return (marked or alike) and min(len(a), len(b)) > 1
