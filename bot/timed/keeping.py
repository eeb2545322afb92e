"""Sets, changes and ends reminders, tasks and wishes for whoever asks, within what they may."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from agency import conditions, intentions, schedules, whens, wishes
from agency.gates import Rules
from agency.grid import Grid
from agency.guard import leak
from agency.hearing import Hearing
from agency.intentions import Intention, Wish
from agency.schedules import Kind, Plan, Schedule
from agency.whens import When
from bot.engine import sessions
from bot.engine.waits import Clock
from bot.questions import Desk
from bot.rows import Rooms, Row, at
from bot.texts import Language
from bot.timed import places, wording
from bot.timed.places import Admits, NoPlace, Place
from memory import audiences, originals
from memory.db import Reader, Tx
from memory.moments import to_us

MOST = 100
"""Active ones a person."""
FOR_OTHERS = 10
"""Set for colleagues by one person in a day."""
LONGEST = 2000  # signs of a reminder
AGAIN = timedelta(days=2)
"""How long a reminder that was said can still be said again."""


class Refused(ValueError):
    """Something that is not set, with the reason for whoever asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What somebody asks for."""

    key: str
    kind: Kind
    owner_id: int
    session_id: int
    who: str
    when: str
    text: str
    language: Language
    original_id: int | None = None


class Keeping:
    """What people may have set; every method belongs to a transaction or a snapshot."""

    def __init__(
        self,
        clock: Clock,
        ring: Callable[[], None],
        desk: Desk,
        *,
        name: str,
        rules: Rules,
        admits: Admits,
        zone: ZoneInfo,
        enabled: bool,
        wishes: bool,
    ) -> None:
        self._clock = clock
        self._ring = ring
        self._desk = desk
        self._name = name
        self._rules = rules
        self._admits = admits
        self._zone = zone
        self._enabled = enabled and rules.speaking.enabled
        self._wishes = wishes and rules.speaking.enabled

    def zone_of(self, reader: Reader, person: int) -> ZoneInfo:
        """The zone a person lives by."""
        return places.zone_of(reader, person, self._clock, self._zone)

    def check(self, reader: Reader, ask: Ask) -> None:
        """Raise what `set` would of the places, before any is set of several."""
        for who in places.names(ask.who) if ask.kind is Kind.REMINDER else ():
            places.place(reader, ask.session_id, ask.owner_id, who, self._admits, ask.language)

    def set(self, tx: Tx, ask: Ask) -> Schedule:
        """Keep it; Refused, NoPlace and Unclear say why not."""
        now = self._clock()
        if not self._enabled:
            raise Refused(wording.text("off", ask.language))
        text = " ".join(ask.text.split()) if ask.kind is Kind.TASK else ask.text.strip()
        if not text or len(text) > LONGEST:
            raise Refused(wording.text("no words", ask.language, most=LONGEST))
        if schedules.count(tx, ask.owner_id) >= MOST:
            raise Refused(wording.text("too many", ask.language, most=MOST))
        zone = self.zone_of(tx, ask.owner_id)
        when = whens.read(ask.when, now=now, zone=zone)
        place = self._place(tx, ask, text, now)
        plan = Plan(
            key=ask.key,
            kind=ask.kind,
            owner_id=ask.owner_id,
            session_id=ask.session_id,
            target_id=place.session_id,
            person_id=place.person_id,
            body=text,
            grid=when.grid,
            zone=zone.key,
            language=ask.language,
            original_id=ask.original_id,
        )
        made = schedules.add(tx, plan, now=now)
        tx.on_commit(self._ring)
        return made

    def change(
        self,
        tx: Tx,
        schedule: Schedule,
        *,
        when: str = "",
        text: str = "",
        key: str = "",
        original: int | None = None,
    ) -> Schedule:
        """Give it another time or other words; one that was said already is said once more."""
        now = self._clock()
        found = whens.read(when, now=now, zone=schedule.zone) if when.strip() else None
        grid = self._moved(schedule, found) if found else schedule.grid
        body = text.strip() or schedule.body
        if text.strip():
            lang, source = schedule.language, schedule.session_id
            self._guard(tx, body, schedule.target_id, source, original, lang)
        tx.on_commit(self._ring)
        if schedule.state is schedules.State.ACTIVE and not self._again(schedule, found):
            schedules.change(tx, schedule, grid=grid, body=body, agreed=bool(key), now=now)
            changed = schedules.find(tx, schedule.id)
            return changed or schedule
        if found is None:
            raise Refused(wording.text("over", schedule.language, id=schedule.id))
        plan = Plan(
            key=key or f"again:{schedule.id}:{to_us(now)}",
            kind=schedule.kind,
            owner_id=schedule.owner_id,
            session_id=schedule.session_id,
            target_id=schedule.target_id,
            person_id=schedule.person_id,
            body=body,
            grid=grid,
            zone=schedule.zone.key,
            language=schedule.language,
            original_id=original if original is not None else schedule.original_id,
        )
        return schedules.add(tx, plan, now=now)

    def cancel(self, tx: Tx, schedule: Schedule, *, reason: str) -> bool:
        """End it; False when it is over already."""
        return schedules.cancel(tx, schedule.id, reason=reason, now=self._clock())

    def wish(self, tx: Tx, wish: Wish, *, original: int | None) -> Intention:
        """Keep what somebody wants to be told of."""
        if not self._wishes:
            raise Refused(wording.text("no waiting", wish.language))
        if not conditions.read(wish.condition).telling:
            raise Refused(wording.text("nothing to hear", wish.language, condition=wish.condition))
        id = intentions.grant(tx, wish, original=original, now_us=to_us(self._clock()))
        kept = intentions.find(tx, id)
        if kept is None:
            raise LookupError(f"there is no intention {id}")
        return kept

    def recalled(self, tx: Tx, original: int) -> None:
        """The message that asked was taken back: so is what it asked for, unless agreed since."""
        reason = "the message that asked for it was taken back"
        for schedule in schedules.set_by(tx, original):
            if not schedule.settled:
                self.cancel(tx, schedule, reason=reason)
        for intention in intentions.resting_on(tx, original):
            self.drop_wish(tx, intention, reason=reason)

    def edited(self, tx: Tx, original: int) -> None:
        """The message that asked says something else now: so does its reminder, and tells so.

        What cannot be read without a model stays as it was agreed.
        """
        found = originals.find(tx, original)
        made = [
            one
            for one in schedules.set_by(tx, original)
            if one.state is schedules.State.ACTIVE and not one.settled
        ]
        for intention in intentions.resting_on(tx, original):
            self.drop_wish(tx, intention, reason="the message it rests on was edited")
        if found is None or len(made) != 1:
            return
        now, [schedule] = self._clock(), made
        asking = wishes.read(_unnamed(found.body, self._name), now=now, zone=schedule.zone)
        if asking is None or not asking.when or not asking.text:
            return
        when = whens.read(asking.when, now=now, zone=schedule.zone)
        schedules.change(tx, schedule, grid=when.grid, body=asking.text, agreed=False, now=now)
        told = wording.when(when.grid, when.first, schedule.zone, schedule.language, now=now)
        self._desk.post(
            tx,
            schedule.session_id,
            f"edited:{schedule.id}:{original}:{found.version}",
            wording.text("moved", schedule.language, when=told, text=asking.text),
            about=f"schedule:{schedule.id}",
        )
        tx.on_commit(self._ring)

    def drop_wish(self, tx: Tx, intention: Intention, *, reason: str) -> bool:
        """Wait for it no longer; False when it is closed already."""
        now_us = to_us(self._clock())
        return intentions.close(tx, intention.id, done=False, reason=reason, now_us=now_us)

    def _moved(self, schedule: Schedule, found: When) -> Grid:
        """A new time of day keeps the day, or the rule, that a reminder has."""
        at = whens.hour_of(found.text)
        if at is None or schedule.state is not schedules.State.ACTIVE:
            return found.grid
        return whens.retimed(schedule.grid, at, found, now=self._clock(), zone=schedule.zone)

    def _again(self, schedule: Schedule, found: When | None) -> bool:
        """Whether a recurring one shall be said once more, beside its own turns."""
        return bool(found and schedule.grid.recurs and not found.grid.recurs and schedule.last_slot
                    and self._clock() - schedule.last_slot < AGAIN
                    and whens.hour_of(found.text) is None)  # fmt: skip

    def _place(self, tx: Tx, ask: Ask, text: str, now: datetime) -> Place:
        if ask.kind is Kind.TASK:
            return Place(session_id=ask.session_id, person_id=None)
        found = places.place(tx, ask.session_id, ask.owner_id, ask.who, self._admits, ask.language)
        if found.person_id not in (None, ask.owner_id):
            since = now - timedelta(days=1)
            if schedules.for_others(tx, ask.owner_id, since=since) >= FOR_OTHERS:
                raise Refused(wording.text("too many others", ask.language, most=FOR_OTHERS))
        if audiences.find(tx, found.session_id) is None:
            raise NoPlace(wording.text("nobody", ask.language, name=ask.who))
        self._guard(tx, text, found.session_id, ask.session_id, ask.original_id, ask.language)
        return found

    def _guard(
        self,
        reader: Reader,
        text: str,
        target: int,
        asked_in: int,
        original: int | None,
        lang: Language,
    ) -> None:
        """What is said later repeats nothing private but the words that ask for it."""
        allowed = frozenset() if original is None else frozenset({original})
        here = target == asked_in
        if gives_away(reader, text, target, allowed=allowed, rules=self._rules, asked=here):
            raise Refused(wording.text("private", lang))


def _unnamed(said: str, name: str) -> str:
    """Without the bot's own name, which every order in a room begins with."""
    return re.sub(rf"^\s*[@＠]?{re.escape(name)}(?![A-Za-z0-9_])[\s,，:：]*", "", said, flags=re.I)


def gives_away(
    reader: Reader,
    text: str,
    target: int,
    *,
    allowed: frozenset[int],
    rules: Rules,
    asked: bool,
) -> bool:
    """Whether words would tell a chat something said in private elsewhere."""
    room = audiences.find(reader, target)
    if room is None:
        return True
    hears = Hearing(reader, room, rules.privacy)
    found = leak(reader, text, target=room, hears=hears, allowed=allowed, asked=asked)
    return found is not None


def visible(reader: Reader, session: int, person: int | None) -> list[Schedule]:
    """The active ones that may be spoken of in a session: those of the chat; in a DM all of its."""
    here = audiences.find(reader, session)
    found = sessions.find(reader, session)
    if here is None or found is None:
        return []
    if here.direct and len(here.members) == 1:
        return schedules.of_owner(reader, person if person is not None else min(here.members))
    chat = {session, *sessions.kin(reader, found)}
    return [one for one in schedules.of_sessions(reader, chat) if one.session_id in chat]


def may_end(reader: Reader, schedule: Schedule, person: int) -> bool:
    """Whether somebody may change or cancel it: who set it, whom it is for, the whole room."""
    if person in (schedule.owner_id, schedule.person_id):
        return True
    room = audiences.find(reader, schedule.target_id)
    return schedule.person_id is None and room is not None and person in room.members


def row(reader: Reader, schedule: Schedule, lang: Language, *, now: datetime) -> Row:
    """A schedule as models and pages are shown it."""
    rooms = Rooms(reader)
    first = schedule.next_at
    told = wording.when(schedule.grid, first, schedule.zone, lang, now=now) if first else ""
    return {
        "id": f"r{schedule.id}",
        "kind": schedule.kind.value,
        "state": schedule.state.value,
        "when": told,
        "zone": schedule.zone.key,
        "next_at": at(first) if first else "",
        "text": schedule.body,
        "for": rooms.person(schedule.person_id) if schedule.person_id else "everyone",
        "by": rooms.person(schedule.owner_id),
        "in": rooms.called(schedule.target_id),
    }
