"""What comes from the agency: judged once more where it arrives, then said or left."""

import re

from agency import salience
from agency.salience import Kind
from bot.models.builtin import answers, claims, promises, telling, ties, wording
from bot.models.builtin.context import Context, Row, instant
from bot.models.builtin.world import Remark, World

_LATE = frozenset({"decision", "conflict"})


def handoff(row: Row, context: Context) -> tuple[str, str]:
    """The words to say, or none and the reason."""
    if row.get("expires_at") and instant(row["expires_at"], context.zone) < context.now:
        return "", "it came too late"
    told = [s for s in row.get("sources") or [] if s.get("text")]
    known = answers.scene(context, told)
    sources = [r for r in known.remarks if r.id in {str(s.get("id")) for s in told}]
    zh = _chinese(known, row)
    if not sources or len(told) < len(row.get("sources") or []):
        return _plain(row), "nothing that may be said here"
    lead = _lead(row, sources, known)
    if _settled_here(row, lead, known):
        return "", "this room knows it already or has settled it"
    if row.get("kind") == "reminder" and promises.due(lead) is None:
        return _plain(row), ""  # no time was named: the agency found the words for that
    order = [lead, *sorted((r for r in sources if r is not lead), key=_weight)]
    kind = _wording(row, lead, known, context)
    spoken = telling.speak(
        kind,
        [_source(r, told) for r in order],
        subject=str(row.get("subject") or ""),
        now=known.now,
        zh=zh,
    )
    return spoken, ""


def _chinese(known: World, row: Row) -> bool:
    here = next(iter(known.rooms.values()), None)
    if here and (known.within(here) or known.language != "auto"):
        return known.chinese(here)
    return salience.is_chinese(str(row.get("text", "")))


def _plain(row: Row) -> str:
    """The first line of the nudge: what is to be said; reasons and advice follow it."""
    return str(row.get("text", "")).strip().split("\n")[0].strip()


def _lead(row: Row, sources: list[Remark], known: World) -> Remark:
    if row.get("kind") in _LATE:
        current = [c.remark for c in claims.gather(known) if not c.replaced]
        for source in reversed(sources):
            if any(c.id == source.id for c in current):
                return source
    first = str((row.get("sources") or [{}])[0].get("id"))
    return next((r for r in sources if r.id == first), sources[0])


def _settled_here(row: Row, lead: Remark, known: World) -> bool:
    here = next(iter(known.rooms.values()), None)
    if here is None:
        return False
    if row.get("kind") == "reminder":
        return not any(True for n in promises.overdue(known) if n.there.id == lead.id) and any(
            r.at > lead.at and r.who == lead.who and r.has(Kind.DONE) for r in known.within(here)
        )
    claim = next((c for c in claims.gather(known) if c.remark.id == lead.id), None)
    if claim is not None:
        later = any(
            c.remark.room.session == here.session and c.remark.at > lead.at and c.new == claim.new
            for c in claims.gather(known)
        )
        return later or claims.known_in(here, claim, known)
    if ties.heard(here, lead, known):
        return True
    asked = [
        r for r in known.within(here)
        if not r.me and r.has(Kind.WAIT, Kind.QUESTION) and ties.same_matter(r, lead)
    ]  # fmt: skip
    return bool(asked) and all(ties.settled(r, known) for r in asked)


def _wording(row: Row, lead: Remark, known: World, context: Context) -> str:
    here = next(iter(known.rooms.values()), None)
    talk = [r for r in known.within(here) if not r.me and ties.same_matter(r, lead)] if here else []
    direct = bool(here and here.direct)
    match row.get("kind"):
        case "decision" | "conflict":
            return "clash" if row.get("kind") == "conflict" and _decided(talk) else "lead"
        case "reminder":
            return "remind_self" if direct else "remind_here"
        case "answer" | "owner":
            return "answer"
        case "risk":
            if any(r.has(Kind.DEADLINE) for r in talk) and lead.has(Kind.RISK):
                return "risk"
            return "more" if lead.has(Kind.RISK, Kind.QUESTION, Kind.OWNER) else "date"
        case _:
            pass
    if lead.has(Kind.ASSIGNED) and direct:
        return "away_self"
    if lead.has(Kind.UNAVAILABLE):
        return "away_room"
    if any(r.has(Kind.WAIT) for r in talk) and lead.has(Kind.DONE, Kind.RESOLUTION):
        return "unblocked"
    if any(r.has(Kind.START) for r in talk):
        return "duplicate"
    return "deadline" if lead.has(Kind.DEADLINE) else "lead"


def _decided(talk: list[Remark]) -> bool:
    return any(r.has(Kind.DECISION, Kind.CHANGE) for r in talk)


def _weight(remark: Remark) -> int:
    return 1 if remark.has(Kind.RISK, Kind.QUESTION) else 0


def _source(remark: Remark, told: list[Row]) -> telling.Source:
    row = next(r for r in told if str(r.get("id")) == remark.id)
    return telling.Source(
        id=remark.id, room=str(row.get("room") or remark.room.title), who=remark.who,
        at=remark.at, text=remark.text,
    )  # fmt: skip


def consent_question(row: Row, context: Context) -> str:
    """May I tell them: in the person's own chat, in the language spoken there."""
    known = answers.scene(context)
    text = str(row.get("text", "")).strip().split("\n")[0].rstrip(" .。")
    zh = _chinese(known, row)
    target = str(row.get("target") or "")
    rooms = context.section("room")
    for name in answers.names(rooms[0]) if rooms else []:
        you = re.match(rf"{re.escape(name)}\s+will\s+(?P<rest>.+)", text, re.S)
        if you and not zh:
            rest = f"you will {you.group('rest')}"
            return wording.text("consent_ask_that", zh, target=target, text=rest)
    return wording.text("consent_ask", zh, target=target, text=text)


def chain(rows: list[Row], context: Context, zh: bool) -> str:
    """The way from the original to the message, in words."""
    lines = [_link(row, _when(row, context, zh), zh) for row in rows if row.get("text")]
    told = "\n".join(line for line in lines if line)
    return wording.text("why", zh, lines=told) if told else wording.text("why_none", zh)


def _link(row: Row, time: str, zh: bool) -> str:
    said = bool(row.get("from"))  # what stands for private words is ours, and told as it is
    text = telling.retold(str(row["text"])) if said else str(row["text"])
    match row.get("step"):
        case "original" if row.get("from"):
            return wording.text(
                "why_said", zh, who=row["from"], room=row.get("room", ""), text=text, time=time
            )
        case "original" | "consent" | "approval":
            return wording.text("why_line", zh, text=text, time=time)
        case "handoff":
            return wording.text("why_saw", zh, text=text, time=time)
        case "delivery":
            return wording.text("why_told", zh, time=time)
        case _:
            return ""


def _when(row: Row, context: Context, zh: bool) -> str:
    if not row.get("at"):
        return ""
    at = instant(row["at"], context.zone)
    return (" " if zh else ", ") + wording.clock(at, context.now, zh)
