"""Telling one of their rooms something because a person wants it told."""

from datetime import timedelta

from pydantic import Field

from agency import handoffs
from agency.handoffs import Proposal, State
from agency.policy import Grade
from bot.engine import inputs, sessions
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from bot.models import sections
from bot.rows import Row
from bot.speaking import Speaking
from memory import audiences
from memory.audiences import Audience
from memory.db import Reader, Tx
from memory.moments import to_us

KIND = "told"
WHOLE_TEAM = frozenset(
    "team everyone everybody all others folks 大家 所有人 团队 全组 全员 全体 "
    "同事 同事们 各位".split()
)
"""Names of no room: the largest of theirs is meant."""
_ROOM_WORDS = (" room", " channel", " group", " team", " chat", "群里", "群", "频道", "房间", "组")
_LASTS = timedelta(days=1)
_SUBJECT = 80  # signs


class TellArgs(Args):
    """What is told, and where."""

    room: str = Field(description="The room's title, its id like s3, or 'team'.")
    text: str = Field(
        description="What is said there, word for word: what they asked to be told, who it is "
        "from, and nothing else you know.",
        min_length=1,
        max_length=1000,
    )


class TellRoom(WriteTool[TellArgs]):
    """Proposes a handoff to a room that the asker is in; they read it first and say yes."""

    name = "tell_room"
    description = (
        "Tell a room something for the person of this direct chat, because they ask for it now. "
        "Only rooms they are in themselves. They are shown the very words with buttons first, and "
        "nothing is said before their yes."
    )
    capability = Capability.ORCHESTRATE
    args = TellArgs

    def __init__(self, speaking: Speaking) -> None:
        self._speaking = speaking

    def write(self, tx: Tx, call: Call, args: TellArgs) -> Result:
        """Judge it like any handoff; it rests on the message that asks for it."""
        here = audiences.find(tx, call.session_id)
        asked = [
            one
            for one in inputs.of_run(tx, call.run_id)
            if one.trigger is inputs.Trigger.MESSAGE and one.original_id is not None
        ]
        if here is None or not here.direct:
            raise ToolError("only in a direct chat; here, answer in this chat itself")
        if not asked or asked[-1].person_id is None or asked[-1].original_id is None:
            raise ToolError("nobody here asked for that, so nothing is told")
        request, person = asked[-1].original_id, asked[-1].person_id
        theirs = _rooms(tx, person)
        meant = _meant(theirs, args.room)
        if len(meant) != 1:
            titles = [room.title for room in meant or theirs]
            return _result({"state": "which", "rooms": titles})
        proposal = _proposal(call, " ".join(args.text.split()), request, meant[0])
        handoff, verdict = self._speaking.propose(tx, proposal, live=True)
        refused = verdict.state in (State.REFUSED, State.SILENT)
        told, state = meant[0].title, verdict.state.value
        row: Row = {"handoff": f"h{handoff.id}", "room": told, "state": state}
        return _result(row | ({"reason": verdict.reason} if refused else {}))


def _proposal(call: Call, text: str, request: int, target: Audience) -> Proposal:
    return Proposal(
        agency_run_id=call.run_id,
        target_id=target.session_id,
        kind=KIND,
        subject=text[:_SUBJECT],
        subject_state=text[:_SUBJECT],
        body=text,
        grade=Grade.MAJOR,
        confidence=1.0,
        sources=(request,),
        expires_us=to_us(call.now + _LASTS),
        metadata={handoffs.REQUEST: request, "handoff_kind": KIND},
    )


def _result(row: Row) -> Result:
    return Result(text=sections.render("telling", [row]))


def _rooms(reader: Reader, person: int) -> list[Audience]:
    """The rooms somebody is in, threads left out, those with most people first."""
    found = []
    for id in audiences.heard_by(reader, person):
        room, session = audiences.find(reader, id), sessions.find(reader, id)
        if room is None or session is None or room.direct or session.parent_id is not None:
            continue
        if session.kind is sessions.Kind.CONVERSATION:
            found.append(room)
    return sorted(found, key=lambda room: (-len(room.members), room.title))


def _meant(rooms: list[Audience], named: str) -> list[Audience]:
    """The one room a name means; several or none where it does not tell."""
    low = named.strip().lstrip("#").casefold().removeprefix("the ")
    if low.removeprefix("s").isdigit():
        return [room for room in rooms if room.session_id == int(low.removeprefix("s"))]
    exact = [room for room in rooms if room.title.lstrip("#").casefold() == low]
    if exact:
        return exact
    if low in WHOLE_TEAM:
        most = max((len(room.members) for room in rooms), default=0)
        return [room for room in rooms if len(room.members) == most]
    core = next((low.removesuffix(word) for word in _ROOM_WORDS if low.endswith(word)), low).strip()
    return [room for room in rooms if core and core in room.title.casefold()]
