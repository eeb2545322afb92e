"""A leave: asked of those named, answered by one of them, held as long as they said."""

import pytest

from agency import approvals
from agency.approvals import Approval, Asking, Holds, State
from tests.fakes.town import Town


def ask(town: Town, *people: str, key: str = "k", subject: str = "the launch") -> int:
    """A question to people by name, put in their DMs."""
    who = [town.person(name) for name in people]
    asking = Asking(
        key=key, subject=subject, question="May we?", session_id=7, run_id=3,
        person_id=town.person("Ana"), expires_us=town.us + 1000,
    )  # fmt: skip
    return approvals.ask(
        town.tx, asking, [(one, town.dm(one), town.us) for one in who], now_us=town.us
    )


def answer(
    town: Town, id: int, person: str, *, granted: bool = True, holds: Holds = Holds.ONCE
) -> Approval | None:
    return approvals.answer(
        town.tx, id, person=town.person(person), granted=granted, holds=holds, note="n",
        now_us=town.us,
    )  # fmt: skip


def test_the_same_use_asks_once(town: Town) -> None:
    assert ask(town, "Bo") == ask(town, "Bo", "Wei")
    assert len(approvals.approvers(town.tx, 1)) == 1


def test_the_first_word_of_who_may_answer_counts(town: Town) -> None:
    id = ask(town, "Bo", "Wei")
    assert answer(town, id, "Mo") is None
    assert answer(town, 99, "Bo") is None
    settled = answer(town, id, "Wei", granted=False)
    assert settled is not None
    assert (settled.state, settled.answered_by) == (State.DENIED, town.person("Wei"))
    assert answer(town, id, "Bo") is None


def test_a_no_never_holds_for_every_time(town: Town) -> None:
    settled = answer(town, ask(town, "Bo"), "Bo", granted=False, holds=Holds.ALWAYS)
    assert settled is not None and settled.holds is Holds.ONCE


def test_a_standing_yes_is_for_the_same_matter_in_the_same_session_by_the_same_people(
    town: Town,
) -> None:
    bo, wei = town.person("Bo"), town.person("Wei")
    answer(town, ask(town, "Bo"), "Bo", holds=Holds.ALWAYS)
    found = approvals.standing(town.tx, 7, "The  Launch!", [bo, wei])
    assert found is not None and found.answered_by == bo
    assert approvals.standing(town.tx, 7, "another launch", [bo]) is None
    assert approvals.standing(town.tx, 8, "the launch", [bo]) is None
    assert approvals.standing(town.tx, 7, "the launch", [wei]) is None
    assert not approvals.revoke(town.tx, 1, person=wei, now_us=1)
    assert approvals.revoke(town.tx, 1, person=bo, now_us=1)
    assert approvals.standing(town.tx, 7, "the launch", [bo]) is None


def test_a_yes_for_once_does_not_stand(town: Town) -> None:
    answer(town, ask(town, "Bo"), "Bo")
    assert approvals.standing(town.tx, 7, "the launch", [town.person("Bo")]) is None


def test_no_answer_in_time_closes_it(town: Town) -> None:
    id = ask(town, "Bo")
    assert approvals.expire(town.tx, now_us=town.us + 999) == []
    assert [one.id for one in approvals.expire(town.tx, now_us=town.us + 1000)] == [id]
    assert approvals.get(town.tx, id).state is State.EXPIRED
    assert answer(town, id, "Bo") is None


def test_each_is_asked_when_due_and_reminded_once(town: Town) -> None:
    id = ask(town, "Bo", "Wei")
    first, second = approvals.due(town.tx, now_us=town.us)
    approvals.put(town.tx, first, remind_us=town.us + 500, now_us=town.us)
    approvals.put_off(town.tx, second, due_us=town.us + 300)
    assert approvals.due(town.tx, now_us=town.us + 299) == []
    assert approvals.next_moment(town.tx) == town.us + 300
    assert [one.person_id for one in approvals.due(town.tx, now_us=town.us + 300)] == [
        second.person_id
    ]
    later = approvals.due(town.tx, now_us=town.us + 500)
    reminder = next(one for one in later if one.person_id == first.person_id)
    assert reminder.put
    approvals.put_off(town.tx, reminder, due_us=town.us + 600)
    assert first.person_id not in {
        one.person_id for one in approvals.due(town.tx, now_us=town.us + 599)
    }
    approvals.reminded(town.tx, reminder)
    assert first.person_id not in {
        one.person_id for one in approvals.due(town.tx, now_us=town.us + 999)
    }
    answer(town, id, "Bo")
    assert approvals.due(town.tx, now_us=town.us + 999) == [], "nobody is asked what is settled"


def test_what_waits_is_listed_for_both_sides(town: Town) -> None:
    id, bo, ana = ask(town, "Bo"), town.person("Bo"), town.person("Ana")
    [approver] = approvals.approvers(town.tx, id)
    assert approvals.open_in(town.tx, approver.session_id) == [], "not before it was put"
    approvals.put(town.tx, approver, remind_us=None, now_us=town.us)
    assert [one.id for one in approvals.open_in(town.tx, approver.session_id)] == [id]
    assert [one.id for one in approvals.waiting_on(town.tx, bo)] == [id]
    assert [one.id for one in approvals.asked_for(town.tx, ana)] == [id]
    answer(town, id, "Bo", holds=Holds.ALWAYS)
    assert approvals.waiting_on(town.tx, bo) == approvals.asked_for(town.tx, ana) == []
    assert [one.id for one in approvals.given_by(town.tx, bo)] == [id]


def test_two_people_who_are_one_may_answer_as_either(town: Town) -> None:
    id, bo, wei = ask(town, "Bo", "Wei"), town.person("Bo"), town.person("Wei")
    approvals.rehome(town.tx, wei, bo)
    assert [one.person_id for one in approvals.approvers(town.tx, id)] == [bo]
    assert answer(town, id, "Bo") is not None


@pytest.mark.parametrize("state", [State.GRANTED, State.DENIED, State.EXPIRED])
def test_a_settled_question_is_not_withdrawn(town: Town, state: State) -> None:
    id = ask(town, "Bo")
    if state is State.EXPIRED:
        approvals.withdraw(town.tx, id, note="gone", now_us=1)
    else:
        answer(town, id, "Bo", granted=state is State.GRANTED)
    assert not approvals.withdraw(town.tx, id, note="gone", now_us=1)
    assert approvals.get(town.tx, id).state is state
