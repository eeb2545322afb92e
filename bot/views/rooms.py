"""The conversations there are, and the letters on their way to them."""

from bot import rows
from bot.engine import letters, runs, sessions
from bot.engine.letters import Letter, State
from bot.engine.sessions import Session
from bot.rows import Row
from bot.views.sight import MOST, Sight, cut, hidden
from memory import originals

COUNTED = 1000  # messages and runs of one session; from there on it is "many"


def letter_rows(sight: Sight, before: int | None, limit: int) -> list[Row]:
    """The newest letters, newest first."""
    return [_letter(sight, one) for one in letters.latest(sight.reader, limit=limit, before=before)]


def session_rows(sight: Sight) -> list[Row]:
    """The agency's own session, then conversations, the last active first."""
    found = sessions.recent(sight.reader, limit=MOST)
    inner = sessions.named(sight.reader, "agency")
    shown = [_session(sight, one) for one in found if sight.sees(one.id)]
    return [*([_inner(sight, inner)] if inner else []), *shown]


def _letter(sight: Sight, letter: Letter) -> Row:
    row: Row = {
        "id": f"l{letter.id}",
        "at": rows.at(letter.created_at),
        "state": letter.state.value,
        "private": False,
    }
    if not sight.sees(letter.session_id):
        return hidden(row)
    waits = letter.state is State.PENDING and letter.not_before > letter.created_at
    sent = letter.state is State.SENT and letter.settled_at is not None
    return row | {
        "room": sight.rooms.called(letter.session_id),
        "text": cut(letter.body),
        "tries": letter.attempts,
        "not_before": rows.at(letter.not_before) if waits else None,
        "sent_at": rows.at(letter.settled_at) if sent and letter.settled_at else None,
        "error": letter.error,
        "run": f"r{letter.run_id}" if letter.run_id is not None else None,
    }


def _session(sight: Sight, session: Session) -> Row:
    audience = sight.rooms.audience(session.id)
    address = session.address
    thread = " ↳" if address and address.thread else ""
    return {
        "id": f"s{session.id}",
        "title": sight.rooms.called(session.id) + thread,
        "kind": "direct" if audience and audience.direct else "group",
        "open": bool(audience and audience.open),
        "platform": address.platform if address else "",
        "members": [member["name"] for member in sight.rooms.members(session.id)],
        "originals": _many(originals.count_of(sight.reader, session.id, limit=COUNTED)),
        **_activity(sight, session),
    }


def _inner(sight: Sight, session: Session) -> Row:
    return {
        "id": f"s{session.id}",
        "title": "agency",
        "kind": "agency",
        "open": False,
        "members": [],
        **_activity(sight, session),
    }


def _activity(sight: Sight, session: Session) -> Row:
    run = runs.open_of(sight.reader, session.id)
    return {
        "runs": _many(runs.count_of(sight.reader, session.id, limit=COUNTED)),
        "last_at": rows.at(session.last_at),
        "state": run.state.value if run else "idle",
    }


def _many(count: int) -> int | str:
    return count if count < COUNTED else f"{COUNTED}+"
