"""Reminders, tasks at a time, and things to wait for: what people ask a chat's agent to keep."""

from dataclasses import replace
from datetime import timedelta
from typing import Literal

from pydantic import Field

from agency import intentions, schedules
from agency.intentions import Intention, Wish
from agency.schedules import Kind, Schedule
from agency.whens import Unclear
from bot import rows, texts
from bot.engine import ids, inputs
from bot.engine.inputs import Input, Trigger
from bot.engine.tool import Args, Call, Capability, ReadTool, Result, WriteTool
from bot.errors import ToolError
from bot.models import sections
from bot.rows import Row
from bot.texts import Language
from bot.timed import keeping, places, wording
from bot.timed.keeping import Ask, Keeping, Refused
from bot.timed.places import NoPlace
from memory import originals
from memory.db import Database, Reader, Tx

KEEPS = frozenset(
    "set_reminder change_reminder list_reminders wait_for set_intention ask_approval "
    "start_subagent".split()
)
"""The tools by which a run makes sure of something later, or finds that it is made sure of."""


class SetArgs(Args):
    """What to say, to whom, when."""

    text: str = Field(
        description="What to remind them of, in their words; for a task, what you do then.",
        min_length=1,
    )
    when: str = Field(
        description="When, in the person's own words: 'on Friday at three', '每周一9点'. Do not "
        "work out dates yourself.",
        min_length=1,
    )
    who: str = Field(
        "me", description="'me' (who asks), 'us' (this chat), names of people, or '#room'."
    )
    kind: Literal["reminder", "task"] = Field(
        "reminder", description="reminder: the words are said. task: you do something here then."
    )


class _Keeper:
    """What the tools here have in common."""

    def __init__(self, keeping: Keeping, *, language: str) -> None:
        self._keeping = keeping
        self._language = language

    def _asked(self, reader: Reader, call: Call) -> Input:
        said = [one for one in inputs.of_run(reader, call.run_id) if one.person_id is not None
                and one.trigger is Trigger.MESSAGE]  # fmt: skip
        if not said:
            raise ToolError("nobody has asked for that in this run")
        return next((one for one in reversed(said) if one.waited_for), said[-1])

    def _lang(self, asked: Input) -> Language:
        return texts.language(asked.text, setting=self._language)

    def _schedule(self, reader: Reader, call: Call, id: str, person: int) -> Schedule:
        found = schedules.find(reader, ids.read(id, "r"))
        seen = found is not None and (
            keeping.may_end(reader, found, person)
            and (found.owner_id == person or found.target_id == call.session_id)
        )
        if found is None or not seen:
            raise ToolError(f"they have no reminder {id!r}; list_reminders tells those they have")
        return found

    def _told(self, reader: Reader, call: Call, made: list[Schedule], lang: Language) -> Result:
        shown = [keeping.row(reader, one, lang, now=call.now) for one in made]
        return Result(text=sections.render("reminders", shown))


class SetReminder(_Keeper, WriteTool[SetArgs]):
    """Keeps a reminder or a task."""

    name = "set_reminder"
    description = (
        "Remind somebody of something at a time, once or again and again, or do something here "
        "then. Confirm with the day, date and time of `when` in the result."
    )
    capability = Capability.SELF
    args = SetArgs

    def write(self, tx: Tx, call: Call, args: SetArgs) -> Result:
        """A `reminders` section with what was set."""
        asked = self._asked(tx, call)
        ask = Ask(
            key=call.key,
            kind=Kind(args.kind),
            owner_id=asked.person_id or 0,
            session_id=call.session_id,
            who=args.who,
            when=args.when,
            text=args.text,
            language=self._lang(asked),
            original_id=asked.original_id,
        )
        try:
            self._keeping.check(tx, ask)
            made = [
                self._keeping.set(tx, replace(ask, who=who, key=f"{call.key}:{number}"))
                for number, who in enumerate(places.names(ask.who))
            ]
        except (Refused, NoPlace) as error:
            raise ToolError(str(error)) from error
        except Unclear as unclear:
            raise ToolError(wording.trouble(unclear, ask.language)) from unclear
        return self._told(tx, call, made, ask.language)


class ListArgs(Args):
    """Nothing."""


class ListReminders(_Keeper, ReadTool[ListArgs]):
    """Tells what is set and waited for."""

    name = "list_reminders"
    description = "The reminders, tasks and things waited for that may be spoken of in this chat."
    capability = Capability.READ
    args = ListArgs

    async def read(self, db: Database, call: Call, args: ListArgs) -> Result:
        """A section `reminders`, and one `waiting`."""

        def look(reader: Reader) -> str:
            asked = self._asked(reader, call)
            lang, person = self._lang(asked), asked.person_id
            found = keeping.visible(reader, call.session_id, person)
            shown = [keeping.row(reader, one, lang, now=call.now) for one in found]
            waiting = map(waiting_row, wished_here(reader, call.session_id, person))
            return "\n".join(
                [sections.render("reminders", shown), sections.render("waiting", waiting)]
            )

        return Result(text=await db.read(look))


class ChangeArgs(Args):
    """Another time, or other words."""

    id: str = Field(description="Like r3.")
    when: str = Field("", description="The new time in their words; empty keeps it.")
    text: str = Field("", description="The new words; empty keeps them.")


class ChangeReminder(_Keeper, WriteTool[ChangeArgs]):
    """Moves a reminder, or says one again."""

    name = "change_reminder"
    description = (
        "Move a reminder to another time or give it other words. One that was said already is said "
        "again at that time."
    )
    capability = Capability.SELF
    args = ChangeArgs

    def write(self, tx: Tx, call: Call, args: ChangeArgs) -> Result:
        """A `reminders` section with what it is now."""
        asked = self._asked(tx, call)
        found = self._schedule(tx, call, args.id, asked.person_id or 0)
        if not (args.when.strip() or args.text.strip()):
            raise ToolError("say the new time, the new words, or both")
        try:
            made = self._keeping.change(
                tx, found, when=args.when, text=args.text, key=call.key, original=asked.original_id
            )
        except Refused as error:
            raise ToolError(str(error)) from error
        except Unclear as unclear:
            raise ToolError(wording.trouble(unclear, self._lang(asked))) from unclear
        return self._told(tx, call, [made], self._lang(asked))


class CancelArgs(Args):
    """Which one."""

    id: str = Field(
        description="Like r3; n3 for something waited for; 'all' for every reminder of theirs here."
    )


class CancelReminder(_Keeper, WriteTool[CancelArgs]):
    """Ends a reminder, a task or a wait."""

    name = "cancel_reminder"
    description = "Cancel a reminder or a task (r3), or wait no longer for something (n3)."
    capability = Capability.SELF
    args = CancelArgs

    def write(self, tx: Tx, call: Call, args: CancelArgs) -> Result:
        """What was ended, or that it was over already."""
        asked = self._asked(tx, call)
        person = asked.person_id or 0
        if args.id.strip().casefold() == "all":
            own = keeping.visible(tx, call.session_id, person)
            ended = [
                self._keeping.cancel(tx, one, reason="cancelled in the chat")
                for one in own
                if one.owner_id == person
            ]
            return Result(text=f"{sum(ended)} cancelled")
        if args.id.strip().startswith("n"):
            wish = intentions.find(tx, ids.read(args.id, "n"))
            if wish is None or wish.wish is None or wish.wish.person_id != person:
                raise ToolError(f"they wait for no {args.id!r}")
            done = self._keeping.drop_wish(tx, wish, reason="who asked no longer wants it")
            return Result(text="no longer waited for" if done else "it was over already")
        found = self._schedule(tx, call, args.id, person)
        done = self._keeping.cancel(tx, found, reason="cancelled in the chat")
        return Result(text="cancelled" if done else "it was over already")


class WaitArgs(Args):
    """What has to come to pass."""

    condition: str = Field(
        description="What has to be said, in their words: 'the contract is signed', '日期确认'.",
        min_length=1,
    )
    said_by: str = Field("", description="Who has to say it; empty for anybody.")
    days: float = Field(30, gt=0, le=365, description="How long it is waited for.")


class WaitFor(_Keeper, WriteTool[WaitArgs]):
    """Keeps what somebody wants to be told of once it is said anywhere they may hear."""

    name = "wait_for"
    description = (
        "Tell this chat once something has come to pass: 'tell me when the contract is signed'. It "
        "is noticed when somebody says so, where the people here may hear it."
    )
    capability = Capability.SELF
    args = WaitArgs

    def write(self, tx: Tx, call: Call, args: WaitArgs) -> Result:
        """A `waiting` section with what is waited for."""
        asked = self._asked(tx, call)
        person = asked.person_id or 0
        try:
            by = self._sayer(tx, asked, args.said_by)
            wish = Wish(
                person_id=person,
                session_id=call.session_id,
                condition=args.condition.strip(),
                language=self._lang(asked),
                said_by=by,
                expires_at=call.now + timedelta(days=args.days),
            )
            kept = self._keeping.wish(tx, wish, original=asked.original_id)
        except ValueError as error:
            raise ToolError(str(error)) from error
        return Result(text=sections.render("waiting", [waiting_row(kept)]))

    def _sayer(self, reader: Reader, asked: Input, name: str) -> int | None:
        person = asked.person_id or 0
        if not name.strip():
            return None
        found = places.person_called(reader, person, name, self._lang(asked))
        return None if found == person else found


def wished_here(reader: Reader, session: int, person: int | None) -> list[Intention]:
    """What somebody waits for: in their DM all of it, elsewhere what they asked for there."""
    if person is None:
        return []
    own = places.direct(reader, person, near=session) == session
    found = intentions.wished_by(reader, person)
    return [one for one in found if own or (one.wish and one.wish.session_id == session)]


def waiting_row(one: Intention) -> Row:
    """Something waited for, as models and pages are shown it."""
    until = rows.at(one.wish.expires_at) if one.wish else ""
    return {"id": f"n{one.id}", "condition": one.body, "until": until}


def replied(reader: Reader, original: int | None) -> Schedule | None:
    """The reminder whose words a message answers."""
    found = originals.find(reader, original) if original is not None else None
    if found is None or not found.reply_to:
        return None
    return schedules.said_as(reader, int(found.reply_to[1:]))
