"""Intentions become ripe at a time or at a word, once."""

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
