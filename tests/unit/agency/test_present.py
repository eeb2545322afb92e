"""What waited is told in the morning only while it is still news."""

from datetime import time, timedelta

import pytest

from agency import handoffs
from agency.handoffs import Handoff, State
from agency.policy import Settings
from tests.fakes.town import Town

MORNING = Settings(quiet=(time(9), time(11)))
DECIDED = "We decided: the release path moves from legacy-release to canary-release."
ZH_DECIDED = "决定了：发布流程从 legacy-release 改为 canary-release。"


class Night:
    """Something is handed to #project and waits for the morning."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.ana, self.bo, self.lin = (town.person(name) for name in ("Ana", "Bo", "Lin"))
        self.source = town.room("architecture", self.lin)
        self.project = town.room("project", self.ana, self.bo)
        self.closed = town.room("closed", self.lin, open=False)
        self.speaking = town.speaking(speaking=MORNING)

    def hold(self, said: str = DECIDED, text: str = "The release path is canary-release now.",
             subject: str = "release path", state: str = "canary-release") -> Handoff:  # fmt: skip
        original = self.town.say(self.source, self.lin, said)
        proposal = self.town.proposal(self.project, text, (original,), subject=subject, state=state)
        handoff, verdict = self.speaking.propose(self.town.tx, proposal, live=True)
        assert verdict.state is State.HELD
        self.town.now += timedelta(minutes=30)
        return handoff

    def morning(self, handoff: Handoff) -> tuple[State, str]:
        self.town.now += timedelta(hours=1)
        self.speaking.sweep(self.town.tx)
        now = handoffs.get(self.town.tx, handoff.id)
        return now.state, now.reason


@pytest.fixture
def night(town: Town) -> Night:
    return Night(town)


def test_what_is_still_news_is_told(night: Night) -> None:
    held = night.hold()
    night.town.say(night.project, night.bo, "Lunch at noon?")
    night.town.say(night.source, night.lin, "I water the plants today.")
    assert night.morning(held)[0] is State.ADMITTED


@pytest.mark.parametrize(
    ("said", "later"),
    [
        (DECIDED, "Correction: the release path stays legacy-release, not canary-release."),
        (ZH_DECIDED, "更正：发布流程还是 legacy-release，不用 canary-release 了。"),
    ],
)
def test_what_was_changed_meanwhile_is_dropped(night: Night, said: str, later: str) -> None:
    held = night.hold(said, subject="发布流程" if said == ZH_DECIDED else "release path")
    night.town.say(night.source, night.lin, later)
    assert night.morning(held) == (State.DROPPED, "a later message changed it")


def test_what_only_shares_a_name_with_it_changes_nothing(night: Night) -> None:
    said = "I will finish the migration script for canary-release by Friday."
    held = night.hold(said, "It comes on Friday.", "canary-release migration script", "Friday")
    night.town.say(night.source, night.lin, "Decided: Kai owns the move to canary-release.")
    night.town.say(night.project, night.bo, "Decided: canary-release starts on Monday.")
    assert night.morning(held)[0] is State.ADMITTED


@pytest.mark.parametrize(
    ("said", "later"),
    [
        (DECIDED, "FYI from #architecture: the release path was moved to canary-release."),
        (ZH_DECIDED, "同步一下：发布流程已改为 canary-release。"),
    ],
)
def test_what_somebody_said_there_meanwhile_is_dropped(night: Night, said: str, later: str) -> None:
    held = night.hold(said, subject="发布流程" if said == ZH_DECIDED else "release path")
    night.town.say(night.project, night.bo, later)
    assert night.morning(held) == (State.DROPPED, "it was said there meanwhile")


@pytest.mark.parametrize(
    ("said", "later", "subject"),
    [
        ("I will have the migration script ready by Friday, promised.",
         "The migration script is done and merged.", "migration script"),
        ("我周五前把迁移脚本写好，一定。", "迁移脚本写好了，已经合并。", "迁移脚本"),
    ],
)  # fmt: skip
def test_what_was_settled_meanwhile_is_dropped(
    night: Night, said: str, later: str, subject: str
) -> None:
    held = night.hold(said, "It is due Friday.", subject, "due")
    night.town.say(night.source, night.lin, later)
    assert night.morning(held) == (State.DROPPED, "it was settled meanwhile")


def test_a_later_handoff_on_the_subject_goes_before_it(night: Night) -> None:
    held = night.hold()
    newer = night.hold("We go back: legacy-release it is.", "Legacy again.", state="legacy")
    assert night.town.state(held) is State.DROPPED
    assert night.morning(newer)[0] is State.ADMITTED


def test_what_the_room_may_not_hear_does_not_settle_it(night: Night) -> None:
    """Its silence would tell of the closed room."""
    held = night.hold()
    night.town.say(night.closed, night.lin, "Correction: the release path stays as it was.")
    night.morning(held)
    records = handoffs.gate_records(night.town.tx, held.id)
    assert [one.passed for one in records if one.gate == "still news"] == [True]


def test_every_drop_leaves_its_record(night: Night) -> None:
    held = night.hold()
    night.town.say(
        night.source, night.lin, "Correction: it stays legacy-release, the release path."
    )
    night.morning(held)
    last = handoffs.gate_records(night.town.tx, held.id)[-1]
    assert (last.gate, last.passed, last.reason) == (
        "still news", False, "a later message changed it",
    )  # fmt: skip
