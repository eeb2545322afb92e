"""One life of a house: it plays what is left of its story and ends by itself, or by its doom."""

import asyncio
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bot.app import Surroundings, open_house, system_sleep
from bot.engine.clocks import VirtualClock
from bot.plays import team
from bot.plays.stage import Stage
from bot.setup import config as configuration
from tests.crash.acts import Act
from tests.crash.bases import Base
from tests.crash.disk import watch
from tests.crash.laws import Broken, at_rest, broken, spoken
from tests.crash.stories import Story
from tests.crash.town import Ledger, Sight, Town
from tests.fakes.doomed import BETWEEN_LIVES, REST_S, DoomedDatabase, DoomedModel
from tests.fakes.doomed_points import Doom

BREATH_S = 0.002  # real seconds for threads, while a delayed task hides whether they work
CALM_S = (
    150.0  # seconds between two looks whether all is done: longer than a lease, or a burst of talk
)
TRIES = 40  # of one act
AGAIN_S = 5.0  # seconds between two of them
DONE = "done"  # the name in the ledger of acts that need not be done again


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How a life ended that was not killed."""

    ended: str
    """Empty when it came to rest; else what the house died of."""
    points: list[str]
    """What it passed from the first act on."""
    opening: list[str]
    """What it passed before."""
    passed: int
    """All of them, the looks at empty queues too."""
    said: dict[str, list[str]]
    """What stands in each room by the bot."""
    struck: bool
    broken: list[Broken]
    """What does not hold at its end."""

    def written(self) -> dict[str, Any]:
        """As JSON takes it."""
        return asdict(self)


@dataclass(slots=True, kw_only=True)
class Life:
    """What a life is made of."""

    story: Story
    folder: Path
    doom: Doom
    base: Base
    began: int = 0
    """How many points were passed when the first act came."""

    async def live(self) -> Told:
        """What of the story has not happened yet happens, then everything comes to rest."""
        ledger = Ledger.open(self.folder / "town.lines")
        lived = [datetime.fromisoformat(line["at"]) for line in ledger.lines if "at" in line]
        clock = VirtualClock(lived[-1] + BETWEEN_LIVES if lived else self.story.start)
        doom = self.doom
        ledger.add(what="life", on="", at=clock().isoformat())
        towns = {one.value: Town(one, ledger, doom, clock, clock.sleep) for one in Sight}

        class Doomed(DoomedDatabase):
            """A database of this life."""

        Doomed.doom = doom
        Doomed.full = self.base.full
        around = Surroundings(
            clock=clock,
            sleep=clock.sleep,
            jitter=lambda: 0.5,
            model=DoomedModel(doom, self.story.model()),
            chats=tuple(towns.values()),
            database=Doomed,
            serve=False,
        )
        found: list[Broken] = []
        said: dict[str, list[str]] = {}
        watch(self.folder / "home", doom)
        try:
            async with open_house(self._config(), around) as house:
                await house.rooms.seed(team.PEOPLE, team.ROOMS)
                doom.sleep = clock.sleep  # nothing moves the clock before
                doom.house = asyncio.create_task(house.live(), name="house")
                stage = Stage(house, clock)
                ended = await self._until_rest(stage, towns, ledger)
                if not ended:
                    said = await spoken(stage, towns)
                    found = await broken(stage, self.story, said, towns, self.folder / "home")
                doom.house.cancel()
                await asyncio.gather(doom.house, return_exceptions=True)
        except (Exception, asyncio.CancelledError) as error:
            ended = f"{type(error).__name__}: {error}"
        points = doom.points()
        begun = doom.points(self.began) if self.began else []
        return Told(
            ended=ended,
            points=begun,
            opening=points[: len(points) - len(begun)],
            passed=len(doom.passed),
            said=said,
            struck=doom.struck,
            broken=found,
        )

    def _config(self) -> Any:
        given = {
            "BOT__DATA_DIR": str(self.folder / "home"),
            "BOT__TIMEZONE": "UTC",
            "WEB__TOKEN": "operator-token",
            "PRIVACY__ONE_TEAM": "web,slack,feishu,telegram",
            **self.base.settings,
            **self.story.settings,
        }
        return configuration.load(None, {f"LIMEN_{key}": value for key, value in given.items()})

    async def _until_rest(self, stage: Stage, towns: dict[str, Town], ledger: Ledger) -> str:
        """Play and wait; what the house died of, or nothing."""
        house = self.doom.house
        assert house is not None
        playing = asyncio.create_task(self._play(stage, towns, ledger), name="play")
        await asyncio.wait({house, playing}, return_when=asyncio.FIRST_COMPLETED)
        if house.cancelling():
            await asyncio.wait({house})  # it is closing
        if not house.done():
            playing.result()
            return ""
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        if house.cancelled():
            return "it was told to close"
        return repr(house.exception() or "its tasks ended")

    async def _play(self, stage: Stage, towns: dict[str, Town], ledger: Ledger) -> None:
        await self._wait(stage, 0)
        self.began = len(self.doom.passed)
        done = {line["act"] for line in ledger.of(DONE, "")}
        for number, act in enumerate(self.story.acts):
            if number not in done:
                await self._do(act, stage, towns)
                ledger.add(what=DONE, on="", act=number, at=stage.clock().isoformat())
            await self._wait(stage, act.wait)
        rested = 0.0
        while rested < REST_S:
            await self._wait(stage, CALM_S)
            rested += CALM_S
            due = any(town.due() for town in towns.values())
            if not due and await stage.house.db.read(at_rest):
                return

    async def _do(self, act: Act, stage: Stage, towns: dict[str, Town]) -> None:
        """Do it as people do, who try again for a while where it was not taken."""
        for _ in range(TRIES):
            doing = asyncio.create_task(act.play(stage, towns), name="act")
            await self._wait(stage, 0)
            while not doing.done():
                await self._wait(stage, 1)
            if not doing.cancelled() and doing.exception() is None:
                return
            await self._wait(stage, AGAIN_S)

    async def _wait(self, stage: Stage, seconds: float) -> None:
        """Let time pass, with all that happens in it; what is delayed is not waited for."""

        def busy() -> bool:
            return stage.house.busy() and not self.doom.delayed

        async def breathe(seconds: float) -> None:
            await system_sleep(max(seconds, BREATH_S) if self.doom.delayed else seconds)

        until = stage.clock() + timedelta(seconds=seconds)
        await stage.clock.pass_time(until, busy=busy, breathe=breathe)
