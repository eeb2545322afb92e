"""What somebody asks to be kept for later, read from plain words in English and Chinese.

"remind me on Friday at three to call Jon" · "周五下午三点提醒我给小雷打电话" · "move it to four" ·
"tell me when the contract is signed" — the time is left in its words; `agency.whens` reads them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from agency import whens
from agency.whens import Unclear

ALL = "all"
"""In place of an id: every one."""


class Act(StrEnum):
    """What is asked for."""

    REMIND = "remind"
    """Say something at a time."""
    TASK = "task"
    """Do something at a time."""
    CHANGE = "change"
    """Move one that is set."""
    AGAIN = "again"
    """Say one again."""
    CANCEL = "cancel"
    LIST = "list"
    WAIT = "wait"
    """Tell of something once it has come to pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """One request."""

    act: Act
    who: str = ""
    when: str = ""
    """The words of the time; empty where there are none."""
    text: str = ""
    id: str = ""
    """Of a reminder, as `r3`, or of a wait, as `n3`; empty where it is not named."""
    unclear: Unclear | None = None
    """Why the time cannot be that."""


_POLITE = (
    r"(?:(?:hey|hi|ok|okay|please|pls|and|can you|could you|would you|will you|i need you to|"
    r"i want you to|i'd like you to)[\s,]+)*"
)
_WHO = (
    r"(?P<who>me|us|everyone|everybody|all of us|the (?:whole )?(?:team|room|group|channel)|[@#]\S+"
)
_REMIND = re.compile(
    rf"^\W*{_POLITE}(?P<first>.{{0,60}}?)[\s,]*\b{_POLITE}(?:remind|ping|nudge)\s+"
    rf"{_WHO}|(?-i:[A-Z])[\w'’.-]*(?:(?:,\s*|\s+and\s+|\s*&\s*)(?-i:[A-Z])[\w'’.-]*)*)(?=[\s,:]|$)(?!\s+(?:what|who|where|why|how)\b)"
    r"[\s,:]*(?P<rest>.*)$",
    re.I | re.S,
)
_SET = re.compile(
    rf"^\W*{_POLITE}(?:set|make|create|add|schedule)\s+(?:up\s+)?(?:me\s+)?a(?:nother)?\s+"
    rf"(?:(?P<often>daily|weekly|monthly)\s+)?reminder\b(?:\s+for\s+{_WHO})(?=\s|$))?"
    r"[\s,:]*(?P<rest>.*)$",
    re.I | re.S,
)
_ZH_ALL = "我们|咱们|大家|所有人|全员|全体|团队|各位"
_ZH_REMIND = re.compile(
    r"^\W*(?:请|麻烦|帮忙|帮我|别忘了|记得|能不能|可以|能|你)*(?P<first>.{0,30}?)(?:请|记得|帮我|再|都|要)?"
    r"(?:提醒|叫)(?:一下|下)?(?P<rest>.*)$",
    re.S,
)
_ASKS = re.compile(r"^\W*(?:please\s+)?(?:can|could|would|will) you\b|^\W*(?:你)?(?:能|可以)", re.I)
_LEADS = re.compile(
    r"^[\s,，：:、]*(?:(?:to|that|about|of)\b[\s:]*|[:：])?\s*|[\s,，。.!！]+$|\s+[?？]$", re.I
)
_NO_TEXT = re.compile(
    r"^(?:(?:about|of)\s+)?(?:it|this|that|again)?[.!]*$|^(?:这个|这件事|一下)?$", re.I
)
_TASK = re.compile(
    r"^(?:please\s+)?(?:summari[sz]e|list|post|report|check|collect|tell us|give us|write|recap|"
    r"ask|show)\b|^(?:请)?(?:总结|汇总|列出|列一下|整理|汇报|检查|收集|发一下|问一下|统计|回顾)",
    re.I,
)
_ID = r"(?P<id>[rn]\d{1,9})"
_REMINDER = rf"(?:(?:it|that|this|the|my)\s*)?(?:(?:one|reminders?|task)\s*)?(?:{_ID}\b)?"
_CHANGE = re.compile(
    rf"^\W*{_POLITE}(?:move|change|shift|reschedule|postpone|push|put|delay)\s+{_REMINDER}"
    r"(?:\s+(?:back|off|forward))?\s*(?:to|until|till|by|for)\s+(?P<when>.+)$"
    rf"|^\W*{_POLITE}make\s+(?:it|that|{_ID.replace('id', 'id2')})\s+(?P<when2>.+)$",
    re.I,
)
_ZH_CHANGE = re.compile(
    rf"^\W*(?:请|麻烦)?(?:把)?(?:这个|那个|刚才的|上一个)?(?:提醒)?\s*{_ID}?\s*(?:提醒|它)?"
    r"(?:改到|改成|改为|推迟到|推到|提前到|挪到|换到|移到|延到)\s*(?P<when>.+)$",
    re.I,
)
_AGAIN = re.compile(
    rf"^\W*{_POLITE}(?:remind me\s+)?"
    r"(?:again|once more|snooze(?:\s+(?:it|this|that))?(?:\s+for)?)\b"
    r"[\s,]*(?P<when>.*)$|^\W*(?P<when2>.+?)[\s,]+again\W*$"
    r"|^\W*(?P<when3>.{2,20}?)(?:之后|以后|后)?再(?:提醒|叫|说)(?:我)?(?:一次|一下|一遍)?\W*$"
    r"|^\W*再(?:提醒|叫)(?:我)?(?:一次|一下|一遍)?[\s,，]*(?P<when4>.*)$|^\W*(?P<later>稍后提醒|待会儿?再说)\W*$",
    re.I,
)
_CANCEL = re.compile(
    rf"^\W*{_POLITE}(?:cancel|delete|remove|drop|forget|stop|kill)\s+"
    r"(?:(?:that|this|the|my|it)\s*)?"
    rf"(?:reminders?|task|wait(?:ing)?)?(?:\s*(?:for|about)?\s*{_ID})?\W*$"
    r"|^\W*(?:never ?mind|forget)\s+(?:about\s+)?(?:the|that|this)\s+reminder\W*$"
    r"|^\W*(?:don'?t|do not|no need to|you needn'?t)\s+remind\s+(?:me|us)"
    r"(?:\s+(?:of|about)\s+(?:it|that))?"
    r"(?:\s+any\s?more)?\W*$",
    re.I,
)
_ZH_CANCEL = re.compile(
    rf"^\W*(?:请|麻烦)?(?:把)?(?:取消|删掉|删除|去掉|撤销|停掉)(?:这个|那个|刚才的|刚才那个|上一个|这条|那条)?"
    rf"(?:提醒|任务)?\s*(?:{_ID.replace('id', 'id3')})?(?:了|吧)?\W*$"
    r"|^\W*(?:不用|不要|别)(?:再)?提醒(?:我|我们|大家)?(?:了)\W*$"
    rf"|^\W*(?:把)?(?:提醒)?\s*{_ID}\s*(?:提醒)?(?:取消|删掉)(?:了|吧)?\W*$",
    re.I,
)
_CANCEL_ALL = re.compile(
    rf"^\W*{_POLITE}(?:cancel|delete|remove|drop|clear)\s+(?:all|every(?:thing)?)(?:\s+of)?"
    r"(?:\s+(?:my|our|the))?(?:\s+reminders?)\W*$"
    r"|^\W*(?:请|麻烦)?(?:把)?(?:取消|删掉|删除|清空)(?:我的|我们的)?(?:所有|全部)(?:的)?提醒(?:了|吧)?\W*$",
    re.I,
)
_LIST = re.compile(
    r"\b(?:what|when)(?:['’]s|\s+is)\s+(?:my|our|the)\s+next\s+reminder\b|下一个提醒"
    r"|\b(?:what|which)\s+(?:\w+\s+)?reminders?\b.*\b(?:have|set|are|do|got)\b"
    r"|\b(?:list|show)\s+(?:me\s+)?(?:all\s+)?(?:my|our|the)?\s*reminders\b"
    r"|^\W*(?:my|our) reminders\W*$"
    r"|\bwhat\s+(?:are\s+)?you\s+(?:are\s+)?waiting\s+for\b"
    r"|(?:我|我们|这里)(?:还)?(?:有|设了?)(?:哪些|什么|几个|多少)提醒|有(?:哪些|什么)提醒|^\W*(?:我的)?提醒(?:列表|清单)"
    r"\W*$|(?:列出|看看|查看|看一下)(?:我的|所有|全部)?提醒|你(?:在)?(?:替|帮|为)?我?(?:在)?等(?:着)?什么",
    re.I,
)
_WAIT = re.compile(
    rf"^\W*{_POLITE}(?:tell|ping|notify|message|alert|remind|let)\s+(?P<who>me|us)\s+(?:know\s+)?"
    r"(?:when(?:ever)?|once|as soon as|if)\s+(?P<what>.+?)\W*$"
    rf"|^\W*(?:when|once|as soon as)\s+(?P<what2>.+?),?\s+{_POLITE}(?:then\s+)?"
    r"(?:tell|ping|notify|let)\s+"
    r"(?P<who2>me|us)(?:\s+know)?\W*$",
    re.I | re.S,
)
_YOU = re.compile(r"(?:you|possible|convenient)\b|你|方便|可以", re.I)
_ZH_WAIT = re.compile(
    r"^\W*(?P<what3>.{2,30}?了)(?:就|再|请|马上)*(?:告诉|通知|提醒)(?P<who3>我们|我|大家)(?:一声|一下)?\W*$|"
    r"^\W*(?:请|麻烦)?(?:等|一旦|如果|要是|当)?(?P<what>.+?)(?:了)?(?:之后|以后|后|的时候|时|，|,)\s*"
    r"(?:请|就|再|马上|第一时间|立刻)*(?:告诉|通知|跟|和|提醒)(?P<who>我们|我|大家)(?:说)?(?:一声|一下)?\W*$"
    r"|^\W*(?:请|麻烦)?(?:等|一旦)(?P<what2>.+?)了?(?:就|再)(?:告诉|通知|跟)(?P<who2>我们|我|大家)(?:说)?"
    r"(?:一声|一下)?\W*$",
    re.S,
)


def read(text: str, *, now: datetime, zone: ZoneInfo, names: Sequence[str] = ()) -> Asking | None:
    """The request a message is, or None. `names`: people and rooms that may be meant."""
    said = " ".join(text.split())
    if len(said) > whens.LONGEST or not said:
        return None
    return _of_one_set(said, now, zone) or _waiting(said, now, zone) or _new(said, now, zone, names)


def _of_one_set(said: str, now: datetime, zone: ZoneInfo) -> Asking | None:
    if _CANCEL_ALL.match(said):
        return Asking(act=Act.CANCEL, id=ALL)
    if _LIST.search(said):
        return Asking(act=Act.LIST)
    for regex in (_CANCEL, _ZH_CANCEL):
        if found := regex.match(said):
            return Asking(act=Act.CANCEL, id=_group(found, "id"))
    if found := _CHANGE.match(said) or _ZH_CHANGE.match(said):
        return _timed(
            Asking(act=Act.CHANGE, id=_group(found, "id")), _group(found, "when"), now, zone
        )
    if found := _AGAIN.match(said):
        when = _group(found, "when").strip(" ,，。.!?？")
        again = _timed(Asking(act=Act.AGAIN), when or "1h", now, zone)
        return again if again.when else None
    return None


def _waiting(said: str, now: datetime, zone: ZoneInfo) -> Asking | None:
    if said.endswith(("?", "？")):
        said = said[:-1]
    found = _WAIT.match(said) or _ZH_WAIT.match(said)
    what = _group(found, "what").strip(" ,，了").removeprefix("等") if found else ""
    if found is None or not what or _YOU.match(what) or _is_time(what, now, zone):
        return None
    happened = f"{what}了" if f"{what}了" in said else what
    return Asking(act=Act.WAIT, who=_group(found, "who"), text=happened)


def _is_time(words: str, now: datetime, zone: ZoneInfo) -> bool:
    try:
        whens.read(words, now=now, zone=zone)
    except Unclear:
        return False
    return True


def _new(said: str, now: datetime, zone: ZoneInfo, names: Sequence[str]) -> Asking | None:
    if _ASKS.match(said):
        said = re.sub(r"\s*吗?\s*[?？]+\s*$", "", said)
    found = _REMIND.match(said) or _SET.match(said)
    if found:
        groups = found.groupdict(default="")
        rest = f"{groups.get('often', '')} {groups['rest']}".strip()
        return _reminder(groups["who"] or "me", groups.get("first", ""), rest, now, zone)
    chinese = _ZH_REMIND.match(said)
    if chinese:
        who, rest = _zh_who(chinese["rest"], names)
        rest = re.sub(r"^(?:一下|下)(?!周|个|月|午|班)", "", rest)
        if who:
            return _reminder(who, chinese["first"], rest, now, zone)
    return _task(said, now, zone)


def _zh_who(rest: str, names: Sequence[str]) -> tuple[str, str]:
    everybody = re.match(rf"\s*(?P<who>{_ZH_ALL}|我)(?P<rest>.*)", rest, re.S)
    if everybody:
        return everybody["who"], everybody["rest"]
    called = re.match(
        r"\s*(?P<who>[@＠#][\w.\u4e00-\u9fff-]+?)(?=[\s,，]|$)(?P<rest>.*)", rest, re.S
    )
    for name in sorted(names, key=len, reverse=True):
        bare = rest.lstrip(" @＠")
        if name and bare.casefold().startswith(name.casefold()):
            left = re.sub(r"^(?:群|频道|房间)(?:里)?", "", bare[len(name) :])
            also = re.match(r"\s*[和与、,，]\s*", left)
            more, rest_of = _zh_who(left[also.end() :], names) if also else ("", left)
            return (f"{name}、{more}", rest_of) if more else (name, left)
    return (called["who"], called["rest"]) if called else ("", rest)


def _reminder(who: str, first: str, rest: str, now: datetime, zone: ZoneInfo) -> Asking | None:
    lead, body = first.strip(" ,，"), rest
    asking = Asking(act=Act.REMIND, who=who.strip(" ,，:"))
    if lead:
        timed = _timed(asking, lead, now, zone)
        if not timed.when and timed.unclear is None:
            return None  # other words come before it: it is told of, not asked for
        return _worded(timed, body)
    try:
        when = whens.find(body, now=now, zone=zone)
    except Unclear as unclear:
        body = body.replace(unclear.words, "", 1)
        return _worded(_with(asking, unclear=unclear), body)
    if when is None:
        return _worded(asking, body)
    before, after = body[: when.start].rstrip(), body[when.end :].lstrip()
    apart = "" if before[-1:] > "\u2e80" and after[:1] > "\u2e80" else " "
    return _worded(_with(asking, when=when.text), f"{before}{apart}{after}")


def _worded(asking: Asking, body: str) -> Asking:
    text = _LEADS.sub("", " ".join(body.split()))
    text = _LEADS.sub("", text).strip()
    return _with(asking, text="" if _NO_TEXT.match(text) else text)


def _task(said: str, now: datetime, zone: ZoneInfo) -> Asking | None:
    try:
        when = whens.find(said, now=now, zone=zone)
    except Unclear:
        return None
    if when is None or not when.grid.recurs:
        return None
    before, after = said[: when.start].strip(" ,，"), said[when.end :].strip(" ,，:：")
    body = after if not before else before if not after.strip(".!。！") else ""
    if not body or not _TASK.match(body):
        return None
    return Asking(act=Act.TASK, who="us", when=when.text, text=body.strip(" .!。！"))


def _timed(asking: Asking, words: str, now: datetime, zone: ZoneInfo) -> Asking:
    try:
        whens.read(words, now=now, zone=zone)
    except Unclear as unclear:
        known = unclear.trouble not in (whens.Trouble.NOTHING, whens.Trouble.UNKNOWN)
        return _with(asking, unclear=unclear) if known or asking.act is Act.CHANGE else asking
    return _with(asking, when=words)


def _with(
    asking: Asking, *, when: str = "", text: str = "", unclear: Unclear | None = None
) -> Asking:
    return Asking(
        act=asking.act,
        who=asking.who,
        when=when or asking.when,
        text=text or asking.text,
        id=asking.id,
        unclear=unclear or asking.unclear,
    )


def _group(found: re.Match[str], name: str) -> str:
    """The first group of a name or its variants that matched."""
    groups = found.groupdict()
    keys = (name, *(f"{name}{number}" for number in range(2, 5)))
    return next((groups[key] for key in keys if groups.get(key)), "")
