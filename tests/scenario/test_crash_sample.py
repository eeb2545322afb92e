"""A sample of what `make crash` does: a house disturbed at a point, and what comes of it."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.__main__ import main
from tests.crash.chain import Outcome, Plan
from tests.crash.laws import Broken, outside, told
from tests.crash.plans import Known, may, once, twice
from tests.crash.stories import MONDAY, Story
from tests.crash.table import Table, covered
from tests.crash.town import Ledger, Sight, Town
from tests.fakes.doomed_points import Doom, Fate

ROOT = Path(__file__).parents[2]

CHAINS = {
    "killed at the first start": ("question", "inside:bring_up.apply"),
    "killed with a letter handed over in pieces": ("long-slack", "after:send.slack@2"),
    "killed where nobody can tell of it": ("long-telegram", "after:send.telegram"),
    "killed with a picture half written": ("files", "before:rename.picture"),
    "killed while a digest is posted, and again": ("digest", "after:give", "any:any@33"),
    "killed before a platform was acknowledged": ("outside", "before:ack.telegram@2"),
    "killed with the budget almost used up": ("budget", "after:ask.conversation@2"),
    "a disk is full while news are read": ("nudge", "raise=inside:runtime.take"),
    "a platform breaks off": ("long-slack", "raise=after:send.slack"),
    "the task of the outbox is cancelled": ("question", "cancel=before:claim"),
    "the handing in of a room is cancelled": ("question", "cancel=before:accept.new@2"),
    "the house closes while it writes": ("consent", "stop=inside:tool.submit_to_session"),
    "a model takes longer than a lease": ("memory", "delay=before:ask.conversation"),
}


def harness(*args: str) -> "subprocess.CompletedProcess[str]":
    """The command, in a process of its own, as it forks."""
    command = [sys.executable, "-m", "tests.crash", *args]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False
    )


@pytest.fixture(scope="module")
def chains() -> "subprocess.CompletedProcess[str]":
    plans = [part for chain in CHAINS.values() for part in ("--only", *chain)]
    return harness(*plans)


def test_whatever_befalls_a_house_its_next_life_loses_and_repeats_nothing(
    chains: "subprocess.CompletedProcess[str]",
) -> None:
    assert chains.returncode == 0, chains.stdout + chains.stderr
    assert f"{len(CHAINS)} of {len(CHAINS)} chains met their points" in chains.stdout


def test_a_first_life_finds_the_points_of_its_story() -> None:
    listed = harness("--list", "--stories", "files", "long-telegram")
    assert listed.returncode == 0, listed.stdout + listed.stderr
    for point in (
        "before:accept.new", "inside:tool.say", "after:settle", "before:ask.conversation",
        "after:send.telegram", "before:fetch.slack", "before:rename.picture",
    ):  # fmt: skip
        assert f"{point} ×" in listed.stdout


def test_a_story_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "nobody", "after:settle"]) == 2
    assert "there is no story nobody" in capsys.readouterr().out


def test_each_fate_comes_to_each_point_where_it_can() -> None:
    points = ("before:settle", "inside:settle", "after:settle", "before:rename.picture")
    known = {"tale": Known(points=points, passed=9, says={})}
    plans = [plan.points[0] for plan in once(known, list(Fate))]
    assert plans == [
        *points,
        "raise=before:settle", "raise=inside:settle", "raise=before:rename.picture",
        "cancel=before:settle", "cancel=inside:settle", "cancel=after:settle",
        "stop=before:settle", "stop=inside:settle", "stop=after:settle",
        "delay=before:settle", "delay=after:settle",
    ]  # fmt: skip
    assert may(Fate.RAISE, "after:send.slack") and not may(Fate.RAISE, "after:settle")
    assert [plan.points[0] for plan in twice(known)] == list(points)


def test_a_point_is_met_at_its_turn_and_polls_are_no_points() -> None:
    doom = Doom.parse("stop=after:settle@2")
    met = [doom.strike("after", name, "any") for name in ("settle", "begin", "settle", "settle")]
    assert met == [False, False, True, False]
    assert doom.fate is Fate.STOP
    doom.idle.add(1)
    assert doom.points() == ["after:settle", "after:settle@2", "after:settle@3"]
    assert list(covered(doom.points())) == ["writes: 3 points", "    after:settle ×3"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (["one", "two"], ""),
        (["I am behind, since much is going on.", "one and two"], ""),
        (["one", "or else", "two"], ""),
        (["one"], "lost"),
        (["one", "two", "two"], "doubled"),
        (["one", "two", "three"], "wrong"),
        (["two", "one"], "wrong"),
    ],
)
def test_a_room_hears_everything_once_and_in_order(said: list[str], kind: str) -> None:
    story = Story(acts=(), says={"web:here": ("one", "?else", "two|zwei")}, ordered=True)
    found = list(told(story, {"web:here": said}))
    assert [one.kind for one in found] == ([kind] if kind else [])
    assert [one.kind for one in told(story, {})] == ["lost"]


def test_a_platform_that_can_be_asked_holds_a_letter_once(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "town.lines")
    towns = {
        one: Town(one, ledger, Doom.parse("none"), lambda: MONDAY, asyncio.sleep) for one in Sight
    }
    post = {"what": "post", "room": "r", "text": "hello", "buttons": []}
    for marks in ((False, True), (True, True)):
        for town in towns.values():
            for marked in marks:
                ledger.add(on=town.name, key=f"k{marks[0]}", marked=marked, **post)
    kinds = {name: [one.kind for one in outside(town)] for name, town in towns.items()}
    both = ["doubled", "doubled"]
    assert kinds == {Sight.KEYED: both, Sight.SOUGHT: both, Sight.BLIND: ["doubled"]}
    again = Ledger.open(ledger.path)
    assert again.lines == ledger.lines, "it outlives its process"


def test_what_is_broken_counts_and_is_told_with_its_recipe() -> None:
    table = Table()
    plan = Plan(story="nudge", points=("after:settle", "any:any@7"))
    broken = [Broken("lost", "a letter"), Broken("lost", "another")]
    table.add("killed", Outcome(plan=plan, kills=2, struck=2, broken=broken))
    table.add("killed", Outcome(plan=plan, kills=1, struck=1))
    assert plan.recipe == "--only nudge after:settle any:any@7"
    assert [one.plan for one in table.failed] == [plan]
    head, row, total = table.lines()
    assert row.split() == ["killed", "2", "3", "0", "1", "1", "0", "0", "0"]
    assert total.split()[1:] == row.split()[1:]
    assert head.split()[-4:] == ["lost", "doubled", "stuck", "wrong"]
