"""What a person wants from the bot, read from one addressed message."""

import re
from enum import StrEnum


class Intent(StrEnum):
    """What is wanted."""

    GREETING = "greeting"
    HELP = "help"
    WHO = "who are you"
    THANKS = "thanks"
    RECAP = "recap"
    WHY = "why did you tell us"
    QUIET = "be quiet"
    RESUME = "speak again"
    LISTEN = "only listen"
    FOLLOW = "answer everything"
    LEAVE = "neither listen nor answer"
    REMIND = "remind me"
    MINE = "what did I promise"
    QUESTION = "question"
    NOTE = "something to remember"


def _p(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.I)


_PATTERNS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (Intent.WHY, _p(
        r"\bwhy (?:did|do|are|were|have) you (?:\w+ )?(?:tell|say|post|write|send|mention|bring|"
        r"nudg|ping|remind|ask|telling|saying|posting)",
        r"\bwhy (?:are|were) (?:we|i) (?:told|hearing|being told)\b|\bwhere (?:did|"
        r"do) you (?:get|have|know) (?:that|this|it)\b",
        r"\bhow do you know\b|\bwhy (?:that|this) message\b|\bwhat made you\b",
        r"为什么(?:要|会)?(?:告诉|跟|对|提醒|说|发|通知)|为啥(?:告诉|跟|说|提醒|发)|你怎么知道|"
        r"从哪(?:里|儿)?(?:知道|听|得到)|凭什么说",
    )),
    (Intent.RECAP, _p(
        r"\b(?:what did (?:i|we) miss|catch me up|recap|summar(?:y|ise|ize)|what(?:'s| is|"
        r" has)? (?:new|happened|going on)|tl;?dr|bring me up to)\b",
        r"总结|概括|错过了?什么|回顾|最近(?:有)?(?:什么|发生)|有什么(?:新|进展)|梳理|发生了什么",
    )),
    (Intent.LISTEN, _p(
        r"\b(?:listen only|only listen|just listen|don'?t (?:answer|reply|respond)(?: here)?|"
        r"stop (?:answering|replying|responding)|listen (?:here )?but don'?t)\b",
        r"只(?:要|需)?(?:旁)?听|旁听就|(?:别|不要|不用)(?:再)?(?:回答|回复|回话|插话)",
    )),
    (Intent.LEAVE, _p(
        r"\b(?:ignore this (?:room|chat|channel|group)|stop listening|don'?t listen|leave us alone|"
        r"leave this (?:room|chat|channel|group) alone)\b",
        r"(?:别|不要|不用)(?:再)?(?:听|管)(?:这里|这个群|我们|了)|这里不用管",
    )),
    (Intent.FOLLOW, _p(
        r"\b(?:answer|react to|respond to|look at|follow|read) (?:everything|every message|"
        r"all messages)\b",
        r"每(?:条|句)(?:话|消息)?都(?:看|回|答|听)|所有消息都(?:看|回|答)",
    )),
    (Intent.REMIND, _p(
        r"^\W*(?:please )?(?:can you |could you )?remind me (?!what|who|when|where|of|why|how)",
        r"(?:请|麻烦)?提醒我(?!什么|谁|一下是)|到时候?提醒",
    )),
    (Intent.MINE, _p(
        r"\bwhat (?:did|have|do|must|should) i (?:still )?(?:promis|commit|owe|have to do|"
        r"need to do|agree to do)",
        r"\bmy (?:promises|commitments|open (?:tasks|items|points)|to-?dos?)\b",
        r"我(?:答应|承诺|欠)(?:过|了)?(?:什么|哪些|谁)|我(?:还)?(?:要|该|得)(?:做|干)(?:什么|啥|"
        r"哪些)|我的(?:待办|承诺|任务)",
    )),
    (Intent.QUIET, _p(
        r"\b(?:be quiet|stay quiet|shut up|mute|stop (?:posting|talking|telling|nudging|"
        r"interrupting)|no more (?:nudges|messages)|quiet please)\b",
        r"安静|闭嘴|别说话|不要(?:再)?(?:说话|打扰|发|提醒)|别(?:再)?(?:打扰|发|提醒)",
    )),
    (Intent.RESUME, _p(
        r"\b(?:you (?:can|may) (?:speak|talk|post) again|unmute|resume|speak up again|"
        r"start (?:posting|talking) again)\b",
        r"可以(?:再)?(?:说话|发言|提醒)了|恢复(?:说话|发言|提醒)|取消静音",
    )),
    (Intent.WHO, _p(
        r"\bwho are you\b|\bwhat are you\b|\bare you (?:a |an )?(?:bot|human|ai|model|real|gpt|"
        r"claude|robot)\b|\b(?:which|what) (?:model|ai|llm)\b|\bintroduce yourself\b",
        r"你是谁|你是什么|你是(?:机器人|人|AI)|什么模型|哪个模型|介绍一下你自己|自我介绍",
    )),
    (Intent.HELP, _p(
        r"^\W*help\b|\bwhat can you do\b|\bhow (?:do i|can i|to) use you\b|\bhow do you work\b|"
        r"\bcommands?\b\?*$",
        r"帮助|你能做什么|你会什么|怎么用你|能干(?:什么|嘛|啥)|使用说明",
    )),
    (Intent.THANKS, _p(
        r"^\W*(?:thanks|thank you|thx|ty|cheers|great,? thanks|ok,? thanks|perfect|got it|"
        r"nice one|good bot)\b[^?]*$",
        r"^\W*(?:谢谢|多谢|感谢|谢啦|辛苦了|好的,?谢谢|收到|知道了|明白了)[^?？]*$",
    )),
    (Intent.GREETING, _p(
        r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|morning|howdy)\b[\s\w,]{0,16}\W*$",
        r"^\W*(?:你好|您好|嗨|早|早上好|大家好|下午好|晚上好|在吗|在么)\W*$",
    )),
    (Intent.QUESTION, _p(
        r"[?？]\s*$",
        r"^\W*(?:who|what|when|where|which|whose|how|why|is|are|was|were|did|do|does|has|have|"
        r"can|could|will)\b",
        r"\b(?:tell me|do you know|show me|remind me (?:what|who|when|where|of)|look up|find)\b",
        r"吗\s*$|呢\s*$|谁|什么|哪|几号|何时|多少|怎么|告诉我|有没有|是不是|是否|查一下|找一下",
    )),
)  # fmt: skip
_YES = _p(
    r"^\W*(?:yes|yep|yeah|yup|sure|ok|okay|of course|go ahead|please do|do it|fine|absolutely|"
    r"you may|you can|tell (?:them|him|her)|feel free|no problem|by all means)\b",
    r"^\W*(?:可以|好的?|行|没问题|同意|当然|告诉(?:他们|大家)|说吧|嗯|没关系|去说|能|ok)",
)
_NO = _p(
    r"^\W*(?:no|nope|nah|don'?t|do not|please don'?t|rather not|better not|not (?:yet|now)|never|"
    r"keep)\b|\bkeep (?:it|this|that) (?:between|private|to yourself|here)\b|\b(?:don'?t|"
    r"do not) (?:tell|share|say|pass)\b",
    r"^\W*(?:不|别|先别|算了|请勿|暂时不|还是别)|不要(?:说|告诉)|别(?:说|告诉)|保密",
)


def read(text: str, name: str) -> Intent:
    """The intent of an addressed message; the bot's own name is left out."""
    plain = spoken_to(text, name)
    return next((intent for intent, p in _PATTERNS if p.search(plain)), Intent.NOTE)


def consent(text: str, name: str) -> bool | None:
    """Yes or no to a question of consent; None where it is neither."""
    plain = spoken_to(text, name)
    if _NO.search(plain):
        return False
    return True if _YES.search(plain) else None


def spoken_to(text: str, name: str) -> str:
    """The message without the address."""
    return re.sub(
        rf"@?{re.escape(name or 'Limen')}\b\s*[,:，：]?|<@\w+>", "", text, flags=re.I
    ).strip()
