"""What somebody said of the use of a message, in words of their own."""

from pydantic import Field

from agency import feedback
from agency.feedback import Kind
from bot.engine import ids, inputs, sessions
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from bot.responses import Responses
from memory.db import Tx


class UsefulnessArgs(Args):
    """One word on one message."""

    message: str = Field(description="Your own message they mean, like o12.")
    useful: bool = Field(description="False when they do not want to be told such things.")


class NoteUsefulness(WriteTool[UsefulnessArgs]):
    """Takes a word for or against something the bot told unasked."""

    name = "note_usefulness"
    description = (
        "Somebody says that something you told here unasked was useful, or was not. They are told "
        "less of that subject for a while, or as before again. Only when they clearly said so."
    )
    capability = Capability.SELF
    args = UsefulnessArgs

    def __init__(self, responses: Responses) -> None:
        self._responses = responses

    def write(self, tx: Tx, call: Call, args: UsefulnessArgs) -> Result:
        """Counts for whoever spoke in this very run."""
        given = [one for one in inputs.of_run(tx, call.run_id) if one.waited_for]
        speaker = given[-1] if given else None
        if speaker is None or speaker.person_id is None:
            raise ToolError("nobody spoke to you in this turn")
        session = sessions.find(tx, call.session_id)
        chat = (session.parent_id or session.id) if session else None
        tellings = feedback.of_original(tx, ids.read(args.message, "o"))
        here = [one for one in tellings if one.session_id == chat]
        if not here:
            raise ToolError(f"{args.message!r} is nothing you told here unasked")
        kind = Kind.USEFUL if args.useful else Kind.UNWANTED
        for telling in here:
            self._responses.note(tx, telling, speaker.person_id, kind, evidence=speaker.original_id)
        return Result(text="noted: " + ("as before" if args.useful else "less of that for a while"))
