"""The web chat as a `Chat`: hands the log to the bot, takes its letters.

event in the log (due) ──► receive() commits ──► told        repeated from the start on until it is
Outgoing ──► post_as_bot(key) ──► Receipt
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial

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
    RoomKind,
)
from adapters.chat import Room as HeardRoom
from adapters.errors import Refused, Retry, bared
from adapters.lasting import lasting
from adapters.mentions import is_addressed
from adapters.web import errors
from adapters.web.feed import Feed
from adapters.web.rooms import BOT, Access, Event, Happening, Person, Post, Room
from adapters.web.server import Server
from adapters.web.settings import WebSettings
from adapters.web.site import Site
from adapters.web.store import Store
from adapters.web.views import Views
from adapters.web.waiting import news_within

logger = logging.getLogger(__name__)

ACCOUNT = "local"
TRIES = 5  # of an event that raises what no later time can mend
BACKOFF_S = (0.5, 1.0, 2.0, 5.0, 15.0, 30.0)  # seconds between tries to hand in what was refused


class WebChat(Chat):
    """The built-in platform.

    `app` is the ASGI application, for tests that want no socket. `run` may be called once.
    """

    name = "web"

    def __init__(
        self,
        store: Store,
        settings: WebSettings,
        clock: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]],
        views: Views,
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._sleep = sleep
        self._feed = Feed()
        self._tries: Counter[int] = Counter()
        self._due = asyncio.Event()
        self._due.set()
        self.app = Site(store, settings, views, self._feed, sleep).app(self.name, ACCOUNT)
        self._server = Server(
            self.app, host=settings.host, port=settings.port, closing=self._feed.close
        )
        store.listen(self._stored)
        views.listen(self._feed.changed_inside)

    @property
    def health(self) -> Health:
        # Its log is in the house: nothing between the two can break unnoticed.
        return Health(up=True)

    async def started(self) -> str:
        """The address people open, without the token; raises what kept the server from starting."""
        return await self._server.started()

    async def run(self, receive: Receive) -> None:
        with bared():
            async with asyncio.TaskGroup() as tasks:
                if self._settings.serve:
                    tasks.create_task(self._server.run(), name="web server")
                tasks.create_task(lasting("web delivery", partial(self._hand_in, receive)))

    async def send(self, letter: Outgoing) -> Receipt:
        try:
            post = await self._store.post_as_bot(
                letter.key,
                letter.room.chat,
                letter.text,
                thread=letter.room.thread,
                reply_to=letter.reply_to,
                buttons=letter.buttons,
            )
        except errors.Unavailable as error:
            # A second try is harmless: the key finds the post if it was stored after all.
            raise Retry(str(error)) from error
        except errors.WebError as error:
            raise Refused(str(error)) from error
        return Receipt(message=post.id, at=post.at)

    async def find(self, letter: Outgoing) -> Receipt | None:
        try:
            post = await self._store.find(letter.key)
        except errors.WebError as error:
            raise Retry(str(error)) from error
        return Receipt(message=post.id, at=post.at) if post else None

    async def show_working(self, room: Address, working: bool) -> None:
        self._feed.think(room.chat, room.thread, working)

    def _stored(self) -> None:
        self._due.set()
        self._feed.wake()

    async def _hand_in(self, receive: Receive) -> None:
        failures = 0
        self._due.set()
        while True:
            await self._due.wait()
            self._due.clear()
            if await self._hand_in_due(receive):
                failures = 0
                continue
            wait = BACKOFF_S[min(failures, len(BACKOFF_S) - 1)]
            failures += 1
            # What is posted meanwhile, perhaps in another room, does not wait for this.
            await news_within(self._due, wait, self._sleep)
            self._due.set()

    async def _hand_in_due(self, receive: Receive) -> bool:
        """Tell the bot what is due; False when something must be tried again later."""
        stuck: set[str] = set()
        try:
            # A few of every room at a time: one that overflows keeps no other one waiting.
            while events := await self._store.due(stuck):
                await self._hand_in_page(events, stuck, receive)
        except errors.WebError as error:
            logger.warning("could not read what is due: %s", error, extra={"action": "web_due"})
            return False
        return not stuck

    async def _hand_in_page(
        self, events: Sequence[Event], stuck: set[str], receive: Receive
    ) -> None:
        queues: dict[str, list[Event]] = {}
        for event in events:
            queues.setdefault(event.room or "", []).append(event)
        # Rooms do not wait for each other; inside a room the order is kept.
        telling = (self._tell(queue, receive) for queue in queues.values())
        done = await asyncio.gather(*telling, return_exceptions=True)
        told_ids: list[int] = []
        for (room, queue), told in zip(queues.items(), done, strict=True):
            if isinstance(told, BaseException):
                logger.error("room %s was broken off, and is handed in again: %r", room, told)
                stuck.add(room)
                continue
            told_ids += told
            if len(told) < len(queue):
                stuck.add(room)
        if told_ids:
            await self._store.told(told_ids)

    async def _tell(self, events: Sequence[Event], receive: Receive) -> list[int]:
        told: list[int] = []
        for event in events:
            try:
                await receive(await self._incoming(event))
            except (Retry, errors.Unavailable) as error:
                logger.warning("event %s waits: %s", event.id, error)
                break
            except Exception:
                if not self._given_up(event):
                    break
            told.append(event.id)
            self._tries.pop(event.id, None)
        return told

    def _given_up(self, event: Event) -> bool:
        """Whether what can never be taken has held up its room often enough; it stays posted."""
        self._tries[event.id] += 1
        tries = self._tries[event.id]
        logger.exception(
            "event %s was not taken, try %d of %d", event.id, tries, TRIES,
            extra={"action": "web_refused"},
        )  # fmt: skip
        return tries >= TRIES

    async def _incoming(self, event: Event) -> Incoming:
        room = await self._store.room(event.room or "")
        post = await self._store.post(event.post) if event.post else None
        root = await self._store.post(post.thread) if post and post.thread else None
        person = await self._store.person(event.person) if event.person else None
        in_bots = root is not None and root.author == BOT
        return incoming(event, room, post, person, self._settings.bot_name, in_bots)


def incoming(
    event: Event,
    room: Room,
    post: Post | None,
    person: Person | None,
    bot_name: str,
    in_bots_thread: bool = False,
) -> Incoming:
    """One line of the log in the words every platform shares."""
    kind = EventKind(event.kind.value)
    counted = event.kind in (Happening.NEW, Happening.EDIT, Happening.RECALL)
    quotes_bot = post is not None and post.quote is not None and post.quote.author == BOT
    to_bot = room.access is Access.DIRECT or in_bots_thread or quotes_bot
    return Incoming(
        address=Address(
            platform=WebChat.name,
            account=ACCOUNT,
            chat=room.id,
            thread=post.thread if post else None,
            message=post.id if post else None,
        ),
        kind=kind,
        author=Author(id=person.id, name=person.name) if person else Author(id=BOT, name=bot_name),
        room=heard_room(room),
        text=event.text,
        at=event.at,
        # Reactions and presses have no count of their own, so the log's number tells them apart.
        version=event.version if counted else event.id,
        addressed=counted
        and kind is not EventKind.RECALL
        and (to_bot or is_addressed(event.text, bot_name)),
        reply_to=post.quote.id if post and post.quote else None,
    )


def heard_room(room: Room) -> HeardRoom:
    """A room as the bot's audience rules see it."""
    return HeardRoom(
        title=room.shown_title,
        kind=RoomKind.DIRECT if room.access is Access.DIRECT else RoomKind.GROUP,
        open=room.access is Access.OPEN,
        workspace=ACCOUNT,
        members=tuple(Author(id=member.id, name=member.name) for member in room.members),
    )
