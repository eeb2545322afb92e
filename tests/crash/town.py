"""Platforms outside of the house: what stands there outlives any process of ours.

Their state is a file of lines, one for everything that happened, each written at once: a process
that is killed has written a line or has not.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

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
from adapters.errors import Refused, Retry, Unknown
from tests.fakes.doomed_points import Doom

PEOPLE = ("lin", "mo", "ana", "bo")
LONGEST = 160  # signs of one message there
REST_S = 1.0  # seconds before what was not taken is handed in again


class Sight(StrEnum):
    """What a platform can tell of a letter in doubt, under the name of one that is like it."""

    KEYED = "feishu"
    """It knows a letter by its key, and posts none twice."""
    SOUGHT = "slack"
    """It posts whatever it is given, and its history tells what stands there."""
    BLIND = "telegram"
    """It posts whatever it is given, and nobody can ask it."""


@dataclass
class Ledger:
    """Everything that happened on the platforms of one chain of lives."""

    path: Path
    lines: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def open(cls, path: Path) -> "Ledger":
        """What earlier lives left."""
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return cls(path, [json.loads(line) for line in lines])

    def add(self, **line: Any) -> int:
        """Let something happen; its number."""
        with self.path.open("ab", buffering=0) as file:
            file.write(json.dumps(line).encode() + b"\n")
        self.lines.append(line)
        return len(self.lines)

    def of(self, what: str, name: str) -> list[dict[str, Any]]:
        """What of a kind happened on a platform, each with its number."""
        return [
            {"n": n, **line}
            for n, line in enumerate(self.lines, start=1)
            if line["what"] == what and line["on"] == name
        ]

    def due(self, name: str) -> list[dict[str, Any]]:
        """The events that were never acknowledged."""
        known = {line["event"] for line in self.of("ack", name)}
        return [line for line in self.of("event", name) if line["n"] not in known]


class Town(Chat):
    """One of these platforms; `direct-mo` is Mo's own chat with the bot, others are groups."""

    def __init__(
        self,
        sight: Sight,
        ledger: Ledger,
        doom: Doom,
        clock: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self.name = sight.value
        self._sight = sight
        self._ledger = ledger
        self._doom = doom
        self._clock = clock
        self._sleep = sleep
        self._news = asyncio.Event()
        self._connected = asyncio.Event()

    @property
    def health(self) -> Health:
        return Health(up=self._connected.is_set())

    async def started(self) -> str:
        await self._connected.wait()
        return self.name

    async def run(self, receive: Receive) -> None:
        self._connected.set()
        while True:
            self._news.clear()
            for event in self._ledger.due(self.name):
                try:
                    await receive(self._incoming(event))
                    await self._pass("before", "ack", error=Retry("the connection was lost"))
                    self._ledger.add(what="ack", on=self.name, event=event["n"])
                    await self._pass("after", "ack", error=Retry("the connection was lost"))
                except Retry:
                    await self._sleep(REST_S)
                    self._news.set()
                    break
            await self._news.wait()

    def happen(self, **event: Any) -> None:
        """Let somebody do something there."""
        self._ledger.add(what="event", on=self.name, at=self._clock().isoformat(), **event)
        self._news.set()

    def events(self) -> list[dict[str, Any]]:
        """What people did there."""
        return self._ledger.of("event", self.name)

    def posts(self, room: str = "") -> list[dict[str, Any]]:
        """The bot's messages, in a room or everywhere."""
        found = self._ledger.of("post", self.name)
        return [post for post in found if not room or post["room"] == room]

    def due(self) -> list[dict[str, Any]]:
        """What was never acknowledged."""
        return self._ledger.due(self.name)

    def parts(self, text: str) -> list[str]:
        rest, parts = text, []
        while len(rest) > LONGEST:
            cut = rest.rfind(" ", 0, LONGEST) + 1 or LONGEST
            parts.append(rest[:cut])
            rest = rest[cut:]
        return [*parts, rest]

    async def send(self, letter: Outgoing) -> Receipt:
        await self._pass("before", "send", error=Retry("the connection was lost"))
        known = self._post(letter.key) if self._sight is Sight.KEYED else None
        number = known or self._ledger.add(
            what="post",
            on=self.name,
            key=letter.key,
            room=letter.room.chat,
            text=letter.text,
            buttons=[one.value for one in letter.buttons],
            marked=letter.possible_repeat,
        )
        await self._pass("after", "send", error=Unknown("the connection was lost"))
        return Receipt(message=str(number), at=self._clock())

    async def find(self, letter: Outgoing) -> Receipt | None:
        if self._sight is Sight.BLIND:
            raise Unknown(f"{self.name} cannot be asked")
        await self._pass("before", "find", error=Retry("the connection was lost"))
        number = self._post(letter.key)
        await self._pass("after", "find", error=Retry("the connection was lost"))
        return Receipt(message=str(number), at=self._clock()) if number else None

    async def fetch(self, file: File, *, limit: int) -> bytes:
        await self._pass("before", "fetch", error=Retry("the connection was lost"))
        for event in self._ledger.of("event", self.name):
            if str(event["n"]) == file.id:
                await self._pass("after", "fetch", error=Retry("the connection was lost"))
                return bytes.fromhex(event["content"])
        raise Refused("there is no such file")

    async def show_working(self, place: Address, working: bool) -> None:
        pass

    async def _pass(self, when: str, what: str, *, error: Exception) -> None:
        await self._doom.meet(when, f"{what}.{self.name}", "any", error=error)

    def _post(self, key: str) -> int | None:
        found = [post["n"] for post in self.posts() if post["key"] == key]
        return found[0] if found else None

    def _incoming(self, event: dict[str, Any]) -> Incoming:
        room, who = event["room"], event["who"]
        direct = room.startswith("direct-")
        inside = (who,) if direct else PEOPLE
        kind = EventKind(event["kind"])
        message = event.get("of", event["n"])
        sent = File(id=str(event["n"]), name=event["file"]) if event.get("file") else None
        return Incoming(
            address=Address(platform=self.name, account="town", chat=room, message=str(message)),
            kind=kind,
            author=Author(id=who, name=who.capitalize()),
            room=Room(
                title=who.capitalize() if direct else room,
                kind=RoomKind.DIRECT if direct else RoomKind.GROUP,
                open=not direct,
                workspace="town",
                members=tuple(Author(id=one, name=one.capitalize()) for one in inside),
            ),
            text=event.get("text", ""),
            at=datetime.fromisoformat(event["at"]),
            version=1 if kind is EventKind.NEW else event["n"],
            addressed=direct and kind is EventKind.NEW,
            files=(sent,) if sent else (),
        )
