"""Gives what is due: a reminder as a letter, a task as an input of its chat's agent.

One owner of delivery: the letter. The chat's agent finds a reminder in its history and is not
woken, and both are keyed by schedule and slot, so that no restart gives a turn twice.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from agency import hours, mutes, schedules
from agency.gates import Rules
from agency.schedules import Due, Kind, Outcome, Schedule
from bot.engine import inputs, runs, sessions
from bot.engine.controller import SessionController, Want
from bot.engine.inputs import Entry, Trigger
from bot.engine.runs import Priority
from bot.engine.sessions import Attention
from bot.engine.waits import Clock
from bot.questions import Desk
from bot.rows import Rooms
from bot.timed import keeping, places, wording
from memory import audiences
from memory.db import Reader, Tx
from memory.moments import to_us

LOOK_AGAIN = timedelta(minutes=10)
"""What is held up is looked at so often, whoever ends what holds it up."""
LATE = timedelta(minutes=2)
"""What is given later than this says so."""
_OPEN = frozenset({runs.State.QUEUED, runs.State.RUNNING, runs.State.SUSPENDED})


class Giving:
    """Works off the turns that have come; every method belongs to a transaction."""

    def __init__(
        self, controller: SessionController, clock: Clock, desk: Desk, *, rules: Rules
    ) -> None:
        self._controller = controller
        self._clock = clock
        self._desk = desk
        self._rules = rules

    def next_moment(self, reader: Reader) -> int | None:
        """When `sweep` has something to do next, in stored form."""
        return schedules.next_moment(reader)

    def sweep(self, tx: Tx) -> None:
        """Give every turn that has come, unless something holds it up."""
        now = self._clock()
        for schedule in schedules.due(tx, now=now):
            until = self._held_until(tx, schedule, now)
            if until > now:
                schedules.hold(tx, schedule.id, min(until, now + LOOK_AGAIN), now=now)
                continue
            turn = schedules.turn_of(schedule, now)
            reason = self._unwanted(tx, schedule, now)
            if reason:
                schedules.record(tx, schedule, turn, Outcome.SKIPPED, reason=reason, now=now)
            elif schedule.kind is Kind.TASK:
                self._start(tx, schedule, turn, now)
            else:
                self._say(tx, schedule, turn, now)

    def _held_until(self, reader: Reader, schedule: Schedule, now: datetime) -> datetime:
        """Who timed it themselves waits for a pause alone; a colleague may also be asleep."""
        if not self._rules.speaking.enabled:
            return now + LOOK_AGAIN
        timed = schedule.person_id in (None, schedule.owner_id)
        return hours.first(
            reader, schedule.target_id, now=now, settings=self._rules.speaking, timed=timed
        )

    def _unwanted(self, reader: Reader, schedule: Schedule, now: datetime) -> str:
        session = self._place(reader, schedule)
        target, room = sessions.find(reader, session), audiences.find(reader, session)
        if target is None or target.address is None or room is None:
            return "nobody hears that chat any more"
        if target.attention in (Attention.OFF, Attention.OBSERVE):
            return f"that chat's attention is {target.attention.value!r}"
        if self._gives_away(reader, schedule):
            return "it repeats something said in private"
        person, owner = schedule.person_id, schedule.owner_id
        if person is not None and person != owner:
            if not places.shared(reader, owner, person):
                return "they are in no room with who asked any more"
            chat = target.parent_id or target.id
            if mutes.matches(reader, chat, (person,), "", schedule.body, now) is not None:
                return "they do not want to hear of that"
        if schedule.target_id != schedule.session_id and person is None:
            return "" if owner in room.members else "who asked is not there any more"
        return ""

    def _gives_away(self, reader: Reader, schedule: Schedule) -> bool:
        """Looked at once more: the chat may be another's by now."""
        source = schedule.original_id
        return keeping.gives_away(
            reader,
            schedule.body,
            schedule.target_id,
            allowed=frozenset() if source is None else frozenset({source}),
            rules=self._rules,
            asked=schedule.target_id == schedule.session_id,
        )

    def _place(self, reader: Reader, schedule: Schedule) -> int:
        """Where it is said: of somebody's own not in a room that wants silence, but in their DM."""
        target = sessions.find(reader, schedule.target_id)
        silent = target is not None and target.attention in (Attention.OFF, Attention.OBSERVE)
        if silent and schedule.person_id == schedule.owner_id:
            own = places.direct(reader, schedule.owner_id, near=schedule.target_id)
            return schedule.target_id if own is None else own
        return schedule.target_id

    def _say(self, tx: Tx, schedule: Schedule, turn: Due, now: datetime) -> None:
        key = _key("reminder", schedule, turn)
        session = self._place(tx, schedule)
        body = self._words(tx, schedule, turn, session, now)
        original = self._desk.post(
            tx,
            session,
            key,
            body,
            about=f"schedule:{schedule.id}",
            proactive=True,
            timed=schedule.person_id in (None, schedule.owner_id),
        )
        entry = Entry(
            session_id=session,
            trigger=Trigger.REMINDER,
            parts=({"type": "text", "text": body},),
            key=key,
            metadata={"schedule": schedule.id, "slot": to_us(turn.slot)},
            original_id=original,
            person_id=schedule.person_id,
            origin=f"schedule:{schedule.id}",
            wakes=False,
        )
        self._controller.submit_input(tx, entry)
        schedules.record(tx, schedule, turn, Outcome.GIVEN, original=original, now=now)

    def _words(
        self, reader: Reader, schedule: Schedule, turn: Due, session: int, now: datetime
    ) -> str:
        rooms, lang = Rooms(reader), schedule.language
        room = rooms.audience(session)
        direct = room is not None and room.direct
        own = schedule.person_id == schedule.owner_id
        if schedule.person_id is None:
            name = "all" if schedule.target_id == schedule.session_id else "all elsewhere"
        else:
            name = ("me" if own else "you") + ("" if direct else " here")
        person = rooms.person(schedule.person_id) if schedule.person_id is not None else ""
        said = wording.text(
            name, lang, text=schedule.body, name=person, asker=rooms.person(schedule.owner_id)
        )
        return "\n".join([said, *_excuse(schedule, turn, now)])

    def _start(self, tx: Tx, schedule: Schedule, turn: Due, now: datetime) -> None:
        if any(self._at_work(tx, one) for one in schedules.alike(tx, schedule)):
            reason = "the same was still being done"
            schedules.record(tx, schedule, turn, Outcome.SKIPPED, reason=reason, now=now)
            return
        entry = Entry(
            session_id=schedule.target_id,
            trigger=Trigger.SCHEDULE,
            parts=({"type": "text", "text": schedule.body},),
            key=_key("task", schedule, turn),
            metadata={
                "schedule": schedule.id,
                "slot": to_us(turn.slot),
                "note": " ".join(_excuse(schedule, turn, now)),
            },
            person_id=schedule.owner_id,
            origin=f"schedule:{schedule.id}",
        )
        submitted = self._controller.submit_input(tx, entry, Want(priority=Priority.NUDGE, due=now))
        given = submitted.input_id if submitted else None
        schedules.record(tx, schedule, turn, Outcome.GIVEN, input=given, now=now)

    def _at_work(self, reader: Reader, schedule: Schedule) -> bool:
        last = schedules.turns(reader, schedule.id, limit=1)
        if not last or last[0].input_id is None:
            return False
        given = inputs.get(reader, last[0].input_id)
        if given.state is inputs.State.PENDING:
            return True
        return given.run_id is not None and runs.get(reader, given.run_id).state in _OPEN


def _excuse(schedule: Schedule, turn: Due, now: datetime) -> Iterator[str]:
    """A word on how late it is, where it is."""
    if now - turn.slot < LATE and not turn.missed:
        return
    due = wording.short(turn.slot, schedule.zone, schedule.language, now=now)
    name = "held" if schedule.held else "late"
    more = " more" if turn.missed else ""
    yield wording.text(name + more, schedule.language, due=due, count=turn.missed)


def _key(kind: str, schedule: Schedule, turn: Due) -> str:
    return f"{kind}:{schedule.id}:{to_us(turn.slot)}"
