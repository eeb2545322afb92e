"""A person's word on what may be told elsewhere, with the limits they set, read by rule."""

import re
from dataclasses import dataclass

from agency import moments
from bot.models.builtin import asking, intents, wording
from bot.models.builtin.agency import Call
from bot.models.builtin.context import Context, Row

_WHAT = re.compile(
    r"\bwhat\b.*\b(?:tell|say|share|pass)|\bwhich (?:message|text|words)|(?:说|告诉|"
    r"转达)[^。]{0,8}什么",
    re.I,
)
_OTHER_WORDS = re.compile(
    r"\b(?:but|just|only) (?:please )?(?:not|no|without|leave out|drop|skip|don'?t|do not)\b"
    r"|\b(?:without|except(?: for)?|leave out|leaving out)\b"
    r"|(?:但|不过|只是|就是)[^，。；]{0,4}(?:别|不要|不能|不用|先别)(?:说|提|告诉|带|写)?|除了.{1,12}(?:都|其他)|去掉|不提",
    re.I,
)
_UNTIL = re.compile(
    r"\b(?:until|till|up to|through)\b|到.{1,10}?(?:为止|之前|前)|(?:为止|之前|以前)", re.I
)
_ONCE = re.compile(
    r"\b(?:just |only )?(?:this once|once only|only once|one time|this time)\b"
    r"|(?:就|只)?这(?:一)?次",
    re.I,
)
_ROOM = re.compile(
    r"\b(?:always|every time|any time|anytime|from now on|in future|everything|whatever i)\b"
    r"|以后|每次|一直|随时都|所有|永远",
    re.I,
)
_FACT = re.compile(
    r"\b(?:whenever (?:it|that|this)|(?:that|this) (?:fact|one|thing)|if (?:they|anyone) asks?)\b"
    r"|这件事随时|这件事都|这个随时|有人问",
    re.I,
)
_ONLY_THERE = re.compile(
    r"\bonly (?:to |in |with |tell )?(?:the )?(?P<en>#?[\w-]+)(?: (?:room|group|channel|team))?\W*$"
    r"|只(?:能|可以)?(?:告诉|跟|对|说给|给|在)\s*(?P<zh>[^，。！；\s]{1,20}?)(?:说|里说)?[。！]*$",
    re.I,
)
_THEM = frozenset(
    {"them", "they", "there", "that", "this", "here", "他们", "她们", "大家", "它们", "那边"}
)
_ROOMS = {
    "项目": "project", "销售": "sales", "市场": "marketing", "设计": "design",
    "工程": "engineering", "研发": "engineering dev", "运营": "operations ops",
    "招聘": "hiring", "架构": "architecture", "发布": "release", "客服": "support",
    "财务": "finance", "法务": "legal", "产品": "product", "测试": "qa test",
    "全员": "general all", "综合": "general",
}  # fmt: skip
"""How rooms that have an English name are called in Chinese."""
_TAKE_BACK = re.compile(
    r"\btake (?:that|it|this|my (?:yes|word|ok|consent)) back\b|\btake back (?:that|my)\b"
    r"|\b(?:don'?t|do not) (?:tell|share|say|pass|post|mention)\b|\bchanged my mind\b"
    r"|收回|还是(?:先)?(?:别|不要)|(?:先别|不要|别)(?:说|告诉|转|发)了?|反悔|我改主意",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Word:
    """What a person said to a question."""

    granted: bool
    reach: str = "once"
    until: str = ""
    other_words: bool = False


def read(text: str, target: str, context: Context) -> Word | None:
    """A yes or no with its limits; None where it is neither."""
    granted = intents.consent(text, str(context.me.get("name") or ""))
    if granted is None:
        return None
    rest = _ONLY_THERE.search(text)
    named = (rest["en"] or rest["zh"]) if rest else ""
    if granted and named and not _ONCE.search(text) and _elsewhere(named, target):
        return Word(False, other_words=True)
    if _OTHER_WORDS.search(text) and _says_yes(text):
        return Word(False, other_words=True)
    if not granted:
        return Word(False)
    until = _end(text, context)
    if _ONCE.search(text):
        return Word(True, until=until)
    if _FACT.search(text):
        return Word(True, "fact", until)
    return Word(True, "room" if _ROOM.search(text) else "once", until)


def _says_yes(text: str) -> bool:
    """Whether it begins with a yes, whatever is taken from it then."""
    first = re.split(r"[,，.。;；!！]| but |但|不过", text, maxsplit=1)[0]
    return intents.consent(first, "") is True


def _elsewhere(named: str, target: str) -> bool:
    """Whether "only …" names anything else than the room that was asked about."""
    low, wanted = named.lower().lstrip("#@"), target.lower().lstrip("#@")
    if low in _THEM:
        return False
    core = re.sub(r"[这那]个|频道|群组?|组|房间|里", "", low) or low
    names = {core, *(_ROOMS[core].split() if core in _ROOMS else ())}
    return not any(name in wanted or wanted in name for name in names)


def _end(text: str, context: Context) -> str:
    if not _UNTIL.search(text):
        return ""
    days = (found.date_from(context.now) for found in moments.find(text))
    return next((day.isoformat() for day in days if day is not None), "")


def take(text: str, row: Row, zh: bool, context: Context) -> tuple[list[str], list[Call]] | None:
    """The words and calls that an answer to a question of consent comes to; None for no answer."""
    found = context.section("consents")
    if words := _recorded(found, context, zh):
        return [words], []
    waiting = [one for one in found if one.get("state") == "asked"]
    if waiting and _WHAT.search(text):
        return [
            wording.text("consent_ask", zh, target=one.get("target"), text=one.get("text"))
            for one in waiting
        ], []
    if text.rstrip().endswith(("?", "？")) or "answer_consent" not in context.tools:
        return None
    if not waiting:
        return _taken_back(text, row, zh, found, context)
    named = [one for one in waiting if str(one.get("target", "")).lower() in text.lower()]
    named = asking.meant(waiting, text, row, context) or named or waiting
    word = read(text, str(named[0].get("target", "")), context)
    if word is None:
        return None
    if len(named) > 1 and word.granted:
        targets = ", ".join(str(one.get("target")) for one in named)
        return [wording.text("consent_which", zh, targets=targets)], []
    return [], [_call(one, word, text) for one in named]


def _call(asked: Row, word: Word, text: str) -> Call:
    given: Row = {"consent": asked["id"], "granted": word.granted, "note": text}
    if word.granted and word.reach != "once":
        given["reach"] = word.reach
    if word.granted and word.until:
        given["until"] = word.until
    if word.other_words:
        given["other_words"] = True
    return "answer_consent", given


def _taken_back(
    text: str, row: Row, zh: bool, found: list[Row], context: Context
) -> tuple[list[str], list[Call]] | None:
    if not found or not _TAKE_BACK.search(text):
        return None
    given = [one for one in found if one.get("state") == "granted"]
    if not given:
        told = [one for one in found if one.get("state") == "told"]
        room = told[-1].get("target") if told else ""
        return ([wording.text("consent_told", zh, target=room)], []) if told else None
    named = [one for one in given if str(one.get("target", "")).lower() in text.lower()]
    chosen = asking.meant(given, text, row, context) or named or given[-1:]
    return [], [_call(one, Word(False), text) for one in chosen]


def _recorded(found: list[Row], context: Context, zh: bool) -> str:
    steps = context.called("answer_consent")
    if not steps:
        return ""
    given = steps[-1].arguments
    id = given.get("consent")
    target = next((one.get("target") for one in found if one.get("id") == id), "")
    if not given.get("granted"):
        key = "consent_other_words" if given.get("other_words") else "consent_no"
        return wording.text(key, zh, target=target)
    words = wording.text("consent_yes", zh, target=target)
    if given.get("reach") == "room":
        words += wording.text("consent_always", zh, id=id)
    if given.get("until"):
        words += wording.text("consent_until", zh, until=given["until"])
    return words
