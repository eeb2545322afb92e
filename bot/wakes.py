"""What happens by itself: the agency woken, handoffs that waited, heartbeats, memory bursts.

Each is an alarm: a moment read from the database, and a write done when it has come.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import takewhile

from agency import coalescing, fires, handoffs, intentions
from bot.engine import runs, sessions
from bot.engine.controller import Delivery, SessionController, Want
from bot.engine.inputs import Entry, Trigger
from bot.engine.leases import Store
from bot.engine.runs import Priority
from bot.engine.waits import FULL_S, Bell, Clock, Sleep, look_again
from bot.news import ripe
from bot.speaking import Speaking
from memory import facts, originals
from memory.db import Reader, Tx
from memory.errors import StorageFull
from memory.moments import span_us, to_us

logger = logging.getLogger(__name__)

POLL_S = 60.0  # seconds; the bell rings sooner
AGENCY = "agency"  # the name of the one agency session
REST = timedelta(minutes=1)  # after an agency run failed, before its fires are tried again
DOUBLINGS = 8  # looks around in a row that are counted
SELDOM = timedelta(days=1)  # the longest an idle agency waits until it looks around
_HOW = {
    Delivery.QUEUED: fires.State.SUBMITTED,
    Delivery.MERGED: fires.State.MERGED,
    Delivery.STEERED: fires.State.STEERED,
}


class Alarm:
    """Does something whenever its moment has come, until cancelled."""

    def __init__(
        self,
        db: Store,
        clock: Clock,
        sleep: Sleep,
        *,
        bell: Bell,
        due: Callable[[Reader], int | None],
        act: Callable[[Tx], None],
        rest: timedelta = timedelta(0),
    ) -> None:
        self._db = db
        self._clock = clock
        self._sleep = sleep
        self._due = due
        self._act = act
        self._rest_us = span_us(rest)
        self.bell = bell

    async def run(self) -> None:
        """Look, wait, act, for ever; between two looks there is a rest, unless something is due."""
        acted: int | None = None
        while True:
            self.bell.forget()
            looked = to_us(self._clock())
            due = await self._db.read(self._due)
            if due == acted:
                due = None  # it was acted on and has not passed: it waits for a bell, not a spin
            if due is not None and due <= to_us(self._clock()):
                acted = due if await self._acted() else None
                continue
            acted = None
            await self.bell.wait(self._until(due), self._sleep)
            rest = min(self._until(looked + self._rest_us), self._until(due))
            if rest > 0:
                await self._sleep(rest)

    async def _acted(self) -> bool:
        try:
            await self._db.write(self._act)
        except StorageFull as error:
            logger.error("what is due waits: %s", error)
            await self._sleep(FULL_S)
            return False
        return True

    def _until(self, moment: int | None) -> float:
        now = self._clock()
        looking = look_again(now, POLL_S)
        return looking if moment is None else min(looking, max(0.0, (moment - to_us(now)) / 1e6))


class AgencyWakes:
    """Gives the pending fires to the agency when the coalescer says so."""

    def __init__(
        self, controller: SessionController, clock: Clock, *, settings: coalescing.Settings
    ) -> None:
        self._controller = controller
        self._clock = clock
        self._settings = settings

    def due(self, reader: Reader) -> int | None:
        """When to wake it next; None while it has its hands full."""
        now_us = to_us(self._clock())
        session = sessions.named(reader, AGENCY)
        current = runs.open_of(reader, session.id) if session else None
        if current and len(fires.of_run(reader, current.id)) >= self._settings.batch:
            return None
        waiting = coalescing.waiting(reader, self._settings)
        due = coalescing.due(waiting, self._settings, now_us=now_us)
        return due if due is None else max(due, self._rested(reader, now_us))

    def _rested(self, reader: Reader, now_us: int) -> int:
        """When it may try again after a run of its that failed."""
        last = runs.latest(reader, role=AGENCY, limit=1)
        if not last or last[0].state is not runs.State.FAILED or last[0].finished_at is None:
            return 0
        return to_us(last[0].finished_at) + span_us(REST)

    def wake(self, tx: Tx) -> None:
        """Hand over what is pending, as one input of the one agency session."""
        now = self._clock()
        now_us = to_us(now)
        found = fires.pending(tx, limit=self._settings.batch)
        if not found:
            return
        session = sessions.inner(tx, sessions.Kind.AGENCY, AGENCY, now_us=now_us)
        ids = sorted(fire.id for fire in found)
        idle = all(fire.kind is fires.Kind.HEARTBEAT for fire in found)
        entry = Entry(
            session_id=session.id,
            trigger=Trigger.AGENCY_FIRE,
            parts=(),
            key=f"fires:{ids[0]}-{ids[-1]}:{now_us}:{sum(fire.attempts for fire in found)}",
            metadata={"fires": ids},
        )
        want = Want(role=AGENCY, priority=Priority.IDLE if idle else Priority.AGENCY, due=now)
        submitted = self._controller.submit_input(tx, entry, want)
        if submitted is not None and submitted.run_id is not None:
            how = _HOW[submitted.delivery]
            fires.hand_over(tx, ids, run=submitted.run_id, how=how)


class Heartbeats:
    """Lets the agency look around when nothing else happens, and only if something has.

    One look for all sessions together. Each that comes to nothing makes the next wait twice as
    long, up to a day; all of it is known from rows, before any model is asked.
    """

    def __init__(self, clock: Clock, *, interval: timedelta) -> None:
        self._clock = clock
        self._interval_us = span_us(interval)

    def due(self, reader: Reader) -> int | None:
        """An interval after the last happening; None when nothing happened since the last beat."""
        beats = fires.heartbeats(reader, limit=DOUBLINGS)
        newest = fires.newest_at(reader)
        if newest is None or (beats and to_us(beats[0].created_at) >= newest):
            return None
        session = sessions.named(reader, AGENCY)
        if session is not None and runs.open_of(reader, session.id) is not None:
            return None  # it is looking already
        fruitless = len(list(takewhile(partial(_fruitless, reader), beats)))
        return newest + max(self._interval_us, min(self._interval_us << fruitless, span_us(SELDOM)))

    def beat(self, tx: Tx) -> None:
        """Queue one heartbeat, unless the agency has something to do."""
        now_us = to_us(self._clock())
        session = sessions.inner(tx, sessions.Kind.AGENCY, AGENCY, now_us=now_us)
        busy = runs.open_of(tx, session.id) is not None or fires.pending(tx, limit=1)
        text = "Nothing new for a while. Anything promised, awaited or at risk that is due now?"
        event = fires.Event(
            kind=fires.Kind.HEARTBEAT, key=f"heartbeat:{now_us}", payload={"text": text}
        )
        if not busy:
            fires.observe(tx, event, now_us=now_us)


def _fruitless(reader: Reader, beat: fires.Fire) -> bool:
    """Whether the agency had nothing to hand over when it looked around."""
    run = beat.agency_run_id
    return run is not None and not handoffs.by_agency_run(reader, run)


class Moments:
    """Handoffs, consents and intentions whose time has come."""

    def __init__(self, speaking: Speaking, clock: Clock, *, wishes: bool = True) -> None:
        """Build it; without `wishes` intentions rest."""
        self._speaking = speaking
        self._clock = clock
        self._wishes = wishes

    def due(self, reader: Reader) -> int | None:
        """The first of them."""
        wished = intentions.next_moment(reader) if self._wishes else None
        times = (self._speaking.next_moment(reader), wished)
        return min((time for time in times if time is not None), default=None)

    def act(self, tx: Tx) -> None:
        """Do what they ask for."""
        now_us = to_us(self._clock())
        self._speaking.sweep(tx)
        if not self._wishes:
            return
        for intention in intentions.expired(tx, now_us=now_us):
            reason = "nobody waits for it any longer"
            intentions.close(tx, intention.id, done=False, reason=reason, now_us=now_us)
        for intention in intentions.due(tx, now_us=now_us):
            if intentions.ripen(tx, intention.id, now_us=now_us):
                fires.observe(tx, ripe(intention, None), now_us=now_us)


@dataclass(frozen=True, slots=True, kw_only=True)
class BurstSettings:
    """When talk is read for facts."""

    quiet: timedelta = timedelta(seconds=90)
    """After so long without a message."""
    messages: int = 60
    """Or when so many are unread; also the most that are read at once."""
    sessions: int = 50
    """Conversations looked at, the longest at rest first."""


class Bursts:
    """Starts a memory run for a stretch of talk that has come to rest."""

    def __init__(
        self, controller: SessionController, clock: Clock, *, settings: BurstSettings
    ) -> None:
        self._controller = controller
        self._clock = clock
        self._settings = settings

    def due(self, reader: Reader) -> int | None:
        """When the first unread stretch has come to rest."""
        times = [self._ready(reader, one) for one in self._stirred(reader)]
        return min((time for time in times if time is not None), default=None)

    def act(self, tx: Tx) -> None:
        """Queue a memory run for every stretch that has."""
        now = self._clock()
        for session in self._stirred(tx):
            ready = self._ready(tx, session)
            if ready is not None and ready <= to_us(now):
                self._start(tx, session.id)

    def _stirred(self, reader: Reader) -> list[sessions.Session]:
        return sessions.stirred(reader, limit=self._settings.sessions)

    def _ready(self, reader: Reader, session: sessions.Session) -> int | None:
        covered = facts.summary(reader, session.id).covered
        limit = self._settings.messages
        unread = originals.count_since(reader, session.id, covered, limit=limit)
        inner = sessions.named(reader, _name(session.id))
        if inner is not None and runs.open_of(reader, inner.id) is not None:
            return None
        if unread == limit:
            return to_us(session.last_at)
        return to_us(session.last_at) + span_us(self._settings.quiet)

    def _start(self, tx: Tx, session: int) -> None:
        now = self._clock()
        covered = facts.summary(tx, session).covered
        unread = originals.since(tx, session, covered, limit=self._settings.messages)
        if len(unread) < self._settings.messages:
            sessions.rest(tx, session)
        if not unread:
            return
        inner = sessions.inner(
            tx, sessions.Kind.MEMORY, _name(session), parent=session, now_us=to_us(now)
        )
        entry = Entry(
            session_id=inner.id,
            trigger=Trigger.BURST,
            parts=(),
            key=f"burst:{session}:{covered}:{unread[-1].id}",
            metadata={
                "session": session,
                "after": covered,
                "until": unread[-1].id,
                "limit": self._settings.messages,
            },
        )
        want = Want(role="memory", priority=Priority.MEMORY, due=now)
        self._controller.submit_input(tx, entry, want)


def _name(session: int) -> str:
    return f"memory:{session}"
