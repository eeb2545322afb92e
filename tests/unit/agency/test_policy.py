"""When a room may be interrupted: switch, grade, quota, cool-down, quiet hours."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from agency import policy
from agency.policy import Grade, Settings

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = (time(22), time(8))
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


def local(*parts: int, zone: ZoneInfo = BERLIN, fold: int = 0) -> datetime:
    return datetime(*parts, tzinfo=zone).replace(fold=fold).astimezone(UTC)  # type: ignore[arg-type, misc]


def decide(grade: Grade = Grade.MAJOR, *, today: int = 0, last: datetime | None = None,
           now: datetime = NOW, **settings: object) -> policy.Answer:  # fmt: skip
    answers = policy.decide(
        grade,
        today=today,
        last=last,
        now=now,
        settings=Settings(**settings),  # type: ignore[arg-type]
    )
    assert all(answer.go for answer in answers[:-1])
    return answers[-1]


def test_every_gate_answers_in_order() -> None:
    answers = policy.decide(Grade.MINOR, today=0, last=None, now=NOW, settings=Settings())
    gates = ["policy", "grade", "quota", "cool-down", "quiet hours"]
    assert [answer.gate for answer in answers] == gates
    assert all(answer.go for answer in answers)


def test_the_first_no_is_the_last_word() -> None:
    off = decide(Grade.NONE, today=99, enabled=False)
    assert (off.gate, off.go, off.not_before) == ("policy", False, None)
    none = decide(Grade.NONE, today=99)
    assert (none.gate, none.not_before) == ("grade", None)


def test_after_the_quota_it_waits_for_the_next_local_day_that_is_awake() -> None:
    full = decide(today=5, zone=BERLIN)
    assert (full.gate, full.not_before) == ("quota", local(2026, 12, 1))
    asleep = decide(today=5, zone=BERLIN, quiet=NIGHT)
    assert asleep.not_before == local(2026, 12, 1, 8)
    assert decide(today=4).go
    assert decide(today=0, daily_quota=0).gate == "quota"


def test_only_minor_news_waits_for_the_cool_down() -> None:
    last = NOW - timedelta(minutes=5)
    minor = decide(Grade.MINOR, last=last, cooldown=timedelta(minutes=30))
    assert (minor.gate, minor.not_before) == ("cool-down", last + timedelta(minutes=30))
    assert decide(Grade.MAJOR, last=last, cooldown=timedelta(minutes=30)).go
    assert decide(Grade.MINOR, last=last, cooldown=timedelta(minutes=5)).go


@pytest.mark.parametrize(
    ("moment", "wakes"),
    [
        ((2026, 11, 30, 21, 59), None),
        ((2026, 11, 30, 22, 0), (2026, 12, 1, 8, 0)),
        ((2026, 12, 1, 0, 0), (2026, 12, 1, 8, 0)),
        ((2026, 12, 1, 7, 59), (2026, 12, 1, 8, 0)),
        ((2026, 12, 1, 8, 0), None),
        ((2026, 12, 31, 23, 0), (2027, 1, 1, 8, 0)),
        ((2026, 3, 28, 23, 0), (2026, 3, 29, 8, 0)),
        ((2026, 10, 24, 23, 0), (2026, 10, 25, 8, 0)),
    ],
)
def test_quiet_hours_wrap_midnight_in_the_rooms_zone(
    moment: tuple[int, ...], wakes: tuple[int, ...] | None
) -> None:
    now = local(*moment)
    settings = Settings(zone=BERLIN, quiet=NIGHT)
    assert policy.after_quiet(now, settings) == (local(*wakes) if wakes else now)


@pytest.mark.parametrize("quiet", [(time(9), time(9)), None])
def test_no_hours_are_quiet(quiet: tuple[time, time] | None) -> None:
    assert policy.after_quiet(NOW, Settings(quiet=quiet)) == NOW


def test_quiet_hours_within_a_day() -> None:
    noon = Settings(zone=BERLIN, quiet=(time(12), time(13)))
    assert policy.after_quiet(local(2026, 11, 30, 12, 30), noon) == local(2026, 11, 30, 13)
    assert policy.after_quiet(local(2026, 11, 30, 13), noon) == local(2026, 11, 30, 13)


def test_an_hour_shown_twice_is_quiet_to_its_second_end() -> None:
    short = Settings(zone=BERLIN, quiet=(time(22), time(2, 30)))
    second = local(2026, 10, 25, 2, 10, fold=1)
    assert policy.after_quiet(second, short) == local(2026, 10, 25, 2, 30, fold=1) > second


def test_an_end_that_a_clock_set_forward_skips_still_comes() -> None:
    short = Settings(zone=BERLIN, quiet=(time(22), time(2, 30)))
    before = local(2026, 3, 29, 1, 50)
    wake = policy.after_quiet(before, short)
    assert wake > before
    assert policy.after_quiet(wake, short) == wake


def test_a_day_begins_at_the_zones_midnight() -> None:
    settings = Settings(zone=ZoneInfo("Asia/Shanghai"))
    assert policy.day_start(NOW, settings) == datetime(2026, 11, 29, 16, tzinfo=UTC)
    late = datetime(2026, 11, 30, 17, tzinfo=UTC)
    assert policy.day_start(late, settings) == datetime(2026, 11, 30, 16, tzinfo=UTC)
