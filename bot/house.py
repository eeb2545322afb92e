"""A house: everything that runs, put together by `bot/app.py`."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from adapters.lasting import Work, lasting
from adapters.web.chat import WebChat
from agency.attention import Attention
from bot.budgeting import Budgeting
from bot.engine.controller import SessionController
from bot.engine.dispatch import Dispatcher
from bot.engine.keeper import Keeper
from bot.engine.outbox import Outbox
from bot.engine.runtime import Runtime
from bot.engine.supervisor import Supervisor
from bot.files.fetching import Files
from bot.footing import Footing
from bot.health import HealthWatch
from bot.intake import Intake
from bot.listener import Listener
from bot.news import News
from bot.notices import Notices
from bot.parts import FILES, MIND, Part
from bot.plays.theatre import Theatre
from bot.progress import Progress
from bot.reception import Reception
from bot.responses import Responses
from bot.safekeeping.trimming import Trimming
from bot.setup.config import Config
from bot.signals import FarSigns
from bot.speaking import Speaking
from bot.timekeeping import Timekeeper
from bot.views.house import HouseViews
from bot.wakes import Alarm
from bot.web.rooms import WebRooms
from memory.db import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Everything that runs, put together; nothing runs before `live`."""

    config: Config
    db: Database
    attention: Attention
    controller: SessionController
    speaking: Speaking
    budgeting: Budgeting
    reception: Reception
    news: News
    responses: Responses
    intake: Intake
    runtime: Runtime
    progress: Progress
    dispatcher: Dispatcher
    outbox: Outbox
    alarms: Mapping[str, Alarm]
    listener: Listener
    files: Files
    rooms: WebRooms
    theatre: Theatre
    views: HouseViews
    web: WebChat | None
    supervisor: Supervisor
    watch: HealthWatch
    notices: Notices
    footing: Footing
    timekeeper: Timekeeper
    trimming: Trimming
    keeper: Keeper
    parts: frozenset[Part]
    """What this process does of it all."""
    far: FarSigns | None
    """Signs of runs in other processes; None without others."""
    model_name: str
    web_token: str
    """The operator's secret of the web chat; empty without one."""

    def busy(self) -> bool:
        """Whether anything is being done right now, rather than waited for."""
        runs = self.dispatcher.busy > self.files.waited_for
        return bool(
            self.db.busy or runs or self.outbox.busy or self.listener.busy or self.files.busy
        )

    async def drain(self) -> None:
        """Take nothing in and begin nothing; returns once what was begun has ended its step."""
        self.intake.close()
        await self.dispatcher.drain()
        await self.outbox.drain()

    async def live(self) -> None:
        """Run until cancelled; a core task that dies takes the house with it, loudly."""
        async with asyncio.TaskGroup() as group:
            _begin(group, "footing", self.footing.run)
            _begin(group, "timekeeper", self.timekeeper.run)
            _begin(group, "trimming", self.trimming.run)
            if self.parts & {Part.WORKER, Part.AGENCY}:
                _begin(group, "dispatcher", self.dispatcher.run)
            if Part.GATEWAY in self.parts:
                self._open_doors(group)
            if Part.AGENCY in self.parts:
                _begin(group, MIND, partial(self.keeper.while_held, MIND, self._think))

    def _open_doors(self, group: asyncio.TaskGroup) -> None:
        _begin(group, "outbox", self.outbox.run)
        _begin(group, "progress", self.progress.run)
        _begin(group, "theatre", self.theatre.run)
        _begin(group, FILES, partial(self.keeper.while_held, FILES, self.files.run))
        _begin(group, "chats", partial(self.supervisor.run, self.intake.receive, self._took_over))
        _begin(group, "health", self.watch.run)
        if self.far is not None:
            _begin(group, "far signs", self.far.run)

    def _took_over(self) -> None:
        """What another process did on a platform until now is not known here."""
        self.outbox.took_over()
        self.intake.took_over()
        self.watch.took_over()

    async def _think(self) -> None:
        """What one process at a time does for all."""
        self.dispatcher.bell.wake()  # background runs may begin here now
        async with asyncio.TaskGroup() as group:
            for name, alarm in self.alarms.items():
                _begin(group, name, alarm.run)
            _begin(group, "listener", self.listener.run)
            _begin(group, "notices", self.notices.run)


def _begin(group: asyncio.TaskGroup, name: str, work: Work) -> None:
    group.create_task(lasting(name, work), name=name)
