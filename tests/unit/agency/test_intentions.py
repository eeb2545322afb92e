"""Intentions become ripe at a time or at a word, once."""

from datetime import timedelta

import pytest

from agency import intentions
from agency.intentions import State
from tests.fakes.town import Town


def hold(town: Town, *terms: str, due: int | None = None) -> intentions.Intention:
    id = intentions.hold(town.tx, "look again", terms=terms, due_us=due, now_us=1)
    return next(one for one in intentions.current(town.tx) if one.id == id)


@pytest.mark.parametrize("terms", [(), ("",), ("  ",), ("!!!", "…")])
def test_what_could_never_ripen_is_refused(town: Town, terms: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="needs a time"):
        hold(town, *terms)


@pytest.mark.parametrize(
    ("terms", "text", "awaits"),
    [
        (("fridge",), "The Fridge is back", True),
        (("fridge",), "fridges are back", True),
        (("fridge",), "a minifridge", False),
        (("fridge", "friday"), "the fridge comes", False),
        (("fridge", "friday"), "Friday: the fridge comes", True),
        (("冰箱",), "买冰箱", True),
        (("冰箱",), "冰箱坏了", True),
        (("冰箱",), "冰块在箱子里", False),
        (("箱",), "冰箱坏了", True),
        (("canary-release",), "the canary release is out", True),
        (("canary-release",), "the canary is out", False),
        (("！！",), "anything", False),
    ],
)
def test_all_of_its_words_in_one_message(
    town: Town, terms: tuple[str, ...], text: str, awaits: bool
) -> None:
    due = 5 if terms == ("！！",) else None
    assert hold(town, *terms, due=due).awaits(text) is awaits


def test_one_that_waits_for_a_time_awaits_no_words(town: Town) -> None:
    assert not hold(town, due=5).awaits("anything")


def test_it_ripens_once_and_is_closed_once(town: Town) -> None:
    one = hold(town, "fridge", due=5)
    assert intentions.next_moment(town.tx) == 5
    assert intentions.due(town.tx, now_us=4) == []
    assert [x.id for x in intentions.due(town.tx, now_us=5)] == [one.id]
    assert not intentions.close(town.tx, one.id, done=True, reason="", now_us=1), "not ripe yet"
    assert intentions.ripen(town.tx, one.id, now_us=5)
    assert not intentions.ripen(town.tx, one.id, now_us=6)
    assert intentions.awaiting_words(town.tx) == []
    assert intentions.current(town.tx)[0].state is State.RIPE
    assert intentions.close(town.tx, one.id, done=True, reason="did it", now_us=7)
    assert not intentions.close(town.tx, one.id, done=False, reason="", now_us=8)
    assert intentions.current(town.tx) == []
    assert intentions.next_moment(town.tx) is None


def test_a_held_one_can_be_dropped(town: Town) -> None:
    one = hold(town, "fridge")
    assert intentions.close(town.tx, one.id, done=False, reason="settled", now_us=1)
    assert not intentions.ripen(town.tx, one.id, now_us=2)


def test_it_rests_on_originals_by_which_it_is_found_and_dropped(town: Town) -> None:
    id = intentions.hold(
        town.tx, "look again", terms=["canary"], due_us=None, now_us=1, sources=[7, 9, 7]
    )

    assert intentions.sources(town.tx, id) == [7, 9]
    assert [one.id for one in intentions.resting_on(town.tx, 9)] == [id]
    intentions.close(town.tx, id, done=False, reason="taken back", now_us=2)
    assert intentions.resting_on(town.tx, 9) == []


def test_a_wish_is_heeded_by_whom_and_where_it_names(town: Town) -> None:
    wish = intentions.Wish(
        person_id=1, session_id=2, condition="the contract is signed", language="en",
        said_by=5, said_in=6, expires_at=town.now + timedelta(days=30),
    )  # fmt: skip
    found = intentions.find(town.tx, intentions.grant(town.tx, wish, original=3, now_us=town.us))

    assert found is not None
    assert found.wish == wish
    text = "The contract has been signed."
    heeded = {
        (person, chat): intentions.heeds(found, text, person=person, chat=chat)
        for person, chat in ((5, 6), (4, 6), (5, 7), (None, 6))
    }
    assert heeded == {(5, 6): True, (4, 6): False, (5, 7): False, (None, 6): False}


def test_a_wish_that_says_too_little_is_refused(town: Town) -> None:
    wish = intentions.Wish(
        person_id=1, session_id=2, condition="it is done", language="en",
        expires_at=town.now + timedelta(days=30),
    )  # fmt: skip

    with pytest.raises(ValueError, match="does not say what to listen for"):
        intentions.grant(town.tx, wish, original=None, now_us=town.us)
