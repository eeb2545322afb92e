"""Promises whose time has passed without a sign of delivery."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from agency import fulfilment, moments, subjects
from agency.fulfilment import FIRM, HANDED, OWN_AFFAIRS, Later
from agency.salience import Kind
from bot.models.builtin.needs import Need, Why
from bot.models.builtin.world import Remark, Room, World

_FORGOTTEN = timedelta(days=21)


def due(promise: Remark) -> datetime | None:
    """When a promise runs out; None where it names no time."""
    for signal in promise.signals:
        if signal.kind is Kind.COMMITMENT:
            times = moments.find(signal.text)
            if times:
                return max(t.due_from(promise.at) for t in times)
    return None


def overdue(world: World) -> Iterator[Need]:
    """Reminders for the owner: in the direct chat if there is one, else where it was promised."""
    for promise in world.remarks:
        until = due(promise) if _binds(promise) else None
        if until is None or not until < world.now < until + _FORGOTTEN:
            continue
        if promise.id in world.settled or _kept(promise, world):
            continue
        target = _direct(promise, world) or promise.room
        yield Need(why=Why.PROMISED, target=target, here=None, there=promise, major=False)


def _binds(promise: Remark) -> bool:
    if promise.me or promise.idle or promise.has(Kind.PRIVATE):
        return False
    return any(
        s.kind is Kind.COMMITMENT
        and s.when
        and FIRM.search(s.text)
        and not OWN_AFFAIRS.search(s.text)
        for s in promise.signals
    )


def _kept(promise: Remark, world: World) -> bool:
    """Whether it was delivered, moved or made needless."""
    for later in world.remarks:
        if later.at <= promise.at and later.id != promise.id and later.at != promise.at:
            continue
        if later.id == promise.id or later.me:
            continue
        if _again(promise, later) or fulfilment.keeps(
            promise.terms, _seen(promise, later), promise.text
        ):
            return True
        done = later.has(Kind.DONE, Kind.RESOLUTION) or HANDED.search(later.text)
        if not done or later.has(Kind.QUESTION, Kind.WAIT):
            continue
        if later.who == promise.who and later.room.direct:
            return True
        tie = subjects.link(promise.terms, later.terms)
        if tie.near and promise.who in later.text and not later.has(Kind.RISK):
            return True
    return any(promise.id in (h.get("sources") or ()) and h.get("kind") == "reminder"
               for h in world.handoffs)  # fmt: skip


def _seen(promise: Remark, later: Remark) -> Later:
    return Later(
        text=later.text,
        terms=later.terms,
        kinds=[signal.kind for signal in later.signals],
        by_owner=later.who == promise.who,
        same_room=later.room.session == promise.room.session,
        answers=later.reply_to == promise.id,
    )


def _again(promise: Remark, later: Remark) -> bool:
    """A later promise of the same thing takes its place."""
    if later.who != promise.who or not later.has(Kind.COMMITMENT) or not later.times:
        return False
    return subjects.link(promise.terms, later.terms).shared > 0


def _direct(promise: Remark, world: World) -> Room | None:
    if promise.room.direct:
        return promise.room
    for remark in world.remarks:
        if remark.room.direct and promise.person and remark.person == promise.person:
            return remark.room
    named = [r for r in world.rooms.values() if r.direct and promise.who in r.members]
    return named[0] if len(named) == 1 else None
