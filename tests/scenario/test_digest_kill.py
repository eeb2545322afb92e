"""The process is killed with SIGKILL around a digest: the next one gives it, and gives it once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
POINTS = {
    "about to write it": "before:give",
    "inside the writing": "inside:give",
    "written, not sent": "after:give",
    "claimed, not sent": "before:web.post_as_bot",
    "sent, not recorded": "after:web.post_as_bot",
    "about to be recorded": "before:settle",
}


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[object]]]:
    """What came of a house for each point, all of them forked from one process."""
    folder = tmp_path_factory.mktemp("digests")
    asked = [
        json.dumps({"folder": str(folder / f"h{n}"), "points": [point, "none"]})
        for n, point in enumerate(POINTS.values())
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.fakes.doomed_digest"],
        cwd=ROOT,
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(POINTS, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("name", POINTS)
def test_a_digest_comes_once_though_the_process_was_killed(
    ends: dict[str, dict[str, list[object]]], name: str
) -> None:
    assert ends[name]["ends"] == [-9, 0], "it must die at the point, and live after it"
    assert len(ends[name]["digests"]) == 1
    assert "the demo is on Thursday" in str(ends[name]["digests"][0])
