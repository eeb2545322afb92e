"""Runs: one open run a session, claimed by one process, settled once."""

import sqlite3

import psycopg
import pytest

from bot.engine import runs
from bot.engine.runs import Priority, Run, State
from bot.errors import StaleState
from tests.fakes.town import Town

ALL = range(1000)


def queue(town: Town, title: str, *, priority: int = Priority.PERSON, due: int = 0) -> int:
    room = town.room(title)
    return runs.queue(town.tx, room, "conversation", priority=priority, due_us=due, now_us=1)


def claim(town: Town, now: int = 10, owner: str = "me", priorities: range = ALL) -> Run | None:
    return runs.claim(town.tx, owner=owner, now_us=now, lease_us=60, priorities=priorities)


def test_a_session_has_one_open_run(town: Town) -> None:
    run = queue(town, "a")
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError)), town.tx.nested():
        queue(town, "a")
    found = runs.open_of(town.tx, town.room("a"))
    assert found is not None
    assert found.id == run
    claim(town)
    runs.settle(town.tx, run, State.SUCCEEDED, outcome="spoken", now_us=11)
    assert runs.open_of(town.tx, town.room("a")) is None
    queue(town, "a")


def test_the_most_pressing_due_run_is_claimed_once(town: Town) -> None:
    idle = queue(town, "a", priority=Priority.AGENCY)
    person = queue(town, "b", due=5)
    later = queue(town, "c", due=99)
    assert [run.id if (run := claim(town)) else None for _ in range(3)] == [person, idle, None]
    assert runs.next_due(town.tx, after_us=10) == 99
    assert claim(town, now=99) is not None
    assert runs.get(town.tx, later).attempts == 1


def test_background_runs_can_be_left_out(town: Town) -> None:
    queue(town, "a", priority=Priority.AGENCY)
    assert claim(town, priorities=range(runs.BACKGROUND)) is None


def test_a_lease_is_renewed_by_its_owner_and_lost_to_time(town: Town) -> None:
    run = queue(town, "a")
    claim(town)
    assert not runs.renew(town.tx, run, owner="other", until_us=500)
    assert runs.renew(town.tx, run, owner="me", until_us=500)
    assert runs.lost(town.tx, now_us=500) == []
    assert [one.id for one in runs.lost(town.tx, now_us=501)] == [run]
    assert [one.id for one in runs.lost(town.tx, now_us=1, owner="next")] == [run]
    assert runs.requeue(town.tx, run, due_us=0, error="it died")
    assert not runs.requeue(town.tx, run, due_us=0, error="it died")
    again = claim(town)
    assert again is not None
    assert (again.id, again.attempts, again.error) == (run, 2, "it died")


@pytest.mark.parametrize("end", [State.SUCCEEDED, State.FAILED, State.CANCELLED])
def test_a_run_ends_once(town: Town, end: State) -> None:
    run = queue(town, "a")
    with pytest.raises(StaleState):
        runs.settle(town.tx, run, end, now_us=1)
    claim(town)
    runs.settle(town.tx, run, end, outcome="o", reason="r", error="e", now_us=7)
    with pytest.raises(StaleState):
        runs.settle(town.tx, run, end, now_us=8)
    assert not runs.cancel_queued(town.tx, run, reason="", now_us=9)
    assert runs.get(town.tx, run).state is end


@pytest.mark.parametrize("end", [State.QUEUED, State.SUSPENDED, State.RUNNING])
def test_a_run_does_not_end_open(town: Town, end: State) -> None:
    run = queue(town, "a")
    claim(town)
    with pytest.raises(ValueError, match="does not end"):
        runs.settle(town.tx, run, end, now_us=1)


def test_more_input_makes_a_queued_run_more_pressing_only(town: Town) -> None:
    run = queue(town, "a", priority=Priority.NUDGE, due=5)
    runs.merge(town.tx, run, priority=Priority.PERSON, due_us=9)
    runs.merge(town.tx, run, priority=Priority.IDLE, due_us=9)
    found = runs.get(town.tx, run)
    assert found.priority == Priority.PERSON
    assert runs.cancel_queued(town.tx, run, reason="recalled", now_us=3)
    assert runs.get(town.tx, run).state is State.CANCELLED


def test_lists(town: Town) -> None:
    ids = [queue(town, title) for title in "abc"]
    assert [run.id for run in runs.latest(town.tx, limit=2)] == ids[:0:-1]
    assert [run.id for run in runs.latest(town.tx, limit=9, before=ids[1])] == ids[:1]
    assert runs.latest(town.tx, limit=9, role="agency") == []
    with pytest.raises(LookupError, match="no run 99"):
        runs.get(town.tx, 99)
