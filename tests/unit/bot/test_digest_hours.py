"""When somebody's digest is due: by the clock of their zone, after their sleep and their pause."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

import pytest

from agency import inbox, personal, policy, preferences
from agency.audience import Settings as Privacy
from agency.gates import Rules
from agency.inbox import Kind, Note
from bot.inbox import desks, pages
from tests.fakes.town import Town

RULES = Rules(privacy=Privacy(), speaking=policy.Settings())
NINE = pages.Settings(at=time(9))


@dataclass
class Waiting:
    """Somebody with a DM, for whom something waits since Monday, ten o'clock UTC."""

    town: Town
    bo: int
    dm: int

    def due(self, settings: pages.Settings = NINE) -> str:
        """When it is due now; empty for never."""
        tx = self.town.tx
        desk, *_ = pages.reached(tx, self.bo, RULES)
        [(_, since)] = inbox.awaited(tx)
        found = pages.next_at(
            tx, self.bo, desk, since, rules=RULES, settings=settings, now=self.town.now
        )
        return f"{found.astimezone(UTC):%m-%d %H:%M}" if found else ""


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    town = Town()
    bo = town.person("Bo")
    dm = town.dm(bo)
    note = Note(
        key="k", person_id=bo, kind=Kind.DIGEST, subject="demo", text="moved", cause="handoff:1"
    )
    inbox.add(town.tx, note, now_us=town.us)
    yield Waiting(town, bo, dm)
    town.session.close()


def test_it_is_due_at_the_next_hour(waiting: Waiting) -> None:
    assert waiting.due() == "12-01 09:00"


def test_their_own_hour_and_zone_win(waiting: Waiting) -> None:
    now = waiting.town.now
    personal.set_zone(waiting.town.tx, waiting.bo, "Asia/Shanghai", now=now)
    assert waiting.due() == "12-01 01:00"
    personal.set_digest(waiting.town.tx, waiting.bo, time(18, 30), now=now)
    assert waiting.due() == "11-30 10:30"


def test_it_stays_nine_when_the_clocks_change(waiting: Waiting) -> None:
    town = waiting.town
    personal.set_zone(town.tx, waiting.bo, "Europe/Berlin", now=town.now)
    assert waiting.due() == "12-01 08:00"
    town.now = datetime(2027, 3, 28, 12, 0, tzinfo=UTC)  # the day the clocks went forward
    town.tx.run("UPDATE inbox SET created_at = :now", now=town.us)
    assert waiting.due() == "03-29 07:00"


def test_an_hour_that_does_not_exist_is_due_when_the_clock_goes_on(waiting: Waiting) -> None:
    town = waiting.town
    personal.set_zone(town.tx, waiting.bo, "Europe/Berlin", now=town.now)
    personal.set_digest(town.tx, waiting.bo, time(2, 30), now=town.now)
    town.now = datetime(2027, 3, 27, 12, 0, tzinfo=UTC)
    town.tx.run("UPDATE inbox SET created_at = :now", now=town.us)
    assert waiting.due() == "03-28 01:00", "three o'clock, there is no half past two"


def test_after_todays_it_is_due_tomorrow(waiting: Waiting) -> None:
    day = waiting.town.now.date() + timedelta(days=1)
    assert inbox.give(waiting.town.tx, waiting.bo, day, now_us=waiting.town.us)
    assert waiting.due() == "12-02 09:00"


def test_it_moves_to_the_end_of_their_sleep(waiting: Waiting) -> None:
    hours = (time(22), time(11))
    personal.set_quiet(waiting.town.tx, waiting.bo, hours, now=waiting.town.now)
    assert waiting.due() == "12-01 11:00"


def test_an_hour_late_in_the_evening_moves_to_the_morning(waiting: Waiting) -> None:
    town = waiting.town
    personal.set_quiet(town.tx, waiting.bo, (time(22), time(8)), now=town.now)
    personal.set_digest(town.tx, waiting.bo, time(23), now=town.now)
    assert waiting.due() == "12-01 08:00"
    town.now += timedelta(hours=22, minutes=1)
    assert waiting.due() == "12-01 08:00", "it is due now, and not pushed on for ever"


def test_it_moves_to_the_end_of_a_pause(waiting: Waiting) -> None:
    town = waiting.town
    preferences.pause(town.tx, waiting.dm, town.now + timedelta(days=2), now=town.now)
    assert waiting.due() == "12-02 10:00"


def test_while_nothing_ends_it_a_pause_holds_every_digest(waiting: Waiting) -> None:
    preferences.pause(waiting.town.tx, waiting.dm, preferences.OPEN_END, now=waiting.town.now)
    assert waiting.due() == ""


def test_who_wants_none_and_who_has_no_dm_get_none(waiting: Waiting) -> None:
    assert waiting.due(pages.Settings(enabled=False)) == ""
    inbox.switch(waiting.town.tx, waiting.bo, on=False, now_us=waiting.town.us)
    assert waiting.due() == ""
    stranger = waiting.town.person("Kim")
    assert desks.desks(waiting.town.tx, stranger) == []


def test_a_missed_day_is_not_caught_up_in_the_night(waiting: Waiting) -> None:
    waiting.town.now += timedelta(days=2, hours=14)
    assert waiting.due() == "12-03 09:00"
    waiting.town.now += timedelta(hours=11)
    assert waiting.due() == "12-03 09:00", "an hour ago, and its day goes on"
