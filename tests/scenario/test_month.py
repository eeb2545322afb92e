"""The first days of a month: what is said is rare, sourced, in time, and wakes nobody."""

import pytest

from bot.plays import month
from tests.conftest import MakeConfig

DAYS = 2  # the whole month takes minutes: `limen eval --month`


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_two_days_of_a_team(make_config: MakeConfig, language: str) -> None:
    lines: list[str] = []

    [account] = await month.simulate(language, make_config(), print_line=lines.append, days=DAYS)

    told = "\n".join(lines)
    assert account.days == DAYS
    assert [late.total_seconds() for _, late in account.late if late is not None] == [0.0], told
    assert account.heard, "the rooms that had to hear something did"
    assert not (account.twice or account.settled or account.woken or account.groundless), told
    assert "reminders on the minute  1 of 1" in told
