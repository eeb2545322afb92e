"""Sessions: every group, DM and thread the bot is in, and the inner ones."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Self

from adapters.chat import Address
from memory.db import Reader, Row, Tx, queries
from memory.erasing import mark_of
from memory.moments import from_us

SQL = queries(__file__)


class Kind(StrEnum):
    """What a session is for."""

    CONVERSATION = "conversation"
    """A room or thread of a chat platform."""
    AGENCY = "agency"
    """The one background mind; there is a single one."""
    MEMORY = "memory"
    """Draws facts from one conversation."""
    SUBAGENT = "subagent"
    """Looks into one thing for the agency."""


class Attention(StrEnum):
    """When the bot runs in a conversation."""

    ADDRESSED = "addressed"
    """When it is mentioned, replied to or named, and in DMs."""
    ALL = "all"
    """On every message."""
    OBSERVE = "observe"
    """Never by itself; it listens."""
    OFF = "off"
    """It neither runs nor passes anything to the agency."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session as stored."""

    id: int
    kind: Kind
    key: str
    """The room's canonical address, or the name of an inner session."""
    parent_id: int | None
    attention: Attention
    last_at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            kind=Kind(row["kind"]),
            key=row["key"],
            parent_id=row["parent_id"],
            attention=Attention(row["attention"]),
            last_at=from_us(row["last_at"]),
        )

    @property
    def address(self) -> Address | None:
        """Where its chat is; None for an inner session."""
        return Address.parse(self.key) if self.kind is Kind.CONVERSATION else None


def of_room(tx: Tx, room: Address, *, now_us: int) -> Session:
    """The session of a room or thread, made on first sight together with its parent."""
    parent = of_room(tx, room.parent, now_us=now_us) if room.parent else None
    return _ensure(
        tx, Kind.CONVERSATION, str(room), parent=parent.id if parent else None, now_us=now_us
    )


def inner(tx: Tx, kind: Kind, name: str, *, parent: int | None = None, now_us: int) -> Session:
    """An inner session by name, made on first use."""
    return _ensure(tx, kind, name, parent=parent, now_us=now_us)


def touch(tx: Tx, id: int, *, now_us: int) -> None:
    """Note that something happened in a session."""
    tx.run(SQL["touch"], id=id, now=now_us)


def kin(reader: Reader, session: Session) -> list[int]:
    """The other sessions of the same chat: its threads, and for a thread the chat itself."""
    rows = reader.all(SQL["kin"], root=session.parent_id or session.id, id=session.id)
    return [int(row["id"]) for row in rows]


def move(tx: Tx, old: Address, new: Address) -> list[tuple[Address, Address]]:
    """Let a chat and its threads go on under another address; what was moved, old and new.

    Nothing is moved when the old one is unknown or the new one is a session already.
    """
    chat = named(tx, str(old))
    if chat is None or named(tx, str(new)) is not None:
        return []
    moved = []
    for id in (chat.id, *kin(tx, chat)):
        session = find(tx, id)
        was = session.address if session else None
        if was is not None:
            now = replace(new, thread=was.thread)
            tx.run(SQL["move"], id=id, key=str(now))
            moved.append((was, now))
    return moved


def set_attention(tx: Tx, id: int, attention: Attention) -> None:
    """Set when the bot runs in a conversation and its threads; new threads begin like it."""
    tx.run(SQL["set_attention"], id=id, attention=attention)


def find(reader: Reader, id: int) -> Session | None:
    """One session, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return Session.from_row(row) if row else None


def named(reader: Reader, key: str) -> Session | None:
    """The session of a canonical address or inner name, or None."""
    row = reader.one(SQL["by_key"], key=key)
    return Session.from_row(row) if row else None


def stirred(reader: Reader, *, limit: int) -> list[Session]:
    """The conversations with talk no memory run was started for, the longest at rest first."""
    return [Session.from_row(row) for row in reader.all(SQL["stirred"], limit=limit)]


def bring_near(tx: Tx, *, now_us: int) -> int:
    """The clock was set back: nothing happened later than now."""
    return tx.run(SQL["bring_near"], now=now_us)


def rest(tx: Tx, id: int) -> None:
    """Note that a session has nothing more to be read, until something is said again."""
    tx.run(SQL["rest"], id=id)


def switched_off(reader: Reader) -> frozenset[int]:
    """The conversations that want nothing passed on."""
    return frozenset(row["id"] for row in reader.all(SQL["switched_off"]))


def recent(reader: Reader, *, limit: int) -> list[Session]:
    """The conversations something happened in last, newest first."""
    return [Session.from_row(row) for row in reader.all(SQL["recent"], limit=limit)]


def count(reader: Reader) -> int:
    """How many conversations there are."""
    row = reader.one(SQL["count"])
    return int(row["n"]) if row else 0


def _ensure(tx: Tx, kind: Kind, key: str, *, parent: int | None, now_us: int) -> Session:
    row = tx.one(SQL["by_key"], key=key)
    if row is None:
        row = tx.one(SQL["add"], kind=kind, key=key, parent=parent, now=now_us)
    if row is None:
        raise LookupError(f"session {key!r} could not be made")
    return Session.from_row(row)


def erased(id: int) -> str:
    """The address of a conversation that is erased: nobody is there."""
    return str(Address(platform="erased", account="-", chat=str(id)))


def erase(tx: Tx, id: int) -> None:
    """Cut a conversation off from its chat, which begins anew with the next word there."""
    tx.run(SQL["erase"], id=id, key=erased(id))


def mark(session: Session) -> str:
    """The hash by which a chat is known again once nothing else is left of it."""
    return mark_of("chat", session.key)


def marked(reader: Reader, marks: frozenset[str], *, until_us: int) -> list[int]:
    """The conversations in one of some chats that were there before a moment."""
    rows = reader.all(SQL["before"], until=until_us)
    return [int(row["id"]) for row in rows if mark_of("chat", row["key"]) in marks]
