"""Events on their way in: stored first, acknowledged then, in order inside each room.

envelope ──► read() ──► receive() ──► acknowledged ──► done()
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from adapters.chat import Incoming, Receive
from adapters.errors import Retry
from adapters.pace import Backoff, Clock, Sleep
from adapters.slack.connection import Acknowledge

logger = logging.getLogger(__name__)

Json = dict[str, Any]
Read = Callable[[str, Json], Incoming | None]
Done = Callable[[str, Json, Incoming | None], None]

IN_HAND = 1024  # events under way at once; more wait in the socket, which Slack sees
TRIES = 3  # of an event that raises what no later time can mend
FIRST_S, LIMIT_S = 0.5, 30.0  # waits between tries


class Hearing:
    """Takes envelopes one after another for each room, rooms beside each other.

    An event that cannot be stored now is tried again until it can, unacknowledged all the time:
    Slack delivers it anew should we die, and stops after a few times, which we do not. Its room
    waits for it. What nobody can ever take is given up, acknowledged and counted.
    """

    def __init__(
        self, read: Read, done: Done, clock: Clock, sleep: Sleep, jitter: Callable[[], float]
    ) -> None:
        self._read = read
        self._done = done
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._receive: Receive | None = None
        self._lanes: dict[str, asyncio.Task[None]] = {}
        """The last event of each room that is under way."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: dict[str, list[Acknowledge]] = {}
        """By event: every delivery of it that waits for its acknowledgement."""
        self._eased = asyncio.Event()
        self.given_up = 0
        self.event_at: datetime | None = None

    def listen(self, receive: Receive) -> None:
        """Where events go from now on."""
        self._receive = receive

    async def room(self) -> None:
        """Return once another envelope may be taken."""
        while len(self._tasks) >= IN_HAND:
            self._eased.clear()
            await self._eased.wait()

    def accept(self, envelope: Json, acknowledge: Acknowledge) -> None:
        """Start taking one envelope."""
        self.event_at = self._clock()
        payload = envelope.get("payload")
        payload = payload if isinstance(payload, dict) else {}
        event = str(payload.get("event_id") or payload.get("trigger_id") or envelope["envelope_id"])
        if event in self._open:  # delivered anew while the first is still being stored
            self._open[event].append(acknowledge)
            return
        self._open[event] = [acknowledge]
        lane = _room(payload)
        task = asyncio.create_task(
            self._take(self._lanes.get(lane), str(envelope.get("type")), payload, event),
            name=f"slack event {event}",
        )
        self._lanes[lane] = task
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._leave(lane, done))

    async def close(self) -> None:
        """Drop what is under way; unacknowledged, it is delivered again."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._open.clear()

    def _leave(self, lane: str, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._eased.set()
        if self._lanes.get(lane) is task:
            del self._lanes[lane]

    async def _take(
        self, before: asyncio.Task[None] | None, kind: str, payload: Json, event: str
    ) -> None:
        if before is not None:
            await asyncio.wait({before})
        incoming = self._understood(kind, payload, event)
        if incoming is not None:
            await self._hand_in(incoming, event)
        for acknowledge in self._open.pop(event, []):
            await _acknowledged(acknowledge, event)
        try:
            self._done(kind, payload, incoming)
        except Exception:  # it is stored and acknowledged; only what it teaches is lost
            logger.exception("nothing was learned from slack event %s", event)

    def _understood(self, kind: str, payload: Json, event: str) -> Incoming | None:
        try:
            incoming = self._read(kind, payload)
        except Exception:  # whatever its form, it must not stop those behind it
            self.given_up += 1
            logger.exception("slack event %s of kind %s is not understood", event, kind,
                             extra={"action": "slack_malformed"})  # fmt: skip
            return None
        if incoming is None:
            logger.debug("slack event %s of kind %s says nothing", event, kind)
        return incoming

    async def _hand_in(self, incoming: Incoming, event: str) -> None:
        backoff = Backoff(self._sleep, self._jitter, first_s=FIRST_S, limit_s=LIMIT_S)
        tries = 0
        while tries < TRIES:
            try:
                assert self._receive is not None
                return await self._receive(incoming)
            except Retry as error:
                logger.warning("slack event %s waits: %s", event, error)
                await backoff.wait(least_s=error.after or 0.0)
            except Exception:  # one event nobody can take must not hold up its room for ever
                tries += 1
                logger.exception(
                    "slack event %s at %s was not taken, try %d of %d",
                    event, incoming.address, tries, TRIES, extra={"action": "slack_refused"},
                )  # fmt: skip
                if tries < TRIES:
                    await backoff.wait()
        self.given_up += 1
        return None


async def _acknowledged(acknowledge: Callable[[], Awaitable[None]], event: str) -> None:
    try:
        await acknowledge()
    except (ConnectionError, RuntimeError) as error:
        logger.info("slack event %s is stored; its acknowledgement was not sent: %s", event, error)


def _room(payload: Json) -> str:
    """What must stay in order: a channel."""
    event = payload.get("event")
    event = event if isinstance(event, dict) else {}
    item = event.get("item")
    for place in (
        event.get("channel"),
        item.get("channel") if isinstance(item, dict) else None,
        payload.get("channel_id"),
        payload.get("channel"),
    ):
        found = place.get("id") if isinstance(place, dict) else place
        if isinstance(found, str):
            return found
    return ""
