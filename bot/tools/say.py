"""The only voice, and the choice not to use it."""

from collections.abc import Iterator
from dataclasses import replace

from pydantic import Field

from adapters.chat import Address
from agency import approvals, consents, gates, handoffs
from agency.consents import Consent
from agency.gates import Rules
from agency.guard import leak
from agency.hearing import Hearing
from agency.vows import vow
from bot import questions, texts
from bot.engine import ids, inputs, letters, sessions, traces
from bot.engine.inputs import Input
from bot.engine.letters import Draft
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from bot.speaking import Speaking
from bot.standing import stands
from bot.tools import sentinels
from bot.tools.consent import open_question
from bot.tools.reminders import KEEPS
from memory import audiences, originals
from memory.db import Reader, Tx
from memory.moments import to_us
from memory.words import is_blank


class SayArgs(Args):
    """What is said."""

    text: str = Field(description="What to say in this chat, in Markdown.", min_length=1)
    reply_to: str | None = Field(None, description="The id of the message this answers, like o12.")
    more: bool = Field(False, description="True only if you will say something else right after.")
    consent: str | None = Field(
        None, description="The id of the consent question this asks (c1): adds its buttons."
    )


class Say(WriteTool[SayArgs]):
    """Posts to the chat of the run's own session, and nowhere else."""

    name = "say"
    description = (
        "Say something in this chat, the only way to be heard. Ends your turn unless `more` is set."
    )
    capability = Capability.SAY
    args = SayArgs

    def __init__(self, speaking: Speaking, *, bot_name: str, language: str) -> None:
        self._speaking = speaking
        self._bot_name = bot_name
        self._language = language

    def write(self, tx: Tx, call: Call, args: SayArgs) -> Result:
        """Keep the words as an original and put the letter into the outbox."""
        session = sessions.find(tx, call.session_id)
        address = session.address if session else None
        if address is None:
            raise ToolError("this session has no chat to speak in")
        if is_blank(args.text):
            raise ToolError("there is nothing to read in that; use stay_silent to say nothing")
        text = sentinels.spoken(args.text)
        if not text:
            return _unsaid(args)
        given = inputs.of_run(tx, call.run_id)
        proactive = not any(one.trigger is inputs.Trigger.MESSAGE for one in given)
        self._guard(tx, call, text, given)
        _hold_to_word(tx, call, text)
        if proactive and self._speaking.hold_back(tx, call.run_id):
            return Result(
                text="this chat does not want to be told that now", ends_run=True, outcome="held"
            )
        question, lang = self._asked(tx, call, args), self._lang(text)
        if question is not None:
            text = questions.exactly(tx, question, text, lang)
        now_us = to_us(call.now)
        original = originals.keep(
            tx,
            originals.Saying(
                session_id=call.session_id,
                kind=originals.Kind.OUTPUT,
                author=self._bot_name,
                body=text,
                said_us=now_us,
                run_id=call.run_id,
            ),
            now_us=now_us,
        )
        draft = Draft(
            key=letters.key_of(call.run_id, call.step, call.use_id),
            session_id=call.session_id,
            address=address,
            body=text,
            run_id=call.run_id,
            original_id=original,
            reply_to=_native(tx, call.session_id, args.reply_to),
            buttons=questions.consent_buttons(tx, question, lang) if question else (),
            proactive=proactive,
        )
        letters.post(tx, draft, now_us=now_us)
        if args.more:
            return Result(text="said")
        return Result(text="said", ends_run=True, outcome="spoken")

    def _guard(self, tx: Tx, call: Call, text: str, given: list[Input]) -> None:
        """Whatever is said is checked against private talk, as really worded; answers are too."""
        asked = any(one.trigger is inputs.Trigger.MESSAGE for one in given)
        caused = any(one.origin for one in given)
        audience = audiences.find(tx, call.session_id)
        if audience is None:
            if asked and not caused:
                return  # whoever hears it asked for it
            raise ToolError("nobody is known to hear this chat, so nothing is said unasked")
        hears = Hearing(tx, audience, self._speaking.rules.privacy)
        found = leak(
            tx,
            text,
            target=audience,
            hears=hears,
            agreed=(*_agreed(tx, given, self._speaking.rules), *_answers(tx, call.run_id)),
            now=call.now,
            asked=asked and not caused,
        )
        if found is not None:
            of = f" (o{found.private.original})" if found.private.original else ""
            raise ToolError(
                f"that repeats something said in private{of} which this chat may not know; "
                "leave it out"
            )

    def _asked(self, tx: Tx, call: Call, args: SayArgs) -> Consent | None:
        if args.consent is None:
            return None
        question = open_question(tx, call.session_id, args.consent)
        if question.state is not consents.State.ASKED:
            raise ToolError(f"{args.consent!r} is answered already")
        return question

    def _lang(self, text: str) -> texts.Language:
        return texts.language(text, setting=self._language)


_UNKEPT = "this promises something for later that nothing is set for"


def _hold_to_word(reader: Reader, call: Call, text: str) -> None:
    """What is promised for later is made sure of in this run, or said otherwise; asked for once."""
    promised = vow(text)
    if not promised:
        return
    for done in traces.results(reader, call.run_id):
        if (done.name in KEEPS and not done.failed) or _UNKEPT in done.body:
            return
    raise ToolError(
        f"{_UNKEPT}: {promised!r}. Set it with set_reminder or wait_for, or say it without "
        "promising; say it again as it is only if somebody else takes care of it."
    )


def _unsaid(args: SayArgs) -> Result:
    said = Result(text="nothing was said")
    return said if args.more else replace(said, ends_run=True, outcome="declined", reason=args.text)


class SilentArgs(Args):
    """Why nothing is said."""

    reason: str = Field(description="One short sentence, for the record.", min_length=1)


class StaySilent(WriteTool[SilentArgs]):
    """Ends the run without a word."""

    name = "stay_silent"
    description = (
        "Say nothing and end your turn; the reason is recorded, nobody in the chat sees it."
    )
    capability = Capability.SAY
    args = SilentArgs

    def write(self, tx: Tx, call: Call, args: SilentArgs) -> Result:
        """Nothing but the result itself, which the runtime keeps."""
        return Result(text="noted", ends_run=True, outcome="declined", reason=args.reason)


def _native(reader: Reader, session: int, id: str | None) -> str | None:
    """The platform's id of a message of this very chat."""
    if id is None:
        return None
    original = originals.find(reader, ids.read(id, "o"))
    if original is None or original.session_id != session or original.address is None:
        return None
    return Address.parse(original.address).message


def _agreed(reader: Reader, given: list[Input], rules: Rules) -> tuple[str, ...]:
    """What may be repeated here: what passed every gate and still stands, and what was asked."""
    standing = (
        one
        for one in given
        if (one.origin or one.trigger is inputs.Trigger.MESSAGE) and stands(reader, one)
    )
    return tuple(text for one in standing for text in _texts(reader, one, rules))


def _answers(reader: Reader, run: int) -> Iterator[str]:
    """What was asked for this run, and what those who were asked said to it."""
    for one in approvals.of_run(reader, run):
        yield from (one.question, one.subject, one.note)


def _texts(reader: Reader, given: Input, rules: Rules) -> tuple[str, ...]:
    if given.trigger is not inputs.Trigger.HANDOFF:
        return (given.text,)
    handoff = handoffs.get(reader, given.metadata["handoff"])
    if not gates.still_heard(reader, handoff, rules=rules):
        return ()  # somebody came in while it was worded
    if consents.of_handoff(reader, handoff.id):
        return (given.text,)  # whoever was asked has read just these words
    return handoff.body, handoff.subject, handoff.subject_state
