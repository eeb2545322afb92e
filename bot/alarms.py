"""What happens by itself, each an alarm of its own, and the bells that ring sooner."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from datetime import timedelta
from functools import partial
from typing import Self

from agency.budgets import Purpose
from bot import derived
from bot.approving import Approving
from bot.behind import Behind
from bot.budgeting import Budgeting
from bot.engine.controller import SessionController
from bot.engine.leases import Store
from bot.engine.waits import Bell, Clock, Sleep
from bot.footing import Footing
from bot.inbox.digests import Digests
from bot.questions import Desk
from bot.reminding import Reminding
from bot.safekeeping.retention import Retention
from bot.setup.config import Config
from bot.speaking import Speaking
from bot.timed.giving import Giving
from bot.waiting import Waiting
from bot.wakes import AgencyWakes, Alarm, Bursts, BurstSettings, Heartbeats, Moments
from memory.db import Reader, Tx

BREATH = timedelta(milliseconds=50)  # how often the agency's does, however many messages come
LEISURE = timedelta(seconds=1)  # how often alarms look at what only matters to the minute


@dataclass(frozen=True, slots=True)
class Bells:
    """One for every waiting loop."""

    runs: Bell = field(default_factory=Bell)
    outbox: Bell = field(default_factory=Bell)
    agency: Bell = field(default_factory=Bell)
    moments: Bell = field(default_factory=Bell)
    bursts: Bell = field(default_factory=Bell)
    heart: Bell = field(default_factory=Bell)
    listener: Bell = field(default_factory=Bell)
    files: Bell = field(default_factory=Bell)
    approvals: Bell = field(default_factory=Bell)
    waits: Bell = field(default_factory=Bell)
    digests: Bell = field(default_factory=Bell)
    reminders: Bell = field(default_factory=Bell)
    retention: Bell = field(default_factory=Bell)
    behind: Bell = field(default_factory=Bell)

    @property
    def heard(self) -> tuple[Bell, ...]:
        """Those that ring when something came in."""
        return (
            self.listener, self.agency, self.bursts, self.moments, self.heart, self.behind,
        )  # fmt: skip

    @property
    def every(self) -> list[Bell]:
        """All of them."""
        return [getattr(self, one.name) for one in fields(self)]

    @classmethod
    def echoing(cls, announce: Callable[[str], None]) -> Self:
        """Bells that are heard in the other processes too, by their names."""
        return cls(**{one.name: Bell(partial(announce, one.name)) for one in fields(cls)})

    def hear(self, word: str) -> None:
        """Wake what another process has rung; other words are not for bells."""
        bell = getattr(self, word, None)
        if isinstance(bell, Bell):
            bell.wake()


def alarms(
    config: Config,
    db: Store,
    gate: SessionController,
    speaking: Speaking,
    bells: Bells,
    *,
    approving: Approving,
    desk: Desk,
    digests: Digests,
    budgeting: Budgeting,
    waiting: Waiting,
    giving: Giving,
    footing: Footing,
    clock: Clock,
    sleep: Sleep,
) -> dict[str, Alarm]:
    """Those that the settings ask for, by name."""
    made: dict[str, Alarm] = {}

    def add(
        name: str,
        bell: Bell,
        due: Callable[[Reader], int | None],
        act: Callable[[Tx], None],
        rest: timedelta = LEISURE,
        purpose: Purpose | None = None,
    ) -> None:
        if purpose is not None:
            due = footing.within(budgeting.within(purpose, due))
        made[name] = Alarm(db, clock, sleep, bell=bell, due=due, act=act, rest=rest)

    moments = Moments(speaking, clock, wishes=derived.wishes(config))
    add("moments", bells.moments, moments.due, moments.act)
    add("approvals", bells.approvals, approving.next_moment, approving.sweep)
    reminding = Reminding(clock, desk, rules=speaking.rules)
    add("consents", bells.approvals, reminding.next_moment, reminding.sweep)
    if config.bot.behind_after > timedelta(0):
        behind = Behind(
            clock, bells.outbox, after=config.bot.behind_after, language=config.bot.language
        )
        add("behind", bells.behind, behind.due, behind.act)
    if config.duties.reminders:
        add("reminders", bells.reminders, giving.next_moment, giving.sweep)
    add("digests", bells.digests, digests.due, digests.give)
    kept = Retention(clock, settings=derived.retention(config))
    add("retention", bells.retention, kept.due, kept.act)
    if config.agency.memory:
        bursts = Bursts(gate, clock, settings=BurstSettings())
        add("bursts", bells.bursts, bursts.due, bursts.act, purpose=Purpose.MEMORY)
    if derived.waits(config):
        add("waits", bells.waits, waiting.due, waiting.act)
    if derived.thinks(config):
        wakes = AgencyWakes(gate, clock, settings=derived.patience(config))
        add("agency", bells.agency, wakes.due, wakes.wake, BREATH, Purpose.AGENCY)
    if derived.relays(config) and config.agency.heartbeat > timedelta(0):
        hearts = Heartbeats(clock, interval=config.agency.heartbeat)
        add("heartbeat", bells.heart, hearts.due, hearts.beat, purpose=Purpose.AGENCY)
    return made
