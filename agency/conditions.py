"""What somebody waits for to be said, and whether a message says it; without a model.

"once the contract is signed" is met by "The contract was signed this morning", and not by "Has the
contract been signed?", "It is not signed yet" or "Once it is signed, we start".
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from agency import moments, salience

_ALIKE: dict[str, str] = {
    "confirm": r"confirm|agree|approv|decid|settl|final|fixed|set for|it is on|signed off"
    r"|green light|确认|确定|敲定|定下|定了|定在|同意|决定|拍板|批准",
    "done": r"\bdone\b|finish|complet|ready|shipped|merged|deployed|\blive\b|released|closed|resolv"
    r"|完成|做完|搞定|好了|上线|发布|合并|结束|就绪|解决",
    "sign": r"\bsign(?:ed|s|ing)?\b|签",
    "arrive": r"arriv|deliver|came in|is here|got here|received|到了|到货|收到|送到|抵达",
    "reply": r"\brepl|answer|wrote back|got back|respon|回复|答复|回信|回了",
    "pay": r"\bpaid\b|\bpay(?:s|ment)?\b|付|到账",
    "start": r"\bstart|began|begun|kick(?:ed)? off|开始|启动",
    "cancel": r"cancel|called off|取消|不办了",
}  # fmt: skip
"""Words for the same thing happening."""
_DATE = re.compile(r"\b(?:date|day|deadline|time|slot)\b|日期|时间|日子|时候", re.I)
_SOMEBODY = re.compile(
    r"\b(?:the\s+)?(?:owner|boss|client|customer|author|team|they|somebody|someone|anyone|anybody|"
    r"we|you|he|she|it|there)\b|负责人|老板|客户|对方|他们|有人|谁|他|她",
    re.I,
)
_SMALL = re.compile(
    r"\b(?:the|an?|is|are|was|were|be|been|being|has|have|had|got|gets?|does|do|did|by|of|on|in|"
    r"for|to|with|and|our|my|your|their|this|that|these|those|about|from|finally|really|all|"
    r"decision|news)\b|已经|终于|之后|以后|的|了|把|被|过|完|就|都|我们|我|你",
    re.I,
)
_NOT = re.compile(
    r"\b(?:not|never|no longer|nobody|none|cannot|without|unless|if|whether|once|when|until|before|"
    r"as soon as|will|would|shall|should|could|may|might|must|going to|wants? to|needs? to|"
    r"ha(?:s|ve) to|waiting|pending|almost|nearly|maybe|perhaps|hopefully|trying|please|"
    r"let['’]s)\b|n['’]t\b|['’]ll\b|"
    r"请|没|不|未|别|是否|如果|要是|假如|等|一旦|将要?|会(?!议)|准备|打算|需要|应该|可能|也许|快要?|之前|的话",
    re.I,
)
_LEAST = 0.75
"""The part of the words, where there are many, that a message has to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What is waited for, taken apart."""

    words: str
    happens: tuple[str, ...]
    """Names of what happens, of `_ALIKE`."""
    terms: tuple[str, ...]
    """Words of what it is about."""
    dated: bool
    """Whether a day has to be named."""

    @property
    def telling(self) -> bool:
        """Whether there is enough to know it by."""
        return bool(self.terms) or bool(self.happens and self.dated)


@lru_cache(maxsize=512)
def read(words: str, *, who: str = "") -> Condition:
    """Take the words of a condition apart; `who` has to say it and is no part of it."""
    rest = re.sub(re.escape(who), " ", words, flags=re.I) if who else words
    dated = bool(_DATE.search(rest))
    rest = _SOMEBODY.sub(" ", _DATE.sub(" ", rest))
    happens = [name for name, alike in _ALIKE.items() if re.search(alike, rest, re.I)]
    for name in happens:
        rest = re.sub(rf"(?:{_ALIKE[name]})[a-z]*", " ", rest, flags=re.I)
    rest = _SMALL.sub(" ", rest)
    terms = re.findall(r"[A-Za-z0-9_#.-]{2,}|[\u4e00-\u9fff]{1,}", rest)
    return Condition(
        words=words,
        happens=tuple(happens),
        terms=tuple(dict.fromkeys(term.casefold() for term in terms)),
        dated=dated,
    )


def met(condition: Condition, text: str) -> bool:
    """Whether a message says that it has come to pass."""
    return any(_says(condition, part) for part in _sentences(text))


def _says(condition: Condition, text: str) -> bool:
    if not condition.telling or text.endswith(("?", "？")) or _NOT.search(text):
        return False
    if any(signal.kind is salience.Kind.QUESTION for signal in salience.read(text)):
        return False
    happens = all(re.search(_ALIKE[name], text, re.I) for name in condition.happens)
    if condition.dated:
        named = any(moment.dated for moment in moments.find(text)) or bool(_DATE.search(text))
        if not named:
            return False
        # A day named by whoever is waited for settles it, whatever the word for it.
        happens = happens or not condition.terms
    held = sum(_holds(text, term) for term in condition.terms)
    enough = len(condition.terms) if len(condition.terms) <= 3 else _LEAST * len(condition.terms)
    return happens and held >= enough


def _holds(text: str, term: str) -> bool:
    folded = text.casefold()
    if not term.isascii():
        pairs = [term[at : at + 2] for at in range(len(term) - 1)] or [term]
        return sum(pair in folded for pair in pairs) * 2 > len(pairs)
    stem = re.sub(r"(?:ing|ed|es|s|e)$", "", term) if len(term) > 4 else term
    return re.search(rf"(?<![a-z0-9]){re.escape(stem)}", folded) is not None


def _sentences(text: str) -> list[str]:
    return [
        part.strip() for part in re.findall(r"[^.!?。！？\n]+[.!?。！？]?", text) if part.strip()
    ]
