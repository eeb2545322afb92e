"""How many changes are asked for at one time: so many by one person, so many in all.

enter(who) ──► Place ──► leave()        Busy, and nothing stored, where there is no place
"""

import asyncio
import logging
from collections import Counter

from starlette.types import Message, Receive

from adapters.web.errors import Busy, TooSlow
from adapters.web.settings import Bounds

logger = logging.getLogger(__name__)


class Crowd:
    """Everybody who is changing something just now."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._inside: Counter[str] = Counter()
        self._busy = 0
        self._refused: set[str] = set()
        """Who was refused since nothing was on its way, theirs or at all: it is logged once."""

    def enter(self, who: str) -> "Place":
        """A place for one change of somebody's; Busy where there is none."""
        full = self._busy >= self._bounds.together
        if full or self._inside[who] >= self._bounds.share:
            if not (full and self._refused) and who not in self._refused:
                logger.warning(
                    "%d changes are on their way, %d of %s: further ones are told to wait",
                    self._busy, self._inside[who], who, extra={"action": "web_busy"},
                )  # fmt: skip
            self._refused.add(who)
            raise Busy
        self._busy += 1
        self._inside[who] += 1
        return Place(self, who, self._bounds.body_s)

    def leave(self, who: str) -> None:
        """Give a place back; for `Place`."""
        self._busy -= 1
        self._inside[who] -= 1
        if not self._inside[who]:
            del self._inside[who]
            self._refused.discard(who)
        if not self._busy:
            self._refused.clear()


class Place:
    """One change that is being worked on."""

    def __init__(self, crowd: Crowd, who: str, body_s: float) -> None:
        self._crowd = crowd
        self._who = who
        self._held = True
        self._until = asyncio.get_running_loop().time() + body_s

    def leave(self) -> None:
        """It is done; harmless when said before."""
        if self._held:
            self._held = False
            self._crowd.leave(self._who)

    async def hear(self, receive: Receive) -> Message:
        """The next piece of the body; TooSlow when the whole does not come in time."""
        try:
            async with asyncio.timeout_at(self._until):
                return await receive()
        except TimeoutError as error:
            raise TooSlow from error
