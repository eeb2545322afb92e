"""A chat that only lives in a test: people send words and files, and fetching can go wrong."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import count

from adapters.chat import (
    Address,
    Author,
    Chat,
    EventKind,
    File,
    Health,
    Incoming,
    Outgoing,
    Receipt,
    Receive,
    Room,
    RoomKind,
)
from adapters.errors import Refused

PEOPLE = {name.lower(): Author(id=name.lower(), name=name) for name in ("Mo", "Ana", "Lin", "Kai")}

Content = bytes | Exception | Callable[[], bytes]


class Courier(Chat):
    """`direct:mo` is Mo's own chat with the bot; every other room is a group."""

    name = "courier"

    def __init__(
        self,
        clock: Callable[[], datetime],
        *,
        open: Mapping[str, tuple[str, ...]] | None = None,
        closed: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.posts: list[tuple[str, str]] = []
        """The bot's words: room and text."""
        self.fetched: list[str] = []
        self.connected = asyncio.Event()
        self._clock = clock
        self._closed = closed or {}
        self._rooms = {**(open or {}), **self._closed}
        """Groups and who is in them; everybody is in any other one, and that is open."""
        self._contents: dict[str, list[Content]] = {}
        self._numbers = count(1)
        self._gates: dict[str, asyncio.Event] = {}

    @property
    def health(self) -> Health:
        return Health(up=self.connected.is_set())

    async def started(self) -> str:
        await self.connected.wait()
        return "the courier"

    async def run(self, receive: Receive) -> None:
        self._receive = receive
        self.connected.set()
        await asyncio.Event().wait()

    async def send(self, letter: Outgoing) -> Receipt:
        self.posts.append((letter.room.chat, letter.text))
        return Receipt(message=f"b{next(self._numbers)}", at=self._clock())

    async def find(self, letter: Outgoing) -> Receipt | None:
        return None

    async def show_working(self, place: Address, working: bool) -> None:
        pass

    async def fetch(self, file: File, *, limit: int) -> bytes:
        self.fetched.append(file.id)
        if gate := self._gates.get(file.id):
            await gate.wait()
        contents = self._contents.get(file.id)
        if not contents:
            raise Refused("there is no such file")
        content = contents.pop(0) if len(contents) > 1 else contents[0]
        if isinstance(content, Exception):
            raise content
        return content if isinstance(content, bytes) else content()

    def hold(self, file: File) -> Callable[[], None]:
        """Hold the download of a file until the returned function is called."""
        gate = self._gates[file.id] = asyncio.Event()
        return gate.set

    def file(self, name: str, *contents: Content, mime: str = "", size: int | None = None) -> File:
        """A file to send; each try to fetch it meets the next of its contents."""
        id = f"{name}-{next(self._numbers)}"
        self._contents[id] = list(contents)
        return File(id=id, name=name, mime=mime or "application/octet-stream", size=size)

    async def say(
        self,
        who: str,
        room: str,
        text: str,
        *files: File,
        addressed: bool | None = None,
        reply_to: str | None = None,
    ) -> Address:
        """Somebody posts; in their own chat they always speak to the bot."""
        address = Address(
            platform=self.name, account="test", chat=room, message=f"m{next(self._numbers)}"
        )
        direct = room.startswith("direct:")
        wanted = direct if addressed is None else addressed
        await self._hand_in(
            address, EventKind.NEW, who, text, files, addressed=wanted, reply_to=reply_to
        )
        return address

    async def edit(self, who: str, address: Address, text: str, *files: File) -> None:
        await self._hand_in(address, EventKind.EDIT, who, text, files, version=2)

    async def recall(self, who: str, address: Address) -> None:
        await self._hand_in(address, EventKind.RECALL, who, "", ())

    async def _hand_in(
        self,
        address: Address,
        kind: EventKind,
        who: str,
        text: str,
        files: tuple[File, ...],
        *,
        version: int = 1,
        addressed: bool = False,
        reply_to: str | None = None,
    ) -> None:
        direct = address.chat.startswith("direct:")
        inside = (who,) if direct else self._rooms.get(address.chat, tuple(PEOPLE))
        await self._receive(
            Incoming(
                address=address,
                kind=kind,
                author=PEOPLE[who],
                room=Room(
                    title=PEOPLE[who].name if direct else f"#{address.chat}",
                    kind=RoomKind.DIRECT if direct else RoomKind.GROUP,
                    open=not direct and address.chat not in self._closed,
                    workspace="test",
                    members=tuple(PEOPLE[one] for one in inside),
                ),
                text=text,
                at=self._clock(),
                version=version,
                addressed=addressed,
                reply_to=reply_to,
                files=files,
            )
        )
