"""Letters: what is to be posted, one row each, settled once.

pending ─► sending ─► sent | failed | unknown      sending ─► pending (try again)
pending ─► failed (taken back)      pending ─► unknown (restored from a backup)
unknown ─► sent | pending (marked as a possible repeat) | failed
"""

import json
import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Self

from adapters.chat import Address, Button, legible
from memory.db import Reader, Row, Tx, queries
from memory.erasing import Shelf, listed, numbers
from memory.moments import from_us

SQL = queries(__file__)
logger = logging.getLogger(__name__)

WITHDRAWN = "what it rests on was taken back before it was posted"
STOPPED = "stopped by a person"
OVERTAKEN = "it was no longer news when its hour came"
RESTORED = "it may have been said since the backup, and is not said again"
MISDIRECTED = "it was written for another chat"
NO_FAULTS = frozenset({WITHDRAWN, STOPPED, OVERTAKEN})
"""Why letters were not posted that nobody wanted any more."""
KEY_LIMIT = 50  # signs: the shortest idempotency key of a platform


class Misdirected(Exception):
    """Words were to go to another chat than the one they were said for."""


class State(StrEnum):
    """Where a letter stands."""

    PENDING = "pending"
    """To be posted."""
    SENDING = "sending"
    """Being posted; after a crash nobody knows how far it came."""
    SENT = "sent"
    """The platform has it."""
    UNKNOWN = "unknown"
    """The platform may have it."""
    FAILED = "failed"
    """It will not be posted."""


MOVES: dict[State, frozenset[State]] = {
    State.PENDING: frozenset({State.SENDING, State.FAILED, State.UNKNOWN}),
    State.SENDING: frozenset({State.SENT, State.FAILED, State.UNKNOWN, State.PENDING}),
    State.UNKNOWN: frozenset({State.SENT, State.PENDING, State.FAILED}),
    State.SENT: frozenset(),
    State.FAILED: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A letter as stored."""

    id: int
    key: str
    session_id: int
    address: Address
    body: str
    reply_to: str | None
    buttons: tuple[Button, ...]
    run_id: int | None
    original_id: int | None
    proactive: bool
    timed: bool
    """Somebody chose its moment, so that it goes out at any hour."""
    about: str
    """What a letter that no run wrote is about, such as `approval:3`; see `bot.chains`."""
    piece: bool
    """One of several that a long letter was cut into; it is cut no further."""
    follows: bool
    """A piece behind the first."""
    state: State
    attempts: int
    possible_repeat: bool
    message_id: str | None
    error: str
    not_before: datetime
    waited_until: datetime | None
    """Until when it waited for its hour; None while it never did."""
    created_at: datetime
    settled_at: datetime | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        settled, waited = row["settled_at"], row["waited_until"]
        return cls(
            id=row["id"],
            key=row["key"],
            session_id=row["session_id"],
            address=Address.parse(row["address"]),
            body=row["body"],
            reply_to=row["reply_to"],
            buttons=tuple(Button(**button) for button in json.loads(row["buttons"])),
            run_id=row["run_id"],
            original_id=row["original_id"],
            proactive=bool(row["proactive"]),
            timed=bool(row["timed"]),
            about=row["about"],
            piece=row["head"] is not None,
            follows=row["head"] not in (None, row["id"]),
            state=State(row["state"]),
            attempts=row["attempts"],
            possible_repeat=bool(row["possible_repeat"]),
            message_id=row["message_id"],
            error=row["error"],
            not_before=from_us(row["not_before"]),
            waited_until=from_us(waited) if waited is not None else None,
            created_at=from_us(row["created_at"]),
            settled_at=from_us(settled) if settled is not None else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Something to be posted."""

    key: str
    session_id: int
    address: Address
    body: str
    run_id: int | None = None
    original_id: int | None = None
    reply_to: str | None = None
    buttons: tuple[Button, ...] = ()
    proactive: bool = False
    """Nobody asked for it: it waits while its chat wants nothing unasked."""
    timed: bool = False
    """Somebody chose its moment: it waits for no quiet hours, only for pauses."""
    about: str = ""
    """Where no run wrote it: the kind and id of what its why-chain begins with."""


def key_of(run: int, step: int, use: str) -> str:
    """The key of what a run says with one use of a tool."""
    # The outbox passes it on as the platform's idempotency key, which has few signs.
    return f"r{run}.{step}.{use}"[:KEY_LIMIT]


def post(tx: Tx, draft: Draft, *, now_us: int, not_before_us: int | None = None) -> int | None:
    """Put a letter into the outbox; None when its key is there already.

    It goes to the chat of its session, and what a run says to the chat of the run: anything else
    is Misdirected, whoever asked for it.
    """
    home = tx.one(SQL["home"], session=draft.session_id, run=draft.run_id)
    room = str(draft.address.room)
    if home is None or home["key"] != room:
        raise Misdirected(f"a letter of session {draft.session_id} may not go to {room}")
    if draft.run_id is not None and home["run_session"] not in (None, draft.session_id):
        raise Misdirected(f"what run {draft.run_id} says may not go to {room}")
    row = tx.one(
        SQL["post"],
        key=draft.key,
        session=draft.session_id,
        address=str(draft.address.room),
        body=draft.body,
        reply_to=draft.reply_to,
        buttons=_written(draft.buttons),
        run=draft.run_id,
        original=draft.original_id,
        proactive=draft.proactive,
        timed=draft.timed,
        about=draft.about,
        not_before=not_before_us or now_us,
        now=now_us,
    )
    return int(row["id"]) if row else None


def split(tx: Tx, letter: Letter, parts: list[str]) -> Letter:
    """Let a long letter go out in pieces, each with a fate of its own; returns the first.

    The answered message stays with the first piece, the buttons go to the last.
    """
    last = _written(letter.buttons)
    tx.run(SQL["shorten"], id=letter.id, body=parts[0], buttons="[]")
    for number, part in enumerate(parts[1:], start=2):
        key = f"{letter.key[: KEY_LIMIT - 4]}~{number}"
        buttons = last if number == len(parts) else "[]"
        tx.run(SQL["follow"], id=letter.id, key=key, body=part, buttons=buttons)
    return replace(letter, body=parts[0], buttons=(), piece=True)


def readdress(tx: Tx, old: Address, new: Address) -> None:
    """Send what waits for a room to where it goes on, as a letter of the session there."""
    tx.run(SQL["readdress"], old=str(old), new=str(new))


def claim(
    tx: Tx, *, limit: int, now_us: int, full: Collection[str] = (), served: Collection[str] = ()
) -> list[Letter]:
    """Take the due letters that have no earlier open one in their room.

    Platforms in `full` are left out; rooms in `served` come after those that are not.
    """
    over, after = json.dumps(sorted(full)), json.dumps(sorted(served))
    rows = tx.all(SQL["claim"], now=now_us, limit=limit, full=over, served=after)
    if served and len(rows) < limit:
        rows += tx.all(SQL["claim"], now=now_us, limit=limit - len(rows), full=over, served="[]")
    found = sorted((Letter.from_row(row) for row in rows), key=lambda letter: letter.id)
    return [letter for letter in found if _at_home(tx, letter, now_us=now_us)]


def _at_home(tx: Tx, letter: Letter, *, now_us: int) -> bool:
    """Looked at once more before it leaves: nothing that happened since may lead it elsewhere."""
    home = tx.one(SQL["home"], session=letter.session_id, run=None)
    if home is not None and home["key"] == str(letter.address):
        return True
    logger.error("letter %d is not for %s and is not posted", letter.id, letter.address)
    failed(tx, letter.id, MISDIRECTED, now_us=now_us)
    return False


def sent(tx: Tx, id: int, message: str, *, now_us: int) -> None:
    """The platform has it."""
    tx.run(SQL["sent"], id=id, message=message, now=now_us)


def failed(tx: Tx, id: int, error: str, *, now_us: int) -> None:
    """It will not be posted."""
    tx.run(SQL["failed"], id=id, error=legible(error), now=now_us)


def doubtful(tx: Tx, id: int, error: str) -> None:
    """The platform may have it."""
    tx.run(SQL["doubtful"], id=id, error=legible(error))


def doubt_all(tx: Tx) -> list[int]:
    """A backup was put back: of all that waited in it nobody knows whether it was said since."""
    tx.run(SQL["doubt_waiting"])
    rows = tx.all(SQL["note_doubts"], error=RESTORED)
    return sorted(int(row["id"]) for row in rows)


def clear(tx: Tx, originals: Iterable[int], body: str) -> int:
    """Let go of what some letters said, once they are settled; how many."""
    return tx.run(SQL["clear"], originals=listed(originals), body=body)


def again(tx: Tx, id: int, error: str, *, not_before_us: int, repeat: bool) -> None:
    """Try again later; `repeat` when an earlier try may have arrived."""
    tx.run(SQL["again"], id=id, error=legible(error), not_before=not_before_us, repeat=repeat)


def wait(tx: Tx, id: int, *, until_us: int) -> None:
    """Let a claimed letter wait for its hour."""
    tx.run(SQL["wait"], id=id, until=until_us)


def bring_near(tx: Tx, *, by_us: int, now_us: int, until_us: int) -> int:
    """The clock was set back: move what is due before a moment by so much; how many."""
    return tx.run(SQL["bring_near"], by=by_us, now=now_us, until=until_us)


def look_again(tx: Tx, session: int | None, *, now_us: int) -> int:
    """Ask anew about what waits for its hour, in a session or everywhere; how many there are."""
    return tx.run(SQL["look_again"], session=session, now=now_us)


def withdraw_of_run(tx: Tx, run: int, *, now_us: int) -> list[int]:
    """Take back what a run said and is not posted; the originals of those words."""
    rows = tx.all(SQL["withdraw_of_run"], run=run, error=WITHDRAWN, now=now_us)
    return [int(row["original_id"]) for row in rows if row["original_id"] is not None]


def take_back(tx: Tx, key: str, *, now_us: int) -> Letter | None:
    """Take back a letter that no run wrote and that is not posted; None when it is too late."""
    row = tx.one(SQL["take_back"], key=key, error=WITHDRAWN, now=now_us)
    return Letter.from_row(row) if row else None


def stop(tx: Tx, session: int, *, now_us: int) -> tuple[int, list[int]]:
    """Take back what runs said in a session and is not posted: how much, and its originals."""
    rows = tx.all(SQL["stop"], session=session, error=STOPPED, now=now_us)
    return len(rows), [int(row["original_id"]) for row in rows if row["original_id"] is not None]


def in_doubt(reader: Reader) -> list[Letter]:
    """Letters of which nobody knows whether they arrived."""
    return [Letter.from_row(row) for row in reader.all(SQL["in_doubt"])]


def next_due(reader: Reader) -> int | None:
    """When the next letter is due, in stored form."""
    row = reader.one(SQL["next_due"])
    return row["at"] if row else None


def of_run(reader: Reader, run: int) -> list[Letter]:
    """What a run said."""
    return [Letter.from_row(row) for row in reader.all(SQL["of_run"], run=run)]


def of_original(reader: Reader, original: int) -> Letter | None:
    """The letter that carried an output, or None."""
    row = reader.one(SQL["of_original"], original=original)
    return Letter.from_row(row) if row else None


def last_unasked(reader: Reader, session: int) -> int | None:
    """The original of the last thing said in a session that nobody had asked for."""
    row = reader.one(SQL["last_unasked"], session=session)
    return int(row["original_id"]) if row else None


def latest(reader: Reader, *, limit: int, before: int | None = None) -> list[Letter]:
    """The newest letters, newest first."""
    rows = reader.all(SQL["latest"], limit=limit, before=before or 2**62)
    return [Letter.from_row(row) for row in rows]


def find(reader: Reader, id: int) -> Letter | None:
    """One letter, or None."""
    row = reader.one(SQL["by_id"], id=id)
    return Letter.from_row(row) if row else None


def still_open(reader: Reader, *, limit: int) -> list[Letter]:
    """Those on their way, oldest first."""
    return [Letter.from_row(row) for row in reader.all(SQL["open"], limit=limit)]


def count_open(reader: Reader) -> int:
    """How many are on their way."""
    row = reader.one(SQL["count_open"])
    return int(row["n"]) if row else 0


def failed_lately(reader: Reader, *, limit: int, back: int = 2000) -> list[Letter]:
    """Those among the last `back` letters that will not be posted, newest first."""
    rows = reader.all(SQL["failed_lately"], limit=limit, back=back)
    return [Letter.from_row(row) for row in rows]


def _written(buttons: tuple[Button, ...]) -> str:
    return json.dumps(
        [{"label": one.label, "value": one.value} for one in buttons], ensure_ascii=False
    )


def tally(reader: Reader, *, since_us: int, until_us: int) -> list[tuple[int, bool, str, int]]:
    """What was said between two moments: (session, unasked, first word of the key, how often)."""
    rows = reader.all(SQL["tally"], since=since_us, until=until_us)
    return [(row["session_id"], bool(row["proactive"]), row["word"], row["n"]) for row in rows]


SHELF = Shelf(SQL["words"], SQL["blank"], whole=SQL["whole"])


def touched(
    reader: Reader, *, runs: Iterable[int], originals: Iterable[int], sessions: Iterable[int]
) -> list[int]:
    """What some runs said, what carried some originals, and what went to some sessions."""
    wanted = {"runs": listed(runs), "originals": listed(originals), "sessions": listed(sessions)}
    return numbers(reader.all(SQL["touched"], **wanted))


def about_any(reader: Reader, causes: frozenset[str]) -> list[int]:
    """The letters no run wrote that are about one of some things, such as `approval:3`."""
    rows = reader.all(SQL["about_any"]) if causes else []
    return [int(row["id"]) for row in rows if row["about"] in causes]


def with_pieces(reader: Reader, ids: Iterable[int]) -> list[Row]:
    """`id`, `original_id` and `key` of some letters and of the pieces behind them."""
    return reader.all(SQL["with_pieces"], ids=listed(ids))


def keyed(reader: Reader, keys: Iterable[str]) -> list[int]:
    """The letters with some keys."""
    return numbers(row for key in keys for row in reader.all(SQL["keyed"], key=key))


def unlink(tx: Tx, session: int, address: str) -> None:
    """Let no letter of a session that is erased lead to where it went."""
    tx.run(SQL["unlink"], session=session, address=address)
