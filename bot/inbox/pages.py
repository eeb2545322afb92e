"""What a person's inbox holds now: the same for a command, the command line and the page."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo

from agency import approvals, consents, grid, hours, inbox, personal, policy
from agency.gates import Rules
from agency.inbox import Entry, Kind
from bot import texts
from bot.engine.sessions import Session
from bot.inbox import desks, wording
from bot.inbox.checks import Ear
from bot.inbox.leads import LEADS, Lead
from bot.inbox.lines import SHORT, Lines, Link, Style, no_link, short
from bot.texts import Language
from memory import originals, people
from memory.db import Reader

LATELY = timedelta(days=1)
LOOKED_BACK = 50  # entries of a person among which those told lately are looked for
SHOWN = 5  # of them
LOOKED_AT = 500  # entries among which people are looked for
LOOKED_AHEAD = timedelta(days=400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the operator wants digests."""

    at: time = time(9, 0)
    """The hour of everybody who named none, in the zone of each."""
    enabled: bool = True
    language: str = "auto"
    bot_name: str = "Limen"
    link: Link = no_link


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One entry with the line it makes, and why it is none any more."""

    entry: Entry
    line: str
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One person's inbox at one moment."""

    person: int
    desk: Session | None
    """The DM their digest goes to; None where they have none."""
    lines: Lines
    leads: list[Lead]
    """What waits on them."""
    coming: list[Told]
    """What may be told, the most telling first."""
    fallen: list[Told]
    """What waited and is no longer to be told."""
    told: list[Told]
    """What they were told lately, the newest first."""
    next_at: datetime | None
    """When the next digest is due; None while there will be none."""


def page(
    reader: Reader,
    person: int,
    *,
    rules: Rules,
    settings: Settings,
    now: datetime,
    desk: Session | None = None,
    lang: Language | None = None,
) -> Page:
    """Everything that waits for a person, checked against the present.

    `desk` and `lang` are where and how they are written to, where that is known.
    """
    reachable, ear, waiting = reached(reader, person, rules, desk=desk)
    own = personal.of(reader, person, now=now)
    lang = lang or desks.language(reader, person, reachable, setting=settings.language)
    style = Style(lang=lang, zone=own.zone or rules.speaking.zone, now=now, link=settings.link)
    lines = Lines(reader, style)
    told: list[Entry] = []
    coming: list[Told] = []
    fallen: list[Told] = []
    for entry in waiting:
        line = lines.of(entry, ear.hears(entry.room_id))
        why_not = _twice(entry, told) or ear.why_not(entry, line, now=now)
        found = Told(entry=entry, line=line, why_not=why_not)
        (fallen if why_not else coming).append(found)
        told += [] if why_not else [entry]
    leads = [lead for source in LEADS for lead in source(reader, person, lines)]
    due = next_at(reader, person, reachable, now, rules=rules, settings=settings, now=now)
    return Page(
        person=person, desk=reachable, lines=lines, leads=leads, coming=coming, fallen=fallen,
        told=_told(reader, person, lines), next_at=due,
    )  # fmt: skip


def _twice(entry: Entry, told: list[Entry]) -> str:
    """Why somebody who is in two rooms, or was two people, need not read it once more."""
    same = any(
        one.cause == entry.cause or (entry.originals and set(entry.originals) <= set(one.originals))
        for one in told
    )
    return "they are told of it already" if same else ""


def everybody(reader: Reader) -> list[int]:
    """The people whose inbox holds something, by name."""
    found = {person for person, _ in inbox.awaited(reader)}
    found |= {one.person_id for one in inbox.latest(reader, None, limit=LOOKED_AT)}
    found |= {one.person_id for one in consents.asked(reader, limit=LOOKED_AT)}
    for asked in approvals.asked(reader, limit=LOOKED_AT):
        found |= {one.person_id for one in approvals.approvers(reader, asked.id)}
    known = {one.id: one.name for id in found if (one := people.find(reader, id))}
    return sorted(known, key=lambda id: (known[id].casefold(), id))


def _told(reader: Reader, person: int, lines: Lines) -> list[Told]:
    since = lines.style.now - LATELY
    found = inbox.latest(reader, person, limit=LOOKED_BACK)
    return [
        Told(entry=one, line=_again(reader, one, lines))
        for one in found
        if one.state is inbox.State.TOLD and one.kind is not Kind.REPORT and one.updated_at >= since
    ][:SHOWN]


def left_out(reader: Reader, person: int, *, now: datetime) -> list[Entry]:
    """What was dropped lately, for the operator: nobody was told of it, and why."""
    found = inbox.latest(reader, person, limit=LOOKED_BACK)
    dropped = (one for one in found if one.state is inbox.State.DROPPED)
    return [one for one in dropped if one.updated_at >= now - LATELY][:SHOWN]


def _again(reader: Reader, entry: Entry, lines: Lines) -> str:
    """What an entry told, unless it was taken back since."""
    found = originals.find_many(reader, list(entry.originals))
    if any(one.recalled for one in found):
        return texts.recalled(lines.style.lang)
    return f"{lines.moment(entry.updated_at)} · {short(entry.text, SHORT)}"


def hour(
    reader: Reader, person: int, *, rules: Rules, settings: Settings, now: datetime
) -> tuple[time, tzinfo]:
    """When a person's digest comes: the time of day, and the zone it is meant in."""
    own = personal.of(reader, person, now=now)
    return own.digest_at or settings.at, own.zone or rules.speaking.zone


def next_at(
    reader: Reader,
    person: int,
    desk: Session | None,
    since: datetime,
    *,
    rules: Rules,
    settings: Settings,
    now: datetime,
) -> datetime | None:
    """When what waits since a moment is due: at their hour, after their sleep and their pause.

    An hour that was missed is due at once, as long as its day goes on; None while nothing is.
    """
    if desk is None or not settings.enabled or not inbox.wants_digest(reader, person):
        return None
    wanted = hours.in_chat(reader, desk.id, now=now, settings=rules.speaking)
    at, zone = hour(reader, person, rules=rules, settings=settings, now=now)
    today = now.astimezone(zone).date()
    turn = grid.next_daily(min(since, now), at, zone)
    for _ in range(LOOKED_AHEAD.days):
        slot = policy.awake(turn, wanted)
        if slot - now > LOOKED_AHEAD:
            return None  # paused until they say otherwise
        day = slot.astimezone(zone).date()
        if day >= today and not inbox.had_digest(reader, person, day):
            late = policy.awake(max(slot, now), wanted)
            return slot if late == max(slot, now) else late
        turn = grid.next_daily(turn, at, zone)
    return None


def reached(
    reader: Reader, person: int, rules: Rules, *, desk: Session | None = None
) -> tuple[Session | None, Ear, list[Entry]]:
    """The DM in which most of what waits may be told; of equals the one they were in last."""
    waiting = [one for one in inbox.waiting(reader, person) if one.kind is Kind.DIGEST]
    found = [desk] if desk is not None else desks.desks(reader, person)
    usable = [one for one in found if desks.up(reader, one)] or found
    ears = [(one, Ear(reader, person, one, rules)) for one in usable]
    if not ears:
        return None, Ear(reader, person, None, rules), waiting
    if len(ears) > 1:
        ears.sort(key=lambda one: -sum(one[1].may_hear(entry) for entry in waiting))
    return *ears[0], waiting


def text_of(page: Page) -> str:
    """The inbox as its person reads it."""
    lang = page.lines.style.lang
    parts = [wording.text("inbox", lang)]
    if page.leads:
        parts += ["", wording.text("waits", lang), *(f"- {one.text}" for one in page.leads)]
    if page.coming:
        parts += ["", _heading(page, lang), *(f"- {placed(page, one)}" for one in page.coming)]
    if len(parts) == 1:
        parts = [wording.text("nothing", lang)]
    if page.told:
        parts += ["", wording.text("told", lang), *(f"- {placed(page, o)}" for o in page.told)]
    return "\n".join(parts)


def _heading(page: Page, lang: Language) -> str:
    if page.desk is None:
        return wording.text("coming later", lang)
    if page.next_at is None:
        return wording.text("coming off", lang)
    return wording.text("coming", lang, when=page.lines.moment(page.next_at))


def placed(page: Page, told: Told) -> str:
    """A line with the room it is about."""
    room = page.lines.room(told.entry)
    return f"{room} · {told.line}" if room else told.line
