"""The first days of a month: what is said is rare, sourced, in time, and wakes nobody."""

from collections import Counter
from datetime import timedelta

from bot.plays import month
from bot.plays.month_script import Script, load
from tests.conftest import MakeConfig

DAYS = 2  # the whole month takes minutes: `limen eval --month`


async def test_the_first_days_of_a_team(make_config: MakeConfig) -> None:
    lines: list[str] = []

    [account] = await month.simulate("en", make_config(), print_line=lines.append, days=DAYS)

    told = "\n".join(lines)
    assert account.days == DAYS
    assert [late for _, late in account.late] == [timedelta(0)], told
    assert account.heard, "the rooms that had to hear something did"
    assert not (account.twice or account.settled or account.woken or account.groundless), told


def test_the_month_is_the_same_in_both_languages() -> None:
    en, zh = (load(language, days=month.WORKING_DAYS) for language in ("en", "zh"))
    assert len(en.people) == len(zh.people) and len(en.due) == len(zh.due)
    assert _shape(en) == _shape(zh)


def _shape(script: Script) -> Counter[tuple[bool, bool]]:
    return Counter((bool(line.matter), line.settles) for line in script.lines)
