"""A long past, made fast: rooms through the real intake, then rows in bulk into the real tables."""

import asyncio
import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from adapters.chat import Address, EventKind
from benchmarks.corpus import Corpus
from benchmarks.world import PEOPLE, PLATFORM, START, message, room_address, settings
from bot.app import Surroundings, open_house
from bot.house import House
from memory.moments import to_us
from memory.words import prepare

HOT = 10  # rooms with enough talk to fill what a run is shown, however few messages there are
HOT_MESSAGES = 50
FACTS = 20  # messages to one fact
CHUNK = 20_000

_ORIGINALS = """
INSERT INTO originals
    (id, session_id, kind, address, person_id, author, body, version, said_at, received_at)
VALUES (?, ?, 'message', ?, ?, ?, ?, 1, ?, ?)
"""
_INPUTS = """
INSERT INTO inputs (session_id, trigger_type, parts, metadata, dedupe_key, original_id, person_id,
    origin, hop, wakes, state, created_at)
VALUES (?, 'message', '[{"type": "text", "text": "…"}]', '{}', ?, ?, ?, '', 0, 0, 'observed', ?)
"""
_FIRES = """
INSERT INTO fires (kind, session_id, original_id, payload, dedupe_key, priority, salience, origin,
    hop, state, agency_run_id, created_at, settled_at)
VALUES ('message_observed', ?, ?, '{}', ?, 20, 0.1, '', 0, 'consumed', ?, ?, ?)
"""
_RUNS = """
INSERT INTO runs (session_id, role, state, priority, due_at, attempts, outcome, created_at,
    started_at, finished_at)
VALUES (?, 'conversation', 'succeeded', 10, ?, 1, 'spoken', ?, ?, ?)
"""
_LETTERS = """
INSERT INTO letters (key, session_id, address, body, buttons, run_id, original_id, proactive,
    state, attempts, not_before, message_id, created_at, settled_at)
VALUES (?, ?, ?, 'Noted, thanks.', '[]', ?, ?, 0, 'sent', 1, ?, ?, ?, ?)
"""
_FACTS = """
INSERT INTO facts (id, session_id, kind, body, subject, learnt_at, key)
VALUES (?, ?, 'fact', ?, '', ?, ?)
"""
_INDEX = "INSERT INTO originals_text (rowid, body) VALUES (?, ?)"
_INDEX_FACTS = "INSERT INTO facts_text (rowid, body) VALUES (?, ?)"
_COVER = "INSERT INTO summaries (session_id, body, covered, updated_at) VALUES (?, '', ?, ?)"


async def make(
    folder: Path, *, rooms: int, originals: int = 0, finished: int = 0, **keys: Any
) -> None:
    """A data folder with so many rooms, messages in them, and finished runs, fires and letters.

    Only rooms, where `keys` name a database on a server.
    """
    around = Surroundings(serve=False)
    async with open_house(settings(folder, web__enabled=False, **keys), around) as house:
        await show_rooms(house, rooms)
    if originals or finished:
        await asyncio.to_thread(_fill, folder / "limen.db", originals, finished)


async def show_rooms(house: House, rooms: int) -> None:
    """Have every room seen once, as it is in a process that has been running for a while."""
    seen = [
        replace(message(n, "", ""), kind=EventKind.MEMBERS, address=room_address(n))
        for n in range(rooms)
    ]
    for some in _chunks(seen, 500):
        await asyncio.gather(*(house.intake.receive(one) for one in some))


def _fill(path: Path, originals: int, finished: int) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = OFF")  # a log would write everything twice
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -200000")
        connection.execute("BEGIN")
        _talk(connection, originals)
        _finished(connection, finished)
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def _talk(connection: sqlite3.Connection, count: int) -> None:
    sessions = _sessions(connection)
    people = [row[0] for row in connection.execute("SELECT id FROM people ORDER BY id")]
    corpus = Corpus(seed=11)
    said = enumerate(corpus.messages(count), 1)
    last: dict[int, int] = {}
    for some in _chunks(said, CHUNK):
        rows = [_said(id, body, count, sessions, people) for id, body in some]
        last.update((row[1], row[0]) for row in rows)
        connection.executemany(_ORIGINALS, rows)
        connection.executemany(_INDEX, ((row[0], prepare(row[5])) for row in rows))
        connection.executemany(
            _INPUTS, ((row[1], f"o{row[0]}", row[0], row[3], row[6]) for row in rows)
        )
        connection.executemany(
            _FIRES,
            ((row[1], row[0], f"o{row[0]}:new:1", row[0] // 50, row[6], row[6]) for row in rows),
        )
        facts = [row for row in rows if row[0] % FACTS == 0]
        connection.executemany(
            _FACTS, ((row[0], row[1], row[5], row[6], f"fact{row[0]}") for row in facts)
        )
        connection.executemany(_INDEX_FACTS, ((row[0], prepare(row[5])) for row in facts))
    connection.executemany(_COVER, ((s, id, to_us(START)) for s, id in last.items()))


def _said(
    id: int, body: str, count: int, sessions: list[int], people: list[int]
) -> tuple[Any, ...]:
    hot = HOT_MESSAGES * HOT
    near_end = id > count - hot  # so that it is what a run in a hot room is shown
    n = id % HOT if near_end else id % len(sessions)
    n = min(n, len(sessions) - 1)
    address = Address(platform=PLATFORM, account="team", chat=f"room{n}", message=f"old{id}")
    person = id % len(people)
    at = to_us(START - timedelta(seconds=(count - id) * 20))
    return (id, sessions[n], str(address), people[person], PEOPLE[person].name, body, at, at)


def _finished(connection: sqlite3.Connection, count: int) -> None:
    sessions = _sessions(connection)
    address = str(room_address(0))
    start = to_us(START) - count
    for some in _chunks(range(1, count + 1), CHUNK):
        connection.executemany(
            _FIRES,
            ((sessions[0], None, f"old:{n}", n // 50, start + n, start + n) for n in some),
        )
        connection.executemany(
            _RUNS, ((sessions[n % len(sessions)], *[start + n] * 4) for n in some)
        )
        connection.executemany(
            _LETTERS,
            (
                (f"old{n}", sessions[0], address, n, n, start + n, f"m{n}", start + n, start + n)
                for n in some
            ),
        )


def _sessions(connection: sqlite3.Connection) -> list[int]:
    rows = connection.execute("SELECT id FROM sessions WHERE kind = 'conversation' ORDER BY id")
    return [row[0] for row in rows]


def _chunks(items: Iterable[Any], size: int) -> Iterable[list[Any]]:
    chunk: list[Any] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
