"""What surrounds a run: handoffs read and answered for, fires settled, outputs observed."""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from agency import fires, gates, handoffs
from agency.handoffs import Handoff, State
from bot import leftovers, texts
from bot.approving import Approving
from bot.engine import delays, inputs, letters, outages, runs, sessions
from bot.engine.inputs import Input, Trigger
from bot.engine.letters import Draft, Letter
from bot.engine.outages import Outage
from bot.engine.runs import Run
from bot.engine.runtime import Life
from bot.engine.waits import Bell, Clock
from bot.inbox import filling
from bot.responses import Responses
from bot.speaking import Speaking
from bot.standing import stands
from memory import facts
from memory.db import Reader, Tx
from memory.moments import to_us

logger = logging.getLogger(__name__)

SHORT_OUTAGE = timedelta(minutes=1)  # of the model; nobody is told of one that is over so soon


Ended = Callable[[str, str], None]
"""Told the role and the outcome of every run that came to its end."""


def _uncounted(role: str, outcome: str) -> None:
    """Nobody counts."""


class Lifecycle(Life):
    """The life of runs of every role."""

    def __init__(
        self,
        speaking: Speaking,
        clock: Clock,
        *,
        agency_bell: Bell,
        outbox_bell: Bell,
        language: str,
        responses: Responses,
        approving: Approving,
        observe: bool = True,
        ended: Ended = _uncounted,
    ) -> None:
        """Build it; without `observe` the agency is off, and nothing is queued for it."""
        self._speaking = speaking
        self._clock = clock
        self._responses = responses
        self._approving = approving
        self._agency_bell = agency_bell
        self._outbox_bell = outbox_bell
        self._language = language
        self._observe = observe
        self._ended = ended

    def begin(self, tx: Tx, run: Run, taken: list[Input]) -> None:
        """A handoff that no longer stands is dropped before anybody reads it."""
        now_us = self._now_us()
        letters.take_back(tx, delays.key(run.id), now_us=now_us)  # its turn has come
        for given in taken:
            if given.trigger is not Trigger.HANDOFF:
                continue
            handoff = handoffs.get(tx, given.metadata["handoff"])
            if handoff.state is not State.ADMITTED:
                continue
            handoffs.attach_run(tx, handoff.id, run.id)
            to, reason = State.DELIVERED, handoff.reason
            if handoff.expires_at <= self._clock():
                to, reason = State.EXPIRED, "its time passed before it was read"
            elif not gates.still_heard(tx, handoff, rules=self._speaking.rules):
                to, reason = State.DROPPED, "somebody is there now who could not have heard that"
            handoffs.move(tx, handoff, to, reason=reason, now_us=now_us)
            if to is not State.DELIVERED:
                self._speaking.report(tx, handoff, to, reason)

    def wanted(self, reader: Reader, run: Run) -> bool:
        """True while one of its inputs stands."""
        return any(stands(reader, given) for given in inputs.of_run(reader, run.id))

    def suspended(self, tx: Tx, run: Run) -> None:
        """What it was given beside the question is settled, and its session goes on without it."""
        if run.role == "conversation":
            self._settle_handoffs(tx, run, letters.of_run(tx, run.id), "")
        self._approving.suspended(tx, run)
        tx.on_commit(self._outbox_bell.ring)

    def kept_waiting(self, tx: Tx, run: Run, outage: Outage) -> None:
        """Who waits for longer than an outage that mends itself is told so, once a chat."""
        session = sessions.find(tx, run.session_id)
        if session is None or session.address is None:
            return
        now = self._clock()
        if now - outage.began_at < SHORT_OUTAGE:
            return
        given = [*inputs.of_run(tx, run.id), *inputs.unread(tx, run.session_id)]
        asked = [one for one in given if one.waited_for and stands(tx, one)]
        chat = session.parent_id or session.id
        if not asked or letters.of_run(tx, run.id):
            return
        if delays.told_lately(tx, chat, now_us=self._now_us()):
            return
        zone = self._speaking.rules.speaking.zone
        draft = Draft(
            key=outages.letter_key(outage.id, chat),
            session_id=session.id,
            address=session.address,
            body=texts.away(
                texts.language(asked[-1].text, setting=self._language),
                since=outage.began_at.astimezone(zone),
                now=now.astimezone(zone),
            ),
        )
        if letters.post(tx, draft, now_us=self._now_us()) is not None:
            tx.on_commit(self._outbox_bell.ring)

    def ended(self, tx: Tx, run: Run, outcome: str, reason: str) -> None:
        """Settle what the run was given, and tell the agency what came of it."""
        if run.role == "conversation":
            self._conversation_ended(tx, run, outcome, reason)
        elif run.role == "agency":
            fires.consume(tx, run.id, now_us=self._now_us())
        elif run.role == "memory":
            self._memory_ended(tx, run)
        elif run.role == "subagent":
            self._subagent_ended(tx, run, reason)
        self._approving.go_on(tx, run.session_id)
        self._forget_gone(tx, run)
        tx.on_commit(partial(self._ended, run.role, outcome))
        tx.on_commit(self._agency_bell.ring)
        tx.on_commit(self._outbox_bell.ring)

    def died(self, tx: Tx, run: Run, error: str) -> None:
        """Give back what can be tried again, and leave nobody waiting without a word."""
        now_us = self._now_us()
        self._forget_gone(tx, run)
        if run.role == "agency":
            fires.release(tx, run.id, error, now_us=now_us)
            inputs.withdraw_of_run(tx, run.session_id, run.id)
        if run.role == "memory":
            self._pass_over(tx, run)
        if run.role == "subagent":
            self._subagent_ended(tx, run, error, outcome="failed")
        if run.role == "conversation":
            # What it said before it died was said.
            to = State.SPOKEN if letters.of_run(tx, run.id) else State.DECLINED
            for handoff in handoffs.of_run(tx, run.id):
                if handoff.state is State.DELIVERED:
                    handoffs.move(tx, handoff, to, reason=error, now_us=now_us)
                    self._speaking.report(tx, handoff, to, error)
            self._apologise(tx, run)
        self._approving.withdraw_of_run(tx, run.id, error)
        self._approving.go_on(tx, run.session_id)
        tx.on_commit(partial(self._ended, run.role, runs.get(tx, run.id).state.value))
        tx.on_commit(self._agency_bell.ring)
        tx.on_commit(self._outbox_bell.ring)

    def _forget_gone(self, tx: Tx, run: Run) -> None:
        """What it was given may have been taken back or erased while it was at work."""
        if leftovers.rests_on_gone(tx, run):
            leftovers.drop_traces(tx, [run.id], now_us=self._now_us())

    def _conversation_ended(self, tx: Tx, run: Run, outcome: str, reason: str) -> None:
        said = letters.of_run(tx, run.id)
        self._settle_handoffs(tx, run, said, reason)
        # What the agency caused is not news to it, whatever else the run was given.
        if any(given.origin for given in inputs.of_run(tx, run.id)):
            return
        for letter in said:
            event = fires.Event(
                kind=fires.Kind.OUTPUT,
                key=f"output:{letter.id}",
                session_id=run.session_id,
                run_id=run.id,
                original_id=letter.original_id,
            )
            self._put_before_agency(tx, event)

    def _put_before_agency(self, tx: Tx, event: fires.Event) -> None:
        if self._observe:
            fires.observe(tx, event, now_us=self._now_us())

    def _settle_handoffs(self, tx: Tx, run: Run, said: list[Letter], reason: str) -> None:
        spoken: list[Handoff] = []
        for handoff in handoffs.of_run(tx, run.id):
            if handoff.state is State.DELIVERED:
                to = State.SPOKEN if said else State.DECLINED
                why = reason or ("said" if said else "nothing was said")
                handoffs.move(tx, handoff, to, reason=why, now_us=self._now_us())
                self._speaking.report(tx, handoff, to, why)
                self._note_told(tx, run, handoff, said)
                self._approving.told(tx, handoff, spoken=bool(said))
                spoken.append(handoff)
        for letter in said if spoken else []:
            filling.said(tx, letter, spoken, now_us=self._now_us())

    def _note_told(self, tx: Tx, run: Run, handoff: Handoff, said: list[Letter]) -> None:
        session = sessions.find(tx, run.session_id)
        if session is not None and said:
            self._responses.told(tx, session, handoff.id, said[-1].original_id)

    def _pass_over(self, tx: Tx, run: Run) -> None:
        """A stretch that could not be read is not read for ever; its originals stay as they are."""
        for given in inputs.of_run(tx, run.id):
            session, until = int(given.metadata["session"]), int(given.metadata["until"])
            if facts.summary(tx, session).covered < until:
                logger.warning("run %d read nothing of s%d up to o%d", run.id, session, until)
                facts.cover(tx, session, body="", covered=until, now_us=self._now_us())

    def _memory_ended(self, tx: Tx, run: Run) -> None:
        self._pass_over(tx, run)
        if not facts.of_run(tx, run.id):
            return
        burst = inputs.of_run(tx, run.id)[-1].metadata
        event = fires.Event(
            kind=fires.Kind.MEMORY,
            key=f"memory:{run.id}",
            session_id=int(burst["session"]),
            run_id=run.id,
        )
        self._put_before_agency(tx, event)

    def _subagent_ended(self, tx: Tx, run: Run, report: str, *, outcome: str = "done") -> None:
        event = fires.Event(
            kind=fires.Kind.REPORT,
            key=f"subagent:{run.id}",
            session_id=run.session_id,
            run_id=run.id,
            payload={"text": report, "outcome": outcome},
            origin=f"run:{run.id}",
        )
        fires.observe(tx, event, now_us=self._now_us())

    def _apologise(self, tx: Tx, run: Run) -> None:
        given = inputs.of_run(tx, run.id)
        asked = [one for one in given if one.waited_for and stands(tx, one)]
        session = sessions.find(tx, run.session_id)
        if not asked or session is None or session.address is None:
            return
        if letters.of_run(tx, run.id):
            return
        draft = Draft(
            key=f"trouble:{run.id}",
            session_id=session.id,
            address=session.address,
            body=texts.trouble(texts.language(asked[-1].text, setting=self._language)),
            run_id=run.id,
        )
        letters.post(tx, draft, now_us=self._now_us())

    def _now_us(self) -> int:
        return to_us(self._clock())
