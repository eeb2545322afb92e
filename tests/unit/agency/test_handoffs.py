"""Handoffs are proposed once for the same news, and move as the table says."""

from datetime import timedelta

import pytest

from agency import handoffs
from agency.handoffs import MOVES, Handoff, StaleHandoff, State
from tests.fakes.town import Town


def propose(
    town: Town, target: int, sources: list[int], *, subject: str = "release path", state: str = "a"
) -> tuple[Handoff, bool]:
    versions = {}
    for id in sources:
        row = town.tx.one("SELECT version FROM originals WHERE id = :id", id=id)
        versions[id] = row["version"] if row else 1
    proposal = town.proposal(target, "text", sources, subject=subject, state=state)
    return handoffs.propose(town.tx, proposal, versions, now_us=town.us)


def put(town: Town, handoff: Handoff, *states: State) -> Handoff:
    for to in states:
        handoffs.move(town.tx, handoff, to, reason="", now_us=town.us)
        handoff = handoffs.get(town.tx, handoff.id)
    return handoff


SPOKEN = (State.ADMITTED, State.DELIVERED, State.SPOKEN)


def test_the_same_news_is_proposed_once(town: Town) -> None:
    room = town.room("project")
    one = town.say(room, None, "x")
    first, fresh = propose(town, room, [one], subject="Release Path", state="Canary!")
    assert fresh
    assert propose(town, room, [one], subject="release  path", state="canary") == (first, False)
    assert propose(town, room, [one], state="other")[1]
    assert propose(town, town.room("other"), [one], subject="Release Path", state="Canary!")[1]
    town.edit(one, "y", version=2)
    assert propose(town, room, [one], subject="Release Path", state="Canary!")[1]


def test_the_last_word_on_a_subject_stands(town: Town) -> None:
    room = town.room("project")
    ids = [town.say(room, None, str(n)) for n in range(4)]
    canary = put(town, propose(town, room, [ids[0]], state="canary")[0], *SPOKEN)
    again = propose(town, room, [ids[1]], state="Canary")[0]
    assert handoffs.standing(town.tx, again) == canary
    assert handoffs.same_state(canary, again)
    legacy = put(town, propose(town, room, [ids[2]], state="legacy")[0], *SPOKEN)
    back = propose(town, room, [ids[3]], state="canary")[0]
    assert handoffs.standing(town.tx, back) == legacy, "a reversed decision is news again"
    put(town, legacy)
    assert handoffs.standing(town.tx, propose(town, room, [ids[0]], subject="else")[0]) is None


@pytest.mark.parametrize("ended", [State.SILENT, State.REFUSED])
def test_what_was_never_told_does_not_stand(town: Town, ended: State) -> None:
    room = town.room("project")
    one, two = town.say(room, None, "x"), town.say(room, None, "y")
    put(town, propose(town, room, [one])[0], ended)
    assert handoffs.standing(town.tx, propose(town, room, [one, two])[0]) is None


def test_news_all_of_whose_originals_were_told_is_relayed(town: Town) -> None:
    room, other = town.room("project"), town.room("other")
    one, two, three = (town.say(room, None, text) for text in "abc")
    told = put(town, propose(town, room, [one, two], state="1")[0], *SPOKEN)
    part = propose(town, room, [two], state="2")[0]
    assert handoffs.relayed(town.tx, part) == told
    assert handoffs.relayed(town.tx, propose(town, room, [two, three], state="3")[0]) is None
    assert handoffs.relayed(town.tx, propose(town, other, [two], state="4")[0]) is None
    town.edit(two, "changed", version=2)
    assert handoffs.relayed(town.tx, propose(town, room, [two], state="5")[0]) is None
    assert handoffs.relayed(town.tx, propose(town, room, [], state="6")[0]) is None


def test_every_move_of_the_table_is_made_and_every_other_refused(town: Town) -> None:
    room = town.room("project")
    one = propose(town, room, [town.say(room, None, "x")])[0]
    for start in State:
        for to in State:
            town.tx.run("UPDATE handoffs SET state = :s WHERE id = :id", s=start, id=one.id)
            now = handoffs.get(town.tx, one.id)
            if to in MOVES[start]:
                handoffs.move(town.tx, now, to, reason="r", now_us=2)
                assert town.state(one) is to
            else:
                with pytest.raises(StaleHandoff, match="cannot become"):
                    handoffs.move(town.tx, now, to, reason="r", now_us=2)


def test_one_that_moved_meanwhile_is_stale(town: Town) -> None:
    room = town.room("project")
    seen = propose(town, room, [town.say(room, None, "x")])[0]
    handoffs.move(town.tx, seen, State.HELD, reason="", now_us=2)
    with pytest.raises(StaleHandoff, match="no longer"):
        handoffs.move(town.tx, seen, State.ADMITTED, reason="", now_us=2)


def test_what_was_told_counts_for_the_day_it_was_told(town: Town) -> None:
    room = town.room("project")
    midnight = town.us
    waited = propose(town, room, [town.say(room, None, "x")])[0]
    town.now += timedelta(days=1)
    morning = town.us
    assert handoffs.told_since(town.tx, (room,), since_us=midnight) == (0, None)
    put(town, waited, State.HELD, *SPOKEN)
    assert handoffs.told_since(town.tx, (room,), since_us=morning) == (1, morning)
    declined = propose(town, room, [town.say(room, None, "y")], state="b")[0]
    put(town, declined, State.ADMITTED, State.DELIVERED, State.DECLINED)
    assert handoffs.told_since(town.tx, (room,), since_us=morning)[0] == 1


def test_time_finds_what_waits(town: Town) -> None:
    room = town.room("project")
    one = propose(town, room, [town.say(room, None, "x")])[0]
    handoffs.move(town.tx, one, State.HELD, reason="", now_us=1, not_before_us=town.us + 7)
    assert handoffs.next_moment(town.tx) == town.us + 7
    assert handoffs.due(town.tx, now_us=town.us + 6) == []
    assert [h.id for h in handoffs.due(town.tx, now_us=town.us + 7)] == [one.id]
    assert handoffs.overdue(town.tx, now_us=town.us + 7) == []
    late = town.us + 25 * 3600 * 10**6
    assert [h.id for h in handoffs.overdue(town.tx, now_us=late)] == [one.id]
