"""What a person wants, and the hours that follow from it."""

from datetime import UTC, datetime, time, timedelta

import pytest

from agency import hours, personal, policy, preferences
from agency.personal import Personal
from tests.fakes.town import Town

NIGHT = policy.Settings(quiet=(time(22), time(8)))
LATE = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)


def test_nobody_wants_anything_at_first(town: Town) -> None:
    assert personal.of(town.tx, town.person("Ana"), now=town.now) == Personal()


def test_what_a_person_says_is_kept_each_by_itself(town: Town) -> None:
    ana = town.person("Ana")
    personal.set_zone(town.tx, ana, "Asia/Shanghai", now=town.now)
    personal.set_quiet(town.tx, ana, (time(23), time(7, 30)), now=town.now)
    personal.set_digest(town.tx, ana, time(8, 30), now=town.now)
    personal.set_quota(town.tx, ana, 3, now=town.now)
    wanted = personal.of(town.tx, ana, now=town.now)
    assert (str(wanted.zone), wanted.quota) == ("Asia/Shanghai", 3)
    assert (wanted.quiet, wanted.digest_at) == ((time(23), time(7, 30)), time(8, 30))
    personal.set_quiet(town.tx, ana, None, now=town.now)
    assert personal.of(town.tx, ana, now=town.now).quiet is None


def test_a_pause_that_is_over_is_none(town: Town) -> None:
    ana, end = town.person("Ana"), town.now + timedelta(hours=1)
    personal.pause(town.tx, ana, end, now=town.now)
    assert personal.of(town.tx, ana, now=town.now).paused_until == end
    assert personal.of(town.tx, ana, now=end).paused_until is None


def test_a_persons_own_word_goes_before_what_a_platform_shows(town: Town) -> None:
    ana = town.person("Ana")
    personal.show_zone(town.tx, ana, "America/New_York", now=town.now)
    assert str(personal.of(town.tx, ana, now=town.now).zone) == "America/New_York"
    personal.set_zone(town.tx, ana, "Europe/Berlin", now=town.now)
    personal.show_zone(town.tx, ana, "Asia/Tokyo", now=town.now)
    assert str(personal.of(town.tx, ana, now=town.now).zone) == "Europe/Berlin"
    personal.set_zone(town.tx, ana, None, now=town.now)
    assert str(personal.of(town.tx, ana, now=town.now).zone) == "Asia/Tokyo"


@pytest.mark.parametrize("name", ["Mars/Olympus", "../etc/passwd", "Europe"])
def test_a_zone_that_there_is_not_is_named(town: Town, name: str) -> None:
    with pytest.raises(ValueError, match="is no time zone"):
        personal.set_zone(town.tx, town.person("Ana"), name, now=town.now)


def test_a_dm_sleeps_when_its_person_does_in_their_own_zone(town: Town) -> None:
    """AG-02: 23:30 in Berlin is half past six in the morning in Shanghai."""
    ana, lin = town.person("Ana"), town.person("Lin")
    dm = town.dm(ana)
    assert hours.first(town.tx, dm, now=LATE, settings=NIGHT) == LATE + timedelta(hours=8.5)
    personal.set_zone(town.tx, lin, "Asia/Shanghai", now=town.now)
    there = hours.first(town.tx, town.dm(lin), now=LATE, settings=NIGHT)
    assert there == LATE + timedelta(minutes=30), "eight in Shanghai is midnight here"


def test_a_room_sleeps_by_its_own_hours_else_the_operators(town: Town) -> None:
    ana = town.person("Ana")
    personal.set_zone(town.tx, ana, "Asia/Shanghai", now=town.now)
    room = town.room("project", ana, town.person("Bo"))
    assert hours.first(town.tx, room, now=LATE, settings=NIGHT) == LATE + timedelta(hours=8.5)
    preferences.set_quiet(town.tx, room, preferences.NEVER, now=town.now)
    assert hours.first(town.tx, room, now=LATE, settings=NIGHT) == LATE


def test_what_somebody_timed_waits_for_pauses_only(town: Town) -> None:
    """AG-02."""
    ana = town.person("Ana")
    dm = town.dm(ana)
    assert hours.first(town.tx, dm, now=LATE, settings=NIGHT, timed=True) == LATE
    end = LATE + timedelta(hours=1)
    personal.pause(town.tx, ana, end, now=LATE)
    assert hours.first(town.tx, dm, now=LATE, settings=NIGHT, timed=True) == end


def test_the_later_end_of_two_pauses_holds(town: Town) -> None:
    ana = town.person("Ana")
    dm, soon, late = town.dm(ana), town.now + timedelta(hours=1), town.now + timedelta(hours=2)
    personal.pause(town.tx, ana, soon, now=town.now)
    preferences.pause(town.tx, dm, late, now=town.now)
    assert hours.first(town.tx, dm, now=town.now, settings=policy.Settings()) == late


def test_a_chat_that_wants_answers_only_is_told_nothing_before_the_end(town: Town) -> None:
    room, end = town.room("project", town.person("Bo")), town.now + timedelta(days=2)
    preferences.answers_only(town.tx, room, end, now=town.now)
    assert hours.first(town.tx, room, now=town.now, settings=policy.Settings()) == end
    preferences.answers_only(town.tx, room, None, now=town.now)
    assert hours.first(town.tx, room, now=town.now, settings=policy.Settings()) == town.now
