"""The words of every command, in English and Chinese."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Word(StrEnum):
    """What is ordered."""

    HELP = "help"
    WHO = "who"
    STATUS = "status"
    WHY = "why"
    STOP = "stop"
    PAUSE = "pause"
    RESUME = "resume"
    QUIET = "quiet"
    FORGET = "forget"
    APPROVALS = "approvals"
    LINK = "link"
    PAIR = "pair"
    ALLOW = "allow"
    DENY = "deny"
    BUDGET = "budget"
    UNWANTED = "unwanted"
    USEFUL = "useful"
    LESSONS = "lessons"
    UNLEARN = "unlearn"
    INBOX = "inbox"
    DIGEST = "digest"
    DIGEST_NOW = "digest now"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class Phrases:
    """How one command is said; the first of each language is the one that help shows."""

    en: tuple[str, ...]
    zh: tuple[str, ...]
    slash: tuple[str, ...] = ()
    """More names after a slash, beside the phrases without spaces."""

    def of(self, lang: Literal["en", "zh"]) -> tuple[str, ...]:
        """Those of one language."""
        return self.zh if lang == "zh" else self.en


PHRASES: dict[Word, Phrases] = {
    Word.HELP: Phrases(("help",), ("帮助",), ("start", "h", "commands", "命令")),
    Word.WHO: Phrases(("who are you",), ("你是谁",), ("who", "about", "whoami", "关于")),
    Word.STATUS: Phrases(("status",), ("状态",)),
    Word.WHY: Phrases(("why",), ("为什么", "为啥")),
    Word.STOP: Phrases(("stop",), ("停", "停下", "停止"), ("cancel",)),
    Word.PAUSE: Phrases(("pause",), ("暂停",)),
    Word.RESUME: Phrases(("resume", "continue"), ("继续", "恢复"), ("unpause",)),
    Word.QUIET: Phrases(("quiet", "quiet hours"), ("勿扰", "免打扰")),
    Word.FORGET: Phrases(("forget",), ("忘掉", "忘记")),
    Word.APPROVALS: Phrases(("approvals",), ("待确认",)),
    Word.LINK: Phrases(("link",), ("绑定",)),
    Word.PAIR: Phrases(("pair", "approve"), ("批准", "配对")),
    Word.ALLOW: Phrases(("allow",), ("允许",)),
    Word.DENY: Phrases(("deny",), ("禁止",)),
    Word.BUDGET: Phrases(("budget",), ("预算",), ("costs", "费用")),
    Word.UNWANTED: Phrases(
        ("not useful", "not helpful", "useless", "i don't need this", "i do not need this"),
        ("没用", "没有用", "不需要", "用不着", "不用告诉我这个"),
        ("unwanted",),
    ),
    Word.USEFUL: Phrases(("useful", "helpful", "very useful"), ("有用", "很有用", "有帮助")),
    Word.LESSONS: Phrases(
        ("lessons", "what have you learnt", "what have you learned"),
        ("学到了什么", "你学到了什么"),
    ),
    Word.UNLEARN: Phrases(("unlearn",), ("取消",)),
    Word.INBOX: Phrases(("inbox", "my inbox"), ("收件箱", "我的收件箱")),
    Word.DIGEST: Phrases(("digest", "my digest"), ("摘要", "每日摘要")),
    Word.DIGEST_NOW: Phrases(("digest now",), ("现在摘要", "马上摘要")),
    Word.REPORT: Phrases(("report", "daily report"), ("日报", "今日日报")),
}
EVERYWHERE = ("everywhere", "all", "所有群", "全部", "到处")
"""Said after pause or resume: the whole bot."""
THAT = ("that", "this", "it", "这条", "这个", "那条", "刚才那条")
"""Said after forget: one message."""
ALL = ("everything i said here", "everything", "我在这里说的一切", "我在这里说的所有话", "一切")
"""Said after forget: every message of the asker in this chat."""
CONFIRM = {"en": "confirm", "zh": "确认"}
"""Said behind that, so that nobody loses everything by a slip."""
OFF = ("off", "none", "关", "关闭", "取消")
"""Said after quiet: no quiet hours."""
