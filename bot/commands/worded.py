"""Wishes in plain words, whose subject stands in the midst of them.

stop telling me about the newsletter · 别再跟我说周报的事 · my time zone is Europe/Berlin
"""

import re
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bot.commands import times
from bot.commands.words import OFF, Word
from bot.texts import Language

_MARKS = " \t,.!?:;，。！？：；、“”\"'「」"
_MOST = 100  # signs of a subject


class Wish(NamedTuple):
    """An order, and what stands where it takes something."""

    word: Word
    argument: str
    lang: Language


def _en(word: Word, pattern: str) -> tuple[Word, Language, re.Pattern[str]]:
    return word, "en", re.compile(rf"(?:please )?(?:{pattern})(?:,? please)?", re.I)


def _zh(word: Word, pattern: str) -> tuple[Word, Language, re.Pattern[str]]:
    return word, "zh", re.compile(rf"请?(?:{pattern})[了吧]?", re.I)


_X = r"(?P<x>.+?)"
_UNTIL = r"(?:\s+(?P<x>(?:for|until|till)\s+.+|\d.*))?"
_NOT = r"(?:do not|don['’]?t)"
_AGAIN = r"(?: any ?more| again)?"
_NO = "(?:别|不要|不用)"
_SAY = "(?:说|提|讲)起?(?:关于)?"
_MATTER = "(?:的事情?|的消息|的东西)?"
_TO_ME = "(?:跟我们?|和我们?|在这里)?"
_PATTERNS = (
    _en(Word.MUTED, r"what (?:have|did) (?:i|we) muted?(?: here)?|what is muted(?: here)?"),
    _zh(Word.MUTED, r"我?们?都?屏蔽了(?:什么|哪些)|有哪些屏蔽"),
    _en(
        Word.SPEAK,
        r"(?:you (?:can|may) )?speak up(?: here)? again|"
        r"you (?:can|may) (?:speak|talk)(?: here)? again",
    ),
    _zh(Word.SPEAK, r"你?又?可以(?:主动)?(?:说话|发言|开口)|恢复(?:主动)?(?:说话|发言)"),
    _en(
        Word.UNMUTE,
        rf"(?:you (?:can|may) )?(?:tell (?:me|us) about|mention) {_X} again(?: here)?",
    ),
    _zh(Word.UNMUTE, rf"你?又?可以(?:再|继续)?{_TO_ME}{_SAY}{_X}"),
    _zh(Word.UNMUTE, rf"(?:恢复|继续){_TO_ME}{_SAY}{_X}"),
    _en(
        Word.MUTE,
        r"(?:stop|quit) (?:telling|bothering|bugging|pinging) (?:me|us) (?:about|with) "
        rf"{_X}{_AGAIN}",
    ),
    _en(
        Word.MUTE,
        rf"{_NOT} (?:tell|bother|bug|ping) (?:me|us) (?:about|with) {_X}{_AGAIN}",
    ),
    _en(
        Word.MUTE_HERE,
        rf"(?:{_NOT}|stop|no) mention(?:ing)? {_X}{_AGAIN} (?:in )?here{_AGAIN}",
    ),
    _en(Word.MUTE, rf"no more about {_X}"),
    _zh(
        Word.MUTE_HERE,
        rf"{_NO}再?在(?:这里|这儿|这个群|群里|本群)再?{_SAY}{_X}{_MATTER}",
    ),
    _zh(Word.MUTE, rf"{_NO}再?[跟和给对向]我们?再?(?:发|{_SAY}){_X}{_MATTER}"),
    _zh(Word.MUTE, rf"{_NO}再{_SAY}{_X}{_MATTER}"),
    _zh(Word.MUTE, rf"{_NO}再?(?:告诉|通知)我们?(?:关于)?{_X}{_MATTER}"),
    _en(Word.ANSWERS, rf"(?:be|keep|stay) quiet(?: in)?(?: here)?{_UNTIL}"),
    _en(
        Word.ANSWERS,
        r"only (?:speak|talk|answer|reply) when (?:(?:i|we|you) )?(?:are |am )?"
        rf"(?:mention(?:ed)?|ask(?:ed)?|address(?:ed)?)(?: you)?(?: here)?{_UNTIL}",
    ),
    _zh(
        Word.ANSWERS,
        r"(?:在?这里)?(?:安静|闭嘴|别说话|不要说话|别插嘴|不要插嘴)(?:一?点儿?|些|一下)?"
        r"(?P<x>.*?)",
    ),
    _zh(
        Word.ANSWERS,
        r"(?:只有|只在|只)被?(?:[@＠]|艾特|提到|点名|叫)(?:我|到?你|到)?的?(?:时候?)?"
        r"你?[才再]?(?:说话|说|回答|回复|开口)",
    ),
    _en(
        Word.RESUME_ME,
        r"(?:you (?:can|may) )?(?:write|talk|speak) to me again|unpause me",
    ),
    _zh(Word.RESUME_ME, r"你?又?可以(?:主动)?(?:找我|打扰我|联系我)"),
    _en(Word.PAUSE_ME, rf"{_NOT} (?:disturb|bother) me{_UNTIL}"),
    _zh(Word.PAUSE_ME, r"(?P<x>.*?)[，,]?先?(?:别|不要)再?来?打扰我"),
    _en(Word.ZONE, rf"(?:my )?time ?zone(?: is| to|:)? {_X}"),
    _zh(Word.ZONE, rf"(?:我的)?时区(?:是|为|改成|改为|设为|：|:)?\s*{_X}"),
    _en(Word.MY_QUIET, rf"my quiet hours(?: are| to|:)? {_X}"),
    _zh(Word.MY_QUIET, rf"我的?(?:勿扰|免打扰)(?:时段|时间)?(?:是|为|改成|设为|：|:)?\s*{_X}"),
    _en(
        Word.MY_QUOTA,
        r"(?:tell|write) me (?:things? )?at most (?P<x>\d+)(?: times| messages)?(?: a| per)? ?day",
    ),
    _zh(
        Word.MY_QUOTA,
        r"(?:每天|一天)(?:最多|至多)(?:给我)?(?:说|发|打扰我)?(?P<x>\d+)(?:次|条)",
    ),
)
_TIMED = re.compile(r"(?P<what>.+?)\s+(?P<until>(?:until|till|for)\s+\S.*)", re.I)


def read(said: str) -> Wish | None:
    """The wish that a message is; None for a message."""
    for word, lang, pattern in _PATTERNS:
        found = pattern.fullmatch(said)
        if found is None:
            continue
        argument = (found.groupdict().get("x") or "").strip(_MARKS)
        if argument.endswith(("之前", "以前")) and not argument.startswith(("到", "在")):
            argument = f"到{argument}"
        if takes(word, argument):
            return Wish(word, argument, lang)
    return None


def takes(word: Word, argument: str) -> bool:
    """Whether a wish may have these words in it."""
    said = argument.casefold()
    match word:
        case Word.MUTE | Word.MUTE_HERE | Word.UNMUTE:
            return 0 < len(said) <= _MOST
        case Word.ANSWERS | Word.PAUSE_ME:
            return not said or times.names_end(said)
        case Word.ZONE:
            return said in OFF or zone(argument) is not None
        case Word.MY_QUIET:
            return said in OFF or times.hours(said) is not None
        case Word.MY_QUOTA:
            return said in OFF or (said.isdecimal() and len(said) <= 3)
        case _:
            return not said


def zone(text: str) -> str | None:
    """The IANA name of a zone, however its letters are written; None where there is none."""
    name = text.strip(_MARKS).replace(" ", "_")
    for written in (name, "/".join(_capital(part) for part in name.split("/")), name.upper()):
        try:
            return ZoneInfo(written).key
        except (KeyError, ValueError, OSError):  # missing, no valid key, or a folder of zones
            continue
    return None


def timed(argument: str) -> tuple[str, str]:
    """The subject of a mute, and until when; the second is empty where no time is named."""
    found = _TIMED.fullmatch(argument)
    if found and times.names_end(found["until"]):
        return found["what"].strip(_MARKS), found["until"]
    return argument.strip(_MARKS), ""


def _capital(part: str) -> str:
    return "_".join(word.capitalize() for word in part.split("_"))
