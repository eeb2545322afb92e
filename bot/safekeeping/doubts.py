"""What may have been said or done between a backup and its restore: it is not done again.

A backup knows nothing of what came after it. Whatever waited in it is looked up where a platform
can tell, and otherwise left undone and told to the operator.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from agency import approvals, consents, fires, handoffs, inbox, intentions, schedules, waits
from agency.gates import Rules
from bot.engine import inputs, letters, runs
from bot.engine.letters import KEY_LIMIT, RESTORED, Letter
from bot.inbox import pages
from bot.setup import storage
from bot.setup.config import Config
from memory import migrations
from memory.db import Reader, Tx, queries
from memory.moments import from_us, to_us

SQL = queries(__file__)
TABLE_OF = "bot/0012_safekeeping"
WEB = "web"  # its posts lie in the same database, and went back with it
MOST = 100_000  # rows of one kind
NAMED = 8  # of one kind in a line
SHOWN = timedelta(days=14)
"""How long `limen status` tells of a restore."""
_WORDS = {
    "letters": "letters to chats, looked up where the platform can tell",
    "runs": "answers that were being thought of",
    "inputs": "messages that waited for an answer",
    "approvals": "questions for a yes",
    "handoffs": "news for other rooms",
    "digests": "lines for digests",
    "reminders": "reminders and tasks whose time has passed",
    "waits": "promises and questions that came due",
    "intentions": "intentions that came due",
    "fires": "happenings the agency had not looked at",
}
_SIGNS = {"letters": "l", "runs": "r", "inputs": "i", "approvals": "a", "handoffs": "h"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A restore as it is remembered."""

    source: str
    made: datetime
    at: datetime
    doubts: dict[str, list[int]]
    """What was in doubt then, by kind: ids."""


def settle(
    tx: Tx, *, made: datetime, now: datetime, rules: Rules, digests: pages.Settings
) -> dict[str, list[int]]:
    """Leave undone what may have been done after a backup was made; what that is, by kind."""
    now_us = to_us(now)
    found = {
        "digests": _digests(tx, made, now, rules, digests),
        "handoffs": _handoffs(tx, now_us),
        "approvals": _approvals(tx, now_us),
        "runs": runs.abandon(tx, reason=RESTORED, now_us=now_us),
        "inputs": inputs.withdraw_all(tx),
        "letters": letters.doubt_all(tx),
        "reminders": _reminders(tx, now),
        "waits": _waits(tx, now),
        "intentions": _intentions(tx, now_us),
        "fires": [0] * fires.lay_down(tx, RESTORED, now_us=now_us),
    }
    return {kind: ids for kind, ids in found.items() if ids}


def note(tx: Tx, restored: Restored) -> None:
    """Remember a restore."""
    tx.run(
        SQL["note"],
        source=restored.source,
        made=to_us(restored.made),
        at=to_us(restored.at),
        doubts=json.dumps(restored.doubts),
    )


def came(config: Config, stamp: int) -> bool:
    """Whether the database was put back at a moment, in stored form."""
    with storage.reading(config) as reader:
        if TABLE_OF not in migrations.applied(reader):
            return False
        return reader.one(SQL["at"], at=stamp) is not None


def last(reader: Reader) -> Restored | None:
    """The last restore, or None."""
    row = reader.one(SQL["last"])
    if row is None:
        return None
    return Restored(
        source=row["source"],
        made=from_us(row["made_at"]),
        at=from_us(row["at"]),
        doubts=json.loads(row["doubts"]),
    )


def naming(restored: Restored | None) -> Callable[[Letter], str]:
    """What platforms know letters by.

    After a restore numbers are given once more, and keys with them: a platform that still knows a
    key from before would take a new letter for the old one, and swallow it.
    """

    def known_as(letter: Letter) -> str:
        if restored is None or letter.created_at < restored.at or letter.address.platform == WEB:
            return letter.key
        said = f"{to_us(restored.at)}:{letter.key}"
        return hashlib.sha256(said.encode()).hexdigest()[:KEY_LIMIT]

    return known_as


def told(doubts: dict[str, list[int]]) -> Iterator[str]:
    """What is in doubt, a line a kind."""
    for kind, words in _WORDS.items():
        if ids := doubts.get(kind):
            sign = _SIGNS.get(kind, "")
            names = ", ".join(f"{sign}{id}" for id in ids[:NAMED]) if sign else ""
            more = ", …" if len(ids) > NAMED else ""
            yield f"{words}: {len(ids)}" + (f" ({names}{more})" if names else "")


def _digests(
    tx: Tx, made: datetime, now: datetime, rules: Rules, settings: pages.Settings
) -> list[int]:
    """Those of people whose hour has come since."""
    gone = []
    for person, since in inbox.awaited(tx):
        desk, *_ = pages.reached(tx, person, rules)
        due = pages.next_at(tx, person, desk, since, rules=rules, settings=settings, now=made)
        if due is None or due > now:
            continue
        for entry in inbox.waiting(tx, person):
            if entry.kind is inbox.Kind.DIGEST:
                inbox.drop(tx, entry.id, RESTORED, now_us=to_us(now))
                gone.append(entry.id)
    return gone


def _handoffs(tx: Tx, now_us: int) -> list[int]:
    gone = []
    for one in handoffs.still_open(tx, limit=MOST):
        if one.state is handoffs.State.DIGEST and inbox.waiting_for(tx, f"handoff:{one.id}"):
            continue  # its digest comes yet
        consents.withdraw(tx, one.id, now_us=now_us)
        handoffs.move(tx, one, handoffs.State.EXPIRED, reason=RESTORED, now_us=now_us)
        gone.append(one.id)
    return gone


def _approvals(tx: Tx, now_us: int) -> list[int]:
    asked = approvals.asked(tx, limit=MOST)
    return [one.id for one in asked if approvals.withdraw(tx, one.id, note=RESTORED, now_us=now_us)]


def _reminders(tx: Tx, now: datetime) -> list[int]:
    open_ones = schedules.still_open(tx, limit=MOST)
    due = [one for one in open_ones if one.next_at is not None and one.next_at <= now]
    for one in due:
        turn = schedules.turn_of(one, now)
        schedules.record(tx, one, turn, schedules.Outcome.SKIPPED, reason=RESTORED, now=now)
    return [one.id for one in due]


def _waits(tx: Tx, now: datetime) -> list[int]:
    due = waits.due(tx, now=now)
    for one in due:
        waits.move(tx, one, waits.State.DROPPED, reason=RESTORED, now=now)
    return [one.id for one in due]


def _intentions(tx: Tx, now_us: int) -> list[int]:
    due = intentions.due(tx, now_us=now_us)
    return [
        one.id
        for one in due
        if intentions.close(tx, one.id, done=False, reason=RESTORED, now_us=now_us)
    ]
