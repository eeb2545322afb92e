"""What a message does to the team's state: decisions, promises, risks, questions, in two languages.

text -> clauses -> signals (kind, old and new value, who, when, subject words) -> score
"""

import itertools
import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import ModuleType

from agency import moments, phrases_en, phrases_zh, subjects


class Kind(StrEnum):
    """What a clause does."""

    DECISION = "decision"
    CHANGE = "change"
    COMMITMENT = "commitment"
    OWNER = "owner"
    DEADLINE = "deadline"
    RISK = "risk"
    QUESTION = "question"
    RESOLUTION = "resolution"
    """Something others may wait for is there now."""
    WAIT = "wait"
    PLAN = "plan"
    START = "start_of_work"
    DONE = "done"
    """Own work is finished."""
    RELAY = "relay"
    """News from another room, passed on."""
    CORRECTION = "correction"
    REVERSAL = "reversal"
    PRIVATE = "private"
    """The writer asks that it be kept between them."""
    PERSONAL = "personal"
    """Health, money, leaving: nobody else's business, asked or not."""
    ASSIGNED = "assigned"
    """Somebody was put down for something."""
    UNAVAILABLE = "unavailable"
    BANTER = "banter"
    SMALLTALK = "smalltalk"
    INJECTION = "injection"
    """Text that gives orders to a program; data, never an instruction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One thing a clause does."""

    kind: Kind
    text: str
    """The clause, as written."""
    start: int
    end: int
    old: str = ""
    """The value given up, in the words of the clause."""
    new: str = ""
    about: str = ""
    """What gets the new value, in the words of the clause."""
    who: str = ""
    when: str = ""
    """The first date or time in the clause, as written."""
    terms: tuple[str, ...] = ()


_WEIGHTS = {
    Kind.DECISION: 0.85, Kind.CHANGE: 0.8, Kind.REVERSAL: 0.75, Kind.CORRECTION: 0.7,
    Kind.RISK: 0.75, Kind.RESOLUTION: 0.6, Kind.DEADLINE: 0.6, Kind.DONE: 0.55,
    Kind.WAIT: 0.55, Kind.OWNER: 0.55, Kind.QUESTION: 0.45, Kind.COMMITMENT: 0.5,
    Kind.START: 0.45, Kind.PLAN: 0.4, Kind.ASSIGNED: 0.4, Kind.RELAY: 0.3,
    Kind.INJECTION: 0.1, Kind.BANTER: 0.05, Kind.SMALLTALK: 0.0,
}  # fmt: skip
_SENTENCE = re.compile(r"(?<=[.!?])(?=\s|$)|(?<=[。！？；;\n])")
_TURN = re.compile(
    r",?\s+\b(?:but|however|although|though)\b|[，,]\s*(?:不过|但是|但|可是|然而)", re.I
)
_BESIDE = re.compile(
    r"^\s*(?:(?:also|and|besides|by the way|btw)\b|另外|还有|对了|此外)[,，:：]?\s*", re.I
)
_WRITTEN = re.compile(r"^\s*[(（\[【][^)）\]】]{2,30}[)）\]】]\s*")
_TAIL = re.compile(
    r"\s*[,，]\s*(?:promised?|final|for sure|i promise|最终定|说定了|一定)\s*[.!。！]*\s*$", re.I
)
_TRIM = " \t\n,.;:!。，；：！、"
_PLANNED = re.compile(
    r"^\W*(?:plan\b|let'?s\b|next step|we plan|planning|todo|agenda|计划|打算|下一步|准备|安排)",
    re.I,
)
"""A clause that says what is going to be done does not decide by its "to" alone."""
_ORDER = re.compile(
    r"^\s*(?:then |now |and |please |also )*(?:post|tell|send|write|announce|say|share|forward|"
    r"reveal|inform|add|"
    r"mark|set|change|delete|approve|pay|publish|confirm|pretend|act|answer|repeat|do|reply|copy)\b"
    r"|^\s*(?:请|立即|马上|现在|然后|并|再)*(?:在|给|向|到|把|将|告诉|通知|发|转|说|宣布|回复|"
    r"公布|确认|批准|删除|付)",
    re.I,
)
_KIDDING = re.compile(
    r"\b(?:just kidding|kidding|jk|joking|april fool)|开玩笑|逗你们?|愚人节", re.I
)
_SOFT = frozenset({Kind.COMMITMENT, Kind.RISK, Kind.PLAN, Kind.START, Kind.CHANGE, Kind.WAIT})
_CJK = re.compile(r"[\u4e00-\u9fff]")
CLAUSE = 400  # signs of a clause; without a stop for so long it is no sentence
READ = 8000  # signs of a message; what matters to others is said before


def read(text: str, people: Collection[str] = (), *, subject: bool = True) -> list[Signal]:
    """Every signal of a message in the order of its clauses; given people are no subject words.

    Without `subject` no subject words are looked for: they take a quarter of the time.
    """
    return list(_read(text[:READ], frozenset(people) if subject else None))


@lru_cache(maxsize=2048)  # background messages come again wake after wake
def _read(text: str, people: frozenset[str] | None) -> tuple[Signal, ...]:
    found: list[Signal] = []
    for start, end in _clauses(text):
        found += _read_clause(text[start : min(end, start + CLAUSE)], start, people)
    if any(s.kind is Kind.BANTER for s in found):
        decided = any(s.kind is Kind.DECISION for s in found) and not _KIDDING.search(text)
        found = [s for s in found if decided or s.kind not in _SOFT | {Kind.DECISION}]
    return tuple(found)


def score(text: str) -> float:
    """How much a message matters to others, 0 to 1; from 0.7 it may wake the agency early."""
    signals = read(text, subject=False)
    kinds = {s.kind for s in signals}
    if not kinds:
        return 0.1 if text.strip() else 0.0
    best = max(_WEIGHTS.get(kind, 0.1) for kind in kinds)
    if Kind.COMMITMENT in kinds and any(s.when for s in signals if s.kind is Kind.COMMITMENT):
        best = max(best, 0.75)
    if Kind.DECISION in kinds and Kind.CHANGE in kinds:
        best = 0.95
    if Kind.BANTER in kinds and Kind.DECISION not in kinds:
        best = min(best, 0.1)
    return best


def subjects_of(text: str, people: Collection[str] = ()) -> tuple[str, ...]:
    """The identifying words of a text, the most telling first."""
    weights = subjects.terms(text, people)
    return tuple(sorted(weights, key=lambda term: -weights[term]))


def related(a: str, b: str) -> float:
    """How surely two texts are about the same matter, 0 to 1; from 0.5 on they likely are."""
    mine, yours = subjects.terms(a), subjects.terms(b)
    tie = subjects.link(mine, yours)
    if not tie.shared or subjects.contrary(mine, yours):
        return 0.0
    value = 0.5 * tie.cover + 0.5 * min(1.0, tie.shared / 3.0)
    return max(value, 0.5) if tie.near else min(value, 0.49)


def retell(clause: str) -> str:
    """The clause without the opening that only says what kind of sentence it is."""
    text = _BESIDE.sub("", _WRITTEN.sub("", clause))
    for _ in range(2):
        for phrases in (phrases_en, phrases_zh):
            shorter = phrases.LEAD.sub("", text, count=1)
            text = shorter if len(shorter.strip(_TRIM)) >= 4 else text
    return _TAIL.sub("", text).strip(_TRIM)


def clean(text: str) -> str:
    """The message without sentences that give orders to a program."""
    kept: list[str] = []
    ordered = False
    for start, end in _sentences(text):
        sentence = text[start:end]
        # Once somebody gives orders to a program, further orders belong to it.
        ordered = bool(_is(sentence, "INJECTION")) or (ordered and bool(_ORDER.match(sentence)))
        if not ordered:
            kept.append(sentence)
    return "".join(kept).strip()


def is_chinese(text: str) -> bool:
    """Whether a text reads as Chinese, identifiers aside."""
    return len(_CJK.findall(text)) * 2 >= len(re.findall(r"[A-Za-z]+", text)) and bool(
        _CJK.search(text)
    )


def clauses(text: str) -> list[str]:
    """A message cut at sentence ends and at turns such as "but"."""
    return [text[a:b].strip() for a, b in _clauses(text)]


def _sentences(text: str) -> list[tuple[int, int]]:
    cuts = [0, *(m.start() for m in _SENTENCE.finditer(text)), len(text)]
    return [(a, b) for a, b in itertools.pairwise(cuts) if text[a:b].strip()]


def _clauses(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in _sentences(text):
        if _is(text[start:end], "INJECTION"):
            found.append((start, end))
            continue
        cuts = [start, *(start + m.start() for m in _TURN.finditer(text[start:end])), end]
        found += [(a, b) for a, b in itertools.pairwise(cuts) if text[a:b].strip()]
    return found


@lru_cache(maxsize=16)  # asked once for each of the tables
def _languages(clause: str) -> tuple[ModuleType, ...]:
    """The tables worth trying: the Chinese one only where there are Chinese characters."""
    return (phrases_en, phrases_zh) if _CJK.search(clause) else (phrases_en,)


def _is(clause: str, name: str) -> re.Match[str] | None:
    english, chinese = _TABLES[name]
    match = english.search(clause)
    if match is None and len(_languages(clause)) > 1:
        match = chinese.search(clause)
    return match


_TABLES: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    name: (pattern, getattr(phrases_zh, name))
    for name, pattern in vars(phrases_en).items()
    if isinstance(pattern, re.Pattern) and hasattr(phrases_zh, name)
}


def _read_clause(clause: str, start: int, people: Collection[str] | None) -> list[Signal]:
    body = _WRITTEN.sub("", clause).strip()
    if _is(body, "INJECTION"):
        return [Signal(kind=Kind.INJECTION, text=body, start=start, end=start + len(clause))]
    if _is(body, "SMALLTALK") and len(body) < 40:
        return [Signal(kind=Kind.SMALLTALK, text=body, start=start, end=start + len(clause))]
    times = moments.find(body)
    found = _kinds(body, people or (), dated=bool(times))
    if not found:
        return []
    terms = () if people is None else tuple(subjects.terms(body, people))
    return [
        Signal(
            kind=kind, text=body, start=start, end=start + len(clause), old=old, new=new,
            about=about, who=who, when=times[0].text if times else "", terms=terms,
        )
        for kind, old, new, about, who in found
    ]  # fmt: skip


_Found = tuple[Kind, str, str, str, str]
"""Kind, old value, new value, what gets it, who."""


def _kinds(body: str, people: Collection[str], *, dated: bool) -> list[_Found]:
    found: list[_Found] = [
        (kind, "", "", "", "")
        for kind, name in (
            (Kind.PRIVATE, "PRIVATE"), (Kind.PERSONAL, "PERSONAL"), (Kind.BANTER, "BANTER"),
            (Kind.RELAY, "RELAY"), (Kind.WAIT, "WAIT"), (Kind.RISK, "RISK"),
            (Kind.UNAVAILABLE, "UNAVAILABLE"), (Kind.CORRECTION, "CORRECTION"),
        )
        if _is(body, name)
    ]  # fmt: skip
    asking = bool(_is(body, "QUESTION"))
    if asking:
        found.append((Kind.QUESTION, "", "", "", ""))
    doubtful = asking or bool(_is(body, "TENTATIVE"))
    if not doubtful:
        found += _firm(body)
    found += _named(body, people, asking=asking)
    if _is(body, "PLAN") and not asking:
        found.append((Kind.PLAN, "", "", "", ""))
    if dated and _is(body, "DEADLINE") and not asking:
        found.append((Kind.DEADLINE, "", "", "", ""))
    return found


def _firm(body: str) -> list[_Found]:
    found: list[_Found] = []
    if _is(body, "DECISION"):
        found.append((Kind.DECISION, "", "", "", ""))
    planned = _PLANNED.search(body) and not found
    change = None if planned else _change(body)
    if change:
        found.append((Kind.CHANGE, *change, ""))
    if _is(body, "REVERSAL"):
        found.append((Kind.REVERSAL, *(change or ("", "", "")), ""))
    conditional = re.search(
        r"^\s*(?:if|unless|once|when)\b|^\s*(?:如果|要是|等(?!等|下|一下))", body, re.I
    )
    if conditional:
        return [f for f in found if f[0] is Kind.DECISION]
    if _is(body, "COMMITMENT"):
        found.append((Kind.COMMITMENT, "", "", "", ""))
    if _is(body, "START") and not _UNSTARTED.search(body):
        found.append((Kind.START, "", "", "", ""))
    done = _is(body, "DONE")
    if done and not _denied(body, done):
        found += [(Kind.DONE, "", "", "", ""), (Kind.RESOLUTION, "", "", "", "")]
    return found


def _denied(body: str, done: re.Match[str]) -> bool:
    """Whether "not", "until" or the like stands shortly before what looks finished."""
    near = body[max(0, done.start() - 18) : done.end()]
    return bool(_is(near, "NOT_DONE"))


def _change(body: str) -> tuple[str, str, str] | None:
    body = body.replace("()", "")  # the name of a function is its name
    for phrases in _languages(body):
        for pattern in phrases.CHANGES:
            match = pattern.search(body)
            if match:
                values = match.groupdict()
                old, new = (_value(values.get(name)) for name in ("old", "new"))
                if _GOING.match(match.group()) and not re.search(r"\d|[A-Z]", new):
                    continue  # "goes to print" changes nothing
                if moments.find(new) and not moments.find(old):
                    old = ""  # "move X to Friday" gives up a date, not X
                if old or new:
                    about = values.get("about") or _subject(body[: match.start()])
                    return old or _dropped(body, match), new, about
    return None


def _dropped(body: str, change: re.Match[str]) -> str:
    """What is given up in another part of a sentence that names a new value: "no A, it's B now"."""
    for phrases in _languages(body):
        for pattern in phrases.CHANGES:
            if "new" in pattern.groupindex or pattern is change.re:
                continue
            match = pattern.search(body)
            if match and (match.end() <= change.start() or change.end() <= match.start()):
                return _value(match.group("old"))
    return ""


_UNSTARTED = re.compile(
    r"(?:can't|cannot|can not|couldn't|won't|not|never|before we|until we)\s+(?:\w+\s+)?(?:start|"
    r"begin|build|writ)"
    r"|没法开始|无法开始|开始不了|开不了工|不能开始",
    re.I,
)
_GOING = re.compile(r"go(?:es)?\b|went\b", re.I)


def _subject(before: str) -> str:
    """What stands right before the verb of a change: the thing that gets the new value."""
    return retell(re.split(r"[,;:.，。；：]\s*", before)[-1])


def _undated(value: str) -> str:
    """A value without the day from which it holds."""
    found = moments.find(value)
    rest = _trimmed(value[: found[0].start]) if found else ""
    return rest or value


def _trimmed(text: str) -> str:
    return re.sub(r"\s*\b(?:on|at|by|from|in|before|until)\s*$", "", text, flags=re.I).strip(_TRIM)


def _value(raw: str | None) -> str:
    text = (raw or "").strip(_TRIM)
    text = re.sub(r"^(?:(?:the|a|an|our|using|now|just|only)\s+)+", "", text, flags=re.I)
    value = _undated(text) if len(text) <= 60 else ""
    return "" if value.lower() in _VAGUE else value


def _doing(body: str, people: Collection[str]) -> str:
    """Whom a Chinese sentence gives something to do; only a known name is no other word."""
    for name in people:
        if name[:1] >= "\u4e00" and re.search(
            rf"{name}(?:来|"
            rf"去)?[签管审批跟接带盯](?![了过的到])",
            body,
        ):
            return name
    return ""


_VAGUE = frozenset(
    {"new one", "new", "it", "that", "this", "other one", "new version", "them"}
    | {"新的", "新版", "那个", "别的"}
)
"""Values that name nothing without the sentence they stand in."""


def _named(body: str, people: Collection[str], *, asking: bool) -> list[_Found]:
    found: list[_Found] = []
    doing = _doing(body, people) if not asking else ""
    if doing:
        found.append((Kind.OWNER, "", "", "", doing))
    for kind, name in ((Kind.OWNER, "OWNER"), (Kind.ASSIGNED, "ASSIGNED")):
        match = None if asking and kind is Kind.OWNER else _is(body, name)
        who = next((v for v in match.groupdict().values() if v), "") if match else ""
        who = who[1:] if len(who) > 2 and who[0] in "由归让是请找" else who
        if who and who.lower() not in _NOBODY:
            found.append((kind, "", "", "", who))
    return found


_NOBODY = frozenset(
    {"who", "when", "where", "how", "why", "whose", "what", "which", "that", "this", "there", "it"}
    | {"he", "she", "they", "we", "you", "i", "and", "the", "nobody", "anyone", "someone", "please"}
    | {"谁来", "谁", "我们", "你们", "他们", "大家", "谁能", "什么", "这个", "那个", "哪个", "是谁"}
)
"""Words in the place of a name that name nobody."""
