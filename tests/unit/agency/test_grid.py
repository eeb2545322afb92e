"""Grids across changes of the clock, and the turns counted between two moments."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agency import grid
from agency.grid import Grid

ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "Asia/Shanghai",
    "Asia/Kolkata",
    "Australia/Lord_Howe",  # moves its clocks by half an hour
    "Pacific/Apia",  # once left out a whole day
    "Africa/Casablanca",
    "UTC",
)


def wall(text: str) -> datetime:
    return datetime.fromisoformat(text)


moments = st.datetimes(wall("2011-12-01"), wall("2030-01-01"), timezones=st.just(UTC))
zones = st.sampled_from(ZONES).map(ZoneInfo)
times = st.times().map(lambda at: at.replace(second=0, microsecond=0))


def at(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def shown(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(ZoneInfo(zone)):%m-%d %H:%M}"


def weekdays(zone: str, **more: str) -> Grid:
    cron = {"day_of_week": "mon-fri", "hour": "9", "minute": "0"} | more
    return Grid(zone=zone, start=wall("2026-01-01"), cron=cron)


@given(moments, times, zones)
def test_a_daily_time_is_next_within_two_days_and_shows_that_time(
    after: datetime, daily: time, zone: ZoneInfo
) -> None:
    found = grid.next_daily(after, daily, zone)

    assert timedelta(0) < found - after <= timedelta(days=2)
    shows = found.astimezone(zone).time()
    skipped = not _exists(found.astimezone(zone).date(), daily, zone)
    assert shows > daily if skipped else shows == daily


def _exists(day: date, daily: time, zone: ZoneInfo) -> bool:
    told = datetime.combine(day, daily, zone)
    return told.astimezone(UTC).astimezone(zone).time() == daily


@given(moments, times, zones, st.integers(1, 3000))
def test_a_daily_time_stays_the_next_until_it_has_come(
    after: datetime, daily: time, zone: ZoneInfo, minutes: int
) -> None:
    found = grid.next_daily(after, daily, zone)
    later = min(after + timedelta(minutes=minutes), found - timedelta(microseconds=1))

    assert grid.next_daily(later, daily, zone) == found


@given(moments, times, st.sampled_from(ZONES))
def test_the_calendar_and_the_daily_helper_agree(after: datetime, daily: time, zone: str) -> None:
    cron = {"hour": str(daily.hour), "minute": str(daily.minute)}
    every_day = Grid(zone=zone, start=wall("2000-01-01"), cron=cron)

    assert grid.next_turn(every_day, after) == grid.next_daily(after, daily, ZoneInfo(zone))


@pytest.mark.parametrize(
    ("zone", "day", "daily", "shows"),
    [
        ("Europe/Berlin", date(2027, 3, 28), time(2, 30), "03-28 03:00"),
        ("America/New_York", date(2027, 3, 14), time(2, 0), "03-14 03:00"),
        ("Australia/Lord_Howe", date(2026, 10, 4), time(2, 15), "10-04 02:30"),
    ],
)
def test_a_skipped_time_is_due_at_the_first_moment_that_exists(
    zone: str, day: date, daily: time, shows: str
) -> None:
    night = datetime.combine(day, time(0, 0)).isoformat()

    assert shown(grid.next_daily(at(night, zone), daily, ZoneInfo(zone)), zone) == shows


def test_a_time_that_comes_twice_is_due_in_the_first_pass_only() -> None:
    zone = "Europe/Berlin"
    nightly = Grid(zone=zone, start=wall("2027-10-30"), cron={"hour": "2", "minute": "30"})

    found = grid.missed(nightly, at("2027-10-30T12:00", zone), at("2027-10-31T12:00", zone))

    assert found == grid.Missed(count=1, last=datetime(2027, 10, 31, 0, 30, tzinfo=UTC))


@pytest.mark.parametrize(
    ("night", "due"),
    [("2026-03-29", "2026-03-29T01:00:00Z"), ("2026-10-25", "2026-10-25T00:30:00Z")],
)
def test_du_08_a_fixed_hour_comes_once_a_local_day(night: str, due: str) -> None:
    zone = "Europe/Berlin"
    nightly = Grid(zone=zone, start=wall("2026-01-01"), cron={"hour": "2", "minute": "30"})
    start = at(f"{night}T00:00", zone)

    found = grid.missed(nightly, start, start + timedelta(hours=20))

    assert found == grid.Missed(count=1, last=datetime.fromisoformat(due))


@pytest.mark.parametrize("night", ["2026-03-29", "2026-10-25"])
def test_du_08_steps_keep_their_real_time_through_the_change(night: str) -> None:
    zone = "Europe/Berlin"
    quarters = Grid(zone=zone, start=wall(f"{night}T00:00"), every=(15, "minutes"))
    start = at(f"{night}T00:00", zone)

    turns = [turn for turn, _ in zip(grid.turns(quarters, start), range(20), strict=False)]

    assert turns == [start + timedelta(minutes=15 * n) for n in range(1, 21)]


@pytest.mark.parametrize("zone", ZONES)
def test_nine_stays_nine_through_a_year(zone: str) -> None:
    found = []
    for turn in grid.turns(weekdays(zone), at("2027-01-01T00:00", zone)):
        if turn > at("2028-01-01T00:00", zone):
            break
        found.append(turn.astimezone(ZoneInfo(zone)))

    assert len(found) == 261
    assert {turn.time() for turn in found} == {time(9, 0)}


def test_every_other_friday_keeps_its_hour_and_its_fortnight() -> None:
    zone = "America/New_York"
    grid_ = Grid(zone=zone, start=wall("2027-02-26T15:00"), every=(2, "weeks"))

    found = list(zip(range(4), grid.turns(grid_, at("2027-02-01T00:00", zone)), strict=False))

    assert [shown(turn, zone) for _, turn in found] == [
        "02-26 15:00",
        "03-12 15:00",
        "03-26 15:00",
        "04-09 15:00",
    ]


def test_a_step_of_hours_is_real_time() -> None:
    zone = "Europe/Berlin"
    grid_ = Grid(zone=zone, start=wall("2027-03-28"), every=(2, "hours"))

    found = list(zip(range(3), grid.turns(grid_, at("2027-03-28T00:00", zone)), strict=False))

    assert [shown(turn, zone) for _, turn in found] == ["03-28 03:00", "03-28 05:00", "03-28 07:00"]


@pytest.mark.parametrize(
    ("cron", "due"),
    [
        ({"day": "1st mon", "hour": "9"}, "03-01 09:00"),
        ({"day": "last fri", "hour": "16", "minute": "30"}, "02-26 16:30"),
        ({"day": "last", "hour": "18"}, "02-28 18:00"),
        ({"month": "3", "day": "3", "hour": "14", "minute": "30"}, "03-03 14:30"),
    ],
)
def test_days_of_the_month(cron: dict[str, str], due: str) -> None:
    zone = "Asia/Shanghai"
    grid_ = Grid(zone=zone, start=wall("2027-02-10"), cron=cron)

    found = grid.next_turn(grid_, at("2027-02-10T00:00", zone))

    assert found is not None
    assert shown(found, zone) == due


def test_nothing_is_due_before_the_start_or_after_the_end() -> None:
    zone = "Europe/Berlin"
    daily = Grid(
        zone=zone,
        start=wall("2027-06-10"),
        until=wall("2027-06-12T23:59"),
        cron={"hour": "9"},
    )

    found = [shown(turn, zone) for turn in grid.turns(daily, at("2027-01-01T00:00", zone))]

    assert found == ["06-10 09:00", "06-11 09:00", "06-12 09:00"]


def test_a_single_turn_is_due_once() -> None:
    once = Grid(zone="Asia/Shanghai", start=wall("2027-06-10T15:00"))
    due = datetime(2027, 6, 10, 7, 0, tzinfo=UTC)

    assert grid.next_turn(once, due - timedelta(seconds=1)) == due
    assert grid.next_turn(once, due) is None


def test_missed_turns_are_counted_up_to_the_present_one() -> None:
    zone = "Europe/Berlin"
    found = grid.missed(weekdays(zone), at("2027-06-03T09:00", zone), at("2027-06-09T09:00", zone))

    assert found == grid.Missed(count=4, last=at("2027-06-09T09:00", zone))


def test_a_very_long_absence_is_counted_to_a_bound() -> None:
    often = Grid(zone="UTC", start=wall("2020-01-01"), every=(1, "minutes"))

    found = grid.missed(often, at("2020-01-01T00:00", "UTC"), at("2027-01-01T00:00", "UTC"))

    assert found.count == grid.MOST_TURNS


@given(
    st.one_of(
        st.builds(
            Grid,
            zone=st.sampled_from(ZONES),
            start=st.datetimes(wall("2020-01-01"), wall("2030-01-01")),
            every=st.tuples(st.integers(1, 30), st.sampled_from(["hours", "days", "weeks"])),
        ),
        st.sampled_from(ZONES).map(weekdays),
    ),
    moments,
    st.integers(0, 100_000),
)
def test_every_turn_is_the_next_of_each_moment_before_it(
    grid_: Grid, after: datetime, seconds: int
) -> None:
    found = grid.next_turn(grid_, after)

    assert found is not None
    assert found > after
    between = min(after + timedelta(seconds=seconds), found - timedelta(microseconds=1))
    assert grid.next_turn(grid_, between) == found


def test_a_grid_is_the_same_after_storing() -> None:
    whole = Grid(
        zone="Europe/Berlin",
        start=wall("2027-02-26T15:00"),
        every=(2, "weeks"),
        until=wall("2027-12-25"),
    )

    assert Grid.from_data(whole.as_data()) == whole


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"every": (0, "days")}, "a step is a number from 1"),
        ({"every": (1, "fortnights")}, "a step is a number from 1"),
        ({"every": (1, "days"), "cron": {"hour": "9"}}, "either"),
        ({"until": datetime(2027, 1, 1, tzinfo=UTC)}, "naive"),
    ],
)
def test_a_grid_that_makes_no_sense_is_refused(fields: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Grid(zone="UTC", start=wall("2027-01-01"), **fields)  # type: ignore[arg-type]
