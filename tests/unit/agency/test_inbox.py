"""Entries of a person: what is kept once, told once, and waits again when its letter never left."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest

from agency import inbox
from agency.inbox import Kind, Note, State
from memory.moments import to_us
from tests.fakes.town import Town

BO, ANA = 1, 2
MONDAY = date(2026, 11, 30)


@pytest.fixture
def town() -> Iterator[Town]:
    found = Town()
    yield found
    found.connection.close()


def add(
    town: Town, key: str, person: int = BO, *, kind: Kind = Kind.DIGEST, cause: str = "handoff:1",
    weight: float = 1.0, sources: tuple[tuple[int, int], ...] = (), told_in: str = "",
    expires: timedelta | None = None,
) -> int | None:  # fmt: skip
    note = Note(
        key=key, person_id=person, kind=kind, subject="demo", text="moved", cause=cause,
        weight=weight, sources=sources, told_in=told_in,
        expires_us=to_us(town.now + expires) if expires is not None else None,
    )  # fmt: skip
    return inbox.add(town.tx, note, now_us=town.us)


def state(town: Town, id: int | None) -> State:
    assert id is not None
    found = inbox.find(town.tx, id)
    assert found is not None
    return found.state


def test_the_same_thing_is_kept_once(town: Town) -> None:
    assert add(town, "k") is not None
    assert add(town, "k") is None
    assert len(inbox.waiting(town.tx, BO)) == 1


def test_what_weighs_most_comes_first(town: Town) -> None:
    for key, weight in (("light", 0.2), ("heavy", 1.9), ("middle", 1.0)):
        add(town, key, weight=weight)
    assert [one.weight for one in inbox.waiting(town.tx, BO)] == [1.9, 1.0, 0.2]


def test_what_was_said_already_begins_as_told(town: Town) -> None:
    id = add(town, "k", kind=Kind.NOTIFY, told_in="r1.1.x")
    assert state(town, id) is State.TOLD
    assert [one.id for one in inbox.told_in(town.tx, "r1.1.x")] == [id]


def test_what_is_told_cannot_be_told_or_dropped_again(town: Town) -> None:
    id = add(town, "k") or 0
    assert inbox.tell(town.tx, id, "digest:1:2026-11-30", now_us=town.us)
    assert not inbox.tell(town.tx, id, "other", now_us=town.us)
    assert not inbox.drop(town.tx, id, "late", now_us=town.us)
    assert state(town, id) is State.TOLD


@pytest.mark.parametrize("to", [State.SEEN, State.DROPPED])
def test_what_is_settled_waits_in_nobodys_inbox(town: Town, to: State) -> None:
    ids = [add(town, "bo", BO), add(town, "ana", ANA), add(town, "other", BO, cause="handoff:2")]
    inbox.settle(town.tx, "handoff:1", to, "for a reason", now_us=town.us)
    assert [state(town, id) for id in ids] == [to, to, State.WAITING]


def test_what_nobody_was_told_in_time_is_dropped(town: Town) -> None:
    short, long = (add(town, f"{n}", expires=timedelta(hours=n)) for n in (1, 3))
    assert inbox.next_expiry(town.tx) == to_us(town.now + timedelta(hours=1))
    town.now += timedelta(hours=2)
    assert [one.id for one in inbox.expire(town.tx, now_us=town.us)] == [short]
    assert (state(town, short), state(town, long)) == (State.DROPPED, State.WAITING)


def test_a_digest_is_given_once_a_day(town: Town) -> None:
    assert inbox.give(town.tx, BO, MONDAY, now_us=town.us) == "digest:1:2026-11-30"
    assert inbox.give(town.tx, BO, MONDAY, now_us=town.us) is None
    assert inbox.had_digest(town.tx, BO, MONDAY)
    assert not inbox.had_digest(town.tx, ANA, MONDAY)
    assert inbox.give(town.tx, BO, MONDAY + timedelta(days=1), now_us=town.us) is not None


def test_a_digest_that_was_never_posted_is_given_again_under_another_key(town: Town) -> None:
    id = add(town, "k", sources=((7, 1),)) or 0
    key = inbox.give(town.tx, BO, MONDAY, now_us=town.us) or ""
    inbox.tell(town.tx, id, key, now_us=town.us)
    assert inbox.digests_resting_on(town.tx, 7) == [key]
    inbox.take_back(town.tx, key, now_us=town.us)
    assert state(town, id) is State.WAITING
    assert not inbox.had_digest(town.tx, BO, MONDAY)
    assert inbox.give(town.tx, BO, MONDAY, now_us=town.us) == "digest:1:2026-11-30:2"


def test_somebody_has_heard_of_what_rests_on_all_the_same_messages(town: Town) -> None:
    before = town.now
    town.now += timedelta(minutes=1)
    add(town, "k", kind=Kind.NOTIFY, told_in="x", sources=((7, 1), (8, 1)))
    assert inbox.heard_of(town.tx, BO, (7, 8), since=before)
    assert inbox.heard_of(town.tx, BO, (7,), since=before)
    assert not inbox.heard_of(town.tx, BO, (7, 9), since=before)
    assert not inbox.heard_of(town.tx, ANA, (7,), since=before)
    assert not inbox.heard_of(town.tx, BO, (7,), since=town.now + timedelta(minutes=1))


def test_two_people_who_are_one_have_one_inbox_and_one_digest_a_day(town: Town) -> None:
    add(town, "bo", BO)
    add(town, "ana", ANA)
    inbox.give(town.tx, ANA, MONDAY, now_us=town.us)
    inbox.switch(town.tx, ANA, on=False, now_us=town.us)
    inbox.rehome(town.tx, ANA, BO)
    assert len(inbox.waiting(town.tx, BO)) == 2
    assert inbox.had_digest(town.tx, BO, MONDAY)
    assert not inbox.wants_digest(town.tx, BO)


def test_a_digest_is_switched_off_and_on(town: Town) -> None:
    assert inbox.wants_digest(town.tx, BO)
    inbox.switch(town.tx, BO, on=False, now_us=town.us)
    assert not inbox.wants_digest(town.tx, BO)
    inbox.switch(town.tx, BO, on=True, now_us=town.us)
    assert inbox.wants_digest(town.tx, BO)
