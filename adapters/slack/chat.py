"""Slack as a `Chat`: what comes over the socket goes in, letters go out by the Web API."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from adapters.chat import (
    Address,
    Chat,
    EventKind,
    File,
    Health,
    Incoming,
    Outgoing,
    Receipt,
    Receive,
    RoomKind,
)
from adapters.errors import AdapterError, Refused, bared
from adapters.markdown import slack as markdown
from adapters.pace import Clock, Pace, Sleep
from adapters.slack import files, incoming
from adapters.slack.api import Api
from adapters.slack.connection import Connection
from adapters.slack.directory import Directory, Identity
from adapters.slack.faults import BOT_TOKEN_REMEDY, CallFailed, revoked, told
from adapters.slack.hearing import Hearing
from adapters.slack.learning import Learning
from adapters.slack.presses import Presses
from adapters.slack.sending import Sending
from adapters.slack.settings import SlackSettings
from adapters.slack.signs import Signs

logger = logging.getLogger(__name__)

Json = dict[str, Any]

_MEMBERSHIP = frozenset("member_joined_channel member_left_channel".split())
_ROOM_CHANGES = frozenset(
    "channel_rename group_rename channel_archive channel_unarchive group_archive group_unarchive "
    "channel_shared channel_unshared channel_id_changed".split()
)
_CONVERTED = frozenset({"channel_convert_to_private", "channel_convert_to_public"})
_LEFT = frozenset({"channel_left", "group_left", "channel_deleted", "group_deleted"})
_PEOPLE = frozenset({"team_join", "user_change", "user_profile_changed"})
_FAREWELLS = frozenset({"tokens_revoked", "app_uninstalled"})


class SlackChat(Chat):
    """One Slack app. `run` may be called again after it ended."""

    name = incoming.PLATFORM

    def __init__(
        self,
        settings: SlackSettings,
        clock: Clock,
        sleep: Sleep,
        jitter: Callable[[], float],
    ) -> None:
        pace = Pace(clock, sleep)
        self._settings = settings
        self._clock = clock
        self._api = Api(settings, pace)
        self._api.on_revoked = lambda failed: self._farewells.put_nowait(revoked(failed))
        self._known = Directory(settings.bot_name)
        self._hearing = Hearing(self._read, self._heard, clock, sleep, jitter)
        self._connection = Connection(
            self._api,
            settings.app_token,
            self._hearing.accept,
            self._hearing.room,
            clock,
            sleep,
            jitter,
        )
        self._learning = Learning(self._api, self._known, clock, sleep, jitter)
        self._sending = Sending(self._api, pace)
        self._signs = Signs(self._api, self._sending, clock)
        self._presses = Presses(self._api)
        self._settled = asyncio.Event()
        self._failure: AdapterError | None = None
        self._farewells: asyncio.Queue[str] = asyncio.Queue()
        """Why the bot token is worth nothing any more."""

    @property
    def health(self) -> Health:
        notes = [
            str(self._failure) if self._failure else self._connection.trouble,
            self._connection.company,
            f"events that could not be understood or stored: {self._hearing.given_up}; see the log"
            if self._hearing.given_up
            else "",
        ]
        return Health(
            up=self._connection.up,
            note="; ".join(note for note in notes if note),
            heard_at=self._connection.heard_at,
            event_at=self._hearing.event_at,
        )

    async def started(self) -> str:
        await self._settled.wait()
        if self._failure is not None:
            raise self._failure
        return f"{self._known.me.team_name} as @{self._known.me.handle}"

    async def run(self, receive: Receive) -> None:
        self._failure = None
        self._settled.clear()
        self._hearing.listen(receive)
        self._farewells = asyncio.Queue()
        try:
            with bared():
                async with self._api, asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._connect(), name="slack connection")
                    tasks.create_task(self._learning.run(receive), name="slack learning")
                    tasks.create_task(self._presses.run(), name="slack presses")
                    tasks.create_task(self._until_farewell(), name="slack token")
        except AdapterError as error:
            self._failed(error)
            raise
        finally:
            await self._hearing.close()

    def parts(self, text: str) -> list[str]:
        return markdown.parts(text) or [text]

    def link(self, message: Address) -> str:
        if not self._known.me.url or not message.message:
            return ""
        # The form that chat.getPermalink answers with (docs.slack.dev/reference/methods).
        link = f"{self._known.me.url}archives/{message.chat}/p{message.message.replace('.', '')}"
        return f"{link}?thread_ts={message.thread}&cid={message.chat}" if message.thread else link

    async def send(self, letter: Outgoing) -> Receipt:
        return await self._sending.send(letter)

    async def find(self, letter: Outgoing) -> Receipt | None:
        return await self._sending.find(letter)

    async def fetch(self, file: File, *, limit: int) -> bytes:
        return await files.fetch(self._api, self._settings, file, limit)

    async def show_working(self, place: Address, working: bool) -> None:
        await self._signs.working(place, working)

    async def show_progress(self, room: Address, text: str, shown: str | None) -> str | None:
        return await self._signs.progress(room, text, shown)

    async def _connect(self) -> None:
        await self._connection.run(self._sign_in, self._settled.set)

    async def _sign_in(self) -> None:
        """Ask who we are: at the start, and again with every connection, as tokens are revoked."""
        try:
            answer, headers = await self._api.ask("auth.test")
        except CallFailed as failed:
            raise told(failed) from failed
        if not answer.get("team_id") or not answer.get("user_id"):
            raise Refused(
                f"auth.test names no team or user; is slack.base_url, "
                f"{self._settings.base_url}, the address of Slack's Web API?"
            )
        first = not self._known.me.user
        self._known.me = Identity(
            team=str(answer["team_id"]),
            team_name=str(answer.get("team") or answer["team_id"]),
            user=str(answer["user_id"]),
            bot=str(answer.get("bot_id") or ""),
            handle=str(answer.get("user") or self._settings.bot_name),
            url=str(answer.get("url") or ""),
            scopes=frozenset(headers.get("x-oauth-scopes", "").split(",")),
        )
        if first:
            await self._learning.warm()

    def _read(self, kind: str, payload: Json) -> Incoming | None:
        return incoming.read(kind, payload, self._known, self._clock())

    def _heard(self, kind: str, payload: Json, said: Incoming | None) -> None:
        """An event is stored and acknowledged: now there is time to learn from it."""
        event = payload.get("event")
        event = event if isinstance(event, dict) else {}
        if event:
            self._learn_from(event)
        if said is None:
            return
        place = said.address
        if place.thread and place.message:
            self._known.remember_thread(place.chat, place.message, place.thread)
        if said.kind is not EventKind.MEMBERS and self._known.stale(place.chat, self._clock()):
            self._learning.want(place.chat)
        if said.kind is EventKind.ACTION and said.room.kind is RoomKind.DIRECT:
            self._presses.show(payload)

    def _learn_from(self, event: Json) -> None:
        kind, channel = event.get("type"), _channel(event)
        if kind in _PEOPLE and isinstance(event.get("user"), dict):
            self._known.learn_person(event["user"])
        elif kind in _FAREWELLS and (kind != "tokens_revoked" or _tokens(event).get("bot")):
            self._farewells.put_nowait(f"Limen was removed from the workspace; {BOT_TOKEN_REMEDY}")
        elif kind in _LEFT or (kind in _MEMBERSHIP and _ours_left(event, self._known.me.user)):
            self._known.forget(channel)
        elif kind in _MEMBERSHIP or kind in _ROOM_CHANGES:
            self._learning.want(channel)
        elif kind == "message" and event.get("subtype") in _CONVERTED:
            self._known.forget(channel)
            self._learning.want(channel)

    async def _until_farewell(self) -> None:
        raise Refused(await self._farewells.get())

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, AdapterError):
            self._failure = error
        self._settled.set()


def _channel(event: Json) -> str:
    channel = event.get("channel")
    return str(channel.get("id") if isinstance(channel, dict) else channel or "")


def _tokens(event: Json) -> Json:
    tokens = event.get("tokens")
    return tokens if isinstance(tokens, dict) else {}


def _ours_left(event: Json, user: str) -> bool:
    return event.get("type") == "member_left_channel" and event.get("user") == user
