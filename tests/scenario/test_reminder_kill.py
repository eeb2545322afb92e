"""The process is killed with SIGKILL around a reminder: it is set once, and said once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
POINTS = {
    "about to set it": "before:tool.set_reminder",
    "inside the setting": "inside:tool.set_reminder",
    "set, not confirmed": "after:tool.set_reminder",
    "about to give it": "before:sweep",
    "inside the giving": "inside:sweep",
    "given, not sent": "after:sweep",
    "claimed, not sent": "before:web.post_as_bot@2",
    "sent, not recorded": "after:web.post_as_bot@2",
    "about to be recorded": "before:settle@2",
}


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[object]]]:
    """What came of a house for each point, all of them forked from one process."""
    folder = tmp_path_factory.mktemp("reminders")
    asked = [
        json.dumps({"folder": str(folder / f"h{n}"), "points": [point, "none"]})
        for n, point in enumerate(POINTS.values())
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.fakes.doomed_reminder"],
        cwd=ROOT,
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(POINTS, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("name", POINTS)
def test_a_reminder_is_said_once_though_the_process_was_killed(
    lives: dict[str, dict[str, list[object]]], name: str
) -> None:
    """DU-10: the slot is claimed in the transaction that puts the letter into the outbox."""
    assert lives[name]["ends"] == [-9, 0], "it must die at the point, and live after it"
    said = [str(text) for text in lives[name]["said"]]
    assert sum(text.startswith("Noted") for text in said) == 1
    assert sum(text.startswith("Reminder: call Jon") for text in said) == 1
