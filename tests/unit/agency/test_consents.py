"""A person's word: asked once, answered by them alone, taken back by them alone."""

import pytest

from agency import consents, handoffs
from agency.consents import Scope, State
from tests.fakes.town import Town


def ask(town: Town, expires: int = 2 * 10**15) -> tuple[int, int, int]:
    """A question; its id, who was asked, its handoff."""
    ana = town.person("Ana")
    dm, room = town.dm(ana), town.room("project")
    said = town.say(dm, ana, "by Friday")
    handoff, _ = handoffs.propose(town.tx, town.proposal(room, "t", [said]), {}, now_us=town.us)
    id = consents.ask(
        town.tx, handoff=handoff.id, person=ana, source=dm, target=room, body="t",
        originals=[said], now_us=town.us, expires_us=expires,
    )  # fmt: skip
    assert id is not None
    again = consents.ask(
        town.tx, handoff=handoff.id, person=ana, source=dm, target=room, body="t",
        originals=[said], now_us=town.us, expires_us=expires,
    )  # fmt: skip
    assert again is None
    return id, ana, handoff.id


def answer(
    town: Town,
    id: int,
    person: int,
    *,
    granted: bool,
    scope: Scope | None = None,
    until: int | None = None,
) -> consents.Consent | None:
    return consents.answer(
        town.tx, id, person=person, granted=granted, note="n", now_us=town.us, scope=scope,
        until_us=until,
    )  # fmt: skip


def another(town: Town, words: str, *, target: str = "project") -> tuple[int, int]:
    """Something more that Ana says in her DM, and a handoff that rests on it."""
    ana = town.person("Ana")
    said = town.say(town.dm(ana), ana, words)
    proposal = town.proposal(town.room(target), words, [said], subject=words)
    handoff, _ = handoffs.propose(town.tx, proposal, {}, now_us=town.us)
    return said, handoff.id


def test_only_who_was_asked_answers_and_once(town: Town) -> None:
    id, ana, _ = ask(town)
    assert answer(town, id, town.person("Bo"), granted=True) is None
    assert answer(town, 99, ana, granted=True) is None
    settled = answer(town, id, ana, granted=False)
    assert settled is not None
    assert settled.state is State.DENIED
    assert answer(town, id, ana, granted=True) is None
    assert consents.declined(town.tx, 1, settled.target_id)


def test_only_a_yes_is_taken_back_and_by_its_giver(town: Town) -> None:
    id, ana, handoff = ask(town)
    assert not consents.revoke(town.tx, id, person=ana, now_us=1)
    answer(town, id, ana, granted=True)
    assert consents.agreed(town.tx, 1, handoff=handoff)
    assert not consents.revoke(town.tx, id, person=town.person("Bo"), now_us=1)
    assert consents.revoke(town.tx, id, person=ana, now_us=1)
    assert not consents.agreed(town.tx, 1, handoff=handoff)
    assert consents.declined(town.tx, 1, consents.get(town.tx, id).target_id)


def test_no_answer_in_time_closes_the_question(town: Town) -> None:
    id, ana, _ = ask(town, expires=town.us + 5)
    assert consents.next_moment(town.tx) == town.us + 5
    assert consents.expire(town.tx, now_us=town.us + 4) == []
    assert [one.id for one in consents.expire(town.tx, now_us=town.us + 5)] == [id]
    assert consents.next_moment(town.tx) is None
    assert answer(town, id, ana, granted=True) is None
    assert not consents.declined(town.tx, 1, consents.get(town.tx, id).target_id)


def test_a_question_is_withdrawn_with_its_handoff(town: Town) -> None:
    id, ana, handoff = ask(town)
    dm = consents.get(town.tx, id).source_id
    assert [one.id for one in consents.open_in(town.tx, dm)] == [id]
    consents.withdraw(town.tx, handoff, now_us=1)
    assert consents.open_in(town.tx, dm) == []
    assert answer(town, id, ana, granted=True) is None


def test_a_yes_to_one_telling_reaches_no_other(town: Town) -> None:
    id, ana, _ = ask(town)
    answer(town, id, ana, granted=True)
    said, handoff = another(town, "and the tests by Monday")
    assert not consents.agreed(town.tx, said, handoff=handoff)
    assert not consents.agreed(town.tx, 1, handoff=handoff)


def test_a_yes_to_a_fact_reaches_all_that_rests_on_it(town: Town) -> None:
    id, ana, _ = ask(town)
    answer(town, id, ana, granted=True, scope=Scope.FACT)
    said, handoff = another(town, "and the tests by Monday")
    assert consents.agreed(town.tx, 1, handoff=handoff)
    assert not consents.agreed(town.tx, said, handoff=handoff)


def test_a_yes_to_a_room_reaches_what_is_said_in_the_same_chat_and_no_other_room(
    town: Town,
) -> None:
    id, ana, _ = ask(town)
    answer(town, id, ana, granted=True, scope=Scope.ROOM)
    said, handoff = another(town, "and the tests by Monday")
    assert consents.agreed(town.tx, said, handoff=handoff)
    elsewhere, other = another(town, "and the docs by Tuesday", target="sales")
    assert not consents.agreed(town.tx, elsewhere, handoff=other)
    bo = town.person("Bo")
    theirs = town.say(town.dm(bo), bo, "I do the docs")
    assert not consents.agreed(town.tx, theirs, handoff=handoff)


@pytest.mark.parametrize(
    "words", ["Keep this between us: I quit in May", "这件事先保密：我五月离职"]
)
def test_no_standing_yes_reaches_what_was_said_in_confidence(town: Town, words: str) -> None:
    id, ana, _ = ask(town)
    answer(town, id, ana, granted=True, scope=Scope.ROOM)
    said, handoff = another(town, words)
    assert not consents.agreed(town.tx, said, handoff=handoff)


def test_a_yes_ends_at_its_moment(town: Town) -> None:
    id, ana, handoff = ask(town)
    answer(town, id, ana, granted=True, scope=Scope.FACT, until=town.us + 10)
    assert consents.next_moment(town.tx) == town.us + 10
    assert consents.lapse(town.tx, now_us=town.us + 9) == []
    assert consents.agreed(town.tx, 1, handoff=handoff)
    assert [one.id for one in consents.lapse(town.tx, now_us=town.us + 10)] == [id]
    assert not consents.agreed(town.tx, 1, handoff=handoff)
    assert not consents.declined(town.tx, 1, consents.get(town.tx, id).target_id)


def test_a_no_to_these_words_is_no_refusal_of_the_matter(town: Town) -> None:
    id, ana, _ = ask(town)
    answer(town, id, ana, granted=False, scope=Scope.ONCE)
    assert not consents.declined(town.tx, 1, consents.get(town.tx, id).target_id)


def test_a_standing_yes_taken_back_is_none(town: Town) -> None:
    id, ana, _ = ask(town)
    answer(town, id, ana, granted=True, scope=Scope.ROOM)
    assert [one.id for one in consents.given_by(town.tx, ana)] == [id]
    said, handoff = another(town, "and the tests by Monday")
    assert consents.revoke(town.tx, id, person=ana, now_us=1)
    assert not consents.agreed(town.tx, said, handoff=handoff)
    assert consents.given_by(town.tx, ana) == []


def test_a_reminder_comes_before_the_end_or_not_at_all(town: Town) -> None:
    id, ana, _ = ask(town)
    assert consents.next_reminder(town.tx) is None
    consents.remind_at(town.tx, id, town.us + 5)
    assert [one.id for one in consents.to_remind(town.tx, now_us=town.us + 5)] == [id]
    answer(town, id, ana, granted=True)
    assert consents.to_remind(town.tx, now_us=town.us + 5) == []
