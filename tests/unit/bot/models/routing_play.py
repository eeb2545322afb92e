"""Plays a story through the built-in model, wake by wake, as the house would: agency, then room."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from routing_shape import Said, Story

from bot.models import sections
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Request, Response, Tier, ToolSpec

Row = dict[str, Any]
START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
AGENCY_TOOLS = ("submit_to_session", "search_memory", "read_session", "log_action", "set_intention")
ROOM_TOOLS = ("say", "stay_silent", "search_memory", "read_room", "answer_consent", "explain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One proactive message of the bot and the handoff it came from."""

    room: str
    text: str
    handoff: Row


@dataclass(slots=True, kw_only=True)
class Play:
    """What happened in a story."""

    spoken: list[Spoken] = field(default_factory=list)
    asked: list[Spoken] = field(default_factory=list)
    """Handoffs held until a person in a direct chat agrees."""
    handoffs: list[Row] = field(default_factory=list)
    seen: list[Row] = field(default_factory=list)


def request(role: str, rows: dict[str, list[Row]], tools: tuple[str, ...]) -> Request:
    """One call with its sections, as the runtime writes it."""
    text = "\n".join(sections.render(name, section) for name, section in rows.items())
    return Request(
        role=role, purpose="test", tier=Tier.MAIN, system="Rules.",
        messages=[{"role": "user", "content": [{"type": "text", "text": text}]}],
        tools=[ToolSpec(name=name, description="", input_schema={}) for name in tools],
        max_tokens=1000,
    )  # fmt: skip


async def play(story: Story, language: str) -> Play:
    """Run all wakes of a story."""
    done = Play()
    sessions = _sessions(story)
    for wake in sorted({said.wake for said in story.said}):
        fires = _fires(story, sessions, wake, language)
        await awake(done, sessions, fires, START + timedelta(minutes=10 * wake + 8))
        remember(done, fires)
    if story.now:
        beat = {"fire": "f99", "kind": "heartbeat", "text": "", "at": story.now}
        await awake(done, sessions, [beat], datetime.fromisoformat(story.now))
    return done


def _sessions(story: Story) -> dict[str, Row]:
    sessions = {}
    for number, (room, people) in enumerate(story.rooms.items(), 1):
        direct = room.startswith("dm")
        members = [people] if direct else people.split("," if "," in people else None)
        sessions[room] = {
            "session": f"s{number}", "title": people if direct else f"#{room}",
            "kind": "direct" if direct else "group", "open": not direct, "members": members,
        }  # fmt: skip
    return sessions


def _fires(story: Story, sessions: dict[str, Row], wake: int, language: str) -> list[Row]:
    people = sorted({said.who for said in story.said})
    return [
        _fire(said, sessions[said.room], f"p{people.index(said.who)}", number, language)
        for number, said in enumerate(story.said, 1)
        if said.wake == wake
    ]


def _fire(said: Said, room: Row, person: str, number: int, language: str) -> Row:
    at = START + timedelta(minutes=10 * said.wake, seconds=10 * number)
    fire: Row = {
        "fire": f"f{number}", "kind": "message_observed", "session": room["session"],
        "room": room["title"], "open": room["open"], "direct": room["kind"] == "direct",
        "original": said.id, "from": said.who, "person": person, "me": False,
        "at": at.isoformat(), "text": said.en if language == "en" else said.zh,
    }  # fmt: skip
    return (
        fire
        | ({"edited": True} if said.edits else {})
        | ({"recalled": True} if said.recalls else {})
    )


def _me(now: datetime) -> list[Row]:
    return [{
        "name": "Limen", "now": now.isoformat(), "timezone": "Europe/Berlin",
        "language": "auto", "model": "built-in",
    }]  # fmt: skip


async def awake(done: Play, sessions: dict[str, Row], fires: list[Row], now: datetime) -> None:
    rows = {
        "me": _me(now), "sessions": list(sessions.values()), "attention": [],
        "handoffs": done.handoffs, "intentions": [], "background": done.seen, "fires": fires,
        "inputs": [],
    }  # fmt: skip
    response = await BuiltinModel().complete(request("agency", rows, AGENCY_TOOLS))
    everything = done.seen + [{**f, "id": f["original"]} for f in fires if f.get("original")]
    for block in response.content:
        if block.get("name") == "submit_to_session":
            await _handoff(done, sessions, block["input"], everything, now)


async def _handoff(
    done: Play, sessions: dict[str, Row], given: Row, everything: list[Row], now: datetime
) -> None:
    room, session = next((r, s) for r, s in sessions.items() if s["session"] == given["session"])
    originals = [next(r for r in reversed(everything) if r["id"] == id) for id in given["sources"]]
    private = any(r["direct"] and r["session"] != given["session"] for r in originals)
    row = {
        **{key: given[key] for key in ("kind", "subject", "state", "text", "sources")},
        "id": f"h{len(done.handoffs) + 1}", "target": given["session"], "title": session["title"],
        "verdict": "asking" if private else "admitted", "reason": "", "outcome": "",
        "at": now.isoformat(),
    }  # fmt: skip
    done.handoffs.append(row)
    if private:
        done.asked.append(Spoken(room=room, text=given["text"], handoff=given))
        return
    response = await deliver(session, row, originals, everything, now)
    for block in response.content:
        if block.get("name") == "say":
            row["outcome"] = "spoken"
            done.spoken.append(Spoken(room=room, text=block["input"]["text"], handoff=given))
            done.seen.append(_own(session, block["input"]["text"], len(done.spoken), now))


async def deliver(
    session: Row, row: Row, originals: list[Row], everything: list[Row], now: datetime
) -> Response:
    """The target room's own run for a handoff."""
    members = [{"id": f"p{i}", "name": name} for i, name in enumerate(session["members"])]
    sources = [{key: r[key] for key in ("id", "room", "from", "at", "text")} for r in originals]
    rows = {
        "me": _me(now), "room": [{**session, "members": members}],
        "history": [r for r in everything if r["session"] == session["session"]],
        "recalled": [], "facts": [], "consents": [],
        "inputs": [{
            "id": "i1", "trigger": "handoff", "at": now.isoformat(), "text": row["text"],
            "addressed": False, "handoff": row["id"], "kind": row["kind"],
            "subject": row["subject"], "state": row["state"], "people": [], "confidence": 0.9,
            "sources": sources, "expires_at": (now + timedelta(hours=24)).isoformat(),
        }],
    }  # fmt: skip
    return await BuiltinModel().complete(request("conversation", rows, ROOM_TOOLS))


def _own(session: Row, text: str, number: int, now: datetime) -> Row:
    return {
        "id": f"o9{number}", "session": session["session"], "room": session["title"],
        "open": session["open"], "direct": session["kind"] == "direct", "from": "Limen",
        "person": "", "me": True, "at": now.isoformat(), "text": text,
    }  # fmt: skip


def remember(done: Play, fires: list[Row]) -> None:
    for fire in fires:
        done.seen = [r for r in done.seen if r["id"] != fire["original"]]
        if not fire.get("recalled"):
            done.seen.append({**fire, "id": fire["original"]})
    done.seen.sort(key=lambda r: r["at"])


def faults(story: Story, done: Play) -> list[str]:
    """What went wrong; empty when every room heard just what it should."""
    found: list[str] = []
    for hears in story.hears:
        told = [s for s in done.spoken if s.room == hears.room]
        text = " ".join(s.text for s in told)
        if not told:
            found.append(f"{hears.room} heard nothing")
            continue
        found += [
            f"{hears.room} misses {f!r}: {text}" for f in hears.facts if not re.search(f, text)
        ]
        cited = {id for s in told for id in s.handoff["sources"]}
        found += [f"{id} is not cited" for id in hears.sources if id not in cited]
        if told[0].handoff["grade"] != ("major" if hears.major else "minor"):
            found.append(f"{hears.room} graded {told[0].handoff['grade']}")
    wanted = {hears.room for hears in story.hears}
    found += [f"{s.room} was disturbed: {s.text}" for s in done.spoken if s.room not in wanted]
    for bad in (*story.secret, *story.stale):
        found += [
            f"told {bad!r}: {s.text}" for s in done.spoken if bad in s.text + s.handoff["text"]
        ]
    if sorted(s.room for s in done.asked) != sorted(story.asks):
        found.append(f"asked consent for {[(s.room, s.text) for s in done.asked]}")
    return found
