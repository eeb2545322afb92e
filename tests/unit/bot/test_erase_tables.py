"""No table can be forgotten: each column that can hold text says what becomes of it."""

import re
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.chat import Button
from agency import (
    approvals,
    consents,
    feedback,
    fires,
    handoffs,
    inbox,
    intentions,
    lessons,
    mutes,
    personal,
    repeats,
    schedules,
    waits,
)
from agency.attention import Attention
from agency.grid import Grid
from bot.engine import inputs, letters, runs, sessions, traces
from bot.engine.tool import Result
from bot.privacy import erasing
from bot.privacy.shelves import SAID, SHELVES
from memory import facts, files, links, originals, people, search, sweeping
from memory.db import Reader
from memory.erasing import Kind, Record
from memory.people import Account
from memory.sqlite import Sqlite
from tests.fakes.fates import FATES, Fate
from tests.fakes.raw_bytes import holding, there
from tests.fakes.town import Town

NUMBERS = ("INTEGER", "REAL")


def textual(reader: Reader) -> dict[str, set[str]]:
    """Every table, and its columns that can hold text."""
    tables = reader.all("SELECT name FROM sqlite_master WHERE type = 'table'")
    found = {}
    for name in (row["name"] for row in tables):
        columns = reader.all(f"PRAGMA table_info({name})")
        texts = {row["name"] for row in columns if row["type"].upper() not in NUMBERS}
        if texts:
            found[name] = texts
    return found


def test_every_column_that_can_hold_text_has_a_fate() -> None:
    schema = textual(Town().tx)
    missing = {
        f"{table}.{column}"
        for table, columns in schema.items()
        for column in columns - set(FATES.get(table, {}))
    }
    assert not missing, (
        f"say in tests/fakes/fates.py what becomes of {sorted(missing)} when somebody is erased, "
        "and see that it does"
    )


def test_fates_are_given_to_columns_that_exist() -> None:
    schema = textual(Town().tx)
    gone = {
        f"{table}.{column}"
        for table, columns in FATES.items()
        for column in set(columns) - schema.get(table, set())
    }
    assert not gone, f"take out of tests/fakes/fates.py: {sorted(gone)}"


def test_every_fate_is_used() -> None:
    assert {fate for columns in FATES.values() for fate in columns.values()} == set(Fate)
    assert SAID not in SHELVES


@pytest.mark.parametrize("name", sorted(SHELVES))
def test_a_shelf_reads_and_blanks_where_there_is_nothing(town: Town, name: str) -> None:
    shelf = SHELVES[name]
    assert list(shelf.words(town.tx)) == []
    assert shelf.blank(town.tx, [1, 2], now_us=town.us) == 0


def _filled(town: Town) -> tuple[int, int]:
    """Ana's words in every kind of row, each with a word of its own; Ana and where Bo hears."""
    ana, bo = town.person("Ana"), town.person("Bo")
    dm, room = town.dm(ana), town.room("plan", ana, bo)
    now, us = town.now, town.us
    said = town.say(room, ana, "canary0 is the plan")
    town.edit(said, "canary1 is the plan", version=2)
    private = town.say(dm, ana, "canary2 in private")
    others = town.say(room, bo, "the heron stays")
    with originals.reindexing(town.tx, said):
        sent = files.Sent(locator="canary3", name="canary4", mime="text/plain", size=1)
        files.keep(town.tx, said, [sent], now_us=us)
    lesson = facts.Lesson(kind="fact", body="canary5", subject="canary6", sources=(said,))
    heron = facts.Lesson(kind="fact", body="the heron", subject="heron", sources=(others,))
    facts.learn(town.tx, room, [lesson, heron], run=None, now_us=us)
    facts.cover(town.tx, room, body="canary7", covered=private, now_us=us)
    run = town.run(room)
    entry = inputs.Entry(
        session_id=room, trigger=inputs.Trigger.MESSAGE, key="o1", original_id=said,
        parts=({"type": "text", "text": "canary8"},), metadata={"note": "canary9"}, person_id=ana,
    )  # fmt: skip
    inputs.add(town.tx, entry, now_us=us)
    inputs.take(town.tx, room, run=run, step=0)
    told = [{"type": "text", "text": "canary10"}]
    traces.record_told(town.tx, run, 1, told, now_us=us)
    result = Result(text="canary11", reason="canary12")
    traces.record_result(
        town.tx, run, 1, {"id": "u1", "name": "recall"}, result, started_us=us, now_us=us
    )
    answer = town.say(room, None, "canary13, they say")
    address = sessions.find(town.tx, room)
    assert address is not None and address.address is not None
    draft = letters.Draft(
        key="r1", session_id=room, address=address.address, body="canary14", run_id=run,
        original_id=answer, buttons=(Button(label="canary15", value="x"),),
    )  # fmt: skip
    letters.post(town.tx, draft, now_us=us)
    failed = runs.State.FAILED
    runs.settle(town.tx, run, failed, reason="canary16", error="canary17", now_us=us)
    event = fires.Event(
        kind=fires.Kind.MESSAGE, key="f1", original_id=said, payload={"text": "canary18"}
    )
    fires.observe(town.tx, event, now_us=us)
    proposal = town.proposal(
        room, "canary19", [private], subject="canary20", state="canary21",
        metadata={"x": "canary22"},
    )  # fmt: skip
    handoff, _ = handoffs.propose(town.tx, proposal, {private: 1}, now_us=us)
    handoffs.record_gate(town.tx, handoff.id, "leak", False, "canary23", now_us=us)
    handoffs.move(town.tx, handoff, handoffs.State.HELD, reason="canary24", now_us=us)
    repeats.note(town.tx, room, handoff, now=now)
    consent = consents.ask(
        town.tx, handoff=handoff.id, person=ana, source=dm, target=room, body="canary25",
        originals=[private], now_us=us, expires_us=us + 1,
    )  # fmt: skip
    assert consent is not None
    asking = approvals.Asking(
        key="a1", subject="canary26", question="canary27", session_id=room, run_id=run,
        person_id=ana, expires_us=us + 1,
    )  # fmt: skip
    approvals.withdraw(
        town.tx, approvals.ask(town.tx, asking, [(bo, room, us)], now_us=us), note="canary28",
        now_us=us,
    )  # fmt: skip
    cause = f"handoff:{handoff.id}"
    for person in (ana, bo):
        note = inbox.Note(
            key=f"n{person}", person_id=person, kind=inbox.Kind.DIGEST, subject="canary29",
            text="canary30", cause=cause, sources=((private, 1),),
        )  # fmt: skip
        inbox.drop(town.tx, inbox.add(town.tx, note, now_us=us) or 0, "canary31", now_us=us)
    held = intentions.hold(
        town.tx, "canary32", terms=["canary33"], due_us=None, now_us=us, sources=[said]
    )
    intentions.close(town.tx, held, done=False, reason="canary34", now_us=us)
    wish = intentions.Wish(
        person_id=ana, session_id=dm, condition="the canary35 contract is signed", language="en",
        expires_at=now,
    )  # fmt: skip
    intentions.grant(town.tx, wish, original=None, now_us=us)
    mutes.mute_person(town.tx, ana, "canary36", now=now)
    feedback.told(
        town.tx, original=answer, handoff=handoff.id, session=room, subject="canary37", now=now
    )
    [telling] = feedback.of_original(town.tx, answer)
    feedback.respond(town.tx, telling.id, bo, feedback.Kind.REPLY, note="canary38", now=now)
    lessons.learn(town.tx, bo, telling.id, "canary39", now=now)
    plan = schedules.Plan(
        key="s1", kind=schedules.Kind.REMINDER, owner_id=ana, session_id=dm, target_id=room,
        person_id=bo, body="canary40", zone="UTC", language="en",
        grid=Grid(zone="UTC", start=now.replace(tzinfo=None) + timedelta(days=1)),
    )  # fmt: skip
    schedules.cancel(town.tx, schedules.add(town.tx, plan, now=now).id, reason="canary41", now=now)
    spotted = waits.Spotted(kind=waits.Kind.PROMISE, said="canary42", due=None)
    waits.expect(
        town.tx, spotted, original=said, version=1, session=room, owner=ana, due=now, now=now
    )
    links.offer(town.tx, ana, "CANARY43", now_us=us)
    personal.set_zone(town.tx, ana, "Asia/Tokyo", now=now)
    return ana, room


def _texts(reader: Reader) -> str:
    """All text of every table beside the index."""
    found = []
    for table, fates in FATES.items():
        if Fate.INDEX in fates.values() or table.startswith(("originals_text", "facts_text")):
            continue
        for column in fates:
            rows = reader.all(f"SELECT {column} AS text FROM {table}")  # noqa: S608
            found += [str(row["text"]) for row in rows if row["text"] is not None]
    return "\n".join(found)


@pytest.mark.parametrize("again", [False, True])
def test_every_kind_of_row_loses_the_words_and_others_keep_theirs(
    town: Town, tmp_path: Path, again: bool
) -> None:
    ana, room = _filled(town)
    town.now += timedelta(minutes=1)
    before = set(re.findall(r"canary\d+", _texts(town.tx).lower()))
    assert before == {f"canary{n}" for n in range(44)}, "every kind of row holds a word"
    notebook = Attention(tmp_path)
    notebook.prepare()
    notebook.write("AGENCY.md", "# Eye\nAna likes birds\nthe canary1 plan\nthe heron\n")
    subject = erasing.Subject(kind=Kind.PERSON, id=ana, name="Ana")
    if again:
        known = Account(platform="web", tenant="main", native_id="ana", name="")
        done = Record(
            kind=Kind.PERSON, subject_id=99, marks=(people.mark(known),), counts={}, at=town.now
        )
        [record] = erasing.again(town.tx, [done], notebook, now=town.now)
        assert erasing.again(town.tx, [done], notebook, now=town.now) == []
    else:
        record = erasing.at_once(town.tx, subject, notebook, at=town.now, now=town.now)
    text = _texts(town.tx)
    assert set(re.findall(r"canary\d+", text.lower())) == set()
    assert "Ana" not in text and "dm-1" not in text and "Asia/Tokyo" not in text
    assert "the heron stays" in text
    assert notebook.read("AGENCY.md") == "# Eye\nthe heron\n"
    assert Record.parse(record.written()) == record
    assert record.counts["messages"] == 3
    assert [one.body for one in facts.of_session(town.tx, room, limit=9)] == ["the heron"]
    assert _found(town, "canary1 canary2 canary4") == []
    assert search.facts(town.tx, "canary5", visible=lambda _: True, limit=9) == []
    assert _found(town, "heron") == ["the heron stays"]


def _found(town: Town, text: str) -> list[str]:
    return [one.body for one in search.originals(town.tx, text, visible=lambda _: True, limit=9)]


def test_sweeping_leaves_no_byte_in_pages_index_or_log(tmp_path: Path) -> None:
    """Whatever SQLite was told to do with deleted bytes, and while others have the file open."""
    path = tmp_path / "swept.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA secure_delete = OFF")
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE said (id INTEGER PRIMARY KEY, body TEXT)")
        for index in sweeping.INDEXES:
            writer.execute(f"CREATE VIRTUAL TABLE {index} USING fts5 (body, content = '')")
        writer.execute("BEGIN")
        for n in range(300):
            body = f"katabatic{n % 7} wind {n} " * 20
            writer.execute("INSERT INTO said VALUES (?, ?)", (n, body))
            writer.execute("INSERT INTO originals_text (rowid, body) VALUES (?, ?)", (n, body))
        writer.execute("COMMIT")
        assert there(tmp_path, ["katabatic"]) == {"katabatic"}
        writer.execute("BEGIN")
        for n in range(300):
            body = f"katabatic{n % 7} wind {n} " * 20
            writer.execute("DELETE FROM said WHERE id = ?", (n,))
            delete = "INSERT INTO originals_text (originals_text, rowid, body) VALUES (?, ?, ?)"
            writer.execute(delete, ("delete", n, body))
        writer.execute("COMMIT")
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert {"swept.db: katabatic"} <= holding(tmp_path, ["katabatic"])
        assert sweeping.sweep(Sqlite(path))
        assert holding(tmp_path, ["katabatic"]) == set()
