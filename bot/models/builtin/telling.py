"""What was said elsewhere, retold in one short message for a room that needs it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from agency import concepts, moments, salience, subjects
from agency.salience import Kind
from bot.models.builtin import wording

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
    """A short name of a matter: the words of `text` that its messages share."""
    named = sorted(topic, key=lambda t: (-topic[t], t))[:3]
    spans = sorted(span for term in named if (span := _found(term, text)))
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return " ".join(text[a:b] for a, b in joined) or " ".join(named)


def _found(term: str, text: str) -> tuple[int, int] | None:
    """Where a text has the word that a term stands for."""
    if term[0] >= "\u4e00":
        at = text.find(term)
        return (at, at + len(term)) if at >= 0 else None
    words = [term, *(w for w, concept in concepts.ENGLISH.items() if concept == term)]
    latin = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    match = re.search(rf"(?<![A-Za-z0-9])(?:{latin})[a-z]*(?![a-z])", text, re.I)
    if match is None:
        signs = [w for w, concept in concepts.CHINESE.items() if concept == term]
        match = re.search("|".join(signs), text) if signs else None
    return match.span() if match else None


def _lead(kind: str, source: Source, subject: str, now: datetime, zh: bool) -> str:
    body = retold(source.text)
    values = {"room": source.room, "who": source.who or wording.text("someone", zh)}
    values["time"] = wording.clock(source.at, now, zh)
    last = _last_word(body)
    named = subjects.terms(subject).keys() & subjects.terms(last).keys()
    if last != body and subject and not named:
        last = f"{subject}：{last}" if zh else f"{subject}: {last}"
    body = last
    if kind == "lead":
        body = _changed(source.text, subject, zh) or body
    key = kind
    if kind in ("lead", "unblocked", "deadline") and _FIRST_PERSON.search(body):
        key = f"{kind}_quote"
    return wording.text(key, zh, text=body, quoted=quoted(body), **values)


_SETTLES = re.compile(
    r"\s*(?:so|then|hence|we(?:'ll| will)? (?:take|go)|make it)\b"
    r"|\s*(?:改[成到为在]|所以|那就?|换[成到])",
    re.I,
)


def _last_word(text: str) -> str:
    """Without the clauses whose time the last one replaces: they would only mislead."""
    parts = re.split(r"(?<=[,;，；])", text)
    times = [{m.at or m.text for m in moments.find(part)} for part in parts]
    if len(parts) < 2 or not times[-1] or not _SETTLES.match(parts[-1]):
        return text
    kept = [p for p, at in zip(parts[:-1], times[:-1], strict=True) if not at or at & times[-1]]
    return "".join([*kept, parts[-1]]).strip()


def quoted(text: str) -> str:
    """A message as it stands between quotation marks: with its full stop."""
    return text if not text or text[-1] in ".!?…。！？" else text + "."


def _changed(text: str, subject: str, zh: bool) -> str:
    """ "X is now NEW" for a correction that names only the new value."""
    signals = [s for s in salience.read(text) if s.kind in (Kind.CHANGE, Kind.CORRECTION)]
    if not signals or any(s.kind is Kind.CHANGE for s in signals) or not subject:
        return ""
    correction = signals[0]
    if not correction.when or subjects.terms(text):
        return ""
    article = "" if zh or subject.lower().startswith(("the ", "our ")) else "the "
    return wording.text("now", zh, subject=article + subject, new=correction.when)


def _further(source: Source, now: datetime, zh: bool) -> str:
    kinds = {s.kind for s in salience.read(source.text)}
    body = retold(source.text)
    key = "open" if kinds & {Kind.RISK, Kind.QUESTION} else "fact"
    who = source.who or wording.text("someone", zh)
    return wording.text(key, zh, room=source.room, text=body, who=who)
