"""What the gates say, in Chinese: their reasons are kept in English, and shown in either."""

import re

from bot.texts import Language

_LATE = "; its time passes first"
_ZH = {
    # the decision
    "every gate passed": "全部通过",
    "somebody is asked first": "先征得同意",
    "speaking up is switched off": "主动发言已关闭",
    "graded as nothing to interrupt for": "不值得打扰",
    "minor news is not told at once here": "次要消息不立即告知",
    "lowered: what it rests on is idle talk": "降级：依据只是闲聊",
    "the same was told before": "同样的事说过了",
    "they said that they know": "他们说已经知道",
    "that was mentioned often enough": "提醒的次数够多了",
    "that was mentioned a short while ago": "不久前刚提过",
    "nobody there wants to hear of that": "那里不想听这件事",
    "this chat asked for a pause": "这个聊天要求暂停",
    "they asked for a pause": "相关的人要求暂停",
    "this chat wants answers only": "这个聊天只要回答",
    "not sure enough to interrupt": "不够确定，不打扰",
    "somebody called such news not useful": "有人说过这类消息没用",
    "they let such news pass lately": "他们最近没理会这类消息",
    "this chat had its messages for today": "这个聊天今天的条数用完了",
    "whom it concerns had their messages for today": "相关的人今天的条数用完了",
    "this chat was told something a moment ago": "刚刚才在这个聊天里说过话",
    "quiet hours": "勿扰时段",
    "whom it concerns are asleep": "相关的人都在休息",
    "somebody is talking with the bot there": "那里有人正在和机器人说话",
    # a fresh proposal
    "only a live agency run hands off": "只有进行中的后台运行才能转交",
    "it came of handoffs alone; that would go round": "只由转交引起，会绕圈",
    "the same was handed over before": "同样的事转交过了",
    "all of it was handed over before": "全部内容都转交过了",
    "those it is for were told the same elsewhere": "相关的人已在别处得知",
    # what waited
    "something newer was handed over on its subject": "同一件事有更新的转交",
    "it was said there meanwhile": "期间那里已经有人说了",
    "it was settled meanwhile": "期间已经解决",
    "a later message changed it": "之后的消息改变了它",
    "its chat asked for silence while it was read": "措辞期间聊天要求安静",
    "it may have been said since the backup, and is not said again": (
        "备份之后可能已经说过，不再重复"
    ),
    # who may hear it
    "nobody hears that session": "没有人在那个会话里",
    "it names no known originals": "没有给出已知的原文",
    "a message it rests on was recalled": "依据的消息已撤回",
    "a message it rests on was edited since": "依据的消息被修改过",
    "its people could not have heard that": "那里的人不可能听到这些",
    "it was said in confidence": "这是私下托付的话",
    "its author does not want it told there": "作者不想让那里知道",
    "nobody can be asked about it": "没有人可以征求同意",
    "who is asked may not know all that it rests on": "被征求的人不能知道全部依据",
    "who is asked has enough questions to answer already": "被征求的人还有好几个问题没回答",
    "who is asked may not know of that room": "被征求的人不能知道那个房间",
    "it repeats something said in private": "重复了私下说的话",
}
_PATTERNS = (
    (re.compile(r"(?P<x>.*)said in a DM; (?P<who>.+) is asked first"), "私聊里说的，先问 {who}"),
    (re.compile(r"that chat's attention is '(?P<x>\w+)'"), "那个聊天的关注方式是 {x}"),
    (re.compile(r"h(?P<x>\d+) is newer"), "h{x} 更新"),
)


def told(reason: str, lang: Language) -> str:
    """A reason as people of a language read it; one that is not known stays as it is."""
    if lang != "zh" or not reason:
        return reason
    if reason.endswith(_LATE):
        return f"{told(reason.removesuffix(_LATE), lang)}，等到那时已过期"
    if reason in _ZH:
        return _ZH[reason]
    for pattern, text in _PATTERNS:
        if found := pattern.fullmatch(reason):
            return text.format(**found.groupdict())
    return reason
