"""What is known of the workspace: us, its people, its rooms, and which thread a message is in.

Only memory: whatever is asked here is answered at once. `learning` fills it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from adapters.chat import Author, Room, RoomKind

Json = dict[str, Any]

STALE = timedelta(minutes=10)
THREADS = 5_000  # messages in threads that are remembered, for events that do not say where


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who we are there, as auth.test tells."""

    team: str
    team_name: str
    user: str
    bot: str
    handle: str
    url: str = ""
    """The workspace's own address, with a slash at its end."""
    scopes: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class _Known:
    """A room as far as it was learned."""

    type: str
    """channel, group, im or mpim, as events call it."""
    title: str = ""
    shared: bool = False
    members: tuple[str, ...] | None = None
    """None until they were asked for."""
    complete: bool = True
    room: Room | None = None
    """Put together once and kept until something of it changes."""


@dataclass(slots=True)
class Directory:
    """One workspace."""

    bot_name: str
    me: Identity = field(
        default=Identity(team="", team_name="", user="", bot="", handle=""), kw_only=True
    )
    _people: dict[str, Author] = field(default_factory=dict, init=False)
    _outsiders: set[str] = field(default_factory=set, init=False)
    _rooms: dict[str, _Known] = field(default_factory=dict, init=False)
    _asked: dict[str, datetime] = field(default_factory=dict, init=False)
    _threads: dict[tuple[str, str], str] = field(default_factory=dict, init=False)

    # names, as `words` needs them

    def user(self, id: str) -> str:
        """What somebody is called; empty if nobody told."""
        if id and id == self.me.user:
            return self.bot_name
        known = self._people.get(id)
        return known.name if known else ""

    def channel(self, id: str) -> str:
        """A room's title; empty if nobody told."""
        known = self._rooms.get(id)
        return known.title if known else ""

    # people

    def author(self, id: str, *, name: str = "", is_bot: bool = False) -> Author:
        """Somebody as far as known, else as the event tells."""
        return self._people.get(id) or Author(id=id, name=name, is_bot=is_bot)

    def unknown(self, ids: Iterable[str]) -> list[str]:
        """Those of whom nothing was learned yet."""
        return [id for id in ids if id not in self._people and id != self.me.user]

    def learn_person(self, user: Json) -> None:
        """A user as the platform describes them."""
        id, profile = user["id"], user.get("profile") or {}
        is_bot = bool(user.get("is_bot")) or id == "USLACKBOT"
        author = Author(
            id=id,
            name=profile.get("display_name") or profile.get("real_name") or user.get("name") or "",
            is_bot=is_bot,
            email=self._vouched(user),
            zone=None if is_bot else user.get("tz") or None,
        )
        outside = not is_bot and self._is_outside(user)
        if self._people.get(id) == author and outside == (id in self._outsiders):
            return
        self._people[id] = author
        (self._outsiders.add if outside else self._outsiders.discard)(id)
        for known in self._rooms.values():
            if known.members is not None and id in known.members:
                known.room = None

    def _vouched(self, user: Json) -> str | None:
        """The address that shows who somebody is elsewhere too.

        Another workspace may let its people be called anything, and an address that was never
        confirmed is only a claim.
        """
        if self._is_foreign(user) or user.get("is_email_confirmed") is False:
            return None
        return (user.get("profile") or {}).get("email") or None

    def _is_outside(self, user: Json) -> bool:
        guest = user.get("is_restricted") or user.get("is_ultra_restricted")
        return bool(guest) or self._is_foreign(user)

    def _is_foreign(self, user: Json) -> bool:
        if user.get("is_stranger"):
            return True
        teams = {user.get("team_id"), *((user.get("enterprise_user") or {}).get("teams") or ())}
        return self.me.team not in teams and teams != {None}

    # rooms

    def learn_room(self, channel: Json, members: Iterable[str] | None, complete: bool) -> None:
        """A channel as the platform describes it; without members where it was only listed."""
        id, type = channel["id"], _type(channel)
        known = self._rooms.setdefault(id, _Known(type=type))
        known.type, known.room = type, None
        known.title = channel.get("name") or ""
        known.shared = bool(channel.get("is_ext_shared"))
        if type == "im" and channel.get("user"):
            members = (channel["user"],)
        if members is not None:
            known.members = tuple(dict.fromkeys(id for id in members if id != self.me.user))
            known.complete = complete

    def checked(self, channel: str, now: datetime) -> None:
        """A room was asked about just now, with or without success."""
        self._asked[channel] = now

    def stale(self, channel: str, now: datetime) -> bool:
        """Whether a room should be asked about again."""
        asked = self._asked.get(channel)
        return asked is None or now - asked > STALE

    def joined(self, channel: str, user: str) -> bool:
        """Somebody came in; False where the members are not known anyway."""
        known = self._rooms.get(channel)
        if known is None or known.members is None or user == self.me.user:
            return False
        if user not in known.members:
            known.members, known.room = (*known.members, user), None
        return True

    def left(self, channel: str, user: str) -> bool:
        """Somebody went out; False where the members are not known anyway."""
        known = self._rooms.get(channel)
        if known is None or known.members is None or user == self.me.user:
            return False
        known.members = tuple(id for id in known.members if id != user)
        known.room = None
        return True

    def renamed(self, channel: str, title: str) -> bool:
        """A room has a new title; False where its members are not known anyway."""
        known = self._rooms.get(channel)
        if known is None:
            return False
        known.title, known.room = title, None
        return known.members is not None

    def forget(self, channel: str) -> None:
        """What was known of a room holds no longer."""
        self._rooms.pop(channel, None)
        self._asked.pop(channel, None)

    def room(self, channel: str, *, type: str = "", shared: bool = False) -> Room:
        """A room as far as known; partial where its members or its openness are not."""
        known = self._rooms.get(channel)
        if known and type and known.type != type and not channel.startswith("D"):
            self.forget(channel)  # it was made private meanwhile, or public
            known = None
        if known is None or known.members is None or self._nameless(known):
            return Room(
                title=self._title(known),
                kind=self.kind(channel, type),
                open=False,
                workspace=self.me.team,
                complete=False,
                outsiders=shared or bool(known and known.shared),
                partial=True,
            )
        if known.room is None or (shared and not known.shared):
            known.shared = known.shared or shared
            known.room = self._whole(channel, known)
        return known.room

    def kind(self, channel: str, type: str = "") -> RoomKind:
        """D… is always a direct message, also where an event does not name the type."""
        known = self._rooms.get(channel)
        named = type or (known.type if known else "")
        direct = named == "im" or channel.startswith("D")
        return RoomKind.DIRECT if direct else RoomKind.GROUP

    def _nameless(self, known: _Known) -> bool:
        return known.type == "im" and bool(self.unknown(known.members or ()))

    def _title(self, known: _Known | None) -> str:
        if known and known.type in ("im", "mpim"):  # the platform's own word is of no use to people
            return ", ".join(filter(None, map(self.user, known.members or ())))
        return f"#{known.title}" if known and known.title else ""

    def _whole(self, channel: str, known: _Known) -> Room:
        members = known.members or ()
        return Room(
            title=self._title(known),
            kind=self.kind(channel, known.type),
            open=known.type == "channel",
            workspace=self.me.team,
            members=tuple(self.author(id) for id in members),
            complete=known.complete,
            outsiders=known.shared or not self._outsiders.isdisjoint(members),
        )

    # threads

    def remember_thread(self, channel: str, message: str, thread: str) -> None:
        """A message is in a thread; reactions to it will not say so."""
        self._threads[channel, message] = thread
        if len(self._threads) > THREADS:
            del self._threads[next(iter(self._threads))]

    def thread_of(self, channel: str, message: str) -> str | None:
        """The thread a message is in, if that was seen."""
        return self._threads.get((channel, message))


def _type(channel: Json) -> str:
    if channel.get("is_im"):
        return "im"
    if channel.get("is_mpim"):
        return "mpim"
    return "group" if channel.get("is_private") or channel.get("is_group") else "channel"
