"""A chain of lives on one data folder, each in a process of its own, and what the last found."""

import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.crash.bases import Base
from tests.crash.laws import Broken
from tests.crash.life import Life
from tests.crash.stories import Story
from tests.fakes.doomed import TOO_LONG_S
from tests.fakes.doomed_points import Doom

NONE = "none"  # the point that is never passed


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which story, and what befalls its lives."""

    story: str
    points: tuple[str, ...]
    """One for each life; a last one in which everything comes to rest follows by itself."""

    @property
    def recipe(self) -> str:
        """What repeats it."""
        return f"--only {self.story} {' '.join(self.points) or NONE}"


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What became of a chain."""

    plan: Plan
    kills: int = 0
    struck: int = 0
    """Lives that came to their point."""
    closed: int = 0
    """Houses that ended with an error, and began again."""
    told: dict[str, Any] = field(default_factory=dict)
    """What the last life told; see `tests.crash.life.Told`."""
    broken: list[Broken] = field(default_factory=list)

    @property
    def missed(self) -> bool:
        """Whether a life never came to its point, so that nothing was shown."""
        return self.struck < len(self.plan.points)


def run(plan: Plan, story: Story, base: Base) -> Outcome:
    """Live once for every point, and once more where the last of these did not come to rest."""
    outcome = Outcome(plan=plan)
    root = "/dev/shm" if Path("/dev/shm").is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="limen-crash-", dir=root))
    try:
        with base.fresh() as place:
            for number, point in enumerate((*plan.points, NONE)):
                life = Life(story=story, folder=folder, doom=Doom.parse(point), base=place)
                if _lived(life, outcome) and number + 1 >= len(plan.points):
                    break
    finally:
        shutil.rmtree(folder)
    return outcome


def _lived(life: Life, outcome: Outcome) -> bool:
    """Live in a fresh process; whether it came to rest."""
    report = life.folder / "told.json"
    report.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        _end(life, report)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    outcome.broken = []
    if code == -signal.SIGKILL:
        outcome.kills += 1
        outcome.struck += 1
        return False
    if code:
        why = (
            "it never came to rest" if code == -signal.SIGALRM else f"its process ended with {code}"
        )
        outcome.broken.append(Broken("stuck", why))
        return True
    told = json.loads(report.read_text(encoding="utf-8"))
    outcome.struck += told["struck"]
    outcome.told = told
    outcome.broken = [Broken(**one) for one in told["broken"]]
    if not told["ended"]:
        return True
    outcome.closed += 1
    if not told["struck"]:
        outcome.broken.append(Broken("stuck", f"the house ended by itself: {told['ended']}"))
    return False


def _end(life: Life, report: Path) -> None:
    """Live, tell, and leave nothing behind that the parent began."""
    signal.alarm(TOO_LONG_S)
    try:
        told = asyncio.run(life.live())
        report.write_text(json.dumps(told.written()), encoding="utf-8")
        sys.stdout.flush()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
