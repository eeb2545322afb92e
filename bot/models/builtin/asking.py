"""Asking somebody's leave: read from plain words, and what came of it said in plain words."""

import re
from dataclasses import dataclass

from agency import salience
from agency.salience import Kind
from bot.models.builtin import intents, papers, wording
from bot.models.builtin.context import Context, Row, Step

_MODAL = r"may|can|could|should|might"
_BE = r"am|is|are"
_FINE = r"it(?:['’]s| is| would be) (?:ok|okay|fine|all right|alright|possible)"
_NAMES = r"[^\s,]+(?: [A-Z]\w+)?(?:(?:, | and | or |, or |, and )[^\s,]+(?: [A-Z]\w+)?){0,4}"
_EN = re.compile(
    rf"^\W*(?:(?:please|can you|could you|would you|will you) )*(?:ask|check with) "
    rf"(?P<who>{_NAMES}),? (?:whether|if) "
    rf"(?P<what>(?:(?:\S+ ){{1,4}}?(?:{_MODAL}|(?:{_BE}) allowed to)|{_FINE}) .+)$",
    re.I | re.S,
)
_EN_LEAVE = re.compile(
    r"^\W*(?:(?:please|can you|could you|would you|will you) )*(?:"
    r"(?:get|ask for|request|obtain) (?P<who>[^\s,]+(?: [A-Z]\w+)?)['’]s? "
    r"|ask (?P<whom>[^\s,]+(?: [A-Z]\w+)?) for (?:(?:his|her|their|an?|the) )?)"
    r"(?:approval|permission|ok|okay|go-ahead|consent|leave|yes) (?P<to>to|for) (?P<what>.+)$",
    re.I | re.S,
)
_INVERTED = re.compile(
    rf"^(?P<subject>(?:\S+ ){{1,4}}?)(?P<modal>{_MODAL}|{_BE})\b (?P<rest>.+)$", re.I | re.S
)
_ZH_MODAL = (
    r"能不能够?|可不可以|可以不可以|能否|可否|是否可以|是不是可以|要不要|该不该|让不让|准不准|同不同意|"
    r"同意不同意|行不行|可以"
)
_ZH = re.compile(
    r"^\W*(?:请|麻烦|劳驾)?(?:你)?(?:帮我|帮忙|替我|替我们|帮我们)?(?:去|再)?"
    r"(?:问一下|问问|问下|问一问|请示一下|请示|请教一下|问)\s*(?P<who>[^，。？！\s]{1,20}?)[，,\s]*"
    rf"(?P<us>我们|咱们|我|大家)?(?P<modal>{_ZH_MODAL})(?P<what>.+)$",
    re.S,
)
_END = " \t\n.。!！?？吗么呢"
_EVERY = re.compile(
    r"\b(?:always|every time|any time|anytime|from now on|in future)\b"
    r"|以后都|以后也|每次都?|一直|永远",
    re.I,
)
_CONDITION = re.compile(
    r"\b(?:but|only (?:if|when|after)|as long as|provided|unless|except|if)\b"
    r"|但|不过|只要|前提|除非|只能",
    re.I,
)
_ID = re.compile(r"(?<![A-Za-z0-9])[ac]\d{1,9}(?![A-Za-z0-9])", re.I)


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be asked, and of whom."""

    who: tuple[str, ...]
    question: str
    subject: str


def request(text: str) -> Request | None:
    """The wish to have somebody asked for their leave, or None."""
    plain = " ".join(text.split())
    if found := _ZH.match(plain):
        what = found["what"].strip(_END)
        asked = f"{found['us'] or ''}{found['modal']}{what}？"
        return Request(_names(found["who"], r"、|和|或者|或|还有|跟"), asked, what)
    if found := _EN.match(plain):
        what = found["what"].strip(_END)
        return Request(_names(found["who"], r", or |, and |, | and | or "), _asked(what), what)
    if found := _EN_LEAVE.match(plain):
        what = found["what"].strip(_END)
        asked = f"May we {what}?" if found["to"].lower() == "to" else f"Do you agree to {what}?"
        return Request((found["who"] or found["whom"],), asked, what)
    return None


def _asked(what: str) -> str:
    """ "we may move it" as a question."""
    found = _INVERTED.match(what)
    if found is None:
        return f"{what[0].upper()}{what[1:]}?"
    subject = found["subject"].strip()
    subject = subject if subject[0].isupper() else subject.lower()
    subject = "I" if subject == "i" else subject
    return f"{found['modal'].capitalize()} {subject} {found['rest']}?"


def _names(text: str, between: str) -> tuple[str, ...]:
    return tuple(name.strip(" @") for name in re.split(between, text) if name.strip(" @"))


def unsaid(context: Context) -> bool:
    """Whether an answer came of which nothing was said yet."""
    tools = [step.tool for step in context.steps]
    if "ask_approval" not in tools:
        return False
    last = len(tools) - 1 - tools[::-1].index("ask_approval")
    return "say" not in tools[last:]


def verdict(wish: Request, context: Context, zh: bool) -> str:
    """What came of a wish, in words; empty while nothing did."""
    step = next(
        (one for one in context.called("ask_approval")
         if one.arguments.get("question") == wish.question), None,
    )  # fmt: skip
    return "" if step is None else _words(step, wish, zh)


def _words(step: Step, wish: Request, zh: bool) -> str:
    rows = step.found.get("verdict", [])
    if step.failed or not rows:
        names = ("、" if zh else ", ").join(wish.who)
        return wording.text("approval_failed", zh, who=names)
    row = rows[0]
    values = {"who": row.get("by") or "", "question": row.get("question") or wish.question}
    words = wording.text(f"approval_{row.get('state')}", zh, **values)
    note = str(row.get("note") or "")
    if note and row.get("by"):
        words += wording.text("approval_note", zh, note=note)
    return words


def call(wish: Request) -> tuple[str, Row]:
    """The use of the tool that asks."""
    return "ask_approval", {
        "question": wish.question, "subject": wish.subject, "approvers": list(wish.who),
    }  # fmt: skip


def answer(
    text: str, row: Row, others: list[Row], context: Context
) -> list[tuple[str, Row]] | None:
    """The uses of the tool that records a word given here; None where it is no such word.

    An empty list: it is one, and which of several questions it answers is not known. `others` are
    the questions of other kinds that wait here too.
    """
    waiting = context.section("approvals")
    if not waiting or "answer_approval" not in context.tools or text.rstrip().endswith(("?", "？")):
        return None
    granted = intents.consent(text, str(context.me.get("name") or ""))
    if granted is None:
        return None
    if meant([one for one in others if one.get("id")], text, row, context):
        return None
    named = meant(waiting, text, row, context)
    if not named and others:
        return []
    named = named or waiting
    if len(named) > 1:
        return []
    given: Row = {"approval": named[0].get("id"), "granted": granted}
    if granted and _EVERY.search(text):
        given["every_time"] = True
    if _CONDITION.search(text) and not _private(text):
        given["note"] = text
    return [("answer_approval", given)]


def meant(waiting: list[Row], text: str, row: Row, context: Context) -> list[Row]:
    """The questions that a word names by their ids, or is a reply to."""
    ids = {found.group().lower() for found in _ID.finditer(text)}
    if ids:
        return [one for one in waiting if one.get("id") in ids]
    replied = "\n".join(str(one.get("text", "")) for one in papers.replied(row, context))
    return [one for one in waiting if str(one.get("question") or one.get("text")) in replied]


def _private(text: str) -> bool:
    kinds = {signal.kind for signal in salience.read(text)}
    return bool(kinds & {Kind.PRIVATE, Kind.PERSONAL})


def thanks(context: Context, zh: bool) -> str:
    """What is said once a word is recorded; empty while none was."""
    steps = context.called("answer_approval")
    if not steps:
        return ""
    wanted = steps[-1].arguments.get("approval")
    row = next((one for one in context.section("approvals") if one.get("id") == wanted), {})
    if steps[-1].failed:
        return wording.text("approval_not_yours", zh, who=", ".join(row.get("may_answer") or []))
    return wording.text("approval_thanks", zh, who=row.get("from") or "")


def which(others: list[Row], context: Context, zh: bool) -> str:
    """Ask which of several questions a word is for."""
    told = [(row["id"], row["question"]) for row in context.section("approvals")]
    told += [(row["id"], f"{row['target']}: {row['text']}") for row in others]
    lines = "\n".join(f"- {id}: {said}" for id, said in told)
    return wording.text("approval_which", zh, lines=lines)
