"""Tells the admins in private what only a person can mend: a platform that is down, a room lost.

health · failed letters · failed runs ─► notices, each with a key of its own ─► an admin's DM, once
"""

import hashlib
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from agency import budgets, fires
from bot import health, texts
from bot.engine import letters, outages, runs, sessions
from bot.engine.leases import Store
from bot.engine.letters import Draft
from bot.engine.sessions import Session
from bot.engine.waits import Bell, Clock, Sleep, look_again
from bot.inbox import filling
from bot.rows import Rooms
from memory import audiences, originals, people
from memory.db import Reader, Tx
from memory.errors import StorageFull
from memory.moments import to_us

logger = logging.getLogger(__name__)

LOOK_S = 30.0  # seconds between two looks
OUTAGE = timedelta(minutes=2)  # a shorter one mends itself
OUTAGES = 3  # of one platform that are told in `CALM`: one that comes and goes would fill the DM
CALM = timedelta(hours=6)
LATELY = timedelta(hours=1)  # what failed earlier was told by an earlier process, or is too old
MOST = 20  # failures of a kind looked at
SHORT = 300  # signs of a reason
DOWN = "down"
OWN = "notice:"  # how the keys of these letters begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something an admin has to know."""

    key: str
    """The same for the same trouble, for ever."""
    name: str
    """Which text of `bot.texts` tells it."""
    values: dict[str, str]
    session: int | None = None
    """The room it is about, which may be none of an admin's business."""
    levels: tuple[tuple[str, str], ...] = ()
    """What may spend another part of the day's budget than before: purpose and level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeSettings:
    """Whom to tell, and how."""

    admins: tuple[str, ...]
    """`platform:id`, as `[access] admins` names them."""
    language: str


class Notices:
    """Looks for trouble until cancelled; does nothing where nobody is an admin."""

    def __init__(
        self,
        db: Store,
        clock: Clock,
        sleep: Sleep,
        *,
        outbox_bell: Bell,
        settings: NoticeSettings,
        more: Callable[[datetime], list[Notice]] = lambda _: [],
    ) -> None:
        """Build it; `more` is what is known in this process alone."""
        self._db = db
        self._clock = clock
        self._sleep = sleep
        self._outbox_bell = outbox_bell
        self._settings = settings
        self._more = more
        self._told: set[str] = set()
        self._outages: dict[str, list[datetime]] = {}
        """When an outage of each platform was told lately."""

    async def run(self) -> None:
        """Tell every trouble once, as soon as an admin can be reached."""
        while self._settings.admins:
            await self._sleep(look_again(self._clock(), LOOK_S))
            try:
                await self._look()
            except StorageFull as error:
                logger.error("the admins could not be told: %s", error)

    async def _look(self) -> None:
        now = self._clock()
        found = self._more(now) + await self._db.read(troubles, now=now)
        fresh = [one for one in found if one.key not in self._told and not self._enough(one, now)]
        if not fresh or not await self._db.write(self._tell, fresh):
            return
        self._told.update(one.key for one in fresh)
        for one in fresh:
            if one.name == DOWN:
                self._outages.setdefault(one.values["platform"], []).append(now)

    def _enough(self, notice: Notice, now: datetime) -> bool:
        """Whether its platform's coming and going was told often enough for now."""
        if notice.name != DOWN:
            return False
        lately = [at for at in self._outages.get(notice.values["platform"], []) if now - at < CALM]
        self._outages[notice.values["platform"]] = lately
        return len(lately) >= OUTAGES

    def _tell(self, tx: Tx, notices: Sequence[Notice]) -> bool:
        """Write to every admin whose DM can be reached; whether there was one."""
        desks = [desk for admin in self._settings.admins if (desk := _desk(tx, admin))]
        for desk in desks:
            for notice in notices:
                self._write(tx, desk, notice)
        for notice in notices if not desks else ():
            self._keep(tx, notice)
        tx.on_commit(self._outbox_bell.ring)
        return bool(desks)

    def _write(self, tx: Tx, desk: Session, notice: Notice) -> None:
        if desk.address is None:
            return
        last = originals.recent(tx, desk.id, limit=1)
        lang = texts.language(last[0].body if last else "", setting=self._settings.language)
        draft = Draft(
            key=f"{OWN}{_digest(notice.key)}:{desk.id}",
            session_id=desk.id,
            address=desk.address,
            body=texts.notice(
                notice.name,
                lang,
                **notice.values,
                room=_room(tx, desk, notice, lang),
                levels=texts.levels(notice.levels, lang),
            ),
        )
        now_us = to_us(self._clock())
        letters.post(tx, draft, now_us=now_us)
        room = audiences.find(tx, desk.id)
        for person in room.members if room else ():
            filling.alert(tx, _digest(notice.key), person, draft.body, draft.key, now_us=now_us)

    def _keep(self, tx: Tx, notice: Notice) -> None:
        """No admin can be written to: it waits in their inboxes, where they may look."""
        lang = texts.language("", setting=self._settings.language)
        levels = texts.levels(notice.levels, lang)
        room = texts.closed_room(lang, notice.session) if notice.session else ""
        body = texts.notice(notice.name, lang, **notice.values, room=room, levels=levels)
        for admin in self._settings.admins:
            platform, _, native = admin.partition(":")
            for person in people.of_native(tx, platform, native):
                now_us = to_us(self._clock())
                filling.alert(tx, _digest(notice.key), person, body, "", now_us=now_us)


def troubles(reader: Reader, *, now: datetime) -> list[Notice]:
    """What is wrong now that a person has to mend."""
    return [
        *_outages(reader, now),
        *_model(reader, now),
        *_lost_letters(reader, now),
        *_lost_runs(reader, now),
        *_dead_fires(reader, now),
        *_budget(reader, now),
    ]


def _outages(reader: Reader, now: datetime) -> list[Notice]:
    return [
        Notice(
            key=f"down:{one.name}:{to_us(one.since)}",
            name=DOWN,
            values={"platform": one.name, "reason": _short(one.note)},
        )
        for one in health.every(reader)
        if not one.up and now - one.since >= OUTAGE
    ]


def _model(reader: Reader, now: datetime) -> list[Notice]:
    away = outages.current(reader)
    if away is None or now - away.began_at < OUTAGE:
        return []
    return [Notice(key=f"model:{away.id}", name="model", values={"reason": _short(away.error)})]


def _lost_letters(reader: Reader, now: datetime) -> list[Notice]:
    return [
        Notice(
            key=f"letter:{one.address}:{_kind(one.error)}",
            name="letter",
            values={"platform": one.address.platform, "reason": _short(one.error)},
            session=one.session_id,
        )
        for one in letters.failed_lately(reader, limit=MOST)
        if not one.key.startswith(OWN) and one.error not in letters.NO_FAULTS
        if one.settled_at and now - one.settled_at < LATELY
    ]


def _room(reader: Reader, desk: Session, notice: Notice, lang: texts.Language) -> str:
    """What a room is called, where it is open, a DM, or one the admin is in too."""
    room = audiences.find(reader, notice.session) if notice.session else None
    own = audiences.find(reader, desk.id)
    if room is None or own is None:
        return ""
    if room.open or room.direct or own.members <= room.members:
        return Rooms(reader).called(notice.session)
    return texts.closed_room(lang, room.session_id)


def _lost_runs(reader: Reader, now: datetime) -> list[Notice]:
    return [
        Notice(
            key=f"run:{one.finished_at:%Y-%m-%d}:{_kind(one.error)}",
            name="run",
            values={"role": one.role, "reason": _short(one.error)},
        )
        for one in runs.failed_lately(reader, limit=MOST)
        if one.finished_at and now - one.finished_at < LATELY
    ]


def _budget(reader: Reader, now: datetime) -> list[Notice]:
    """What a day's budget came to, all that changed at a moment in one notice."""
    found = budgets.lately(reader, since_us=to_us(now - LATELY))
    moments = [list(group) for _, group in groupby(found, key=lambda one: one.at)]
    return [
        Notice(
            key=f"budget:{to_us(group[0].at)}",
            name="budget",
            values={"used": f"{group[0].used:.0%}".rstrip("%")},
            levels=tuple((one.purpose.value, one.level.value) for one in group),
        )
        for group in moments
    ]


def _dead_fires(reader: Reader, now: datetime) -> list[Notice]:
    return [
        Notice(
            key=f"fire:{one.created_at:%Y-%m-%d}:{_kind(one.error)}",
            name="fire",
            values={"fire": f"f{one.id}", "reason": _short(one.error)},
        )
        for one in fires.dead(reader, limit=MOST)
        if now - one.created_at < LATELY
    ]


def _desk(reader: Reader, admin: str) -> Session | None:
    """The DM an admin can be reached in: where they were last, on a platform that is up."""
    up = {one.name for one in health.every(reader) if one.up}
    platform, _, native = admin.partition(":")
    found = [
        session
        for person in people.of_native(reader, platform, native)
        for id in audiences.heard_by(reader, person)
        if (session := _direct(reader, id)) and session.address and session.address.platform in up
    ]
    return max(found, key=lambda one: one.last_at, default=None)


def _direct(reader: Reader, id: int) -> Session | None:
    audience, session = audiences.find(reader, id), sessions.find(reader, id)
    direct = audience is not None and audience.direct
    return session if direct and session and session.parent_id is None else None


def _kind(error: str) -> str:
    """A reason without what differs from one time to the next."""
    return re.sub(r"\w*\d\w*", "", error)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def _short(reason: str) -> str:
    flat = " ".join(reason.split())
    return flat if len(flat) <= SHORT else flat[: SHORT - 1] + "…"
