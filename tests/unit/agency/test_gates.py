"""A handoff's way through the gates, and what each leaves behind."""

from dataclasses import replace
from datetime import time, timedelta

import pytest

from agency import consents, handoffs
from agency.audience import Dm
from agency.audience import Settings as Privacy
from agency.gates import MAX_HOPS, Verdict
from agency.handoffs import Handoff, State
from agency.policy import Grade
from agency.policy import Settings as Policy
from bot.engine.inputs import Trigger
from bot.speaking import Speaking
from memory.facts import Lesson, learn
from tests.fakes.town import Town

DECIDED = "We decided: the release path moves from legacy-release to canary-release."
PROMISE = "I will have the migration script ready by Friday, promised."
NUDGE = "The release path is now canary-release."


class Scene:
    """#architecture decides, #project plans, Ana promises in a DM."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.ana, self.bo, self.lin = (town.person(name) for name in ("Ana", "Bo", "Lin"))
        self.architecture = town.room("architecture", self.lin)
        self.project = town.room("project", self.ana, self.bo)
        self.closed = town.room("closed", self.ana, self.bo, open=False)
        self.dm = town.dm(self.ana)
        self.bos_dm = town.dm(self.bo)
        self.decided = town.say(self.architecture, self.lin, DECIDED)
        self.promised = town.say(self.dm, self.ana, PROMISE)
        self.speaking = town.speaking()

    def propose(
        self, text: str = NUDGE, *sources: int, target: int | None = None, live: bool = True,
        speaking: Speaking | None = None, **more: object,
    ) -> tuple[Handoff, Verdict]:  # fmt: skip
        proposal = self.town.proposal(
            target or self.project,
            text,
            sources or (self.decided,),
            **more,  # type: ignore[arg-type]
        )
        return (speaking or self.speaking).propose(self.town.tx, proposal, live=live)

    def records(self, handoff: Handoff) -> list[tuple[str, bool]]:
        found = handoffs.gate_records(self.town.tx, handoff.id)
        return [(one.gate, one.passed) for one in found]

    def questions(self, handoff: Handoff) -> list[consents.Consent]:
        return consents.of_handoff(self.town.tx, handoff.id)

    def answer(self, question: consents.Consent, *, granted: bool) -> consents.Consent | None:
        return self.speaking.answer(
            self.town.tx, question.id, person=question.person_id, granted=granted, note=""
        )


@pytest.fixture
def scene(town: Town) -> Scene:
    return Scene(town)


def passed(*gates: str) -> list[tuple[str, bool]]:
    return [(gate, True) for gate in gates]


FIRST = passed("live run", "hops", "duplicate")
PRESENT = passed("sources", "audience", "leak guard")
POLICY = passed(
    "policy", "grade", "state", "mute", "doubt", "engagement", "quota", "cool-down", "quiet hours",
    "conversation",
)  # fmt: skip


def test_what_passes_every_gate_enters_its_session(scene: Scene) -> None:
    handoff, verdict = scene.propose()
    assert verdict.state is State.ADMITTED
    assert scene.records(handoff) == [*FIRST, *PRESENT, *POLICY]
    (entered,) = scene.town.entered(scene.project)
    assert entered.trigger is Trigger.HANDOFF
    assert entered.origin == f"handoff:{handoff.id}"
    assert handoffs.get(scene.town.tx, handoff.id).input_id == entered.id


def test_the_first_gate_that_refuses_is_the_last_record(scene: Scene) -> None:
    dead, verdict = scene.propose(live=False)
    assert (verdict.state, scene.records(dead)) == (State.REFUSED, [("live run", False)])
    round_and_round, _ = scene.propose(NUDGE, scene.decided, hop=MAX_HOPS + 1, subject="x")
    assert scene.records(round_and_round)[-1] == ("hops", False)
    unknown, _ = scene.propose(NUDGE, 999, subject="y")
    assert scene.records(unknown)[-1] == ("sources", False)
    nobody, _ = scene.propose(NUDGE, scene.decided, target=12345, subject="z")
    assert scene.records(nobody)[-1] == ("audience", False)
    assert scene.town.entered(scene.project) == []


def test_the_same_again_is_refused_and_a_change_is_not(scene: Scene) -> None:
    scene.propose(state="canary")
    more = scene.town.say(scene.architecture, scene.lin, "As said: canary-release.")
    same, verdict = scene.propose(NUDGE, scene.decided, more, state="Canary")
    assert (verdict.state, scene.records(same)[-1]) == (State.REFUSED, ("duplicate", False))
    relayed, _ = scene.propose(state="worded otherwise", subject="something else")
    assert scene.records(relayed)[-1] == ("duplicate", False)
    back = scene.town.say(scene.architecture, scene.lin, "Correction: back to legacy-release.")
    assert (
        scene.propose("It is legacy-release again.", back, state="legacy")[1].state
        is State.ADMITTED
    )
    forth = scene.town.say(scene.architecture, scene.lin, "And canary-release after all.")
    assert scene.propose(NUDGE, forth, state="canary")[1].state is State.ADMITTED


def test_a_source_must_stand_as_it_was_used(scene: Scene) -> None:
    quiet = scene.town.speaking(speaking=Policy(quiet=(time(9), time(11))))
    held, verdict = scene.propose(speaking=quiet)
    assert verdict.state is State.HELD
    scene.town.edit(scene.decided, "We decided nothing.", version=2)
    scene.town.now += timedelta(hours=2)
    quiet.sweep(scene.town.tx)
    assert scene.town.state(held) is State.DROPPED
    scene.town.take_back(scene.decided)
    assert scene.propose(subject="anew")[1].state is State.REFUSED


@pytest.mark.parametrize("where", ["project", "architecture", "bos_dm"])
def test_closed_talk_stays_with_those_who_heard_it(scene: Scene, where: str) -> None:
    secret = scene.town.say(scene.closed, scene.ana, "The customer is called Meridian.")
    target = getattr(scene, where)
    handoff, verdict = scene.propose("They are called Meridian.", secret, target=target)
    if where == "bos_dm":
        assert verdict.state is State.ADMITTED, "Bo heard it there"
    else:
        assert scene.records(handoff)[-1] == ("audience", False)


def test_open_news_may_enter_a_closed_room(scene: Scene) -> None:
    assert scene.propose(target=scene.closed)[1].state is State.ADMITTED


@pytest.mark.parametrize("hidden", ["body", "subject", "state"])
def test_private_words_are_caught_wherever_they_hide(scene: Scene, hidden: str) -> None:
    leak = "the migration script ready by Friday"
    fields = {"text": NUDGE, "subject": "release", "state": "canary"}
    fields["text" if hidden == "body" else hidden] = leak
    text = fields.pop("text")
    handoff, verdict = scene.propose(text, scene.decided, **fields)  # type: ignore[arg-type]
    # Its author is asked where the question would show what is told, and nobody otherwise.
    assert verdict.state is (State.ASKING if hidden == "body" else State.REFUSED)
    assert scene.records(handoff)[-1] == ("leak guard", False)
    assert scene.town.entered(scene.project) == []


def test_the_words_of_a_private_fact_are_private_too(scene: Scene) -> None:
    lesson = Lesson(
        kind="commitment", body="Ana delivers the database conversion tooling next week.",
        subject="tooling", sources=(scene.promised,),
    )  # fmt: skip
    learn(scene.town.tx, scene.dm, [lesson], run=1, now_us=1)
    handoff, _ = scene.propose("The database conversion tooling arrives next week.")
    assert scene.records(handoff)[-1] == ("leak guard", False)


def test_private_words_are_caught_behind_many_open_ones(scene: Scene) -> None:
    for number in range(700):
        scene.town.say(scene.architecture, scene.lin, f"migration script friday plan {number}")
    for number in range(900):
        scene.town.say(scene.architecture, scene.lin, f"lunch {number}")
    handoff, _ = scene.propose("Ana: ready by Friday, promised. The plan has a migration script.")
    assert scene.records(handoff)[-1] == ("leak guard", False)


@pytest.mark.parametrize(
    ("dm", "state"),
    [(Dm.ASK, State.ASKING), (Dm.NEVER, State.REFUSED), (Dm.ALLOW, State.ADMITTED)],
)
def test_the_operator_decides_what_becomes_of_a_dm(scene: Scene, dm: Dm, state: State) -> None:
    speaking = scene.town.speaking(privacy=Privacy(dm=dm))
    assert (
        scene.propose("The script is due Friday.", scene.promised, speaking=speaking)[1].state
        is state
    )


def test_its_author_is_asked_in_that_dm_and_a_yes_lets_it_through(scene: Scene) -> None:
    handoff, verdict = scene.propose(
        "Ana has the migration script ready by Friday.", scene.promised
    )
    assert verdict.state is State.ASKING
    (question,) = scene.questions(handoff)
    assert (question.person_id, question.source_id) == (scene.ana, scene.dm)
    assert [one.trigger for one in scene.town.entered(scene.dm)] == [Trigger.CONSENT_REQUEST]
    assert scene.town.entered(scene.project) == []
    assert scene.answer(question, granted=True) is not None
    assert scene.town.state(handoff) is State.ADMITTED
    assert scene.records(handoff) == [
        *FIRST, ("sources", True), ("audience", False), ("still news", True), *PRESENT, *POLICY,
    ]  # fmt: skip


def test_a_no_drops_it_and_is_never_asked_again(scene: Scene) -> None:
    handoff, _ = scene.propose("Ana has the script by Friday.", scene.promised)
    scene.answer(scene.questions(handoff)[0], granted=False)
    assert scene.town.state(handoff) is State.DROPPED
    more = scene.town.say(scene.dm, scene.ana, "And the tests as well.")
    again, verdict = scene.propose("Script on Friday.", scene.promised, more, state="again")
    assert (verdict.state, scene.questions(again)) == (State.REFUSED, [])
    _, verdict = scene.propose("Script on Friday.", scene.promised, target=scene.architecture)
    assert verdict.state is State.ASKING, "another room is another question"


def test_a_yes_is_for_one_text(scene: Scene) -> None:
    handoff, _ = scene.propose("Ana has the script by Friday.", scene.promised, state="one")
    scene.answer(scene.questions(handoff)[0], granted=True)
    more = scene.town.say(scene.dm, scene.ana, "It needs two more days of testing.")
    other, verdict = scene.propose("Ana promised it.", scene.promised, more, state="two")
    assert verdict.state is State.ASKING
    assert len(scene.questions(other)) == 1


def test_a_yes_is_taken_back_until_it_is_told(scene: Scene) -> None:
    handoff, _ = scene.propose("Ana has the script by Friday.", scene.promised)
    (question,) = scene.questions(handoff)
    scene.answer(question, granted=True)
    assert scene.town.state(handoff) is State.ADMITTED
    taken = scene.answer(question, granted=False)
    assert taken is not None
    assert taken.state is consents.State.REVOKED
    assert scene.town.state(handoff) is State.DROPPED
    assert scene.answer(question, granted=False) is None


def test_a_yes_taken_back_while_it_is_read_keeps_it_from_being_said(scene: Scene) -> None:
    handoff, _ = scene.propose("Ana has the script by Friday.", scene.promised)
    (question,) = scene.questions(handoff)
    scene.answer(question, granted=True)
    now = handoffs.get(scene.town.tx, handoff.id)
    handoffs.move(scene.town.tx, now, State.DELIVERED, reason="", now_us=1)
    scene.answer(question, granted=False)
    assert scene.town.state(handoff) is State.DECLINED


def test_an_edit_while_asking_closes_the_question(scene: Scene) -> None:
    handoff, _ = scene.propose("Ana has the script by Friday.", scene.promised)
    (question,) = scene.questions(handoff)
    scene.town.edit(scene.promised, "By Monday.", version=2)
    scene.speaking.withdraw_resting_on(scene.town.tx, scene.promised, "edited")
    assert scene.town.state(handoff) is State.DROPPED
    assert consents.open_in(scene.town.tx, scene.dm) == []
    assert scene.answer(question, granted=True) is None
    _, verdict = scene.propose("Ana has the script by Monday.", scene.promised, state="Monday")
    assert verdict.state is State.ASKING


def test_nobody_answers_in_time(scene: Scene) -> None:
    handoff, _ = scene.propose("Ana has the script by Friday.", scene.promised, hours=24 * 20)
    moment = scene.speaking.next_moment(scene.town.tx)
    assert moment == scene.town.us + 2 * 24 * 3600 * 10**6
    scene.town.now += timedelta(days=2)
    scene.speaking.sweep(scene.town.tx)
    assert scene.town.state(handoff) is State.EXPIRED
    assert scene.speaking.next_moment(scene.town.tx) is None


def test_the_bots_own_words_in_a_dm_are_its_partners_to_give(scene: Scene) -> None:
    own = scene.town.say(scene.dm, None, "Noted: you do the rollback rehearsal tonight.")
    handoff, verdict = scene.propose("A rehearsal happens tonight.", scene.promised, own)
    assert verdict.state is State.ASKING
    (question,) = scene.questions(handoff)
    scene.answer(question, granted=True)
    assert scene.town.state(handoff) is State.ADMITTED


def test_two_dms_of_one_person_are_one_question(scene: Scene) -> None:
    second = scene.town.room("dm-ana-phone", scene.ana, open=False, direct=True)
    said = scene.town.say(second, scene.ana, "The tests take until Thursday.")
    handoff, _ = scene.propose("Tests until Thursday, script Friday.", scene.promised, said)
    (question,) = scene.questions(handoff)
    scene.answer(question, granted=True)
    assert scene.town.state(handoff) is State.ADMITTED


def test_nobody_is_asked_with_the_private_words_of_another(scene: Scene) -> None:
    said = scene.town.say(scene.bos_dm, scene.bo, "The database password rotates on Thursday.")
    both, verdict = scene.propose("Script Friday, rotation Thursday.", scene.promised, said)
    assert (verdict.state, scene.questions(both)) == (State.REFUSED, [])
    sly, verdict = scene.propose(
        "The script comes; the database password rotates on Thursday.", scene.promised, state="sly"
    )
    assert (verdict.state, scene.questions(sly)) == (State.REFUSED, [])
    assert scene.records(sly)[-1] == ("leak guard", False)


def test_nobody_is_asked_about_what_they_may_not_know(scene: Scene) -> None:
    secret = scene.town.say(
        scene.town.room("board", scene.bo, open=False), scene.bo, "Budget approved for hiring."
    )
    target = scene.bos_dm
    _, verdict = scene.propose("Script Friday.", scene.promised, secret, target=target)
    assert verdict.state is State.REFUSED


@pytest.mark.parametrize(
    "words",
    ["Please keep this between us: I am late with the script.", "我周二要去医院，先别告诉大家。"],
)
def test_what_was_said_in_confidence_is_not_even_asked_about(scene: Scene, words: str) -> None:
    said = scene.town.say(scene.dm, scene.ana, words)
    handoff, verdict = scene.propose("Something is late.", said)
    assert (verdict.state, scene.questions(handoff)) == (State.REFUSED, [])


@pytest.mark.parametrize(
    ("settings", "grade", "state"),
    [
        (Policy(enabled=False), Grade.MAJOR, State.SILENT),
        (Policy(), Grade.NONE, State.SILENT),
        (Policy(daily_quota=0), Grade.MAJOR, State.DIGEST),
        (Policy(quiet=(time(9), time(11))), Grade.MAJOR, State.HELD),
    ],
)
def test_the_policy_has_the_last_word(
    scene: Scene, settings: Policy, grade: Grade, state: State
) -> None:
    speaking = scene.town.speaking(speaking=settings)
    assert scene.propose(speaking=speaking, grade=grade)[1].state is state
    asked, verdict = scene.propose(
        "Script on Friday.", scene.promised, speaking=speaking, grade=grade, state="dm"
    )
    silent = state is State.SILENT
    assert (verdict.state is State.SILENT, scene.questions(asked) == []) == (silent, silent)


def test_one_whose_time_passes_before_the_morning_stays_silent(scene: Scene) -> None:
    speaking = scene.town.speaking(speaking=Policy(quiet=(time(9), time(11))))
    assert scene.propose(speaking=speaking, hours=0.5)[1].state is State.SILENT


def test_the_quota_is_of_the_room_and_the_day(scene: Scene) -> None:
    speaking = scene.town.speaking(speaking=Policy(daily_quota=2))
    states = []
    for number in range(3):
        said = scene.town.say(
            scene.architecture, scene.lin, f"Decision {number}: take plan {number}."
        )
        more = {"subject": f"plan {number}", "speaking": speaking}
        _, verdict = scene.propose(f"Plan {number} it is.", said, **more)  # type: ignore[arg-type]
        states.append(verdict.state)
    assert states == [State.ADMITTED, State.ADMITTED, State.DIGEST]
    said = scene.town.say(scene.architecture, scene.lin, "Another one.")
    elsewhere = scene.propose("Another.", said, target=scene.closed, speaking=speaking)
    assert elsewhere[1].state is State.ADMITTED
    scene.town.now += timedelta(hours=14)
    said = scene.town.say(scene.architecture, scene.lin, "Decision 9: take plan 9.")
    fresh = scene.propose("Plan 9 it is.", said, subject="plan 9", speaking=speaking)
    assert fresh[1].state is State.ADMITTED, "it is another day"


def test_what_waits_is_not_told_once_it_is_no_longer_true(scene: Scene) -> None:
    speaking = scene.town.speaking(speaking=Policy(quiet=(time(9), time(11))))
    old, _ = scene.propose(state="canary", speaking=speaking)
    back = scene.town.say(scene.architecture, scene.lin, "Back to legacy-release, sorry.")
    new, _ = scene.propose("It is legacy again.", back, state="legacy", speaking=speaking)
    assert (scene.town.state(old), scene.town.state(new)) == (State.DROPPED, State.HELD)


def test_a_room_that_closed_or_grew_while_it_waited_is_judged_anew(scene: Scene) -> None:
    speaking = scene.town.speaking(speaking=Policy(quiet=(time(9), time(11))))
    secret = scene.town.say(scene.closed, scene.ana, "We take the second vendor.")
    held, _ = scene.propose("Second vendor.", secret, target=scene.closed, speaking=speaking)
    assert scene.town.state(held) is State.HELD
    held_dm, _ = scene.propose("Vendor two.", secret, target=scene.bos_dm, speaking=speaking)
    scene.town.room("closed", scene.ana, open=False)
    scene.town.now += timedelta(hours=2)
    speaking.sweep(scene.town.tx)
    assert scene.town.state(held) is State.ADMITTED
    assert scene.town.state(held_dm) is State.DROPPED, "Bo left the room it was said in"


def test_a_proposal_with_other_fields_is_a_value(scene: Scene) -> None:
    proposal = scene.town.proposal(scene.project, NUDGE, [scene.decided])
    assert replace(proposal, body="x").key({}) == proposal.key({})
    assert replace(proposal, subject="x").key({}) != proposal.key({})


def test_colleagues_and_open_rooms_are_no_secrets(scene: Scene) -> None:
    scene.town.person("Konstantin")
    scene.town.say(scene.dm, scene.ana, "I asked Konstantin in Architecture, and Zebrix as well.")
    kept = scene.propose("It moved; ask Konstantin, or go to Architecture for canary-release.")
    assert kept[1].state is State.ADMITTED
    told, _ = scene.propose("It moved; ask Zebrix about it.", scene.decided, subject="other")
    assert told.state is State.REFUSED
    more = scene.town.say(scene.architecture, scene.lin, "Canary it is.")
    leak, _ = scene.propose("Canary; ask Zebrix about it.", more, subject="third", state="x")
    assert scene.records(leak)[-1] == ("leak guard", False)
