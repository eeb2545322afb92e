"""Approvals carried out: put to who may answer, answered, and the run that waits goes on.

ask ─► put in each approver's DM ─► a click or a word ─► the suspended run is queued again
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from adapters.chat import Button
from agency import approvals, handoffs, hours, mornings, policy
from agency.approvals import Approval, Approver, Asking, Holds, State
from agency.audience import Dm
from agency.gates import Rules
from agency.guard import leak
from agency.handoffs import Handoff
from agency.hearing import Hearing
from bot import questions, texts
from bot.engine import inputs, runs, sessions
from bot.engine.controller import SessionController
from bot.engine.waits import Bell, Clock
from bot.errors import ToolError
from bot.inbox import filling
from bot.questions import Desk
from bot.rows import Rooms
from memory import audiences, originals, people
from memory.audiences import Audience
from memory.db import Reader, Tx
from memory.moments import to_us

ANSWER_WITHIN = timedelta(days=7)
"""How long an answer is waited for unless another time is named."""
LONGEST = timedelta(days=366)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a run wants to have approved."""

    key: str
    """The same for the same use of a tool."""
    run_id: int
    session_id: int
    person_id: int
    """Who asked for it."""
    subject: str
    question: str
    approvers: tuple[int, ...]
    within: timedelta = ANSWER_WITHIN


class Approving:
    """Carries approvals through their states; every method belongs to a transaction."""

    def __init__(
        self,
        controller: SessionController,
        clock: Clock,
        desk: Desk,
        *,
        rules: Rules,
        bell: Bell,
        on_queued: Callable[[], None],
    ) -> None:
        self._controller = controller
        self._clock = clock
        self._desk = desk
        self._rules = rules
        self._bell = bell
        self._on_queued = on_queued

    def ask(self, tx: Tx, wish: Wish) -> Approval:
        """The approval of a wish: a fresh question, the one asked before, or a standing yes.

        ToolError where nobody may be asked. What was put once is not put again.
        """
        known = approvals.by_key(tx, wish.key)
        if known is not None:
            return known
        stands = approvals.standing(tx, wish.session_id, wish.subject, wish.approvers)
        if stands is not None:
            return stands
        now = self._clock()
        places = [(person, self._place(tx, wish, person)) for person in wish.approvers]
        asking = Asking(
            key=wish.key,
            subject=wish.subject,
            question=wish.question,
            session_id=wish.session_id,
            run_id=wish.run_id,
            person_id=wish.person_id,
            expires_us=to_us(now + min(wish.within, LONGEST)),
        )
        due = ((person, place, to_us(now)) for person, place in places)
        id = approvals.ask(tx, asking, due, now_us=to_us(now))
        self._put_due(tx)
        self._tell(tx, approvals.get(tx, id))
        tx.on_commit(self._bell.ring)
        return approvals.get(tx, id)

    def _tell(self, tx: Tx, asked: Approval) -> None:
        """Whoever wanted it asked is told whom was, or when they will be."""
        lang, rooms = texts.language(asked.question), Rooms(tx)
        may = approvals.approvers(tx, asked.id)
        names = ("、" if lang == "zh" else ", ").join(rooms.person(one.person_id) for one in may)
        due = min(one.due_at for one in may)
        waits = not any(one.put for one in may)
        when = f"{due.astimezone(self._rules.speaking.zone):%Y-%m-%d %H:%M}"
        said = questions.text("asked later" if waits else "asked", lang, names=names, when=when)
        self._desk.post(
            tx, asked.session_id, f"asked:a{asked.id}", said, about=f"approval:{asked.id}"
        )

    def answer(
        self, tx: Tx, id: int, *, person: int, granted: bool, holds: Holds, note: str = ""
    ) -> Approval | None:
        """Record a word and let the run go on; None when it was not theirs to give, or settled."""
        settled = approvals.answer(
            tx,
            id,
            person=person,
            granted=granted,
            holds=holds,
            note=note,
            now_us=to_us(self._clock()),
        )
        if settled is not None:
            filling.settled(tx, settled, now_us=to_us(self._clock()))
            self.go_on(tx, settled.session_id)
        return settled

    def check_note(self, reader: Reader, id: int, run: int, note: str) -> None:
        """A condition a model writes down is read elsewhere: it holds what was said to it alone."""
        found = approvals.find(reader, id)
        room = audiences.find(reader, found.session_id) if found and note.strip() else None
        if found is None or room is None:
            return
        given = inputs.of_run(reader, run)
        said = frozenset(one.original_id for one in given if one.original_id is not None)
        hears = Hearing(reader, room, self._rules.privacy)
        agreed = (found.question, found.subject)
        if leak(reader, note, target=room, hears=hears, allowed=said, agreed=agreed, asked=True):
            raise ToolError("that repeats something said in private; leave it out of the note")

    def take_back(self, tx: Tx, id: int, *, person: int) -> Approval | None:
        """End a yes of this person's, or a question they wanted asked; None where there is none."""
        now_us = to_us(self._clock())
        found = approvals.find(tx, id)
        if found is None:
            return None
        if found.state is State.ASKED and found.person_id == person:
            approvals.withdraw(tx, id, note="taken back", now_us=now_us)
            filling.settled(tx, approvals.get(tx, id), now_us=now_us)
            self.go_on(tx, found.session_id)
            return approvals.get(tx, id)
        return (
            approvals.get(tx, id)
            if approvals.revoke(tx, id, person=person, now_us=now_us)
            else None
        )

    def told(self, tx: Tx, handoff: Handoff, *, spoken: bool) -> None:
        """Whoever asked to have something told learns that it was, or was not."""
        asked = originals.find(tx, int(handoff.metadata.get(handoffs.REQUEST, 0)))
        if asked is None:
            return
        lang, room = texts.language(asked.body), Rooms(tx).called(handoff.target_id)
        said = questions.text("told" if spoken else "not told", lang, room=room)
        about = f"handoff:{handoff.id}"
        self._desk.post(tx, asked.session_id, f"told:h{handoff.id}", said, about=about)

    def withdraw_of_run(self, tx: Tx, run: int, note: str) -> None:
        """What a run wanted is no longer wanted: its open questions are closed, and it goes on."""
        for one in approvals.of_run(tx, run):
            if approvals.withdraw(tx, one.id, note=note, now_us=to_us(self._clock())):
                filling.settled(tx, approvals.get(tx, one.id), now_us=to_us(self._clock()))
                self.go_on(tx, one.session_id)

    def suspended(self, tx: Tx, run: runs.Run) -> None:
        """A run waits now: what came in meanwhile is for another one."""
        self._controller.run_for_waiting(tx, run.session_id)
        self.go_on(tx, run.session_id)

    def go_on(self, tx: Tx, session: int) -> None:
        """Queue the first suspended run of a session whose questions are settled.

        It waits while the session is busy, and goes on when that run is over.
        """
        if (run := _ready(tx, session)) is not None:
            runs.resume(tx, run, due_us=to_us(self._clock()))
            tx.on_commit(self._on_queued)

    def sweep(self, tx: Tx) -> None:
        """Do what time asks for: put, remind, close."""
        now_us = to_us(self._clock())
        for one in approvals.expire(tx, now_us=now_us):
            filling.settled(tx, approvals.get(tx, one.id), now_us=now_us)
            self.go_on(tx, one.session_id)
        for session in {run.session_id for run in runs.suspended(tx)}:
            self.go_on(tx, session)
        self._put_due(tx)

    def next_moment(self, reader: Reader) -> int | None:
        """When `sweep` has something to do next, in stored form."""
        if any(_ready(reader, run.session_id) for run in runs.suspended(reader)):
            return to_us(self._clock())
        return approvals.next_moment(reader)

    def _put_due(self, tx: Tx) -> None:
        now = self._clock()
        again: dict[int, list[Approver]] = defaultdict(list)
        for approver in approvals.due(tx, now_us=to_us(now)):
            if not self._still_theirs(tx, approver):
                continue
            settings = self._rules.speaking
            wanted = hours.in_chat(tx, approver.session_id, now=now, settings=settings)
            awake = policy.awake(now, wanted)
            if awake > now:
                approvals.put_off(tx, approver, due_us=to_us(awake))
            elif approver.put:
                again[approver.session_id].append(approver)
            else:
                self._put(tx, approver)
                remind = mornings.next_morning(now, wanted)
                approval = approvals.get(tx, approver.approval_id)
                soon = to_us(remind) if remind < approval.expires_at else None
                approvals.put(tx, approver, remind_us=soon, now_us=to_us(now))
                person, now_us = approver.person_id, to_us(now)
                filling.asked_to_approve(tx, approval, person, now_us=now_us)
        for found in again.values():
            self._remind(tx, found)

    def _still_theirs(self, tx: Tx, approver: Approver) -> bool:
        """Whether somebody may know of it still: people leave rooms while a question waits."""
        approval = approvals.get(tx, approver.approval_id)
        room = audiences.find(tx, approver.session_id)
        if room is not None and self._may_know(tx, approval.session_id, room):
            return True
        if not approvals.excuse(tx, approver):
            note = "nobody is left who may be asked"
            approvals.withdraw(tx, approval.id, note=note, now_us=to_us(self._clock()))
            self.go_on(tx, approval.session_id)
        return False

    def _put(self, tx: Tx, approver: Approver) -> None:
        approval = approvals.get(tx, approver.approval_id)
        body = questions.approval_text(tx, approval, approver.person_id, approver.session_id)
        self._post(tx, "approval", approver, body, questions.approval_buttons(approval))

    def _remind(self, tx: Tx, found: list[Approver]) -> None:
        """Call to mind what waits in a chat: one message, whatever was asked there."""
        first = found[0]
        wanted = [approvals.get(tx, one.approval_id) for one in found]
        asked = [
            questions.approval_text(tx, approval, one.person_id, one.session_id)
            for approval, one in zip(wanted, found, strict=True)
        ]
        lang = texts.language(wanted[0].question)
        said = questions.text("still", lang, question=asked[0])
        buttons: tuple[Button, ...] = ()
        if len(found) > 1:
            lines = (f"- {one}" for one in asked)
            said = "\n".join((questions.text("still several", lang), *lines))
        else:
            buttons = questions.approval_buttons(wanted[0])
        self._post(tx, "reminder", first, said, buttons)
        for one in found:
            approvals.reminded(tx, one)

    def _post(
        self, tx: Tx, name: str, to: Approver, body: str, buttons: tuple[Button, ...]
    ) -> None:
        self._desk.post(
            tx,
            to.session_id,
            f"{name}:a{to.approval_id}:{to.person_id}",
            body,
            about=f"approval:{to.approval_id}",
            buttons=buttons,
            proactive=True,
        )

    def _place(self, tx: Tx, wish: Wish, person: int) -> int:
        """Where somebody is asked: in their DM, or in the room itself if they sit in it."""
        for room in _dms(tx, person):
            self._check(tx, wish, room)
            return room.session_id
        here = audiences.find(tx, wish.session_id)
        if here is not None and not here.direct and person in here.members:
            self._check(tx, wish, here)
            return here.session_id
        name = people_named(tx, person)
        raise ToolError(f"{name} has no direct chat with me and is not here, so I cannot ask them")

    def _check(self, tx: Tx, wish: Wish, room: Audience) -> None:
        """Whoever is asked reads the words, so they must be free to know them."""
        hears = Hearing(tx, room, self._rules.privacy)
        if not self._may_know(tx, wish.session_id, room):
            raise ToolError("they may not know what is said here, so they cannot be asked about it")
        given = inputs.of_run(tx, wish.run_id)
        asked = frozenset(one.original_id for one in given if one.original_id is not None)
        said = f"{wish.subject}\n{wish.question}"
        if leak(tx, said, target=room, hears=hears, allowed=asked):
            raise ToolError("that repeats something said in private which they may not know")

    def _may_know(self, tx: Tx, session: int, room: Audience) -> bool:
        """Whether what is asked in a session may be put to the people of a room."""
        here = audiences.find(tx, session)
        if here is not None and here.direct and session != room.session_id:
            # Whoever asks in private wants just this to be passed on, and their word is enough.
            return self._rules.privacy.dm is not Dm.NEVER
        return Hearing(tx, room, self._rules.privacy)(session)


def people_named(reader: Reader, person: int) -> str:
    """What somebody is called."""
    found = people.find(reader, person)
    return found.name if found else f"p{person}"


def _ready(reader: Reader, session: int) -> int | None:
    """The first suspended run of a session that can go on; None while the session is busy."""
    if runs.open_of(reader, session) is not None:
        return None
    for run in runs.suspended(reader, session):
        if all(one.state is not State.ASKED for one in approvals.of_run(reader, run.id)):
            return run.id
    return None


def _dms(reader: Reader, person: int) -> list[Audience]:
    """Somebody's own chats with the bot, the one with the latest talk first."""
    rooms = (audiences.find(reader, one) for one in audiences.heard_by(reader, person))
    known = [
        (found.last_at, room)
        for room in rooms
        if room is not None
        and room.direct
        and (found := sessions.find(reader, room.session_id)) is not None
    ]
    return [room for _, room in sorted(known, key=lambda one: one[0], reverse=True)]
