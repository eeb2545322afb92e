"""What the processes of one Limen tell each other: bells, signs of runs, runs to be stopped.

A word may be lost, so nothing depends on one: every loop looks by itself as well, later.
"""

import json
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from bot.alarms import Bells
from bot.engine import inputs, runs
from bot.engine.inputs import Input
from bot.engine.runs import Priority, Run
from bot.engine.signs import Signs
from bot.engine.waits import Bell, Clock, Sleep, look_again
from memory.db import Database, Reader

logger = logging.getLogger(__name__)

STOP, SIGN, READ = "stop:", "sign:", "read"
LOOK_S = 20.0  # seconds between two looks whether far runs still go on
MOST = 1000  # signs that wait to be shown; older ones are let go


class Unseen(Signs):
    """Shows nothing, where no platform is at hand."""

    def answering(self, run: Run, given: Sequence[Input]) -> None:
        pass

    def using(self, run: Run, tools: Sequence[str]) -> None:
        pass

    def ended(self, run: Run) -> None:
        pass


class FarSigns(Signs):
    """Signs of runs, shown by whichever process holds the platform's connection."""

    def __init__(self, near: Signs, db: Database, clock: Clock, sleep: Sleep) -> None:
        self._near = near
        self._db = db
        self._clock = clock
        self._sleep = sleep
        self._far: dict[int, Run] = {}
        """Runs of other processes whose signs are shown here."""
        self._heard: deque[str] = deque(maxlen=MOST)
        self._bell = Bell()

    def answering(self, run: Run, given: Sequence[Input]) -> None:
        self._near.answering(run, given)
        if any(one.waited_for for one in given):
            self._tell(run, given=[one.id for one in given])

    def using(self, run: Run, tools: Sequence[str]) -> None:
        self._near.using(run, tools)
        self._tell(run, tools=list(tools))

    def ended(self, run: Run) -> None:
        self._near.ended(run)
        self._tell(run, ended=True)

    def _tell(self, run: Run, **what: Any) -> None:
        if run.priority <= Priority.PERSON:
            self._db.announce(SIGN + json.dumps({"run": run.id, **what}))

    def hear(self, word: str) -> None:
        """Show soon what another process told."""
        self._heard.append(word)
        self._bell.ring()

    async def run(self) -> None:
        """Show what is heard, until cancelled; an end that was not heard is looked for."""
        while True:
            while self._heard:
                word = self._heard.popleft()
                try:
                    await self._show(json.loads(word.removeprefix(SIGN)))
                except (ValueError, KeyError, LookupError) as error:
                    logger.warning("a sign of another process is not shown: %s (%s)", word, error)
            await self._bell.wait(look_again(self._clock(), LOOK_S), self._sleep)
            for id in [*self._far]:
                now = await self._db.read(runs.get, id)
                if now.state is not runs.State.RUNNING:
                    self._near.ended(self._far.pop(id))

    async def _show(self, told: dict[str, Any]) -> None:
        id = int(told["run"])
        if "given" in told:
            self._far[id], given = await self._db.read(_given, id, frozenset(told["given"]))
            self._near.answering(self._far[id], given)
        elif id in self._far and "tools" in told:
            self._near.using(self._far[id], told["tools"])
        elif id in self._far:
            self._near.ended(self._far.pop(id))


class Signals:
    """Hears what other processes announce, and passes it on."""

    def __init__(
        self,
        bells: Bells,
        signs: FarSigns,
        *,
        stop: Callable[[int], None],
        read: Callable[[], None],
    ) -> None:
        self._bells = bells
        self._signs = signs
        self._stop = stop
        self._read = read

    def hear(self, word: str) -> None:
        """Pass one word on; those of a newer version are let go."""
        if word.startswith(SIGN):
            self._signs.hear(word)
        elif word.startswith(STOP) and word[len(STOP) :].isdigit():
            self._stop(int(word[len(STOP) :]))
        elif word == READ:
            self._read()
        else:
            self._bells.hear(word)


def _given(reader: Reader, run: int, ids: frozenset[int]) -> tuple[Run, list[Input]]:
    found = [one for one in inputs.of_run(reader, run) if one.id in ids]
    return runs.get(reader, run), found
