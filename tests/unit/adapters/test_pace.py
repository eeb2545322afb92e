"""Speed limits: kept in advance, a place at a time, and a closed place waits."""

import asyncio
from datetime import timedelta

import pytest

from adapters.errors import Retry
from adapters.pace import DAY_S, REST_S, Backoff, Limit, Pace, seconds_told
from adapters.quotes import Manner, own_words, quote
from bot.engine.clocks import VirtualClock
from tests.conftest import MONDAY


class Watch:
    """A clock that jumps when somebody sleeps."""

    def __init__(self) -> None:
        self.now = MONDAY
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.now += timedelta(seconds=seconds)
        await asyncio.sleep(0)


async def test_a_burst_is_let_through_at_the_pace_of_its_limit() -> None:
    watch = Watch()
    pace = Pace(lambda: watch.now, watch.sleep)
    for _ in range(5):
        await pace.wait({"chat": (Limit(2, 1.0),)})
    assert watch.slept == [1.0, 1.0]


async def test_places_do_not_wait_for_each_other_and_the_strictest_limit_holds() -> None:
    watch = Watch()
    pace = Pace(lambda: watch.now, watch.sleep)
    limits = (Limit(1, 1.0), Limit(2, 60.0))
    await pace.wait({"a": limits})
    await pace.wait({"b": limits})
    assert watch.slept == []
    await pace.wait({"a": limits})
    await pace.wait({"a": limits})
    assert watch.slept == [1.0, 59.0]


async def test_a_closed_place_opens_again_when_the_platform_said() -> None:
    watch = Watch()
    pace = Pace(lambda: watch.now, watch.sleep)
    pace.close("a", 12.0)
    pace.close("a", 3.0)
    await pace.wait({"b": ()})
    await pace.wait({"a": (), "b": ()})
    assert watch.slept == [12.0]


async def test_who_is_cancelled_while_waiting_is_told_that_nothing_was_called() -> None:
    clock = VirtualClock(MONDAY)
    pace = Pace(clock, clock.sleep)
    pace.close("a", 12.0)
    first, second = (asyncio.create_task(pace.wait({"a": ()})) for _ in range(2))
    await asyncio.sleep(0)
    for waiting in (first, second):
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError, match="turn"):
            await waiting
        assert waiting.cancelled()


async def test_several_who_wait_for_one_place_go_one_after_the_other() -> None:
    clock = VirtualClock(MONDAY)
    pace = Pace(clock, clock.sleep)
    went: list[float] = []

    async def call() -> None:
        await pace.wait({"a": (Limit(1, 1.0),)})
        went.append((clock() - MONDAY).total_seconds())

    calls = asyncio.gather(*(call() for _ in range(4)))
    await clock.pass_time(MONDAY + timedelta(seconds=10), busy=lambda: False, breathe=asyncio.sleep)
    await calls
    assert went == [0.0, 1.0, 2.0, 3.0]


async def test_who_came_first_goes_first_though_another_asks_when_the_place_opens() -> None:
    clock = VirtualClock(MONDAY)
    pace = Pace(clock, clock.sleep)
    went: list[int] = []

    async def call(number: int) -> None:
        await clock.sleep(number / 2)
        await pace.wait({"a": (Limit(1, 1.0),)})
        went.append(number)

    calls = asyncio.gather(*(call(number) for number in (3, 2, 1, 0)))
    await clock.pass_time(MONDAY + timedelta(seconds=10), busy=lambda: False, breathe=asyncio.sleep)
    await calls
    assert went == [0, 1, 2, 3]


async def test_nobody_is_kept_waiting_for_hours() -> None:
    watch = Watch()
    pace = Pace(lambda: watch.now, watch.sleep)
    pace.close("a", 3600.0)
    with pytest.raises(Retry) as told:
        await pace.wait({"a": (), "b": ()})
    assert (told.value.after, watch.slept) == (3600.0, [])
    await pace.wait({"b": ()})
    watch.now += timedelta(hours=1)
    await pace.wait({"a": ()})
    assert watch.slept == []


async def test_a_clock_that_is_set_back_stops_nothing() -> None:
    watch = Watch()
    pace = Pace(lambda: watch.now, watch.sleep)
    await pace.wait({"a": (Limit(1, 1.0),)})
    pace.close("a", 30.0)
    watch.now -= timedelta(hours=5)
    await pace.wait({"a": (Limit(1, 1.0),)})
    await pace.wait({"a": (Limit(1, 1.0),)})
    assert watch.slept == [1.0]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("12", 12.0), ("0.5", 0.5), ("-3", 0.0), ("inf", DAY_S), ("1e300", DAY_S), ("nan", 0.0),
     ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("", None), (None, None)],
)  # fmt: skip
def test_a_wait_is_read_from_a_header_and_never_endless(
    header: str | None, seconds: float | None
) -> None:
    assert seconds_told(header) == seconds


async def test_no_word_of_a_platform_is_too_large_to_keep() -> None:
    watch = Watch()
    pace = Pace(lambda: watch.now, watch.sleep)
    pace.close("a", 1e300)
    with pytest.raises(Retry) as told:
        await pace.wait({"a": ()})
    assert told.value.after == DAY_S


async def test_waits_between_tries_grow_with_jitter_up_to_their_limit() -> None:
    watch = Watch()
    backoff = Backoff(watch.sleep, lambda: 1.0, first_s=1.0, limit_s=5.0)
    for _ in range(4):
        await backoff.wait()
    backoff.reset()
    await backoff.wait(least_s=7.0)
    await backoff.wait(least_s=DAY_S)
    assert watch.slept == [1.0, 2.0, 4.0, 5.0, 7.0, REST_S]


def test_foreign_words_are_quoted_under_the_name_of_their_author() -> None:
    text = "read this\n" + quote(Manner.FORWARD, "Lin", "one\n\ntwo")
    assert text == "read this\n> Forwarded from Lin:\n> one\n>\n> two"
    assert own_words(text) == "read this"
    assert quote(Manner.REPLY, "Lin", " \n") == ""
