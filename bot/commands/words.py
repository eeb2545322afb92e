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
    CONSENTS = "consents"
    APPROVE = "approve"
    DECLINE = "decline"
    TAKE_BACK = "take back"
    UNWANTED = "unwanted"
    USEFUL = "useful"
    LESSONS = "lessons"
    UNLEARN = "unlearn"
    INBOX = "inbox"
    DIGEST = "digest"
    DIGEST_NOW = "digest now"
    REPORT = "report"
    ANSWERS = "only mentions"
    SPEAK = "speak up"
    PAUSE_ME = "pause me"
    RESUME_ME = "resume me"
    ZONE = "time zone"
    MY_QUIET = "my quiet hours"
    MY_QUOTA = "my limit"
    MUTE = "mute"
    MUTE_HERE = "mute here"
    UNMUTE = "unmute"
    MUTED = "muted"
    REMINDERS = "reminders"
    CANCEL_REMINDER = "cancel reminder"


WISHES = frozenset(
    {
        Word.ANSWERS,
        Word.SPEAK,
        Word.PAUSE_ME,
        Word.RESUME_ME,
        Word.ZONE,
        Word.MY_QUIET,
        Word.MY_QUOTA,
        Word.MUTE,
        Word.MUTE_HERE,
        Word.UNMUTE,
        Word.MUTED,
    }
)
"""What people want of it; said in many ways, see `bot.commands.worded`."""


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
    Word.REMINDERS: Phrases(("reminders", "my reminders"), ("提醒列表", "我的提醒")),
    Word.CANCEL_REMINDER: Phrases(("cancel reminder",), ("取消提醒",), ("unremind",)),
    Word.PAIR: Phrases(("pair", "approve"), ("批准", "配对")),
    Word.ALLOW: Phrases(("allow",), ("允许",)),
    Word.DENY: Phrases(("deny",), ("禁止",)),
    Word.BUDGET: Phrases(("budget",), ("预算",), ("costs", "费用")),
    Word.CONSENTS: Phrases(("consents", "my consents"), ("我的同意",), ("同意记录",)),
    Word.APPROVE: Phrases(("approve", "yes to"), ("同意", "批准")),
    Word.DECLINE: Phrases(("decline", "reject", "deny", "no to"), ("拒绝", "不同意")),
    Word.TAKE_BACK: Phrases(("take back", "withdraw"), ("收回", "撤回"), ("takeback",)),
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
    Word.INBOX: Phrases(
        ("inbox", "my inbox", "what waits for me", "what is waiting for me"),
        ("收件箱", "我的收件箱", "有什么在等我", "有什么等我处理"),
    ),
    Word.DIGEST: Phrases(
        ("digest", "my digest", "send me my digest", "send me a digest"),
        ("摘要", "每日摘要", "给我发摘要"),
    ),
    Word.DIGEST_NOW: Phrases(
        ("digest now", "give me my digest"), ("现在摘要", "马上摘要", "给我看摘要")
    ),
    Word.REPORT: Phrases(
        ("report", "daily report", "what did you do today"),
        ("日报", "今日日报", "你今天做了什么"),
    ),
    Word.ANSWERS: Phrases(
        ("only mentions", "mentions only", "only answers"), ("只回答", "只有@我才说"), ("silent",)
    ),
    Word.SPEAK: Phrases(("speak up",), ("可以说话了", "恢复发言"), ("speak",)),
    Word.PAUSE_ME: Phrases(("pause me",), ("别打扰我", "暂停打扰我"), ("pauseme",)),
    Word.RESUME_ME: Phrases(("resume me",), ("可以找我了", "恢复打扰我"), ("resumeme",)),
    Word.ZONE: Phrases(("my time zone", "time zone"), ("我的时区", "时区"), ("timezone", "zone")),
    Word.MY_QUIET: Phrases(("my quiet hours",), ("我的勿扰", "我的免打扰"), ("myquiet",)),
    Word.MY_QUOTA: Phrases(("my limit",), ("我的上限",), ("limit",)),
    Word.MUTE: Phrases(("mute",), ("屏蔽",)),
    Word.MUTE_HERE: Phrases(("mute here",), ("在这里屏蔽",), ("mutehere",)),
    Word.UNMUTE: Phrases(("unmute",), ("取消屏蔽",)),
    Word.MUTED: Phrases(("muted", "mutes", "what have i muted"), ("屏蔽列表", "我屏蔽了什么")),
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
EVERY_TIME = ("every time", "always", "每次都行", "以后都行")
"""Said behind the id of a question: the yes holds for every time."""
