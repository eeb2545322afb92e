"""Looking things up: search, rooms, traces, people; filtered by who would hear the answer."""

from typing import TypeVar

from pydantic import Field

from agency.gates import Rules
from agency.hearing import Hearing
from bot import chains, rows
from bot.earshot import Earshot
from bot.engine import ids, letters, runs, sessions, traces
from bot.engine.tool import Args, Call, Capability, ReadTool, Result
from bot.errors import ToolError
from bot.files.enclosures import Enclosures
from bot.models import sections
from bot.rows import Rooms
from memory import audiences, originals, people, search
from memory.db import Database, Reader

T = TypeVar("T")
_TRACE_LIMIT = 4000  # signs of one step


class SearchArgs(Args):
    """What to look for."""

    query: str = Field(description="A few telling words, English or Chinese.", min_length=1)
    limit: int = Field(8, ge=1, le=50)


class SearchMemory(ReadTool[SearchArgs]):
    """Searches what was really said."""

    name = "search_memory"
    description = (
        "Search everything that was said and that this chat may hear; the best come first."
    )
    capability = Capability.READ
    args = SearchArgs

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    async def read(self, db: Database, call: Call, args: SearchArgs) -> Result:
        """A `results` section."""

        def look(reader: Reader) -> str:
            visible = Earshot(reader, call.session_id, self._rules.privacy)
            rooms = Rooms(reader)
            found = search.originals(reader, args.query, visible=visible, limit=args.limit)
            enclosed = Enclosures(reader, words=args.query)
            return sections.render(
                "results", (rooms.elsewhere(one) | enclosed.of(one.id) for one in found)
            )

        return Result(text=await db.read(look))


class RoomArgs(Args):
    """How far back."""

    before: str | None = Field(None, description="Only messages before this one, like o12.")
    limit: int = Field(50, ge=1, le=200)


def _history(reader: Reader, session: int, args: RoomArgs) -> str:
    before = ids.read(args.before, "o") if args.before else None
    found = originals.recent(reader, session, limit=args.limit, before=before)
    return sections.render("history", Enclosures(reader).with_files(map(rows.message, found)))


class ReadRoom(ReadTool[RoomArgs]):
    """Reads further back in the run's own room."""

    name = "read_room"
    description = "Read earlier messages of this chat."
    capability = Capability.READ
    args = RoomArgs

    async def read(self, db: Database, call: Call, args: RoomArgs) -> Result:
        """A `history` section."""
        return Result(text=await db.read(_history, call.session_id, args))


class SessionArgs(RoomArgs):
    """Which session, and how far back."""

    session: str = Field(description="The session, like s3.")


class ReadSession(ReadTool[SessionArgs]):
    """Reads any session; for background roles, which nobody hears."""

    name = "read_session"
    description = "Read the messages of a session."
    capability = Capability.READ
    args = SessionArgs

    async def read(self, db: Database, call: Call, args: SessionArgs) -> Result:
        """A `history` section."""
        before = ids.read(args.before, "o") if args.before else None
        session = ids.read(args.session, "s")
        found = await db.read(
            originals.recent, session, limit=args.limit, before=before, aside=False
        )
        return Result(text=sections.render("history", (rows.message(one) for one in found)))


class TraceArgs(Args):
    """Which run."""

    run: str = Field(description="The run, like r7.")


class ReadTrace(ReadTool[TraceArgs]):
    """Reads what a run was told, did and answered."""

    name = "read_trace"
    description = "Read the trace of a run: its answers, tools and results."
    capability = Capability.READ
    args = TraceArgs

    async def read(self, db: Database, call: Call, args: TraceArgs) -> Result:
        """Sections `run`, `steps` and `tool_results`."""
        id = ids.read(args.run, "r")

        def look(reader: Reader) -> str:
            try:
                run = runs.get(reader, id)
            except LookupError as error:
                raise ToolError(str(error)) from error
            head = {"run": f"r{run.id}", "role": run.role, "state": run.state.value}
            steps = (
                {"n": step.n, "role": step.role, "content": str(step.content)[:_TRACE_LIMIT]}
                for step in traces.steps(reader, id)
            )
            results = (
                {"tool": one.name, "failed": one.failed, "text": one.body[:_TRACE_LIMIT]}
                for one in traces.results(reader, id)
            )
            return "\n".join(
                (
                    sections.render("run", [head | {"outcome": run.outcome, "reason": run.reason}]),
                    sections.render("steps", steps),
                    sections.render("tool_results", results),
                )
            )

        return Result(text=await db.read(look))


class NoArgs(Args):
    """Nothing to choose."""


class ListSessions(ReadTool[NoArgs]):
    """Lists conversations."""

    name = "list_sessions"
    description = "List the conversations, the last active first."
    capability = Capability.READ
    args = NoArgs

    async def read(self, db: Database, call: Call, args: NoArgs) -> Result:
        """A `sessions` section."""

        def look(reader: Reader) -> str:
            rooms = Rooms(reader)
            return sections.render(
                "sessions",
                (
                    {
                        "session": f"s{one.id}",
                        "title": rooms.title(one.id),
                        "members": [member["name"] for member in rooms.members(one.id)],
                    }
                    for one in sessions.recent(reader, limit=200)
                ),
            )

        return Result(text=await db.read(look))


class ListPeople(ReadTool[NoArgs]):
    """Lists people."""

    name = "list_people"
    description = "List the people known, with the sessions they are in."
    capability = Capability.READ
    args = NoArgs

    async def read(self, db: Database, call: Call, args: NoArgs) -> Result:
        """A `people` section."""

        def look(reader: Reader) -> str:
            return sections.render(
                "people",
                (
                    {
                        "id": f"p{one.id}",
                        "name": rows.name(one.name),
                        "sessions": [f"s{id}" for id in sorted(audiences.heard_by(reader, one.id))],
                    }
                    for one in people.everyone(reader)
                ),
            )

        return Result(text=await db.read(look))


class ExplainArgs(Args):
    """Which message."""

    message: str | None = Field(
        None,
        description="The message of yours to explain, like o20; your last unasked one if left out.",
    )


class Explain(ReadTool[ExplainArgs]):
    """Tells why something was said unasked."""

    name = "explain"
    description = (
        "Why you said something in this chat unasked: the chain from what was heard to it."
    )
    capability = Capability.READ
    args = ExplainArgs

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    async def read(self, db: Database, call: Call, args: ExplainArgs) -> Result:
        """A `chain` section; empty when nothing was said unasked."""
        message = ids.read(args.message, "o") if args.message else None

        def look(reader: Reader) -> str:
            audience = audiences.find(reader, call.session_id)
            hears = Hearing(reader, audience, self._rules.privacy) if audience else None
            id = message or letters.last_unasked(reader, call.session_id)
            original = originals.find(reader, id) if id else None
            if original is None or original.session_id != call.session_id:
                return sections.render("chain", [])
            return sections.render("chain", chains.rows_of(reader, original.id, hears=hears))

        return Result(text=await db.read(look))
