"""Private words a handoff repeats without resting on them: their author is asked, if anybody."""

import pytest

from agency import consents, handoffs
from agency.audience import Dm
from agency.audience import Settings as Privacy
from agency.gates import Verdict
from agency.handoffs import Handoff, State
from agency.policy import Grade
from tests.fakes.town import Town

SAID = {
    "en": "The Meridian rollout needs 38,500 euros more than planned.",
    "zh": "子午线项目比计划多要三万八千五百欧元。",
}
TOLD = {"en": "Meridian costs 38.5k euros more.", "zh": "子午线项目要多花 38500 欧元。"}
OPEN = {"en": "We decided: canary-release it is.", "zh": "我们决定了：用 canary-release。"}


class Scene:
    """Ana says something in her DM; the agency hands it over as if it rested on open words."""

    def __init__(self, town: Town, language: str = "en") -> None:
        self.town, self.language = town, language
        self.ana, self.bo, self.lin = (town.person(name) for name in ("Ana", "Bo", "Lin"))
        self.architecture = town.room("architecture", self.lin)
        self.project = town.room("project", self.ana, self.bo)
        self.dm = town.dm(self.ana)
        self.decided = town.say(self.architecture, self.lin, OPEN[language])
        self.said = town.say(self.dm, self.ana, SAID[language])

    def propose(
        self, text: str = "", *sources: int, privacy: Privacy | None = None, subject: str = "costs"
    ) -> tuple[Handoff, Verdict]:
        proposal = self.town.proposal(
            self.project,
            text or TOLD[self.language],
            sources or (self.decided,),
            subject=subject,
            state="news",
            grade=Grade.MAJOR,
        )
        return self.town.speaking(privacy=privacy).propose(self.town.tx, proposal, live=True)

    def questions(self, handoff: Handoff) -> list[consents.Consent]:
        return consents.of_handoff(self.town.tx, handoff.id)

    def answer(self, question: consents.Consent, *, granted: bool) -> None:
        self.town.speaking().answer(
            self.town.tx, question.id, person=question.person_id, granted=granted, note=""
        )


@pytest.fixture(params=["en", "zh"])
def scene(town: Town, request: pytest.FixtureRequest) -> Scene:
    return Scene(town, request.param)


def test_the_author_is_asked_with_the_whole_text(scene: Scene) -> None:
    handoff, verdict = scene.propose()
    assert verdict.state is State.ASKING
    [question] = scene.questions(handoff)
    assert (question.person_id, question.source_id) == (scene.ana, scene.dm)
    assert question.body == TOLD[scene.language]
    assert scene.town.entered(scene.project) == []


@pytest.mark.parametrize(("granted", "state"), [(True, State.ADMITTED), (False, State.DROPPED)])
def test_their_word_decides(scene: Scene, granted: bool, state: State) -> None:
    handoff, _ = scene.propose()
    scene.answer(scene.questions(handoff)[0], granted=granted)
    assert scene.town.state(handoff) is state


def test_a_yes_covers_that_text_alone(scene: Scene) -> None:
    handoff, _ = scene.propose()
    scene.answer(scene.questions(handoff)[0], granted=True)
    more = scene.town.say(scene.architecture, scene.lin, "canary-release, as said")
    other, verdict = scene.propose("", more, subject="another")
    assert verdict.state is State.ASKING
    assert scene.questions(other)[0].state is consents.State.ASKED


def test_one_question_for_what_it_rests_on_and_what_it_repeats(scene: Scene) -> None:
    second = scene.town.say(scene.dm, scene.ana, "The wombat script is ready on Friday, I promise.")
    text = f"{TOLD[scene.language]} The wombat script comes on Friday."
    handoff, verdict = scene.propose(text, second)
    assert verdict.state is State.ASKING
    [question] = scene.questions(handoff)
    scene.answer(question, granted=True)
    assert scene.town.state(handoff) is State.ADMITTED


def test_what_was_said_in_confidence_is_not_even_asked_about(town: Town) -> None:
    scene = Scene(town)
    town.say(scene.dm, scene.ana, "Keep this between us: we hire Quintessa in May.")
    handoff, verdict = scene.propose("In May Quintessa comes.")
    assert (verdict.state, scene.questions(handoff)) == (State.REFUSED, [])


def test_the_words_of_a_closed_room_are_nobodys_to_give_away(town: Town) -> None:
    scene = Scene(town)
    board = town.room("board", scene.ana, scene.lin, open=False)
    town.say(board, scene.lin, "In June we buy Zebrix.")
    handoff, verdict = scene.propose("Is Zebrix ours?")
    assert (verdict.state, scene.questions(handoff)) == (State.REFUSED, [])
    assert handoffs.gate_records(town.tx, handoff.id)[-1].gate == "leak guard"


def test_nobody_is_asked_with_what_somebody_else_said(town: Town) -> None:
    scene = Scene(town)
    town.say(town.dm(scene.bo), scene.bo, "In June we buy Zebrix.")
    handoff, verdict = scene.propose(f"{TOLD['en']} Zebrix as well.")
    assert (verdict.state, scene.questions(handoff)) == (State.REFUSED, [])


def test_of_two_people_with_the_same_name_the_author_is_asked(town: Town) -> None:
    scene = Scene(town)
    twin = town.person("Ana Two")
    town.tx.run("UPDATE people SET name = 'Ana' WHERE id = :id", id=twin)
    town.say(town.dm(twin), twin, "In June we buy Zebrix.")
    handoff, _ = scene.propose("Ana hears of Zebrix.")
    assert [one.person_id for one in scene.questions(handoff)] == [twin]


@pytest.mark.parametrize(("dm", "state"), [(Dm.NEVER, State.REFUSED), (Dm.ALLOW, State.ADMITTED)])
def test_the_operator_may_rule_the_question_out(town: Town, dm: Dm, state: State) -> None:
    assert Scene(town).propose(privacy=Privacy(dm=dm))[1].state is state


def test_nobody_is_asked_about_a_room_they_may_not_know_of(town: Town) -> None:
    scene = Scene(town)
    board = town.room("layoffs", scene.bo, scene.lin, open=False)
    proposal = town.proposal(board, TOLD["en"], (scene.said,), subject="costs")
    handoff, verdict = town.speaking().propose(town.tx, proposal, live=True)
    assert (verdict.state, scene.questions(handoff)) == (State.REFUSED, [])
    mine = town.room("board", scene.ana, scene.lin, open=False)
    proposal = town.proposal(mine, TOLD["en"], (scene.said,), subject="costs")
    assert town.speaking().propose(town.tx, proposal, live=True)[1].state is State.ASKING
