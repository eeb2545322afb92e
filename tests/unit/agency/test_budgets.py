"""Budgets: what a day may cost, which purpose steps down when, and what models cost."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agency import budgets
from agency.budgets import Level, Price, Purpose, Settings, Spent
from tests.fakes.town import Town

LIMITS = Settings(tokens=1000)
BERLIN = ZoneInfo("Europe/Berlin")
SONNET = Price(input=2, output=10, cache_read=0.1, cache_write=2.5)
HAIKU = Price(input=0.1, output=0.5, cache_read=0.01, cache_write=0.125)


def at(part: float, purpose: Purpose, settings: Settings = LIMITS) -> Level:
    """The level of a purpose when so much of the day is spent on answers."""
    return budgets.level(purpose, {Purpose.FOREGROUND: Spent(tokens=round(part * 1000))}, settings)


def stops(purpose: Purpose) -> float:
    return next(n / 100 for n in range(200) if at(n / 100, purpose, CUT) is Level.PAUSED)


CUT = replace(LIMITS, fallback=False)


def test_what_nobody_waits_for_stops_first_and_answers_last() -> None:
    order = sorted(Purpose, key=stops)
    assert order == [Purpose.BACKGROUND, Purpose.MEMORY, Purpose.AGENCY, Purpose.FOREGROUND]
    assert len({stops(purpose) for purpose in Purpose}) == 4


def test_each_purpose_steps_down_one_level_after_the_other() -> None:
    for purpose in Purpose:
        seen = list(dict.fromkeys(at(n / 100, purpose) for n in range(150)))
        last = [] if purpose is Purpose.FOREGROUND else [Level.PAUSED]
        assert seen == [Level.OK, Level.CHEAPER, Level.BUILTIN, *last]


def test_without_a_fallback_nothing_is_answered_by_the_built_in_model() -> None:
    for purpose in Purpose:
        seen = list(dict.fromkeys(at(n / 100, purpose, CUT) for n in range(150)))
        assert seen == [Level.OK, Level.CHEAPER, Level.PAUSED]


def test_without_limits_everything_may_be_spent() -> None:
    day = {purpose: Spent(tokens=10**9, cost=10**12) for purpose in Purpose}
    assert set(budgets.levels(day, Settings()).values()) == {Level.OK}


def test_tokens_and_money_are_both_looked_at_and_the_larger_part_counts() -> None:
    settings = Settings(tokens=1000, cost=1000)
    assert budgets.used(Spent(tokens=100, cost=900), settings) == 0.9
    assert budgets.used(Spent(tokens=900, cost=100), settings) == 0.9


def test_a_purpose_stops_at_its_own_share_and_the_others_go_on() -> None:
    settings = replace(LIMITS, shares={Purpose.AGENCY: 0.2})
    day = {Purpose.AGENCY: Spent(tokens=200)}
    assert budgets.level(Purpose.AGENCY, day, settings) is Level.PAUSED
    assert budgets.level(Purpose.MEMORY, day, settings) is Level.OK
    assert budgets.level(Purpose.AGENCY, {Purpose.AGENCY: Spent(tokens=170)}, settings) is (
        Level.CHEAPER
    )


def test_a_share_of_nothing_is_paused_from_the_start() -> None:
    settings = replace(LIMITS, shares={Purpose.BACKGROUND: 0.0})
    assert budgets.level(Purpose.BACKGROUND, {}, settings) is Level.PAUSED


def test_what_runs_in_progress_will_take_counts_already() -> None:
    day = {Purpose.AGENCY: Spent(tokens=850)}
    assert budgets.level(Purpose.AGENCY, day, LIMITS) is Level.BUILTIN
    ahead = Spent(tokens=60)
    assert budgets.level(Purpose.AGENCY, day, LIMITS, ahead=ahead) is Level.PAUSED


def test_money_is_counted_by_kind_of_token() -> None:
    cost = SONNET.cost(input=1000, output=100, cache_read=10_000, cache_write=200)
    assert cost == 2000 + 1000 + 1000 + 500, "millionths of a dollar"


def test_a_dated_name_costs_what_its_family_costs() -> None:
    settings = Settings(prices={"sonnet": SONNET, "sonnet-small": HAIKU})
    assert settings.price("sonnet-20261001") is SONNET
    assert settings.price("sonnet-small-20261001") is HAIKU
    assert settings.price("other") is None
    assert settings.dearest() is SONNET


@pytest.mark.parametrize(
    ("now", "day", "over"),
    [
        ("2026-11-30T22:59+00:00", date(2026, 11, 30), "2026-11-30T23:00+00:00"),
        ("2026-11-30T23:00+00:00", date(2026, 12, 1), "2026-12-01T23:00+00:00"),
        ("2027-03-28T10:00+00:00", date(2027, 3, 28), "2027-03-28T22:00+00:00"),
        ("2026-10-25T10:00+00:00", date(2026, 10, 25), "2026-10-25T23:00+00:00"),
    ],
)
def test_a_day_is_the_teams_day_also_when_the_clocks_change(now: str, day: date, over: str) -> None:
    moment = datetime.fromisoformat(now)
    assert budgets.day_of(moment, BERLIN) == day
    assert budgets.next_day(moment, BERLIN) == datetime.fromisoformat(over)


def test_each_change_of_a_level_is_noted_once(town: Town) -> None:
    day = date(2026, 11, 30)
    calm = dict.fromkeys(Purpose, Level.OK)
    tight = calm | {Purpose.BACKGROUND: Level.PAUSED}
    noted = [
        budgets.note(town.tx, day, levels, used=0.7, now_us=town.us + n)
        for n, levels in enumerate((calm, tight, tight, calm))
    ]
    assert noted == [0, 1, 0, 1]
    assert [(one.purpose, one.level, one.used) for one in budgets.changes(town.tx, day)] == [
        (Purpose.BACKGROUND, Level.PAUSED, 0.7),
        (Purpose.BACKGROUND, Level.OK, 0.7),
    ]


def test_every_day_begins_anew(town: Town) -> None:
    tight = dict.fromkeys(Purpose, Level.OK) | {Purpose.MEMORY: Level.CHEAPER}
    for day in (date(2026, 11, 30), date(2026, 12, 1)):
        assert budgets.note(town.tx, day, tight, used=0.6, now_us=town.us) == 1


def test_the_table_of_the_documents_is_the_table_of_the_code() -> None:
    told = (Path(__file__).parents[3] / "docs/budgets.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\d+) % \| (\d+) % \| (\d+) % \|$", told, re.M)
    assert rows == [
        (name.value, *(f"{part * 100:.0f}" for part in (one.cheaper, one.builtin, one.paused)))
        for name, one in budgets.STEPS.items()
    ]


def test_midnight_of_utc_is_the_default() -> None:
    now = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    assert budgets.next_day(now, Settings().zone) == datetime(2026, 12, 1, tzinfo=UTC)
