"""The audience rule over stored rooms and words given."""

from agency import consents, handoffs
from agency.audience import Flow
from memory import originals
from memory.originals import Original
from tests.fakes.town import Town


def original(town: Town, id: int) -> Original:
    found = originals.find(town.tx, id)
    assert found is not None
    return found


def propose(town: Town, target: int, source: int, state: str) -> handoffs.Handoff:
    proposal = town.proposal(target, "text", [source], state=state)
    return handoffs.propose(town.tx, proposal, {source: 1}, now_us=town.us)[0]


def test_an_inner_session_is_heard_nowhere(town: Town) -> None:
    hears = town.hears(town.room("general"))
    assert hears.flow(99) is Flow.NEVER
    assert not hears(99)


def test_a_word_counts_for_its_handoff_alone_until_it_is_taken_back(town: Town) -> None:
    ana, bo = town.person("Ana"), town.person("Bo")
    dm, room = town.dm(ana), town.room("project", ana, bo)
    said = town.say(dm, ana, "done by Friday")
    first, second = (propose(town, room, said, state) for state in ("one", "two"))
    asked = consents.ask(
        town.tx, handoff=first.id, person=ana, source=dm, target=room, body="text",
        originals=[said], now_us=town.us, expires_us=town.us + 10,
    )  # fmt: skip
    assert asked is not None

    def flows() -> list[Flow]:
        hears = town.hears(room)
        return [hears.original(original(town, said), handoff=h.id) for h in (first, second)]

    assert flows() == [Flow.CONSENT, Flow.CONSENT]
    consents.answer(town.tx, asked, person=ana, granted=True, note="", now_us=town.us)
    assert flows() == [Flow.FREE, Flow.CONSENT]
    assert not town.hears(room)(dm), "recall never uses a word given for one text"
    consents.revoke(town.tx, asked, person=ana, now_us=town.us)
    assert flows() == [Flow.CONSENT, Flow.CONSENT]
