"""What holds of every decision, whatever the case."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from agency import policy
from agency.policy import Case, Concerned, Grade, Outcome, Repeat, Settings

_ZONES = [UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Shanghai"), ZoneInfo("America/New_York")]
_NOW = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)  # around a change of the clocks, and a weekend
_EAGER = {Outcome.NOW: 4, Outcome.ASK: 3, Outcome.AT: 2, Outcome.DIGEST: 1, Outcome.SILENT: 0}

moments = st.integers(-3000, 3000).map(lambda minutes: _NOW + timedelta(minutes=minutes))
maybe = st.none() | moments
hours = st.none() | st.tuples(st.times(), st.times()).map(
    lambda pair: (pair[0].replace(microsecond=0), pair[1].replace(microsecond=0))
)
settings = st.builds(
    Settings,
    enabled=st.just(True) | st.booleans(),
    zone=st.sampled_from(_ZONES),
    quiet=hours,
    minor=st.sampled_from(["now", "digest", "silent"]),
    daily_quota=st.integers(0, 10),
    cooldown=st.integers(0, 300).map(lambda minutes: timedelta(minutes=minutes)),
    paused_until=maybe,
    answers_until=maybe,
)
people = st.builds(
    Concerned, today=st.integers(0, 10), quota=st.integers(0, 10), paused_until=st.none(),
    awake_at=maybe,
)  # fmt: skip
cases = st.builds(
    Case,
    now=moments,
    settings=settings,
    grade=st.sampled_from(Grade),
    worth=st.sampled_from(Grade),
    confidence=st.floats(0, 1),
    expires_at=maybe,
    today=st.integers(0, 10),
    last=maybe,
    concerned=st.lists(people, max_size=3).map(tuple),
    repeat=st.none() | st.builds(Repeat, told=st.integers(1, 4), last=moments,
                                 lasting=st.booleans(), acknowledged=st.booleans()),
    muted=st.sampled_from(["", "the newsletter"]),
    ignored=st.booleans(),
    unwanted=st.sampled_from(["", "Ana"]),
    busy_until=maybe,
    consent=st.booleans(),
    timed=st.booleans(),
)  # fmt: skip


@given(cases)
def test_the_same_case_is_decided_alike(case: Case) -> None:
    assert policy.decide(case) == policy.decide(replace(case))


@given(cases)
def test_every_no_has_its_reason_and_only_what_waits_has_a_moment(case: Case) -> None:
    decision = policy.decide(case)
    assert decision.reason
    assert (decision.not_before is not None) == (decision.outcome is Outcome.AT)
    assert decision.not_before is None or decision.not_before > case.now
    assert all(answer.go or answer.reason for answer in decision.answers)
    assert all(answer.go for answer in decision.answers[:-1])


@given(cases)
def test_nobody_is_told_anything_in_quiet_hours_unless_they_timed_it(case: Case) -> None:
    """AG-02."""
    asleep = policy.after_quiet(case.now, case.settings) > case.now
    if asleep and not case.timed:
        assert policy.decide(case).outcome is not Outcome.NOW


@given(cases)
def test_what_waits_does_not_wait_for_quiet_hours(case: Case) -> None:
    decision = policy.decide(case)
    waits = decision.answers[-1].gate in ("pause", "answers only", "quiet hours")
    if decision.not_before is not None and waits and not case.timed and not case.concerned:
        assert policy.after_quiet(decision.not_before, case.settings) == decision.not_before


@given(cases, st.integers(1, 5))
def test_more_quota_never_means_less(case: Case, more: int) -> None:
    wider = replace(case.settings, daily_quota=case.settings.daily_quota + more)
    if policy.decide(case).outcome is Outcome.NOW:
        assert policy.decide(replace(case, settings=wider)).outcome is Outcome.NOW


@given(cases)
def test_having_been_told_less_today_never_means_less(case: Case) -> None:
    fewer = replace(case, today=0, concerned=tuple(replace(p, today=0) for p in case.concerned))
    if policy.decide(case).outcome is Outcome.NOW:
        assert policy.decide(fewer).outcome is Outcome.NOW


@given(cases)
def test_major_news_never_waits_for_the_cool_down(case: Case) -> None:
    if policy.grade_of(case) is Grade.MAJOR:
        assert all(a.go for a in policy.decide(case).answers if a.gate == "cool-down")


@given(cases)
def test_letting_news_pass_never_silences_anybody(case: Case) -> None:
    cold = replace(case, ignored=True, unwanted="Ana")
    warm = replace(case, ignored=False, unwanted="")
    if policy.decide(cold).outcome is Outcome.SILENT:
        assert policy.decide(warm).outcome is Outcome.SILENT
    if policy.grade_of(case) is Grade.MAJOR:
        assert policy.decide(cold) == policy.decide(warm)


@given(cases)
def test_a_model_alone_makes_nothing_more_pressing_than_it_can_be(case: Case) -> None:
    bold = replace(case, grade=Grade.MAJOR)
    sober = replace(case, grade=policy.grade_of(bold))
    assert _EAGER[policy.decide(bold).outcome] <= _EAGER[policy.decide(sober).outcome]


@given(cases, st.integers(0, 23 * 60 + 59))
def test_the_end_of_the_quiet_hours_is_the_end(case: Case, minute: int) -> None:
    start, over = time(minute // 60, minute % 60), time(8)
    asleep = replace(case.settings, quiet=(start, over))
    end = policy.after_quiet(case.now, asleep)
    assert end >= case.now
    assert policy.after_quiet(end, asleep) == end
