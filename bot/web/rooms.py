"""The web chat's store over our database.

WebRooms ──► webdeeds (writes) · webrows (reads) ──► memory.db
"""

import json
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from adapters.chat import Button
from adapters.web.errors import Invalid, Unavailable
from adapters.web.rooms import (
    Access,
    Event,
    Listed,
    Person,
    PersonSeed,
    Post,
    Room,
    RoomSeed,
)
from adapters.web.store import Store
from bot.web import deeds as webdeeds
from bot.web import rows as webrows
from memory.db import Database, Reader, Tx
from memory.errors import StorageError
from memory.moments import to_us

P = ParamSpec("P")
T = TypeVar("T")


class WebRooms(Store):
    """`Store` in the one database; nothing to open or close."""

    def __init__(self, db: Database, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self._db = db
        self._clock = clock

    async def seed(self, people: Sequence[PersonSeed], rooms: Sequence[RoomSeed]) -> None:
        await self._write(webdeeds.seed, tuple(people), tuple(rooms))

    async def people(self) -> list[Person]:
        return await self._read(webrows.people)

    async def person(self, person: str) -> Person:
        return await self._read(webrows.person, person)

    async def add_person(self, name: str, about: str = "") -> Person:
        return await self._write(webdeeds.add_person, name, about)

    async def rooms(self, person: str) -> list[Listed]:
        return await self._read(webrows.listed, person)

    async def room(self, room: str) -> Room:
        return await self._read(webrows.room, room)

    async def room_for(self, person: str, room: str) -> Room:
        return await self._read(webrows.room_for, person, room)

    async def create_room(
        self, person: str, title: str, access: Access, members: Sequence[str]
    ) -> Room:
        if access is Access.DIRECT:
            raise Invalid("a room is open or private; everybody has their DM with the bot already")
        return await self._write(webdeeds.create_room, person, title, access, tuple(members))

    async def direct(self, person: str) -> Room:
        return await self._write(webdeeds.direct, person)

    async def join(self, person: str, room: str) -> Room:
        return await self._write(webdeeds.join, person, room)

    async def leave(self, person: str, room: str) -> None:
        await self._write(webdeeds.leave, person, room)

    async def invite(self, person: str, room: str, guest: str) -> Room:
        return await self._write(webdeeds.invite, person, room, guest)

    async def mark_read(self, person: str, room: str) -> None:
        await self._write(webdeeds.mark_read, person, room)

    async def posts(
        self, room: str, *, thread: str | None = None, before: str | None = None, limit: int = 50
    ) -> list[Post]:
        return await self._read(webrows.posts, room, thread, before, limit)

    async def post(self, post: str) -> Post:
        return await self._read(webrows.post, post)

    async def post_for(self, person: str, post: str) -> Post:
        return await self._read(webrows.post_for, person, post)

    async def say(
        self,
        person: str,
        room: str,
        text: str,
        *,
        thread: str | None = None,
        reply_to: str | None = None,
        key: str | None = None,
    ) -> Post:
        return await self._write(webdeeds.say, person, room, text, thread, reply_to, key)

    async def edit(self, person: str, post: str, text: str) -> Post:
        return await self._write(webdeeds.edit, person, post, text)

    async def delete(self, person: str, post: str) -> Post:
        return await self._write(webdeeds.delete, person, post)

    async def react(self, person: str, post: str, emoji: str, on: bool) -> Post:
        return await self._write(webdeeds.react, person, post, emoji, on)

    async def press(self, person: str, post: str, value: str) -> Post:
        return await self._write(webdeeds.press, person, post, value)

    async def post_as_bot(
        self,
        key: str,
        room: str,
        text: str,
        *,
        thread: str | None = None,
        reply_to: str | None = None,
        buttons: Sequence[Button] = (),
    ) -> Post:
        choices = json.dumps([[button.label, button.value] for button in buttons])
        return await self._write(webdeeds.post_as_bot, key, room, text, thread, reply_to, choices)

    async def find(self, key: str) -> Post | None:
        return await self._read(webrows.post_of_letter, key)

    async def events(self, person: str, after: int, limit: int = 200) -> list[Event]:
        return await self._read(webrows.events, person, after, limit)

    async def last_event(self) -> int:
        return await self._read(webrows.newest)

    async def due(
        self, but: Collection[str] = (), *, share: int = 8, limit: int = 200
    ) -> list[Event]:
        return await self._read(webrows.due, but, share, limit)

    async def told(self, events: Sequence[int]) -> None:
        await self._write(webdeeds.told, tuple(events))

    async def _read(
        self, fn: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        try:
            return await self._db.read(fn, *args, **kwargs)
        except StorageError as error:
            raise Unavailable(str(error)) from error

    async def _write(
        self, fn: Callable[Concatenate[Tx, int, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        now = to_us(self._clock())

        def act(tx: Tx) -> T:
            before = webrows.newest(tx)
            result = fn(tx, now, *args, **kwargs)
            if webrows.newest(tx) > before:
                tx.on_commit(self.happened)
            return result

        try:
            return await self._db.write(act)
        except StorageError as error:
            raise Unavailable(str(error)) from error
