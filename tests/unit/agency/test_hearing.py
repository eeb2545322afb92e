"""The audience rule over stored rooms and words given."""

from dataclasses import replace
from typing import Any

from agency import consents, handoffs
from agency.audience import Dm, Flow, Settings
from agency.guard import leak
from agency.hearing import Hearing
from memory import originals
from memory.db import Reader, Row, Tx
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


class Counting(Reader):
    """Counts the questions it puts to the database."""

    def __init__(self, inner: Tx) -> None:
        super().__init__(inner.schema)
        self.asked = 0

    def all(self, sql: str, **params: Any) -> list[Row]:
        """See Reader."""
        self.asked += 1
        return super().all(sql, **params)


def test_many_sessions_looked_up_at_once_flow_as_each_by_itself(town: Town) -> None:
    ana, bo, cy = (town.person(name) for name in ("Ana", "Bo", "Cy"))
    sources = [
        town.dm(ana), town.dm(bo), town.room("open", cy), 99, town.room("all", ana, bo, cy),
        town.room("closed", ana, bo, open=False), town.room("own", cy, open=False),
        town.room("away", ana, open=True, workspace="elsewhere"),
    ]  # fmt: skip
    target = town.room("project", ana, bo, open=False)
    for known in (town.audience(target), replace(town.audience(target), outsiders=True)):
        for settings in (Settings(), Settings(groups_open=False), Settings(dm=Dm.ALLOW)):
            reader = Counting(town.tx)
            at_once = Hearing(reader, known, settings)
            at_once.look_up(sources)
            assert reader.asked <= 2
            asked = Hearing(town.tx, known, settings)
            assert [at_once.flow(one) for one in sources] == [asked.flow(one) for one in sources]
            assert reader.asked <= 2, "what was looked up is not asked again"


def test_the_guard_asks_no_more_where_the_talk_is_spread_over_many_rooms(town: Town) -> None:
    ana, bo = town.person("Ana"), town.person("Bo")
    target = town.room("project", ana, bo)

    def asked(rooms: int) -> int:
        for n in range(rooms):
            town.say(town.room(f"room {n}", ana), ana, f"nothing of note but a zebra, {n} times")
            town.say(town.room(f"kept {n}", ana, open=False), ana, f"a word in private, {n}")
        reader = Counting(town.tx)
        hears = Hearing(reader, town.audience(target), Settings())
        leak(reader, "Zebras graze.", target=town.audience(target), hears=hears)
        return reader.asked

    assert asked(2) == asked(60)
