"""The process is killed with SIGKILL at a chosen point; the next one loses and repeats nothing."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

ANSWER = {"dm-ana": ["rotates every Monday"]}
NUDGE = {"project": ["canary-release"]}
CONSENT = {"dm-mo": ["Noted", "May I tell #project"], "project": ["migration script"]}
APPROVAL = {"dm-bo": ["would like your word"], "project": ["I have asked Bo", "Bo says yes"]}
STORIES = {"question": ANSWER, "nudge": NUDGE, "consent": CONSENT, "approval": APPROVAL}

QUESTION_POINTS = {
    "before the post is stored": "before:web.say@2",
    "post stored, nobody told": "after:web.say@2",
    "inside the commit that takes it in": "inside:accept.new@2",
    "after commit, before ack": "after:accept.new@2",
    "inside the ack": "inside:web.told@2",
    "acknowledged, run queued": "after:web.told@2",
    "inside the start of the run": "inside:begin",
    "run begun, model not asked": "after:begin.conversation",
    "before the first model call": "call:conversation",
    "first answer stored": "after:answer.foreground",
    "looked up, not stored": "before:tool.search_memory",
    "inside the storing of what was looked up": "inside:tool.search_memory",
    "between two model calls": "call:conversation@2",
    "say asked for, not begun": "before:tool.say",
    "inside say and the end of the run": "inside:tool.say",
    "after say, before delivery": "after:tool.say",
    "letter claimed, not sent": "before:web.post_as_bot",
    "inside the delivery": "inside:web.post_as_bot",
    "delivered, not recorded": "after:web.post_as_bot",
    "delivered, about to be recorded": "before:settle",
    "delivery recorded": "after:settle",
    "during the retry of a delivery": "after:again",
    "at the second retry of a delivery": "before:again@2",
    "memory run begun": "after:begin.memory",
    "memory run half done": "before:tool.remember",
    "inside the memory tool": "inside:tool.remember",
    "memory kept": "after:tool.remember",
}
NUDGE_POINTS = {
    "inside the wake of the agency": "inside:wake",
    "fire submitted": "after:wake",
    "agency run begun": "after:begin.agency",
    "agency has decided, nothing done": "before:tool.submit_to_session",
    "inside the handoff": "inside:tool.submit_to_session",
    "handoff admitted": "after:tool.submit_to_session",
    "agency between two model calls": "call:agency@3",
    "agency run settled": "after:end.agency@2",
    "handoff read by its session": "after:begin.conversation",
    "nudge worded, not said": "before:tool.say",
    "nudge said, not delivered": "after:tool.say",
    "nudge delivered, not recorded": "before:settle",
    "nudge waits for a second try": "after:again",
}
CONSENT_POINTS = {
    "consent asked for, not worded": "after:tool.submit_to_session",
    "question said, not delivered": "after:tool.say@2",
    "question delivered, not recorded": "before:settle@2",
    "button pressed, nobody told": "after:web.press",
    "inside the answer": "inside:accept.action",
    "answered, press not acknowledged": "after:accept.action",
    "told in the room, not recorded": "before:settle@3",
}
APPROVAL_POINTS = {
    "approval asked for, not begun": "before:tool.ask_approval",
    "inside the question and the suspension": "inside:tool.ask_approval",
    "suspended, question not delivered": "after:tool.ask_approval",
    "question delivered, not recorded": "before:settle",
    "button pressed, nobody told": "after:web.press",
    "inside the answer": "inside:accept.action",
    "answered, the run not begun again": "after:accept.action",
    "begun again, nothing done": "after:begin.conversation@2",
    "verdict stored, not worded": "call:conversation@3",
    "verdict worded, not said": "before:tool.say",
    "verdict said, not delivered": "after:tool.say",
}
CASES = [
    pytest.param(story, point, id=f"{story}: {name}")
    for story, points in (
        ("question", QUESTION_POINTS),
        ("nudge", NUDGE_POINTS),
        ("consent", CONSENT_POINTS),
        ("approval", APPROVAL_POINTS),
    )
    for name, point in points.items()
]


@dataclass(frozen=True, slots=True)
class Lives:
    """What became of a house that lived several times."""

    ends: list[int]
    found: dict[str, Any]


Live = Callable[..., Lives]


@pytest.fixture(scope="module")
def houses() -> Iterator["subprocess.Popen[str]"]:
    """The process that starts the houses, each in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.doomed"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


@pytest.fixture
def live(houses: "subprocess.Popen[str]", tmp_path: Path) -> Live:
    """`live(story, *points)`: one life for every point, on one data folder."""

    def lives(story: str, *points: str) -> Lives:
        assert houses.stdin is not None and houses.stdout is not None
        request = {"folder": str(tmp_path / "home"), "story": story, "points": points}
        houses.stdin.write(json.dumps(request) + "\n")
        houses.stdin.flush()
        return Lives(**json.loads(houses.stdout.readline()))

    return lives


def assert_whole(story: str, found: dict[str, Any]) -> None:
    """Everything said once, everything at rest."""
    said, expected = found["said"], STORIES[story]
    assert set(said) == set(expected), said
    for room, words in expected.items():
        assert len(said[room]) == len(words), said
        for text, word in zip(said[room], words, strict=True):
            assert word in text
    assert found["due"] == 0
    assert found["posts"] == found["originals"] == 2
    assert set(found["inputs"]) <= {"delivered", "observed"}
    assert set(found["runs"]) == {"succeeded"}
    assert set(found["fires"]) == {"consumed"}
    assert set(found["handoffs"]) <= {"spoken"}
    assert set(found["consents"]) <= {"granted"}
    assert set(found["approvals"]) <= {"granted"}
    assert set(found["letters"]) == {"sent"}
    assert found["facts"] >= 1


@pytest.mark.parametrize("story", STORIES)
def test_a_house_that_is_not_killed_says_it_once(live: Live, story: str) -> None:
    lives = live(story, "none")
    assert lives.ends == [0]
    assert_whole(story, lives.found)


@pytest.mark.parametrize(("story", "point"), CASES)
def test_killed_once_it_loses_nothing_and_says_nothing_twice(
    live: Live, story: str, point: str
) -> None:
    """DU-04: what was in flight goes on from its last step."""
    lives = live(story, point, "none")
    assert lives.ends == [-9, 0], "it must die at the point, and live after it"
    assert_whole(story, lives.found)


def test_killed_again_and_again_it_still_says_it_once(live: Live) -> None:
    points = ("after:accept.new@2", "after:begin.conversation", "inside:tool.say", "before:settle")
    lives = live("question", *points, "none")
    assert lives.ends == [-9, -9, -9, -9, 0]
    assert_whole("question", lives.found)


def test_a_run_that_kills_every_process_is_given_up_with_a_word(live: Live) -> None:
    """DU-12: starts are counted before the work."""
    lives = live("question", *["call:conversation"] * 5, "none")
    assert lives.ends == [-9] * 5 + [0]
    found = lives.found
    assert found["runs"]["failed"] == 1
    assert [len(said) for said in found["said"].values()] == [1]
    assert "something on my side failed" in found["said"]["dm-ana"][0]
    assert found["due"] == 0
    assert set(found["inputs"]) <= {"delivered", "observed"}
