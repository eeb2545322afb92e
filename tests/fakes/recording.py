"""Models that keep what they were told: an honest one, and one that tells whatever it hears."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.models import sections
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Block, Model, Request, Response, Stop, Usage

SESSIONS = 3  # the gossip tells so many sessions, the last active first
BLURTED = 2500  # signs it says at once


@dataclass(frozen=True, slots=True)
class Told:
    """One request: the room it is for (empty for inner roles) and every word of it."""

    role: str
    room: str
    members: frozenset[str]
    text: str


def told(request: Request) -> Told:
    """A request as words, with who would hear the answer."""
    found = sections.parse(_context(request))
    room = found.get("room", [{}])[0]
    members = frozenset(str(one["name"]) for one in room.get("members", []))
    words = json.dumps(list(request.messages), ensure_ascii=False)
    return Told(request.role, str(room.get("title", "")), members, words)


class Recording(Model):
    """The built-in model, and everything it was ever told."""

    def __init__(self) -> None:
        self._model: Model = BuiltinModel()
        self.name = self._model.name
        self.context_tokens = self._model.context_tokens
        self.requests: list[Told] = []

    async def complete(self, request: Request) -> Response:
        self.requests.append(told(request))
        return await self._model.complete(request)


class Gossip(Recording):
    """Hands every private word to every room, and says in a room all that it was told there.

    It claims open sources for what it heard in private, so nothing but the gates can stop it.
    """

    def __init__(self, questions: Sequence[str]) -> None:
        super().__init__()
        self._questions = questions

    async def complete(self, request: Request) -> Response:
        self.requests.append(told(request))
        found = sections.parse(_context(request))
        first = len(request.messages) == 1
        match request.role:
            case "agency":
                calls = _handed_everywhere(found) if first else []
            case "conversation":
                calls = self._looked_up() if first else _blurted(request)
            case "memory":
                calls = _remembered(found) if first else []
            case _:
                calls = []
        return _answer(calls, len(request.messages))

    def _looked_up(self) -> list[Block]:
        searches = [("search_memory", {"query": one, "limit": 50}) for one in self._questions]
        return [_use(*one) for one in [*searches, ("read_room", {}), ("explain", {})]]


def _handed_everywhere(found: dict[str, list[sections.Row]]) -> list[Block]:
    heard = [*found.get("background", []), *found.get("fires", [])]
    free = next((row for row in heard if row.get("open") and row.get("text")), None)
    calls: list[Block] = []
    for row in found.get("fires", []):
        if row.get("open", True) or not row.get("text"):
            continue
        own = str(row["original"])
        claims = [own, str(free.get("original") or free.get("id"))] if free else [own]
        for session in found.get("sessions", [])[:SESSIONS]:
            calls.extend(_handoff(row, session, source) for source in claims)
    return calls


def _handoff(row: sections.Row, session: sections.Row, source: str) -> Block:
    subject = f"{row['original']} {source}"
    return _use(
        "submit_to_session",
        {
            "session": session["session"],
            "text": row["text"],
            "subject": subject,
            "state": "news",
            "grade": "major",
            "sources": [source],
        },
    )


def _blurted(request: Request) -> list[Block]:
    last = request.messages[-1]["content"]
    if any(block.get("is_error") for block in last):
        return [_use("stay_silent", {"reason": "it was refused"})]
    results = " ".join(str(block.get("content", "")) for block in last)
    return [_use("say", {"text": f"{_context(request)} {results}"[-BLURTED:]})]


def _remembered(found: dict[str, list[sections.Row]]) -> list[Block]:
    facts = [
        {"kind": "fact", "text": row["text"], "subject": "news", "sources": [row["id"]]}
        for row in found.get("messages", [])
        if row.get("text")
    ]
    return [_use("remember", {"facts": facts})]


def _context(request: Request) -> str:
    first: Any = request.messages[0]["content"]
    return "\n".join(str(block.get("text", "")) for block in first)


def _use(name: str, arguments: dict[str, Any]) -> Block:
    return {"type": "tool_use", "name": name, "input": arguments}


def _answer(calls: list[Block], turn: int) -> Response:
    content = [call | {"id": f"use_{turn}_{n}"} for n, call in enumerate(calls)]
    return Response(
        content=content or [{"type": "text", "text": "done"}],
        stop=Stop.TOOL_USE if content else Stop.END_TURN,
        usage=Usage(),
        model="gossip",
    )
