"""A chat platform in the test's hand: people speak when told to, and it can be taken down."""

import asyncio
from dataclasses import dataclass, field
from itertools import count

from adapters.chat import (
    Address,
    Author,
    Chat,
    EventKind,
    Health,
    Incoming,
    Outgoing,
    Receipt,
    Receive,
    Room,
    RoomKind,
)
from adapters.errors import AdapterError, Refused, Retry
from tests.conftest import MONDAY


@dataclass
class ScriptedChat(Chat):
    """Everybody has a DM, called after them; everything that is done to it is kept."""

    name: str = "desk"
    state: Health = field(default_factory=lambda: Health(up=True))
    deaths: list[BaseException] = field(default_factory=list)
    """What `run` raises, one each time it is started; afterwards it goes on."""
    unreachable: AdapterError | None = None
    """What `started` raises."""
    busy: bool = False
    """Whether it takes no letter for now."""
    refuses: str = ""
    """Why a letter is refused for good; empty takes it."""
    signs: list[tuple[str, bool]] = field(default_factory=list)
    lines: list[tuple[str, str | None]] = field(default_factory=list)
    """Every call of `show_progress`: its text, and what it edits."""
    sent: list[Outgoing] = field(default_factory=list)
    starts: int = 0

    def __post_init__(self) -> None:
        self._ids = count(1)
        self._receive: Receive | None = None

    @property
    def health(self) -> Health:
        return self.state

    async def started(self) -> str:
        if self.unreachable is not None:
            raise self.unreachable
        if not self.state.up:
            await asyncio.Event().wait()
        return f"{self.name.capitalize()} as @limen"

    async def run(self, receive: Receive) -> None:
        self.starts += 1
        if self.deaths:
            raise self.deaths.pop(0)
        self._receive = receive
        await asyncio.Event().wait()

    async def say(
        self, who: str, text: str, *, room: str = "", bot: bool = False, addressed: bool = True
    ) -> str:
        """Somebody speaks in their DM, or to the bot in a room; the message's id."""
        assert self._receive is not None, "it does not run"
        id = f"m{next(self._ids)}"
        author = Author(id=who, name=who.capitalize(), is_bot=bot)
        await self._receive(
            Incoming(
                address=self.address(room or who, id),
                kind=EventKind.NEW,
                author=author,
                room=Room(
                    title=room or who,
                    kind=RoomKind.GROUP if room else RoomKind.DIRECT,
                    open=bool(room),
                    workspace="w",
                    members=(author,),
                ),
                text=text,
                at=MONDAY,
                addressed=addressed,
            )
        )
        return id

    async def recall(self, who: str, id: str, *, room: str) -> None:
        """Somebody takes a message of a room back."""
        assert self._receive is not None, "it does not run"
        author = Author(id=who, name=who.capitalize(), is_bot=False)
        await self._receive(
            Incoming(
                address=self.address(room, id),
                kind=EventKind.RECALL,
                author=author,
                room=Room(
                    title=room,
                    kind=RoomKind.GROUP,
                    open=True,
                    workspace="w",
                    members=(author,),
                ),
                text="",
                at=MONDAY,
                addressed=False,
                version=2,
            )
        )

    def address(self, chat: str, message: str | None = None) -> Address:
        return Address(platform=self.name, account="w", chat=chat, message=message)

    def said(self, chat: str) -> list[str]:
        """The texts that were posted in a DM or room."""
        return [one.text for one in self.sent if one.room.chat == chat]

    def link(self, message: Address) -> str:
        return f"https://{self.name}.example/{message.chat}/{message.message}"

    async def send(self, letter: Outgoing) -> Receipt:
        if self.busy:
            raise Retry("too many requests")
        if self.refuses:
            raise Refused(self.refuses)
        self.sent.append(letter)
        return Receipt(message=f"b{len(self.sent)}", at=MONDAY)

    async def find(self, letter: Outgoing) -> Receipt | None:
        found = [n for n, one in enumerate(self.sent, start=1) if one.key == letter.key]
        return Receipt(message=f"b{found[0]}", at=MONDAY) if found else None

    async def show_working(self, place: Address, working: bool) -> None:
        self.signs.append((str(place), working))

    async def show_progress(self, room: Address, text: str, shown: str | None) -> str | None:
        self.lines.append((text, shown))
        return (shown or f"p{len(self.lines)}") if text else None
