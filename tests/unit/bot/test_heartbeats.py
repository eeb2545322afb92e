"""Heartbeats: how long an idle agency waits until it looks around by itself."""

from datetime import timedelta

import pytest

from agency import fires, handoffs
from bot.wakes import Heartbeats
from memory.moments import span_us
from tests.fakes.town import Town

HALF_HOUR = timedelta(minutes=30)


def observe(town: Town, kind: fires.Kind = fires.Kind.MESSAGE) -> int:
    town.now += timedelta(seconds=1)
    event = fires.Event(kind=kind, key=f"{kind}:{town.us}")
    found = fires.observe(town.tx, event, now_us=town.us)
    assert found is not None
    return found


def look_around(town: Town) -> None:
    """A heartbeat that the agency looks at; its run goes on."""
    beat, run = observe(town, fires.Kind.HEARTBEAT), town.agency_run()
    fires.hand_over(town.tx, [beat], run=run, how=fires.State.SUBMITTED)
    fires.consume(town.tx, run, now_us=town.us)


def waits(town: Town) -> timedelta:
    """From the last happening to the next look around, once the agency is at rest."""
    observe(town)
    town.tx.run("UPDATE runs SET state = 'succeeded' WHERE state = 'running'")
    due = Heartbeats(town.clock, interval=HALF_HOUR).due(town.tx)
    assert due is not None
    return timedelta(microseconds=due - town.us)


def test_each_look_around_for_nothing_makes_the_next_wait_twice_as_long(town: Town) -> None:
    seen = []
    for _ in range(8):
        seen.append(waits(town) / HALF_HOUR)
        look_around(town)
    assert seen == [1, 2, 4, 8, 16, 32, 48, 48], "up to a day"


def test_one_that_came_to_something_begins_anew(town: Town) -> None:
    ana = town.person("Ana")
    source = town.say(town.room("release", ana), ana, "The gate moves to Tuesday.")
    target = town.room("project", ana)
    for fruitful in (False, False, True):
        waits(town)
        beat, run = observe(town, fires.Kind.HEARTBEAT), town.agency_run()
        if fruitful:
            handoffs.propose(
                town.tx,
                town.proposal(target, "The gate moved.", [source]),
                {source: 1},
                now_us=town.us,
            )
        fires.hand_over(town.tx, [beat], run=run, how=fires.State.SUBMITTED)
        fires.consume(town.tx, run, now_us=town.us)
    assert waits(town) == HALF_HOUR


@pytest.mark.parametrize("interval", [timedelta(minutes=1), timedelta(days=3)])
def test_a_wait_is_never_shorter_than_the_interval(town: Town, interval: timedelta) -> None:
    for _ in range(12):
        observe(town)
        due = Heartbeats(town.clock, interval=interval).due(town.tx)
        assert due is not None and due - town.us >= span_us(interval)
        look_around(town)
        town.tx.run("UPDATE runs SET state = 'succeeded' WHERE state = 'running'")
