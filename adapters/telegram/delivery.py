"""Updates on their way in: chat by chat in order, and one bad update stops nobody."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters.chat import EventKind, Incoming, Receive
from adapters.errors import Retry
from adapters.telegram.incoming import album_of

logger = logging.getLogger(__name__)

Json = dict[str, Any]

TRIES = 3  # of an update that receive() cannot take, before it is left behind
ALBUMS = 64  # lately addressed ones that are remembered
BATCH = 100  # updates that come at once


@dataclass(frozen=True, slots=True)
class _Item:
    id: int
    update: Json
    incoming: Incoming | None
    album: tuple[int, str] | None = None


class Delivery:
    """Takes updates to `receive` and tells up to where they may be confirmed."""

    def __init__(
        self,
        read: Callable[[Json], Incoming | None],
        taken: Callable[[Json, Incoming], None],
    ) -> None:
        self._read = read
        self._taken = taken
        """Told of every event that is stored."""
        self.skipped = 0
        """Updates that were left behind since the start."""
        self._unread: set[int] = set()
        self._tries: Counter[int] = Counter()
        self._done: set[int] = set()
        self._albums: OrderedDict[tuple[int, str], None] = OrderedDict()

    async def take(self, updates: Sequence[Json], receive: Receive) -> tuple[int | None, bool]:
        """Hand in a batch: what the next poll may confirm, and whether something must wait.

        What lies behind an update that waits comes again with it, and is not handed in twice.
        """
        items = self._addressed([self._item(update) for update in updates])
        queues = _queues([item for item in items if item.id not in self._done])
        stuck = await asyncio.gather(*(self._tell(queue, receive) for queue in queues))
        waiting = [id for id in stuck if id is not None]
        if waiting:
            offset: int | None = min(waiting)
            self._done = {id for id in self._done if id > min(waiting)}
        else:
            offset = max((item.id + 1 for item in items), default=None)
            self._done = set()
        return offset, bool(waiting)

    def _item(self, update: Json) -> _Item:
        id = int(update["update_id"])
        try:
            return _Item(id, update, self._read(update), album_of(update))
        except Exception:  # one update nobody can read must not hold up the batch
            self._skip_unread(id)
            kinds = ", ".join(key for key in update if key != "update_id")
            logger.exception(
                "update %d (%s) cannot be understood and was skipped", id, kinds,
                extra={"action": "telegram_skipped"},
            )  # fmt: skip
            return _Item(id, update, None)

    def _skip_unread(self, id: int) -> None:
        """Count an update once, though it comes again with one that waits."""
        if id not in self._unread:
            self.skipped += 1
        self._unread = {one for one in self._unread if one > id - BATCH} | {id}

    def _addressed(self, items: Sequence[_Item]) -> list[_Item]:
        """An album is spoken to as a whole, though only one of its pictures bears the words."""
        for item in items:
            if item.album and item.incoming and item.incoming.addressed:
                self._albums[item.album] = None
                self._albums.move_to_end(item.album)
        while len(self._albums) > ALBUMS:
            self._albums.popitem(last=False)
        return [
            replace(item, incoming=replace(item.incoming, addressed=True))
            if item.incoming and item.album in self._albums
            else item
            for item in items
        ]

    async def _tell(self, queue: Sequence[_Item], receive: Receive) -> int | None:
        """Hand in the events of one chat; the first that has to wait, if any."""
        for item in queue:
            assert item.incoming is not None
            try:
                await receive(item.incoming)
            except Retry as error:
                logger.warning("update %d waits: %s", item.id, error)
                return item.id
            except Exception:  # nor one nobody can take; it is tried a few times, and counted
                if not self._given_up(item):
                    return item.id
            else:
                self._taken(item.update, item.incoming)
            self._done.add(item.id)
        return None

    def _given_up(self, item: _Item) -> bool:
        self._tries[item.id] += 1
        tries = self._tries[item.id]
        kind = item.incoming.kind if item.incoming else EventKind.NEW
        logger.exception(
            "update %d (%s) was not taken, try %d of %d", item.id, kind, tries, TRIES,
            extra={"action": "telegram_refused"},
        )  # fmt: skip
        if tries < TRIES:
            return False
        del self._tries[item.id]
        self.skipped += 1
        return True


def _queues(items: Sequence[_Item]) -> list[list[_Item]]:
    """What has to be handed in one after the other: a group that moved is still one chat."""
    events = [item.incoming for item in items if item.incoming is not None]
    moved = {event.moved_from.chat: event.address.chat for event in events if event.moved_from}
    queues: dict[str, list[_Item]] = {}
    for item in items:
        if item.incoming is not None:
            chat = item.incoming.address.chat
            queues.setdefault(moved.get(chat, chat), []).append(item)
    return list(queues.values())
