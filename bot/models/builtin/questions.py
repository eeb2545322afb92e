"""What is asked or awaited, and whether a remark answers it."""

import re

from agency import rarity, subjects
from agency.salience import Kind
from bot.models.builtin import ties
from bot.models.builtin.plain_words import NO_QUESTION
from bot.models.builtin.world import Remark, World

PERSON_OR_DATE = re.compile(
    r"\b(?:who|when|whose|what time|which day)\b(?! knows)|谁(?!知道|清楚|有空)|什么时候|啥时候|"
    r"什么时间|"
    r"何时|几时|几号|几点|哪天",
    re.I,
)
WHEN = re.compile(
    r"\b(?:when|what time|which day|what date|deadline)\b|什么时候|啥时候|什么时间|何时|几时|"
    r"几号|几点|哪天|截止",
    re.I,
)


_THERE = re.compile(
    r"\b(?:is|are) there\b|\b(?:do|does) (?:we|anyone|anybody) have\b|有没有|"
    r"([用需可])不\1|需不需要|可不可以|"
    r"有.*吗",
    re.I,
)
_SOMEBODY = re.compile(
    r"\b(?:does|do|did|has|have|had|can|could|is|are) (?:any|some)(?:one|body)\b|\bwho (?:has|"
    r"have|knows|got)\b"
    r"|谁(?:有|知道|见|拿|看)|有人|有谁|哪位",
    re.I,
)
"""Asked of everybody: whoever has it may say so."""
_PLACE = re.compile(r"\b(?:in|at|on|under|behind|inside|next to|near)\b|在|放", re.I)
YES_NO = re.compile(
    r"^(?:is|are|was|were|did|do|does|has|have|can|will)\b(?! (?:anyone|anybody|someone))|吗|"
    r"是否|有没有(?!人)",
    re.I,
)


def asked_terms(asked: Remark) -> dict[str, float]:
    """The words of the question itself, or of the whole message where it has none."""
    parts = [s.text for s in asked.signals if s.kind is Kind.QUESTION]
    words = subjects.terms(" ".join(parts), [asked.who])
    own = {t: w for t, w in words.items() if t in asked.terms}
    return own if sum(own.values()) >= 1.5 else asked.terms


def informs(question: str, wanted: dict[str, float], said: Remark) -> bool:
    """Whether a remark is the sort of thing the question asks for."""
    low = question.lower()
    news = {t for t, w in said.terms.items() if w >= 1.2 and t not in wanted}
    if WHEN.search(low):
        return bool(said.times)
    if re.search(r"\d\S* (?:or|oder) \S*\d|\d\S*还是\S*\d", low):
        return len(set(re.findall(r"\d+", low)) & set(re.findall(r"\d+", said.text))) == 1
    if re.search(r"\bhow (?:many|much)\b|多少", low):
        return bool(re.search(r"\d", said.text))
    if re.search(r"\bwho\b(?! knows| has| have)|谁(?!知道|清楚|有|了解)", low):
        return said.has(Kind.OWNER, Kind.ASSIGNED)
    place = re.search(r"\bwhere\b|哪里|哪儿|在哪", low)
    told = re.search(r"\d", said.text) or any(t not in wanted for t in said.terms)
    if place and told and _PLACE.search(said.text) and not said.has(Kind.QUESTION):
        return True
    if re.search(r"\b(?:which|where|what)\b|哪|什么", low):
        return bool(news) or "http" in said.text or (bool(said.times) and "time" in low)
    if _SOMEBODY.search(low) and news:
        return True
    if _THERE.search(low) and subjects.link(wanted, said.terms).cover >= 0.7:
        return True
    if YES_NO.search(low):
        return said.has(Kind.DONE, Kind.RESOLUTION, Kind.DECISION, Kind.CHANGE)
    return bool(news) or said.has(Kind.DONE, Kind.DECISION)


def asks(remark: Remark) -> bool:
    if remark.room.direct or remark.has(Kind.ASSIGNED) or NO_QUESTION.search(remark.text):
        return False
    return remark.has(Kind.QUESTION)


def sure(asked: Remark, said: Remark) -> bool:
    """One everyday word in common is enough only where a name or a date is asked for."""
    tie = subjects.link(asked_terms(asked), said.terms)
    return tie.count >= 2 or tie.strong or bool(PERSON_OR_DATE.search(asked.text))


def replied(asked: Remark, said: Remark, world: World) -> bool:
    """Whether the room answered its question itself."""
    if ties.settled(asked, world):
        return True
    later = [r for r in world.within(asked.room) if r.at >= asked.at and r.id != asked.id]
    news = {t: w for t, w in said.terms.items() if t not in asked.terms and w >= 1.5}
    if news and any(max(news, key=lambda t: news[t]) in r.terms for r in later):
        return True
    for number, remark in enumerate(later):
        if remark.who == asked.who or remark.me or remark.has(Kind.QUESTION):
            continue
        if _NO_IDEA.search(remark.text):
            continue
        counted = re.search(r"几|多少|什么时候|何时", asked.text)
        if number == 0 and counted and _COUNT_ONLY.match(remark.text):
            return True
        if number < 3 and _DIRECT.search(remark.text):
            return True
        near = subjects.link(asked_terms(asked), remark.terms).near
        direct = number < 3 and bool(_SHORT_REPLY.match(remark.text))
        if (near or direct) and informs(asked.text, asked.terms, remark):
            return True
    return False


_NO_IDEA = re.compile(
    r"\b(?:no (?:idea|clue)|not (?:me|sure)|(?:don['’]t|do not|dunno|wouldn['’]t) (?:know|"
    r"remember)|me neither|"
    r"same (?:question|here)|wondering (?:too|the same)|good question|beats me|ask (?:around|"
    r"\w+))\b"
    r"|不知道|不清楚|不晓得|没见|没看到|没印象|同问|我也(?:在找|想知道|没)|问问|不太确定|好问题",
    re.I,
)
"""What somebody says who does not know either."""
_COUNT_ONLY = re.compile(
    r"^\W*[^，。；]{0,4}[\d一二两三四五六七八九十百千]+[^，。；]{0,4}(?:[，。；]|$)"
)
"""A number, and little else."""
_DIRECT = re.compile(
    r"(?:私发|发|给|传|私信|告诉|推)你|^\W*(?:你)?[问找看][^，。；吗]{1,8}(?:[，。]|$)"
)
"""Said to whoever asked."""
_SHORT_REPLY = re.compile(
    r"^\s*(?:it'?s|it is|that'?s|that is|they'?re|they are|in|on|at|under|see|check|try|here|"
    r"i think|should be|"
    r"probably|yes|no|yep|nope|look)\b|^\s*(?:在|是|见|看|应该|就|用|找|对|不是|有|没有)",
    re.I,
)


def holds_open(remark: Remark) -> bool:
    """A question that keeps a matter open for others too: who approves, who may."""
    return bool(re.search(
        r"\bwho (?:approves?|owns?|signs?|grants?|decides?|is (?:responsible|the owner))|"
        r"permission|"
        r"谁(?:来)?(?:批|审批|负责|管|拍板|批准|授权)|权限", remark.text, re.I
    ))  # fmt: skip


def closed(remark: Remark, world: World) -> bool:
    """Whether an open risk or question was dealt with since."""
    if remark.has(Kind.QUESTION) and not remark.has(Kind.RISK) and ties.settled(remark, world):
        return True
    return ties.over(remark, world)


_AWAITED = re.compile(
    r"(?:wait(?:ing|s)?\s+(?:for|on|until)|(?:blocked|stuck)\s+(?:on|until|by)|until|"
    r"depend\w*\s+on|till|no|"
    r"pending|without|before|once|when|as soon as|as long as|h[ai]ng(?:s|es) on|"
    r"needs?)\s+(.*?)(?:\bbefore\b|\bso\b|"
    r"\bto (?:start|"
    r"begin)\b|[,.;]|$)"
    r"|(?:在等|等待|等着|等|依赖|卡在|没有)\s*(.*?)(?:[，。；]|之后|后再|再|才|就|没法|$)"
    r"|(?:^|[,.;]\s*)([^,.;]*?)\s+(?:is |are )?(?:still missing|still not|hasn't|haven't|not here)"
    r"|(?:^|[，。；])([^，。；]{2,16}?)一(?:批|到|来|好|下|拿|通)"
    r"|(?:^|[，。；])([^，。；]{2,16}?)还(?:压|卡|扣|堵|躺|停|搁|锁|埋)[在着]"
    r"|(?:^|[，。；])([^，。；]{2,16}?)(?:[用卖发][完光]了|没有?了|坏了|"
    r"[^，。；]{0,4}前[^，。；]*先|"
    r"没货|断货|还没|一直没|不到|没到|不来|"
    r"没来|没给|没批|不批)",
    re.I,
)


def chosen(question: str, said: str) -> bool:
    """Whether just one of the two things of an "or" question is named."""
    return sum(_names(option, said) for option in options(question)) == 1


def _names(option: str, said: str) -> bool:
    if not option.isascii():
        return bool(re.search(rf"{re.escape(option)}(?![^，。；]{{0,2}}[不没别])", said))
    flags = 0 if len(option) == 1 else re.I
    return bool(re.search(rf"(?<![A-Za-z0-9]){re.escape(option)}(?![A-Za-z0-9])", said, flags))


def options(question: str) -> set[str]:
    """The two things of an "or" question, each by its nearest word."""
    match = re.search(
        r"([\w%]+)\W+or (?:the |a |an |with |in |on |at |is it )?([\w%]+)"
        r"|([A-Za-z0-9]+) ?还是 ?([A-Za-z0-9]+)",
        question,
        re.I,
    )
    if match:
        return {word for word in match.groups() if word}
    left, found, right = question.partition("还是")
    verb = next((s for s in right[:1] if s in left and s in _CHOOSING), "")
    if verb and found:  # "report it to A or report it to B"
        pair_of = (left.rsplit(verb, 1)[-1], re.split(r"[，。？?\s]", right[1:])[0])
        named = {w.rstrip("里边那儿吗呢啊") or w for w in pair_of if w}
        return named if len(named) == 2 else set()
    before, after = ([w for w in rarity.words(part) if len(w) > 1] for part in (left, right))
    return {before[-1], after[0]} if found and before and after else set()


_SOMEBODY_DOES = re.compile(r"(?<=\w)\s+(?:we|i|they|he|she)\s", re.I)
"""Where what is waited for ends, and what is done then begins."""


_CHOOSING = frozenset("报去到用走找选做放交归给买坐上从按穿吃住订请发送在是开")


def awaited_spans(wait: Remark) -> list[str]:
    """What a wait is for, as written; nothing where the sentence does not tell it apart."""
    named = (next((g for g in m.groups() if g), "") for m in _AWAITED.finditer(wait.text))
    named = (_SOMEBODY_DOES.split(n)[0] for n in named)
    return [n for n in named if subjects.terms(n, [wait.who]).keys() & wait.terms.keys()]


def awaited(wait: Remark) -> dict[str, float]:
    spans = awaited_spans(wait)
    words = subjects.terms(spans[0], [wait.who]) if spans else {}
    return {t: w for t, w in words.items() if t in wait.terms} or wait.terms


def waits_for(asked: Remark, said: Remark, world: World) -> bool:
    """Whether a room waits for, or asks about, just what was promised."""
    waiting = asked.has(Kind.WAIT)
    wanted = awaited(asked) if waiting else asked_terms(asked)
    if not (waiting or _beyond_names(wanted, said)):
        return False
    return ties.covers(wanted, said.terms) and not ties.settled(asked, world)


def _beyond_names(wanted: dict[str, float], said: Remark) -> bool:
    """Whether more is shared with a question than the name of the thing it is about."""
    names = [term for term, weight in wanted.items() if weight >= 2.0]
    others = {term for term in wanted if not any(term in name for name in names)}
    return not others or any(term in said.terms for term in others)
