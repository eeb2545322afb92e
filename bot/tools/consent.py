"""A person's word, in plain words, on whether something they said in private may be told."""

from datetime import date, datetime, time, tzinfo
from typing import Literal

from pydantic import Field

from agency import consents, grid
from agency.consents import Consent, Scope
from bot.engine import ids, inputs
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from bot.rows import at
from bot.speaking import Speaking
from memory.db import Reader, Tx


class ConsentArgs(Args):
    """What somebody answered."""

    consent: str = Field(description="The id of the question, like c1.")
    granted: bool = Field(description="True for yes.")
    reach: Literal["once", "fact", "room"] = Field(
        "once",
        description="How far a yes reaches, by their own words. once: this telling. fact: "
        "whatever rests on the same messages. room: all they tell you here, always to that room.",
    )
    other_words: bool = Field(
        False, description="With a no: true if they would agree to other words; say which in note."
    )
    until: str | None = Field(
        None, description="When a yes ends, as ISO date or time, such as 2026-12-04."
    )
    note: str = Field("", description="Their words, or a limit they set.")


class AnswerConsent(WriteTool[ConsentArgs]):
    """Records a yes or no given in plain words."""

    name = "answer_consent"
    description = (
        "Record what the person answered to a consent question of this chat, or that they took a "
        "yes back. Only when they clearly said yes or no to that question. A yes to other words "
        "than those of the question ('but not the date') is a no with other_words."
    )
    capability = Capability.ORCHESTRATE
    args = ConsentArgs

    def __init__(self, speaking: Speaking) -> None:
        self._speaking = speaking

    def write(self, tx: Tx, call: Call, args: ConsentArgs) -> Result:
        """The answer counts only from the person who was asked, in this very run."""
        consent = open_question(tx, call.session_id, args.consent)
        speakers = {
            one.person_id
            for one in inputs.of_run(tx, call.run_id)
            if one.trigger is inputs.Trigger.MESSAGE
        }
        if consent.person_id not in speakers:
            raise ToolError("only the person who was asked can answer, and they have not spoken")
        settled = self._speaking.answer(
            tx,
            consent.id,
            person=consent.person_id,
            granted=args.granted,
            note=args.note,
            scope=_scope(args),
            until=self._end(args, call.now) if args.granted and args.until else None,
        )
        if settled is None:
            raise ToolError("they agreed to that already")
        return Result(text="recorded: " + _recorded(settled))

    def _end(self, args: ConsentArgs, now: datetime) -> datetime:
        end = moment(str(args.until), self._speaking.rules.speaking.zone)
        if end <= now:
            raise ToolError(f"until is {args.until!r}, which is over; give a later date or time")
        return end


def open_question(reader: Reader, session: int, id: str) -> Consent:
    """A question of a chat that can be answered, or a yes that can be taken back."""
    wanted = ids.read(id, "c")
    for one in consents.open_in(reader, session):
        if one.id == wanted:
            return one
    raise ToolError(f"there is no open question {id!r} in this chat")


def moment(written: str, zone: tzinfo) -> datetime:
    """An ISO date (its end) or time, in a zone unless it names one."""
    try:
        if len(written) <= len("2026-12-04"):
            day = datetime.combine(date.fromisoformat(written), time())
            return grid.next_daily(grid.instant(day, zone), time(), zone)
        found = datetime.fromisoformat(written)
    except ValueError as error:
        raise ToolError(
            f"until is {written!r}; give an ISO date or time such as 2026-12-04"
        ) from error
    return found if found.tzinfo else grid.instant(found, zone)


def _scope(args: ConsentArgs) -> Scope | None:
    if not args.granted:
        return Scope.ONCE if args.other_words else None
    # A yes that ends later is one for more than the moment.
    return Scope.FACT if args.until and args.reach == "once" else Scope(args.reach)


def _recorded(settled: Consent) -> str:
    if settled.state is not consents.State.GRANTED:
        return "they declined"
    until = f" until {at(settled.until)}" if settled.until else ""
    if settled.scope is Scope.ONCE:
        return f"they agreed{until}"
    reach = "all they tell you here" if settled.scope is Scope.ROOM else "the same messages"
    return f"they agreed, for {reach}{until}; c{settled.id} is how they can take it back"
