"""The only voice, and the choice not to use it."""

from dataclasses import replace

from pydantic import Field

from adapters.chat import Address, Button
from agency import consents, handoffs
from agency.consents import Consent
from agency.guard import leak
from agency.hearing import Hearing
from bot import texts
from bot.engine import ids, inputs, letters, sessions
from bot.engine.inputs import Input
from bot.engine.letters import Draft
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from bot.errors import ToolError
from bot.speaking import Speaking
from bot.standing import stands
from bot.tools import sentinels
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
        None, description="The id of the consent question this asks (c1): adds Yes and No buttons."
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
        if proactive and self._speaking.hold_back(tx, call.run_id):
            return Result(
                text="this chat asked for silence; it waits", ends_run=True, outcome="held"
            )
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
            key=_key(call),
            session_id=call.session_id,
            address=address,
            body=text,
            run_id=call.run_id,
            original_id=original,
            reply_to=_native(tx, call.session_id, args.reply_to),
            buttons=self._buttons(tx, call, args),
            proactive=proactive,
        )
        letters.post(tx, draft, now_us=now_us)
        if args.more:
            return Result(text="said")
        return Result(text="said", ends_run=True, outcome="spoken")

    def _guard(self, tx: Tx, call: Call, text: str, given: list[Input]) -> None:
        """What the agency caused is checked against private talk once more, as really worded."""
        if not any(one.origin for one in given):
            return
        audience = audiences.find(tx, call.session_id)
        if audience is None:
            raise ToolError("nobody is known to hear this chat, so nothing is said unasked")
        hears = Hearing(tx, audience, self._speaking.rules.privacy)
        if leak(tx, text, target=audience, hears=hears, agreed=_agreed(tx, given)):
            raise ToolError(
                "that repeats something said in private which this chat may not know; leave it out"
            )

    def _buttons(self, tx: Tx, call: Call, args: SayArgs) -> tuple[Button, ...]:
        if args.consent is None:
            return ()
        question = _open(tx, call.session_id, args.consent)
        if question.state is not consents.State.ASKED:
            raise ToolError(f"{args.consent!r} is answered already")
        lang = texts.language(args.text, setting=self._language)
        yes, no = texts.consent_buttons(lang)
        return (
            Button(label=yes, value=f"consent:{question.id}:yes"),
            Button(label=no, value=f"consent:{question.id}:no"),
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


class ConsentArgs(Args):
    """What somebody answered."""

    consent: str = Field(description="The id of the question, like c1.")
    granted: bool = Field(description="True for yes.")
    note: str = Field("", description="Their words, or a limit they set.")


class AnswerConsent(WriteTool[ConsentArgs]):
    """Records a yes or no given in plain words."""

    name = "answer_consent"
    description = (
        "Record what the person answered to a consent question of this chat, or that they took a "
        "yes back. Only when they clearly said yes or no to that question."
    )
    capability = Capability.ORCHESTRATE
    args = ConsentArgs

    def __init__(self, speaking: Speaking) -> None:
        self._speaking = speaking

    def write(self, tx: Tx, call: Call, args: ConsentArgs) -> Result:
        """The answer counts only from the person who was asked, in this very run."""
        consent = _open(tx, call.session_id, args.consent)
        speakers = {
            one.person_id
            for one in inputs.of_run(tx, call.run_id)
            if one.trigger is inputs.Trigger.MESSAGE
        }
        if consent.person_id not in speakers:
            raise ToolError("only the person who was asked can answer, and they have not spoken")
        settled = self._speaking.answer(
            tx, consent.id, person=consent.person_id, granted=args.granted, note=args.note
        )
        if settled is None:
            raise ToolError("they agreed to that already")
        return Result(text="recorded: " + ("they agreed" if args.granted else "they declined"))


def _key(call: Call) -> str:
    # The outbox passes it on as the platform's idempotency key, which has few signs.
    return f"r{call.run_id}.{call.step}.{call.use_id}"[: letters.KEY_LIMIT]


def _native(reader: Reader, session: int, id: str | None) -> str | None:
    """The platform's id of a message of this very chat."""
    if id is None:
        return None
    original = originals.find(reader, ids.read(id, "o"))
    if original is None or original.session_id != session or original.address is None:
        return None
    return Address.parse(original.address).message


def _open(reader: Reader, session: int, id: str) -> Consent:
    wanted = ids.read(id, "c")
    for one in consents.open_in(reader, session):
        if one.id == wanted:
            return one
    raise ToolError(f"there is no open question {id!r} in this chat")


def _agreed(reader: Reader, given: list[Input]) -> tuple[str, ...]:
    """What passed every gate and may be repeated here: the texts of what still stands."""
    standing = (one for one in given if one.origin and stands(reader, one))
    return tuple(text for one in standing for text in _texts(reader, one))


def _texts(reader: Reader, given: Input) -> tuple[str, ...]:
    if given.trigger is not inputs.Trigger.HANDOFF:
        return (given.text,)
    handoff = handoffs.get(reader, given.metadata["handoff"])
    return handoff.body, handoff.subject, handoff.subject_state
