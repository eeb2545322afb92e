"""The metrics: what waits, what was done and spent, in names and forms Prometheus reads."""

import asyncio
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.chat import Address, Health
from agency import budgets, fires
from bot import health
from bot.app import PACKAGES, system_sleep
from bot.engine import inputs, letters, runs, spending
from bot.engine.inputs import Entry, Trigger
from bot.engine.letters import Draft
from bot.models.model import Usage
from bot.operating import lag, metrics, queues
from bot.operating.lag import Lag
from bot.operating.metrics import METRICS, PROCESS, Moment
from bot.operating.tally import Tally
from memory import files, migrations
from memory.db import Database
from memory.files import Sent
from memory.moments import to_us
from tests.fakes.town import MONDAY, Town

LIMITED = budgets.Settings(tokens=1000)
Samples = dict[str, dict[tuple[str, ...], float]]


def shown(
    moment: Moment,
    tally: Tally | None = None,
    platforms: dict[str, Health] | None = None,
    settings: budgets.Settings = LIMITED,
) -> Samples:
    """The samples as a reader of the text finds them: by name and the values of the labels."""
    tally = tally or Tally()
    found = metrics.values(moment, tally, platforms or {}, settings=settings, lag_s=0.25)
    text, kind = metrics.render(found, tally)
    assert kind.startswith("text/plain")
    order = {metric.name: metric.labels for metric in METRICS}
    read: Samples = {}
    for family in text_string_to_metric_families(text.decode()):
        for one in family.samples:
            labels = tuple(one.labels[name] for name in order.get(one.name, tuple(one.labels)))
            read.setdefault(one.name, {})[labels] = one.value
    return read


def moment(town: Town) -> Moment:
    return metrics.look(town.tx, now=town.now, settings=LIMITED)


def fill(town: Town) -> None:
    """Something in every queue, at other hours."""
    ana = town.person("Ana")
    room = town.room("project", ana)
    original = town.say(room, ana, "look at this")
    tx, us = town.tx, town.us
    entry = Entry(session_id=room, trigger=Trigger.MESSAGE, parts=(), key="k1")
    inputs.add(tx, entry, now_us=us)
    runs.queue(tx, room, "conversation", priority=10, due_us=us, now_us=us)
    other = town.room("plans", ana)
    runs.queue(tx, other, "conversation", priority=10, due_us=us + 3_600_000_000, now_us=us)
    third = town.room("hiring", ana)
    held = runs.queue(tx, third, "conversation", priority=1, due_us=us - 5_000_000, now_us=us)
    claimed = runs.claim(
        tx, owner="me", now_us=us, lease_us=1, priorities=range(runs.ALL), share=runs.ALL
    )
    assert claimed is not None and claimed.id == held
    for n in (1, 2):
        event = fires.Event(kind=fires.Kind.OUTPUT, key=f"f{n}", session_id=room)
        fires.observe(tx, event, now_us=us)
    address = Address(platform="web", account="main", chat="project")
    draft = Draft(key="l1", session_id=room, address=address, body="so it is")
    letters.post(tx, draft, now_us=us, not_before_us=us + 60_000_000)
    files.keep(
        tx, original, [Sent(locator="f", name="a.txt", mime="text/plain", size=1)], now_us=us
    )


def test_every_queue_has_its_size_and_the_age_of_what_is_due(town: Town) -> None:
    empty = queues.look(town.tx, now_us=town.us)
    assert {(one.items, one.age_s) for one in empty.values()} == {(0, 0.0)}
    fill(town)
    town.now += timedelta(seconds=30)
    found = queues.look(town.tx, now_us=town.us)
    assert {name: (one.items, one.age_s) for name, one in found.items()} == {
        "inputs": (1, 30.0),
        "runs_queued": (2, 30.0),
        "runs_held": (0, 0.0),
        "runs_running": (1, 30.0),
        "fires_pending": (2, 30.0),
        "fires_dead": (0, 0.0),
        "letters_pending": (1, 0.0),
        "letters_in_doubt": (0, 0.0),
        "files": (1, 30.0),
    }
    assert set(found) == set(empty)


def test_a_letter_in_doubt_and_a_dead_fire_are_seen(town: Town) -> None:
    fill(town)
    town.now += timedelta(minutes=2)
    [letter] = letters.claim(town.tx, limit=9, now_us=town.us)
    letters.doubtful(town.tx, letter.id, "no answer")
    [one, _] = fires.pending(town.tx, limit=9)
    for _ in range(9):
        fires.hand_over(town.tx, [one.id], run=1, how=fires.State.SUBMITTED)
        fires.release(town.tx, 1, "it failed", now_us=town.us)
    found = queues.look(town.tx, now_us=town.us)
    assert (found["letters_in_doubt"].items, found["letters_pending"].items) == (1, 0)
    assert (found["fires_dead"].items, found["fires_pending"].items) == (1, 1)


def test_no_count_looks_at_what_is_done(tmp_path: Path) -> None:
    """Each reads an index of open rows alone, however long the history is."""

    async def make() -> None:
        async with Database(tmp_path / "plans.db") as db:
            await db.write(migrations.migrate, migrations.steps(PACKAGES), now_us=to_us(MONDAY))

    asyncio.run(make())
    asked = {**queues.SQL, "fires": fires.SQL["backlog"], "files": files.SQL["backlog"]}
    with closing(sqlite3.connect(tmp_path / "plans.db")) as database:
        partial = dict(
            database.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%WHERE%'"
            )
        )
        for name, sql in asked.items():
            plans = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {sql}")]
            used = [found[1] for plan in plans if (found := re.search(r"INDEX (\w+)", plan))]
            assert used and set(used) <= set(partial), f"{name}: {plans}"
            assert len(used) == len(plans), f"{name}: {plans}"


def test_a_probe_leaves_nothing_behind(town: Town) -> None:
    health.record(town.tx, "slack", Health(up=True), now_us=town.us)
    health.probe(town.tx)
    assert [one.name for one in health.every(town.tx)] == ["slack"]


def test_every_metric_is_told_and_keeps_to_the_names_of_prometheus(town: Town) -> None:
    read = shown(moment(town), platforms={"slack": Health(up=True, heard_at=town.now)})
    ends = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("",), "gauge": ("",)}
    for metric in METRICS:
        assert re.fullmatch(r"limen(_[a-z]+)+", metric.name)
        assert metric.name.endswith("_total") is (metric.kind == "counter")
        assert metric.help.endswith(".")
        assert not any(re.search("id|name|person|room", label) for label in metric.labels)
        for end in ends[metric.kind]:
            known = metric.name + end in read
            assert known or metric.labels, f"{metric.name}{end} is not told"
    if Path("/proc/self").exists():
        assert set(PROCESS) <= set(read)
    declared = {metric.name for metric in METRICS} | set(PROCESS)
    told = {re.sub("_(bucket|count|sum)$", "", name) for name in read}
    assert told <= declared


def test_runs_and_deliveries_are_counted_by_what_came_of_them(town: Town) -> None:
    tally = Tally()
    for outcome in ("spoken", "spoken", "failed"):
        tally.ended("conversation", outcome)
    tally.delivered("slack", "sent")
    tally.delivered("slack", "retry")
    read = shown(moment(town), tally)
    assert read["limen_runs_total"] == {
        ("conversation", "spoken"): 2,
        ("conversation", "failed"): 1,
    }
    assert read["limen_deliveries_total"] == {("slack", "sent"): 1, ("slack", "retry"): 1}


def test_commits_are_sorted_by_the_time_they_took(town: Town) -> None:
    tally = Tally()
    for writes, seconds in ((1, 0.0005), (3, 0.002), (2, 0.002), (1, 60.0)):
        tally.committed(writes, seconds)
    read = shown(moment(town), tally)
    buckets = read["limen_database_commit_seconds_bucket"]
    assert [buckets[(end,)] for end in ("0.001", "0.0025", "5.0", "+Inf")] == [1, 3, 3, 4]
    assert read["limen_database_commit_seconds_count"] == {(): 4}
    assert read["limen_database_commit_seconds_sum"][()] == pytest.approx(60.0045)
    assert read["limen_database_writes_total"] == {(): 7}


async def test_the_database_tells_how_long_its_commits_took(tmp_path: Path) -> None:
    tally = Tally()
    async with Database(tmp_path / "store.db") as db:
        db.timed = tally.committed
        steps = migrations.steps(PACKAGES)
        await db.write(migrations.migrate, steps, now_us=to_us(MONDAY))
        await asyncio.gather(*(db.write(health.probe) for _ in range(10)))
    assert tally.writes == 11
    assert 1 <= sum(tally.commits) <= 11
    assert 0 < tally.commit_seconds < 10


def book(town: Town, day: date, *, model: str = "m1", currency: str = "USD", cost: int = 0) -> None:
    used = Usage(input_tokens=700, output_tokens=80, cache_read_tokens=20, cache_write_tokens=5)
    spending.book(
        town.tx, used, day=day, purpose="foreground", model=model, cost=cost, currency=currency
    )


def test_what_was_spent_is_todays_by_purpose_and_model(town: Town) -> None:
    today = town.now.date()
    book(town, today - timedelta(days=1), cost=9_000_000)
    book(town, today, cost=2_500_000)
    book(town, today, currency="", cost=0)
    book(town, today, model="m2")
    read = shown(moment(town))
    assert read["limen_tokens_total"][("foreground", "m1", "input")] == 1400
    assert read["limen_tokens_total"][("foreground", "m2", "cache_write")] == 5
    assert read["limen_model_calls_total"][("foreground", "m1")] == 2
    assert read["limen_cost_total"][("foreground", "m1", "USD")] == 2.5


def test_a_day_is_the_teams(town: Town) -> None:
    book(town, date(2026, 12, 1))
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    for zone, count in ((UTC, 0), (timezone(timedelta(hours=8)), 1)):
        looked = metrics.look(town.tx, now=late, settings=replace(LIMITED, zone=zone))
        assert len(looked.spent) == count


def test_levels_of_the_budget_rise_as_it_is_used_up(town: Town) -> None:
    read = shown(moment(town))
    assert set(read["limen_budget_level"].values()) == {0}
    book(town, town.now.date())
    read = shown(moment(town))
    assert read["limen_budget_used_ratio"] == {(): 0.805}
    assert read["limen_budget_level"] == {
        ("background",): 3,
        ("memory",): 3,
        ("agency",): 2,
        ("foreground",): 1,
    }


def test_platforms_tell_whether_they_are_up_and_since_when_they_are_silent(town: Town) -> None:
    heard, event = town.now - timedelta(seconds=4), town.now - timedelta(hours=2)
    read = shown(
        moment(town),
        platforms={
            "slack": Health(up=True, heard_at=heard, event_at=event),
            "telegram": Health(up=False, note="the token was revoked"),
        },
    )
    assert read["limen_platform_up"] == {("slack",): 1, ("telegram",): 0}
    assert read["limen_platform_heard_age_seconds"] == {("slack",): 4}
    assert read["limen_platform_inbound_age_seconds"] == {("slack",): 7200}


async def test_a_loop_that_is_held_up_is_late() -> None:
    measured = Lag(every_s=0.02)
    measured.start()
    try:
        await system_sleep(0.05)
        assert measured.worst_s < 0.2
        hold_up(0.3)
        await system_sleep(0.01)
        assert 0.2 < measured.worst_s < 5
    finally:
        measured.stop()


def hold_up(seconds: float) -> None:
    until = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < until:
        pass


async def test_the_worst_is_forgotten_after_a_minute() -> None:
    measured = Lag(every_s=0.02)
    measured._measures.append(9.0)
    measured.start()
    try:
        for _ in range(lag.KEPT + 20):
            await system_sleep(0.021)
            if measured.worst_s < 9:
                return
        raise AssertionError("it is remembered for ever")
    finally:
        measured.stop()
