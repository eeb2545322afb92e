"""Plays stories in the running house, one at a time; they end with the house that plays them."""

import asyncio
import logging

from adapters.web.errors import Conflict
from bot.engine.waits import Sleep
from bot.plays import perform
from bot.plays.story import Story
from bot.rows import Row
from bot.web.rooms import WebRooms

logger = logging.getLogger(__name__)


class Theatre:
    """`begin` puts a story on, `run` plays it: the task that runs `run` owns the play."""

    def __init__(self, rooms: WebRooms, sleep: Sleep) -> None:
        self._rooms = rooms
        self._sleep = sleep
        self._next: asyncio.Queue[Story] = asyncio.Queue()
        self.playing = ""
        """The title of the story that is on; empty when none is."""

    def stories(self) -> list[Row]:
        """What can be played."""
        return perform.stories()

    async def begin(self, id: str) -> str:
        """Put a story on; the web room to look at. Conflict while another one is on."""
        if self.playing:
            raise Conflict(f"“{self.playing}” is being played; begin another one when it is over")
        story = perform.by_id(id)
        self.playing = story.title
        try:
            stage = await perform.cast(story, self._rooms)
        except BaseException:
            self.playing = ""
            raise
        self._next.put_nowait(story)
        return stage.room(story.watched)

    async def run(self) -> None:
        """Play what is put on, until cancelled; a story that goes wrong ends alone."""
        while True:
            story = await self._next.get()
            try:
                await perform.perform(story, self._rooms, self._sleep)
            except Exception:
                logger.exception(
                    "the story %s broke off", story.id, extra={"action": "story_broken"}
                )
            finally:
                self.playing = ""
