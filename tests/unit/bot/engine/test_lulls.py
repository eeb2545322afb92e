"""Who comes after a lull may go first."""

from datetime import timedelta

from bot.engine import lulls
from bot.engine.lulls import Lulls
from tests.conftest import MONDAY


def test_whoever_crowds_in_goes_with_the_rest_until_there_is_a_lull() -> None:
    now = MONDAY
    known = Lulls(lambda: now, timedelta(seconds=1))
    assert known.after("loud")
    for _ in range(3):
        now += timedelta(milliseconds=900)
        assert not known.after("loud")
        assert known.after(f"quiet {now}")
    now += timedelta(seconds=1)
    assert known.after("loud")
    now -= timedelta(hours=1)  # the clock is set back
    assert known.after("loud")


def test_no_more_are_remembered_than_some() -> None:
    known = Lulls(lambda: MONDAY, timedelta(seconds=1))
    for n in range(lulls.REMEMBERED + 1):
        assert known.after(n)
    assert not known.after(1)
    assert known.after(0), "long forgotten"
