"""Stored things as the rows a model is shown; ids carry a letter for their kind."""

from datetime import datetime
from typing import Any

from agency.handoffs import Handoff
from memory import audiences, facts, originals, people
from memory.audiences import Audience
from memory.db import Reader
from memory.facts import Fact
from memory.originals import Kind, Original

Row = dict[str, Any]
_NAME_LIMIT = 64  # signs of a name; more is no name
_MARKS = str.maketrans("[]{}<>`", "()()()'")  # what sections, headers and code begin with


def name(text: str, limit: int = _NAME_LIMIT) -> str:
    """A name or title on one line, without what marks up, cut to a sensible length."""
    shown = "".join(sign for sign in text if sign.isspace() or sign.isprintable())
    return " ".join(shown.translate(_MARKS).split())[:limit]


def at(moment: datetime) -> str:
    """A moment as models and people's tools read it."""
    return moment.isoformat(timespec="seconds")


def message(original: Original) -> Row:
    """A message inside its own room."""
    row: Row = {
        "id": f"o{original.id}",
        "at": at(original.said_at),
        "from": name(original.author),
        "me": original.kind is Kind.OUTPUT,
        "text": original.body,
    }
    if original.person_id is not None:
        row["person"] = f"p{original.person_id}"
    if original.edited:
        row["edited"] = True
    if original.reply_to:
        row["reply_to"] = original.reply_to
    return row


class Rooms:
    """Titles and people of sessions, looked up once inside one snapshot."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._audiences: dict[int, Audience | None] = {}
        self._names: dict[int, str] = {}

    def audience(self, session: int) -> Audience | None:
        """Who hears a session."""
        if session not in self._audiences:
            self._audiences[session] = audiences.find(self._reader, session)
        return self._audiences[session]

    def title(self, session: int | None) -> str:
        """What people call a session; empty for an inner one."""
        audience = self.audience(session) if session is not None else None
        return name(audience.title) if audience else ""

    def called(self, session: int | None) -> str:
        """A title that tells a DM from a room: `#project`, or `@Mo` for Mo's own DM."""
        audience = self.audience(session) if session is not None else None
        return ("@" if audience and audience.direct else "") + self.title(session)

    def person(self, id: int) -> str:
        """What a person is called."""
        if id not in self._names:
            found = people.find(self._reader, id)
            self._names[id] = name(found.name) if found else f"p{id}"
        return self._names[id]

    def members(self, session: int) -> list[Row]:
        """The people of a session."""
        audience = self.audience(session)
        ids = sorted(audience.members) if audience else []
        return [{"id": f"p{id}", "name": self.person(id)} for id in ids]

    def elsewhere(self, original: Original) -> Row:
        """A message as told outside its room: with where it was said."""
        audience = self.audience(original.session_id)
        place: Row = {"session": f"s{original.session_id}", "room": self.title(original.session_id)}
        if audience is not None:
            place |= {"open": audience.open, "direct": audience.direct}
        return message(original) | place

    def fact(self, fact: Fact) -> Row:
        """A fact with the way back to its originals."""
        row: Row = {
            "id": f"m{fact.id}",
            "kind": fact.kind,
            "subject": fact.subject,
            "text": fact.body,
            "room": self.title(fact.session_id),
            "at": at(fact.learnt_at),
            "sources": [f"o{id}" for id in facts.sources(self._reader, fact.id)],
        }
        return row | ({"due_at": at(fact.due_at)} if fact.due_at else {})

    def handoff(self, handoff: Handoff) -> Row:
        """A handoff as the agency sees it."""
        ended = handoff.state.value in ("spoken", "declined", "expired")
        return {
            "id": f"h{handoff.id}",
            "target": f"s{handoff.target_id}",
            "title": self.title(handoff.target_id),
            "subject": handoff.subject,
            "state": handoff.subject_state,
            "text": handoff.body,
            "verdict": handoff.state.value,
            "reason": handoff.reason,
            "outcome": handoff.state.value if ended else "",
            "at": at(handoff.created_at),
            "sources": [f"o{id}" for id in handoff.originals],
        }

    def sources(self, ids: tuple[int, ...]) -> list[Original]:
        """Originals by id."""
        return originals.find_many(self._reader, list(ids))
