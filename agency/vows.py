"""Whether words promise that the bot itself will do something later.

"I'll check again tomorrow" · "明天我再看看并告诉你" — and not "I'll check now",
"shall I remind you?", "tell me when, and I'll remind you", or what somebody else is quoted with.
"""

import re

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|‘[^’]*’|^>.*$|`[^`]*`", re.M)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")
_WILL = r"\b(?:i['’]?ll|i will|i['’]m going to|i am going to|i shall|let me|i['’]m gonna)"
_BETWEEN = (
    r"(?:\s+(?:also|then|just|certainly|definitely|make sure to|be sure to|gladly|happily|try to))*"
)
_BOUND = (
    r"remind (?:you|him|her|them|us|everyone|the|\w+ (?:on|at|tomorrow|about|to))|get back|"
    r"come back|report back|circle back|check back|check in|follow up|"
    r"keep you (?:posted|updated|informed)|"
    r"keep (?:an eye|track|watch|an ear)|let (?:you|everyone|them|him|her|the \w+) know|"
    r"notify|ping|alert|nudge|monitor|watch|stay on (?:it|top)|be back|update you"
)
"""What is done later by its very nature."""
_DEED = (
    r"check|look|try|send|tell|ask|post|share|summari[sz]e|do|have|prepare|review|see|update|write|"
    r"message|remember to|bring|take care|handle|start|run|give|return|be (?:there|here|in touch)"
)
_LATER = (
    r"\b(?:tomorrow|tonight|later|soon|again|afterwards|next (?:week|month|time|\w+day)|"
    r"(?:on|this|by) \w+day|in (?:a|an|\d+|one|two|three|half|a few) \w+|in the (?:morning|evening|"
    r"afternoon)|every (?:day|morning|week|\w+day|hour)|"
    r"when(?:ever)? (?:it|he|she|they|that|the|\w+)|once (?:it|he|she|they|that|the|\w+)|"
    r"as soon as|until|at \d|by (?:noon|tonight|\d)|then)\b"
)
_PROMISE = re.compile(rf"{_WILL}{_BETWEEN}\s+(?:{_BOUND})\b", re.I)
_PROMISE_LATER = re.compile(rf"{_WILL}{_BETWEEN}\s+(?:{_DEED})\b.*{_LATER}", re.I | re.S)
_LATER_PROMISE = re.compile(
    rf"{_LATER}.{{0,60}}{_WILL}{_BETWEEN}\s+(?:{_DEED}|{_BOUND})\b", re.I | re.S
)
_OPEN = re.compile(
    r"\bif you\b|\b(?:tell me|say|let me know) (?:when|what time|the time|which day)|"
    r"\bjust (?:ask|say)\b|\b(?:would|do) you (?:like|want)\b|\bshall i\b|"
    r"\bwhenever you (?:ask|like|want)\b|"
    r"\bi can(?:not|['’]t)\b|\bright (?:now|away)\b|\bat once\b|\bonly\b.{0,20}\bif\b|\bwon['’]t\b|"
    r"\b(?:unless|so that) you\b",
    re.I,
)
"""An offer, or something done at once."""
_ZH_LATER = (
    r"(?:明天|明早|明晚|后天|今晚|晚上|下午|下周|下个?月|(?:这|本|下)?(?:周|星期)[一二三四五六日天]|稍后|晚点|"
    r"晚些|待会儿?|等会儿?|一会儿?|过会儿?|回头|到时候?|之后|以后|过(?:几|一|两|[\d]+)\S{0,3}|\S{1,3}(?:小时|分钟|天)后|"
    r"每天|每周\S?|定期|随时|一有|第一时间|\d+[点号日])"
    r"(?:早上|早晨|上午|中午|下午|晚上|一早)?"
)
_ZH_BOUND = (
    r"(?:提醒(?:你|您|大家|他|她|各位|一下)|跟进|盯着|留意着?|关注着?|通知(?:你|您|大家|他|她)|回复你|汇报|"
    r"(?:再)?(?:来)?(?:告诉|告知)(?:你|您|大家)|更新给你|"
    r"(?:再)?(?:给|向)(?:你|您|大家)(?:回复|消息|汇报|答复|更新))"
)
_ZH_DEED = (
    r"(?:再)?(?:看看?|查看?|检查|确认|问问?|试试?|发|做|写|整理|总结|跑|处理|过来|联系|看一下|查一下|"
    r"问一下)"
)
_ZH_PROMISE = re.compile(
    rf"我(?:们)?(?:会|将会?|来|一定|保证|就|{_ZH_LATER}).{{0,12}}?{_ZH_BOUND}"
    rf"|{_ZH_LATER}[，,]?\s*我(?:们)?(?:会|将会?|来|再|就|去|一定)?.{{0,8}}?(?:{_ZH_DEED}|{_ZH_BOUND})"
    rf"|我(?:们)?(?:会|将会?|来|就)?{_ZH_LATER}(?:会|再|就|去|来)*{_ZH_DEED}"
)
_ZH_OPEN = re.compile(
    r"要不要|需要我|要我|如果你?|要是|只要|你(?:说|告诉我|定|给)(?:个|一个)?(?:时间|什么时候|几点|一声)|我不会|"
    r"不能|没法|现在就|马上|这就|可以让我|我可以|没办法|才会|我(?:就)?不"
)


def vow(text: str) -> str:
    """The first sentence that promises something for later; empty when there is none."""
    said = _QUOTED.sub(" ", text)
    for found in _SENTENCE.finditer(said):
        sentence = found.group().strip()
        if _promises(sentence):
            return sentence
    return ""


def _promises(sentence: str) -> bool:
    if sentence.endswith(("?", "？")):
        return False
    english = any(one.search(sentence) for one in (_PROMISE, _PROMISE_LATER, _LATER_PROMISE))
    if english and not _OPEN.search(sentence):
        return True
    return bool(_ZH_PROMISE.search(sentence)) and not _ZH_OPEN.search(sentence)
