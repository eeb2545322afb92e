"""Answers to questions from what the room may hear, each with who said it, when and where."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agency import salience, subjects
from agency.salience import Kind
from bot.models.builtin import claims, papers, questions, ties, wording, world
from bot.models.builtin.context import Context, Row
from bot.models.builtin.telling import quoted, retold
from bot.models.builtin.world import Remark, Room, World

_DECIDED = re.compile(r"\b(?:decid\w+|decision|agreed?|settled)\b|决定|定了|敲定|结论", re.I)
_DUE = re.compile(r"\b(?:due|deadline|target date|no later than)\b|截止|期限|目标日期|到期", re.I)
_TO_BOT = re.compile(r"@?\blimen\b", re.I)
_SAID = re.compile(r"\b(?:say|said|write|wrote|told|tell)\b|说|讲|写|提", re.I)
_WEIGHTY = (
    Kind.DECISION, Kind.CHANGE, Kind.COMMITMENT, Kind.OWNER, Kind.DEADLINE, Kind.RISK,
    Kind.RESOLUTION, Kind.DONE, Kind.WAIT, Kind.CORRECTION, Kind.REVERSAL,
)  # fmt: skip


_AUTHOR = re.compile(
    r"\bwho (?:has |have )?(?:decided|changed|moved|settled|agreed)\b"
    r"|谁(?:做的)?(?:决定|定|改|拍板|同意)|是谁.{0,6}(?:决定|定下|改)",
    re.I,
)
_PROMISED = re.compile(r"\b(?:promis|commit|agree to|owe)|答应|承诺|保证", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A remark that answers, and how well."""

    remark: Remark
    value: float


def scene(context: Context, extra: Iterable[Row] = ()) -> World:
    """Everything this room may be told, as remarks."""
    rooms = context.section("room")
    here = world.room_of(rooms[0] | {"members": names(rooms[0])}) if rooms else None
    rows: dict[str, Row] = {}
    for row in [*context.section("recalled"), *extra]:
        rows[str(row.get("id", ""))] = row
    for row in context.section("history"):
        rows[str(row.get("id", ""))] = {**row, "session": here.session if here else ""}
    for fact in context.section("facts"):
        if not any(source in rows for source in fact.get("sources") or ()):
            rows[str(fact.get("id", ""))] = fact
    known = {here.session: here} if here else {}
    people = set(here.members) if here else set()
    people |= {str(r.get("from")) for r in rows.values() if r.get("from")}
    remarks = [
        world.remark(row, known, people, context.zone) for row in rows.values() if papers.said(row)
    ]
    return World(
        now=context.now, rooms=known, remarks=world.ordered(remarks), handoffs=[], fires=[],
        intentions=[], language=str(context.me.get("language") or "auto"),
    )  # fmt: skip


def names(room: Row) -> list[str]:
    """The members' names of a room row."""
    return [str(m["name"] if isinstance(m, dict) else m) for m in room.get("members") or ()]


def search(question: str, asking: str, known: World) -> list[Found]:
    """Remarks that answer, best first; superseded values are left out."""
    people = {r.who for r in known.remarks if r.who}
    wanted = subjects.terms(question, people)
    named = {name for name in people if _names(name, question)}
    stale = {c.remark.id for c in claims.gather(known) if c.replaced}
    found = [
        Found(remark=r, value=value)
        for r in known.remarks
        if r.id != asking and r.id not in stale and not r.me and not r.idle
        for value in (_value(question, wanted, named, r),)
        if value > 0
    ]
    best = max((f.value for f in found), default=0.0)
    near = [f for f in found if f.value >= 0.85 * best]
    near.sort(key=lambda f: (f.remark.at, f.value), reverse=True)
    return near


def _names(name: str, question: str) -> bool:
    if name[0] >= "\u4e00":
        return name in question
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question))


def _value(question: str, wanted: dict[str, float], named: set[str], remark: Remark) -> float:
    tie = subjects.link(wanted, remark.terms)
    if named and _SAID.search(question) and remark.who not in named:
        return 0.0
    by_name = bool(named & {remark.who, *(s.who for s in remark.signals)})
    if named and _PROMISED.search(question) and remark.who in named:
        return 1.5 if remark.has(Kind.COMMITMENT) else 0.0
    if not wanted and not by_name:
        return 0.0
    whole = sum(wanted.values()) or 1.0
    value = tie.shared / whole
    if value < 0.34 and not tie.strong and not (by_name and (value > 0 or not wanted)):
        return 0.0
    if _only_asks(remark) or subjects.contrary(wanted, remark.terms):
        return 0.0
    if _AUTHOR.search(question):
        return value + 0.8 if remark.has(Kind.DECISION, Kind.CHANGE) else 0.0
    if questions.informs(question, wanted, remark):
        value += 0.8
    elif typed(question):
        return 0.0
    if _DECIDED.search(question) and remark.has(Kind.DECISION, Kind.CHANGE):
        value += 0.5
    if _DUE.search(question) and _DUE.search(remark.text):
        value += 0.4
    return value + 0.3 * by_name


def typed(question: str) -> bool:
    """Whether only a person or a date can answer."""
    return bool(questions.PERSON_OR_DATE.search(question))


def _only_asks(remark: Remark) -> bool:
    return bool(remark.signals) and all(s.kind is Kind.QUESTION for s in remark.signals)


def phrase(
    question: str, found: list[Found], known: World, here: Room | None, zh: bool, *, asker: str = ""
) -> str:
    """The best answer in words, and a second source where it adds a fact."""
    best = found[0].remark
    lines = [_sentence(question, best, known, here, zh, asker)]
    for other in found[1:3]:
        if (
            other.remark.has(*_WEIGHTY)
            and not subjects.link(other.remark.terms, best.terms).cover > 0.8
        ):
            lines.append(_sentence(question, other.remark, known, here, zh, asker))
            break
    return "\n".join(lines)


def _sentence(
    question: str, said: Remark, known: World, here: Room | None, zh: bool, asker: str
) -> str:
    owner = next((s.who for s in said.signals if s.kind is Kind.OWNER), "")
    values = {
        "who": _speaker(said, asker, zh),
        "Who": _opening(_speaker(said, asker, zh)),
        "room": room_name(said, here, zh),
        "time": wording.clock(said.at, known.now, zh),
        "text": retold(said.text),
    }
    values["text"] = values["text"] if zh else quoted(values["text"])
    if owner and not _AUTHOR.search(question) and re.search(r"\bwho\b|谁", question, re.I):
        return wording.text("found_owner", zh, owner=owner, **values)
    return wording.text("found_quote", zh, **values)


def _speaker(said: Remark, asker: str, zh: bool) -> str:
    if asker and said.who == asker:
        return wording.text("you", zh)
    return said.who or wording.text("someone", zh)


def _opening(who: str) -> str:
    return who[:1].upper() + who[1:]


def promised(known: World, who: str, zh: bool) -> str:
    """The promises of one person, oldest first."""
    here = next(iter(known.rooms.values()), None)
    kept = [r for r in known.remarks if r.who == who and r.has(Kind.COMMITMENT) and not r.me]
    if not kept:
        return wording.text("mine_none", zh)
    lines = [
        wording.text("mine_line", zh, text=retold(r.text), room=room_name(r, here, zh),
                     time=wording.clock(r.at, known.now, zh))
        for r in kept[-8:]
    ]  # fmt: skip
    return wording.text("mine", zh, lines="\n".join(lines))


def recap_all(known: World, asking: str, who: str, zh: bool) -> str:
    """The weighty remarks of others from everywhere, oldest first."""
    stale = {c.remark.id for c in claims.gather(known) if c.replaced}
    kept = [
        r for r in known.remarks
        if r.room.session not in known.rooms and not r.me and not r.idle and r.id not in stale
        and r.who != who and r.has(*_WEIGHTY) and not ties.settled(r, known)
    ]  # fmt: skip
    if not kept:
        return wording.text("recap_none", zh)
    lines = [
        wording.text("recap_room", zh, who=r.who, room=r.room.title, text=retold(r.text),
                     time=wording.clock(r.at, known.now, zh))
        for r in kept[-8:]
    ]  # fmt: skip
    return wording.text("recap_all", zh, lines="\n".join(lines))


def room_name(said: Remark, here: Room | None, zh: bool) -> str:
    """The room as one would name it."""
    if said.room.direct or (here and here.direct and said.room.session == here.session):
        return wording.text("this_chat", zh)
    return said.room.title


def recap(known: World, asking: str, zh: bool) -> str:
    """The weighty remarks of this room, oldest first."""
    stale = {c.remark.id for c in claims.gather(known) if c.replaced}
    here = set(known.rooms)
    kept = [
        r
        for r in known.remarks
        if r.room.session in here and not r.me and not r.idle and r.id not in stale
        and not ties.settled(r, known)
        and r.id != asking and not _TO_BOT.search(r.text)
        and (r.has(*_WEIGHTY) or r.has(Kind.QUESTION, Kind.PLAN))
    ]  # fmt: skip
    if not kept:
        return wording.text("recap_none", zh)
    lines = [
        wording.text("recap_line", zh, who=r.who, time=wording.clock(r.at, known.now, zh),
                     text=retold(r.text))
        for r in kept[-8:]
    ]  # fmt: skip
    return wording.text("recap", zh, lines="\n".join(lines))


def query(question: str) -> str:
    """Search words for a question."""
    words = salience.subjects_of(question)
    return question if salience.is_chinese(question) or not words else " ".join(words[:6])
