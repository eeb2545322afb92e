"""A person's word: asked once, answered by them alone, taken back by them alone."""

from agency import consents, handoffs
from agency.consents import State
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


def answer(town: Town, id: int, person: int, *, granted: bool) -> consents.Consent | None:
    return consents.answer(town.tx, id, person=person, granted=granted, note="n", now_us=town.us)


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
