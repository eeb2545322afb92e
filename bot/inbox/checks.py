"""Whether what waits in an inbox may still be told to its person: looked at when it would be."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from agency import approvals, consents, handoffs, inbox, mutes, present
from agency.audience import Flow
from agency.gates import Rules
from agency.guard import leak
from agency.hearing import Hearing
from agency.inbox import Entry, State
from bot.engine.sessions import Session
from memory import audiences, originals
from memory.audiences import Audience
from memory.db import Reader

Settled = Callable[[Reader, int], str]
"""Why what an entry came from needs no word any more; empty while it does."""


def _handoff(reader: Reader, id: int) -> str:
    found = handoffs.get(reader, id)
    open_ones = (handoffs.State.DIGEST, handoffs.State.SPOKEN)  # told to others, and not yet here
    return "" if found.state in open_ones else f"h{id} is {found.state.value}: {found.reason}"


def _approval(reader: Reader, id: int) -> str:
    state = approvals.get(reader, id).state
    return "" if state is approvals.State.ASKED else f"a{id} is {state.value}"


def _consent(reader: Reader, id: int) -> str:
    state = consents.get(reader, id).state
    return "" if state is consents.State.ASKED else f"c{id} is {state.value}"


SETTLED: Mapping[str, Settled] = {
    "handoff": _handoff,
    "consent": _consent,
    "approval": _approval,
}
"""By the first word of an entry's cause."""


class Ear:
    """What one person may be told: in their DM, or for themselves alone where there is none."""

    def __init__(self, reader: Reader, person: int, desk: Session | None, rules: Rules) -> None:
        self._reader = reader
        self._rules = rules
        self.person = person
        self.desk = desk
        self._own = audiences.find(reader, desk.id) if desk else None
        self._hearings: dict[int | None, tuple[Audience, Hearing]] = {}

    def hears(self, room: int | None) -> Hearing | None:
        """What may be used in their DM; without a DM, what may be used in a room they are in."""
        found = self._audience(room)
        return found[1] if found else None

    def why_not(self, entry: Entry, text: str, *, now: datetime) -> str:
        """Why an entry is no longer to be told in these words; empty when it still may be."""
        if entry.state is not State.WAITING:
            return f"it is {entry.state.value}"
        if entry.expires_at is not None and entry.expires_at <= now:
            return "its time passed"
        return (
            self._settled(entry)
            or self._fallen(entry)
            or self._overheard(entry, text)
            or self._unwanted(entry, text, now)
        )

    def may_hear(self, entry: Entry) -> bool:
        """Whether all that an entry rests on may be used in their DM."""
        hears, handoff = self.hears(entry.room_id), entry.caused_by("handoff")
        return hears is not None and all(
            (hears.original(one, handoff=handoff) if handoff else hears.flow(one.session_id))
            is Flow.FREE
            for one in originals.find_many(self._reader, list(entry.originals))
        )

    def _settled(self, entry: Entry) -> str:
        name, _, id = entry.cause.partition(":")
        settled = SETTLED.get(name)
        if settled and id.isdecimal() and (reason := settled(self._reader, int(id))):
            return reason
        since = entry.created_at
        if inbox.heard_of(self._reader, self.person, entry.originals, since=since):
            return "it was told them meanwhile"
        return self._stale(entry)

    def _stale(self, entry: Entry) -> str:
        """Whether the room it is for was told, or the matter went on, in the meantime."""
        handoff = entry.caused_by("handoff")
        room = audiences.find(self._reader, entry.room_id) if entry.room_id is not None else None
        if handoff is None or room is None:
            return ""
        return present.overtaken(
            self._reader,
            handoffs.get(self._reader, handoff),
            sessions=(room.session_id,),
            hears=Hearing(self._reader, room, self._rules.privacy),
        )

    def _fallen(self, entry: Entry) -> str:
        found = originals.find_many(self._reader, list(entry.originals))
        versions = dict(entry.sources)
        if len(found) != len(versions) or any(one.recalled for one in found):
            return "a message it rests on was recalled"
        if any(one.version != versions[one.id] for one in found):
            return "a message it rests on was edited since"
        return ""

    def _overheard(self, entry: Entry, text: str) -> str:
        """The audience of that very DM, and the leak guard over the words as they would stand."""
        room = audiences.find(self._reader, entry.room_id) if entry.room_id is not None else None
        if room is not None and self.person not in room.members:
            return "they are not in that room any more"
        found = self._audience(entry.room_id)
        if found is None:
            return "nobody hears them in private"
        own, hears = found
        if not self.may_hear(entry):
            return "they may not hear what it rests on"
        allowed = frozenset(entry.originals)
        if leak(self._reader, text, target=own, hears=hears, allowed=allowed):
            return "it repeats something said in private"
        return ""

    def _unwanted(self, entry: Entry, text: str, now: datetime) -> str:
        chat = self.desk.id if self.desk else 0
        muted = mutes.matches(self._reader, chat, (self.person,), entry.subject, text, now) or (
            entry.room_id is not None
            and mutes.matches(self._reader, entry.room_id, (), entry.subject, text, now)
        )
        return "they do not want to hear of that" if muted else ""

    def _audience(self, room: int | None) -> tuple[Audience, Hearing] | None:
        key = None if self._own is not None else room
        if key not in self._hearings:
            own = self._own or self._alone(room)
            if own is None:
                return None
            self._hearings[key] = own, Hearing(self._reader, own, self._rules.privacy)
        return self._hearings[key]

    def _alone(self, room: int | None) -> Audience | None:
        """Somebody without a DM hears, of what is told to a room, no more than the room."""
        found = audiences.find(self._reader, room) if room is not None else None
        if found is None:
            return None
        return replace(
            found,
            session_id=0,
            direct=True,
            open=False,
            complete=True,
            members=frozenset({self.person}),
        )
