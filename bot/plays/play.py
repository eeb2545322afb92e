"""Plays a written story through the whole app and checks what it expects.

story ─► a house in a temporary folder, on a virtual clock ─► transcript, why-chains, verdicts
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from bot.errors import LimenError
from bot.plays import houses, perform, verdicts
from bot.plays import story as stories_on_file
from bot.plays.chronicle import Chronicle
from bot.plays.playbill import Look, Playbill
from bot.plays.stage import Stage, open_stage
from bot.plays.story import LANGUAGES, Beat, Story
from bot.setup.config import Config

TAIL_S = 900.0  # virtual seconds after the last beat: the agency reads even what can wait
CHUNK_S = 15.0  # virtual seconds between two looks, so that lines appear as things happen
ALL = "all"
BOTH = "both"

PrintLine = Callable[[str], None]


def names() -> list[str]:
    """The stories that ship, by name."""
    return stories_on_file.names()


async def play(
    story: str,
    language: str,
    config: Config,
    *,
    print_line: PrintLine,
    model: str = houses.BUILTIN,
    colour: bool = False,
) -> bool:
    """Play a story, or `all`, in `en`, `zh` or `both`; whether everything expected came true.

    `model` is `builtin`, or `configured` for the one of the settings. Nothing else of the settings
    is used but the bot's name, and nothing is written outside a temporary folder.
    """
    languages = LANGUAGES if language == BOTH else (language,)
    if not set(languages) <= set(LANGUAGES):
        raise LimenError(f"a story is told in en, zh or both, not in {language!r}")
    houses.check_model(model)
    chosen = names() if story == ALL else [story]
    plays = [stories_on_file.load(name, one) for name in chosen for one in languages]
    look = Look(width=min(120, shutil.get_terminal_size((100, 24)).columns), colour=colour)
    failed = []
    for one in plays:
        with tempfile.TemporaryDirectory(prefix="limen-play-") as folder:
            settings = houses.furnish(config, Path(folder), zone=one.zone.key, model=model)
            if not await play_one(one, settings, print_line=print_line, look=look):
                failed.append(one.id)
    if len(plays) > 1:
        print_line(f"{len(plays) - len(failed)} of {len(plays)} stories came out as they should")
        for id in failed:
            print_line(f"not met: {id}")
    return not failed


async def play_one(
    story: Story, config: Config, *, print_line: PrintLine, look: Look | None = None
) -> bool:
    """Play one story in the data folder of `config`."""
    start = story.start.astimezone(UTC)
    async with open_stage(config, start, people=story.people, rooms=story.rooms) as stage:
        show = _Show(story, stage, print_line)
        found = await show.run(look or Look())
    return all(one.met for one in found)


class _Show:
    """One story on its stage."""

    def __init__(self, story: Story, stage: Stage, print_line: PrintLine) -> None:
        self._story = story
        self._stage = stage
        self._print = print_line
        self._chronicle = Chronicle(stage.house.db, stage.clock)
        self._times: dict[str, datetime] = {}

    async def run(self, look: Look) -> list[verdicts.Verdict]:
        """Play it, print it, judge it."""
        rooms = self._stage.house.rooms
        performance = await perform.cast(self._story, rooms)
        name = self._stage.house.config.bot.name
        bill = Playbill(self._story, performance, name, look)
        self._lines(bill.opening())
        for beat in self._story.beats:
            await self._pass(beat.pause.total_seconds(), bill)
            await perform.act(performance, beat, rooms)
            self._note(beat)
            self._lines(bill.beat(beat, self._stage.clock()))
            await self._stage.wait(0)
            await self._look(bill)
        await self._pass(TAIL_S, bill)
        record = verdicts.Record(
            performance=performance,
            times=self._times,
            spoken=self._chronicle.spoken,
            told=list(self._chronicle.told.values()),
            wakes=self._chronicle.wakes,
            unread=await self._chronicle.unread(),
        )
        found = verdicts.judge(self._story, record)
        self._lines(bill.why(self._chronicle.spoken))
        self._lines(bill.verdicts(found))
        return found

    async def _pass(self, seconds: float, bill: Playbill) -> None:
        while seconds > 0:
            await self._stage.wait(min(seconds, CHUNK_S))
            seconds -= CHUNK_S
            await self._look(bill)

    async def _look(self, bill: Playbill) -> None:
        for one in await self._chronicle.look():
            self._lines(bill.news(one))

    def _note(self, beat: Beat) -> None:
        if beat.name:
            self._times[beat.name] = self._stage.clock()

    def _lines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self._print(line)
