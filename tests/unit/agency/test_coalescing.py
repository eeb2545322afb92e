"""When pending fires wake the agency."""

from datetime import timedelta

from agency import coalescing, fires
from agency.coalescing import Settings
from agency.fires import Event, Kind
from memory.moments import span_us
from tests.fakes.town import Town

SETTINGS = Settings()


def happen(town: Town, *happenings: tuple[float, Kind, float]) -> int | None:
    """Seconds after the town's now at which the agency is woken, after these happened."""
    start = town.us
    for number, (after, kind, salience) in enumerate(happenings):
        event = Event(kind=kind, key=str(number), salience=salience)
        fires.observe(town.tx, event, now_us=start + span_us(timedelta(seconds=after)))
    waiting = coalescing.waiting(town.tx, SETTINGS)
    due = coalescing.due(waiting, SETTINGS, now_us=start)
    return None if due is None else (due - start) // 1_000_000


def test_nothing_wakes_nobody(town: Town) -> None:
    assert happen(town) is None


def test_a_message_waits_for_quiet(town: Town) -> None:
    assert happen(town, (0, Kind.MESSAGE, 0)) == 20


def test_talk_pushes_the_wake_on_but_not_for_ever(town: Town) -> None:
    assert happen(town, (0, Kind.MESSAGE, 0), (15, Kind.MESSAGE, 0)) == 35
    assert happen(town, (0, Kind.MESSAGE, 0), *((n, Kind.MESSAGE, 0) for n in range(200))) == 120


def test_something_pressing_settles_for_a_moment_only(town: Town) -> None:
    assert happen(town, (0, Kind.MESSAGE, 0), (4, Kind.MESSAGE, 0.9)) == 7
    assert happen(town, (0, Kind.MESSAGE, 0.69)) == 7, "the first urgent one still counts"


def test_what_rides_along_waits_long_and_is_never_urgent(town: Town) -> None:
    assert happen(town, (0, Kind.MEMORY, 1.0), (3, Kind.REPORT, 1.0)) == 600


def test_what_rides_along_goes_with_the_next_message(town: Town) -> None:
    assert happen(town, (0, Kind.MEMORY, 0), (9, Kind.MESSAGE, 0)) == 29


def test_a_heartbeat_had_its_time_and_goes_at_once(town: Town) -> None:
    assert happen(town, (0, Kind.HEARTBEAT, 0)) == 0


def test_a_ripe_intention_lets_a_correction_arrive(town: Town) -> None:
    assert happen(town, (0, Kind.INTENTION, 1.0)) == 3
