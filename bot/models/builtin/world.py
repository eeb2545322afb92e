"""What the agency sees in one wake: rooms, remarks in order, what was handed on already."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from agency import moments, salience, subjects
from agency.salience import Kind, Signal
from bot.models.builtin import papers
from bot.models.builtin.context import Context, Row, instant

_TICK = timedelta(microseconds=1)
_QUIET = frozenset({Kind.BANTER, Kind.SMALLTALK})
_NO_WORDS = frozenset({"intention", "heartbeat", "report"})
"""Fires whose text is the agency's own and not what somebody said."""


_WORDS = re.compile(r"[^\W\d_]{2}")
"""Enough of a text to tell its language; a thumb or "+1" is not."""
_SOMEBODY = re.compile(r"\b(?:i|i'm|i'll|my|he|she|his|her|their|they)\b|我(?!们)|[他她]", re.I)
"""Words that make a clinic or a visa somebody's own business."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A session the agency knows of."""

    session: str
    title: str
    direct: bool
    open: bool
    members: frozenset[str]
    terms: dict[str, float]

    @property
    def record(self) -> bool:
        """A room that only keeps minutes, where nobody waits for news."""
        name = self.title.lower()
        return any(
            word in name for word in ("minutes", "meeting", "notes", "纪要", "会议", "memory")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One message with what it does and what it is about."""

    id: str
    room: Room
    who: str
    person: str
    me: bool
    at: datetime
    """When it was written, or the time it states for itself."""
    text: str
    """Without sentences that give orders to a program."""
    signals: tuple[Signal, ...]
    terms: dict[str, float]
    times: tuple[moments.Moment, ...]
    fresh: bool
    """Whether this wake is about it."""
    reply_to: str = ""
    sources: tuple[str, ...] = ()
    """The originals it stands on: itself, or those of a fact."""

    def has(self, *kinds: Kind) -> bool:
        """Whether any of its clauses does one of these."""
        return any(signal.kind in kinds for signal in self.signals)

    def first(self, *kinds: Kind) -> Signal | None:
        """The first signal of these kinds."""
        return next((s for s in self.signals if s.kind in kinds), None)

    @property
    def idle(self) -> bool:
        """Joke or small talk only."""
        return self.has(*_QUIET) and not self.has(Kind.DECISION, Kind.CHANGE)

    @property
    def guarded(self) -> bool:
        """Must never be told on: asked to be private, or personal."""
        return self.has(Kind.PRIVATE, Kind.PERSONAL)

    @property
    def shareable(self) -> bool:
        """Said in a room whose talk other rooms may hear."""
        if not self.room.open or self.room.direct or self.has(Kind.PRIVATE):
            return False
        return not self.has(Kind.PERSONAL) or not _SOMEBODY.search(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Everything one wake may judge by."""

    now: datetime
    rooms: dict[str, Room]
    remarks: list[Remark]
    """Oldest first, without recalled ones, each in its last version."""
    handoffs: list[Row]
    fires: list[Row]
    intentions: list[Row]
    language: str = "auto"
    settled: frozenset[str] = frozenset()
    """Remarks that made somebody wait and that nobody waits for any more, as the house saw it."""

    def within(self, room: Room) -> list[Remark]:
        """The remarks of one room, oldest first."""
        return [r for r in self.remarks if r.room.session == room.session]

    def chinese(self, room: Room) -> bool:
        """The language of a room's latest talk, unless one is set for the bot."""
        if self.language in ("en", "zh"):
            return self.language == "zh"
        mine = [r for r in self.within(room) if not r.me and _WORDS.search(r.text)]
        last = mine[-6:] or self.remarks[-6:]
        votes = sum(1 if salience.is_chinese(r.text) else -1 for r in last)
        return votes > 0 or (votes == 0 and bool(last) and salience.is_chinese(last[-1].text))


def build(context: Context) -> World:
    """Join background and fires; an edit replaces, a recall removes."""
    rooms = {r["session"]: room_of(r) for r in context.section("sessions")}
    rows: dict[str, Row] = {}
    for row in context.section("background"):
        rows[str(row.get("id", ""))] = {**row, "fresh": False}
    for fire in context.section("fires"):
        original = str(fire.get("original") or "")
        if fire.get("recalled"):
            rows.pop(original, None)
        elif original and papers.said(fire) and fire.get("kind") not in _NO_WORDS:
            rows[original] = {**fire, "id": original, "fresh": True}
        elif original and fire.get("wait") and papers.said(fire):
            rows.setdefault(original, {**fire, "id": original, "fresh": False})
    for fact in _facts(context.section("fires")):
        if not any(source in rows for source in fact["sources"]):
            rows[str(fact["id"])] = fact
    people = {name for room in rooms.values() for name in room.members}
    zone = context.zone
    name = str(context.me.get("name") or "")
    told = (_untagged(row, name) for row in rows.values() if papers.said(row))
    read = (remark(row, rooms, people, zone) for row in told)
    remarks = ordered(one for one in read if not _asks_me(one, name))
    now = max([context.now, *(r.at for r in remarks)])
    return World(
        now=now,
        rooms=rooms,
        remarks=remarks,
        handoffs=context.section("handoffs"),
        fires=context.section("fires"),
        intentions=context.section("intentions"),
        language=str(context.me.get("language") or "auto"),
        settled=frozenset(id for id, row in rows.items() if row.get("settled")),
    )


def ordered(remarks: Iterable[Remark]) -> list[Remark]:
    """Oldest first; of one instant by their number, each a moment after the one before it.

    A correction sent in the same second is the later word.
    """
    found: list[Remark] = []
    for one in sorted(remarks, key=lambda r: (r.at, _serial(r.id))):
        last = found[-1].at if found else one.at - _TICK
        found.append(one if one.at > last else replace(one, at=last + _TICK))
    return found


def _untagged(row: Row, name: str) -> Row:
    """A message without the question to the bot that it opens with, where more follows."""
    text = papers.said(row)
    opening = (
        re.match(rf"\W*{re.escape(name)}(?![^\W_])[^?？]*[?？]\s*", text, re.I) if name else None
    )
    rest = text[opening.end() :] if opening else ""
    return {**row, "text": rest} if len(subjects.terms(rest)) >= 2 else row


def _asks_me(said: Remark, name: str) -> bool:
    """Whether somebody only asks the bot something: its answer is due there, and news nowhere."""
    called = name and re.match(rf"\W*{re.escape(name)}(?![^\W_])", said.text, re.I)
    return bool(called) and said.has(Kind.QUESTION) and not said.has(Kind.DECISION, Kind.CHANGE)


def _facts(fires: Iterable[Row]) -> list[Row]:
    return [
        {
            **fire,
            "id": (fact.get("sources") or [fact.get("id", "")])[0],
            "sources": fact.get("sources") or [fact.get("id", "")],
            "text": fact.get("text", ""),
            "at": fact.get("at") or fire.get("at"),
            "from": fact.get("from") or "",
            "fresh": True,
        }
        for fire in fires
        for fact in fire.get("facts") or []
    ]


def _serial(id: str) -> int:
    digits = "".join(c for c in id if c.isdigit())
    return int(digits) if digits else 0


def room_of(row: Row) -> Room:
    """A room as a session row describes it."""
    title = str(row.get("title") or row["session"])
    return Room(
        session=str(row["session"]),
        title=title,
        direct=row.get("kind") == "direct",
        open=bool(row.get("open")),
        members=frozenset(str(name) for name in row.get("members") or ()),
        terms={t: min(w, 1.0) for t, w in subjects.terms(title.strip("#")).items()},
    )


def remark(row: Row, rooms: dict[str, Room], people: set[str], zone: tzinfo) -> Remark:
    """Read one row that carries a message."""
    session = str(row.get("session", ""))
    direct = bool(row.get("direct"))
    room = rooms.get(session) or room_of(
        {"session": session, "title": row.get("room"), "open": row.get("open")}
        | {"kind": "direct" if direct else "group"}
    )
    if direct and not room.direct:
        room = replace(room, direct=True)
    text = salience.clean(papers.said(row))
    at = instant(row.get("at"), zone)
    names = people | {str(row.get("from") or "")} - {""}
    id = str(row["id"])
    return Remark(
        id=id,
        room=room,
        who=str(row.get("from") or ""),
        person=str(row.get("person") or ""),
        me=bool(row.get("me")),
        at=moments.written_at(text, at) or at,
        text=text,
        signals=tuple(salience.read(text, names)),
        terms=subjects.terms(text, names),
        times=tuple(moments.find(text)),
        fresh=bool(row.get("fresh")),
        reply_to=str(row.get("reply_to") or ""),
        sources=tuple(row.get("sources") or (id,)),
    )
