"""Events from the long connection: parsed, committed by the house, then acknowledged.

Events of one chat stay in order, chats do not wait for each other.
"""

import json
import logging
import re
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from typing import Any

from adapters.chat import EventKind, Incoming, Receive
from adapters.errors import Retry
from adapters.feishu.connection import NOT_NOW, Ack
from adapters.feishu.directory import Directory
from adapters.feishu.event import Malformed, Me, Misplaced
from adapters.feishu.incoming import parse, settle
from adapters.feishu.learning import Learning
from adapters.lanes import Lanes

logger = logging.getLogger(__name__)

TRIES = 3  # of an event that raises what no later time can mend
_COUNTED = 1000  # events whose failures are counted at once
_IDS = re.compile(rb'"(?:event|message|chat)_id":\s*"([\w-]{1,64})"')


class Events:
    """Hands in what the connection brings."""

    def __init__(
        self,
        directory: Directory,
        learning: Learning,
        clock: Callable[[], datetime],
        answer: Callable[[Incoming, dict[str, Any]], dict[str, Any] | None],
    ) -> None:
        self._directory = directory
        self._learning = learning
        self._clock = clock
        self._answer = answer
        """What a pressed button's presser is shown."""
        self._lanes = Lanes()
        self._failures: OrderedDict[str, int] = OrderedDict()
        self.skipped = 0
        """Events that were given up."""
        self.event_at: datetime | None = None

    async def handle(self, payload: bytes, me: Me, receive: Receive) -> Ack:
        """Commit one event and say how it is to be acknowledged."""
        try:
            event = json.loads(payload)
            incoming = parse(event, me, self._directory)
        except Misplaced as error:
            self._learning.place(error.message, event)
            return Ack()
        except (ValueError, RecursionError) as error:
            # It will be no better the next time, and must not hold up what comes after it.
            self._skip(payload, error)
            return Ack()
        self.event_at = self._clock()
        _show_ids(event)
        if incoming is None:
            return Ack()
        async with self._lanes.turn(incoming.address.chat):
            ack = await self._commit(event, incoming, receive)
        if ack.code == 200:
            settle(incoming, self._directory)
            self._learning.after(event, incoming)
        return ack

    async def _commit(self, event: dict[str, Any], incoming: Incoming, receive: Receive) -> Ack:
        id = str(event["header"].get("event_id") or incoming.address)
        try:
            await receive(incoming)
        except Retry as error:
            logger.warning("event %s waits for its redelivery: %s", id, error)
            return NOT_NOW
        except Exception:  # what no later try can mend must not come again for ever
            return self._failed(id, incoming)
        self._failures.pop(id, None)
        pressed = incoming.kind is EventKind.ACTION
        return Ack(answer=self._answer(incoming, event) if pressed else None)

    def _failed(self, id: str, incoming: Incoming) -> Ack:
        tries = self._failures[id] = self._failures.pop(id, 0) + 1
        if len(self._failures) > _COUNTED:
            self._failures.popitem(last=False)
        logger.exception(
            "event %s of %s was not taken, try %d of %d", id, incoming.address, tries, TRIES,
            extra={"action": "feishu_refused"},
        )  # fmt: skip
        if tries < TRIES:
            return NOT_NOW
        self.skipped += 1
        del self._failures[id]
        return Ack()

    def _skip(self, payload: bytes, error: Exception) -> None:
        self.skipped += 1
        reason = error if isinstance(error, Malformed) else type(error).__name__
        ids = ", ".join(found.decode(errors="replace") for found in _IDS.findall(payload)[:4])
        logger.error(
            "an event of %d bytes (%s) was passed over: %s", len(payload), ids or "no id", reason,
            extra={"action": "feishu_skipped"},
        )  # fmt: skip


def _show_ids(event: dict[str, Any]) -> None:
    """Somebody who writes an access list may want to see under which ids a person comes in."""
    if logger.isEnabledFor(logging.DEBUG):
        body = event["event"]
        logger.debug("from %s", body.get("sender") if isinstance(body, dict) else None)
