"""What is kept for a time only goes at night, in pieces, and nothing else goes with it."""

import asyncio
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agency import fires
from bot import access, chains
from bot.engine import inputs, letters, runs, sessions, traces
from bot.engine.clocks import VirtualClock
from bot.engine.inputs import Entry, Trigger
from bot.engine.letters import Draft
from bot.engine.tool import Result
from bot.models.model import Response, Stop, Usage
from bot.plays.stage import DIRECT
from bot.safekeeping import retention, trimming, upgrades
from bot.safekeeping.retention import Retention, Settings
from bot.web import deeds
from memory import facts, originals, search
from memory.db import Database, Reader, Tx, snapshot
from memory.facts import Lesson
from memory.moments import to_us
from tests.conftest import OpenStage
from tests.fakes.town import MONDAY, Town

UTC = ZoneInfo("UTC")
NIGHT = timedelta(hours=17, minutes=30)  # from Monday at ten to half past three
THOUGHT = "the heron is at the harbour"


def keeper(town: Town, **spans: timedelta | None) -> Retention:
    """What the alarm calls, on a database that is not new."""
    upgrades.note(town.tx, now=town.now - timedelta(days=400))
    return Retention(town.clock, settings=Settings(zone=UTC, **spans))


def ran(town: Town, *, ago: timedelta, ended: bool = True) -> int:
    """A run that thought something and used a tool."""
    began = to_us(town.now - ago)
    session = town.room("harbour")
    run = runs.queue(town.tx, session, "memory", priority=1, due_us=began, now_us=began)
    claimed = runs.claim(town.tx, owner="me", now_us=began, lease_us=1, priorities=range(9))
    assert claimed is not None and claimed.id == run
    use = {"type": "tool_use", "id": "u1", "name": "recall", "input": {"query": THOUGHT}}
    answer = Response(
        content=[{"type": "text", "text": THOUGHT}, use],
        stop=Stop.TOOL_USE,
        usage=Usage(input_tokens=7, output_tokens=3),
        model="m",
    )
    traces.record_answer(town.tx, run, 1, answer, started_us=began, now_us=began)
    result = Result(text=THOUGHT, reason="asked for")
    traces.record_result(town.tx, run, 1, use, result, started_us=began, now_us=began)
    if ended:
        end(town, run, ago)
    return run


def end(town: Town, run: int, ago: timedelta) -> None:
    runs.settle(town.tx, run, runs.State.SUCCEEDED, outcome="done", now_us=to_us(town.now - ago))


def night(town: Town, kept: Retention) -> int:
    """All that one night clears, in how many pieces."""
    pieces = 0
    while (due := kept.due(town.tx)) is not None and due <= town.us:
        kept.act(town.tx)
        town.now += retention.PAUSE
        pieces += 1
        assert pieces < 100
    return pieces


def thoughts(town: Town, run: int) -> list[str]:
    said = [block.get("text", "") for one in traces.steps(town.tx, run) for block in one.content]
    return [text for text in said if text] + [one.body for one in traces.results(town.tx, run)]


def test_old_traces_go_and_what_they_cost_and_came_to_stays(town: Town) -> None:
    kept = keeper(town)
    old, young = ran(town, ago=timedelta(days=91)), ran(town, ago=timedelta(days=89))
    assert kept.due(town.tx) == to_us(MONDAY.replace(hour=3, minute=30)), "last night was missed"
    night(town, kept)
    gone = originals.NO_LONGER_KEPT
    assert thoughts(town, old) == [gone, gone]
    assert thoughts(town, young) == [THOUGHT, THOUGHT]
    assert traces.totals(town.tx, old).input_tokens == 7
    assert traces.results(town.tx, old)[0].reason == "asked for"
    assert runs.get(town.tx, old).outcome == "done"
    assert kept.due(town.tx) == to_us(MONDAY + NIGHT), "then the next night"


def test_a_run_that_goes_on_keeps_its_trace_until_it_has_ended(town: Town) -> None:
    kept = keeper(town)
    waiting = ran(town, ago=timedelta(days=300), ended=False)
    runs.suspend(town.tx, waiting)
    later = ran(town, ago=timedelta(days=200))
    night(town, kept)
    assert thoughts(town, waiting) == [THOUGHT, THOUGHT]
    runs.resume(town.tx, waiting, due_us=town.us)
    runs.claim(town.tx, owner="me", now_us=town.us, lease_us=1, priorities=range(9))
    end(town, waiting, timedelta(days=100))
    town.now += timedelta(days=1)
    night(town, kept)
    assert THOUGHT not in thoughts(town, waiting) + thoughts(town, later)


def test_for_ever_is_for_ever(town: Town) -> None:
    kept = keeper(town, traces=None)
    run = ran(town, ago=timedelta(days=3000))
    said = town.say(town.room("harbour"), None, THOUGHT, at=MONDAY - timedelta(days=3000))
    night(town, kept)
    assert thoughts(town, run) == [THOUGHT, THOUGHT]
    found = originals.find(town.tx, said)
    assert found is not None and found.body == THOUGHT


def test_a_night_goes_in_pieces_between_which_others_write(town: Town) -> None:
    kept = keeper(town)
    done = [ran(town, ago=timedelta(days=100)) for _ in range(retention.RUNS + 5)]
    cleared = []
    while (due := kept.due(town.tx)) is not None and due <= town.us:
        kept.act(town.tx)
        assert due < (kept.due(town.tx) or 0), "an alarm tells pieces apart by their moment"
        assert (kept.due(town.tx) or 0) >= town.us + to_us(MONDAY + retention.PAUSE) - to_us(MONDAY)
        town.now += retention.PAUSE
        cleared.append(sum(THOUGHT not in thoughts(town, run) for run in done))
    assert sorted(set(cleared)) == [0, retention.RUNS, retention.RUNS + 5]
    line = next(retention.told(town.tx, lambda moment: f"{moment:%H:%M}"))
    assert line == f"10:00: {retention.RUNS + 5} steps of runs"


def test_a_new_database_has_nothing_to_clear_until_its_first_night_is_over(town: Town) -> None:
    upgrades.note(town.tx, now=town.now)
    kept = Retention(town.clock, settings=Settings(zone=UTC))
    assert kept.due(town.tx) == to_us(MONDAY + NIGHT)
    assert next(retention.told(town.tx, str)) == "nothing yet"


def test_finished_fires_lose_what_they_carried_and_open_ones_nothing(town: Town) -> None:
    kept = keeper(town)

    def fire(key: str, days: int) -> int:
        event = fires.Event(kind=fires.Kind.REPORT, key=key, payload={"text": THOUGHT})
        id = fires.observe(town.tx, event, now_us=to_us(MONDAY - timedelta(days=days)))
        assert id is not None
        return id

    old = fire("old", 100)
    fires.lay_down(town.tx, "", now_us=town.us)
    waiting, young = fire("waiting", 99), fire("young", 1)
    night(town, kept)
    carried = {id: one.payload for id in (old, waiting, young) if (one := fires.find(town.tx, id))}
    assert carried == {old: {}, waiting: {"text": THOUGHT}, young: {"text": THOUGHT}}


def test_the_log_of_the_web_chat_and_whom_was_said_no_to_are_short(town: Town) -> None:
    kept = keeper(town)
    long_ago = to_us(MONDAY - timedelta(days=60))
    deeds.add_person(town.tx, long_ago, "Ann", "")
    before = max(row["id"] for row in town.tx.all("SELECT id FROM web_events"))
    assert before > 1
    town.tx.run("UPDATE web_events SET due = 0")
    town.tx.run(
        "INSERT INTO refusals (platform, native_id, day, times) "
        "VALUES ('web', 'x', '2026-01-01', 1), ('web', 'x', '2026-11-29', 1)"
    )
    night(town, kept)
    rows = town.tx.all("SELECT id FROM web_events")
    assert [row["id"] for row in rows] == [before], "numbers go on after the newest"
    assert [row["day"] for row in town.tx.all("SELECT day FROM refusals")] == ["2026-11-29"]
    assert access.clear_refusals(town.tx, before=MONDAY.date(), limit=9) == 1


def test_what_was_said_goes_like_a_recall_where_that_is_asked_for(town: Town) -> None:
    kept = keeper(town, originals=timedelta(days=30))
    ana = town.person("Ana")
    room = town.room("harbour", ana)
    old = town.say(room, ana, "We decided: the heron moves 苍鹭搬家", at=MONDAY)
    entry = Entry(
        session_id=room, trigger=Trigger.MESSAGE, parts=({"type": "text", "text": THOUGHT},),
        key=f"o{old}", original_id=old, wakes=False,
    )  # fmt: skip
    given = inputs.add(town.tx, entry, now_us=town.us)
    lesson = Lesson(kind="decision", body="the bird moves", subject="bird", sources=(old,))
    fact = facts.learn(town.tx, room, [lesson], run=None, now_us=town.us)[0]
    answer = town.say(room, None, "Noted: the heron moves.")
    session = sessions.find(town.tx, room)
    assert session is not None and session.address is not None
    draft = Draft(
        key="a", session_id=room, address=session.address, body=THOUGHT, original_id=answer
    )
    letter = letters.post(town.tx, draft, now_us=town.us)
    assert letter is not None
    letters.claim(town.tx, limit=1, now_us=town.us)
    letters.sent(town.tx, letter, "m1", now_us=town.us)
    run = ran(town, ago=timedelta(0))
    town.now += timedelta(days=31)
    young = town.say(room, ana, "the heron has moved", at=town.now)
    night(town, kept)

    def found(text: str) -> list[int]:
        seen = search.originals(town.tx, text, visible=lambda _: True, limit=9)
        return [one.id for one in seen]

    assert found("heron") == [young] and found("苍鹭") == []
    gone = originals.find(town.tx, old)
    assert gone is not None and gone.recalled and gone.body == originals.NO_LONGER_KEPT
    assert given is not None and inputs.get(town.tx, given).parts == ()
    assert [one.body for one in facts.of_session(town.tx, room, limit=9)] == ["the bird moves"]
    assert facts.sources(town.tx, fact) == [old]
    posted = letters.find(town.tx, letter)
    assert posted is not None and posted.body == originals.NO_LONGER_KEPT
    assert THOUGHT not in thoughts(town, run), "traces repeat what was said"
    rows = chains.of_letter(town.tx, posted, hears=None)
    assert rows and not any("heron" in str(row["text"]) for row in rows)


async def test_a_house_clears_by_itself_at_night_and_says_so(stage: OpenStage) -> None:
    def kept(reader: Reader) -> list[str]:
        steps = reader.all("SELECT content FROM steps ORDER BY run_id, n")
        return [row["content"] for row in steps]

    def line(reader: Reader) -> str:
        return next(retention.told(reader, lambda moment: f"{moment:%a %H:%M}"))

    async with stage(retention__traces="1d") as on:
        await on.say("ana", DIRECT, "remember: the code word is heron")
        await on.wait(60)
        steps = await on.house.db.read(kept)
        assert steps and not any(originals.NO_LONGER_KEPT in one for one in steps)
        on.clock.skip(timedelta(days=2) - timedelta(seconds=60))
        await on.wait(600)
        cleared = await on.house.db.read(kept)
        assert all(originals.NO_LONGER_KEPT in one for one in cleared[: len(steps)])
        assert "steps of runs" in await on.house.db.read(line)


def create(tx: Tx) -> None:
    tx.schema.define("CREATE TABLE things (id INTEGER PRIMARY KEY, body TEXT)")


def add(tx: Tx) -> None:
    tx.run("INSERT INTO things (body) VALUES (:body)", body="x" * 40_000)


def count(reader: Reader) -> int:
    row = reader.one("SELECT COUNT(*) AS n FROM things")
    return int(row["n"]) if row else 0


async def soon(come: Callable[[], bool]) -> bool:
    """Whether something comes to be within some seconds, of itself."""
    for _ in range(500):
        if come():
            return True
        await asyncio.sleep(0.01)
    return False


async def test_a_log_that_grew_under_a_reader_is_cut_once_that_is_gone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, clock = tmp_path / "log.db", VirtualClock(MONDAY)

    async def minutes(count: int) -> None:
        until = clock() + timedelta(minutes=count)
        await clock.pass_time(until, busy=lambda: False, breathe=asyncio.sleep)

    async with Database(path) as db:
        await db.write(create)
        trimmer = trimming.Trimming(db, clock, clock.sleep, too_long=trimming.LONG)
        trims = asyncio.create_task(trimmer.run())
        with snapshot(path) as reader:
            before = count(reader)
            while trimming.length(path) < trimming.LONG:
                await asyncio.gather(*[db.write(add) for _ in range(40)])
            began = time.perf_counter()
            assert not trimming.trim(path), "somebody reads in it"
            await db.write(add)
            assert time.perf_counter() - began < 1.0, "and nobody who writes waits long"
            assert count(reader) == before
            await minutes(1)
            assert await soon(lambda: "cannot be cut" in caplog.text)
        await minutes(2)
        assert await soon(lambda: trimming.length(path) == 0)
        assert await db.read(count) > 0
        trims.cancel()
        await asyncio.gather(trims, return_exceptions=True)
