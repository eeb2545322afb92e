"""When a room may be interrupted: every gate of the decision, and the hours it minds."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agency import policy
from agency.policy import Answer, Case, Concerned, Grade, Outcome, Repeat, Settings

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = (time(22), time(8))
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


def local(*parts: int, zone: ZoneInfo = BERLIN, fold: int = 0) -> datetime:
    return datetime(*parts, tzinfo=zone).replace(fold=fold).astimezone(UTC)  # type: ignore[arg-type, misc]


def case(grade: Grade = Grade.MINOR, *, settings: Settings | None = None, **more: Any) -> Case:
    return Case(now=NOW, grade=grade, settings=settings or Settings(), **more)


def last(grade: Grade = Grade.MINOR, **more: Any) -> Answer:
    answers = policy.decide(case(grade, **more)).answers
    assert all(answer.go for answer in answers[:-1])
    return answers[-1]


def test_every_gate_answers_in_order() -> None:
    decision = policy.decide(case())
    gates = ["policy", "grade", "state", "mute", "doubt", "engagement", "quota", "cool-down",
             "quiet hours", "conversation"]  # fmt: skip
    assert [answer.gate for answer in decision.answers] == gates
    assert (decision.outcome, decision.reason) == (Outcome.NOW, "every gate passed")


def test_the_first_no_is_the_last_word() -> None:
    off = last(Grade.NONE, today=99, settings=Settings(enabled=False))
    assert (off.gate, off.outcome) == ("policy", Outcome.SILENT)
    none = last(Grade.NONE, today=99)
    assert (none.gate, none.outcome) == ("grade", Outcome.SILENT)


@pytest.mark.parametrize("grade", [Grade.MAJOR, Grade.MINOR])
def test_when_in_doubt_digest(grade: Grade) -> None:
    assert last(grade, confidence=0.49).outcome is Outcome.DIGEST
    assert last(grade, confidence=0.5).go


@pytest.mark.parametrize("minor", ["digest", "silent"])
def test_the_operator_says_what_becomes_of_minor_news(minor: policy.Minor) -> None:
    settings = Settings(minor=minor)
    assert last(Grade.MINOR, settings=settings).outcome is Outcome(minor)
    assert last(Grade.MAJOR, settings=settings).go


def test_a_grade_is_lowered_to_what_it_rests_on_and_never_raised() -> None:
    banter = case(Grade.MAJOR, worth=Grade.MINOR, settings=Settings(minor="silent"))
    assert policy.decide(banter).outcome is Outcome.SILENT
    assert policy.grade_of(case(Grade.MINOR, worth=Grade.MAJOR)) is Grade.MINOR
    lowered = policy.decide(case(Grade.MAJOR, worth=Grade.MINOR)).answers[1]
    assert (lowered.go, "lowered" in lowered.reason) == (True, True)


def test_after_the_quota_of_the_chat_the_rest_waits_for_the_digest() -> None:
    full = last(Grade.MAJOR, today=5)
    assert (full.gate, full.outcome) == ("quota", Outcome.DIGEST)
    assert last(Grade.MAJOR, today=4).go
    assert last(today=0, settings=Settings(daily_quota=0)).gate == "quota"


def test_after_the_quota_of_all_it_concerns_it_waits_for_the_digest() -> None:
    full, free = Concerned(today=8), Concerned(today=7)
    assert last(concerned=(full, full)).gate == "quota"
    assert last(concerned=(full, free)).go


def test_only_minor_news_minds_the_cool_down() -> None:
    settings, before = Settings(cooldown=timedelta(minutes=30)), NOW - timedelta(minutes=5)
    minor = last(Grade.MINOR, last=before, settings=settings)
    assert (minor.gate, minor.outcome) == ("cool-down", Outcome.DIGEST)
    assert last(Grade.MAJOR, last=before, settings=settings).go
    assert last(Grade.MINOR, last=NOW - timedelta(minutes=30), settings=settings).go


def test_who_lets_news_pass_gets_less_and_never_nothing() -> None:
    assert last(Grade.MINOR, ignored=True).outcome is Outcome.DIGEST
    assert last(Grade.MAJOR, ignored=True).go
    assert last(Grade.MINOR, unwanted="Ana").outcome is Outcome.DIGEST


def test_a_mute_is_kept_whatever_the_grade() -> None:
    assert last(Grade.MAJOR, muted="the newsletter").outcome is Outcome.SILENT
    assert last(Grade.MAJOR, muted="the newsletter", timed=True).outcome is Outcome.SILENT


def test_news_waits_until_the_first_of_those_it_concerns_wakes() -> None:
    soon, later = NOW + timedelta(hours=1), NOW + timedelta(hours=5)
    both = last(Grade.MAJOR, concerned=(Concerned(awake_at=later), Concerned(awake_at=soon)))
    assert (both.gate, both.not_before) == ("quiet hours", soon)
    assert last(Grade.MAJOR, concerned=(Concerned(awake_at=later), Concerned())).go


def test_a_pause_of_all_it_concerns_holds_it_up() -> None:
    end = NOW + timedelta(days=3)
    paused = last(Grade.MAJOR, concerned=(Concerned(paused_until=end),))
    assert (paused.gate, paused.not_before) == (policy.PAUSE, end)
    assert last(Grade.MAJOR, concerned=(Concerned(paused_until=end), Concerned())).go


def test_a_chat_that_wants_answers_only_gets_the_rest_in_the_digest_or_afterwards() -> None:
    soon, late = NOW + timedelta(hours=2), NOW + timedelta(days=30)
    expires = NOW + timedelta(hours=24)
    waits = last(settings=Settings(answers_until=soon), expires_at=expires)
    assert (waits.gate, waits.not_before) == ("answers only", soon)
    kept = last(settings=Settings(answers_until=late), expires_at=expires)
    assert kept.outcome is Outcome.DIGEST


def test_a_talk_with_the_bot_goes_before_all_but_major_news() -> None:
    until = NOW + timedelta(seconds=20)
    waits = last(Grade.MINOR, busy_until=until)
    assert (waits.gate, waits.not_before) == ("conversation", until)
    assert last(Grade.MAJOR, busy_until=until).go
    assert last(Grade.MINOR, busy_until=NOW).go


def test_a_condition_is_told_again_at_growing_intervals_until_somebody_knows() -> None:
    """AG-04: not on every tick, and not for ever."""
    waits = [
        (answer.not_before - NOW) if answer.not_before else answer.outcome
        for told in (1, 2, 3)
        if (answer := last(repeat=Repeat(told=told, last=NOW, lasting=True)))
    ]
    assert waits == [timedelta(days=1), timedelta(days=2), Outcome.SILENT]
    known = Repeat(told=1, last=NOW - timedelta(days=9), lasting=True, acknowledged=True)
    assert last(repeat=known).outcome is Outcome.SILENT
    assert last(repeat=replace(known, acknowledged=False)).go
    assert last(repeat=Repeat(last=NOW)).outcome is Outcome.SILENT


def test_what_needs_consent_is_asked_for_unless_it_would_be_silent() -> None:
    asked = policy.decide(case(consent=True, settings=Settings(quiet=(time(9), time(11)))))
    assert (asked.outcome, asked.not_before) == (Outcome.ASK, None)
    assert policy.decide(case(Grade.NONE, consent=True)).outcome is Outcome.SILENT


def test_what_would_be_late_is_silent_except_behind_a_pause() -> None:
    soon = NOW + timedelta(minutes=30)
    assert last(settings=Settings(quiet=(time(9), time(11))), expires_at=soon).outcome is (
        Outcome.SILENT
    )
    paused = last(settings=Settings(paused_until=NOW + timedelta(days=1)), expires_at=soon)
    assert paused.outcome is Outcome.AT


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
