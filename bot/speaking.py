"""From a proposal to a session: the gates' verdicts carried out, consents asked and answered."""

from datetime import datetime, timedelta

from agency import consents, fires, gates, handoffs, inbox, policy, preferences
from agency.consents import Consent
from agency.gates import Ask, Rules, Verdict
from agency.handoffs import Handoff, Proposal, State
from bot.engine import letters, sessions
from bot.engine.controller import SessionController, Want
from bot.engine.inputs import Entry, Trigger
from bot.engine.runs import Priority
from bot.engine.sessions import Attention
from bot.engine.waits import Clock
from bot.inbox import filling
from memory import originals
from memory.db import Reader, Tx
from memory.moments import to_us

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
        found = originals.find_many(tx, list(proposal.sources))
        versions = {original.id: original.version for original in found}
        handoff, fresh = handoffs.propose(tx, proposal, versions, now_us=self._now_us())
        if not fresh:
            same = f"the same was handed over before and is {handoff.state.value}"
            return handoff, Verdict(state=State.REFUSED, reason=same)
        verdict = self._unwelcome(tx, handoff) or gates.judge(
            tx, handoff, live=live, now=self._clock(), rules=self.rules
        )
        if verdict.state in (State.ADMITTED, State.HELD, State.ASKING, State.DIGEST):
            self._supersede(tx, handoff)
        self._carry_out(tx, handoff, verdict)
        return handoffs.get(tx, handoff.id), verdict

    def answer(
        self, tx: Tx, consent: int, *, person: int, granted: bool, note: str
    ) -> Consent | None:
        """Record a person's word and act on it; None when it was not theirs to give, or settled.

        A no after a yes takes the yes back, as long as nothing was told.
        """
        settled = consents.answer(
            tx, consent, person=person, granted=granted, note=note, now_us=self._now_us()
        )
        if settled is None:
            return None if granted else self._revoke(tx, consent, person)
        self._settle(tx, f"consent:{consent}", inbox.State.SEEN, settled.state.value)
        handoff = handoffs.get(tx, settled.handoff_id)
        if handoff.state is not State.ASKING:
            return settled
        words = consents.of_handoff(tx, handoff.id)
        if any(word.state in (consents.State.DENIED, consents.State.EXPIRED) for word in words):
            self._close(tx, handoff, State.DROPPED, "consent was denied")
        elif all(word.state is consents.State.GRANTED for word in words):
            self._reconsider(tx, handoff)
        return settled

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
        return settled

    def sweep(self, tx: Tx) -> None:
        """Do what time asks for: expire, and reconsider what waited."""
        now_us = self._now_us()
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
        verdict = gates.judge_again(tx, handoff, now=self._clock(), rules=self.rules)
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
        entry = Entry(
            session_id=handoff.target_id,
            trigger=Trigger.HANDOFF,
            parts=({"type": "text", "text": handoff.body},),
            key=f"handoff:{handoff.id}",
            metadata={"handoff": handoff.id},
            origin=f"handoff:{handoff.id}",
            hop=handoff.hop,
        )
        submitted = self._controller.submit_input(tx, entry, Want(priority=Priority.NUDGE))
        if submitted is not None:
            handoffs.attach_input(tx, handoff.id, submitted.input_id)

    def _keep(self, tx: Tx, handoff: Handoff) -> None:
        """Leave it to the digests of the people it is for."""
        if not filling.digest(tx, handoff, now_us=self._now_us()):
            kept = handoffs.get(tx, handoff.id)
            self._close(tx, kept, State.DROPPED, "there is nobody to tell it to")

    def _ask(self, tx: Tx, handoff: Handoff, ask: Ask) -> None:
        now = self._clock()
        expires = min(handoff.expires_at, now + ANSWER_WITHIN)
        consent = consents.ask(
            tx,
            handoff=handoff.id,
            person=ask.person_id,
            source=ask.session_id,
            target=handoff.target_id,
            body=handoff.body,
            originals=ask.originals,
            now_us=to_us(now),
            expires_us=to_us(expires),
        )
        if consent is None:
            return
        filling.asked(tx, consents.get(tx, consent), ask.originals, now_us=to_us(now))
        entry = Entry(
            session_id=ask.session_id,
            trigger=Trigger.CONSENT_REQUEST,
            parts=({"type": "text", "text": handoff.body},),
            key=f"consent:{consent}",
            metadata={"consent": consent},
            original_id=ask.originals[0],
            person_id=ask.person_id,
            origin=f"handoff:{handoff.id}",
            hop=handoff.hop,
        )
        want = Want(priority=Priority.NUDGE, due=self._awake(tx, ask.session_id, now))
        self._controller.submit_input(tx, entry, want)

    def _awake(self, tx: Tx, session: int, now: datetime) -> datetime:
        wanted = preferences.of(tx, session, now=now)
        return policy.awake(now, wanted.applied(self.rules.speaking))

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
