"""Schedules as rows: one turn once, missed ones counted, changes and ends."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from agency import schedules, whens
from agency.schedules import Kind, Outcome, Plan, Schedule, State
from tests.fakes.town import Town

BERLIN = ZoneInfo("Europe/Berlin")


def plan(town: Town, when: str, *, key: str = "k", text: str = "call Jon", owner: int = 1) -> Plan:
    found = whens.read(when, now=town.now, zone=BERLIN)
    return Plan(
        key=key, kind=Kind.REMINDER, owner_id=owner, session_id=1, target_id=1, person_id=owner,
        body=text, grid=found.grid, zone=BERLIN.key, language="en", original_id=7,
    )  # fmt: skip


def added(town: Town, when: str, *, key: str = "k", text: str = "call Jon") -> Schedule:
    return schedules.add(town.tx, plan(town, when, key=key, text=text), now=town.now)


def again(town: Town, schedule: Schedule) -> Schedule:
    found = schedules.find(town.tx, schedule.id)
    assert found is not None
    return found


def give(town: Town, schedule: Schedule) -> bool:
    turn = schedules.turn_of(schedule, town.now)
    return schedules.record(town.tx, schedule, turn, Outcome.GIVEN, now=town.now)


def test_the_same_asking_makes_one_schedule(town: Town) -> None:
    first = added(town, "in 10 minutes")

    assert added(town, "in 20 minutes").id == first.id


def test_it_is_due_at_its_moment_and_not_before(town: Town) -> None:
    schedule = added(town, "in 10 minutes")

    assert schedules.due(town.tx, now=town.now) == []
    assert schedules.due(town.tx, now=town.now + timedelta(minutes=10)) == [schedule]


def test_a_single_one_is_done_with_its_turn(town: Town) -> None:
    schedule = added(town, "in 10 minutes")
    town.now += timedelta(minutes=10)

    assert give(town, schedule)
    assert again(town, schedule).state is State.DONE
    assert schedules.next_moment(town.tx) is None


def test_a_turn_is_given_once(town: Town) -> None:
    schedule = added(town, "every day at 9")
    town.now += timedelta(days=1)

    assert give(town, schedule)
    assert not give(town, schedule)


def test_missed_turns_are_counted_and_the_grid_goes_on(town: Town) -> None:
    schedule = added(town, "every day at 9")
    town.now += timedelta(days=3)

    turn = schedules.turn_of(schedule, town.now)
    give(town, schedule)

    assert (turn.missed, turn.slot.astimezone(BERLIN).hour) == (2, 9)
    kept = again(town, schedule)
    assert kept.missed == 2
    assert kept.next_at == turn.slot + timedelta(days=1)


def test_what_is_held_up_is_looked_at_again_later_or_when_let_go(town: Town) -> None:
    schedule = added(town, "in 10 minutes")
    town.now += timedelta(minutes=10)
    schedules.hold(town.tx, schedule.id, town.now + timedelta(hours=1), now=town.now)

    assert schedules.due(town.tx, now=town.now) == []
    assert again(town, schedule).held
    schedules.let_go(town.tx)
    assert schedules.due(town.tx, now=town.now) != []


def test_a_change_gives_it_another_next_turn(town: Town) -> None:
    schedule = added(town, "in 10 minutes")
    later = whens.read("tomorrow at 9", now=town.now, zone=BERLIN)

    assert schedules.change(
        town.tx, schedule, grid=later.grid, body="call Jo", agreed=True, now=town.now
    )
    kept = again(town, schedule)
    assert (kept.body, kept.next_at, kept.settled) == ("call Jo", later.first, True)


def test_what_is_over_is_neither_changed_nor_cancelled(town: Town) -> None:
    schedule = added(town, "in 10 minutes")

    assert schedules.cancel(town.tx, schedule.id, reason="why not", now=town.now)
    assert not schedules.cancel(town.tx, schedule.id, reason="again", now=town.now)
    assert not schedules.change(
        town.tx, schedule, grid=schedule.grid, body="x", agreed=True, now=town.now
    )
    assert again(town, schedule).state is State.CANCELLED


def test_a_time_that_is_over_is_no_schedule(town: Town) -> None:
    made = plan(town, "in 10 minutes")

    with pytest.raises(ValueError, match="still to come"):
        schedules.add(town.tx, made, now=town.now + timedelta(hours=1))


def test_the_same_words_in_the_same_place_are_alike(town: Town) -> None:
    one = added(town, "in 10 minutes", key="a", text="Call  Jon")
    other = added(town, "in 20 minutes", key="b", text="call jon")
    added(town, "in 20 minutes", key="c", text="call Jo")

    assert {found.id for found in schedules.alike(town.tx, one)} == {one.id, other.id}


def test_two_people_who_are_one_have_their_schedules_together(town: Town) -> None:
    schedule = schedules.add(town.tx, plan(town, "in 10 minutes", owner=5), now=town.now)

    schedules.rehome(town.tx, 5, 6)

    kept = again(town, schedule)
    assert (kept.owner_id, kept.person_id) == (6, 6)


def test_what_one_sets_for_others_is_counted(town: Town) -> None:
    mine = plan(town, "in 10 minutes", key="a")
    schedules.add(town.tx, mine, now=town.now)
    schedules.add(town.tx, replace(mine, key="b", person_id=2), now=town.now)

    assert schedules.for_others(town.tx, 1, since=town.now - timedelta(days=1)) == 1
    assert schedules.count(town.tx, 1) == 2
