"""Which room needs to hear what: a remark here that something said elsewhere changes."""

import datetime as calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from agency import moments, subjects
from agency.salience import Kind
from bot.models.builtin import claims, conflicts, kinship, plain_words, questions, rivals, ties
from bot.models.builtin.claims import Claim
from bot.models.builtin.pair import Pair
from bot.models.builtin.world import Remark, Room, World


class Why(StrEnum):
    """Why a room needs it; the order is that of urgency."""

    STALE = "stale plan"
    UNBLOCKED = "stale wait"
    RISK = "risk meets deadline"
    ANSWER = "question answered elsewhere"
    DUPLICATE = "duplicate work"
    AWAY = "assigned but away"
    DEADLINE = "deadline that concerns them"
    PROMISED = "promise past its time"
    MORE = "more on what they were told"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing one room should hear."""

    why: Why
    target: Room
    here: Remark | None
    """What was said in the target room."""
    there: Remark
    """What was said elsewhere."""
    claim: Claim | None = None
    major: bool = True
    about: dict[str, float] = field(default_factory=dict)
    """What both speak of, where what was said there does not name it."""

    @property
    def topic(self) -> dict[str, float]:
        """Words that tie further facts to this matter."""
        there = self.claim.terms if self.claim else self.there.terms
        here = self.here.terms if self.here else there
        shared = {t: w for t, w in there.items() if t in here}
        if self.claim:
            shared |= self.claim.fresh_terms | self.claim.old_terms
        return shared or dict(there) or self.about or dict(here)


def find(world: World, made: list[Claim]) -> list[Need]:
    """Every need that this wake's messages bring up, the most urgent first."""
    found = [
        *_stale(world, made), *_endangered(world), *_met(world, made), *_unblocked(world, made),
        *_answered(world, made),
        *_duplicates(world), *_away(world), *_expiring(world),
    ]  # fmt: skip
    order = list(Why)
    return sorted(found, key=lambda n: (order.index(n.why), n.there.at), reverse=False)


def _stale(world: World, made: list[Claim]) -> Iterator[Need]:
    for claim in made:
        if claim.replaced or (claim.voided and not claim.old):
            continue
        for remark in world.remarks:
            if remark.room.direct or remark.me or remark.idle or not ties.counts_on(remark):
                continue
            if claim.voided and not _between(claim, remark, made):
                continue
            if not (remark.fresh or _news(claim, made)):
                continue
            if not ties.elsewhere(remark.room, claim.remark):
                continue
            if abs(remark.at - claim.remark.at) > ties.RECENT or not conflicts.conflict(
                claim, remark
            ):
                continue
            if claims.known_in(remark.room, claim, world) or ties.dropped(remark, world):
                continue
            if rivals.two_of_a_kind(remark, claim.remark) or ties.taken_back(claim.remark, world):
                continue
            if rivals.siblings(remark, claim.remark):
                continue
            yield Need(
                why=Why.STALE, target=remark.room, here=remark, there=claim.remark, claim=claim
            )


def _between(claim: Claim, remark: Remark, made: list[Claim]) -> bool:
    """Whether people went by what was decided, before all was left as it had been."""
    return any(
        c.replaced and c.new == claim.old and c.remark.at < remark.at < claim.remark.at
        for c in made
        if c.remark.room.session == claim.remark.room.session
    )


def _news(claim: Claim, made: list[Claim]) -> bool:
    """Whether the claim, or one it replaced, belongs to this wake."""
    return claim.remark.fresh


def _met(world: World, made: list[Claim]) -> Iterator[Need]:
    """A date here and a risk there that endangers it; each side lacks the other's half."""
    for date, risk in ties.pairs(world, _binding, lambda r: r.has(Kind.RISK) or _arrives(r)):
        if not risk.has(Kind.RISK) and (risk.at < date.at or not _too_late(date, risk)):
            continue
        tie = subjects.link(date.terms, risk.terms)
        own = subjects.link(subjects.special(date.terms), subjects.special(risk.terms))
        sure = (tie.strong or tie.count >= 2) and tie.near and own.shared >= 1.0
        if not (sure or _too_late(date, risk)) or not ties.fits(date, risk):
            continue
        dated = date.has(Kind.DEADLINE) or _too_late(date, risk) or _shut_then(date, risk)
        if not (dated or tie.strong):
            continue  # a plan for a day counts only when the very thing is named
        if _harmless(date, risk) or ties.over(risk, world):
            continue
        if not Pair(date, risk, world).trouble and not _arrives(risk):
            continue  # the trouble is with something else
        if not ties.heard(date.room, risk, world) and not _warned(date.room, risk, world):
            yield Need(why=Why.RISK, target=date.room, here=date, there=risk)
        moved = next((c for c in made if c.remark.id == risk.id), None)
        same = (
            moved
            and moved.when
            and (conflicts.conflict(moved, date) or plain_words.MOVED.search(risk.text))
        )
        if not ties.bound(date) or same:
            continue  # the very date was moved: those who moved it know
        if ties.elsewhere(risk.room, date) and not _knows_date(risk, date, world):
            yield Need(why=Why.RISK, target=risk.room, here=risk, there=date, major=False)


def _warned(room: Room, risk: Remark, world: World) -> bool:
    """Whether somebody told a room of the trouble since, in other words."""
    return any(
        r.at >= risk.at and not r.me and not r.has(Kind.QUESTION)
        and plain_words.TROUBLE.search(r.text)
        and max(kinship.shared(r, risk, world).values(), default=0.0) >= _NAMED
        for r in world.within(room)
    )  # fmt: skip


_NAMED = 0.85  # of a word that tells what the trouble is with
_NOT_YET = re.compile(
    r"\b(?:not|isn't|aren't|hasn't|no)\b.*\b(?:yet|ready)\b|还没|尚未|未(?=[就准])", re.I
)


def _endangered(world: World) -> Iterator[Need]:
    """What is awaited here will not come, or not soon."""
    for wait, risk in ties.pairs(world, lambda r: r.has(Kind.WAIT), lambda r: r.has(Kind.RISK)):
        if wait.room.direct or risk.has(Kind.WAIT) or not ties.fits(wait, risk):
            continue
        if risk.at < wait.at or not ties.covers(questions.awaited(wait), risk.terms):
            continue
        if _NOT_YET.search(risk.text) and not risk.times:
            continue  # they know that it is not there yet
        settled = ties.settled(wait, world) or ties.over(risk, world)
        if not settled and not ties.heard(wait.room, risk, world):
            yield Need(why=Why.RISK, target=wait.room, here=wait, there=risk)


def _binding(remark: Remark) -> bool:
    """A date somebody counts on, in a room that can be told."""
    if remark.room.direct or remark.has(Kind.RISK):
        return False
    planned = remark.has(Kind.PLAN, Kind.COMMITMENT, Kind.ASSIGNED) and bool(remark.times)
    deciding = remark.has(Kind.CHANGE) or re.search(r"effective|生效", remark.text, re.I)
    stated = bool(remark.times) and not remark.has(Kind.QUESTION) and ties.counts_on(remark)
    return (remark.has(Kind.DEADLINE) or planned or stated) and not deciding


_SHUT = re.compile(
    r"\b(?:closed|closes|shut|unavailable|out of order|down|off|blocked|reboot\w*|restart\w*|"
    r"paint\w*|renovat\w+|stay out|no access|booked|in use|"
    r"offline|power cut|frozen|freeze|paused|suspended|halted|occupied|taken)\b"
    r"|刷漆|装修|请勿|勿入|关闭|停用|停电|停水|停机|不可用|坏了|占用|被占|重启|检修|冻结|暂停",
    re.I,
)
_ONWARDS = re.compile(
    r"\b(?:as of|from (?:today|now|tomorrow|monday)|starting|until further)\b|起|开始|从今", re.I
)
_ARRIVES = re.compile(
    r"\b(?:comes?|coming|arrives?|arriving|ready|here|back|done|delivered|available|finished|"
    r"complete|fixed|earliest)\b|到货|才|到[，。]|好[，。]|完成|修好",
    re.I,
)


def _arrives(remark: Remark) -> bool:
    """Whether it says on which day something will be there."""
    return bool(remark.times and _ARRIVES.search(remark.text)) and not remark.has(Kind.QUESTION)


def _harmless(date: Remark, risk: Remark) -> bool:
    """Whether the risk names a day that is early enough."""
    days, late = _days(date), _days(risk)
    if _shut_then(date, risk):
        return False
    return bool(days and late) and max(late) <= max(days)


def _shut_then(date: Remark, risk: Remark) -> bool:
    """What is shut on the very day is no use on it."""
    if not _SHUT.search(risk.text):
        return False
    days, shut = _days(date), _days(risk)
    later = bool(days and shut and _ONWARDS.search(risk.text)) and min(shut) <= max(days)
    return later or bool(set(days) & set(shut))


def _days(remark: Remark) -> list[calendar.date]:
    return sorted(moments.days(remark.times, remark.text, remark.at))


def _too_late(date: Remark, risk: Remark) -> bool:
    """Whether the same thing is said to come after the day it is wanted."""
    due, late = _days(date), _days(risk)
    if not (due and late and timedelta(0) < max(late) - max(due) < timedelta(days=60)):
        return False
    return subjects.link(subjects.special(date.terms), subjects.special(risk.terms)).shared >= 1.0


def _knows_date(risk: Remark, date: Remark, world: World) -> bool:
    owners = {s.who for s in date.signals if s.kind is Kind.OWNER} | {date.who}
    if owners & (risk.room.members | {risk.who}):
        return True
    return ties.heard(risk.room, date, world)


def _unblocked(world: World, made: list[Claim]) -> Iterator[Need]:
    old = {c.remark.id for c in made if c.replaced}
    done = (Kind.RESOLUTION, Kind.DONE)
    for wait, news in ties.pairs(world, lambda r: r.has(Kind.WAIT), lambda r: r.has(*done)):
        if not news.has(*done) and not news.at > wait.at:
            continue
        if wait.room.direct or news.id in old or not ties.fits(wait, news):
            continue
        if news.has(Kind.WAIT) or news.at < wait.at - timedelta(hours=24):
            continue
        if not ties.covers(questions.awaited(wait), news.terms | news.room.terms) or ties.undone(
            news, world
        ):
            continue
        if not ties.settled(wait, world) and not ties.heard(wait.room, news, world):
            yield Need(why=Why.UNBLOCKED, target=wait.room, here=wait, there=news)


def _answered(world: World, made: list[Claim]) -> Iterator[Need]:
    old = {c.remark.id for c in made if c.replaced}
    for asked, said in ties.pairs(world, questions.asks, lambda r: not r.has(Kind.WAIT)):
        if said.id in old or said.who == asked.who or not ties.fits(asked, said):
            continue
        if all(s.kind is Kind.QUESTION for s in said.signals) and said.signals:
            continue
        if not ties.covers(questions.asked_terms(asked), said.terms | said.room.terms):
            continue
        if not questions.sure(asked, said):
            continue
        if not questions.informs(asked.text, asked.terms, said) or questions.replied(
            asked, said, world
        ):
            continue
        if not ties.heard(asked.room, said, world):
            yield Need(why=Why.ANSWER, target=asked.room, here=asked, there=said, major=False)


def _duplicates(world: World) -> Iterator[Need]:
    works = (Kind.START, Kind.DONE)
    for start, other in ties.pairs(world, lambda r: r.has(Kind.START), lambda r: r.has(*works)):
        if start.room.direct or other.who == start.who or not ties.fits(start, other):
            continue
        if other.at > start.at and other.has(Kind.START) and not other.has(Kind.DONE):
            continue  # the later starter is told
        if start.who in other.text or not _same_work(start, other):
            continue
        if Pair(start, other, world).cover_here < 0.45:
            continue
        if not ties.settled(start, world) and not ties.heard(start.room, other, world):
            yield Need(why=Why.DUPLICATE, target=start.room, here=start, there=other, major=False)


def _same_work(start: Remark, other: Remark) -> bool:
    verb = start.first(Kind.START)
    words = subjects.terms(verb.text if verb else start.text, [start.who])
    tie = subjects.link(words, other.terms)
    if not (tie.near and (tie.count >= 2 or tie.shared >= 2.0)):
        return False
    return ties.covers(words, other.terms)


def _away(world: World) -> Iterator[Need]:
    """Somebody was put down for a day on which they cannot."""
    for given in world.remarks:
        if given.me or given.room.direct or not given.times:
            continue
        signal = given.first(Kind.ASSIGNED)
        for away in world.remarks:
            if not (given.fresh or away.fresh) or away.me or away.who == given.who:
                continue
            if away.at < given.at - ties.RECENT:
                continue
            named = away.who == signal.who if signal else False
            named = named or _spoken_of(away, given, world)
            named = named or (away.room.direct and away.who in given.text)
            own = away.room.direct and (away.guarded or _MYSELF.search(away.text))
            telling = (
                away.has(Kind.UNAVAILABLE)
                or plain_words.TROUBLE.search(away.text)
                or (own and not away.has(Kind.QUESTION))
            )
            if not named or not telling or away.room.session == given.room.session:
                continue
            if not any(
                claims.same_time(t, given, u, away) for t in given.times for u in away.times
            ):
                continue
            if away.room.direct and _theirs(away, given, world):
                yield Need(why=Why.AWAY, target=away.room, here=away, there=given, major=False)
            elif ties.elsewhere(given.room, away) and not ties.heard(given.room, away, world):
                yield Need(why=Why.AWAY, target=given.room, here=given, there=away, major=False)


def _spoken_of(away: Remark, given: Remark, world: World) -> bool:
    """Whether somebody of one room is said in another to be unable to do what both speak of."""
    names = {name for room in world.rooms.values() for name in room.members if len(name) > 1}
    both = [
        n for n in names if n in given.text and re.match(rf"\W*{re.escape(n)}(?![\w-])", away.text)
    ]
    return bool(both) and not away.room.direct


_MYSELF = re.compile(r"\b(?:i|i['’]m|i['’]ve|i['’]ll|my)\b|我(?!们)", re.I)


def _theirs(away: Remark, given: Remark, world: World) -> bool:
    """Whether the person named is surely the one of this direct chat."""
    same_name = [r for r in world.rooms.values() if r.direct and away.who in r.members]
    return len(same_name) <= 1 or away.who in given.room.members


def _expiring(world: World) -> Iterator[Need]:
    """A date set by people outside, which the ones who deal with it inside have not heard."""
    for said in world.remarks:
        if not said.fresh or not said.shareable or said.has(Kind.QUESTION) or said.me:
            continue
        if not said.times or not plain_words.ENDS.search(said.text):
            continue
        outside = said.who not in {
            name for room in world.rooms.values()
            if room.session != said.room.session and not room.direct
            for name in room.members
        }  # fmt: skip
        target = _inside(said, world) if outside else None
        if target and not ties.heard(target, said, world):
            yield Need(why=Why.DEADLINE, target=target, here=None, there=said, major=False)


def _inside(said: Remark, world: World) -> Room | None:
    """The smallest room of colleagues that shares a member with the outsiders' room."""
    insiders = {
        name for room in world.rooms.values() if room.session != said.room.session
        for name in room.members
    } & said.room.members  # fmt: skip
    about = said.terms | said.room.terms
    concerned = {
        r.who
        for r in world.remarks
        if r.room.session != said.room.session and subjects.link(r.terms, about).loose
    }
    rooms = [
        room
        for room in world.rooms.values()
        if not room.direct and room.session != said.room.session and room.members & insiders
        and not room.record and said.who not in room.members
    ]  # fmt: skip
    rooms.sort(key=lambda r: (not r.members & concerned, len(r.members), r.session))
    return rooms[0] if rooms else None
