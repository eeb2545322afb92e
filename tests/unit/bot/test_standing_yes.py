"""What a yes does to what waits, and what taking it back does: by the gates, in one transaction."""

from datetime import timedelta

import pytest

from agency import consents, handoffs, personal
from agency.consents import Scope
from agency.gates import Verdict
from agency.handoffs import Handoff, State
from memory.moments import from_us
from tests.fakes.town import Town


class Scene:
    """Ana's DM, an open room, and one promise that was asked about."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.ana, bo = town.person("Ana"), town.person("Bo")
        self.dm = town.dm(self.ana)
        self.room = town.room("project", self.ana, bo)
        self.speaking = town.speaking()
        self.first, verdict = self.propose("I send the zebra report by Friday", "the report")
        assert verdict.state is State.ASKING
        [self.asked] = consents.of_handoff(town.tx, self.first.id)

    def propose(self, words: str, subject: str) -> tuple[Handoff, Verdict]:
        said = self.town.say(self.dm, self.ana, words)
        proposal = self.town.proposal(self.room, words, [said], subject=subject, state=words)
        return self.speaking.propose(self.town.tx, proposal, live=True)

    def answer(self, **how: object) -> None:
        given = {"granted": True, "note": "", **how}
        settled = self.speaking.answer(self.town.tx, self.asked.id, person=self.ana, **given)  # type: ignore[arg-type]
        assert settled is not None


@pytest.fixture
def scene(town: Town) -> Scene:
    return Scene(town)


def test_a_standing_yes_saves_the_question(scene: Scene) -> None:
    scene.answer(scope=Scope.ROOM)
    handoff, verdict = scene.propose("I do the llama tests on Monday", "the tests")
    assert verdict.state is State.ADMITTED
    assert consents.of_handoff(scene.town.tx, handoff.id) == []


def test_a_yes_for_once_saves_none(scene: Scene) -> None:
    scene.answer()
    _, verdict = scene.propose("I do the llama tests on Monday", "the tests")
    assert verdict.state is State.ASKING


def test_taken_back_before_it_was_told_it_stops_the_telling(scene: Scene) -> None:
    scene.answer(scope=Scope.ROOM)
    handoff, _ = scene.propose("I do the llama tests on Monday", "the tests")
    assert scene.town.state(scene.first) is scene.town.state(handoff) is State.ADMITTED
    scene.answer(granted=False)
    assert scene.town.state(scene.first) is scene.town.state(handoff) is State.DROPPED


def test_what_is_being_read_when_it_is_taken_back_is_declined(scene: Scene) -> None:
    scene.answer()
    waiting = handoffs.get(scene.town.tx, scene.first.id)
    handoffs.move(scene.town.tx, waiting, State.DELIVERED, reason="", now_us=scene.town.us)
    scene.answer(granted=False)
    assert scene.town.state(scene.first) is State.DECLINED


def test_when_its_time_is_over_it_tells_nothing_more(scene: Scene) -> None:
    scene.answer(scope=Scope.ROOM, until=scene.town.now + timedelta(hours=2))
    handoff, _ = scene.propose("I do the llama tests on Monday", "the tests")
    assert scene.town.state(handoff) is State.ADMITTED
    scene.town.now += timedelta(hours=2)
    scene.speaking.sweep(scene.town.tx)
    assert scene.town.state(handoff) is State.DROPPED
    _, verdict = scene.propose("I do the ocelot docs on Tuesday", "the docs")
    assert verdict.state is State.ASKING


def test_a_late_alarm_lets_no_yes_live_longer(scene: Scene) -> None:
    scene.answer(scope=Scope.ROOM, until=scene.town.now + timedelta(hours=2))
    scene.town.now += timedelta(hours=3)
    _, verdict = scene.propose("I do the llama tests on Monday", "the tests")
    assert verdict.state is State.ASKING


def test_after_a_no_to_these_words_others_may_be_asked_for(scene: Scene) -> None:
    scene.answer(granted=False, scope=Scope.ONCE, note="not the date")
    assert scene.town.state(scene.first) is State.DROPPED
    proposal = scene.town.proposal(
        scene.room, "Ana sends the zebra report", list(scene.first.originals), subject="the report",
        state="coming",
    )  # fmt: skip
    _, verdict = scene.speaking.propose(scene.town.tx, proposal, live=True)
    assert verdict.state is State.ASKING


def test_after_a_plain_no_nobody_is_asked_again(scene: Scene) -> None:
    scene.answer(granted=False)
    proposal = scene.town.proposal(
        scene.room, "Ana sends the zebra report", list(scene.first.originals), subject="the report",
        state="coming",
    )  # fmt: skip
    _, verdict = scene.speaking.propose(scene.town.tx, proposal, live=True)
    assert verdict.state is State.REFUSED


def test_only_the_line_that_was_shown_is_agreed_to(scene: Scene) -> None:
    words = "I do the llama tests on Monday"
    said = scene.town.say(scene.dm, scene.ana, words)
    body = "Ana does the llama tests on Monday.\nWhy now: they wait for it.\nSuggestion: say it."
    proposal = scene.town.proposal(scene.room, body, [said], subject="the tests", state="Monday")
    handoff, _ = scene.speaking.propose(scene.town.tx, proposal, live=True)
    [asked] = consents.of_handoff(scene.town.tx, handoff.id)
    assert asked.body == "Ana does the llama tests on Monday."
    scene.speaking.answer(scene.town.tx, asked.id, person=scene.ana, granted=True, note="")
    assert [one.text for one in scene.town.entered(scene.room)][-1] == asked.body


def test_the_reminder_comes_in_the_morning_after(scene: Scene) -> None:
    at = consents.next_reminder(scene.town.tx)
    assert at is not None
    # It was asked at ten in the morning; the next day begins at nine.
    assert from_us(at) == scene.town.now + timedelta(hours=23)


def test_the_morning_is_theirs(town: Town) -> None:
    personal.set_zone(town.tx, town.person("Ana"), "Asia/Shanghai", now=town.now)
    Scene(town)
    at = consents.next_reminder(town.tx)
    assert at is not None
    # Asked at six in the evening there; nine the next morning is fifteen hours later.
    assert from_us(at) == town.now + timedelta(hours=15)
