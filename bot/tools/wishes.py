"""What people want of the bot, said in other words than a command's."""

from typing import Literal

from pydantic import Field

from bot import texts
from bot.access import Right
from bot.commands.asked import Asked
from bot.commands.parse import Command
from bot.commands.wanting import Wanting
from bot.commands.worded import takes
from bot.commands.words import Word
from bot.engine import inputs, sessions
from bot.engine.inputs import Input
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from bot.speaking import Speaking
from memory import audiences, people
from memory.db import Reader, Tx

Wish = Literal[
    "mute", "mute_here", "unmute", "only_answer_here", "speak_up_here", "pause_me", "resume_me",
    "my_time_zone", "my_quiet_hours", "my_daily_limit",
]  # fmt: skip
_WORDS: dict[Wish, Word] = {
    "mute": Word.MUTE,
    "mute_here": Word.MUTE_HERE,
    "unmute": Word.UNMUTE,
    "only_answer_here": Word.ANSWERS,
    "speak_up_here": Word.SPEAK,
    "pause_me": Word.PAUSE_ME,
    "resume_me": Word.RESUME_ME,
    "my_time_zone": Word.ZONE,
    "my_quiet_hours": Word.MY_QUIET,
    "my_daily_limit": Word.MY_QUOTA,
}
_FORMS: dict[Wish, str] = {
    "mute": "a subject in a few words, like 'the newsletter'",
    "mute_here": "a subject in a few words, like 'the newsletter'",
    "unmute": "the subject as it was muted",
    "only_answer_here": "empty, or an end like 'until Monday'",
    "speak_up_here": "empty",
    "pause_me": "empty, or an end like 'until Monday'",
    "resume_me": "empty",
    "my_time_zone": "an IANA name like 'Europe/Berlin', or 'off'",
    "my_quiet_hours": "from and to like '22:00-07:00', or 'off'",
    "my_daily_limit": "a number, or 'off'",
}


class WishArgs(Args):
    """What somebody wants."""

    wish: Wish = Field(
        description="mute: the speaker wants to hear no more of a subject, mute_here: this room "
        "does not. only_answer_here: nothing unasked in this chat. pause_me: nothing unasked to "
        "the speaker, anywhere. The others take a wish back or say when the speaker's day is."
    )
    what: str = Field("", description="; ".join(f"{name}: {form}" for name, form in _FORMS.items()))


class SetWish(WriteTool[WishArgs]):
    """Keeps a wish of the person who speaks; the same as the command would."""

    name = "set_wish"
    description = (
        "Keep what the person who speaks wants of you: less of a subject, quiet here, nothing "
        "unasked for a while, their zone and hours. Only when they clearly ask for it."
    )
    capability = Capability.SELF
    args = WishArgs

    def __init__(self, speaking: Speaking, *, language: str) -> None:
        self._wanting = Wanting(speaking)
        self._language = language

    def write(self, tx: Tx, call: Call, args: WishArgs) -> Result:
        """Carry it out, and tell what to confirm."""
        word, what = _WORDS[args.wish], args.what.strip()
        if not takes(word, what):
            raise ToolError(f"{args.wish} takes {_FORMS[args.wish]}; got {args.what!r}")
        asked = self._asked(tx, call, Command(word=word, argument=what))
        answer = {
            Word.MUTE: self._wanting.mute,
            Word.MUTE_HERE: self._wanting.mute_here,
            Word.UNMUTE: self._wanting.unmute,
            Word.ANSWERS: self._wanting.answers_only,
            Word.SPEAK: self._wanting.speak_up,
            Word.PAUSE_ME: self._wanting.pause_me,
            Word.RESUME_ME: self._wanting.resume_me,
            Word.ZONE: self._wanting.zone,
            Word.MY_QUIET: self._wanting.my_quiet,
            Word.MY_QUOTA: self._wanting.my_quota,
        }[word](tx, asked)
        return Result(text=f"done; confirm it with what this says: {answer}")

    def _asked(self, tx: Tx, call: Call, command: Command) -> Asked:
        said = _last_said(tx, call.run_id)
        session = sessions.find(tx, call.session_id)
        if session is None or said is None or said.person_id is None:
            raise ToolError("nobody asked for that in this chat")
        person = people.find(tx, said.person_id)
        if person is None or person.is_bot:
            raise ToolError("only people have wishes of their own")
        return Asked(
            command=command,
            session=session,
            audience=audiences.find(tx, session.id),
            person=person.id,
            right=Right.ALLOWED,
            original=said.original_id or 0,
            target=None,
            now=call.now,
            lang=texts.language(said.text, setting=self._language),
        )


def _last_said(reader: Reader, run: int) -> Input | None:
    """The last message a run was given; who asks for something has said so."""
    said = [one for one in inputs.of_run(reader, run) if one.trigger is inputs.Trigger.MESSAGE]
    return said[-1] if said else None
