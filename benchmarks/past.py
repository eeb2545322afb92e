"""A long past, made fast: rooms through the real intake, then rows in bulk into the real tables."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from adapters.chat import Address, EventKind
from benchmarks.bulk import Bulk, Filled, filling
from benchmarks.corpus import Corpus
from benchmarks.world import PEOPLE, PLATFORM, START, message, room_address, settings
from bot.app import Surroundings, open_house
from bot.house import House
from memory.moments import to_us
from memory.names import starts

HOT = 10  # rooms with enough talk to fill what a run is shown, however few messages there are
HOT_MESSAGES = 50
FACTS = 20  # messages to one fact
CHUNK = 20_000

_ORIGINALS = Filled(
    "originals",
    ("id", "session_id", "address", "person_id", "author", "body", "said_at", "received_at"),
    {"kind": "message", "version": 1},
)
_INPUTS = Filled(
    "inputs",
    ("session_id", "dedupe_key", "original_id", "person_id", "created_at"),
    {
        "trigger_type": "message",
        "parts": '[{"type": "text", "text": "…"}]',
        "metadata": "{}",
        "origin": "",
        "hop": 0,
        "wakes": 0,
        "state": "observed",
    },
)
_FIRES = Filled(
    "fires",
    ("session_id", "original_id", "dedupe_key", "agency_run_id", "created_at", "settled_at"),
    {
        "kind": "message_observed",
        "payload": "{}",
        "priority": 20,
        "salience": 0.1,
        "origin": "",
        "hop": 0,
        "state": "consumed",
    },
)
_RUNS = Filled(
    "runs",
    ("session_id", "due_at", "created_at", "started_at", "finished_at"),
    {
        "role": "conversation",
        "state": "succeeded",
        "priority": 10,
        "attempts": 1,
        "outcome": "spoken",
    },
)
_LETTERS = Filled(
    "letters",
    (
        "key",
        "session_id",
        "address",
        "run_id",
        "original_id",
        "not_before",
        "message_id",
        "created_at",
        "settled_at",
    ),
    {"body": "Noted, thanks.", "buttons": "[]", "proactive": 0, "state": "sent", "attempts": 1},
)
_FACTS = Filled(
    "facts",
    ("id", "session_id", "body", "learnt_at", "key"),
    {"kind": "fact", "subject": ""},
)
_COVER = Filled("summaries", ("session_id", "covered", "updated_at"), {"body": ""})
_PEOPLE = Filled("people", ("id", "name"), {"is_bot": 0, "created_at": to_us(START), "filed": 1})
_STARTS = Filled("name_starts", ("start", "person_id"), {})
_ACCOUNTS = Filled(
    "accounts", ("person_id", "native_id", "name"), {"platform": PLATFORM, "tenant": "team"}
)


async def make(
    folder: Path,
    *,
    rooms: int,
    originals: int = 0,
    finished: int = 0,
    people: int = 0,
    **keys: Any,
) -> None:
    """A data folder with so many rooms, messages in them, and finished runs, fires and letters.

    With `people` as many are known in all, most of them from elsewhere. The rows are in a database
    on a server, where `keys` name one.
    """
    around = Surroundings(serve=False)
    async with open_house(settings(folder, web__enabled=False, **keys), around) as house:
        await show_rooms(house, rooms)
    if originals or finished or people:
        url = keys.get("database__url", "")
        await asyncio.to_thread(_fill, folder / "limen.db", url, originals, finished, people)


async def show_rooms(house: House, rooms: int) -> None:
    """Have every room seen once, as it is in a process that has been running for a while."""
    seen = [
        replace(message(n, "", ""), kind=EventKind.MEMBERS, address=room_address(n))
        for n in range(rooms)
    ]
    for some in _chunks(seen, 500):
        await asyncio.gather(*(house.intake.receive(one) for one in some))


def _fill(path: Path, url: str, originals: int, finished: int, people: int) -> None:
    with filling(path, url) as bulk:
        _talk(bulk, originals)
        _finished(bulk, finished)
        _known(bulk, people)


def _known(bulk: Bulk, count: int) -> None:
    last = bulk.numbers("SELECT id FROM people ORDER BY id")[-1:] or [0]
    there = len(bulk.numbers("SELECT id FROM people"))
    more = [(last[0] + n, f"Person {there + n}") for n in range(1, count - there + 1)]
    bulk.fill(_PEOPLE, more)
    bulk.fill(_STARTS, ((start, id) for id, name in more for start in starts(name)))
    bulk.fill(_ACCOUNTS, [(id, f"far{id}", name) for id, name in more])


def _talk(bulk: Bulk, count: int) -> None:
    sessions = _sessions(bulk)
    people = bulk.numbers("SELECT id FROM people ORDER BY id")
    corpus = Corpus(seed=11)
    said = enumerate(corpus.messages(count), 1)
    last: dict[int, int] = {}
    for some in _chunks(said, CHUNK):
        rows = [_said(id, body, count, sessions, people) for id, body in some]
        last.update((row[1], row[0]) for row in rows)
        bulk.fill(_ORIGINALS, rows)
        bulk.index("originals_text", ((row[0], row[5]) for row in rows))
        bulk.fill(_INPUTS, ((row[1], f"o{row[0]}", row[0], row[3], row[6]) for row in rows))
        bulk.fill(
            _FIRES,
            ((row[1], row[0], f"o{row[0]}:new:1", row[0] // 50, row[6], row[6]) for row in rows),
        )
        facts = [row for row in rows if row[0] % FACTS == 0]
        bulk.fill(_FACTS, ((row[0], row[1], row[5], row[6], f"fact{row[0]}") for row in facts))
        bulk.index("facts_text", ((row[0], row[5]) for row in facts))
    bulk.fill(_COVER, ((s, id, to_us(START)) for s, id in last.items()))


def _said(
    id: int, body: str, count: int, sessions: list[int], people: list[int]
) -> tuple[Any, ...]:
    hot = HOT_MESSAGES * HOT
    near_end = id > count - hot  # so that it is what a run in a hot room is shown
    n = id % (min(HOT, len(sessions)) if near_end else len(sessions))
    address = Address(platform=PLATFORM, account="team", chat=f"room{n}", message=f"old{id}")
    person = id % len(people)
    at = to_us(START - timedelta(seconds=(count - id) * 20))
    return (id, sessions[n], str(address), people[person], PEOPLE[person].name, body, at, at)


def _finished(bulk: Bulk, count: int) -> None:
    sessions = _sessions(bulk)
    address = str(room_address(0))
    start = to_us(START) - count
    for some in _chunks(range(1, count + 1), CHUNK):
        bulk.fill(
            _FIRES,
            ((sessions[0], None, f"old:{n}", n // 50, start + n, start + n) for n in some),
        )
        bulk.fill(_RUNS, ((sessions[n % len(sessions)], *[start + n] * 4) for n in some))
        bulk.fill(
            _LETTERS,
            (
                (f"old{n}", sessions[0], address, n, n, start + n, f"m{n}", start + n, start + n)
                for n in some
            ),
        )


def _sessions(bulk: Bulk) -> list[int]:
    return bulk.numbers("SELECT id FROM sessions WHERE kind = 'conversation' ORDER BY id")


def _chunks(items: Iterable[Any], size: int) -> Iterable[list[Any]]:
    chunk: list[Any] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
