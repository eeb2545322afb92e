"""What an inbox holds as short lines, each with its source: by code, in the words really said."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from adapters.chat import Address
from agency import handoffs
from agency.hearing import Hearing
from agency.inbox import Entry
from bot import rows
from bot.inbox import wording
from bot.rows import Rooms
from bot.texts import Language
from memory import originals
from memory.db import Reader
from memory.originals import Kind, Original

QUOTED = 160  # signs of one quoted message
QUOTES = 2  # messages quoted in one line
SHORT = 240  # signs of a text that no message is quoted for

Link = Callable[[Address], str]
"""Where a message can be opened; empty where its platform has no such address."""


def no_link(_: Address) -> str:
    """No platform has an address for its messages."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """For whom lines are written."""

    lang: Language
    zone: tzinfo
    now: datetime
    link: Link = no_link


class Lines:
    """Writes the lines of one person inside one snapshot."""

    def __init__(self, reader: Reader, style: Style) -> None:
        self._reader = reader
        self.rooms = Rooms(reader)
        self.style = style

    def of(self, entry: Entry, hears: Hearing | None) -> str:
        """One entry: its subject, the words it rests on, and who said them where and when."""
        found = originals.find_many(self._reader, list(entry.originals))
        heard = [one for one in found if hears is not None and hears(one.session_id)]
        head = self._head(entry)
        if heard and len(heard) == len(found) and all(one.body for one in heard):
            quoted = "; ".join(self._quote(one) for one in heard[:QUOTES])
            return f"{head}{quoted}"
        said = short(entry.text, SHORT)
        told = (self._source(one, one in heard) for one in found[:QUOTES])
        sources = "; ".join(told)
        return f"{head}{said}" + (f" ({sources})" if sources else "")

    def room(self, entry: Entry) -> str:
        """What the room an entry is about is called; empty without one."""
        return self.rooms.called(entry.room_id) if entry.room_id is not None else ""

    def moment(self, at: datetime) -> str:
        """A moment as this person reads it."""
        return wording.moment(at, self.style.zone, self.style.lang, now=self.style.now)

    def _head(self, entry: Entry) -> str:
        id = entry.caused_by("handoff")
        state = handoffs.get(self._reader, id).subject_state if id is not None else ""
        what = ": ".join(part for part in (entry.subject, state) if part)
        colon = "：" if self.style.lang == "zh" else ": "
        return f"**{short(what, 80)}**{colon}" if what else ""

    def _quote(self, original: Original) -> str:
        return f"“{short(original.body, QUOTED)}” ({self._source(original, True)})"

    def _source(self, original: Original, heard: bool) -> str:
        lang, when = self.style.lang, self.moment(original.said_at)
        if not heard:
            return wording.text("source private", lang, when=when)
        who, room = rows.name(original.author), self.rooms.called(original.session_id)
        told = wording.text("source", lang, who=who, room=room, when=when)
        where = Address.parse(original.address) if original.address else None
        link = self.style.link(where) if where and original.kind is Kind.MESSAGE else ""
        return f"{told}, [{wording.text('link', lang)}]({link})" if link else told


def short(text: str, limit: int) -> str:
    """A text on one line, cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
