"""Asking somebody's leave before something is done, and taking their word in plain words."""

from datetime import timedelta

from pydantic import Field

from agency import approvals
from agency.approvals import Approval, Holds, State
from bot.approving import LONGEST, Approving, Wish, people_named
from bot.engine import ids, inputs
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from bot.models import sections
from memory import audiences, people
from memory.db import Reader, Tx

_MOST = 5  # people asked the same
_HOURS = LONGEST.total_seconds() / 3600


class AskArgs(Args):
    """What is to be approved, and by whom."""

    question: str = Field(
        description="The question as they will read it, complete in itself, yes or no.",
        min_length=1,
        max_length=500,
    )
    subject: str = Field(
        description="What would be done, short and always in the same words.", min_length=1
    )
    approvers: list[str] = Field(
        description="Who may answer: names, or ids like p4. The first word counts.",
        min_length=1,
        max_length=_MOST,
    )
    within_hours: float = Field(168, gt=0, le=_HOURS, description="How long to wait.")


class AskApproval(WriteTool[AskArgs]):
    """Puts a question to the people named, and lets the run wait for their word."""

    name = "ask_approval"
    description = (
        "Ask somebody whether something may be done, because a person here wants to know or it "
        "needs their leave. They are asked in their own chat, and this chat is told that they are. "
        "You wait, days if need be, and get their answer as the result; then say it here."
    )
    capability = Capability.ORCHESTRATE
    args = AskArgs

    def __init__(self, approving: Approving) -> None:
        self._approving = approving

    def write(self, tx: Tx, call: Call, args: AskArgs) -> Result:
        """Suspend the run until the question is settled; used again then, it gives the verdict."""
        known = approvals.by_key(tx, call.key)
        if known is None:
            known = self._approving.ask(tx, self._wish(tx, call, args))
        if known.state is State.ASKED:
            return Result(text="", suspends=True)
        return Result(text=sections.render("verdict", [_verdict(tx, known)]))

    def _wish(self, tx: Tx, call: Call, args: AskArgs) -> Wish:
        asked = [
            one.person_id
            for one in inputs.of_run(tx, call.run_id)
            if one.trigger is inputs.Trigger.MESSAGE and one.person_id is not None
        ]
        if not asked:
            raise ToolError("nobody here asked for that, so nobody is asked")
        named = [_person(tx, call.session_id, name) for name in args.approvers]
        if asked[-1] in named:
            raise ToolError("who asks cannot be the one who approves; name somebody else")
        return Wish(
            key=call.key,
            run_id=call.run_id,
            session_id=call.session_id,
            person_id=asked[-1],
            subject=args.subject.strip(),
            question=args.question.strip(),
            approvers=tuple(dict.fromkeys(named)),
            within=timedelta(hours=args.within_hours),
        )


class WordArgs(Args):
    """What somebody answered."""

    approval: str = Field(description="The id of the question, like a1.")
    granted: bool = Field(description="True for yes.")
    every_time: bool = Field(False, description="True only if they said it holds for every time.")
    note: str = Field(
        "", description="A condition or reason they gave, as whoever asked will read it."
    )


class AnswerApproval(WriteTool[WordArgs]):
    """Records a yes or no given in plain words."""

    name = "answer_approval"
    description = (
        "Record what somebody answered to a question of section `approvals`. Only when they "
        "clearly said yes or no to it; what waits for it goes on."
    )
    capability = Capability.ORCHESTRATE
    args = WordArgs

    def __init__(self, approving: Approving) -> None:
        self._approving = approving

    def write(self, tx: Tx, call: Call, args: WordArgs) -> Result:
        """The answer counts only from somebody who may give it, in this very run."""
        wanted = ids.read(args.approval, "a")
        if wanted not in {one.id for one in approvals.open_in(tx, call.session_id)}:
            raise ToolError(f"there is no open question {args.approval!r} in this chat")
        may = {one.person_id for one in approvals.approvers(tx, wanted)}
        spoke = [
            one.person_id
            for one in inputs.of_run(tx, call.run_id)
            if one.trigger is inputs.Trigger.MESSAGE and one.person_id in may
        ]
        if not spoke or spoke[-1] is None:
            names = ", ".join(people_named(tx, one) for one in sorted(may))
            raise ToolError(f"only {names} can answer that, and they have not spoken")
        self._approving.check_note(tx, wanted, call.run_id, args.note)
        settled = self._approving.answer(
            tx,
            wanted,
            person=spoke[-1],
            granted=args.granted,
            holds=Holds.ALWAYS if args.every_time else Holds.ONCE,
            note=args.note.strip(),
        )
        if settled is None:
            raise ToolError("that is answered already")
        return Result(text="recorded: " + ("they agreed" if args.granted else "they declined"))


def _verdict(reader: Reader, found: Approval) -> dict[str, object]:
    row: dict[str, object] = {
        "id": f"a{found.id}",
        "state": found.state.value,
        "question": found.question,
        "note": found.note,
        "every_time": found.holds is Holds.ALWAYS,
    }
    if found.answered_by is not None:
        row["by"] = people_named(reader, found.answered_by)
    return row


def _person(reader: Reader, session: int, named: str) -> int:
    """Somebody by id or name; people of this chat go before others of the same name."""
    if named.strip().removeprefix("p").isdigit():
        id = ids.read(named, "p")
        if people.find(reader, id) is None:
            raise ToolError(f"there is nobody {named!r}")
        return id
    wanted = named.strip().lstrip("@").casefold()
    found = [
        one.id
        for one in people.mentioned(reader, wanted)
        if not one.is_bot and one.name.casefold() == wanted
    ]
    here = audiences.find(reader, session)
    near = [one for one in found if here is not None and one in here.members]
    chosen = near or found
    if len(chosen) != 1:
        many = "more than one person is" if chosen else "I know nobody who is"
        raise ToolError(f"{many} called {named!r}; give an id like p4")
    return chosen[0]
