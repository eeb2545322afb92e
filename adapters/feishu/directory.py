"""What was learned of chats, people and messages: in memory, bounded, never asked for here.

An event is told with this alone; `learning` fills it after the event was acknowledged.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from adapters.chat import Author, Room, RoomKind

FRESH = timedelta(minutes=10)  # what is older is asked again at the next event
MESSAGES = 4000  # remembered, so that a reaction or recall finds its chat
_EXCERPT = 600  # signs of a message kept for a reply to it
_PEOPLE = 20_000
_THREADS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a message stands, and what it was."""

    chat: str
    thread: str | None
    author: Author
    own: bool = False
    """The bot's."""
    text: str = ""
    """The beginning of what it says."""
    whole: int = 0
    """A hash of all it says."""

    def says(self, text: str) -> bool:
        """Whether that is what it says already."""
        return self.whole == hash(text)


class Directory:
    """Chats, people and messages by their ids."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self.tenant = ""
        """The workspace, once anything told it."""
        self._rooms: dict[str, Room] = {}
        self._asked: dict[str, datetime] = {}
        self._partners: dict[str, str] = {}
        self._people: OrderedDict[str, Author] = OrderedDict()
        self._asked_about: set[str] = set()
        self._messages: OrderedDict[str, Place] = OrderedDict()
        self._anchors: OrderedDict[str, str] = OrderedDict()
        self._withdrawn: OrderedDict[str, bool] = OrderedDict()

    # chats

    def room(self, chat: str, *, direct: bool = False, title: str = "") -> Room:
        """The room as far as it is known; partial where nobody was asked about it yet."""
        known = self._rooms.get(chat)
        if known is not None:
            return replace(known, title=title) if title else known
        kind = RoomKind.DIRECT if direct or chat in self._partners else RoomKind.GROUP
        return Room(
            title=title, kind=kind, open=False, workspace=self.tenant, complete=False, partial=True
        )

    def learn_room(self, chat: str, room: Room) -> None:
        """Feishu told the whole room."""
        self._rooms[chat] = room
        self._asked[chat] = self._clock()

    def ask_again(self, chat: str) -> None:
        """Something changed there: what is known holds until the next answer."""
        self._asked.pop(chat, None)

    def asked(self, chat: str) -> None:
        """Feishu was asked and had no answer; it is left in peace for a while."""
        self._asked[chat] = self._clock()

    def forget_room(self, chat: str) -> None:
        """The bot is no longer in it."""
        self._rooms.pop(chat, None)
        self._asked.pop(chat, None)

    def is_due(self, chat: str) -> bool:
        """Whether Feishu should be asked about a chat."""
        at = self._asked.get(chat)
        return at is None or self._clock() - at >= FRESH

    @property
    def chats(self) -> list[str]:
        """Every chat that is known."""
        return list(dict.fromkeys([*self._rooms, *self._partners]))

    def is_direct(self, chat: str) -> bool:
        """Whether it is somebody's DM with the bot, as far as is known."""
        known = self._rooms.get(chat)
        return chat in self._partners or (known is not None and known.kind is RoomKind.DIRECT)

    def partner(self, chat: str) -> str:
        """Whose DM a chat is; empty when it is none or unknown."""
        return self._partners.get(chat, "")

    def is_with(self, chat: str, person: str) -> None:
        """A chat is the DM of that person."""
        self._partners[chat] = person

    # people

    def author(self, id: str, *, is_bot: bool = False) -> Author:
        """Somebody as far as they are known."""
        known = self._people.get(id)
        return known or Author(id=id, name="", is_bot=is_bot)

    def learn_people(self, people: Iterable[Author]) -> None:
        """Names and addresses that Feishu told; what is known already is not forgotten for less."""
        for person in people:
            old = self._people.get(person.id)
            if old is not None:
                person = replace(
                    person, name=person.name or old.name, email=person.email or old.email
                )
            self._people[person.id] = person
            self._people.move_to_end(person.id)
        while len(self._people) > _PEOPLE:
            self._people.popitem(last=False)

    def strangers(self, ids: Iterable[str]) -> list[str]:
        """Those of whom Feishu was not asked yet."""
        return [id for id in dict.fromkeys(ids) if id and id not in self._asked_about]

    def asked_about(self, ids: Iterable[str]) -> None:
        """Feishu told of these people whatever it would."""
        self._asked_about.update(ids)

    # messages

    def place(self, message: str) -> Place | None:
        """Where a message stands, if it was seen or sent lately."""
        return self._messages.get(message)

    def remember(self, message: str, place: Place) -> None:
        """A message was seen or sent."""
        self._messages[message] = replace(place, text=place.text[:_EXCERPT], whole=hash(place.text))
        self._messages.move_to_end(message)
        if place.thread:
            self._anchors[place.thread] = message
            self._anchors.move_to_end(place.thread)
            if len(self._anchors) > _THREADS:
                self._anchors.popitem(last=False)
        if len(self._messages) > MESSAGES:
            self._messages.popitem(last=False)

    @property
    def threads(self) -> list[str]:
        """The topics something was said in lately, the latest first."""
        return list(reversed(self._anchors))

    def anchor(self, thread: str) -> str:
        """A message of a topic, to be answered there; empty when none is known."""
        return self._anchors.get(thread, "")

    def forget_anchor(self, thread: str) -> None:
        """That message cannot be answered any more."""
        self._anchors.pop(thread, None)

    def withdraw(self, message: str, *, by_author: bool) -> None:
        """A message was recalled."""
        self._withdrawn[message] = by_author
        if len(self._withdrawn) > MESSAGES:
            self._withdrawn.popitem(last=False)

    def withdrawn_by_author(self, message: str) -> bool | None:
        """Whether its author recalled a message; None when nothing was heard of a recall."""
        return self._withdrawn.get(message)
