"""From a proposal to a session: the gates' verdicts carried out, consents asked and answered."""

from dataclasses import replace
from datetime import datetime, timedelta

from agency import (
    cases,
    consents,
    fires,
    gates,
    handoffs,
    hours,
    inbox,
    mornings,
    mutes,
    policy,
    repeats,
    schedules,
)
from agency.audience import Flow
from agency.cases import Place
from agency.consents import Consent, Scope
from agency.gates import Ask, Rules, Verdict
from agency.handoffs import Handoff, Proposal, State
from agency.hearing import Hearing
from bot import questions
from bot.engine import letters, sessions, talks
from bot.engine.controller import SessionController, Want
from bot.engine.inputs import Entry, Trigger
from bot.engine.letters import Letter
from bot.engine.runs import Priority
from bot.engine.sessions import Attention
from bot.engine.waits import Clock
from bot.inbox import filling
from memory import audiences, originals
from memory.db import Reader, Tx
from memory.moments import to_us

FRESH = timedelta(minutes=1)
"""How long a letter is as true as when it was written; later it is looked at again."""
ANSWER_WITHIN = timedelta(days=2)
_UNTOLD = frozenset({State.ASKING, State.HELD, State.DIGEST, State.ADMITTED, State.DELIVERED})


class Speaking:
    """Carries handoffs through their states; every method belongs to a transaction."""

    def __init__(self, controller: SessionController, clock: Clock, *, rules: Rules) -> None:
        self._controller = controller
        self._clock = clock
        self.rules = rules

    def propose(self, tx: Tx, proposal: Proposal, *, live: bool) -> tuple[Handoff, Verdict]:
        """Judge a proposal and act on the verdict."""
        proposal = self._counted(tx, proposal)
        self._lapse(tx)
        found = originals.find_many(tx, list(proposal.sources))
        versions = {original.id: original.version for original in found}
        handoff, fresh = handoffs.propose(tx, proposal, versions, now_us=self._now_us())
        if not fresh:
            same = f"the same was handed over before and is {handoff.state.value}"
            return handoff, Verdict(state=State.REFUSED, reason=same)
        verdict = self._unwelcome(tx, handoff) or gates.judge(
            tx,
            handoff,
            live=live,
            now=self._clock(),
            rules=self.rules,
            place=self._place(tx, handoff.target_id),
        )
        if verdict.state in (State.ADMITTED, State.HELD, State.ASKING, State.DIGEST):
            self._supersede(tx, handoff)
        self._carry_out(tx, handoff, verdict)
        return handoffs.get(tx, handoff.id), verdict

    def answer(
        self,
        tx: Tx,
        consent: int,
        *,
        person: int,
        granted: bool,
        note: str,
        scope: Scope | None = None,
        until: datetime | None = None,
    ) -> Consent | None:
        """Record a person's word and act on it; None when it was not theirs to give, or settled.

        A no after a yes takes the yes back: what was not told is not told. For how far a word
        reaches see `consents.answer`.
        """
        settled = consents.answer(
            tx,
            consent,
            person=person,
            granted=granted,
            note=note,
            now_us=self._now_us(),
            scope=scope,
            until_us=to_us(until) if until is not None else None,
        )
        if settled is None:
            return None if granted else self._revoke(tx, consent, person)
        self._settle(tx, f"consent:{consent}", inbox.State.SEEN, settled.state.value)
        handoff = handoffs.get(tx, settled.handoff_id)
        if handoff.state is not State.ASKING:
            return settled
        words = consents.of_handoff(tx, handoff.id)
        if any(word.state in (consents.State.DENIED, consents.State.EXPIRED) for word in words):
            why = "consent was denied"
            this_text = settled.state is consents.State.DENIED and settled.scope is Scope.ONCE
            self._close(tx, handoff, State.DROPPED, f"{why}: {note}" if this_text else why)
        elif all(word.state is consents.State.GRANTED for word in words):
            self._reconsider(tx, handoff)
        return settled

    def _counted(self, tx: Tx, proposal: Proposal) -> Proposal:
        """A condition that was told before is another proposal each time it was."""
        if not proposal.metadata.get(handoffs.LASTING):
            return proposal
        chat = self._place(tx, proposal.target_id).chat
        before = repeats.of(tx, chat, proposal.subject, proposal.subject_state)
        metadata = proposal.metadata | {handoffs.ROUND: before.told if before else 0}
        return replace(proposal, metadata=metadata)

    def _place(self, reader: Reader, target: int) -> Place:
        """The chat a handoff goes to, and whether a person is talking with the bot there."""
        session = sessions.find(reader, target)
        if session is None:
            return Place.alone(target)
        settle = self.rules.speaking.settle
        return Place(
            chat=session.parent_id or session.id,
            sessions=(session.id, *sessions.kin(reader, session)),
            busy_until=talks.over_at(reader, target, now=self._clock(), settle=settle),
        )

    def hold_back(self, tx: Tx, run: int) -> bool:
        """Let what a run is about to say unasked wait, where its chat is not to be spoken to now.

        Whether it is to be held back. A pause counts from the moment it is ordered, also for what
        is being worded already.
        """
        read = [one for one in handoffs.of_run(tx, run) if one.state is State.DELIVERED]
        if not read:
            return False
        now = self._clock()
        settings = self.rules.speaking
        moment = hours.first(tx, read[0].target_id, now=now, settings=settings)
        if moment <= now:
            return self._muted_meanwhile(tx, read)
        for handoff in read:
            handoffs.move(
                tx,
                handoff,
                State.HELD,
                reason="its chat asked for silence while it was read",
                not_before_us=to_us(moment),
                now_us=self._now_us(),
            )
        return True

    def _muted_meanwhile(self, tx: Tx, read: list[Handoff]) -> bool:
        """Whether nobody wants to hear any more of all that is being worded."""
        now = self._clock()
        for handoff in read:
            who = cases.concerned(tx, handoff)
            text = f"{handoff.subject_state}\n{handoff.body}"
            chat = self._place(tx, handoff.target_id).chat
            if mutes.matches(tx, chat, who, handoff.subject, text, now) is None:
                return False
        for handoff in read:
            self._close(tx, handoff, State.DECLINED, "nobody there wants to hear of that")
        return True

    def welcome(self, tx: Tx, letter: Letter) -> datetime | str | None:
        """Whether a letter nobody asked for goes out now; see `bot.engine.outbox.Welcome`."""
        now = self._clock()
        settings = self.rules.speaking
        moment = hours.first(tx, letter.session_id, now=now, settings=settings, timed=letter.timed)
        if moment > now:
            return moment
        if letter.waited_until is None and now - letter.created_at < FRESH:
            return None
        if questions.overtaken(tx, letter):
            return letters.OVERTAKEN
        for handoff in handoffs.of_run(tx, letter.run_id) if letter.run_id is not None else ():
            place = self._place(tx, handoff.target_id)
            if why := gates.overtaken(tx, handoff, rules=self.rules, place=place):
                self.report(tx, handoff, State.DROPPED, why)
                if letter.original_id is not None:
                    originals.unsay(tx, letter.original_id, now_us=self._now_us())
                return letters.OVERTAKEN
        return None

    def _unwelcome(self, tx: Tx, handoff: Handoff) -> Verdict | None:
        """A chat that wants to be listened to only, or not at all, is told nothing unasked."""
        target = sessions.find(tx, handoff.target_id)
        if target is None or target.attention not in (Attention.OBSERVE, Attention.OFF):
            return None
        reason = f"that chat's attention is {target.attention.value!r}"
        handoffs.record_gate(tx, handoff.id, "attention", False, reason, now_us=self._now_us())
        return Verdict(state=State.SILENT, reason=reason)

    def _revoke(self, tx: Tx, consent: int, person: int) -> Consent | None:
        if not consents.revoke(tx, consent, person=person, now_us=self._now_us()):
            return None
        settled = consents.get(tx, consent)
        handoff = handoffs.get(tx, settled.handoff_id)
        if handoff.state in _UNTOLD:
            self._withdraw(tx, handoff, "consent was taken back")
        self._recheck(tx, settled.target_id, "consent was taken back")
        return settled

    def _lapse(self, tx: Tx) -> None:
        """End the yeses whose time is over; what rests on them is not told."""
        for consent in consents.lapse(tx, now_us=self._now_us()):
            self._recheck(tx, consent.target_id, "its author's consent is over")

    def _recheck(self, tx: Tx, target: int, reason: str) -> None:
        """Tell nothing in a session that would need a word which no longer holds."""
        room = audiences.find(tx, target)
        if room is None:
            return
        hears = Hearing(tx, room, self.rules.privacy)
        for handoff in handoffs.untold_for(tx, target):
            said = originals.find_many(tx, list(handoff.originals))
            if any(hears.original(one, handoff=handoff.id) is Flow.CONSENT for one in said):
                self._withdraw(tx, handoff, reason)

    def sweep(self, tx: Tx) -> None:
        """Do what time asks for: expire, and reconsider what waited."""
        now_us = self._now_us()
        self._lapse(tx)
        for consent in consents.expire(tx, now_us=now_us):
            handoff = handoffs.get(tx, consent.handoff_id)
            if handoff.state is State.ASKING:
                self._close(tx, handoff, State.EXPIRED, "nobody answered in time")
        for handoff in handoffs.overdue(tx, now_us=now_us):
            self._close(tx, handoff, State.EXPIRED, "its time passed")
        for handoff in handoffs.due(tx, now_us=now_us):
            self._reconsider(tx, handoff)

    def reconsider_held(self, tx: Tx, session: int) -> None:
        """A chat wants something else now: what waits to be told there waits as it wants."""
        for handoff in handoffs.held_for(tx, session):
            self._reconsider(tx, handoff)
        letters.look_again(tx, session, now_us=self._now_us())
        schedules.let_go(tx)

    def next_moment(self, reader: Reader) -> int | None:
        """When `sweep` has something to do next, in stored form."""
        times = (handoffs.next_moment(reader), consents.next_moment(reader))
        return min((time for time in times if time is not None), default=None)

    def withdraw_resting_on(self, tx: Tx, original: int, reason: str) -> None:
        """A message was edited or recalled: what rests on it and is not told yet is dropped."""
        for handoff in handoffs.resting_on(tx, original):
            self._withdraw(tx, handoff, reason)
        for key in inbox.digests_resting_on(tx, original):
            letter = letters.take_back(tx, key, now_us=self._now_us())
            if letter is not None:
                inbox.take_back(tx, key, now_us=self._now_us())
                if letter.original_id is not None:
                    originals.unsay(tx, letter.original_id, now_us=self._now_us())

    def report(self, tx: Tx, handoff: Handoff, outcome: State, reason: str) -> None:
        """Tell the agency what became of a handoff; it rides along with its next wake."""
        event = fires.Event(
            kind=fires.Kind.REPORT,
            key=f"handoff:{handoff.id}:{outcome.value}",
            session_id=handoff.target_id,
            payload={"handoff": handoff.id, "outcome": outcome.value, "reason": reason},
            origin=f"handoff:{handoff.id}",
            hop=handoff.hop,
        )
        fires.observe(tx, event, now_us=self._now_us())

    def _supersede(self, tx: Tx, handoff: Handoff) -> None:
        """What waits for a time and is no longer the last word on its subject is not told."""
        earlier = handoffs.standing(tx, handoff)
        if earlier is not None and earlier.state in (State.HELD, State.DIGEST):
            self._close(tx, earlier, State.DROPPED, f"h{handoff.id} is newer")

    def _withdraw(self, tx: Tx, handoff: Handoff, reason: str) -> None:
        # One that is being read can no longer be dropped, and its run finds that it fell.
        read = handoff.state is State.DELIVERED
        self._close(tx, handoff, State.DECLINED if read else State.DROPPED, reason)

    def _reconsider(self, tx: Tx, handoff: Handoff) -> None:
        self._lapse(tx)
        handoff = handoffs.get(tx, handoff.id)
        if handoff.state not in _UNTOLD:
            return  # what it rested on is over
        verdict = gates.judge_again(
            tx,
            handoff,
            now=self._clock(),
            rules=self.rules,
            place=self._place(tx, handoff.target_id),
        )
        # Whoever had to be asked was asked before it came to this, so nobody is asked twice.
        if verdict.state in (State.REFUSED, State.SILENT, State.ASKING):
            verdict = Verdict(state=State.DROPPED, reason=verdict.reason)
        self._carry_out(tx, handoff, verdict)

    def _carry_out(self, tx: Tx, handoff: Handoff, verdict: Verdict) -> None:
        not_before = to_us(verdict.not_before) if verdict.not_before else None
        handoffs.move(
            tx,
            handoff,
            verdict.state,
            reason=verdict.reason,
            not_before_us=not_before,
            now_us=self._now_us(),
        )
        if handoff.state is State.DIGEST and verdict.state is not State.DIGEST:
            self._settle(tx, f"handoff:{handoff.id}", inbox.State.DROPPED, verdict.reason)
        if verdict.state is State.ADMITTED:
            self._admit(tx, handoff)
        elif verdict.state is State.DIGEST:
            self._keep(tx, handoff)
        elif verdict.state is State.ASKING:
            for ask in verdict.ask:
                self._ask(tx, handoff, ask)
        elif verdict.state is State.DROPPED:
            self.report(tx, handoff, State.DROPPED, verdict.reason)

    def _admit(self, tx: Tx, handoff: Handoff) -> None:
        # Whoever was asked has read the words to be said, and agreed to no more than those.
        agreed = bool(consents.of_handoff(tx, handoff.id))
        entry = Entry(
            session_id=handoff.target_id,
            trigger=Trigger.HANDOFF,
            parts=({"type": "text", "text": handoff.words if agreed else handoff.body},),
            key=_key(handoff),
            metadata={"handoff": handoff.id},
            origin=f"handoff:{handoff.id}",
            hop=handoff.hop,
        )
        submitted = self._controller.submit_input(tx, entry, Want(priority=Priority.NUDGE))
        if submitted is not None:
            handoffs.attach_input(tx, handoff.id, submitted.input_id)
        if handoff.lasting:
            chat = self._place(tx, handoff.target_id).chat
            repeats.note(tx, chat, handoff, now=self._clock())

    def _keep(self, tx: Tx, handoff: Handoff) -> None:
        """Leave it to the digests of the people it is for."""
        if not filling.digest(tx, handoff, now_us=self._now_us()):
            kept = handoffs.get(tx, handoff.id)
            self._close(tx, kept, State.DROPPED, "there is nobody to tell it to")

    def _ask(self, tx: Tx, handoff: Handoff, ask: Ask) -> None:
        now = self._clock()
        expires = min(handoff.expires_at, now + ANSWER_WITHIN)
        wanted = hours.in_chat(tx, ask.session_id, now=now, settings=self.rules.speaking)
        due = policy.awake(now, wanted)
        consent = consents.ask(
            tx,
            handoff=handoff.id,
            person=ask.person_id,
            source=ask.session_id,
            target=handoff.target_id,
            body=handoff.words,
            originals=ask.originals,
            now_us=to_us(now),
            expires_us=to_us(expires),
            remind_us=to_us(mornings.next_morning(due, wanted)),
        )
        if consent is None:
            return
        filling.asked(tx, consents.get(tx, consent), ask.originals, now_us=to_us(now))
        entry = Entry(
            session_id=ask.session_id,
            trigger=Trigger.CONSENT_REQUEST,
            parts=({"type": "text", "text": handoff.words},),
            key=f"consent:{consent}",
            metadata={"consent": consent},
            original_id=ask.originals[0],
            person_id=ask.person_id,
            origin=f"handoff:{handoff.id}",
            hop=handoff.hop,
        )
        self._controller.submit_input(tx, entry, Want(priority=Priority.NUDGE, due=due))

    def _awake(self, tx: Tx, session: int, now: datetime) -> datetime:
        return hours.first(tx, session, now=now, settings=self.rules.speaking)

    def _close(self, tx: Tx, handoff: Handoff, to: State, reason: str) -> None:
        handoffs.move(tx, handoff, to, reason=reason, now_us=self._now_us())
        consents.withdraw(tx, handoff.id, now_us=self._now_us())
        asked = (f"consent:{one.id}" for one in consents.of_handoff(tx, handoff.id))
        for cause in (f"handoff:{handoff.id}", *asked):
            self._settle(tx, cause, inbox.State.DROPPED, reason)
        self.report(tx, handoff, to, reason)

    def _settle(self, tx: Tx, cause: str, to: inbox.State, reason: str) -> None:
        inbox.settle(tx, cause, to, reason, now_us=self._now_us())

    def _now_us(self) -> int:
        return to_us(self._clock())


def _key(handoff: Handoff) -> str:
    """The input of a handoff; one that was held back while it was read enters once more."""
    again = f":{handoff.input_id}" if handoff.input_id is not None else ""
    return f"handoff:{handoff.id}{again}"
