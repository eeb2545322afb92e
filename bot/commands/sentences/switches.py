"""What is said about duties that are switched off."""

from collections.abc import Sequence

from bot.texts import Language

DUTIES: dict[str, dict[Language, str]] = {
    "relay": {"en": "telling one room what another said", "zh": "把别处的事告诉这里"},
    "waits": {"en": "asking about what is overdue", "zh": "追问过期没做的事"},
    "intentions": {"en": "telling you once something happens", "zh": "等某件事发生后告诉你"},
    "digest": {"en": "the daily digest", "zh": "每日摘要"},
    "reminders": {"en": "reminders", "zh": "提醒"},
    "approvals": {"en": "asking people for their leave", "zh": "征求别人同意"},
    "learning": {"en": "learning what is useful", "zh": "学习什么有用"},
}
TEXTS: dict[str, dict[Language, str]] = {
    "off": {"en": "Switched off here: {duties}.", "zh": "这里没有开启：{duties}。"},
}


def listed(off: Sequence[str], lang: Language) -> str:
    """The duties by what they do."""
    return ("、" if lang == "zh" else ", ").join(DUTIES[name][lang] for name in off)
