"""Orders about a yes or no: what waits for one, what was allowed, and taking it back."""

from collections.abc import Iterator

from agency import approvals, consents
from agency.approvals import Approval, Holds
from agency.consents import Consent, Scope
from agency.gates import Rules
from bot import questions
from bot.approving import Approving
from bot.commands import marks
from bot.commands.asked import Asked, moment
from bot.commands.marks import Mark
from bot.commands.words import EVERY_TIME
from bot.rows import Rooms
from bot.speaking import Speaking
from memory.db import Reader, Tx

SHOWN = 300  # signs of a text


class Yeses:
    """Lists, takes and takes back what people agree to."""

    def __init__(self, speaking: Speaking, approving: Approving) -> None:
        self._speaking = speaking
        self._approving = approving

    @property
    def _rules(self) -> Rules:
        return self._speaking.rules

    def approvals(self, reader: Reader, asked: Asked) -> str:
        """What waits for the asker's word, and for what the asker waits."""
        waiting = [*self._waiting(reader, asked)]
        wished = approvals.asked_for(reader, asked.person)
        here = [one for one in wished if asked.direct or one.session_id == asked.session.id]
        lines = [asked.text("approvals"), *waiting] if waiting else [asked.text("no approvals")]
        if here:
            lines += [asked.text("wished"), *(self._wished(reader, asked, one) for one in here)]
        return "\n".join(lines)

    def consents(self, reader: Reader, asked: Asked) -> str:
        """What the asker allowed and can take back, and what waits for their word."""
        if not asked.direct:
            return asked.text("in my own chat")
        given = [
            *(self._given(reader, asked, one) for one in consents.given_by(reader, asked.person)),
            *(self._always(asked, one) for one in approvals.given_by(reader, asked.person)),
        ]
        waiting = [*self._waiting(reader, asked)]
        lines = [asked.text("consents"), *given] if given else [asked.text("no consents")]
        return "\n".join([*lines, asked.text("approvals"), *waiting] if waiting else lines)

    def approve(self, tx: Tx, asked: Asked) -> str:
        """Say yes to one question."""
        return self._answer(tx, asked, granted=True)

    def decline(self, tx: Tx, asked: Asked) -> str:
        """Say no to one question."""
        return self._answer(tx, asked, granted=False)

    def take_back(self, tx: Tx, asked: Asked) -> str:
        """End a yes, or a question the asker wanted put."""
        mark = marks.read(asked.command.argument)
        if mark is None:
            return asked.text("say which")
        if mark.kind == "a":
            taken = self._approving.take_back(tx, mark.id, person=asked.person)
            return asked.text("taken back" if taken else "nothing to take back", id=mark)
        return self._take_back_consent(tx, asked, mark)

    def _take_back_consent(self, tx: Tx, asked: Asked, mark: Mark) -> str:
        found = consents.find(tx, mark.id)
        mine = found if found is not None and found.person_id == asked.person else None
        if mine is None or mine.state not in (consents.State.ASKED, consents.State.GRANTED):
            return asked.text("nothing to take back", id=mark)
        told = mine.state is consents.State.GRANTED and mine not in consents.given_by(
            tx, asked.person
        )
        self._speaking.answer(tx, mark.id, person=asked.person, granted=False, note="taken back")
        if told:
            return questions.text("told already", asked.lang)
        return asked.text("taken back", id=mark)

    def _answer(self, tx: Tx, asked: Asked, *, granted: bool) -> str:
        mark = marks.read(asked.command.argument)
        if mark is None:
            return asked.text("say which")
        always = mark.rest in EVERY_TIME
        if mark.kind == "a":
            holds = Holds.ALWAYS if always else Holds.ONCE
            settled = (
                self._approving.answer(
                    tx, mark.id, person=asked.person, granted=granted, holds=holds
                )
                is not None
            )
        else:
            scope = Scope.ROOM if granted and always else None
            settled = (
                self._speaking.answer(
                    tx,
                    mark.id,
                    person=asked.person,
                    granted=granted,
                    note="by command",
                    scope=scope,
                )
                is not None
            )
        if not settled:
            return asked.text("no such question", id=mark)
        return asked.text("noted yes" if granted else "noted no", id=mark)

    def _waiting(self, reader: Reader, asked: Asked) -> Iterator[str]:
        rooms = Rooms(reader)
        if asked.direct:
            open_to_me = consents.waiting_on(reader, asked.person)
            found = approvals.waiting_on(reader, asked.person)
        else:
            open_to_me, found = [], approvals.open_in(reader, asked.session.id)
        for one in open_to_me:
            yield asked.text(
                "approval",
                id=f"c{one.id}",
                room=rooms.called(one.target_id),
                until=moment(asked, one.expires_at, self._rules),
                text=_short(one.body),
            )
        for wanted in found:
            yield asked.text(
                "to approve",
                id=f"a{wanted.id}",
                who=rooms.person(wanted.person_id),
                until=moment(asked, wanted.expires_at, self._rules),
                text=_short(wanted.question),
            )

    def _wished(self, reader: Reader, asked: Asked, one: Approval) -> str:
        rooms = Rooms(reader)
        may = approvals.approvers(reader, one.id)
        return asked.text(
            "wish",
            id=f"a{one.id}",
            names=("、" if asked.lang == "zh" else ", ").join(
                rooms.person(approver.person_id) for approver in may
            ),
            until=moment(asked, one.expires_at, self._rules),
            text=_short(one.question),
        )

    def _given(self, reader: Reader, asked: Asked, one: Consent) -> str:
        reach = asked.text(f"reach {one.scope.value}")
        until = ""
        if one.until is not None:
            until = asked.text("reach until", until=moment(asked, one.until, self._rules))
        return asked.text(
            "given",
            id=f"c{one.id}",
            room=Rooms(reader).called(one.target_id),
            reach=reach + until,
            text=_short(one.body),
        )

    def _always(self, asked: Asked, one: Approval) -> str:
        return asked.text("given always", id=f"a{one.id}", text=_short(one.question))


def _short(said: str) -> str:
    flat = " ".join(said.split())
    return flat if len(flat) <= SHOWN else flat[: SHOWN - 1] + "…"
