"""Promises whose time has passed without a sign of delivery, and those to keep in mind."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from agency import moments, subjects
from agency.salience import Kind
from bot.models.builtin.needs import Need, Why
from bot.models.builtin.world import Remark, Room, World

GRACE = timedelta(minutes=30)
_FORGOTTEN = timedelta(days=21)
_HANDED = re.compile(
    r"\b(?:booked|ordered|paid|called|signed|sent|delivered|done|finished|ready|attached|"
    r"uploaded|here (?:it is|they are|is|are|"
    r"you go)|"
    r"shipped|gave (?:me|us)|handed|have the|got the|pushed|merged|shared|posted|published|"
    r"got (?:it|them)|received|thanks for the|"
    r"completed)\b"
    r"|给我了|还我了|拿到了|发了|已发|传了|已?经?(?:传|放|发|交|给|贴|挂)(?:到|在|进|给)|交了|"
    r"做完了|写完了|完成了|好了|上传了|已上传|收到了|搞定|附件|在这里|已交|"
    r"已完成|发出来了|给了|提交了|合并了|发给",
    re.I,
)
_WITHDRAWN = re.compile(
    r"\b(?:no longer need\w*|not need\w*|instead|later than|new date|postpon\w+|cancel\w*|moved to|"
    r"drop(?:ped)?|will take (?:it|over)|took over|need (?:one )?more|can't make|won't make|"
    r"extended|will take|takes? (?:until|longer)|need (?:more|another|until)|not before)\b"
    r"|不需要了|不用了|取消|改到|推迟|延到|来不及|接手|改为|要到|得等|可能要|赶不",
    re.I,
)


def due(promise: Remark) -> datetime | None:
    """When a promise runs out; None where it names no time."""
    for signal in promise.signals:
        if signal.kind is Kind.COMMITMENT:
            times = moments.find(signal.text)
            if times:
                return max(t.due_from(promise.at) for t in times)
    return None


_FIRM = re.compile(
    r"\b(?:by|before|until|till|no later than|promise|at the latest|due)\b|前|之前|以内|内|最晚|"
    r"最迟|一定|保证"
    r"|\b(?:send|deliver|submit|hand|upload|share|publish|finish|complete|ship|post|provide|"
    r"forward|"
    r"get (?:it|them|you)|have (?:it|them)|pay|sign|return|reply|answer|call|book|order)\b"
    r"|发|交|提交|给|上传|寄|付|签|回复|完成|做完|写完|搞定|弄好|订",
    re.I,
)
"""A promise others can count on, not only a note on what somebody is at."""


def overdue(world: World) -> Iterator[Need]:
    """Reminders for the owner: in the direct chat if there is one, else where it was promised."""
    for promise in world.remarks:
        until = due(promise) if _binds(promise) else None
        if until is None or not until < world.now < until + _FORGOTTEN:
            continue
        if _kept(promise, world):
            continue
        target = _direct(promise, world) or promise.room
        yield Need(why=Why.PROMISED, target=target, here=None, there=promise, major=False)


def ahead(world: World) -> Iterator[tuple[Remark, datetime]]:
    """New promises with a time still to come."""
    for promise in world.remarks:
        until = due(promise) if promise.fresh and _binds(promise) else None
        if until is not None and until > world.now:
            yield promise, until + GRACE


def _binds(promise: Remark) -> bool:
    if promise.me or promise.idle or promise.guarded:
        return False
    return any(
        s.kind is Kind.COMMITMENT and s.when and _FIRM.search(s.text) for s in promise.signals
    )


def _kept(promise: Remark, world: World) -> bool:
    """Whether it was delivered, moved or made needless."""
    for later in world.remarks:
        if later.at <= promise.at and later.id != promise.id and later.at != promise.at:
            continue
        if later.id == promise.id or later.me:
            continue
        tie = subjects.link(promise.terms, later.terms)
        same_room = later.room.session == promise.room.session
        owner = later.who == promise.who
        if _again(promise, later) or (
            same_room and (owner or tie.shared > 0) and _WITHDRAWN.search(later.text)
        ):
            return True
        done = later.has(Kind.DONE, Kind.RESOLUTION) or _HANDED.search(later.text)
        if not done or later.has(Kind.QUESTION, Kind.WAIT):
            continue
        if owner and (tie.shared > 0 or same_room or later.room.direct):
            return True
        theirs = tie.near and promise.who in later.text
        if tie.shared > 0 and (same_room or theirs) and not later.has(Kind.RISK):
            return True
        if same_room and later.reply_to == promise.id:
            return True
    return any(promise.id in (h.get("sources") or ()) and h.get("kind") == "reminder"
               for h in world.handoffs)  # fmt: skip


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
