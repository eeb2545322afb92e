"""The soak holds what it measures to its word: a small day is lived, and what is wrong is seen."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchmarks import soak
from benchmarks.soak import Account
from benchmarks.soak_looks import OVERDUE, Look, Process
from benchmarks.soak_team import CHATS, PEOPLE, Habits, Team
from bot.app import PACKAGES
from bot.engine import runs
from memory import migrations
from memory.db import Database, Reader

SMALL = Habits(chatter=1, questions=1, matters=0, reminders=1, files=1, threads=1, hours=0.2)


def process(day: int, *, leak: int = 0) -> Process:
    return Process(resident=100_000_000 + leak * day, blocks=500_000, tasks=40, threads=6, files=17)


def month(**changes: object) -> Account:
    """Thirty days in which nothing is wrong, unless something is changed in each."""
    looks = tuple(
        Look(
            day=day,
            said=100,
            overdue=dict.fromkeys(OVERDUE, 0),
            waiting={"schedules": 6},
            rows={"messages": 100 * day, "runs": 200 * day},
            bytes=500_000 + 250_000 * day,
            log=4_000_000,
            cpu_s=5.0,
            process=process(day),
        )
        for day in range(1, 31)
    )
    return Account(looks=looks, lives=7, deaths=3, faults={"messages lost": 0})


def missed(account: Account) -> list[str]:
    return [line.measure for line in soak.lines(account) if line.met is False]


def test_a_month_without_a_fault_meets_every_target() -> None:
    assert missed(month()) == []


@pytest.mark.parametrize(
    ("changes", "measure"),
    [
        ({"overdue": {"fires pending": 1}}, "overdue at the ends of days, all queues"),
        ({"bytes": 12_000_000}, "data folder after day 30"),
        ({"cpu_s": 9.0}, "processor time a message, day 30"),
        ({"process": process(30, leak=20_000_000)}, "resident memory, change a day"),
        ({"process": replace(process(30), files=99)}, "tasks, threads and open files"),
        (
            {"process": replace(process(30), blocks=900_000)},
            "memory blocks of the interpreter, change a day",
        ),
    ],
)
def test_a_last_day_that_is_wrong_is_seen(changes: dict[str, object], measure: str) -> None:
    whole = month()
    last = replace(whole.looks[-1], **changes)  # type: ignore[arg-type]
    assert missed(replace(whole, looks=(*whole.looks[:-1], last))) == [measure]


def test_a_message_that_is_lost_is_seen() -> None:
    assert missed(replace(month(), faults={"messages lost": 1})) == [
        "lost, unanswered, failed, or said twice"
    ]


def test_the_team_is_as_large_as_it_says_and_does_the_same_again() -> None:
    first, again = Team(Habits()), Team(Habits())
    days = [first.day(number) for number in range(7)]
    assert days == [again.day(number) for number in range(7)]
    said = [deed.incoming for day in days for deed in day]
    assert len({one.author.id for one in said}) == PEOPLE
    assert (
        len({one.address.chat for one in said if not one.address.chat.startswith("dm-")}) == CHATS
    )
    assert len(days[5]) < len(days[4]) / 5, "the sixth day is a Saturday"
    for day in days:
        assert [deed.at for deed in day] == sorted(deed.at for deed in day)


async def test_a_house_that_dies_and_comes_back_loses_nothing(tmp_path: Path) -> None:
    day = min(soak.KILLED)
    awake = datetime(2026, 12, day - 1, 0, 55, tzinfo=UTC)  # five to nine in Shanghai
    async with soak.Month(tmp_path, Team(SMALL, squads=1), start=awake) as lived:
        look = await lived.live(day, rest=timedelta(minutes=10))
        assert (lived.lives, lived.deaths) == (2, 1)
        assert not any(look.overdue.values()), look.overdue
        assert not any((await lived.faults()).values())
        assert look.rows["messages"] == look.said > 0
        assert look.rows["letters"] > 0
        assert look.process.resident > 0 and look.process.files > 0


async def test_who_waits_for_a_word_is_found_without_reading_all_runs(tmp_path: Path) -> None:
    """It is asked after every message, so a month would make every message dearer."""

    def plan(reader: Reader) -> str:
        return " ".join(row[3] for row in reader.all(f"EXPLAIN QUERY PLAN {sql}", session=None))

    sql = runs.SQL["suspended"]
    async with Database(tmp_path / "plans.db") as db:
        await db.write(migrations.migrate, migrations.steps(PACKAGES), now_us=1)
        assert "INDEX runs_suspended" in await db.read(plan)
