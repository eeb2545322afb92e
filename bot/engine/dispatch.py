"""Starts runs: the most pressing first, sessions side by side, never two of one session.

What is due at once begins in the commit that made it so (`_also`); for what will be due, or found
no place, there is a loop. Either way a run is claimed and given its inputs in one transaction, and
started by a hook of its commit.

Background runs have few places of their own, so they never hold one a person waits for. One chat
with its threads never holds all places, so that another one's question finds one at once.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from adapters.lasting import lasting
from bot.engine import outages, runs
from bot.engine.breaker import Breaker, Held, Outlasted
from bot.engine.controller import SessionController, Want
from bot.engine.outages import Outage
from bot.engine.runs import Run
from bot.engine.runtime import Begun, Life, Paused, Runtime, Withdrawn
from bot.engine.waits import FULL_S, Bell, Clock, Sleep, look_again
from bot.errors import LimenError, ModelError, ModelLocked, ModelRetry, StaleState
from memory.db import Database, Reader, Tx
from memory.errors import StorageFull
from memory.lanes import pressing
from memory.moments import span_us, to_us

logger = logging.getLogger(__name__)

BACKGROUND = 2  # background runs side by side
AT_ONCE = 4  # runs begun in one transaction; other processes may want some, too
POLL_S = 30.0  # seconds; the bell rings sooner
BACKOFF = timedelta(seconds=5)
BACKOFF_LIMIT = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How much runs at once."""

    places: int = 8
    """Runs people wait for, side by side."""
    background: int = BACKGROUND
    """Background runs beside them."""
    lease: timedelta = timedelta(seconds=60)
    """A run nobody renews for so long is taken back."""
    alone: bool = True
    """No other process works here: at the start, what another one held is taken back at once."""

    @property
    def renewal(self) -> timedelta:
        """How often leases are renewed, and those of others looked at."""
        return self.lease / (2 if self.alone else 3)

    @property
    def share(self) -> int:
        """How many of the places one chat may have: a quarter, and one at least, is for others."""
        return max(1, self.places - max(1, self.places // 4))


class Dispatcher:
    """Claims and carries out due runs until cancelled."""

    def __init__(
        self,
        db: Database,
        runtime: Runtime,
        controller: SessionController,
        life: Life,
        breaker: Breaker,
        *,
        clock: Clock,
        sleep: Sleep,
        bell: Bell,
        owner: str,
        settings: Settings,
        thinks: Callable[[], bool] = lambda: True,
        hide: Callable[[str], str] = str,
    ) -> None:
        """Build one; background runs begin only where `thinks` says so, and `hide` strikes secrets
        out of what is noted of an error."""
        self._db = db
        self._runtime = runtime
        self._controller = controller
        self._life = life
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep
        self._owner = owner
        self._settings = settings
        self._thinks = thinks
        self._hide = hide
        self._group: asyncio.TaskGroup | None = None
        self._active: dict[int, Run] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._dropped: set[int] = set()
        """Runs this process still holds without working on them: nothing could be noted."""
        self._looked_us = 0
        self._resting = False
        self._claiming = False
        self._moved = asyncio.Event()
        """Set when a run or a claim has come to its end."""
        self.bell = bell

    @property
    def busy(self) -> int:
        """Runs being carried out now."""
        return len(self._active)

    async def run(self) -> None:
        """Take back what a dead process held, then start what is due, for ever."""
        await self._db.write(self._recover, owner=self._owner if self._settings.alone else None)
        await self._db.write(outages.look_now, now_us=self._now())
        async with asyncio.TaskGroup() as group:
            group.create_task(lasting("leases", self._renew), name="leases")
            self._group, self._controller.begin = group, self._also
            try:
                await self._look()
            finally:
                self._group = self._controller.begin = None

    async def _look(self) -> None:
        while True:
            try:
                begun, due_us = await self._claim()
            except StorageFull as error:
                logger.error("no run starts: %s", error)
                await self._sleep(FULL_S)
                continue
            if not begun:
                await self.bell.wait(self._idle_s(due_us), self._sleep)

    def _start(self, begun: Begun) -> None:
        if self._group is None:
            return  # it is handed back with all the others, or its lease runs out
        run = begun.run
        self._dropped.discard(run.id)
        self._active[run.id] = run
        task = self._group.create_task(self._carry(begun), name=f"run-{run.id}")
        self._tasks[run.id] = task
        # Not in the task itself: one that is stopped before its first step runs no line of it.
        task.add_done_callback(lambda _: self._over(run.id))

    def _over(self, run: int) -> None:
        del self._active[run], self._tasks[run]
        self._moved.set()
        self.bell.ring()

    async def drain(self) -> None:
        """Start nothing more; returns once every run has come to the end of its step."""
        self._resting = True
        self._runtime.rest()
        while self._claiming or self._tasks:
            self._moved.clear()
            await self._moved.wait()

    async def hand_back(self) -> int:
        """After `run` was cancelled: let all it held go on at once where there is a place."""
        handed = await self._db.write(runs.rest_all, owner=self._owner, now_us=self._now())
        self.bell.ring()  # others may have a place
        return handed

    def stop(self, run: int) -> None:
        """Break off a running run that was settled as cancelled, whatever it waits for."""
        if run in self._tasks:
            self._tasks[run].cancel()

    async def _claim(self) -> tuple[int, int | None]:
        """Begin what is due; how many began, and where none did, when to look again."""
        self._looked_us = self._now()
        if not self._free([one.priority for one in self._active.values()]) or self._resting:
            return 0, None  # whatever is due waits for a place: a bell
        self._claiming = True
        try:
            return await self._db.write(self._begin_due)
        finally:
            self._claiming = False
            self._moved.set()

    def _free(self, active: Sequence[int]) -> list[tuple[range, int]]:
        """The places that are left beside runs of these priorities."""
        behind = sum(one >= runs.BACKGROUND for one in active)
        free = []
        if len(active) - behind < self._settings.places:
            free.append((range(runs.BACKGROUND), self._settings.share))
        if self._thinks() and behind < self._settings.background:
            free.append((range(runs.BACKGROUND, runs.ALL), runs.ALL))
        return free

    def _also(self, tx: Tx) -> None:
        """Begin what this very transaction made due."""
        if self._resting or self._begin_all(tx, self._now())[1]:
            tx.on_commit(self.bell.ring)  # for later, or for another process

    @pressing
    def _begin_due(self, tx: Tx) -> tuple[int, int | None]:
        begun, _ = self._begin_all(tx, self._looked_us)
        return begun, None if begun else self._next(tx)

    def _begin_all(self, tx: Tx, now_us: int) -> tuple[int, bool]:
        """Begin several in one transaction, which share its commit; how many, and whether any is
        left that is due."""
        carried: list[int] | None = None
        outage = self._breaker.look(tx)
        for n in range(AT_ONCE):
            if n and outage is not None:
                outage = self._breaker.look(tx)
            if not runs.is_due(tx, now_us=now_us):
                return n, False
            carried = self._carried(tx) if carried is None else carried
            free = self._free(carried)
            begun = self._begin(tx, free, now_us, outage) if free else None
            if begun is None:
                return n, True
            carried.append(begun.run.priority)
            tx.on_commit(partial(self._start, begun))
        return AT_ONCE, True

    def _carried(self, tx: Tx) -> list[int]:
        """The priorities of the runs that hold a place, as far as anybody has committed."""
        carried = runs.carried_by(tx, self._owner)
        return [carried[run] for run in carried.keys() - self._dropped]

    def _begin(
        self, tx: Tx, free: Sequence[tuple[range, int]], now_us: int, outage: Outage | None
    ) -> Begun | None:
        run = next(filter(None, (self._taken(tx, *places, now_us) for places in free)), None)
        if run is None:
            return None
        try:
            with tx.nested():
                begun = self._runtime.begin(tx, run)
                if begun is not None and outage is not None:
                    self._breaker.admit(tx, outage, begun.run)
        except Held as held:
            runs.hold(tx, run.id)
            self._life.kept_waiting(tx, run, held.outage)
            begun = None
        except Outlasted as error:
            begun = None
            if self._runtime.begin(tx, run) is not None:
                self._end(tx, run, runs.State.FAILED, str(error))
        except (LimenError, LookupError, ValueError) as error:
            # What one run is given must not stop the others.
            logger.exception("run %d could not begin", run.id)
            self._end(tx, run, runs.State.FAILED, str(error))
            begun = None
        if begun is None:
            tx.on_commit(self.bell.ring)  # others may be due
        return begun

    def _taken(self, tx: Tx, priorities: range, share: int, now_us: int) -> Run | None:
        return runs.claim(
            tx,
            owner=self._owner,
            now_us=now_us,
            lease_us=span_us(self._settings.lease),
            priorities=priorities,
            share=share,
        )

    def _idle_s(self, due_us: int | None) -> float:
        looking = look_again(self._clock(), POLL_S)
        return looking if due_us is None else min(looking, max(0.0, (due_us - self._now()) / 1e6))

    def _next(self, reader: Reader) -> int | None:
        asked = self._breaker.next_look(reader)
        due = runs.next_due(reader, after_us=self._looked_us)
        times = [due, asked if asked is not None and asked > self._looked_us else None]
        return min((one for one in times if one is not None), default=None)

    async def _carry(self, begun: Begun) -> None:
        run = begun.run
        try:
            await self._execute(begun)
        except StorageFull as error:
            # Nothing can be noted now. Its lease runs out, and it goes on from its last step.
            self._dropped.add(run.id)
            logger.error("run %d stopped: %s", run.id, error)
        except StaleState as error:
            logger.warning("run %d: %s", run.id, error)

    async def _execute(self, begun: Begun) -> None:
        run = begun.run
        try:
            await self._runtime.execute(begun)
        except (StorageFull, StaleState):
            raise
        except Paused:
            await self._db.write(runs.rest, run.id, owner=self._owner, now_us=self._now())
        except Withdrawn:
            await self._db.write(self._give_up, run, runs.State.CANCELLED, "it was taken back")
        except (ModelRetry, ModelLocked) as error:
            await self._db.write(self._later, run, error, away=self._breaker.failed())
        except Exception as error:
            why = str(error) or type(error).__name__
            if isinstance(error, LimenError):
                logger.warning("run %d (%s) was given up: %s", run.id, run.role, why)
            else:
                logger.exception("run %d failed", run.id)
            await self._db.write(self._give_up, run, runs.State.FAILED, why)

    def _give_up(self, tx: Tx, run: Run, state: runs.State, error: str) -> None:
        """End a run that is still this process's."""
        runs.own(tx, run)
        self._end(tx, run, state, error)

    def _later(self, tx: Tx, run: Run, error: ModelError, *, away: bool) -> None:
        """Try again: with all the others once the model is back, or alone after a while."""
        runs.own(tx, run)
        said = self._hide(str(error))
        outage = self._breaker.note(tx, error, away=away)
        if outage is None and run.attempts >= runs.MAX_ATTEMPTS:
            self._end(tx, run, runs.State.FAILED, said)
            return
        wait = min(BACKOFF_LIMIT, BACKOFF * 2 ** (run.attempts - 1))
        after = error.after if isinstance(error, ModelRetry) else None
        due = to_us(self._clock() + max(wait, timedelta(seconds=after or 0)))
        logger.warning("run %d waits for its model: %s", run.id, said)
        if outage is None:
            runs.requeue(tx, run.id, due_us=due, error=said)
            return
        runs.hold(tx, run.id, error=said, tried=outage.probes + 1, begun=True)
        for one in runs.held(tx):
            self._life.kept_waiting(tx, one, outage)

    def _end(self, tx: Tx, run: Run, state: runs.State, error: str) -> None:
        error = self._hide(error)
        runs.settle(tx, run.id, state, error=error, now_us=self._now())
        self._life.died(tx, run, error)
        want = Want(role=run.role, priority=run.priority)
        self._controller.run_for_waiting(tx, run.session_id, want)

    def _recover(self, tx: Tx, *, owner: str | None = None) -> None:
        """Take back runs nobody renews; with `owner`, all that another process held."""
        for run in runs.lost(tx, now_us=self._now(), owner=owner):
            if run.id in self._active:
                continue
            if run.attempts >= runs.MAX_ATTEMPTS:
                died = f"the process died {run.attempts} times in this run"
                self._end(tx, run, runs.State.FAILED, died)
            else:
                runs.requeue(tx, run.id, due_us=self._now(), error="its process died")
            tx.on_commit(self.bell.ring)

    async def _renew(self) -> None:
        while True:
            await self._sleep(look_again(self._clock(), self._settings.renewal.total_seconds()))
            try:
                if self._active:
                    await self._db.write(self._keep)
                if await self._db.read(runs.lost, now_us=self._now()):
                    await self._db.write(self._recover)
            except StorageFull as error:
                logger.error("leases could not be renewed: %s", error)

    def _keep(self, tx: Tx) -> None:
        until = to_us(self._clock() + self._settings.lease)
        for run in list(self._active):
            runs.renew(tx, run, owner=self._owner, until_us=until)

    def _now(self) -> int:
        return to_us(self._clock())
