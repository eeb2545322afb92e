"""Inputs: stored once for ever, seen once, withdrawn while nobody saw them."""

import pytest

from bot.engine import inputs
from bot.engine.inputs import Entry, State, Trigger
from tests.fakes.town import Town


def entry(session: int, key: str, **more: object) -> Entry:
    return Entry(
        session_id=session, trigger=Trigger.MESSAGE, parts=({"type": "text", "text": key},),
        key=key, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def add(town: Town, session: int, key: str, **more: object) -> int | None:
    return inputs.add(town.tx, entry(session, key, **more), now_us=1)


def test_a_repeat_changes_nothing(town: Town) -> None:
    room = town.room("general")
    assert add(town, room, "a") is not None
    assert add(town, room, "a") is None
    assert inputs.waiting(town.tx, room) == 1


def test_a_more_telling_repeat_takes_the_first_ones_place_once(town: Town) -> None:
    room = town.room("general")
    plain = add(town, room, "a", wakes=False)
    assert inputs.waiting(town.tx, room) == 0
    assert add(town, room, "a", wakes=True) == plain
    assert add(town, room, "a", wakes=True) is None
    assert add(town, room, "a", wakes=False) is None
    assert inputs.waiting(town.tx, room) == 1


def test_what_waits_is_taken_once_in_order(town: Town) -> None:
    room, other = town.room("general"), town.room("other")
    ids = [add(town, room, key) for key in "abc"]
    add(town, other, "x")
    run = town.run(room)
    taken = inputs.take(town.tx, room, run=run, step=0)
    assert [one.id for one in taken] == ids
    assert [one.text for one in taken] == ["a", "b", "c"]
    assert inputs.take(town.tx, room, run=run, step=1) == []
    assert [one.id for one in inputs.of_run(town.tx, run)] == ids
    assert inputs.waiting(town.tx, other) == 1


def test_only_what_nobody_saw_is_withdrawn_or_rewritten(town: Town) -> None:
    room = town.room("general")
    said = town.say(room, None, "old")
    seen = add(town, room, "a", original_id=said)
    assert seen is not None
    assert inputs.rewrite(town.tx, said, "new") == 1
    run = town.run(room)
    assert inputs.take(town.tx, room, run=run, step=0)[0].text == "new"
    assert inputs.rewrite(town.tx, said, "newer") == 0
    assert not inputs.withdraw(town.tx, seen)
    waits = add(town, room, "b")
    assert waits is not None
    assert inputs.withdraw(town.tx, waits)
    assert inputs.get(town.tx, waits).state is State.WITHDRAWN
    assert [one.id for one in inputs.of_original(town.tx, said)] == [seen]


def test_a_dead_runs_inputs_are_withdrawn_with_what_waits(town: Town) -> None:
    room = town.room("general")
    one = add(town, room, "a")
    run = town.run(room)
    inputs.take(town.tx, room, run=run, step=0)
    two = add(town, room, "b")
    inputs.withdraw_of_run(town.tx, room, run)
    for id in (one, two):
        assert id is not None
        assert inputs.get(town.tx, id).state is State.WITHDRAWN


def test_an_unknown_input_is_named(town: Town) -> None:
    with pytest.raises(LookupError, match="no input 99"):
        inputs.get(town.tx, 99)
