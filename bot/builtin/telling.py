"""What was said elsewhere, retold in one short message for a room that needs it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from agency import moments, salience, subjects
from agency.salience import Kind
from bot.builtin import wording

_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i'll|we|we're|my|our|us|me)\b|我", re.I)
_MAX = 240  # characters of one retold message


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An original as a room may hear it."""

    id: str
    room: str
    who: str
    at: datetime
    text: str


def speak(kind: str, sources: Sequence[Source], *, subject: str, now: datetime, zh: bool) -> str:
    """One message: the news first, then what completes it, each with its room."""
    lead = sources[0]
    parts = [_lead(kind, lead, subject, now, zh)]
    parts += [_further(source, now, zh) for source in sources[1:]]
    return (" " if not zh else "").join(parts)


def retold(text: str) -> str:
    """A message without its opening, without orders to programs, and not too long."""
    plain = salience.retell(salience.clean(text))
    return plain if len(plain) <= _MAX else plain[: _MAX - 1] + "…"


def third_person(text: str, who: str) -> str:
    """A promise as others would tell it; empty where it cannot be turned safely."""
    plain = salience.retell(text)
    if salience.is_chinese(plain):
        before, me, after = plain.partition("我")
        if not me or after.startswith("们") or "我" in after:
            return ""
        # What is promised may come first: "the script I finish by Friday".
        opening = f"{who}答应：{before}" if before.strip() else f"{who} "
        return re.sub(r"\s+", " ", opening + after.lstrip()).strip()
    match = re.search(
        r"\bI(?:'ll|’ll| will| shall| am going to|'m going to| can| promise to)\s+", plain
    )
    if match is None:
        return ""
    rest = re.sub(r"^(?:still|also|definitely|then)\s+", "", plain[match.end() :])
    if re.search(r"\b(?:I|me|my|mine|we|our)\b", rest):
        return ""
    return f"{who} will {rest}"


def subject_phrase(text: str) -> str:
    """The noun a change is about: the words before its verb, where they are few."""
    plain = salience.retell(text)
    match = re.match(
        r"(?:the |our |this )?(?P<en>[\w' /-]{2,40}?)\s+(?:is|are|has|have|will|moves?|moved|"
        r"switch\w*|"
        r"chang\w+|migrat\w+|shift\w*|goes|go|slips?|postponed|pushed|stays?)\b|"
        r"(?:把|将)?(?P<zh>[^，。；：]{2,14}?)(?:从|由|改|换|切|迁|移|现在|推迟|延|提前|定在|"
        r"定于|不再|调整|已)",
        plain,
        re.I,
    )
    found = (match.group("en") or match.group("zh") or "").strip() if match else ""
    if not found or _FIRST_PERSON.search(found) or moments.find(found):
        return ""
    return found if len(found.split()) <= 4 else ""


def subject_words(topic: dict[str, float], text: str) -> str:
    """A short, stable name of a matter from the words its messages share."""
    named = sorted(topic, key=lambda t: (-topic[t], t))[:3]
    low = text.lower()
    return " ".join(sorted(named, key=lambda t: (low.find(t) if t in low else 999, t)))


def _lead(kind: str, source: Source, subject: str, now: datetime, zh: bool) -> str:
    body = retold(source.text)
    values = {"room": source.room, "who": source.who or wording.text("someone", zh)}
    values["time"] = wording.clock(source.at, now, zh)
    if kind == "lead":
        body = _changed(source.text, subject, zh) or body
    key = kind
    if kind in ("lead", "unblocked", "deadline") and _FIRST_PERSON.search(body):
        key = f"{kind}_quote"
    return wording.text(key, zh, text=body, **values)


def _changed(text: str, subject: str, zh: bool) -> str:
    """ "X is now NEW, not OLD" where the sentence says so plainly."""
    signals = [s for s in salience.read(text) if s.kind in (Kind.CHANGE, Kind.CORRECTION)]
    change = next((s for s in signals if s.kind is Kind.CHANGE), None)
    if change is None:
        correction = signals[0] if signals else None
        if correction is None or not correction.when or subjects.terms(text):
            return ""
        name = subject or ""
        return wording.text("now", zh, subject=name, new=correction.when, rest="") if name else ""
    name, new = subject_phrase(change.text), change.new
    if not (name and new and change.old) or salience.is_chinese(text) != zh:
        return ""
    rest = change.text[change.text.rfind(new) + len(new) :].strip(" .。!")
    rest = f" {rest}" if rest and rest[0].isascii() and rest[0].isalnum() else rest
    article = "" if zh or name.lower().startswith(("the ", "our ")) else "the "
    key = "now_not" if change.old else "now"
    return wording.text(key, zh, subject=article + name, new=new, old=change.old, rest=rest)


def _further(source: Source, now: datetime, zh: bool) -> str:
    kinds = {s.kind for s in salience.read(source.text)}
    body = retold(source.text)
    key = "open" if kinds & {Kind.RISK, Kind.QUESTION} else "fact"
    who = source.who or wording.text("someone", zh)
    return wording.text(key, zh, room=source.room, text=body, who=who)
