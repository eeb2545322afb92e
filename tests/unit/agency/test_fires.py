"""Fires are queued once, handed over once, and come back when their run dies."""

import pytest

from agency import fires
from agency.fires import Event, Kind, State
from tests.fakes.town import Town


def observe(town: Town, key: str, kind: Kind = Kind.MESSAGE, **more: object) -> int:
    id = fires.observe(town.tx, Event(kind=kind, key=key, **more), now_us=town.us)  # type: ignore[arg-type]
    assert id is not None
    return id


def state(town: Town, id: int) -> State:
    found = fires.find(town.tx, id)
    assert found is not None
    return found.state


def test_the_same_happening_is_queued_once(town: Town) -> None:
    observe(town, "a")
    assert fires.observe(town.tx, Event(kind=Kind.MESSAGE, key="a"), now_us=1) is None


def test_the_most_pressing_kind_goes_first_then_the_oldest(town: Town) -> None:
    beat = observe(town, "h", Kind.HEARTBEAT)
    one, two = observe(town, "a"), observe(town, "b")
    assert [fire.id for fire in fires.pending(town.tx, limit=9)] == [one, two, beat]
    assert len(fires.pending(town.tx, limit=2)) == 2


def test_what_was_handed_over_is_not_handed_over_again(town: Town) -> None:
    one = observe(town, "a")
    fires.hand_over(town.tx, [one], run=1, how=State.SUBMITTED)
    fires.hand_over(town.tx, [one], run=2, how=State.MERGED)
    assert [fire.id for fire in fires.of_run(town.tx, 1)] == [one]
    assert fires.consume(town.tx, 1, now_us=1) == 1
    assert fires.consume(town.tx, 1, now_us=1) == 0
    assert state(town, one) is State.CONSUMED
    with pytest.raises(ValueError, match="handed over"):
        fires.hand_over(town.tx, [one], run=3, how=State.CONSUMED)


def test_a_run_that_dies_gives_back_and_at_last_puts_aside(town: Town) -> None:
    one = observe(town, "a")
    for run in range(1, fires.MAX_ATTEMPTS):
        fires.hand_over(town.tx, [one], run=run, how=State.SUBMITTED)
        assert fires.release(town.tx, run, "it died", now_us=1) == 1
        assert state(town, one) is State.PENDING
    fires.hand_over(town.tx, [one], run=9, how=State.STEERED)
    assert fires.release(town.tx, 9, "it died", now_us=1) == 0
    assert state(town, one) is State.DEAD
    assert fires.counts(town.tx) == {State.DEAD: 1}
    assert fires.retry(town.tx, one)
    assert not fires.retry(town.tx, one)
    found = fires.find(town.tx, one)
    assert found is not None
    assert (found.state, found.attempts) == (State.PENDING, 0)


def test_a_run_that_dies_gives_back_only_its_own(town: Town) -> None:
    one, two = observe(town, "a"), observe(town, "b")
    fires.hand_over(town.tx, [one], run=1, how=State.SUBMITTED)
    fires.hand_over(town.tx, [two], run=2, how=State.SUBMITTED)
    fires.release(town.tx, 1, "it died", now_us=1)
    assert (state(town, one), state(town, two)) == (State.PENDING, State.SUBMITTED)


def test_what_nobody_has_weighed_yet_counts_as_ordinary(town: Town) -> None:
    one = observe(town, "a", salience=None)
    fires.hand_over(town.tx, [one], run=1, how=State.SUBMITTED)
    assert [(found.count, found.salience) for found in fires.tally(town.tx, 1)] == [(1, 0.0)]
    fires.weigh(town.tx, {one: 0.8})
    assert [found.salience for found in fires.tally(town.tx, 1)] == [0.8]


def test_every_kind_has_its_priority() -> None:
    assert set(fires.PRIORITY) == set(Kind)
