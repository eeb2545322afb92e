"""A button under a question was pressed: checked against who may answer, then carried out."""

import re
from dataclasses import dataclass

from adapters.chat import Incoming
from agency import approvals, consents
from agency.approvals import Approval, Holds
from agency.consents import Consent, Scope
from bot import questions, texts
from bot.approving import Approving
from bot.engine.controller import SessionController
from bot.engine.inputs import Entry, Trigger
from bot.engine.sessions import Session
from bot.questions import Desk
from bot.rows import Rooms
from bot.speaking import Speaking
from memory.db import Tx

_PRESSED = re.compile(
    r"(?P<kind>consent|approval):(?P<id>\d{1,18}):(?P<word>yes|always|no)", re.ASCII
)


@dataclass(frozen=True, slots=True)
class _Press:
    """Who pressed what, where."""

    session: Session
    person: int
    id: int
    word: str

    @property
    def granted(self) -> bool:
        return self.word != "no"


class Presses:
    """Takes what people press; every method belongs to a transaction."""

    def __init__(
        self, speaking: Speaking, approving: Approving, controller: SessionController, desk: Desk
    ) -> None:
        self._speaking = speaking
        self._approving = approving
        self._controller = controller
        self._desk = desk

    def take(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        """Act on a press; one by somebody else, or too late, is answered and changes nothing."""
        pressed = _PRESSED.fullmatch(incoming.text)
        if pressed is None:
            return
        press = _Press(session, person, int(pressed["id"]), pressed["word"])
        if pressed["kind"] == "consent":
            self._consent(tx, press)
        else:
            self._approval(tx, press)

    def _consent(self, tx: Tx, press: _Press) -> None:
        asked = consents.find(tx, press.id)
        if asked is None:
            return
        if asked.person_id != press.person:
            self._refuse(tx, press, f"consent:{asked.id}", asked.body, [asked.person_id])
            return
        scope = Scope.ROOM if press.word == "always" else None
        settled = self._speaking.answer(
            tx, asked.id, person=press.person, granted=press.granted, note="by button", scope=scope
        )
        if settled is None:
            self._late_consent(tx, press, asked)
            return
        self._note(tx, press, "approval", "consent", settled.state.value)
        if settled.standing:
            lang = texts.language(settled.body)
            room = Rooms(tx).called(settled.target_id)
            said = questions.text("always told", lang, room=room, id=settled.id)
            self._tell(tx, press, f"always:c{settled.id}", said, about=f"consent:{settled.id}")

    def _late_consent(self, tx: Tx, press: _Press, asked: Consent) -> None:
        """A second click is none; one against what was said, or after its time, is answered."""
        lang, about = texts.language(asked.body), f"consent:{asked.id}"
        if asked.state is consents.State.EXPIRED:
            self._tell(
                tx, press, f"closed:c{asked.id}", questions.text("closed", lang), about=about
            )
        elif asked.state is consents.State.DENIED and press.granted:
            who = Rooms(tx).person(asked.person_id)
            said = questions.text("answered no", lang, who=who)
            self._tell(tx, press, f"settled:c{asked.id}", said, about=about)

    def _approval(self, tx: Tx, press: _Press) -> None:
        asked = approvals.find(tx, press.id)
        if asked is None:
            return
        may = [one.person_id for one in approvals.approvers(tx, asked.id)]
        if press.person not in may:
            self._refuse(tx, press, f"approval:{asked.id}", asked.question, may)
            return
        holds = Holds.ALWAYS if press.word == "always" else Holds.ONCE
        settled = self._approving.answer(
            tx, asked.id, person=press.person, granted=press.granted, holds=holds
        )
        if settled is None:
            self._late_approval(tx, press, asked)
            return
        self._note(tx, press, "approval-word", "approval", settled.state.value)
        if settled.holds is Holds.ALWAYS:
            said = questions.text("always done", texts.language(asked.question), id=settled.id)
            self._tell(tx, press, f"always:a{settled.id}", said, about=f"approval:{settled.id}")

    def _late_approval(self, tx: Tx, press: _Press, asked: Approval) -> None:
        lang, about = texts.language(asked.question), f"approval:{asked.id}"
        yes = asked.state is approvals.State.GRANTED
        if asked.answered_by is None or asked.state is approvals.State.REVOKED:
            said = questions.text("closed", lang)
            self._tell(tx, press, f"closed:a{asked.id}", said, about=about)
        elif asked.answered_by != press.person or yes != press.granted:
            who = Rooms(tx).person(asked.answered_by)
            said = questions.text("answered yes" if yes else "answered no", lang, who=who)
            self._tell(tx, press, f"settled:a{asked.id}", said, about=about)

    def _refuse(self, tx: Tx, press: _Press, about: str, said: str, may: list[int]) -> None:
        rooms, lang = Rooms(tx), texts.language(said)
        names = ("、" if lang == "zh" else ", ").join(rooms.person(one) for one in may)
        who = rooms.person(press.person)
        text = questions.text("not yours", lang, who=who, names=names)
        self._tell(tx, press, f"not-yours:{about}", text, about=about)

    def _tell(self, tx: Tx, press: _Press, key: str, said: str, *, about: str) -> None:
        """Once for a person, however often they press."""
        self._desk.post(tx, press.session.id, f"{key}:{press.person}", said, about=about)

    def _note(self, tx: Tx, press: _Press, key: str, kind: str, state: str) -> None:
        entry = Entry(
            session_id=press.session.id,
            trigger=Trigger.APPROVAL,
            parts=({"type": "text", "text": state},),
            key=f"{key}:{press.id}",
            metadata={kind: press.id, "granted": press.granted},
            person_id=press.person,
            wakes=False,
        )
        self._controller.submit_input(tx, entry)
