"""What the agency is told: the new fires, what was said before that touches them, what it did."""

from collections.abc import Iterable
from typing import Any

from agency import fires as fire_records
from agency import handoffs, intentions, waits
from agency.attention import INDEX, LOG, Attention
from agency.fires import Fire, Kind
from agency.waits import Wait
from bot import rows
from bot.engine import sessions
from bot.files.enclosures import Enclosures
from bot.models import sections
from bot.rows import Rooms, Row
from bot.waiting import place
from memory import facts, originals, search
from memory.db import Reader
from memory.originals import Original

SESSIONS = 50  # conversations listed, the last active first
TELLING = 30  # fires whose words are searched for, the most telling first
RELATED = 8  # messages found for each of them
RECENT = 10  # last messages of every session that is touched
ACTIVE = 12  # sessions whose last messages are shown in any case
HANDOFFS = 40
FILES = 20_000  # signs of files in one wake
GLANCE = 300  # signs of a file of the background


def build(reader: Reader, attention: Attention, ids: list[int]) -> list[str]:
    """Every section of an agency run beside `me`."""
    rooms = Rooms(reader)
    off = sessions.switched_off(reader)
    recent = [one for one in sessions.recent(reader, limit=SESSIONS) if one.id not in off]
    done = reversed(handoffs.latest(reader, limit=HANDOFFS))
    return [
        sections.render("sessions", (_session_row(rooms, one) for one in recent)),
        sections.render(
            "attention",
            (
                {"file": INDEX, "text": attention.read(INDEX)},
                {"file": LOG, "text": attention.read(LOG, limit=4000)},
            ),
        ),
        sections.render("handoffs", (rooms.handoff(one) for one in done)),
        sections.render(
            "intentions",
            (_intention_row(one) for one in intentions.current(reader)),
        ),
        *fires(reader, ids, active=[one.id for one in recent[:ACTIVE]]),
    ]


def fires(reader: Reader, ids: list[int], *, active: Iterable[int] = ()) -> list[str]:
    """The sections `background` and `fires` for some fires."""
    rooms = Rooms(reader)
    found = [fire for id in ids if (fire := fire_records.find(reader, id)) is not None]
    own: dict[int | None, Original | None] = {
        fire.original_id: _original(reader, fire) for fire in found if fire.original_id
    }
    enclosed = Enclosures(reader, whole=FILES)
    news = [
        _fire_row(reader, rooms, fire, original) | (enclosed.of(original.id) if original else {})
        for fire in found
        for original in (own.get(fire.original_id),)
    ]
    before = _background(reader, found, own, active)
    over = waits.over(reader, (one.id for one in before))
    background = (
        rooms.elsewhere(one) | ({"settled": True} if one.id in over else {}) for one in before
    )
    return [
        sections.render("background", enclosed.with_files(background, each=GLANCE)),
        sections.render("fires", news),
    ]


def _background(
    reader: Reader,
    found: list[Fire],
    own: dict[int | None, Original | None],
    active: Iterable[int],
) -> list[Original]:
    exclude = frozenset(id for id in own if id is not None)
    off = sessions.switched_off(reader)
    known: dict[int, Original] = {}
    for fire in sorted(found, key=lambda one: -one.salience)[:TELLING]:
        original = own.get(fire.original_id)
        if original is None or not original.body:
            continue
        for one in search.recall_originals(
            reader,
            original.body,
            visible=lambda session: session not in off,
            limit=RELATED,
            exclude=exclude,
        ):
            known[one.id] = one
    touched = {one.session_id for one in known.values()} | {
        fire.session_id for fire in found if fire.session_id is not None
    }
    for session in {*touched, *active} - off:
        for one in originals.recent(reader, session, limit=RECENT, aside=False):
            if one.id not in exclude:
                known[one.id] = one
    return sorted(known.values(), key=lambda one: (one.said_at, one.id))


def _original(reader: Reader, fire: Fire) -> Original | None:
    found = originals.find(reader, fire.original_id) if fire.original_id else None
    # What was put aside since it was news, by an edit of somebody denied, is none any more.
    return None if found is None or found.aside else found


def _fire_row(reader: Reader, rooms: Rooms, fire: Fire, original: Original | None) -> Row:
    row: dict[str, Any] = {"fire": f"f{fire.id}", "kind": fire.kind.value}
    if original is not None:
        said = rooms.elsewhere(original)
        row |= {"original": said.pop("id"), **said}
        if original.recalled:
            row["recalled"] = True
    elif fire.session_id is not None:
        row |= {"session": f"s{fire.session_id}", "room": rooms.title(fire.session_id)}
    row.setdefault("at", rows.at(fire.created_at))
    if fire.kind is Kind.MEMORY and fire.run_id is not None:
        row["facts"] = [rooms.fact(one) for one in facts.of_run(reader, fire.run_id)]
    elif fire.kind is Kind.REPORT:
        row |= {
            "handoff": f"h{fire.payload['handoff']}" if "handoff" in fire.payload else "",
            "outcome": fire.payload.get("outcome", ""),
            "reason": fire.payload.get("reason", ""),
        }
    if "wait" in fire.payload:
        row["wait"] = _wait_row(reader, rooms, waits.get(reader, int(fire.payload["wait"])))
    if "wish" in fire.payload:
        row["wish"] = fire.payload["wish"]
    if "text" in fire.payload:
        # Beside somebody's words the agency's own must not stand as if they had said them.
        row["text" if original is None else "intention"] = fire.payload["text"]
    return row


def _wait_row(reader: Reader, rooms: Rooms, wait: Wait) -> Row:
    return {
        "kind": wait.kind.value,
        "owner": rooms.person(wait.owner_id),
        "person": f"p{wait.owner_id}",
        "session": f"s{place(reader, wait)}",
    }


def _session_row(rooms: Rooms, session: sessions.Session) -> Row:
    audience = rooms.audience(session.id)
    return {
        "session": f"s{session.id}",
        "title": rooms.title(session.id),
        "kind": "direct" if audience and audience.direct else "group",
        "open": bool(audience and audience.open),
        "workspace": audience.workspace if audience else "",
        "members": [member["name"] for member in rooms.members(session.id)],
        "last_at": rows.at(session.last_at),
    }


def _intention_row(one: intentions.Intention) -> Row:
    row: Row = {
        "id": f"n{one.id}",
        "text": one.body,
        "terms": list(one.terms),
        "state": one.state.value,
    }
    return row | ({"due_at": rows.at(one.due_at)} if one.due_at else {})
