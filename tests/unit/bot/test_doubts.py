"""What waited in a backup is closed after a restore, with the reason; what comes later stays."""

from datetime import datetime, timedelta

import pytest

from agency import approvals, consents, fires, handoffs, inbox, intentions, waits
from agency.approvals import Asking
from agency.audience import Settings as Privacy
from agency.gates import Rules
from agency.handoffs import State
from agency.inbox import Kind, Note
from agency.policy import Settings as Speaking
from agency.waits import Spotted
from bot import reasons
from bot.engine import inputs, letters, runs, sessions
from bot.engine.inputs import Entry, Trigger
from bot.engine.letters import RESTORED, Draft
from bot.inbox import pages
from bot.safekeeping import doubts
from memory.moments import to_us
from tests.fakes.town import MONDAY, Town

DAY = timedelta(days=1)
NEXT_DIGEST = MONDAY.replace(hour=9) + DAY


def settled(town: Town, *, made: datetime, now: datetime) -> dict[str, list[int]]:
    """What is in doubt after a restore."""
    return doubts.settle(
        town.tx,
        made=made,
        now=now,
        rules=Rules(privacy=Privacy(), speaking=Speaking()),
        digests=pages.Settings(at=MONDAY.replace(hour=9).time(), bot_name="Limen"),
    )


def handoff(town: Town, state: State, *, at: timedelta | None = None) -> int:
    """One on its way, in a state."""
    ana = town.person("Ana")
    room = town.room("harbour", ana)
    said = town.say(room, ana, f"news that is {state.value}")
    proposal = town.proposal(room, f"news that is {state.value}", [said], subject=state.value)
    made, _ = handoffs.propose(town.tx, proposal, {said: 1}, now_us=town.us)
    before = to_us(town.now + at) if at else None
    handoffs.move(town.tx, made, state, reason="", not_before_us=before, now_us=town.us)
    return made.id


def test_news_questions_and_what_runs_were_at_are_closed_with_the_reason(town: Town) -> None:
    ana = town.person("Ana")
    room = town.room("harbour", ana)
    held, asking = handoff(town, State.HELD, at=DAY), handoff(town, State.ASKING)
    original = town.say(room, ana, "in private")
    consent = consents.ask(
        town.tx,
        handoff=asking,
        person=ana,
        source=room,
        target=room,
        originals=[original],
        body="may I?",
        expires_us=town.us + 10**12,
        now_us=town.us,
    )
    waiting = town.run(room)
    asked = Asking(
        key="k", subject="a deploy", question="may we?", session_id=room, run_id=waiting,
        person_id=ana, expires_us=town.us + 10**12,
    )  # fmt: skip
    approval = approvals.ask(town.tx, asked, [(ana, room, town.us)], now_us=town.us)
    runs.suspend(town.tx, waiting)
    entry = Entry(session_id=room, trigger=Trigger.MESSAGE, parts=(), key="o1")
    given = inputs.add(town.tx, entry, now_us=town.us)
    going_on, reading = town.run(room), town.run(town.room("memory"), "memory")
    event = fires.Event(kind=fires.Kind.REPORT, key="f")
    fire = fires.observe(town.tx, event, now_us=town.us)
    assert given is not None and fire is not None

    found = settled(town, made=town.now, now=town.now + DAY)

    assert found["handoffs"] == [asking, held]
    assert found["approvals"] == [approval] and found["inputs"] == [given]
    assert {waiting, going_on} <= set(found["runs"]) and reading not in found["runs"]
    for id in (held, asking):
        one = handoffs.get(town.tx, id)
        assert (one.state, one.reason) == (State.EXPIRED, RESTORED)
    assert consent is not None
    assert consents.get(town.tx, consent).state is consents.State.EXPIRED
    assert approvals.get(town.tx, approval).note == RESTORED
    assert runs.get(town.tx, waiting).state is runs.State.CANCELLED
    assert runs.get(town.tx, reading).state is runs.State.RUNNING, "it says nothing"
    seen = fires.find(town.tx, fire)
    assert seen is not None and seen.state is fires.State.CONSUMED
    assert settled(town, made=town.now, now=town.now + DAY) == {}, "once"


def test_what_came_due_in_between_is_left_out_and_what_comes_later_stays(town: Town) -> None:
    ana = town.person("Ana")
    room = town.room("harbour", ana)
    ids = []
    for hours in (1, 48):
        due = town.now + timedelta(hours=hours)
        original = town.say(room, ana, f"in {hours} hours")
        spotted = Spotted(kind=waits.Kind.PROMISE, said="I will", due=due)
        wait = waits.expect(
            town.tx, spotted, original=original, version=1, session=room, owner=ana, due=due,
            now=town.now,
        )  # fmt: skip
        held = intentions.hold(
            town.tx, f"ask in {hours}", terms=[], due_us=to_us(due), now_us=town.us
        )
        assert wait is not None
        ids.append((wait, held))
    found = settled(town, made=town.now, now=town.now + DAY)
    assert (found["waits"], found["intentions"]) == ([ids[0][0]], [ids[0][1]])
    assert waits.get(town.tx, ids[1][0]).state is waits.State.OPEN
    kept = intentions.find(town.tx, ids[1][1])
    assert kept is not None and kept.state is intentions.State.HELD


@pytest.mark.parametrize(("now", "gone"), [(MONDAY + timedelta(hours=3), 0), (NEXT_DIGEST, 1)])
def test_a_digest_whose_hour_came_in_between_was_given(
    town: Town, now: datetime, gone: int
) -> None:
    ana = town.person("Ana")
    town.dm(ana)
    note = Note(key="n", person_id=ana, kind=Kind.DIGEST, subject="s", text="t", cause="handoff:0")
    entry = inbox.add(town.tx, note, now_us=town.us)
    assert entry is not None
    found = settled(town, made=MONDAY + timedelta(minutes=1), now=now)
    assert found.get("digests", []) == [entry] * gone
    assert len(inbox.waiting(town.tx, ana)) == 1 - gone


def test_every_letter_that_waited_is_in_doubt_and_those_said_are_not(town: Town) -> None:
    room = town.room("harbour", town.person("Ana"))
    session = sessions.find(town.tx, room)
    assert session is not None and session.address is not None
    ids = []
    for key in ("sent", "pending", "sending"):
        draft = Draft(key=key, session_id=room, address=session.address, body=key)
        id = letters.post(town.tx, draft, now_us=town.us)
        assert id is not None
        ids.append(id)
        if key == "sent":
            letters.claim(town.tx, limit=1, now_us=town.us)
            letters.sent(town.tx, id, "m1", now_us=town.us)
    assert settled(town, made=town.now, now=town.now + DAY)["letters"] == ids[1:]
    states = [one.state for one in letters.latest(town.tx, limit=9)]
    assert states == [letters.State.UNKNOWN, letters.State.UNKNOWN, letters.State.SENT]
    assert reasons.told(RESTORED, "zh") != RESTORED
